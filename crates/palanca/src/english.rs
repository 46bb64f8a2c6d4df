//! English for everything that is made through this crate and given no catalogue. A catalogue of your own replaces it:
//! `Gate::builder(…).catalogue(…)`.

use palanca_core::Catalogue;
use palanca_core::message::Words;
use palanca_text::{FluentCatalogue, Locale};
use std::sync::Arc;

/// The English catalogue: for showing a [`Message`](crate::Message) that a guard, an asker or a hook was given.
///
/// ```
/// let message = palanca::Message::new("file-not-found").with("path", "a.txt");
/// assert_eq!(palanca::english().render(&message), "'a.txt' does not exist.");
/// ```
#[must_use]
pub fn english() -> Arc<dyn Catalogue> {
    Arc::new(FluentCatalogue::new(Locale::En))
}

/// What `#[tool]` and `#[derive(Args)]` bring along.
#[must_use]
pub const fn words() -> Option<Words> {
    Some(english)
}
