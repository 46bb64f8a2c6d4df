//! What a person sees of a running agent: the model's text as it comes, one line a tool call, diffs, notices.

use super::stderr::{self, CYAN, DIM, GREEN, RED, YELLOW};
use super::{diff, stdout};
use palanca_agent::{Event, Level, Sink, arguments_line};
use palanca_core::{Catalogue, Message, ToolResult};
use palanca_text::FluentCatalogue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Nothing but errors.
    Quiet,
    /// Tool lines and diffs on stderr, the model's text on stdout.
    Human,
    /// Tool lines on stderr; stdout belongs to the report.
    Report,
    /// As `Human`, and what each model call used.
    Verbose,
}

/// A run on a terminal or in a log.
pub struct Screen {
    catalogue: Arc<FluentCatalogue>,
    detail: Detail,
    /// Whether the cursor stands behind text of the model.
    in_text: AtomicBool,
}

/// Lines of a failed gate's output that are shown.
const GATE_LINES: usize = 10;

impl Screen {
    pub fn new(catalogue: Arc<FluentCatalogue>, detail: Detail) -> Self {
        Self { catalogue, detail, in_text: AtomicBool::new(false) }
    }

    fn end_text(&self) {
        if self.in_text.swap(false, Ordering::Relaxed) {
            // ignored: a reader of stdout that went away does not stop the run.
            let _ = stdout::piece("\n");
        }
    }
}

impl Sink for Screen {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::TextDelta { text } if matches!(self.detail, Detail::Human | Detail::Verbose) => {
                self.in_text.store(true, Ordering::Relaxed);
                // ignored: a reader of stdout that went away does not stop the run.
                let _ = stdout::piece(text);
            }
            Event::ToolStarted { call } if self.detail != Detail::Quiet => {
                self.end_text();
                let (name, arguments) = (stderr::shown_line(&call.name), arguments_line(&call.arguments));
                let shown = stderr::painted(DIM, &stderr::shown_line(&arguments));
                stderr::drawn(&format!("{} {} {shown}", icon(&name), stderr::painted(CYAN, &name)));
            }
            Event::ToolEnded { result } if self.detail != Detail::Quiet => ended(result),
            Event::Notice { level, message } if self.detail != Detail::Quiet => {
                self.end_text();
                let text = self.catalogue.render(message);
                match level {
                    Level::Warning => stderr::warning(&text),
                    Level::Note => stderr::dim(&text),
                }
            }
            Event::QualityGate { report } if self.detail != Detail::Quiet => {
                self.end_text();
                let name = stderr::shown_line(&report.name);
                match &report.failure {
                    None => stderr::drawn(&format!("🧪 {name}: {}", stderr::painted(GREEN, "✓"))),
                    Some(why) => {
                        let colour = if report.fails() { RED } else { YELLOW };
                        let why = stderr::shown_line(&self.catalogue.render(why));
                        stderr::drawn(&format!("🧪 {name}: {} {why}", stderr::painted(colour, "✗")));
                        let said: Vec<&str> = report.said().lines().collect();
                        for line in said.iter().skip(said.len().saturating_sub(GATE_LINES)) {
                            stderr::drawn(&stderr::painted(DIM, &format!("   {}", stderr::shown_line(line))));
                        }
                    }
                }
            }
            Event::Usage { usage, .. } if self.detail == Detail::Verbose => {
                self.end_text();
                let used = Message::new("cli-run-usage")
                    .with("input", usage.input)
                    .with("output", usage.output)
                    .with("cached", usage.cached);
                stderr::dim(&self.catalogue.render(&used));
            }
            Event::Ended { .. } => self.end_text(),
            _ => {}
        }
    }
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

fn ended(result: &ToolResult) {
    let time = stderr::painted(DIM, &format!("{:.1} ms", result.duration.as_secs_f64() * 1000.0));
    match &result.error {
        None => {
            stderr::drawn(&format!("  {} {} {time}", stderr::painted(GREEN, "✓"), stderr::shown_line(&result.tool)));
            if let Some(change) = &result.diff {
                stderr::drawn(diff::for_stderr(change).trim_end());
            }
        }
        Some(error) => {
            let colour = if result.outcome == "refused" { YELLOW } else { RED };
            let first = error.lines().next().unwrap_or_default();
            let (tool, why) = (stderr::shown_line(&result.tool), stderr::shown_line(first));
            stderr::drawn(&format!("  {} {tool}: {why} {time}", stderr::painted(colour, "✗")));
        }
    }
}
