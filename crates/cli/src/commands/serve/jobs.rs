//! Jobs that are due run here, and what they say is printed as well as brought to their chats.

use super::{Part, Served};
use crate::render::{stderr, stdout};
use palanca_bots::{JobEvent, JobEvents, JobsOf};
use palanca_core::Message;
use palanca_core::tool::Cancel;
use std::sync::Arc;

pub fn part(Served { bots, cancel, .. }: Served) -> Part {
    Box::pin(async move {
        let events: JobEvents = Arc::new(|event| show(&event));
        // Instructions under way are cut off by the end of the host.
        bots.keep_time(JobsOf::default(), events, (&cancel, &Cancel::new())).await;
        Ok(())
    })
}

fn show(event: &JobEvent) {
    match event {
        JobEvent::Said(said) => {
            let line = format!("[{} · {}] {}", said.bot, said.name, said.words.text);
            // ignored: without a reader it is in its chat all the same.
            let _ = stdout::text(&line);
        }
        JobEvent::Failed { bot, job, why } => {
            let why = why.trim_end_matches('.');
            stderr::warn(&Message::new("serve-job-failed").with("bot", bot).with("job", job).with("why", why));
        }
        JobEvent::Wrong(message) => stderr::warn(message),
    }
}
