//! Calls that people make themselves: through the bot's gate, asked like any other. What came of the last ones is remembered while the
//! process lives; the audit log has all of them.

use crate::console::{FRONT, Shared};
use crate::problem::Problem;
use palanca_bots::{Chat, Executor};
use palanca_core::ToolResult;
use palanca_core::call::SessionId;
use palanca_core::ports::Asker;
use palanca_store::{Approvals as _, Which};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Trials that are remembered.
const KEPT: usize = 20;
/// How long a page waits for the end before it shows a call as running.
const AT_ONCE: Duration = Duration::from_millis(800);
/// How often it is looked, at the end, whether one waits for an answer.
const AGAIN: Duration = Duration::from_millis(200);
/// The chat that they happen in.
const CHAT: &str = "tools";

/// The last trials.
#[derive(Default)]
pub(crate) struct Trials(Mutex<VecDeque<Arc<Trial>>>);

/// A call that a person made.
pub(crate) struct Trial {
    bot: String,
    tool: String,
    /// As they were typed.
    pub(crate) arguments: String,
    /// Where it asks; the name of the trial, too.
    pub(crate) session: SessionId,
    /// Once it has ended.
    pub(crate) result: OnceLock<ToolResult>,
}

impl Trials {
    /// The one of this name, if it is of this tool.
    pub(crate) fn of(&self, name: &str, (bot, tool): (&str, &str)) -> Option<Arc<Trial>> {
        let trials = self.0.lock();
        let found = trials.iter().find(|trial| trial.session.as_str() == name)?;
        (found.bot == bot && found.tool == tool).then(|| Arc::clone(found))
    }

    fn add(&self, trial: &Arc<Trial>) {
        let mut trials = self.0.lock();
        trials.push_front(Arc::clone(trial));
        trials.truncate(KEPT);
    }
}

/// Single calls as this bot. Building it reads files.
pub(crate) async fn executor(shared: &Arc<Shared>, bot: &str, asker: Arc<dyn Asker>) -> Result<Executor, Problem> {
    let (of, bot) = (Arc::clone(shared), bot.to_owned());
    let chat = Chat { channel: FRONT.into(), name: CHAT.into() };
    let built = tokio::task::spawn_blocking(move || of.bots.executor(&chat, &bot, asker)).await;
    Ok(built.map_err(|_| Problem::stopping())??)
}

/// Single calls as the person of the bots, which tools of the workspace make. Building it reads files.
pub(crate) async fn person(shared: &Arc<Shared>, asker: Arc<dyn Asker>) -> Result<Executor, Problem> {
    let of = Arc::clone(shared);
    let chat = Chat { channel: FRONT.into(), name: CHAT.into() };
    let built = tokio::task::spawn_blocking(move || of.bots.as_person(&chat, asker)).await;
    Ok(built.map_err(|_| Problem::stopping())??)
}

/// Makes the call. Returns when it has ended, or soon: it goes on, and its question stands in the inbox.
pub(crate) async fn begin(
    shared: &Arc<Shared>,
    executor: Executor,
    (bot, tool): (&str, &str),
    arguments: String,
) -> SessionId {
    let session = executor.scope().session.clone();
    let trial = Arc::new(Trial {
        bot: bot.to_owned(),
        tool: tool.to_owned(),
        arguments,
        session: session.clone(),
        result: OnceLock::new(),
    });
    shared.trials.add(&trial);
    let of = Arc::clone(shared);
    let running = tokio::spawn(async move {
        let call = executor.execute(&trial.tool, trial.arguments.clone());
        let result = tokio::select! {
            result = call => result,
            () = given_up(&of, &trial.session) => return,
        };
        executor.end().await;
        // ignored: nobody else sets it.
        let _ = trial.result.set(result);
    });
    // ignored: whoever asks again sees what came of it.
    let _ = timeout(AT_ONCE, running).await;
    session
}

/// The process is about to end, and the call waits for an answer: it has changed nothing, and nobody would take it up. One that runs has
/// the time that all have.
async fn given_up(shared: &Shared, session: &SessionId) {
    shared.cancel.cancelled().await;
    let asks = async || {
        let open = shared.desk.questions(Which::Active).await.unwrap_or_default();
        open.iter().any(|asked| asked.scope.session == *session)
    };
    while !asks().await {
        sleep(AGAIN).await;
    }
}
