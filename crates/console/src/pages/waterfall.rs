//! The waterfall: what each call and quality gate of a turn waited for and what took its time, as parts of the turn.

use super::Frame;
use minijinja::{Value, context};
use palanca_agent::session::{CallEnded, Entry};
use palanca_core::call::{Phase, Timing};

/// The width of a picture, in its own units.
const WIDTH: u64 = 1000;
/// A short part can still be seen.
const LEAST: u64 = WIDTH / 250;

/// Moments are microseconds since 1970.
#[derive(Default)]
pub(super) struct Waterfall {
    /// When each turn began and when it was last heard of.
    turns: Vec<(u64, u64)>,
    falls: Vec<Fall>,
    /// The turn, at the end of the last event.
    ended: bool,
}

/// A row's place in its turn.
struct Fall {
    row: usize,
    turn: usize,
    /// When it was asked for, and when it ended.
    from: u64,
    until: u64,
    parts: Vec<Part>,
}

struct Part {
    class: &'static str,
    title: String,
    from: u64,
    took: u64,
}

impl Waterfall {
    /// A turn begins with a prompt, or with whatever comes after the end of the one before.
    pub(super) fn seen(&mut self, entry: &Entry, at_ms: u64) {
        let begins = self.ended || matches!(entry, Entry::Prompt(_));
        let at = at_ms * 1000;
        self.ended = matches!(entry, Entry::Ended(_));
        match self.turns.last_mut().filter(|_| !begins) {
            Some((_, until)) => *until = at,
            None => self.turns.push((at, at)),
        }
    }

    /// A call of this row, asked for at a moment, ends now.
    pub(super) fn call(&mut self, frame: &Frame, row: usize, (asked, ended): (u64, &CallEnded)) {
        let now = self.now();
        let lasted = ended.timings.last().map_or(ended.duration_us, Timing::until_us);
        let mut parts = parts(frame, &ended.timings, now.saturating_sub(lasted));
        if parts.is_empty() {
            parts.push(run(now, ended.duration_us));
        }
        self.fall(row, asked * 1000, parts);
    }

    /// A call of this row has not ended.
    pub(super) fn open(&mut self, row: usize, asked_ms: u64) {
        self.fall(row, asked_ms * 1000, Vec::new());
    }

    /// A quality gate of this row ends now.
    pub(super) fn gate(&mut self, row: usize, took: u64) {
        let part = run(self.now(), took);
        self.fall(row, part.from, vec![part]);
    }

    fn fall(&mut self, row: usize, from: u64, parts: Vec<Part>) {
        self.falls.push(Fall { row, turn: self.turns.len().saturating_sub(1), from, until: self.now(), parts });
    }

    fn now(&self) -> u64 {
        self.turns.last().map(|(_, until)| *until).unwrap_or_default()
    }

    /// Gives the rows their bars.
    pub(super) fn draw(&self, rows: &mut [Value]) {
        for Fall { row, turn, from, until, parts } in &self.falls {
            let (Some(row), Some((began, ended))) = (rows.get_mut(*row), self.turns.get(*turn)) else { continue };
            let scale = Scale { from: *began, until: *ended };
            let (x, end) = (scale.at(*from), scale.at(*until));
            let bar = context! { x, width => end - x, parts => scale.drawn(parts) };
            *row = context! { bar => (ended > began).then_some(bar), ..row.clone() };
        }
    }
}

/// Each phase of a call with its place between the call's beginning and its end.
pub(super) fn phases(frame: &Frame, timings: &[Timing]) -> Vec<Value> {
    let scale = Scale { from: 0, until: timings.last().map(Timing::until_us).unwrap_or_default() };
    let rows = parts(frame, timings, 0).into_iter();
    rows.map(
        |part| context! { text => part.title.clone(), bar => context! { width => 0, parts => scale.drawn(&[part]) } },
    )
    .collect()
}

fn parts(frame: &Frame, timings: &[Timing], began: u64) -> Vec<Part> {
    let part = |timing: &Timing| Part {
        class: match timing.phase {
            Phase::Run => "runs",
            phase if phase.is_wait() => "waits",
            _ => "works",
        },
        title: frame.say(&timing.message()),
        from: began + timing.from_us,
        took: timing.took_us,
    };
    timings.iter().map(part).collect()
}

/// What ran until now, without a word on why.
fn run(now: u64, took: u64) -> Part {
    Part { class: "runs", title: String::new(), from: now.saturating_sub(took), took }
}

/// What a picture shows from its left to its right.
struct Scale {
    from: u64,
    until: u64,
}

impl Scale {
    fn at(&self, moment: u64) -> u64 {
        let whole = self.until.saturating_sub(self.from);
        let since = moment.saturating_sub(self.from).min(whole);
        since.saturating_mul(WIDTH).checked_div(whole).unwrap_or_default()
    }

    fn drawn(&self, parts: &[Part]) -> Vec<Value> {
        let drawn = |Part { class, title, from, took }: &Part| {
            let x = self.at(*from).min(WIDTH - LEAST);
            let width = self.at(from.saturating_add(*took)).saturating_sub(x).max(LEAST);
            context! { class => *class, title, x, width }
        };
        parts.iter().map(drawn).collect()
    }
}
