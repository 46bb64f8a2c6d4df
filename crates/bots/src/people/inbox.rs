//! What has come in and is not answered yet: a small file for each bot of a messenger, replaced as a whole.
//!
//! A message is in the file before the messenger is told that it has arrived, and leaves it after its answer was sent. So whenever the process
//! ends, each message is either delivered again or in the file; the numbers of the last deliveries tell which are new.

use palanca_channels::Heard;
use palanca_files::{StateDirectory, StateError};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// The folder in the state directory.
const FOLDER: &str = "chats";
/// Numbers of deliveries that are remembered: a messenger delivers at most a hundred at once.
const REMEMBERED: usize = 300;
/// Bytes of the file.
const LARGEST: u64 = 256 << 20;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// The last deliveries.
    arrived: Vec<i64>,
    /// In the order in which they came.
    waiting: Vec<Heard>,
}

pub(super) struct Inbox {
    /// None where nothing is kept.
    place: Option<(StateDirectory, String)>,
    kept: Mutex<Kept>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum InboxError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{0} cannot be read as what has come in: {1}")]
    Damaged(String, serde_json::Error),
}

impl Inbox {
    /// The one of this name in this state directory.
    pub(super) fn open(state: Option<&std::path::Path>, name: &str) -> Result<Self, InboxError> {
        let Some(state) = state else { return Ok(Self { place: None, kept: Mutex::default() }) };
        let (folder, name) = (StateDirectory::open(state)?.directory(FOLDER)?, format!("{name}.json"));
        let kept = match folder.read(&name, LARGEST) {
            Ok(text) => {
                let path = || folder.path().join(&name).display().to_string();
                serde_json::from_str(&text).map_err(|error| InboxError::Damaged(path(), error))?
            }
            Err(error) if error.is_not_found() => Kept::default(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { place: Some((folder, name)), kept: Mutex::new(kept) })
    }

    /// What waits.
    pub(super) fn waiting(&self) -> Vec<Heard> {
        self.kept.lock().waiting.clone()
    }

    /// Keeps a delivery: its numbers, and the messages in it that wait for an answer. Returns those that are new.
    pub(super) fn take(&self, numbers: &[i64], messages: Vec<Heard>) -> Result<Vec<Heard>, InboxError> {
        let mut kept = self.kept.lock();
        let mut next = kept.clone();
        let new = |number: &i64| !kept.arrived.contains(number);
        let messages: Vec<Heard> = messages.into_iter().filter(|heard| new(&heard.number)).collect();
        next.arrived.extend(numbers.iter().filter(|number| new(number)));
        let old = next.arrived.len().saturating_sub(REMEMBERED);
        next.arrived.drain(..old);
        next.waiting.extend(messages.iter().cloned());
        self.write(&next)?;
        *kept = next;
        Ok(messages)
    }

    /// Whether this delivery is new.
    pub(super) fn is_new(&self, number: i64) -> bool {
        !self.kept.lock().arrived.contains(&number)
    }

    /// These are answered.
    pub(super) fn done(&self, numbers: &[i64]) -> Result<(), InboxError> {
        let mut kept = self.kept.lock();
        kept.waiting.retain(|heard| !numbers.contains(&heard.number));
        self.write(&kept)
    }

    fn write(&self, kept: &Kept) -> Result<(), InboxError> {
        let Some((folder, name)) = &self.place else { return Ok(()) };
        let text = serde_json::to_string(kept).unwrap_or_default();
        Ok(folder.write(name, &text)?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, missing_docs)]
    use super::*;
    use palanca_channels::{Addressed, Audience, Person};

    fn heard(number: i64) -> Heard {
        Heard {
            number,
            chat: "7".into(),
            audience: Audience::Private,
            from: Person::default(),
            text: format!("words {number}"),
            addressed: Addressed::ToMe,
            forwarded: None,
            exchange: None,
        }
    }

    #[test]
    fn what_has_come_in_is_kept_once_until_it_is_answered() {
        let state = tempfile::tempdir().unwrap();
        let open = || Inbox::open(Some(state.path()), "x-1").unwrap();
        let inbox = open();
        assert_eq!(inbox.take(&[4, 5, 6], vec![heard(5), heard(6)]).unwrap(), [heard(5), heard(6)]);
        // Killed before the messenger knew.
        let inbox = open();
        assert_eq!(inbox.take(&[4, 5, 6, 7], vec![heard(5), heard(6), heard(7)]).unwrap(), [heard(7)]);
        assert!(!inbox.is_new(4) && inbox.is_new(8));
        inbox.done(&[5, 7]).unwrap();
        assert_eq!(open().waiting(), [heard(6)]);
        // Numbers may begin anywhere after a quiet week.
        assert_eq!(inbox.take(&[2], vec![heard(2)]).unwrap(), [heard(2)]);
    }

    #[test]
    fn a_damaged_file_is_left_as_it_is() {
        let state = tempfile::tempdir().unwrap();
        Inbox::open(Some(state.path()), "x-1").unwrap().take(&[1], vec![heard(1)]).unwrap();
        std::fs::write(state.path().join("chats/x-1.json"), "{").unwrap();
        let error = Inbox::open(Some(state.path()), "x-1").err().unwrap().to_string();
        assert!(error.contains("x-1.json"), "{error}");
        assert_eq!(std::fs::read_to_string(state.path().join("chats/x-1.json")).unwrap(), "{");
    }
}
