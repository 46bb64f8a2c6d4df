//! The language of one request: what its person chose, else what the browser asks for, else that of the process.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use palanca_core::{Catalogue as _, Message};
use palanca_text::{FluentCatalogue, Locale};

static ENGLISH: FluentCatalogue = FluentCatalogue::new(Locale::En);
static SPANISH: FluentCatalogue = FluentCatalogue::new(Locale::Es);

/// Where a person's choice is kept.
pub(crate) const COOKIE: &str = "palanca_language";

/// The language of one request.
#[derive(Clone, Copy)]
pub(crate) struct Tongue(&'static FluentCatalogue);

impl Tongue {
    pub(crate) fn of(headers: &HeaderMap, fallback: Locale) -> Self {
        let chosen = crate::access::cookie(headers, COOKIE).and_then(named);
        let wanted = || {
            let accepted = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
            accepted.split(',').find_map(|entry| named(entry.split(';').next().unwrap_or_default().trim()))
        };
        Self::in_locale(chosen.or_else(wanted).unwrap_or(fallback))
    }

    pub(crate) const fn in_locale(locale: Locale) -> Self {
        Self(match locale {
            Locale::Es => &SPANISH,
            Locale::En => &ENGLISH,
        })
    }

    pub(crate) fn say(self, message: &Message) -> String {
        self.0.render(message)
    }

    pub(crate) const fn catalogue(self) -> &'static FluentCatalogue {
        self.0
    }

    /// `en`, `es`.
    pub(crate) const fn code(self) -> &'static str {
        match self.0.locale() {
            Locale::Es => "es",
            Locale::En => "en",
        }
    }
}

/// `es`, `es-AR`.
pub(crate) fn named(tag: &str) -> Option<Locale> {
    match tag.split('-').next()?.to_ascii_lowercase().as_str() {
        "es" => Some(Locale::Es),
        "en" => Some(Locale::En),
        _ => None,
    }
}
