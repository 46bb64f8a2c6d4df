//! Jobs that start by themselves: whoever keeps bots alive looks once a second which are due.
//!
//! A run belongs to the process that claims it in the store first, so any number of processes may look after the same bots. What takes no time
//! is claimed, done and said in one transaction; an instruction is claimed, followed in a session of its own, and ended, and no lock is
//! held meanwhile. The file of jobs is told last, through the gate. So after a crash it may name a moment that is over: the store knows.

mod deliver;
mod file;
mod follow;

use crate::registry::{Bot, Bots};
use crate::talk::Chat;
pub use deliver::told;
use file::Known;
use jiff::Timestamp;
use palanca_core::ports::NoAsker;
use palanca_core::tool::Cancel;
use palanca_core::{Message, Toolset};
use palanca_host::agent::{bots, jobs as files, toolset};
use palanca_host::workspace::disk;
use palanca_host::{Fault, Keeping, Session, SessionSettings};
use palanca_schedule::{INSTRUCTION, Job, MESSAGE, Outcome, Start};
use palanca_store::{Database, JobClaim, JobEnd, JobKey, JobMessage, JobOwner, JobState, JobWords, StoreError};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How often it is looked which jobs are due.
const EACH: Duration = Duration::from_secs(1);
/// How often a run may be begun: one that ends the process each time would do so for ever.
const MOST_ATTEMPTS: u32 = 3;

/// How long the same fault is not said again.
const SILENCE: Duration = Duration::from_mins(10);

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEvent {
    /// A job has said something, in this process.
    Said(JobMessage),
    /// A run failed.
    Failed {
        /// The bot's id.
        bot: String,
        /// The job's name.
        job: String,
        /// Why.
        why: String,
    },
    /// Something is wrong with a bot's jobs.
    Wrong(Message),
}

/// Who hears what happens.
pub type JobEvents = Arc<dyn Fn(JobEvent) + Send + Sync>;

/// The same, without what was said a moment ago: what is wrong is met each time it is looked.
fn sparing(events: JobEvents) -> JobEvents {
    let said: Mutex<Vec<(Message, Instant)>> = Mutex::default();
    let is_new = move |message: &Message| {
        let mut said = said.lock();
        said.retain(|(_, at)| at.elapsed() < SILENCE);
        let is_new = said.iter().all(|(before, _)| before != message);
        if is_new {
            said.push((message.clone(), Instant::now()));
        }
        is_new
    };
    Arc::new(move |event| match &event {
        JobEvent::Wrong(message) if !is_new(message) => {}
        _ => events(event),
    })
}

/// Whose jobs are looked after.
#[derive(Clone, Debug, Default)]
pub struct JobsOf {
    /// One bot. None: all of them.
    pub bot: Option<String>,
    /// A chat that somebody else brings messages to.
    pub except: Option<Chat>,
}

/// What looks after the jobs of one bot.
struct Keeper {
    bot: Arc<Bot>,
    workspace: String,
    database: Arc<Database>,
    owner: Arc<JobOwner>,
    events: JobEvents,
    /// What changes the file, and the calls that were made.
    session: Session,
    tools: Toolset,
    calls: AtomicU64,
    /// Instructions that are being followed, by job.
    running: Mutex<HashSet<String>>,
    /// Nothing new begins.
    cancel: Cancel,
    /// Runs that are over and could not be noted in the file.
    unnoted: Mutex<HashSet<(String, i64)>>,
}

/// Lets keepers go, but those whose instructions are still followed: these are returned.
async fn let_go(keepers: impl IntoIterator<Item = Arc<Keeper>>) -> Vec<Arc<Keeper>> {
    let mut busy = Vec::new();
    for keeper in keepers {
        match Arc::try_unwrap(keeper) {
            Ok(keeper) => {
                keeper.session.end().await;
                keeper.session.leave();
            }
            Err(keeper) => busy.push(keeper),
        }
    }
    busy
}

