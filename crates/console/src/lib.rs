//! The console: people watch, decide and talk to bots over HTTP, as programs ([`api`](Console::service)) and in a browser. It owns
//! routes, who is let in, and what a page shows; the listener below it owns names, origins and limits.
//!
//! Nothing here judges or runs a call: an answer is a row of the same table that a terminal writes to, and a message goes to a bot
//! like any other.

mod access;
mod api;
mod chats;
mod console;
mod decide;
mod deliveries;
mod events;
mod input;
mod language;
mod made;
mod moment;
mod pages;
mod problem;
mod trials;
mod undo;

pub use console::{Console, ConsoleParts, FRONT, LINK_LASTS, Reach};
