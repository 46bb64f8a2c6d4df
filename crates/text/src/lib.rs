//! Every sentence people and models read, in English and Spanish.
//!
//! This room owns the two catalogues in `locales/*.ftl` and how a [`palanca_core::Message`] becomes a sentence; it never
//! decides what is said. Logs and panics are not its business: they stay plain English where they arise.

mod catalogue;
mod locale;
pub mod questions;

pub use catalogue::FluentCatalogue;
pub use locale::{Locale, UnknownLocale};
