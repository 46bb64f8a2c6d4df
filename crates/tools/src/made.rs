//! Tools that bots write: making one, and one that was made, as a tool.
//!
//! Making a tool is two files written into the store, so the diff in the question is the tool. What is made is pending; whether a
//! made tool may run, the store says to each call ([`Vouched`]), not the file.

mod asked;
mod command;
mod create;
mod script;

pub use asked::{FETCH, READ, asked_by_scripts};
pub use command::made_command;
pub(crate) use create::Create;
pub use script::{ScriptCall, Scripts, made_script};

use palanca_core::Message;

/// Says whether a made tool is still what a person approved. It is asked as a call is judged, and again as it begins.
pub trait Vouched: Send + Sync {
    /// # Errors
    /// Why it does not run: it was changed, rejected or deleted since.
    fn holds(&self) -> Result<(), Message>;
}
