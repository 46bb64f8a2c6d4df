//! Every sentence people and models read, in English and Spanish.
//!
//! This room owns the two catalogues in `locales/*.ftl` and the rendering of a [`palanca_core::Message`]; it never
//! decides which sentence is shown. Logs and panics are plain English in the code that produces them.

mod catalogue;
mod locale;
pub mod questions;

pub use catalogue::FluentCatalogue;
pub use locale::{Locale, UnknownLocale};

/// Names that are shown of many.
const SHOWN: usize = 10;

/// The first names, and how many more.
///
/// ```
/// # use palanca_text::some;
/// assert_eq!(some(&["a".to_owned(), "b".to_owned()]), "a, b");
/// ```
#[must_use]
pub fn some(names: &[String]) -> String {
    let mut shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        shown.push_str(&format!(", … (+{more})"));
    }
    shown
}
