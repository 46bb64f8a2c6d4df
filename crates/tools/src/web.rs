//! The web: searching it, and reading one page of it.
//!
//! An operation says which addresses it wants, in the order in which it would try them; the gate judges them, and what is
//! sent is what the permit names. Nothing here opens a connection or decides whether a host is public: the door does. All that
//! a host sent is foreign text and leaves here as such, also with a failure.

mod ask;
mod content;
mod fetch;
mod page;
mod search;
mod status;

use crate::operation::ToolOptions;
use palanca_core::call::ErrorKind;
use palanca_core::tool::Annotations;
use palanca_core::{Message, ToolError};

/// Looking something up changes nothing, here or there.
pub(crate) const HINTS: Annotations =
    Annotations { read_only: true, destructive: false, idempotent: true, open_world: true };

pub(crate) use fetch::{Extent, Fetch, Format, Shape};
pub use page::pdf_text;
pub use search::{BRAVE, NAMES as PROVIDERS, SearchProvider};
pub(crate) use search::{Listing, Search, longest as longest_search};

/// Where they are offered although the operator has not switched them on, the call says so.
fn switched_on(tool: &str, options: &ToolOptions) -> Result<(), ToolError> {
    if options.web.enabled {
        return Ok(());
    }
    let off = Message::new("tool-switched-off").with("tool", tool).with("setting", "webTools.enabled: true");
    Err(ToolError::new(ErrorKind::Disabled, off))
}
