//! What has come in and is not answered yet: a log for each bot of a messenger, which is written anew when most of it is over.
//!
//! A message is in the log before the messenger is told that it has arrived, and is marked in it after its answer was sent. So whenever the process
//! ends, each message is either delivered again or in the log; the numbers of the last deliveries tell which are new. A line that was being
//! written when the machine stopped was not acknowledged, and does not count. Only so much waits here: what a messenger has beyond
//! that, it keeps.

use palanca_channels::Heard;
use palanca_core::call::ChatId;
use palanca_files::{Log, StateDirectory, StateError};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The folder in the state directory.
const FOLDER: &str = "chats";
/// Numbers of deliveries that are remembered: a messenger delivers at most a hundred at once.
const REMEMBERED: usize = 300;
/// Bytes of the file.
const LARGEST: u64 = 256 << 20;
/// Messages that may wait: about 80 MB of the longest texts.
const MOST: usize = 5_000;
/// The part of those that one chat may have: a flooded one leaves room for others.
const SHARE: usize = 10;
/// Lines of the log that may be over before it is written anew.
const OVER: usize = 1_000;

/// A line of the log.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// A delivery: its numbers, and the messages in it that wait for an answer.
    Took { numbers: Vec<i64>, messages: Vec<Heard> },
    /// These are answered.
    Done(Vec<i64>),
}

#[derive(Default)]
struct Kept {
    /// The last deliveries, and the same to look them up.
    arrived: VecDeque<i64>,
    known: HashSet<i64>,
    /// In the order in which they came.
    waiting: BTreeMap<u64, Heard>,
    places: HashMap<i64, u64>,
    /// How many wait in each chat.
    of_chats: HashMap<ChatId, usize>,
    next: u64,
}

impl Kept {
    fn add(&mut self, line: Line) {
        match line {
            Line::Took { numbers, messages } => {
                for number in numbers {
                    if self.known.insert(number) {
                        self.arrived.push_back(number);
                    }
                }
                while self.arrived.len() > REMEMBERED {
                    let forgotten = self.arrived.pop_front();
                    forgotten.map(|number| self.known.remove(&number));
                }
                for heard in messages {
                    *self.of_chats.entry(heard.chat.clone()).or_default() += 1;
                    self.places.insert(heard.number, self.next);
                    self.waiting.insert(self.next, heard);
                    self.next += 1;
                }
            }
            Line::Done(numbers) => {
                for number in numbers {
                    let place = self.places.remove(&number);
                    if let Some(heard) = place.and_then(|place| self.waiting.remove(&place)) {
                        self.leaves(&heard.chat);
                    }
                }
            }
        }
    }

    fn leaves(&mut self, chat: &ChatId) {
        match self.of_chats.get_mut(chat) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(self.of_chats.remove(chat)),
        }
    }

    /// All of it as a log.
    fn lines(&self) -> String {
        let arrived = Line::Took { numbers: self.arrived.iter().copied().collect(), messages: Vec::new() };
        let waiting =
            self.waiting.values().map(|heard| Line::Took { numbers: Vec::new(), messages: vec![heard.clone()] });
        std::iter::once(arrived).chain(waiting).map(|line| text(&line)).collect()
    }
}

