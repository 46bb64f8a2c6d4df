//! What a tool says and asks while it runs, and how its caller hears it.
//!
//! Everything is bounded. Of progress the latest counts, of log lines the last [`Hearing::LINES`], so a tool that says much waits for
//! nobody, and a caller that does not listen loses those and never a question or a result. Secrets are taken out of what is said, as
//! out of results.

use super::words::{AsItIs, Redactor};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{Notify, oneshot};

/// How far a call is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What is done, in a unit of the tool's; it only grows.
    pub done: f64,
    /// What there is to do, where that is known.
    pub of: Option<f64>,
    /// What is being done.
    pub text: Option<String>,
}

/// Weight of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// For whoever looks for a fault.
    Debug,
    /// Ordinary.
    Info,
    /// Something is not as it should be.
    Warning,
    /// Something failed.
    Error,
}

/// One line of a running call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Its weight.
    pub level: LogLevel,
    /// At most [`Hearing::LINE_BYTES`].
    pub text: String,
}

/// Something that a running call says.
#[derive(Debug)]
pub enum Heard {
    /// It asks, and waits for the reply until its time limit.
    Asked(Inquiry),
    /// A log line.
    Log(LogLine),
    /// This many log lines came faster than they were heard, and are lost.
    LogLost(u64),
    /// How far it is now; earlier progress that was not heard is not told.
    Progress(Progress),
}

/// A question of a running call. Dropped without a reply, it is declined.
#[derive(Debug)]
pub struct Inquiry {
    /// The question.
    pub text: String,
    /// The JSON Schema of the reply.
    pub schema: Value,
    reply: oneshot::Sender<Value>,
}

impl Inquiry {
    /// Replies. The tool checks the reply.
    pub fn reply(self, reply: Value) {
        // ignored: the call has ended.
        let _ = self.reply.send(reply);
    }
}

/// Why a question of a running call has no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReply {
    /// Nobody hears this call.
    #[error("nobody hears this call, so nobody can reply")]
    Nobody,
    /// Whoever heard it did not reply.
    #[error("the question was declined")]
    Declined,
    /// [`Hearing::INQUIRIES`] of this call wait for a reply already.
    #[error("too many questions of this call wait for a reply")]
    TooMany,
}

#[derive(Debug, Default)]
struct Said {
    inquiries: VecDeque<Inquiry>,
    lines: VecDeque<LogLine>,
    lost: u64,
    progress: Option<Progress>,
}

#[derive(Debug, Default)]
struct Inner {
    said: Mutex<Said>,
    news: Notify,
}

/// The caller's side: given with a call by [`Ticket::heard`](crate::gate::Ticket::heard); clones hear the same.
///
/// ```
/// # use palanca_core as palanca;
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// use palanca::gate::CallOrder;
/// use palanca::ports::Hearing;
///
/// let hearing = Hearing::default();
/// let ticket = CallOrder::new().ticket().heard(Some(hearing.clone()));
/// // submit the call with the ticket, and beside it: while let heard = hearing.next().await { … }
/// assert!(hearing.try_next().is_none());
/// # drop(ticket);
/// # });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hearing(Arc<Inner>);

impl Hearing {
    /// Log lines that wait to be heard.
    pub const LINES: usize = 64;
    /// Bytes of one line, or of the text of progress; the rest is cut off.
    pub const LINE_BYTES: usize = 1024;
    /// Questions that wait for a reply.
    pub const INQUIRIES: usize = 8;

    /// What was said, if anything: questions first, then log lines, then progress.
    #[must_use]
    pub fn try_next(&self) -> Option<Heard> {
        let mut said = self.0.said.lock();
        if let Some(inquiry) = said.inquiries.pop_front() {
            return Some(Heard::Asked(inquiry));
        }
        if said.lost > 0 {
            return Some(Heard::LogLost(std::mem::take(&mut said.lost)));
        }
        let line = said.lines.pop_front().map(Heard::Log);
        line.or_else(|| said.progress.take().map(Heard::Progress))
    }

    /// The next thing that is said. It never ends by itself: whoever waits for the call's result stops listening, too. One listener
    /// at a time.
    pub async fn next(&self) -> Heard {
        loop {
            if let Some(heard) = self.try_next() {
                return heard;
            }
            self.0.news.notified().await;
        }
    }
}

/// The tool's side: [`ToolCx::voice`](crate::tool::ToolCx::voice). Where nobody hears the call, it says nothing.
#[derive(Clone)]
pub struct Voice {
    hearing: Option<Hearing>,
    redactor: Arc<dyn Redactor>,
}