impl Bots {
    /// Runs jobs as they come due, and brings what they say to their chats, until `cancel`. Then instructions under way are waited for:
    /// [`Host::drain`](palanca_host::Host::drain) gives them time, and `cut` ends them.
    pub async fn keep_time(self: &Arc<Self>, of: JobsOf, events: JobEvents, (cancel, cut): (&Cancel, &Cancel)) {
        let events = sparing(events);
        let mut keepers: HashMap<String, (Arc<Keeper>, Known)> = HashMap::new();
        // Those whose bot is gone or has another configuration.
        let mut retired: Vec<Arc<Keeper>> = Vec::new();
        let mut under_way = JoinSet::new();
        while !cancel.is_cancelled() {
            let ids = self.ids();
            retired.extend(keepers.extract_if(|id, _| !ids.contains(id)).map(|(_, (keeper, _))| keeper));
            for id in ids.into_iter().filter(|id| of.bot.as_ref().is_none_or(|own| own == id)) {
                let Ok(bot) = self.bot(&id) else { continue };
                let is_known = keepers.get(&id).is_some_and(|(keeper, _)| Arc::ptr_eq(&keeper.bot, &bot));
                if !is_known {
                    match self.keeper(bot, &events, cancel) {
                        Ok(Some(keeper)) => {
                            let before = keepers.insert(id.clone(), (Arc::new(keeper), Known::default()));
                            retired.extend(before.map(|(keeper, _)| keeper));
                        }
                        Ok(None) => {
                            retired.extend(keepers.remove(&id).map(|(keeper, _)| keeper));
                            continue;
                        }
                        Err(fault) => {
                            events(JobEvent::Wrong(fault.message));
                            continue;
                        }
                    }
                }
                let Some((keeper, known)) = keepers.get_mut(&id) else { continue };
                self.look(keeper, known, &mut under_way, cut).await;
                self.deliver(keeper, of.except.as_ref()).await;
            }
            while under_way.try_join_next().is_some() {}
            retired = let_go(retired).await;
            tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(EACH) => {}
            }
        }
        while under_way.join_next().await.is_some() {}
        for (keeper, _) in keepers.values() {
            self.deliver(keeper, of.except.as_ref()).await;
        }
        let_go(retired.into_iter().chain(keepers.into_values().map(|(keeper, _)| keeper))).await;
    }

    fn keeper(&self, bot: Arc<Bot>, events: &JobEvents, cancel: &Cancel) -> Result<Option<Keeper>, Fault> {
        let Some(database) = self.host().database(&bot.config).cloned().filter(|_| files::start(&bot.config)) else {
            return Ok(None);
        };
        let owner = database.job_owner().map_err(|fault| crate::talk::broken(&fault))?;
        let settings = SessionSettings {
            mode: bots::mode(&bot.config),
            asker: Arc::new(NoAsker),
            front: "jobs",
            keeping: Keeping::Nothing,
            ..SessionSettings::default()
        };
        Ok(Some(Keeper {
            workspace: disk::here(&bot.config)?,
            session: Session::new(&bot.agent, settings)?,
            tools: toolset::unoffered(&bot.config)?,
            owner: Arc::new(owner),
            events: Arc::clone(events),
            calls: AtomicU64::new(1),
            running: Mutex::default(),
            unnoted: Mutex::default(),
            cancel: cancel.clone(),
            database,
            bot,
        }))
    }

    async fn look(
        self: &Arc<Self>,
        keeper: &Arc<Keeper>,
        known: &mut Known,
        under_way: &mut JoinSet<()>,
        cut: &Cancel,
    ) {
        let Some(jobs) = keeper.jobs(known).await else { return };
        for (job, due, start) in jobs.due(Timestamp::now()) {
            if keeper.running.lock().contains(&job.id) || keeper.unnoted.lock().contains(&(job.id.clone(), due)) {
                continue;
            }
            match (start, &*job.payload.kind) {
                (Start::Skips, _) => keeper.settle(job, due, Outcome::Skipped).await,
                (Start::Runs, MESSAGE) => keeper.settle(job, due, Outcome::Ok).await,
                (Start::Runs, INSTRUCTION) => {
                    match keeper.database.claim_job(&keeper.key(job, due), &job.name, &keeper.owner) {
                        Ok(JobClaim::Taken) => {}
                        Ok(JobClaim::Over(error)) => {
                            keeper.note(&job.id, due, &error.map_or(Outcome::Ok, Outcome::Error)).await;
                        }
                        Ok(JobClaim::Mine(attempt)) => {
                            keeper.running.lock().insert(job.id.clone());
                            let (bots, keeper, job, cut) =
                                (Arc::clone(self), Arc::clone(keeper), job.clone(), cut.clone());
                            under_way.spawn(async move { bots.instruct(&keeper, &job, (due, attempt), &cut).await });
                        }
                        Err(error) => keeper.wrong(&error),
                    }
                }
                (Start::Runs, other) => {
                    let why = Message::new("cron-payload-unknown").with("job", &job.id).with("kind", other);
                    keeper.settle(job, due, Outcome::Error(keeper.say(&why))).await;
                }
            }
        }
    }

    /// Follows an instruction that is this process's to follow.
    async fn instruct(&self, keeper: &Keeper, job: &Job, (due, attempt): (i64, u32), cut: &Cancel) {
        let followed = if attempt > MOST_ATTEMPTS {
            follow::Followed::failed(keeper.say(&Message::new("cron-given-up").with("attempts", MOST_ATTEMPTS)))
        } else {
            self.follow(&keeper.bot, job, cut).await
        };
        let (channel, chat) = job.payload.chat();
        let says = followed.answer.map(|text| JobWords { channel, chat, text: keeper.clean(&text), foreign: true });
        let error = followed.error.map(|why| keeper.clean(&why));
        let outcome = error.clone().map_or(Outcome::Ok, Outcome::Error);
        let end = JobEnd { state: state(&outcome), error, session: followed.session, says };
        match keeper.database.end_job(&keeper.key(job, due), &job.name, &keeper.owner, &end) {
            Ok(true) => keeper.tell(job, due, &end),
            Ok(false) => {}
            Err(error) => keeper.wrong(&error),
        }
        keeper.note(&job.id, due, &outcome).await;
        keeper.running.lock().remove(&job.id);
    }
}

