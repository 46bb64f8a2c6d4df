//! Bots in people's chats: who can be talked to, and what goes wrong there, is said.

use super::{Part, Served};
use crate::render::{stderr, stdout};
use crate::say::say;
use palanca_bots::{ChatEvent, ChatEvents};
use std::sync::Arc;

pub fn part(Served { bots, cancel, .. }: Served) -> Part {
    Box::pin(async move {
        let events: ChatEvents = Arc::new(|event| match event {
            // ignored: without a reader the bot can be talked to all the same.
            ChatEvent::Ready(message) => drop(stdout::text(&say(&message))),
            ChatEvent::Wrong(message) => stderr::warn(&message),
        });
        bots.keep_chats(events, &cancel).await;
        Ok(())
    })
}
