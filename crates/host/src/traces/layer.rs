//! Makes spans that have ended out of what `tracing` says while they go on.
//!
//! A span ends when it says its outcome, or else when it is closed: `tracing` closes a span only after all that began in it, and
//! a call may leave work in the background.

use super::{Attributes, Event, Receiver, Span, Traced};
use palanca_core::ports::Redactor;
use serde_json::Value;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::SystemTime;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes as Given, Id, Record};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;
use uuid::Uuid;

/// What ends a span.
const OUTCOME: &str = "palanca.outcome";
/// Events that a span keeps.
const EVENTS: usize = 32;

/// What follows the operation in the name of a span.
const NAMES: &[(&str, &str)] =
    &[("execute_tool", "gen_ai.tool.name"), ("chat", "gen_ai.request.model"), ("invoke_agent", "gen_ai.agent.name")];

/// Tells the receivers.
pub(super) struct Spans {
    receivers: Vec<(Level, Receiver)>,
    redactor: Arc<dyn Redactor>,
}

/// A span that goes on.
struct Open {
    trace: [u8; 16],
    id: [u8; 8],
    parent: Option<[u8; 8]>,
    start: SystemTime,
    /// When it was last worked on.
    left: Option<SystemTime>,
    fields: Fields,
    events: Vec<Event>,
    is_told: bool,
}

impl Open {
    /// Once.
    fn end(&mut self, about: &Metadata<'_>, end: SystemTime) -> Option<Span> {
        if std::mem::replace(&mut self.is_told, true) {
            return None;
        }
        let attributes = std::mem::take(&mut self.fields.attributes);
        Some(Span {
            name: name(about.name(), &attributes),
            level: *about.level(),
            trace: self.trace,
            id: self.id,
            parent: self.parent,
            start: self.start,
            end,
            attributes,
            events: std::mem::take(&mut self.events),
        })
    }
}

fn name(operation: &str, attributes: &Attributes) -> String {
    let of = |wanted: &str| attributes.iter().find(|(name, _)| *name == wanted).and_then(|(_, value)| value.as_str());
    let behind = NAMES.iter().find(|(name, _)| *name == operation).and_then(|(_, attribute)| of(attribute));
    match (operation, behind) {
        ("http", _) => of("http.request.method").unwrap_or(operation).to_owned(),
        (operation, Some(behind)) => format!("{operation} {behind}"),
        (operation, None) => operation.to_owned(),
    }
}

impl Spans {
    pub(super) fn new(receivers: Vec<(Level, Receiver)>, redactor: Arc<dyn Redactor>) -> Self {
        Self { receivers, redactor }
    }

    fn into<'f>(&'f self, fields: &'f mut Fields) -> Recorder<'f> {
        Recorder { fields, redactor: &*self.redactor }
    }

    fn tell(&self, traced: &Traced<'_>) {
        for (_, receiver) in self.receivers.iter().filter(|(level, _)| traced.level() <= *level) {
            receiver(traced);
        }
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Spans {
    fn on_new_span(&self, given: &Given<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let above =
            span.parent().and_then(|above| above.extensions().get::<Open>().map(|above| (above.trace, above.id)));
        let (high, low) = Uuid::new_v4().as_u64_pair();
        let trace = above.map_or_else(|| Uuid::new_v4().into_bytes(), |(trace, _)| trace);
        let mut fields = Fields::default();
        given.record(&mut self.into(&mut fields));
        span.extensions_mut().insert(Open {
            trace,
            id: (high ^ low).to_be_bytes(),
            parent: above.map(|(_, id)| id),
            start: SystemTime::now(),
            left: None,
            fields,
            events: Vec::new(),
            is_told: false,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let ended = {
            let mut extensions = span.extensions_mut();
            let Some(open) = extensions.get_mut::<Open>() else { return };
            values.record(&mut self.into(&mut open.fields));
            let has_ended = open.fields.attributes.iter().any(|(name, _)| *name == OUTCOME);
            if has_ended { open.end(span.metadata(), SystemTime::now()) } else { None }
        };
        ended.iter().for_each(|ended| self.tell(&Traced::Span(ended)));
    }

    fn on_event(&self, event: &tracing::Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut self.into(&mut fields));
        let Fields { attributes, message } = fields;
        let event = Event { message, level: *event.metadata().level(), at: SystemTime::now(), attributes };
        self.tell(&Traced::Event(&event));
        let Some(span) = context.lookup_current() else { return };
        if let Some(open) = span.extensions_mut().get_mut::<Open>().filter(|open| open.events.len() < EVENTS) {
            open.events.push(event);
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<Open>() {
            open.left = Some(SystemTime::now());
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let about = span.metadata();
        let ended = span.extensions_mut().get_mut::<Open>().and_then(|open| {
            let end = open.left.unwrap_or_else(SystemTime::now);
            open.end(about, end)
        });
        ended.iter().for_each(|ended| self.tell(&Traced::Span(ended)));
    }
}

/// What was recorded; the last value of a name counts.
#[derive(Default)]
struct Fields {
    attributes: Attributes,
    message: String,
}

impl Fields {
    fn set(&mut self, field: &Field, value: Value) {
        match self.attributes.iter_mut().find(|(name, _)| *name == field.name()) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((field.name(), value)),
        }
    }
}

/// Records without secrets.
struct Recorder<'f> {
    fields: &'f mut Fields,
    redactor: &'f dyn Redactor,
}

impl Visit for Recorder<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.fields.set(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.fields.set(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.fields.set(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.fields.set(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.set(field, self.redactor.redact(value).into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        let text = self.redactor.redact(&text);
        if field.name() == "message" {
            self.fields.message = text.into_owned();
        } else {
            self.fields.set(field, text.into());
        }
    }
}
