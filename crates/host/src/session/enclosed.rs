//! What people send with their words becomes artifacts of the session, which its tools can read.

use super::Session;
use crate::fault::{Fault, FaultKind};
use palanca_agent::Conversation;
use palanca_agent::session::enclosed;
use palanca_core::CallId;
use palanca_core::call::{Content, Media, Part};
use palanca_core::ports::{Artifacts as _, NewArtifact, NewContent, StoreFault};
use palanca_store::Database;
use std::sync::Arc;

/// A file that somebody has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosed {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub content: Content,
    /// Where its text is from, if it is not taken for the words of the one who sent it.
    pub foreign: Option<String>,
}

/// Of a text without one.
const TEXT: &str = "text/plain";

impl Session {
    /// Keeps a file that came with the message of this name, and gives the part for the conversation: images and audio as they are, a text
    /// as a name to read it by. `foreign` is who has sent it, if its content is not trusted. The session must have begun.
    ///
    /// # Errors
    /// What cannot be kept.
    pub async fn enclose(&self, file: &Enclosed, message: &str, foreign: Option<&str>) -> Result<Part, Fault> {
        let Some(database) = self.database() else {
            return Err(Fault::said(StoreFault::Missing { what: "a place for files".to_owned() }.message()));
        };
        let call = CallId::new(format!("message {message}"));
        let text = match &file.content {
            Content::Text { text, .. } => self.words().redactor.redact(text),
            Content::Bytes(_) => "".into(),
        };
        let content = match &file.content {
            Content::Text { .. } => NewContent::Text(&text),
            Content::Bytes(media) => NewContent::Media(media),
        };
        let broken = |message| Fault { kind: FaultKind::Machine, message };
        let id = database.keep(&NewArtifact { scope: &self.scope, call: &call, content, foreign });
        let id = id.await.map_err(|fault| broken(fault.message()))?;
        match &file.content {
            Content::Text { media_type, .. } => {
                Ok(enclosed::named(&id, &file.name, media_type.as_deref().unwrap_or(TEXT), text.len()))
            }
            Content::Bytes(media) => enclosed::seen(&id, media.clone()).map_err(|error| broken(error.message())),
        }
    }

    /// Shows the newest of what was sent in a conversation that is taken up. What is no longer there stays a name.
    pub(crate) async fn see(&self, conversation: &mut Conversation) {
        let Some(database) = self.database() else { return };
        for unseen in conversation.unseen() {
            // ignored: it stays a name, and whoever reads it is told why.
            let Ok(stored) = database.media(&self.scope, &unseen.id).await else { continue };
            let media: Media = stored.media;
            conversation.see(&unseen, media);
        }
    }

    fn database(&self) -> Option<&Arc<Database>> {
        self.agent.workspace.database.as_ref()
    }
}
