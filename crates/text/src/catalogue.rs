//! Messages rendered with Fluent. It owns the catalogue of one language and refuses to fail: an unknown key shows as the
//! key.
//!
//! The surprising decision: each sentence is cut out of the catalogue and parsed alone, when it is first needed. Most
//! commands say a few of a thousand, and no sentence refers to another one.

use crate::locale::Locale;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Entry, Pattern};
use palanca_core::message::Arg;
use palanca_core::{Catalogue, Message};
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Knows the language's plural forms; the sentences are given to it.
type Bundle = FluentBundle<FluentResource>;

/// The sentences of one language. Can be shared between threads.
pub struct FluentCatalogue {
    locale: Locale,
    bundle: OnceLock<Bundle>,
    /// The sentences that were needed so far.
    sentences: RwLock<BTreeMap<&'static str, Arc<FluentResource>>>,
}

impl FluentCatalogue {
    /// The catalogue of this language. Costs nothing until the first sentence.
    #[must_use]
    pub const fn new(locale: Locale) -> Self {
        Self { locale, bundle: OnceLock::new(), sentences: RwLock::new(BTreeMap::new()) }
    }

    /// The language.
    #[must_use]
    pub const fn locale(&self) -> Locale {
        self.locale
    }

    fn bundle(&self) -> &Bundle {
        self.bundle.get_or_init(|| {
            let mut bundle = Bundle::new_concurrent(vec![self.locale.identifier()]);
            // Isolation marks are for screens that mix writing directions; in models' input and pipes they would be
            // garbage.
            bundle.set_use_isolating(false);
            bundle
        })
    }

    fn sentence(&self, key: &'static str) -> Option<Arc<FluentResource>> {
        if let Some(known) = self.sentences.read().get(key) {
            return Some(Arc::clone(known));
        }
        let parsed = Arc::new(parsed(entry(self.locale, key)?));
        self.sentences.write().insert(key, Arc::clone(&parsed));
        Some(parsed)
    }
}

/// The part of a catalogue that is the sentence with this key.
fn entry(locale: Locale, key: &str) -> Option<&'static str> {
    let text = |&(start, end): &(usize, usize)| locale.source().get(start..end).unwrap_or_default();
    let key_of = |place| text(place).split_once(" =").map_or("", |(key, _)| key);
    let found = locale.places().binary_search_by(|place| key_of(place).cmp(key)).ok()?;
    locale.places().get(found).map(text)
}

/// What does not parse is left out and shows as its key; a test keeps both catalogues free of errors.
fn parsed(source: &str) -> FluentResource {
    FluentResource::try_new(source.to_owned()).unwrap_or_else(|(rest, _)| rest)
}

/// What is said with the first key.
fn pattern(sentence: &FluentResource) -> Option<&Pattern<&str>> {
    match sentence.entries().next()? {
        Entry::Message(message) => message.value.as_ref(),
        _ => None,
    }
}

impl FluentCatalogue {
    fn fluent<'a>(&self, value: &'a Arg) -> FluentValue<'a> {
        match value {
            Arg::Text(text) if is_number(text) => FluentValue::try_number(text.as_str()),
            Arg::Text(text) => FluentValue::from(text.as_str()),
            Arg::Number(number) => FluentValue::from(*number),
            Arg::Said(text) => FluentValue::from(text.render(self)),
        }
    }
}

impl Catalogue for FluentCatalogue {
    fn render(&self, message: &Message) -> String {
        let sentence = self.sentence(message.key());
        let Some(pattern) = sentence.as_deref().and_then(pattern) else { return message.to_string() };
        let mut args = FluentArgs::with_capacity(message.args().len());
        for (name, value) in message.args() {
            args.set(*name, self.fluent(value));
        }
        // ignored: a missing value shows as `{$name}`; a test checks every call site against the catalogue's variables.
        let mut errors = Vec::new();
        self.bundle().format_pattern(pattern, Some(&args), &mut errors).into_owned()
    }
}

/// Whether a text is a plain number, `30` or `1.5`, which then also selects a plural form.
fn is_number(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() < 16 && digits(whole) && digits(part) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests;
