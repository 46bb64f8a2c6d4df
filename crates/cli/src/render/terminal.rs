//! The terminal and its one owner. Whatever is shown goes through here, so that nothing is painted over something else: while a
//! question is open everything else waits for its answer, in order; the status is taken away before a line is shown and
//! drawn again below it.
//!
//! One for the whole process and not passed along, because a process has one terminal.
#![allow(clippy::print_stderr, reason = "this is the one place that prints to stderr")]

use super::status::Status;
use palanca_core::call::CallId;
use parking_lot::{Mutex, MutexGuard};
use std::convert::Infallible;
use std::io::{IsTerminal as _, Write as _};

static OWNER: Mutex<Owner> =
    Mutex::new(Owner { waiting: None, asked: Vec::new(), unended: false, status: None, rows: 0 });

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Results, on a stdout that is a terminal.
    Stdout,
    Stderr,
}

struct Owner {
    /// While a question is open: what waits for its answer.
    waiting: Option<Vec<(To, String)>>,
    /// Calls that a person was asked about.
    asked: Vec<CallId>,
    /// Whether the cursor stands behind a line of a result that has no end yet.
    unended: bool,
    status: Option<Status>,
    /// Rows of the status on the screen, below the cursor's.
    rows: usize,
}

fn owner() -> MutexGuard<'static, Owner> {
    OWNER.lock()
}

/// Shows text as it is: it must be escaped already.
///
/// # Errors
/// Those of stdout.
pub fn show(to: To, text: &str) -> std::io::Result<()> {
    let mut owner = owner();
    match &mut owner.waiting {
        Some(waiting) => {
            waiting.push((to, text.to_owned()));
            Ok(())
        }
        None => owner.show(to, text),
    }
}

/// Whether stderr is a terminal that can do more than show one line after the other.
pub fn is_lively() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb" && !term.is_empty())
}

/// Columns and rows; none if unknown.
pub fn size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok()?;
    Some((usize::from(size.ws_col), usize::from(size.ws_row))).filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// Changes the status, where one is shown.
pub fn status(change: impl FnOnce(&mut Status)) {
    let mut owner = owner();
    if let Some(status) = &mut owner.status {
        change(status);
    }
}

/// From now on a status is shown; its clock runs as long as this is polled. It never ends by itself.
pub fn with_status(status: Status) -> impl Future<Output = Infallible> {
    // At once: what is polled beside this may have news before it.
    owner().status = Some(status);
    let ends = StatusEnds;
    async move {
        let _ends = ends;
        loop {
            owner().redraw();
            tokio::time::sleep(Status::PERIOD).await;
        }
    }
}

struct StatusEnds;

impl Drop for StatusEnds {
    fn drop(&mut self) {
        let mut owner = owner();
        owner.clear();
        owner.status = None;
    }
}

/// Takes the terminal for a question about this call, until this is dropped.
pub fn ask(call: &CallId) -> Asked {
    let mut owner = owner();
    owner.asked.push(call.clone());
    owner.clear();
    owner.end_line();
    owner.waiting.get_or_insert_default();
    Asked(call.clone())
}

/// Whether a person was asked about this call here. It is forgotten with the answer.
pub fn was_asked(call: &CallId) -> bool {
    let mut owner = owner();
    let at = owner.asked.iter().position(|asked| asked == call);
    at.map(|at| owner.asked.swap_remove(at)).is_some()
}

/// The terminal, in the hands of a question.
pub struct Asked(CallId);

impl Asked {
    /// Shows text as it is: it must be escaped already.
    #[allow(clippy::unused_self, reason = "only who holds the terminal may")]
    pub fn show(&self, text: &str) {
        eprint!("{text}");
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        status(|status| status.answered(&self.0));
        release();
    }
}

/// Shows what waited for a question that will no longer be answered.
pub fn release() {
    let mut owner = owner();
    for (to, text) in owner.waiting.take().unwrap_or_default() {
        // ignored: a reader of stdout that went away is no reason to hide the rest.
        let _ = owner.show(to, &text);
    }
}

impl Owner {
    fn show(&mut self, to: To, text: &str) -> std::io::Result<()> {
        self.clear();
        if to == To::Stderr {
            self.end_line();
            eprint!("{text}");
        } else {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())?;
            self.unended = !text.is_empty() && !text.ends_with('\n') || text.is_empty() && self.unended;
        }
        self.redraw();
        Ok(())
    }

    /// What is shown next on stderr begins on a line of its own.
    fn end_line(&mut self) {
        if std::mem::take(&mut self.unended) && std::io::stderr().is_terminal() {
            eprintln!();
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.rows) > 0 {
            eprint!("\r\x1b[J");
        }
    }

    /// Draws the status over itself. The cursor stays at its first row, so that whatever is printed past us begins there.
    fn redraw(&mut self) {
        let Some(status) = &self.status else { return };
        if self.unended || self.waiting.is_some() {
            return;
        }
        let rows = status.rows(size().unwrap_or((80, 24)));
        let mut drawn = String::from("\r\x1b[J");
        drawn.push_str(&rows.join("\r\n"));
        if rows.len() > 1 {
            drawn.push_str(&format!("\x1b[{}A", rows.len() - 1));
        }
        drawn.push('\r');
        self.rows = rows.len();
        eprint!("{drawn}");
    }
}
