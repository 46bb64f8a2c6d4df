//! The log of a run, or of single calls, as JSON lines: everything that happened, whatever the screen shows.

use crate::exit::Failure;
use crate::wire::state;
use palanca_agent::{Event, Sink};
use palanca_config::Config;
use palanca_core::Catalogue;
use palanca_files::Log;
use palanca_text::FluentCatalogue;
use serde_json::{Value, json};
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
        let log = Log::at(Path::new(path)).map_err(state::failed)?;
        Ok(Some(Self { log, catalogue: Arc::clone(catalogue) }))
    }

    fn line(&self, event: &Event<'_>) -> Option<Value> {
        Some(match event {
            Event::StepStarted { step } => json!({"event": "step", "step": step}),
            Event::ToolStarted { call } => {
                json!({"event": "tool_started", "id": call.id, "tool": call.name, "arguments": call.arguments})
            }
            Event::ToolEnded { result } => json!({
                "event": "tool_ended", "id": result.id, "tool": result.tool, "success": result.success,
                "outcome": result.outcome, "code": result.code, "error": result.error, "output_bytes": result.output.len(),
                "duration_us": u64::try_from(result.duration.as_micros()).unwrap_or(u64::MAX),
            }),
            Event::Usage { usage, .. } => {
                json!({"event": "usage", "input": usage.input, "output": usage.output, "cached": usage.cached})
            }
            Event::QualityGate { report } => json!({
                "event": "quality_gate", "name": report.name, "passed": report.failure.is_none(),
                "required": report.need == palanca_hooks::Need::Required, "output": report.output, "error": report.error,
                "failure": report.failure.as_ref().map(|why| self.catalogue.render(why)),
            }),
            Event::Notice { message, .. } => json!({"event": "notice", "text": self.catalogue.render(message)}),
            Event::Ended { reason, steps, duration } => {
                json!({"event": "ended", "reason": reason, "steps": steps, "seconds": duration.as_secs_f64()})
            }
            _ => return None,
        })
    }
}

impl Sink for LogFile {
    fn event(&self, event: &Event<'_>) {
        let Some(Value::Object(mut line)) = self.line(event) else { return };
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        line.insert("at_ms".into(), u64::try_from(at.as_millis()).unwrap_or(u64::MAX).into());
        let mut bytes = Value::Object(line).to_string().into_bytes();
        bytes.push(b'\n');
        // ignored: a full disk under the log must not end the run.
        let _ = self.log.append(&bytes);
    }
}

/// The screen, the log where one is kept, and whoever writes the report.
pub struct Watchers<'a> {
    pub screen: &'a dyn Sink,
    pub log: Option<LogFile>,
    pub chronicle: &'a dyn Sink,
}

impl Sink for Watchers<'_> {
    fn event(&self, event: &Event<'_>) {
        self.screen.event(event);
        self.chronicle.event(event);
        if let Some(log) = &self.log {
            log.event(event);
        }
    }
}