impl Voice {
    pub(crate) const fn new(hearing: Option<Hearing>, redactor: Arc<dyn Redactor>) -> Self {
        Self { hearing, redactor }
    }

    /// The voice of what nobody hears.
    #[must_use]
    pub fn unheard() -> Self {
        Self { hearing: None, redactor: Arc::new(AsItIs) }
    }

    /// Says how far the call is. It may be said as often as it changes.
    pub fn progress(&self, progress: Progress) {
        let Some(Hearing(inner)) = &self.hearing else { return };
        let text = progress.text.as_deref().map(|text| self.clean(text));
        inner.said.lock().progress = Some(Progress { text, ..progress });
        inner.news.notify_one();
    }

    /// Says a line.
    pub fn log(&self, level: LogLevel, text: &str) {
        let Some(Hearing(inner)) = &self.hearing else { return };
        let line = LogLine { level, text: self.clean(text) };
        let mut said = inner.said.lock();
        if said.lines.len() >= Hearing::LINES {
            said.lines.pop_front();
            said.lost += 1;
        }
        said.lines.push_back(line);
        drop(said);
        inner.news.notify_one();
    }

    /// Asks the caller. Waits until the call's time limit.
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn ask(&self, text: &str, schema: Value) -> Result<Value, NoReply> {
        let Some(Hearing(inner)) = &self.hearing else { return Err(NoReply::Nobody) };
        let (reply, replied) = oneshot::channel();
        {
            let mut said = inner.said.lock();
            said.inquiries.retain(|inquiry| !inquiry.reply.is_closed());
            if said.inquiries.len() >= Hearing::INQUIRIES {
                return Err(NoReply::TooMany);
            }
            said.inquiries.push_back(Inquiry { text: self.clean(text), schema, reply });
        }
        inner.news.notify_one();
        replied.await.map_err(|_| NoReply::Declined)
    }

    /// Cut after redaction: half a secret would not be recognized.
    fn clean(&self, text: &str) -> String {
        let mut text = self.redactor.redact(text).into_owned();
        text.truncate(text.floor_char_boundary(Hearing::LINE_BYTES));
        text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]
    use super::super::words::AsItIs;
    use super::*;
    use futures_util::FutureExt as _;
    use serde_json::json;

    fn pair() -> (Voice, Hearing) {
        let hearing = Hearing::default();
        (Voice::new(Some(hearing.clone()), Arc::new(AsItIs)), hearing)
    }

    fn progress(done: f64) -> Progress {
        Progress { done, of: Some(100_000.0), text: None }
    }

    #[test]
    fn a_caller_that_stalls_loses_progress_and_lines_and_never_a_question() {
        let (voice, hearing) = pair();
        let mut asked = Box::pin(voice.ask("which?", json!({"type": "string"})));
        assert!(asked.as_mut().now_or_never().is_none());
        for number in 0..100_000_u32 {
            voice.progress(progress(number.into()));
            voice.log(LogLevel::Info, &number.to_string());
        }
        let Some(Heard::Asked(inquiry)) = hearing.try_next() else { panic!("the question is lost") };
        inquiry.reply(json!("this"));
        assert_eq!(asked.now_or_never(), Some(Ok(json!("this"))));
        assert!(matches!(hearing.try_next(), Some(Heard::LogLost(lost)) if lost == 100_000 - Hearing::LINES as u64));
        let mut lines = 0;
        while let Some(heard) = hearing.try_next() {
            match heard {
                Heard::Log(_) => lines += 1,
                Heard::Progress(last) => assert_eq!(last, progress(99_999.0)),
                heard => panic!("{heard:?}"),
            }
        }
        assert_eq!(lines, Hearing::LINES);
    }

    #[test]
    fn a_question_that_nobody_replies_to_says_why() {
        let (voice, hearing) = pair();
        let nobody = Voice::new(None, Arc::new(AsItIs));
        assert_eq!(nobody.ask("?", json!({})).now_or_never(), Some(Err(NoReply::Nobody)));
        let mut waiting: Vec<_> = (0..Hearing::INQUIRIES).map(|_| Box::pin(voice.ask("?", json!({})))).collect();
        waiting.iter_mut().for_each(|asked| assert!(asked.as_mut().now_or_never().is_none()));
        assert_eq!(voice.ask("?", json!({})).now_or_never(), Some(Err(NoReply::TooMany)));
        drop(hearing.try_next());
        assert_eq!(waiting.remove(0).now_or_never(), Some(Err(NoReply::Declined)));
        // Questions of a tool that has gone make room.
        waiting.clear();
        assert!(voice.ask("?", json!({})).now_or_never().is_none());
    }
}
