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
    flag.or_else(variables).unwrap_or_else(|| Locale::of_the_system(variable))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_flag_is_stronger_than_the_variables() {
        let variable = |name: &str| (name == "PALANCA_LANG" || name == "LANG").then(|| "es".to_owned());
        assert_eq!(first(&Global::default(), variable), Locale::Es);
        assert_eq!(first(&Global { lang: Some("en".to_owned()), ..Global::default() }, variable), Locale::En);
    }
}
