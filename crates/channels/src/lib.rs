//! Channels to people, behind core's port [`palanca_core::ports::Channels`].
//!
//! [`ChannelSet`] knows the operator's channels by name; [`Terminal`] and [`Webhook`] are two kinds. [`Twilio`] places
//! telephone calls; [`Messenger`] is what a bot talks with people over, and [`Telegram`] is one. A channel judges
//! nothing: the gate decides what may be sent to whom before a message arrives here. Nothing here opens a connection: a
//! webhook uses core's port for HTTP.

mod messenger;
mod set;
mod telegram;
mod terminal;
mod twilio;
mod webhook;

pub use messenger::{
    Abilities, Addressed, Attached, Audience, Button, Exchange, Heard, Incoming, Messenger, Person, Press, Sent,
    Trouble, split, units,
};
pub use set::{Channel, ChannelSet, MOST_BYTES};
pub use telegram::{CHANNEL, LONGEST, TELEGRAM, Telegram};
pub use terminal::Terminal;
pub use twilio::{NotPlaced, PROVIDER, Placed, Spoken, TWILIO, Twilio, TwilioAccount};
pub use webhook::{SIGNATURE, Secret, TIMESTAMP, Webhook, WebhookSettings, signature};
