//! Calls that wait for the server's answer. What it says of their progress is said by their voice; it is told of one that is given up.

use super::change::plain;
use palanca_core::ports::{Progress, Voice};
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotification,
    CancelledNotificationParam, ClientRequest, ProgressNotificationParam, ProgressToken, RequestId, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient, ServiceError};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::runtime::Handle;

/// Characters of what a server says of its progress.
const SHOWN: usize = 500;

/// The calls of one server.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Arc<Calls>);

#[derive(Default)]
struct Calls {
    /// Held until a call that was sent is known by its token, which progress may come for at once.
    sending: tokio::sync::Mutex<()>,
    voices: Mutex<HashMap<ProgressToken, (Voice, f64)>>,
}

impl Waiting {
    /// Says how far a call is, if it waits.
    pub(crate) async fn tell(&self, said: ProgressNotificationParam) {
        drop(self.0.sending.lock().await);
        // It only grows, and may come in another order than it was said in.
        if let Some((voice, done)) = self.0.voices.lock().get_mut(&said.progress_token)
            && said.progress > *done
        {
            *done = said.progress;
            let text = said.message.map(|text| plain(&text, SHOWN));
            voice.progress(Progress { done: said.progress, of: said.total, text });
        }
    }

    /// One call, to its answer.
    ///
    /// # Errors
    /// The server refused it, or is gone.
    pub(crate) async fn call(
        &self,
        peer: &Peer<RoleClient>,
        request: CallToolRequestParams,
        voice: &Voice,
    ) -> Result<CallToolResponse, ServiceError> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
        let sending = self.0.sending.lock().await;
        let handle = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await?;
        self.0.voices.lock().insert(handle.progress_token.clone(), (voice.clone(), f64::NEG_INFINITY));
        drop(sending);
        let mut open = Open {
            calls: Arc::clone(&self.0),
            peer: peer.clone(),
            token: handle.progress_token.clone(),
            id: Some(handle.id.clone()),
        };
        let result = handle.await_response().await;
        open.id = None;
        Ok(match result? {
            ServerResult::CallToolResult(result) => CallToolResponse::Complete(result),
            ServerResult::InputRequiredResult(result) => CallToolResponse::InputRequired(result),
            ServerResult::CreateTaskResult(result) => CallToolResponse::Task(result),
            // An answer without content.
            ServerResult::EmptyResult(_) | ServerResult::TaskAckResult(_) => {
                CallToolResponse::Complete(CallToolResult::default())
            }
            _ => return Err(ServiceError::UnexpectedResponse),
        })
    }
}

/// A call without its answer. Dropped so, the server is told that nobody waits for it any more.
struct Open {
    calls: Arc<Calls>,
    peer: Peer<RoleClient>,
    token: ProgressToken,
    /// None once it is answered.
    id: Option<RequestId>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.calls.voices.lock().remove(&self.token);
        let (Some(id), Ok(runtime)) = (self.id.take(), Handle::try_current()) else { return };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let given_up = CancelledNotification::new(CancelledNotificationParam::new(Some(id), None));
            // ignored: a server that is gone needs not be told.
            let _ = peer.send_notification(given_up.into()).await;
        });
    }
}
