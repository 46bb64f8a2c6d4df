//! What a bot is and what it remembers: plain files in a folder of its own, which people read and edit, too.
//!
//! Each tool is the change of one file, so the diff in the question, undo, rules on paths and the record are those of any file.

mod cron;
mod dated;
mod goals;
mod identity;
mod improve;
mod memory;
mod memory_file;
mod mended;
mod noted;
mod recalled;
mod rewrite;
mod search;
mod secret;
mod tidied;
mod unoffered;
mod version;

pub use cron::local_time;
pub(crate) use cron::{CronAction, CronCall, GivenSchedule};
pub(crate) use dated::Dated;
pub use dated::recent_days;
pub(crate) use goals::{GoalAction, GoalChange, Priority, Status};
pub(crate) use identity::{Identity, with as with_identity};
pub(crate) use improve::ImproveArgs;
pub use improve::{Focus, LARGEST_REVISED, Revision};
pub(crate) use memory::Remember;
pub(crate) use memory_file::MemoryFile;
pub(crate) use rewrite::Rewrite;
pub(crate) use search::{Foreign, MemorySearch};
pub use unoffered::unoffered;
pub use version::{Version, files_of};

use palanca_core::call::ErrorKind;
use palanca_core::{Message, ToolError};

/// A parameter that is missing or blank.
pub(crate) fn missing(name: &'static str) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, Message::new("soul-missing").with("name", name))
}

/// A text that has to stay on its line: a line break in it would read as another entry.
fn one_line<'a>(name: &'static str, text: &'a str) -> Result<&'a str, ToolError> {
    let text = text.trim();
    if text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("soul-one-line").with("name", name)));
    }
    Ok(text)
}
