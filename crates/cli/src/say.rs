//! The language that this process speaks to people. It is chosen twice: from `--lang` and the environment, so that a
//! errors about an unreadable configuration are in the user's language, and again after the configuration is read.
//!
//! One for the whole process and not passed along: a terminal has one reader, and an error may arise before anything that
//! could carry a catalogue exists.

use crate::args::Global;
use palanca_core::{Catalogue as _, Message};
use palanca_text::{FluentCatalogue, Locale};
use std::sync::atomic::{AtomicBool, Ordering};

static ENGLISH: FluentCatalogue = FluentCatalogue::new(Locale::En);
static SPANISH: FluentCatalogue = FluentCatalogue::new(Locale::Es);
static IS_SPANISH: AtomicBool = AtomicBool::new(false);

/// From now on in this language.
pub fn speak(locale: Locale) {
    IS_SPANISH.store(locale == Locale::Es, Ordering::Relaxed);
}

/// The sentences of the language in force.
pub fn catalogue() -> &'static FluentCatalogue {
    if IS_SPANISH.load(Ordering::Relaxed) { &SPANISH } else { &ENGLISH }
}

/// The sentence in the language in force.
pub fn say(message: &Message) -> String {
    catalogue().render(message)
}

/// The language before any configuration is read: the flag, this program's variables, or the system's.
pub fn first(global: &Global, variable: impl Fn(&str) -> Option<String>) -> Locale {
    let flag = global.lang.as_ref().and_then(|lang| lang.parse().ok());
    let variables = || {
        let names = ["PALANCA_LANGUAGE", "PALANCA_LANG", "ARCHITECT_LANGUAGE"];
        names.into_iter().find_map(|name| variable(name)?.parse().ok())
    };
    flag.or_else(variables).unwrap_or_else(|| of_the_system(variable))
}

/// As POSIX has it: the first of the three that is set and not empty decides, whether or not it is spoken here.
pub fn of_the_system(variable: impl Fn(&str) -> Option<String>) -> Locale {
    let said = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| variable(name).filter(|v| !v.is_empty()));
    said.and_then(|said| said.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_first_that_is_set_decides() {
        for (set, expected) in [
            (&[][..], Locale::En),
            (&[("LANG", "es_ES.UTF-8")], Locale::Es),
            (&[("LANG", "es")], Locale::Es),
            (&[("LANG", "C")], Locale::En),
            (&[("LANG", "C.UTF-8")], Locale::En),
            (&[("LANG", "de_DE.UTF-8")], Locale::En),
            (&[("LANG", "est_EE")], Locale::En),
            (&[("LANG", "es_MX.UTF-8"), ("LC_MESSAGES", "en_GB.UTF-8")], Locale::En),
            (&[("LANG", "es_MX.UTF-8"), ("LC_ALL", "C")], Locale::En),
            (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "es_AR@euro")], Locale::Es),
            (&[("LANG", "es_ES.UTF-8"), ("LC_ALL", "")], Locale::Es),
        ] {
            let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(of_the_system(variable), expected, "{set:?}");
        }
    }

    #[test]
    fn the_flag_is_stronger_than_the_variables() {
        let variable = |name: &str| (name == "PALANCA_LANG" || name == "LANG").then(|| "es".to_owned());
        assert_eq!(first(&Global::default(), variable), Locale::Es);
        assert_eq!(first(&Global { lang: Some("en".to_owned()), ..Global::default() }, variable), Locale::En);
    }
}
