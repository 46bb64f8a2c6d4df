//! Single calls as a bot, without a model.

use crate::registry::Bot;
use crate::talk::Chat;
use palanca_core::call::RawArguments;
use palanca_core::gate::Explanation;
use palanca_core::ports::Asker;
use palanca_core::{Call, CallId, ConfirmMode, Scope, ToolResult, Toolset};
use palanca_host::agent::bots;
use palanca_host::{Agent, Fault, Keeping, Session, SessionSettings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs calls as a bot in a chat, or as the bots' person: who is known of every call, whatever its arguments say.
pub struct Executor {
    session: Session,
    calls: AtomicU64,
}

impl Executor {
    pub(crate) fn new(bot: &Bot, chat: &Chat, asker: Arc<dyn Asker>) -> Result<Self, Fault> {
        Self::on(&bot.agent, bots::mode(&bot.config), chat, asker)
    }

    pub(crate) fn on(agent: &Arc<Agent>, mode: ConfirmMode, chat: &Chat, asker: Arc<dyn Asker>) -> Result<Self, Fault> {
        let settings = SessionSettings {
            mode,
            asker,
            front: "bots",
            keeping: Keeping::Nothing,
            chat: Some((chat.channel.clone(), chat.name.clone())),
            ..SessionSettings::default()
        };
        Ok(Self { session: Session::new(agent, settings)?, calls: AtomicU64::new(1) })
    }

    /// One call through the whole gate.
    pub async fn execute(&self, tool: &str, arguments: impl Into<RawArguments>) -> ToolResult {
        let call = self.call(tool, arguments.into());
        self.session.gate().submit(self.session.toolset(), call).await
    }

    /// What the gate would say to a call: no hook, no person, no effect.
    pub async fn explain(&self, tool: &str, arguments: impl Into<RawArguments>) -> Explanation {
        let call = self.call(tool, arguments.into());
        self.session.gate().explain(self.session.toolset(), &call).await
    }

    /// What the bot may use, with tools that bots made.
    #[must_use]
    pub fn toolset(&self) -> &Toolset {
        self.session.toolset()
    }

    /// Where its questions are asked.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.session.scope()
    }

    fn call(&self, tool: &str, arguments: RawArguments) -> Call {
        let id = CallId::new(self.calls.fetch_add(1, Ordering::Relaxed).to_string());
        self.session.call(id, tool.to_owned(), arguments)
    }

    /// After the last call.
    pub async fn end(self) {
        self.session.end().await;
    }
}

/// Nothing of its session stays in memory.
impl Drop for Executor {
    fn drop(&mut self) {
        self.session.gate().leave(self.session.scope());
    }
}
