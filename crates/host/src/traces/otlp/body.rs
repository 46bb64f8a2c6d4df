//! The body of one request: `ExportTraceServiceRequest` in the JSON form of OTLP 1, where ids are hexadecimal and 64-bit
//! integers are texts.

use super::super::line::hex;
use super::super::{Attributes, CONVENTIONS, Event, Span};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// `SPAN_KIND_INTERNAL`, `SPAN_KIND_CLIENT`.
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

pub(super) fn of(spans: &[Span], service: &str) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let resource = vec![("service.name", service.into()), ("service.version", version.into())];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(&resource)},
        "scopeSpans": [{
            "scope": {"name": "palanca", "version": version},
            "spans": spans.iter().map(span).collect::<Vec<_>>(),
            "schemaUrl": format!("https://opentelemetry.io/schemas/{CONVENTIONS}"),
        }],
    }]})
}

fn span(span: &Span) -> Value {
    let has = |wanted: &str| span.attributes.iter().any(|(name, _)| *name == wanted);
    let asks = has("server.address") || span.name.starts_with("chat ");
    let mut made = json!({
        "traceId": hex(&span.trace),
        "spanId": hex(&span.id),
        "name": span.name,
        "kind": if asks { CLIENT } else { INTERNAL },
        "startTimeUnixNano": nanoseconds(span.start),
        "endTimeUnixNano": nanoseconds(span.end),
        "attributes": attributes(&span.attributes),
        "events": span.events.iter().map(event).collect::<Vec<_>>(),
        "status": if has("error.type") { json!({"code": ERROR}) } else { json!({}) },
    });
    if let (Some(parent), Some(made)) = (&span.parent, made.as_object_mut()) {
        made.insert("parentSpanId".into(), hex(parent).into());
    }
    made
}

fn event(event: &Event) -> Value {
    json!({
        "name": event.message,
        "timeUnixNano": nanoseconds(event.at),
        "attributes": attributes(&event.attributes),
    })
}

fn attributes(attributes: &Attributes) -> Vec<Value> {
    attributes.iter().map(|(key, value)| json!({"key": key, "value": any(value)})).collect()
}

fn any(value: &Value) -> Value {
    match value {
        Value::Bool(value) => json!({"boolValue": value}),
        Value::Number(number) if number.is_f64() => json!({"doubleValue": number}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::String(text) => json!({"stringValue": text}),
        other => json!({"stringValue": other.to_string()}),
    }
}

fn nanoseconds(at: SystemTime) -> String {
    at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
