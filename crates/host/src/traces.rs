//! Where the spans of this process go: as lines to whoever asks for them, and to an OpenTelemetry collector.
//!
//! The rooms below make spans and events with `tracing` and know nothing of this. Without a subscriber they cost next to
//! nothing; a program with a subscriber of its own sees them there, and may add our [`layer`](Traces::layer) to it.

mod layer;
mod line;
#[cfg(feature = "otel")]
mod otlp;
#[cfg(not(feature = "otel"))]
#[path = "traces/not_built.rs"]
mod otlp;

pub use line::{as_json, as_text};

use crate::agent::words;
use crate::fault::Fault;
use crate::host::Host;
use layer::Spans;
use palanca_config::{Config, TelemetryExporter};
use palanca_core::Message;
use palanca_core::ports::Redactor;
use palanca_files::Log;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
pub use tracing::Level;
use tracing::Subscriber;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

/// The version of OpenTelemetry's semantic conventions that names and attributes follow.
pub const CONVENTIONS: &str = "1.41.0";

/// How long the end of a program waits for a collector.
const PATIENCE: Duration = Duration::from_secs(3);

/// Names and values.
pub type Attributes = Vec<(&'static str, Value)>;

/// A span that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// `execute_tool read_file`, `chat gpt-4.1`, `invoke_agent build`, `POST`, `process`.
    pub name: String,
    /// How important it is.
    pub level: Level,
    /// The trace that it belongs to.
    pub trace: [u8; 16],
    /// Its own id.
    pub id: [u8; 8],
    /// The span that it lies in.
    pub parent: Option<[u8; 8]>,
    /// When it began.
    pub start: SystemTime,
    /// When it ended.
    pub end: SystemTime,
    /// What is known about it.
    pub attributes: Attributes,
    /// What happened in it, at most 32.
    pub events: Vec<Event>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In English.
    pub message: String,
    /// How important it is.
    pub level: Level,
    /// When.
    pub at: SystemTime,
    /// What is known about it.
    pub attributes: Attributes,
}

/// What was traced.
#[derive(Clone, Copy, Debug)]
pub enum Traced<'a> {
    /// A span has ended.
    Span(&'a Span),
    /// Something happened.
    Event(&'a Event),
}

impl Traced<'_> {
    const fn level(&self) -> Level {
        match self {
            Self::Span(span) => span.level,
            Self::Event(event) => event.level,
        }
    }
}

/// Is told of each; must return at once.
pub type Receiver = Arc<dyn Fn(&Traced<'_>) + Send + Sync>;

/// Where spans and events go.
#[derive(Clone, Default)]
pub struct Traces {
    receivers: Vec<(Level, Receiver)>,
    exporter: Option<Arc<otlp::Exporter>>,
}

impl Traces {
    /// As `telemetry` of the configuration says, and the variables of OpenTelemetry where this was built to export;
    /// `console` draws lines on stderr.
    ///
    /// # Errors
    /// A file that cannot be opened, an address that is none, and an export that was not built in.
    pub fn of(config: &Config, console: Receiver) -> Result<Self, Fault> {
        let wanted = &config.telemetry;
        let exporter = wanted.enabled.then_some(wanted.exporter);
        let mut traces = Self::default();
        if let Some(target) = otlp::Target::of(wanted, |name| std::env::var(name).ok())? {
            let exporter = Arc::new(otlp::Exporter::start(target)?);
            let queue = Arc::clone(&exporter);
            traces = traces.to(Level::DEBUG, Arc::new(move |traced| queue.take(traced)));
            traces.exporter = Some(exporter);
        }
        match (exporter, &wanted.trace_file) {
            (Some(TelemetryExporter::Console), _) => Ok(traces.to(Level::DEBUG, console)),
            (Some(TelemetryExporter::JsonFile), Some(file)) => traces.to_file(Path::new(file)),
            (Some(TelemetryExporter::JsonFile), None) => Err(Fault::said(Message::new("traces-file-missing"))),
            (Some(TelemetryExporter::Otlp) | None, _) => Ok(traces),
        }
    }

    /// Those up to this level to this receiver, too.
    #[must_use]
    pub fn to(mut self, level: Level, receiver: Receiver) -> Self {
        self.receivers.push((level, receiver));
        self
    }

    /// As JSON lines to the end of this file, too. A line that cannot be written is lost.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn to_file(self, path: &Path) -> Result<Self, Fault> {
        let log = Log::at(path).map_err(Fault::from)?;
        let write = move |traced: &Traced<'_>| {
            // ignored: a full disk under the log must not end anything.
            let _ = log.append(format!("{}\n", as_json(traced)).as_bytes());
        };
        Ok(self.to(Level::DEBUG, Arc::new(write)))
    }

    /// A layer of a subscriber that tells the receivers of what this library traces, and of nothing else. `redactor` takes
    /// secrets out of all that they are told.
    pub fn layer<S: Subscriber + for<'s> LookupSpan<'s>>(&self, redactor: Arc<dyn Redactor>) -> impl Layer<S> {
        let level = self.receivers.iter().map(|(level, _)| *level).max().unwrap_or(Level::ERROR);
        let ours = filter_fn(move |about| about.target().starts_with("palanca") && *about.level() <= level);
        Spans::new(self.receivers.clone(), redactor).with_filter(ours.with_max_level_hint(level))
    }
}

impl Host {
    /// Traces everything that this process does from now on, without the secrets that this configuration and this process
    /// know. Only the first one counts, and none where the program has a subscriber of its own.
    pub fn trace(&self, config: &Config, traces: Traces) {
        if traces.receivers.is_empty() {
            return;
        }
        let secrets = words::secrets(config).sharing(self.learned());
        let subscriber = Registry::default().with(traces.layer(Arc::new(secrets)));
        if tracing::subscriber::set_global_default(subscriber).is_ok() {
            // ignored: only the first one could be installed.
            let _ = self.traces.set(traces);
        }
    }

    /// Sends what waits for a collector, and says how much has not reached it. At most three seconds: for the end of a program.
    pub async fn flush_traces(&self) {
        let Some(exporter) = self.traces.get().and_then(|traces| traces.exporter.as_ref()) else { return };
        let lost = exporter.flush(PATIENCE).await;
        if lost > 0 {
            let address = exporter.address().to_owned();
            self.notices().warn(&Message::new("traces-lost").with("count", lost).with("address", address));
        }
    }
}

/// The address of the collector that spans are sent to, if any are.
#[must_use]
pub fn collector(config: &Config) -> Option<String> {
    let target = otlp::Target::of(&config.telemetry, |name| std::env::var(name).ok());
    target.ok().flatten().map(|target| target.address())
}

#[cfg(test)]
mod tests;
