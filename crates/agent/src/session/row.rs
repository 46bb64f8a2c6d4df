//! An event for programs: what a session is exported as.

use palanca_core::call::SessionId;
use palanca_core::ports::StoredEvent;
use serde_json::{Map, Value};

/// The event as it is kept, as one object: `session`, `number`, `at_ms` (since 1970), `kind`, and the fields of its kind.
#[must_use]
pub fn row(id: &SessionId, event: &StoredEvent) -> Value {
    let mut row = Map::new();
    row.insert("session".into(), id.as_str().into());
    row.insert("number".into(), event.number.0.into());
    row.insert("at_ms".into(), event.at_ms.into());
    row.insert("kind".into(), event.kind.clone().into());
    match serde_json::from_str(&event.body) {
        Ok(Value::Object(body)) => row.extend(body),
        // A damaged row is shown as it is: nothing else could.
        _ => drop(row.insert("body".into(), event.body.clone().into())),
    }
    Value::Object(row)
}
