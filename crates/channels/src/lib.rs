//! The ways to reach people, behind core's port [`palanca_core::ports::Channels`].
//!
//! [`ChannelSet`] knows the operator's channels by name and nothing of what goes through them; [`Terminal`] and [`Webhook`]
//! are two. A channel judges nothing: who may be told what is the gate's to say, before anything arrives here. Nothing here
//! opens a connection: a webhook speaks through core's port for HTTP.

mod set;
mod terminal;
mod webhook;

pub use set::{Channel, ChannelSet, MOST_BYTES};
pub use terminal::Terminal;
pub use webhook::{SIGNATURE, Secret, TIMESTAMP, Webhook, WebhookSettings, signature};
