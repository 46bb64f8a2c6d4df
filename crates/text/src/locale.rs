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
