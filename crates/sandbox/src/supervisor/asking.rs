//! Refused changes that a person may allow: the system call waits for the answer, and is then judged and made from the start.
//!
//! Nothing that was found before the answer is used after it: a yes is to a name, so whatever the program exchanged meanwhile
//! is judged by its own name.

use super::Supervisor;
use super::raw::{self, Notification};
use palanca_core::Text;
use palanca_core::ports::{AwaitedAnswer, FileError, NameChange, WriteAnswer, WriteQuestions};
use parking_lot::Mutex;
use rustix::event::Timespec;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// Calls of one program that wait at once.
const MOST: usize = 64;
/// Between two looks for answers, and for callers that are gone.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The questions of one program, and the calls that wait for them.
#[derive(Debug, Default)]
pub(super) struct Asking {
    questions: Option<WriteQuestions>,
    /// Each file that was asked for, relative to the workspace.
    asked: Vec<(PathBuf, Asked)>,
    /// With the place of what each waits for.
    waiting: Vec<(Notification, usize)>,
    /// What the call that is being answered waits for.
    now: Option<usize>,
}

#[derive(Debug)]
enum Asked {
    Open(AwaitedAnswer),
    Over(WriteAnswer),
}

impl Asking {
    pub(super) fn of(questions: Option<WriteQuestions>) -> Self {
        Self { questions, ..Self::default() }
    }

    /// Whether this call waits.
    pub(super) fn keeps(&mut self, call: Notification) -> bool {
        let asked = self.now.take();
        self.waiting.extend(asked.map(|asked| (call, asked)));
        asked.is_some()
    }

    /// Why a person did not allow it.
    pub(super) fn declined(&self, error: &FileError) -> Option<Text> {
        self.asked.iter().find_map(|(path, asked)| match asked {
            Asked::Over(WriteAnswer::No(why)) if path == Path::new(&error.path) => Some(why.clone()),
            _ => None,
        })
    }

    /// Withdraws questions that nobody waits for, and takes the calls whose answers are there.
    fn answered(&mut self, grant: &mut dyn FnMut(&Path)) -> Vec<Notification> {
        for (place, (path, asked)) in self.asked.iter_mut().enumerate() {
            let Asked::Open(awaited) = asked else { continue };
            let answer = match awaited.given() {
                None if self.waiting.iter().any(|(_, waits_for)| *waits_for == place) => continue,
                None => WriteAnswer::Unanswered,
                Some(answer) => answer,
            };
            if answer == WriteAnswer::Yes {
                grant(path);
            }
            *asked = Asked::Over(answer);
        }
        let Self { asked, waiting, .. } = self;
        let is_open = |place: &usize| matches!(asked.get(*place), Some((_, Asked::Open(_))));
        waiting.extract_if(.., |(_, place)| !is_open(place)).map(|(call, _)| call).collect()
    }
}

impl Supervisor {
    /// Whether a person is asked about a refused change; then the call that makes it is kept.
    pub(super) fn waits_for_a_person(&mut self, change: &NameChange<'_>, error: &FileError) -> bool {
        let Self { asking, identity, log, .. } = self;
        let Some(questions) = &asking.questions else { return false };
        let path = Path::new(&error.path);
        if !error.can_be_asked_for() || asking.waiting.len() >= MOST {
            return false;
        }
        if let Some(place) = asking.asked.iter().position(|(asked, _)| asked == path) {
            asking.now = matches!(asking.asked.get(place), Some((_, Asked::Open(_)))).then_some(place);
        } else if identity.as_ourselves(|| log.lacks_only(change, path))
            && let Some(awaited) = questions.ask(path)
        {
            asking.now = Some(asking.asked.len());
            asking.asked.push((path.to_owned(), Asked::Open(awaited)));
        }
        asking.now.is_some()
    }

    /// Answers the calls for which a person has answered. Returns when to look again, if any waits.
    pub(super) fn settle_answers(&mut self, turn: &Mutex<()>) -> Option<Timespec> {
        if self.asking.asked.is_empty() {
            return None;
        }
        let Self { asking, listener, log, .. } = self;
        asking.waiting.retain(|(call, _)| raw::still_waits(listener.as_fd(), call.id));
        for call in asking.answered(&mut |path| log.grant(path)) {
            self.answer(call, turn);
        }
        (!self.asking.waiting.is_empty()).then_some(LOOK)
    }
}
