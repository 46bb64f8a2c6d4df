//! A run, or single calls, as JSON lines: in a log, whatever the screen shows, and on stdout for programs.

use crate::exit::Failure;
use crate::render::stdout;
use palanca_agent::{Event, EventLine, Output, Sink};
use palanca_config::Config;
use palanca_files::Log;
use palanca_host::Fault;
use palanca_text::FluentCatalogue;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A log file. A line that cannot be written is lost; the run goes on.
pub struct LogFile {
    log: Log,
    catalogue: Arc<FluentCatalogue>,
}

impl LogFile {
    /// Appends to the configured file; none where none is configured.
    ///
    /// # Errors
    /// When it cannot be opened, exit code 3.
    pub fn open(config: &Config, catalogue: &Arc<FluentCatalogue>) -> Result<Option<Self>, Failure> {
        let Some(path) = &config.logging.file else { return Ok(None) };
        let log = Log::at(Path::new(path)).map_err(Fault::from)?;
        Ok(Some(Self { log, catalogue: Arc::clone(catalogue) }))
    }
}

impl Sink for LogFile {
    fn event(&self, event: &Event<'_>) {
        if matches!(
            event,
            Event::TextDelta { .. } | Event::TextVoided | Event::ToolOutput { .. } | Event::ToolProgress { .. }
        ) {
            return;
        }
        let line = EventLine::of(event, &*self.catalogue).map(serde_json::to_value);
        let Some(Ok(Value::Object(mut line))) = line else { return };
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        line.insert("at_ms".into(), u64::try_from(at.as_millis()).unwrap_or(u64::MAX).into());
        let mut bytes = Value::Object(line).to_string().into_bytes();
        bytes.push(b'\n');
        // ignored: a full disk under the log must not end the run.
        let _ = self.log.append(&bytes);
    }
}

/// The screen, the log if there is one, and the writer of the report.
pub struct Watchers<'a> {
    pub screen: &'a dyn Sink,
    pub log: Option<LogFile>,
    pub events: Option<Events>,
    pub chronicle: &'a dyn Sink,
}

impl Sink for Watchers<'_> {
    fn event(&self, event: &Event<'_>) {
        self.screen.event(event);
        self.chronicle.event(event);
        if let Some(log) = &self.log {
            log.event(event);
        }
        if let Some(events) = &self.events {
            events.event(event);
        }
    }

    fn output(&self) -> Output {
        match &self.events {
            Some(_) => Output::Watched,
            None => self.screen.output(),
        }
    }
}

/// A run as JSON lines on stdout.
pub struct Events {
    catalogue: Arc<FluentCatalogue>,
}

impl Events {
    pub const fn new(catalogue: Arc<FluentCatalogue>) -> Self {
        Self { catalogue }
    }

    /// Prints one line.
    ///
    /// # Errors
    /// Those of stdout, but for a reader that went away.
    pub fn print(line: &EventLine<'_>) -> Result<(), Failure> {
        stdout::text(&serde_json::to_string(line)?)
    }
}

impl Sink for Events {
    fn event(&self, event: &Event<'_>) {
        if let Some(line) = EventLine::of(event, &*self.catalogue) {
            // ignored: a full disk behind stdout must not end the run; the report's line fails loudly.
            let _ = Self::print(&line);
        }
    }
}
