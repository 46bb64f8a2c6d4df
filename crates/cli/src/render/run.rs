//! The terminal output of a running agent: the model's text, one line per tool call, diffs, notices, and the status.

use super::speech::{Reader, Speech};
use super::stderr::{self, CYAN, DIM, GREEN, RED, YELLOW};
use super::{diff, layout, stdout, terminal};
use crate::exit::Failure;
use palanca_agent::{Event, Level, Output, Sink, arguments_line};
use palanca_core::call::{CallId, OutcomeKind};
use palanca_core::ports::{LogLevel, Progress};
use palanca_core::{Catalogue, Message, ToolResult};
use palanca_hooks::GateReport;
use palanca_models::ToolCall;
use palanca_policy::marking::shown_lines;
use palanca_text::FluentCatalogue;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

/// How much is shown on stderr. What is on stdout does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Nothing but errors.
    Quiet,
    /// And warnings.
    Warnings,
    /// And what the agent says and does.
    Human,
    /// And what each model call used.
    Verbose,
}

/// How far a call is: `12/100 indexing`.
fn said(progress: &Progress) -> String {
    let of = progress.of.map(|of| format!("/{of}")).unwrap_or_default();
    let text = progress.text.as_deref().map(|text| format!(" {text}")).unwrap_or_default();
    format!("{}{of}{text}", progress.done)
}

/// Columns of a call that a question has shown.
const SHORT: usize = 60;

/// A run on a terminal or in a log.
pub struct Screen {
    catalogue: Arc<FluentCatalogue>,
    detail: Detail,
    /// Calls are announced by the status, and have one line when they end. Without a status they have one when they begin, too.
    announced: Announced,
    speech: Mutex<Speech>,
    calls: Mutex<Vec<(CallId, Begun)>>,
}

/// A call that began, as the line of its end names it.
struct Begun {
    /// All arguments.
    whole: String,
    /// The tool and one argument: where a question has shown the rest.
    short: String,
}

/// Where a call that begins is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    InStatus,
    OnALine,
}

/// Lines of a failed gate's output that are shown.
const GATE_LINES: usize = 10;

impl Screen {
    pub fn new(catalogue: Arc<FluentCatalogue>, detail: Detail, reader: Reader, announced: Announced) -> Self {
        Self { catalogue, detail, announced, speech: Mutex::new(Speech::new(reader)), calls: Mutex::default() }
    }

    fn speech(&self) -> MutexGuard<'_, Speech> {
        self.speech.lock()
    }

    /// The model goes on after what it said, or what it said does not count.
    fn go_on(&self) {
        let narration = self.speech().go_on();
        self.narrate(narration);
    }

    fn narrate(&self, narration: Option<String>) {
        if let (Some(text), true) = (narration, self.detail >= Detail::Human) {
            stderr::line(text.trim_end());
        }
    }

    /// The run is over: the rest of the answer goes to stdout.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn close(&self, answer: Option<&str>) -> Result<(), Failure> {
        let (narration, lacking) = self.speech().close(answer);
        self.narrate(narration);
        match lacking {
            Some(rest) => stdout::text(rest),
            None => Ok(()),
        }
    }

    fn begins(&self, call: &ToolCall) {
        terminal::status(|status| status.begins(&call.id, &shortly(call)));
        let shown = stderr::painted(DIM, &stderr::shown_line(&arguments_line(&call.arguments)));
        if self.announced == Announced::OnALine {
            let name = stderr::shown_line(&call.name);
            stderr::drawn(&format!("{} {} {shown}", icon(&name), stderr::painted(CYAN, &name)));
        } else {
            let call = (call.id.clone(), Begun { whole: shown, short: stderr::shown_line(&shortly(call)) });
            self.calls.lock().push(call);
        }
    }

    fn ended(&self, result: &ToolResult) {
        terminal::status(|status| status.ended(&result.id));
        let mut calls = self.calls.lock();
        let at = calls.iter().position(|(id, _)| *id == result.id);
        let begun = at.map(|at| calls.remove(at).1);
        drop(calls);
        // The question showed the arguments, and the change.
        let was_asked = terminal::was_asked(&result.id);
        if self.detail < Detail::Human {
            return;
        }
        let time = stderr::painted(DIM, &duration(result.duration.as_secs_f64()));
        let tool = match begun {
            Some(begun) if was_asked => layout::cut(&begun.short, SHORT),
            Some(begun) => format!("{} {}", stderr::shown_line(&result.tool), begun.whole),
            None => stderr::shown_line(&result.tool),
        };
        match &result.error {
            None => {
                stderr::drawn(&format!("  {} {tool} {time}", stderr::painted(GREEN, "✓")));
                if let Some(change) = result.diff.as_ref().filter(|_| !was_asked) {
                    stderr::drawn(diff::for_stderr(change).trim_end());
                }
            }
            Some(error) => {
                let colour = if result.outcome == OutcomeKind::Refused { YELLOW } else { RED };
                let why = stderr::shown_line(error.lines().next().unwrap_or_default());
                stderr::drawn(&format!("  {} {tool}: {why} {time}", stderr::painted(colour, "✗")));
            }
        }
    }

    fn gate(&self, report: &GateReport) {
        let name = stderr::shown_line(&report.name);
        match &report.failure {
            None => stderr::drawn(&format!("🧪 {name}: {}", stderr::painted(GREEN, "✓"))),
            Some(why) => {
                let colour = if report.fails() { RED } else { YELLOW };
                let why = stderr::shown_line(&self.catalogue.render(why));
                stderr::drawn(&format!("🧪 {name}: {} {why}", stderr::painted(colour, "✗")));
                let said: Vec<&str> = report.said().lines().collect();
                said.iter()
                    .skip(said.len().saturating_sub(GATE_LINES))
                    .for_each(|line| stderr::dim(&format!("   {}", stderr::shown_line(line))));
            }
        }
    }
}

