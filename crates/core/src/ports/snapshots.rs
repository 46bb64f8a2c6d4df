//! Taking back what programs did: the trees that they may change, remembered before they run.

use super::ChangeOrigin;
use crate::message::Message;
use crate::tool::FileDelta;
use futures_util::future::BoxFuture;

/// Whether what a call does can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undoable {
    /// It can.
    Yes,
    /// Only below these places, or only in part: why.
    Partly(Message),
    /// It cannot: why.
    No(Message),
}

/// Remembers the trees that programs may change.
pub trait Snapshots: Send + Sync {
    /// What could be taken back of a program's changes. Quick: the answer is shown in a question.
    fn coverage(&self) -> Undoable;

    /// Remembers how things are. None where nothing is covered.
    fn before<'a>(&'a self, origin: &'a ChangeOrigin) -> BoxFuture<'a, Option<Box<dyn Snapshot>>>;
}

/// How things were before a program ran.
pub trait Snapshot: Send {
    /// Compares, and writes down what changed as a step that can be undone. What cannot be read is left out.
    fn settle(self: Box<Self>) -> BoxFuture<'static, Vec<FileDelta>>;
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSnapshots;

impl Snapshots for NoSnapshots {
    fn coverage(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn before<'a>(&'a self, _origin: &'a ChangeOrigin) -> BoxFuture<'a, Option<Box<dyn Snapshot>>> {
        Box::pin(async { None })
    }
}
