//! One request for a tool: a call through the gate, and its result in the protocol's form.

use super::asker::ClientAsker;
use super::talk::Told;
use super::{Client, internal};
use palanca_core::call::{Call, CallId, ErrorKind, Origin, OutcomeKind, QuestionId, RawArguments};
use palanca_core::gate::CallOrder;
use palanca_core::ports::{Hearing, LogLevel};
use palanca_core::{Catalogue as _, Message, ToolResult};
use palanca_host::Session;
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::RequestContext;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio_util::task::TaskTracker;

/// The calls of one session.
#[derive(Default)]
pub(super) struct Calls {
    made: AtomicU64,
    underway: TaskTracker,
}

impl Calls {
    /// Waits until none is under way.
    pub(super) async fn ended(&self) {
        self.underway.close();
        self.underway.wait().await;
    }

    pub(super) async fn call(
        &self,
        (session, asker): (&Session, &ClientAsker),
        request: CallToolRequestParams,
        (context, least): (RequestContext<RoleServer>, Option<LogLevel>),
    ) -> Result<CallToolResponse, ErrorData> {
        let _underway = self.underway.token();
        let asked = answered(session, asker, &request).await?;
        let client = Client::of(&context);
        let id = CallId::new((self.made.fetch_add(1, Ordering::Relaxed) + 1).to_string());
        let call = Call {
            id: id.clone(),
            tool: request.name.clone().into_owned(),
            arguments: RawArguments::Json(Value::Object(request.arguments.unwrap_or_default())),
            origin: Origin::Client { name: client.name.clone() },
            scope: session.scope().clone(),
        };
        let reached = asker.reached(&id, &client);
        let told = Told { client, token: context.meta.get_progress_token(), least };
        let hearing = Hearing::default();
        // Of its own: clients send calls when they want them to run, and what conflicts waits in its lane.
        let ticket = CallOrder::new().ticket();
        let ticket = ticket.cancelled_by(context.ct.clone()).heard(Some(hearing.clone())).asked(asked);
        let toolset = session.gate().registry().snapshot();
        let ended = session.gate().submit_in_order(ticket, &toolset, call);
        let result = told.until(ended, &hearing).await;
        if result.outcome == OutcomeKind::Parked
            && let Some(form) = result.question.as_ref().and_then(|question| reached.left_open(question))
        {
            return Ok(form.into());
        }
        if result.code.as_deref() == Some(UNKNOWN) {
            return Err(ErrorData::invalid_params(result.error.unwrap_or_default(), None));
        }
        Ok(shown(&result).into())
    }
}

const UNKNOWN: &str = ErrorKind::UnknownTool.facts().code;

/// The question that this request brings an answer to. The answer counts once, and for this call only.
async fn answered(
    session: &Session,
    asker: &ClientAsker,
    request: &CallToolRequestParams,
) -> Result<Option<QuestionId>, ErrorData> {
    let Some(state) = &request.request_state else { return Ok(None) };
    let Some((question, answer)) = asker.answer(&QuestionId::new(state.as_str()), request.input_responses.as_ref())
    else {
        let gone = session.catalogue().render(&Message::new("mcp-no-such-question"));
        return Err(ErrorData::invalid_params(gone, None));
    };
    let settled = session.questions().settle(&question, answer).await;
    settled.map_err(|why| internal(session.catalogue().render(&why)))?;
    Ok(Some(question.id))
}

/// A tool that fails is a result that the client's model reads, not an error of the protocol.
fn shown(result: &ToolResult) -> CallToolResult {
    let text = result.for_model();
    let text = (!text.is_empty() || result.parts.is_empty()).then(|| ContentBlock::text(text));
    // A part is a block of the protocol already.
    let parts = result.parts.iter().filter_map(|part| serde_json::from_value(serde_json::to_value(part).ok()?).ok());
    let content = text.into_iter().chain(parts).collect();
    if !result.success {
        return CallToolResult::error(content);
    }
    let mut shown = CallToolResult::success(content);
    shown.structured_content.clone_from(&result.data);
    shown
}