impl Sink for Screen {
    fn event(&self, event: &Event<'_>) {
        let human = self.detail >= Detail::Human;
        match event {
            Event::StepStarted { step } => {
                self.go_on();
                terminal::status(|status| status.step(*step));
            }
            Event::TextDelta { text } => {
                if self.speech().is_whole() {
                    self.go_on();
                }
                let shown = self.speech().piece(text);
                if !shown.is_empty() {
                    // ignored: a reader of stdout that went away does not stop the run.
                    let _ = stdout::piece(&shown);
                }
            }
            Event::TextVoided => self.speech().void(),
            Event::Appended { message: palanca_models::Message::Assistant { .. } } => {
                let shown = self.speech().end();
                if !shown.is_empty() {
                    // ignored: as above.
                    let _ = stdout::piece(&shown);
                }
            }
            Event::ToolStarted { call } => {
                self.go_on();
                if human {
                    self.begins(call);
                }
            }
            Event::ToolOutput { call, tail } => terminal::status(|status| status.printed(call, tail)),
            Event::ToolProgress { call, progress } => terminal::status(|status| status.printed(call, &said(progress))),
            Event::ToolLog { line, .. } => {
                let least = if line.level >= LogLevel::Warning { Detail::Warnings } else { Detail::Verbose };
                if self.detail >= least {
                    stderr::dim(&shown_lines(&line.text));
                }
            }
            Event::ToolEnded { result } => self.ended(result),
            Event::Notice { level, message } => {
                let text = self.catalogue.render(message);
                match level {
                    Level::Warning if self.detail >= Detail::Warnings => stderr::warning(&text),
                    Level::Note if human => stderr::dim(&text),
                    _ => {}
                }
            }
            Event::QualityGate { report } if human => self.gate(report),
            Event::Usage { usage, total, .. } => {
                terminal::status(|status| status.spent(total));
                if self.detail == Detail::Verbose {
                    let used = Message::new("cli-run-usage")
                        .with("input", usage.input)
                        .with("output", usage.output)
                        .with("cached", usage.cached);
                    stderr::dim(&self.catalogue.render(&used));
                }
            }
            _ => {}
        }
    }

    fn output(&self) -> Output {
        if self.announced == Announced::InStatus { Output::Watched } else { Output::Unwatched }
    }
}

/// The call as the status names it: the tool, and the argument that says most.
fn shortly(call: &ToolCall) -> String {
    const NAMES: [&str; 5] = ["command", "path", "pattern", "query", "url"];
    let arguments = serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap_or_default();
    let most = NAMES.iter().find_map(|name| arguments.get(name)?.as_str());
    format!("{} {}", call.name, most.unwrap_or_default()).trim_end().to_owned()
}

/// By what the tool is for, as its name tells; only decoration hangs on it.
fn icon(name: &str) -> &'static str {
    match name.split('_').next().unwrap_or_default() {
        "read" | "list" => "📖",
        "search" | "grep" | "find" => "🔍",
        "edit" | "apply" | "write" => "✏️ ",
        "delete" => "🗑 ",
        _ => "🔧",
    }
}

/// `3.2 ms`, `12.0 s`.
pub fn duration(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1000.0) } else { format!("{seconds:.1} s") }
}
