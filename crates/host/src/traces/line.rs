//! Spans and events as lines: JSON for programs, one line for people.

use super::{Attributes, Traced};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `{"event": "span", "name", "trace", "span", "parent", "duration_ms", …}` or `{"event": "log", "message", …}`, with
/// `level`, `at_ms` and `attributes`.
#[must_use]
pub fn as_json(traced: &Traced<'_>) -> Value {
    let (mut line, attributes, at) = match traced {
        Traced::Span(span) => {
            let line = json!({
                "event": "span",
                "name": span.name,
                "trace": hex(&span.trace),
                "span": hex(&span.id),
                "parent": span.parent.map(|parent| hex(&parent)),
                "duration_ms": milliseconds(took(span.start, span.end)),
            });
            (line, &span.attributes, span.end)
        }
        Traced::Event(event) => (json!({"event": "log", "message": event.message}), &event.attributes, event.at),
    };
    let attributes: Map<String, Value> =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    if let Some(line) = line.as_object_mut() {
        line.insert("level".into(), traced.level().as_str().to_lowercase().into());
        line.insert("attributes".into(), attributes.into());
        let at = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        line.insert("at_ms".into(), u64::try_from(at.as_millis()).unwrap_or(u64::MAX).into());
    }
    line
}

/// `execute_tool read_file 1.2 ms palanca.outcome=done …`
#[must_use]
pub fn as_text(traced: &Traced<'_>) -> String {
    match traced {
        Traced::Span(span) => {
            let took = milliseconds(took(span.start, span.end));
            format!("{} {took} ms{}", span.name, listed(&span.attributes))
        }
        Traced::Event(event) => format!("{}{}", event.message, listed(&event.attributes)),
    }
}

/// Without those that the name says already.
fn listed(attributes: &Attributes) -> String {
    let mut text = String::new();
    for (name, value) in attributes.iter().filter(|(name, _)| *name != "gen_ai.operation.name") {
        // ignored: writing to a text does not fail.
        let _ = match value.as_str() {
            Some(value) => write!(text, " {name}={value}"),
            None => write!(text, " {name}={value}"),
        };
    }
    text
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn took(start: SystemTime, end: SystemTime) -> Duration {
    end.duration_since(start).unwrap_or_default()
}

/// To the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
