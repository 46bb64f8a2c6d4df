//! The registered tools, and which of them one turn may use.

mod catalog;
mod naming;
mod schemas;
mod toolset;

pub use catalog::{Override, Registry, RegistryError, Source};
pub use naming::{MAX_NAME, is_valid_name, nearest};
pub use schemas::{SchemaFormat, render_schema};
pub(crate) use toolset::Registered;
pub use toolset::Toolset;

#[cfg(test)]
mod tests;
