//! What a running call says, told to its client while it runs.

use super::{Client, Forms, form};
use futures_util::future::{Either, select};
use palanca_core::ToolResult;
use palanca_core::ports::{Heard, Hearing, Inquiry, LogLevel, LogLine, Progress};
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use std::pin::pin;

/// The client's side of one call.
pub(super) struct Told {
    pub(super) client: Client,
    /// With which the client asked for progress.
    pub(super) token: Option<ProgressToken>,
    /// The least weight of a line that is told; None: no line is.
    pub(super) least: Option<LogLevel>,
}

/// The weight that a client asks for.
pub(super) const fn weight(level: LoggingLevel) -> LogLevel {
    match level {
        LoggingLevel::Debug => LogLevel::Debug,
        LoggingLevel::Info | LoggingLevel::Notice => LogLevel::Info,
        LoggingLevel::Warning => LogLevel::Warning,
        _ => LogLevel::Error,
    }
}

const fn level(weight: LogLevel) -> LoggingLevel {
    match weight {
        LogLevel::Debug => LoggingLevel::Debug,
        LogLevel::Info => LoggingLevel::Info,
        LogLevel::Warning => LoggingLevel::Warning,
        LogLevel::Error => LoggingLevel::Error,
    }
}

impl Told {
    /// Waits for the result, and tells of everything that was said before it. A client that takes nothing holds up no call.
    pub(super) async fn until(&self, ended: impl Future<Output = ToolResult>, hearing: &Hearing) -> ToolResult {
        let mut done = f64::NEG_INFINITY;
        let result = {
            let telling = pin!(async {
                loop {
                    self.tell(hearing.next().await, &mut done).await;
                }
            });
            match select(pin!(ended), telling).await {
                Either::Left((result, _)) => result,
                Either::Right((never, _)) => never,
            }
        };
        while let Some(heard) = hearing.try_next() {
            self.tell(heard, &mut done).await;
        }
        result
    }

    async fn tell(&self, heard: Heard, done: &mut f64) {
        let peer = &self.client.peer;
        match heard {
            Heard::Progress(progress) if progress.done > *done => {
                *done = progress.done;
                self.progress(peer, progress).await;
            }
            Heard::Progress(_) => {}
            Heard::Log(line) => self.log(peer, line).await,
            Heard::LogLost(count) => {
                let text = format!("… (+{count})");
                self.log(peer, LogLine { level: LogLevel::Warning, text }).await;
            }
            Heard::Asked(inquiry) => self.ask(inquiry),
        }
    }

    async fn progress(&self, peer: &Peer<RoleServer>, progress: Progress) {
        let Some(token) = self.token.clone() else { return };
        let mut told = ProgressNotificationParam::new(token, progress.done);
        told.total = progress.of;
        told.message = progress.text;
        // ignored: a client that is gone cancels the call.
        let _ = peer.notify_progress(told).await;
    }

    async fn log(&self, peer: &Peer<RoleServer>, line: LogLine) {
        if self.least.is_some_and(|least| line.level >= least) {
            let told = LoggingMessageNotificationParam::new(level(line.level), line.text.into());
            // ignored: a client that is gone cancels the call.
            let _ = peer.notify_logging_message(told).await;
        }
    }

    /// Dropped, where the client cannot be asked while a call runs, or replies with nothing: it is declined.
    fn ask(&self, inquiry: Inquiry) {
        if self.client.forms == Forms::Requested {
            let peer = self.client.peer.clone();
            tokio::spawn(async move {
                if let Some(reply) = form::fill(&peer, &inquiry.text, &inquiry.schema).await {
                    inquiry.reply(reply);
                }
            });
        }
    }
}
