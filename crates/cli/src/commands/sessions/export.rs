//! `sessions export`: a session as events for programs, as a page for people, as answers for a replay.

use super::{Shelf, timeline};
use crate::args::sessions::{ExportForm, SessionsExport};
use crate::commands::run::earlier::{self, fault};
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use palanca_agent::session::{Entry, Events, entry, row};
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{EventNumber, StoredEvent, wait};
use palanca_host::workspace::disk;
use palanca_models::Message as Said;
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};

impl Shelf {
    pub(super) fn export(&self, args: &SessionsExport) -> Ended {
        let kept = earlier::one(&*self.store, &args.id, || Ok(disk::here(&self.config)?))?;
        let kept = earlier::as_it_stands(&*self.store, kept);
        let id = &kept.began.scope.session;
        match args.form {
            ExportForm::Markdown => {
                let moments = timeline::read(&*self.store, id)?;
                stdout::text(&timeline::markdown(&kept, &moments, &*self.catalogue))?;
            }
            form => self.lines(id, form)?,
        }
        Ok(Exit::Success)
    }

    /// One line at a time, so that a long session needs no memory.
    fn lines(&self, id: &SessionId, form: ExportForm) -> Result<(), Failure> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let mut answers = 0;
        let mut events = Events::after(&*self.store, id, EventNumber::default());
        while let Some(event) = wait(events.next()).map_err(|error| fault(&error))? {
            let line = if form == ExportForm::Replay { answer(id, &event)? } else { Some(row(id, &event)) };
            let Some(line) = line else { continue };
            answers += 1;
            let written = serde_json::to_writer(&mut out, &line).map_err(std::io::Error::from);
            if written.and_then(|()| out.write_all(b"\n")).is_err() {
                // A reader that went away (`| head`) is no error.
                return Ok(());
            }
        }
        // ignored: as above.
        let _ = out.flush();
        if form == ExportForm::Replay && answers == 0 {
            return Err(Failure::said(&Message::new("sessions-no-answers").with("id", id.as_str())));
        }
        Ok(())
    }
}

/// An answer as replays read it.
fn answer(id: &SessionId, event: &StoredEvent) -> Result<Option<Value>, Failure> {
    let read = entry(id, event).map_err(|error| Failure::saying(Exit::Failed, &error.message()))?;
    let Some(Entry::Answered(answered)) = read else { return Ok(None) };
    if answered.cut {
        return Ok(None);
    }
    let (text, calls) = match answered.message {
        Some(Said::Assistant { text, calls, .. }) => (text, calls),
        _ => (String::new(), Vec::new()),
    };
    let calls: Vec<Value> =
        calls.iter().map(|call| json!({ "id": call.id, "name": call.name, "arguments": call.arguments })).collect();
    let usage = answered.usage;
    let mut line = json!({
        "content": text,
        "usage": { "input": usage.input, "cached": usage.cached, "output": usage.output },
    });
    if let (Some(line), false) = (line.as_object_mut(), calls.is_empty()) {
        line.insert("tool_calls".into(), calls.into());
    }
    Ok(Some(line))
}
