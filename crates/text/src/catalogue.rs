//! Messages rendered with Fluent. It owns the parsed catalogue of one language and refuses to fail: an unknown key
//! shows as the key. The catalogue is parsed when the first sentence is needed, not when it is made, because most runs
//! of the small commands print no sentence.

use crate::locale::Locale;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use palanca_core::message::Arg;
use palanca_core::{Catalogue, Message};
use std::sync::OnceLock;

type Bundle = FluentBundle<FluentResource>;

/// The sentences of one language. Can be shared between threads.
pub struct FluentCatalogue {
    locale: Locale,
    bundle: OnceLock<Bundle>,
}

impl FluentCatalogue {
    /// The catalogue of this language. Costs nothing until the first sentence.
    #[must_use]
    pub const fn new(locale: Locale) -> Self {
        Self { locale, bundle: OnceLock::new() }
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
            // Sentences that do not parse are left out and show as their keys; a test keeps both files free of errors.
            let resource = FluentResource::try_new(self.locale.source().to_owned()).unwrap_or_else(|(whole, _)| whole);
            bundle.add_resource_overriding(resource);
            bundle
        })
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
        let bundle = self.bundle();
        let Some(pattern) = bundle.get_message(message.key()).and_then(|found| found.value()) else {
            return message.to_string();
        };
        let mut args = FluentArgs::with_capacity(message.args().len());
        for (name, value) in message.args() {
            args.set(*name, self.fluent(value));
        }
        // ignored: a missing value shows as `{$name}`; a test checks every call site against the catalogue's variables.
        let mut errors = Vec::new();
        bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned()
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
