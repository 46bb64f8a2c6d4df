//! Single calls as a bot, without a model.

use crate::registry::Bot;
use crate::talk::Chat;
use palanca_core::call::RawArguments;
use palanca_core::ports::Asker;
use palanca_core::{CallId, ToolResult};
use palanca_host::agent::bots;
use palanca_host::{Fault, Keeping, Session, SessionSettings};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs calls as a bot in a chat: both are known of every call, whatever its arguments say.
pub struct Executor {
    session: Session,
    calls: AtomicU64,
}

impl Executor {
    pub(crate) fn new(bot: &Bot, chat: &Chat, asker: Arc<dyn Asker>) -> Result<Self, Fault> {
        let settings = SessionSettings {
            mode: bots::mode(&bot.config),
            asker,
            front: "bots",
            keeping: Keeping::Nothing,
            chat: Some((chat.channel.clone(), chat.name.clone())),
            ..SessionSettings::default()
        };
        Ok(Self { session: Session::new(&bot.agent, settings)?, calls: AtomicU64::new(1) })
    }

    /// One call through the whole gate.
    pub async fn execute(&self, tool: &str, arguments: Value) -> ToolResult {
        let id = CallId::new(self.calls.fetch_add(1, Ordering::Relaxed).to_string());
        let call = self.session.call(id, tool.to_owned(), RawArguments::Json(arguments));
        self.session.gate().submit(self.session.toolset(), call).await
    }

    /// After the last call.
    pub async fn end(self) {
        self.session.end().await;
        self.session.leave();
    }
}
