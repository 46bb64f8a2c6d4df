//! Every sentence people and models read, in English and Spanish.
//!
//! This room owns the two catalogues in `locales/*.ftl` and the rendering of a [`palanca_core::Message`]; it never
//! decides which sentence is shown. Logs and panics are plain English in the code that produces them.

mod catalogue;
mod locale;
pub mod questions;

pub use catalogue::FluentCatalogue;
pub use locale::{Locale, UnknownLocale};
