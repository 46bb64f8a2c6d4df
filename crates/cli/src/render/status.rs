//! The status line: the running call and its duration, the step, the cost, the last lines of a program.

use super::layout;
use palanca_agent::{Costs, summary_line};
use palanca_core::call::CallId;
use palanca_core::{Catalogue as _, Message};
use palanca_policy::marking::{shown_line, shown_lines};
use palanca_text::FluentCatalogue;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows of a program's output at most.
const LINES: usize = 3;
const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// A run, as its status shows it.
pub struct Status {
    catalogue: Arc<FluentCatalogue>,
    began: Instant,
    step: u32,
    /// Since when the model is waited for.
    asked: Instant,
    spent: Option<String>,
    running: Vec<Running>,
}

/// A call on its way.
struct Running {
    id: CallId,
    what: String,
    since: Instant,
    /// The last lines that it printed.
    tail: String,
}

impl Status {
    /// How often it is drawn anew.
    pub const PERIOD: Duration = Duration::from_millis(120);

    pub fn new(catalogue: Arc<FluentCatalogue>) -> Self {
        let now = Instant::now();
        Self { catalogue, began: now, step: 0, asked: now, spent: None, running: Vec::new() }
    }

    pub fn step(&mut self, step: u32) {
        (self.step, self.asked) = (step, Instant::now());
    }

    pub fn spent(&mut self, costs: &Costs) {
        self.spent = Some(summary_line(costs, &*self.catalogue));
    }

    /// A call begins.
    pub fn begins(&mut self, id: &CallId, what: &str) {
        let what = shown_line(what).into_owned();
        self.running.push(Running { id: id.clone(), what, since: Instant::now(), tail: String::new() });
    }

    /// A program of this call printed something: its latest output.
    pub fn printed(&mut self, id: &CallId, output: &str) {
        if let Some(running) = self.running.iter_mut().find(|running| running.id == *id) {
            running.tail = shown_lines(output).into_owned();
        }
    }

    /// A person has answered whether this call may run: from now on it does.
    pub fn answered(&mut self, id: &CallId) {
        let now = Instant::now();
        self.running.iter_mut().filter(|running| running.id == *id).for_each(|running| running.since = now);
    }

    pub fn ended(&mut self, id: &CallId) {
        self.running.retain(|running| running.id != *id);
        self.asked = Instant::now();
    }

    /// As it is now, in rows that fit a terminal of so many columns and rows.
    pub fn rows(&self, (columns, rows): (usize, usize)) -> Vec<String> {
        let say = |message: Message| self.catalogue.render(&message);
        let frame = self.began.elapsed().as_millis() / Self::PERIOD.as_millis().max(1);
        let frame = FRAMES.iter().cycle().nth(usize::try_from(frame).unwrap_or(0) % FRAMES.len()).unwrap_or(&'·');
        let (what, since) = match self.running.first() {
            Some(running) => (running.what.clone(), running.since),
            None => (say(Message::new("status-model")), self.asked),
        };
        let mut parts = vec![layout::cut(&what, columns / 2), format!("{} s", since.elapsed().as_secs())];
        if let Some(more) = self.running.len().checked_sub(1).filter(|more| *more > 0) {
            parts.push(format!("+{more}"));
        }
        if self.step > 0 {
            parts.push(say(Message::new("status-step").with("step", self.step)));
        }
        parts.extend(self.spent.clone());
        let width = columns.saturating_sub(1);
        let mut shown = vec![layout::cut(&format!("{frame} {}", parts.join(" · ")), width)];
        let tail = self.running.iter().rev().find(|running| !running.tail.is_empty());
        let lines: Vec<&str> = tail.map(|running| running.tail.lines().collect()).unwrap_or_default();
        let most = LINES.min(rows / 5);
        let last = lines.get(lines.len().saturating_sub(most)..).unwrap_or_default();
        shown.extend(last.iter().map(|line| layout::cut(&format!("  │ {}", line.replace('\t', "    ")), width)));
        shown
    }
}
