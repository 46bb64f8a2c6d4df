//! The file of a bot's jobs, as its keeper reads it and has it changed: through the gate, as any file.

use super::{JobEvent, Keeper};
use palanca_core::call::RawArguments;
use palanca_core::ports::Metadata;
use palanca_core::{Call, CallId, Message, Origin, ToolResult};
use palanca_host::agent::jobs as files;
use palanca_schedule::{Agenda, Jobs, Outcome};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a file must be damaged in the same way before it is put aside: somebody may be writing it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The file as it was last read.
#[derive(Default)]
pub(super) struct Known {
    /// What showed of it before it was read.
    glance: Option<Metadata>,
    text: Option<String>,
    jobs: Option<Agenda>,
    said: Option<Message>,
    /// What is wrong with it, and since when.
    damaged: Option<(String, Instant)>,
}

impl Keeper {
    /// The jobs as they are now. What is wrong with the file is said once; what is damaged is put aside.
    pub(super) async fn jobs<'k>(&self, known: &'k mut Known) -> Option<&'k Agenda> {
        // Taken before the file is read: what changes meanwhile shows the next time.
        let glance = files::glance(&self.bot.agent);
        let is_same = glance.is_some() && glance == known.glance;
        let read = || files::text(&self.bot.agent).map(|text| (text != known.text).then_some(text));
        let new = if is_same { Ok(None) } else { read() };
        known.glance = glance;
        let said = match new {
            Ok(None) => match known.damaged.take_if(|(_, since)| since.elapsed() >= PATIENCE) {
                Some((detail, _)) => Some(self.mend(&detail).await),
                None => known.said.clone(),
            },
            Ok(Some(text)) => {
                self.unnoted.lock().clear();
                let parsed = text.as_deref().filter(|text| !text.trim().is_empty()).map(Jobs::parse).transpose();
                known.text = text;
                known.damaged = parsed.as_ref().err().map(|fault| (fault.0.clone(), Instant::now()));
                let zone = &self.bot.config.datetime.timezone;
                known.jobs = parsed.ok().flatten().map(|jobs| Agenda::new(jobs, zone));
                // Of a file that was mended nothing more is to be said.
                None
            }
            Err(why) => {
                *known = Known { said: known.said.take(), ..Known::default() };
                Some(why)
            }
        };
        if said != known.said
            && let Some(said) = &said
        {
            (self.events)(JobEvent::Wrong(said.clone()));
        }
        known.said = said;
        known.jobs.as_ref()
    }

    /// Puts a damaged file aside and begins it anew with what of it can be read; or says what is wrong with it.
    async fn mend(&self, detail: &str) -> Message {
        let path = files::path(&self.bot.config);
        let result = self.call("cron_mended", json!({})).await;
        let data = result.data.as_ref().filter(|_| result.success);
        let aside = data.and_then(|data| data.get("aside")?.as_str());
        let kept = data.and_then(|data| data.get("kept")?.as_u64()).unwrap_or_default();
        match aside {
            Some(aside) => Message::new("cron-file-mended")
                .with("path", path)
                .with("detail", detail)
                .with("aside", aside)
                .with("kept", kept),
            None => Message::new("cron-file-broken").with("path", path).with("detail", detail),
        }
    }

    /// Notes what became of a run.
    pub(super) async fn note(&self, job: &str, due: i64, outcome: &Outcome) {
        let said = match outcome {
            Outcome::Error(why) => format!("error: {why}"),
            other => other.name().to_owned(),
        };
        let result = self.call("cron_noted", json!({"job": job, "due": due, "outcome": said})).await;
        // At the end of the process nothing is noted any more: the next one does it.
        if !result.success && !self.cancel.is_cancelled() {
            self.unnoted.lock().insert((job.to_owned(), due));
            let reason = result.output.trim_end().to_owned();
            (self.events)(JobEvent::Wrong(Message::new("cron-not-noted").with("job", job).with("reason", reason)));
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> ToolResult {
        let call = Call {
            id: CallId::new(self.calls.fetch_add(1, Ordering::Relaxed).to_string()),
            tool: tool.to_owned(),
            arguments: RawArguments::Json(arguments),
            origin: Origin::Bot { id: self.bot.id.as_str().into() },
            scope: self.session.scope().clone(),
        };
        self.session.gate().submit(&self.tools, call).await
    }
}
