//! Many bots in one process. [`Bots`] builds the agent of each when it is first needed; a [message](Bots::say) in one of its chats is a
//! turn of that chat's session; an [`Executor`] runs single calls as a bot;
//! [`Bots::keep_time`] runs their jobs as they come due, and [`Bots::keep_chats`] keeps them in people's chats at messengers.

mod executor;
mod jobs;
mod people;
mod registry;
mod switch;
mod talk;

pub use executor::Executor;
pub use jobs::{JobEvent, JobEvents, JobsOf, told};
/// The chat with a bot where none is named: what jobs say that name none is said there, too.
pub use palanca_schedule::OPERATOR;
pub use people::{ChatEvent, ChatEvents, Deliverer, Delivery, mention_patterns};
pub use registry::{Bot, Bots, Reloaded};
pub use switch::Switch;
pub use talk::{Chat, Hearing, Words};
