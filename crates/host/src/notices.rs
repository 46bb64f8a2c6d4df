//! What the host says to whoever runs it, beside the results of calls.

use palanca_core::Message;
use palanca_hooks::{NoWatcher, Watcher};
use std::io::Write;
use std::sync::Arc;

/// Hears what people should know. The sentences are rendered, escaped and shown by the program around the host.
pub trait Notices: Send + Sync {
    /// Something does not work as it should.
    fn warn(&self, message: &Message);

    /// Something is not as it may have been meant.
    fn advise(&self, message: &Message) {
        self.warn(message);
    }

    /// Something worth knowing, and no trouble.
    fn note(&self, _message: &Message) {}

    /// Where the channel `terminal` writes: one message for each write, escaped already.
    fn terminal(&self) -> Box<dyn Write + Send> {
        Box::new(std::io::sink())
    }

    /// Watches hooks end.
    fn hooks(&self) -> Arc<dyn Watcher> {
        Arc::new(NoWatcher)
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Notices for Silent {
    fn warn(&self, _: &Message) {}
}
