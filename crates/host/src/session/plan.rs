//! The plan of a dry run: every call that would have changed something, in order.

use futures_util::future::BoxFuture;
use palanca_core::call::{Access, Effect, Origin, OutcomeKind};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{Guard, Record, Recorder, StageRecord, Verdict};
use palanca_core::{Catalogue, Message};
use palanca_policy::marking::shown_line;
use palanca_text::some;
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use std::sync::Arc;

/// Commands are cut here.
const SHOWN_CHARS: usize = 60;

/// Listens to the records of calls and passes them on. As a guard it has nothing against any call: it learns their order,
/// which is that in which they are judged, not that in which they end.
pub struct Plan {
    recorder: Arc<dyn Recorder>,
    lines: Mutex<Vec<Line>>,
}

/// A call that would change something, or may turn out to.
struct Line {
    call: String,
    writes: Vec<String>,
    /// None until it has ended.
    done: Option<Done>,
}

struct Done {
    tool: String,
    /// The model's step; none where a person calls, whose every call is one.
    step: Option<u32>,
    what: String,
}

impl Plan {
    pub(crate) fn new(recorder: Arc<dyn Recorder>) -> Self {
        Self { recorder, lines: Mutex::default() }
    }

    /// The plan as Markdown.
    pub fn page(&self, catalogue: &dyn Catalogue) -> String {
        let lines = self.lines();
        let lines: Vec<&Done> = lines.iter().filter_map(|line| line.done.as_ref()).collect();
        let count = match lines.len() {
            0 => Message::new("dry-run-plan-empty"),
            count => Message::new("dry-run-plan-count").with("count", count),
        };
        let mut page = format!("## Dry Run Plan\n\n{}\n", catalogue.render(&count));
        for (Done { tool, step, what }, number) in lines.into_iter().zip(1_u32..) {
            let gap = if number == 1 { "\n" } else { "" };
            page.push_str(&format!("{gap}{number}. **{tool}** (step {}) -> {what}\n", step.unwrap_or(number)));
        }
        page
    }

    fn lines(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock()
    }
}

impl Guard for Plan {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let (mut lines, id) = (self.lines(), call.id().as_str());
        // It may be judged more than once.
        if !lines.iter().any(|line| line.done.is_none() && line.call == id) {
            let paths = call.effects().iter().flat_map(Effect::paths);
            let writes = paths.filter(|(_, access)| *access == Access::Write).map(|(path, _)| path.to_string());
            lines.push(Line { call: id.to_owned(), writes: writes.collect(), done: None });
        }
        None
    }
}

impl Recorder for Plan {
    fn stages(&self, records: &[StageRecord<'_>]) {
        self.recorder.stages(records);
    }

    fn record(&self, record: &Record<'_>) {
        let mut lines = self.lines();
        if let Some(at) = lines.iter().position(|line| line.done.is_none() && line.call == record.call) {
            let done = record.outcome == OutcomeKind::Done && !record.read_only;
            let step = match record.origin {
                Origin::Model { step } => Some(*step),
                _ => None,
            };
            match lines.get_mut(at) {
                Some(line) if done => {
                    let what = what(record.arguments, &line.writes);
                    line.done = Some(Done { tool: shown_line(record.tool).into_owned(), step, what });
                }
                _ => drop(lines.remove(at)),
            }
        }
        drop(lines);
        self.recorder.record(record);
    }

    fn written(&self) -> BoxFuture<'_, ()> {
        self.recorder.written()
    }

    fn healthy(&self) -> bool {
        self.recorder.healthy()
    }
}

/// `command=…`, `path=…` with every file that would be written, or the names of all arguments.
fn what(arguments: &Value, writes: &[String]) -> String {
    if let Some(command) = arguments.get("command").and_then(Value::as_str) {
        return format!("command={}", one_line(command, SHOWN_CHARS));
    }
    if !writes.is_empty() {
        return format!("path={}", one_line(&some(writes), usize::MAX));
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
    fn what_says_most() {
        for (arguments, writes, expected) in [
            (json!({"path": "./a.txt", "content": "x"}), &["a.txt"][..], "path=a.txt".to_owned()),
            (json!({"command": "x".repeat(70)}), &[], format!("command={}…", "x".repeat(60))),
            (json!({"source": "a", "destination": "b"}), &["a", "b"], "path=a, b".to_owned()),
            (json!({"patch": "…"}), &["a\n2. **b**"], "path=a\\n2. **b**".to_owned()),
            (json!({"text": "hi", "to": "ana"}), &[], "args=[text, to]".to_owned()),
            (json!({}), &[], "args=[]".to_owned()),
        ] {
            let writes: Vec<String> = writes.iter().map(ToString::to_string).collect();
            assert_eq!(what(&arguments, &writes), expected);
        }
    }
}
