//! The state directory: records of calls and the undo journal.

use crate::render::stderr;
use palanca_core::ports::{NoRecorder, Recorder};
use palanca_files::{Journal, JsonLines, StateDirectory};
use std::path::PathBuf;
use std::sync::Arc;

/// Where every call leaves one line.
pub const CALLS: &str = "calls.jsonl";

/// What state there is. Without a directory calls still run: nothing is recorded then, and that is said.
pub struct State {
    pub recorder: Arc<dyn Recorder>,
    pub journal: Option<Arc<Journal>>,
}

/// `$PALANCA_HOME`, or the platform's data directory.
pub fn path() -> Option<PathBuf> {
    StateDirectory::default_path(|name| std::env::var_os(name))
}

pub fn open() -> State {
    let Some(path) = path() else {
        stderr::warning("neither PALANCA_HOME nor HOME is set: calls are not recorded and cannot be undone");
        return State { recorder: Arc::new(NoRecorder), journal: None };
    };
    let opened = StateDirectory::open(&path)
        .and_then(|state| Ok((JsonLines::open(&state, CALLS)?, Journal::open(&state)?)));
    match opened {
        Ok((lines, journal)) => State { recorder: Arc::new(lines), journal: Some(Arc::new(journal)) },
        Err(error) => {
            stderr::warning(&format!(
                "{error}: calls are not recorded and cannot be undone; set PALANCA_HOME to a folder that can be written"
            ));
            State { recorder: Arc::new(NoRecorder), journal: None }
        }
    }
}
