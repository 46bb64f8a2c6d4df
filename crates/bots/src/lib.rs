//! Many bots in one process. [`Bots`] builds the agent of each when it is first needed; a [message](Bots::say) in one of its chats is a
//! turn of that chat's session; an [`Executor`] runs single calls as a bot.

mod executor;
mod registry;
mod talk;

pub use executor::Executor;
pub use registry::{Bot, Bots};
pub use talk::{Chat, Hearing};
