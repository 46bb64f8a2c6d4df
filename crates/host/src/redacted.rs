//! Observers of a run see no secrets: the model's text, call arguments and notices pass the redactor; results have passed it in
//! the gate, and what else the model is told they do not see.

use palanca_agent::{Event, Output, Sink};
use palanca_core::Message;
use palanca_core::ports::{RedactStream, Redactor};
use palanca_models::{Message as Said, ToolCall};
use parking_lot::Mutex;
use std::sync::Arc;

/// An observer behind the redactor.
pub struct Redacted<'a> {
    inner: &'a dyn Sink,
    redactor: Arc<dyn Redactor>,
    text: Mutex<Box<dyn RedactStream>>,
}

impl<'a> Redacted<'a> {
    /// Shows `inner` what this redactor leaves of it.
    #[must_use]
    pub fn new(inner: &'a dyn Sink, redactor: Arc<dyn Redactor>) -> Self {
        let text = Mutex::new(redactor.stream());
        Self { inner, redactor, text }
    }

    fn clean(&self, text: &str) -> String {
        self.redactor.redact(text).into_owned()
    }

    fn call(&self, call: &ToolCall) -> ToolCall {
        ToolCall { id: call.id.clone(), name: call.name.clone(), arguments: self.clean(&call.arguments) }
    }

    fn notice(&self, message: &Message) -> Message {
        message.map(&|text| self.clean(text))
    }

    /// Gives out what was held back, since the text is over.
    fn end_text(&self, keep: Keep) {
        let mut text = self.text.lock();
        let rest = text.finish();
        *text = self.redactor.stream();
        drop(text);
        if keep == Keep::Rest && !rest.is_empty() {
            self.inner.event(&Event::TextDelta { text: &rest });
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Rest,
    Nothing,
}

impl Sink for Redacted<'_> {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::TextDelta { text } => {
                let shown = self.text.lock().push(text);
                if !shown.is_empty() {
                    self.inner.event(&Event::TextDelta { text: &shown });
                }
            }
            Event::ToolOutput { call, tail } => {
                let clean = self.clean(tail);
                self.inner.event(&Event::ToolOutput { call, tail: &last_lines(&clean) });
            }
            Event::TextVoided => {
                self.end_text(Keep::Nothing);
                self.inner.event(event);
            }
            Event::ReasoningDelta { text } => {
                self.inner.event(&Event::ReasoningDelta { text: &self.redactor.redact(text) });
            }
            Event::ToolStarted { call } => {
                self.end_text(Keep::Rest);
                self.inner.event(&Event::ToolStarted { call: &self.call(call) });
            }
            Event::Notice { level, message } => {
                self.end_text(Keep::Rest);
                self.inner.event(&Event::Notice { level: *level, message: self.notice(message) });
            }
            Event::Appended { message } => {
                self.end_text(Keep::Rest);
                // No observer here reads what the model is told, which is long.
                if let Said::Assistant { text, calls, .. } = message {
                    let calls = calls.iter().map(|call| self.call(call)).collect();
                    self.inner.event(&Event::Appended { message: &Said::calling(self.clean(text), calls) });
                }
            }
            _ => {
                self.end_text(Keep::Rest);
                self.inner.event(event);
            }
        }
    }

    fn output(&self) -> Output {
        self.inner.output()
    }
}

/// The last lines, each cut where it is long; of a line that was drawn anew (`\r`), what it shows last.
fn last_lines(text: &str) -> String {
    const LINES: usize = 5;
    const CHARS: usize = 400;
    let shown =
        |line: &str| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default().chars().take(CHARS).collect();
    let mut last: Vec<String> =
        text.lines().rev().filter(|line| !line.trim().is_empty()).take(LINES).map(shown).collect();
    last.reverse();
    last.join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use palanca_agent::Level;
    use palanca_policy::secrets::Secrets;

    const SECRET: &str = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";

    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl Sink for Seen {
        fn event(&self, event: &Event<'_>) {
            self.0.lock().push(format!("{event:?}"));
        }
    }

    #[test]
    fn no_event_shows_a_secret() {
        let seen = Seen::default();
        let redacted = Redacted::new(&seen, Arc::new(Secrets::new([])));
        let call = ToolCall { id: "c".into(), name: "t".to_owned(), arguments: format!("{{\"a\":\"{SECRET}\"}}") };
        let said = [
            Said::system(SECRET),
            Said::user(SECRET),
            Said::calling(SECRET, vec![call.clone()]),
            Said::Tool {
                call_id: "c".into(),
                name: "t".to_owned(),
                content: SECRET.into(),
                is_error: false,
                parts: Vec::new(),
            },
        ];
        let notice = Message::new("tool-failed").with("reason", SECRET).with("count", 3);
        redacted.event(&Event::TextDelta { text: SECRET });
        redacted.event(&Event::ReasoningDelta { text: SECRET });
        redacted.event(&Event::ToolStarted { call: &call });
        redacted.event(&Event::ToolOutput { call: &call.id, tail: &format!("10%\r{SECRET}\n") });
        redacted.event(&Event::Notice { level: Level::Note, message: notice });
        said.iter().for_each(|message| redacted.event(&Event::Appended { message }));
        let seen = seen.0.lock();
        assert_eq!(seen.len(), 6, "{seen:?}");
        for event in seen.iter() {
            assert!(event.contains("[REDACTED:github-token]") && !event.contains(SECRET), "{event}");
        }
        assert!(seen[4].contains("tool-failed") && seen[4].contains('3'), "{}", seen[4]);
    }

    #[test]
    fn the_last_lines_of_a_program() {
        for (text, expected) in
            [("a\nb\n", "a\nb"), ("1\n2\n3\n4\n5\n\n6\n", "2\n3\n4\n5\n6"), ("10%\r20%\r\n", "20%"), ("", "")]
        {
            assert_eq!(last_lines(text), expected);
        }
    }
}
