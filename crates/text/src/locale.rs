//! The languages, and their catalogues.

use std::fmt;
use std::str::FromStr;
use unic_langid::LanguageIdentifier;

/// A language with a complete catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Locale {
    /// English, in our own words.
    #[default]
    En,
    /// Spanish, in the words of the documented toolsets.
    Es,
}

impl Locale {
    /// Every language, English first.
    pub const ALL: [Self; 2] = [Self::En, Self::Es];

    /// `en` or `es`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// The Fluent source of this language, embedded at build time.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Self::En => include_str!("../locales/en.ftl"),
            Self::Es => include_str!("../locales/es.ftl"),
        }
    }

    /// First and last byte, the last excluded, of each sentence in the source, in the order of their keys.
    pub(crate) const fn places(self) -> &'static [(usize, usize)] {
        match self {
            Self::En => include!(concat!(env!("OUT_DIR"), "/en")),
            Self::Es => include!(concat!(env!("OUT_DIR"), "/es")),
        }
    }

    /// The system's, as POSIX has it: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty decides,
    /// whether or not it is spoken here.
    #[must_use]
    pub fn of_the_system(variable: impl Fn(&str) -> Option<String>) -> Self {
        let said =
            ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| variable(name).filter(|v| !v.is_empty()));
        said.and_then(|said| said.parse().ok()).unwrap_or_default()
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        // Both codes parse; a failure would only lose the plural rules.
        self.code().parse().unwrap_or_default()
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A language without a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLocale(pub String);

impl fmt::Display for UnknownLocale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "language '{}' is not spoken here: use 'en' or 'es'", self.0)
    }
}

impl std::error::Error for UnknownLocale {}

/// Reads `es` as well as `es_AR.UTF-8` and `es-MX`: only the language counts.
impl FromStr for Locale {
    type Err = UnknownLocale;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let language = text.split(['-', '_', '.', '@']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|locale| language.eq_ignore_ascii_case(locale.code()))
            .ok_or_else(|| UnknownLocale(text.to_owned()))
    }
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
            assert_eq!(Locale::of_the_system(variable), expected, "{set:?}");
        }
    }
}
