//! Writes of protected files that a person may allow while the program waits.
//!
//! The door says which file a program wants to change; the gate judges that and asks, and the door learns the answer. Only the
//! waiting system calls wait. A program has at most [`WriteQuestions::MOST`] questions, and a question whose program no longer
//! waits is withdrawn.

use crate::call::{CanonicalPath, Launch, Root};
use crate::message::Text;
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// The answer to a [`WriteQuestion`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteAnswer {
    /// The program may change this file.
    Yes,
    /// It may not, for this reason.
    No(Text),
    /// Nobody answers, or not in time.
    Unanswered,
}

/// Where the gate receives the questions of a call's programs.
pub(crate) type WriteQuestionSender = mpsc::UnboundedSender<WriteQuestion>;

/// The door's side, for one program. Clones are of the same program.
#[derive(Clone, Debug)]
pub struct WriteQuestions {
    gate: WriteQuestionSender,
    launch: Arc<Launch>,
    waits: Arc<Mutex<Waits>>,
}

#[derive(Debug, Default)]
struct Waits {
    asked: usize,
    open: usize,
    since: Option<Instant>,
    before: Duration,
}

impl WriteQuestions {
    /// Questions of one program; the writes beyond are refused.
    pub const MOST: usize = 4;
    /// How long a question stays open.
    pub const TIME: Duration = Duration::from_secs(120);

    /// For a program, with what receives its questions.
    #[must_use]
    pub fn of(launch: Launch) -> (Self, mpsc::UnboundedReceiver<WriteQuestion>) {
        let (gate, questions) = mpsc::unbounded_channel();
        (Self::to(gate, launch), questions)
    }

    pub(crate) fn to(gate: WriteQuestionSender, launch: Launch) -> Self {
        Self { gate, launch: Arc::new(launch), waits: Arc::default() }
    }

    /// Asks whether the program may change a file, relative to the workspace. None if it has asked too often, or nobody listens.
    #[must_use]
    pub fn ask(&self, path: &Path) -> Option<AwaitedAnswer> {
        let mut waits = self.waits.lock();
        if waits.asked >= Self::MOST {
            return None;
        }
        let (answer, given) = oneshot::channel();
        let path = CanonicalPath::new(Root::Workspace, path.to_owned());
        self.gate.send(WriteQuestion { launch: Arc::clone(&self.launch), path, answer }).ok()?;
        waits.asked += 1;
        waits.open += 1;
        waits.since.get_or_insert_with(Instant::now);
        Some(AwaitedAnswer { given, waits: Arc::clone(&self.waits) })
    }

    /// How long questions have been open so far: a program's time limit does not count it.
    #[must_use]
    pub fn waited(&self) -> Duration {
        self.waits.lock().so_far()
    }
}

impl Waits {
    fn so_far(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// An answer that a program waits for. Dropping it withdraws the question.
#[derive(Debug)]
pub struct AwaitedAnswer {
    given: oneshot::Receiver<WriteAnswer>,
    waits: Arc<Mutex<Waits>>,
}

impl AwaitedAnswer {
    /// The answer, once there is one.
    pub fn given(&mut self) -> Option<WriteAnswer> {
        match self.given.try_recv() {
            Ok(answer) => Some(answer),
            Err(oneshot::error::TryRecvError::Closed) => Some(WriteAnswer::Unanswered),
            Err(oneshot::error::TryRecvError::Empty) => None,
        }
    }
}

impl Drop for AwaitedAnswer {
    fn drop(&mut self) {
        let mut waits = self.waits.lock();
        waits.open -= 1;
        if waits.open == 0 {
            waits.before = waits.so_far();
            waits.since = None;
        }
    }
}

/// The gate's side of one question. Dropped without an answer, it is unanswered.
#[derive(Debug)]
pub struct WriteQuestion {
    /// The program, as it was started.
    pub launch: Arc<Launch>,
    /// The file.
    pub path: CanonicalPath,
    answer: oneshot::Sender<WriteAnswer>,
}

impl WriteQuestion {
    /// Answers it.
    pub fn answer(self, answer: WriteAnswer) {
        // ignored: the program no longer waits.
        let _ = self.answer.send(answer);
    }

    /// Ends when the program no longer waits.
    pub async fn withdrawn(&mut self) {
        self.answer.closed().await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]
    use super::*;
    use crate::call::Shell;

    #[test]
    fn a_program_has_a_bounded_number_of_questions_and_each_ends() {
        let launch = Launch::script(Shell::Sh, "x", CanonicalPath::new(Root::Workspace, "".into()));
        let (door, mut gate) = WriteQuestions::of(launch);
        let mut awaited: Vec<_> = (0..WriteQuestions::MOST).map(|_| door.ask(Path::new("a")).unwrap()).collect();
        assert!(door.ask(Path::new("a")).is_none());
        assert_eq!(awaited.first_mut().unwrap().given(), None);
        gate.try_recv().unwrap().answer(WriteAnswer::Yes);
        assert_eq!(awaited.first_mut().unwrap().given(), Some(WriteAnswer::Yes));
        drop(gate.try_recv());
        assert_eq!(awaited.get_mut(1).unwrap().given(), Some(WriteAnswer::Unanswered));
        awaited.clear();
        let waited = door.waited();
        assert!(waited > Duration::ZERO && waited == door.waited(), "it does not grow while nothing is open");
        assert!(gate.try_recv().unwrap().answer.is_closed());
    }

    #[test]
    fn where_nobody_listens_nobody_is_asked() {
        let launch = Launch::script(Shell::Sh, "x", CanonicalPath::new(Root::Workspace, "".into()));
        let (door, gate) = WriteQuestions::of(launch);
        drop(gate);
        assert!(door.ask(Path::new("a")).is_none());
    }
}
