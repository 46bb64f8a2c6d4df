//! Programs that are spoken to in a protocol: raw streams, kept apart, for one caller.
//!
//! Nothing is buffered in between: a side that does not read stalls the other at its pipe. Only stderr is always read, and
//! only its end is kept.

use super::{By, ChangedFiles, Exit, Tail};
use crate::call::Cancel;
use crate::ports::Written;
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// What a program that is spoken to may reach, apart from the network, which its launch decides. The default is what every
/// other program may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// What it may do in the workspace.
    pub workspace: WorkspaceAccess,
    /// Further folders that it may read, and whose programs it may start; absolute. Secret files in them are hidden, as in
    /// the workspace; a folder that does not exist is left out.
    pub readable: Vec<PathBuf>,
    /// Further folders that it may write; absolute, existing, and apart from the workspace. Changes there are not judged and
    /// cannot be undone.
    pub writable: Vec<PathBuf>,
    /// A folder of its own, which is its home and has its temporary files; absolute and existing. It may lie in a folder that every
    /// other program does not see. None: a private one that goes with the program.
    pub home: Option<PathBuf>,
}

impl Profile {
    /// A program that reaches nothing but the system's programs and those that every program finds.
    #[must_use]
    pub const fn alone() -> Self {
        Self { workspace: WorkspaceAccess::None, readable: Vec::new(), writable: Vec::new(), home: None }
    }

    /// Whether other programs may reach all of it, too.
    pub(crate) const fn is_narrow(&self) -> bool {
        self.readable.is_empty() && self.writable.is_empty() && self.home.is_none()
    }
}

/// What a program may do in the workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkspaceAccess {
    /// See nothing of it, nor of the read-only roots. The program starts in `/` then.
    None,
    /// Read it.
    Read,
    /// Read and write it; each change is judged, and kept for undo if the program has a session.
    #[default]
    Write,
}

/// The circumstances of a program that is spoken to.
#[derive(Clone, Copy, Debug)]
pub struct Attach<'a> {
    /// Who starts it.
    pub by: By<'a>,
    /// What it may reach.
    pub profile: &'a Profile,
    /// Ends it.
    pub cancel: &'a Cancel,
}

/// Our end of a program's stdin. Writing waits while the program does not read; dropping it is end of file.
pub type Input = Box<dyn AsyncWrite + Send + Sync + Unpin>;

/// Our end of a program's stdout. The program waits while it is not read.
pub type Output = Box<dyn AsyncRead + Send + Sync + Unpin>;

/// How a program that was spoken to ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub exit: Exit,
    /// Its changes in the workspace, and its refused writes there.
    pub written: Written,
}

/// A running program that is spoken to. Dropping this ends it and everything that it started.
pub struct Attached {
    /// Its stdin, to be taken.
    pub stdin: Option<Input>,
    /// Its stdout, to be taken. What was printed before the end can be read after it.
    pub stdout: Option<Output>,
    /// The end of its stderr.
    pub stderr: Tail,
    stop: Cancel,
    end: BoxFuture<'static, Ended>,
    ended: Option<Ended>,
    /// Where a call's changes are collected.
    changed: Option<ChangedFiles>,
}

impl Attached {
    /// For a door: these streams, what ends the program when it is cancelled, and its end, once nothing of it is left.
    #[must_use]
    pub fn new(
        (stdin, stdout): (Input, Output),
        stderr: Tail,
        stop: Cancel,
        end: impl Future<Output = Ended> + Send + 'static,
    ) -> Self {
        Self { stdin: Some(stdin), stdout: Some(stdout), stderr, stop, end: Box::pin(end), ended: None, changed: None }
    }

    /// The same; when the end is awaited, its changes are collected here.
    pub(super) fn telling(mut self, changed: ChangedFiles) -> Self {
        self.changed = Some(changed);
        self
    }

    /// Gives it this and end of file, and returns what it printed until its end: at most so many bytes of stdout, after
    /// which it finds nobody reading. One that does not read all of its input says why by its end.
    pub async fn converse(&mut self, input: &[u8], most: u64) -> (Vec<u8>, Exit) {
        let (stdin, stdout) = (self.stdin.take(), self.stdout.take());
        let told = async {
            if let Some(mut stdin) = stdin {
                // ignored: see above.
                let _ = stdin.write_all(input).await;
                let _ = stdin.shutdown().await;
            }
        };
        let mut printed = Vec::new();
        let heard = async {
            if let Some(stdout) = stdout {
                // ignored: what is missing at the end is found missing.
                let _ = stdout.take(most).read_to_end(&mut printed).await;
            }
        };
        tokio::join!(told, heard);
        (printed, self.wait().await.exit)
    }

    /// Returns when nothing of the program is left. May be dropped and called again.
    pub async fn wait(&mut self) -> Ended {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        let ended = (&mut self.end).await;
        if let Some(changed) = &self.changed {
            changed.lock().extend_from_slice(&ended.written.changed);
        }
        self.ended.insert(ended).clone()
    }

    /// Asks the program to end, ends it if it does not, and returns when nothing of it is left.
    pub async fn kill(&mut self) -> Ended {
        self.stop.cancel();
        self.wait().await
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
