//! The plan of a dry run: every call that would have changed something, in order.

use palanca_core::call::Origin;
use palanca_core::ports::{Record, Recorder, StageRecord};
use palanca_core::{Catalogue, Message};
use palanca_policy::marking::shown_line;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// Commands are cut here.
const SHOWN_CHARS: usize = 60;

/// Listens to the records of calls and passes them on.
pub struct Plan {
    recorder: Arc<dyn Recorder>,
    lines: Mutex<Vec<String>>,
}

impl Plan {
    pub fn new(recorder: Arc<dyn Recorder>) -> Self {
        Self { recorder, lines: Mutex::default() }
    }

    /// The plan as Markdown.
    pub fn page(&self, catalogue: &dyn Catalogue) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let count = match lines.len() {
            0 => Message::new("dry-run-plan-empty"),
            count => Message::new("dry-run-plan-count").with("count", count),
        };
        let mut page = format!("## Dry Run Plan\n\n{}\n", catalogue.render(&count));
        for (line, number) in lines.iter().zip(1..) {
            page.push_str(&format!("{}{number}. {line}\n", if number == 1 { "\n" } else { "" }));
        }
        page
    }
}

impl Recorder for Plan {
    fn stages(&self, records: &[StageRecord<'_>]) {
        self.recorder.stages(records);
    }

    fn record(&self, record: &Record<'_>) {
        if record.outcome == "done" && !record.read_only {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            let step = match record.origin {
                Origin::Model { step } => usize::try_from(*step).unwrap_or(usize::MAX),
                _ => lines.len() + 1,
            };
            lines.push(format!("**{}** (step {step}) -> {}", shown_line(record.tool), main_argument(record.arguments)));
        }
        self.recorder.record(record);
    }

    fn healthy(&self) -> bool {
        self.recorder.healthy()
    }
}

/// `path=…`, `command=…`, or the names of all arguments.
fn main_argument(arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    if let Some(path) = text("path") {
        return format!("path={}", one_line(path, usize::MAX));
    }
    if let Some(command) = text("command") {
        return format!("command={}", one_line(command, SHOWN_CHARS));
    }
    let names: Vec<&str> = arguments.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    format!("args=[{}]", shown_line(&names.join(", ")))
}

fn one_line(text: &str, chars: usize) -> String {
    let cut: String = text.chars().take(chars).collect();
    format!("{}{}", shown_line(&cut), if cut.len() < text.len() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use serde_json::json;

    #[test]
    fn the_argument_that_says_most() {
        for (arguments, expected) in [
            (json!({"path": "a.txt", "content": "x"}), "path=a.txt".to_owned()),
            (json!({"command": "x".repeat(70)}), format!("command={}…", "x".repeat(60))),
            (json!({"path": "a\n2. **b**"}), "path=a\\n2. **b**".to_owned()),
            (json!({"source": "a", "destination": "b"}), "args=[source, destination]".to_owned()),
            (json!({}), "args=[]".to_owned()),
        ] {
            assert_eq!(main_argument(&arguments), expected);
        }
    }
}