const fn state(outcome: &Outcome) -> JobState {
    match outcome {
        Outcome::Ok => JobState::Ok,
        Outcome::Error(_) => JobState::Error,
        Outcome::Skipped => JobState::Skipped,
    }
}

impl Keeper {
    fn key(&self, job: &Job, due_ms: i64) -> JobKey {
        JobKey { workspace: self.workspace.clone(), bot: self.bot.id.clone(), job: job.id.clone(), due_ms }
    }

    fn say(&self, message: &Message) -> String {
        use palanca_core::Catalogue as _;
        self.session.catalogue().render(message)
    }

    /// Without secrets.
    fn clean(&self, text: &str) -> String {
        self.session.words().redactor.redact(text).into_owned()
    }

    fn wrong(&self, error: &StoreError) {
        (self.events)(JobEvent::Wrong(error.message()));
    }

    /// A run that takes no time: it is over with its claim.
    async fn settle(&self, job: &Job, due: i64, outcome: Outcome) {
        let (channel, chat) = job.payload.chat();
        let says = (outcome == Outcome::Ok).then(|| JobWords {
            channel,
            chat,
            text: self.clean(&job.payload.text),
            foreign: false,
        });
        let error = if let Outcome::Error(why) = &outcome { Some(why.clone()) } else { None };
        let end = JobEnd { state: state(&outcome), error, session: None, says };
        match self.database.settle_job(&self.key(job, due), &job.name, &end) {
            Ok(true) => self.tell(job, due, &end),
            Ok(false) => {}
            Err(error) => return self.wrong(&error),
        }
        self.note(&job.id, due, &outcome).await;
    }

    fn tell(&self, job: &Job, due_ms: i64, end: &JobEnd) {
        let (bot, name) = (self.bot.id.clone(), job.name.clone());
        if let Some(error) = &end.error {
            (self.events)(JobEvent::Failed { bot, job: name, why: error.clone() });
        } else if let Some(words) = end.says.clone() {
            let said = JobMessage { id: 0, bot, job: job.id.clone(), name, due_ms, words };
            (self.events)(JobEvent::Said(said));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_not_said_each_time_it_is_looked() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let events = sparing(Arc::new({
            let heard = Arc::clone(&heard);
            move |event| heard.lock().push(event)
        }));
        let [one, other] = ["a", "b"].map(|job| JobEvent::Wrong(Message::new("cron-noted").with("job", job)));
        let failed = || JobEvent::Failed { bot: "ana".to_owned(), job: "tea".to_owned(), why: "x".to_owned() };
        for event in [one.clone(), one.clone(), other.clone(), one.clone(), failed(), failed()] {
            events(event);
        }
        assert_eq!(*heard.lock(), [one, other, failed(), failed()]);
    }
}