fn text(line: &Line) -> String {
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// The file.
struct Place {
    folder: StateDirectory,
    name: String,
    /// None after a write that may have left a part of a line.
    log: Option<Log>,
    lines: usize,
}

impl Place {
    fn path(&self) -> String {
        self.folder.path().join(&self.name).display().to_string()
    }

    /// Writes what is kept anew, and nothing else.
    fn renew(&mut self, kept: &Kept) -> Result<(), StateError> {
        self.log = None;
        self.folder.write(&self.name, &kept.lines())?;
        self.log = Some(self.folder.log(&self.name)?);
        self.lines = kept.waiting.len() + 1;
        Ok(())
    }

    /// Adds a line to the log of what is kept.
    fn append(&mut self, line: &Line, kept: &Kept) -> Result<(), InboxError> {
        if self.log.is_none() || self.lines > 2 * kept.waiting.len() + OVER {
            self.renew(kept)?;
        }
        let Some(log) = &self.log else { return Ok(()) };
        let appended = log.append(text(line).as_bytes()).and_then(|()| match line {
            Line::Took { .. } => log.sync(),
            // Without it an answer is sent once more at most.
            Line::Done(_) => Ok(()),
        });
        self.lines += 1;
        appended.map_err(|error| {
            self.log = None;
            InboxError::Append(self.path(), error)
        })
    }
}

pub(super) struct Inbox {
    /// None where nothing is kept.
    place: Option<Mutex<Place>>,
    kept: Mutex<Kept>,
    most: usize,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum InboxError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{0} cannot be written: {1}")]
    Append(String, std::io::Error),
    #[error("line {1} of {0} cannot be read as what has come in: {2}")]
    Damaged(String, usize, serde_json::Error),
}

impl Inbox {
    /// The one of this name in this state directory.
    pub(super) fn open(state: Option<&std::path::Path>, name: &str) -> Result<Self, InboxError> {
        let mut kept = Kept::default();
        let Some(state) = state else { return Ok(Self { place: None, kept: Mutex::new(kept), most: MOST }) };
        let folder = StateDirectory::open(state)?.directory(FOLDER)?;
        let mut place = Place { folder, name: format!("{name}.jsonl"), log: None, lines: 0 };
        let read = match place.folder.read(&place.name, LARGEST) {
            Err(error) if error.is_not_found() => String::new(),
            read => read?,
        };
        // What has no line break is a line that was being written.
        for (line, number) in read.split_inclusive('\n').filter(|line| line.ends_with('\n')).zip(1..) {
            let line = serde_json::from_str(line).map_err(|error| InboxError::Damaged(place.path(), number, error))?;
            kept.add(line);
        }
        place.renew(&kept)?;
        Ok(Self { place: Some(Mutex::new(place)), kept: Mutex::new(kept), most: MOST })
    }

    /// What waits.
    pub(super) fn waiting(&self) -> Vec<Heard> {
        self.kept.lock().waiting.values().cloned().collect()
    }

    /// Whether so much waits that nothing more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.kept.lock().waiting.len() >= self.most
    }

    /// How many messages of one chat may wait.
    pub(super) const fn share(&self) -> usize {
        self.most / SHARE
    }

    /// How many more of this chat may.
    pub(super) fn room(&self, chat: &ChatId) -> usize {
        self.share().saturating_sub(self.kept.lock().of_chats.get(chat).copied().unwrap_or_default())
    }

    /// Keeps a delivery: its numbers, and the messages in it that wait for an answer. Returns those that are new.
    pub(super) fn take(&self, numbers: &[i64], messages: Vec<Heard>) -> Result<Vec<Heard>, InboxError> {
        let mut kept = self.kept.lock();
        let new = |number: &i64| !kept.known.contains(number);
        let messages: Vec<Heard> = messages.into_iter().filter(|heard| new(&heard.number)).collect();
        let numbers = numbers.iter().copied().filter(new).collect();
        self.write(Line::Took { numbers, messages: messages.clone() }, &mut kept)?;
        Ok(messages)
    }

    /// Whether this delivery is new.
    pub(super) fn is_new(&self, number: i64) -> bool {
        !self.kept.lock().known.contains(&number)
    }

    /// These are answered.
    pub(super) fn done(&self, numbers: &[i64]) -> Result<(), InboxError> {
        self.write(Line::Done(numbers.to_vec()), &mut self.kept.lock())
    }

    fn write(&self, line: Line, kept: &mut Kept) -> Result<(), InboxError> {
        if let Some(place) = &self.place {
            place.lock().append(&line, kept)?;
        }
        kept.add(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
