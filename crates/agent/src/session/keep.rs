//! Stores a run as it happens: every row before its consequences.
//!
//! A row is handed in at once and in its order, and whoever is about to do what cannot be undone waits until it is
//! [stored](Session::stored): a call that does more than read, a question, the end of the run. So a call that reads runs beside the
//! row of the answer that asked for it. No row is lost silently: the first row that cannot be stored ends the run. Running calls are ended, nothing new begins,
//! and the run says why. Secrets are redacted before storing; a call whose arguments contain one is marked, because its stored
//! form cannot be repeated.

use super::bytes;
use super::event::{Began, Changes, Entry, JobSaid, Judged, Resumed, Terms, VERSION};
use super::restore::{RestoreError, Restored, entry};
use super::secrets;
use super::state::Totals;
use super::witness::Witness;
use palanca_core::call::{CallId, Scope, SessionId};
use palanca_core::message::Message;
use palanca_core::ports::{
    Addition, Claim, Clock, EventNumber, Fence, NewEvent, NewSession, Pending, Recorder, Redactor, SessionStatus,
    SessionSummary, Sessions, StageDecision, StageRecord, StoreFault, StoredSession,
};
use palanca_core::tool::Cancel;
use palanca_models::Message as Said;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

/// The current status of a session, which its row alone does not tell: a killed process cannot update it.
#[must_use]
pub async fn status(store: &dyn Sessions, kept: &StoredSession) -> SessionStatus {
    let session = &kept.began.scope.session;
    // What cannot be told is as the row says.
    let is_over = kept.summary.status == SessionStatus::Running && store.is_held(session).await == Ok(false);
    if is_over { SessionStatus::Interrupted } else { kept.summary.status }
}
/// Characters of a task in the list of sessions.
const TASK_CHARS: usize = 300;

/// What sessions are kept with.
#[derive(Clone)]
pub struct Keeper {
    /// Where.
    pub store: Arc<dyn Sessions>,
    /// Takes secrets out.
    pub redactor: Arc<dyn Redactor>,
    /// When.
    pub clock: Arc<dyn Clock>,
}

/// A session that this process works on. No other process can meanwhile.
pub struct Session {
    keeper: Keeper,
    pub(super) scope: Scope,
    live: Mutex<Live>,
    unstored: tokio::sync::Mutex<Unstored>,
    fault: OnceLock<StoreFault>,
    /// Ended with the first fault.
    cancel: OnceLock<Cancel>,
    claim: OnceLock<Box<dyn Claim>>,
}

/// Rows that were handed in, and not found stored yet.
#[derive(Default)]
struct Unstored {
    rows: VecDeque<Pending<Result<EventNumber, StoreFault>>>,
    /// Rows that were found stored.
    stored: u64,
}

#[derive(Default)]
pub(super) struct Live {
    last: EventNumber,
    /// Rows that nobody waited for yet.
    handed_in: Vec<Pending<Result<EventNumber, StoreFault>>>,
    /// How many were handed in, and how many when the last step began.
    rows: u64,
    of_earlier_steps: u64,
    totals: Totals,
    pub(super) seen: HashMap<CallId, Seen>,
    /// What agents changed that work for this one: told with the next result.
    pub(super) below: Changes,
}

/// What the gate showed of a call that has not ended yet.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) verdicts: Vec<Judged>,
    pub(super) writes: Vec<String>,
    pub(super) changes: Changes,
    pub(super) foreign: bool,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.scope.session).finish_non_exhaustive()
    }
}

/// What became of a job's words that were brought to a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobHeard {
    /// They are part of it.
    Kept,
    /// They are brought again later: calls of it are open, and what is said to whoever takes it up comes after them.
    Waits,
}

impl Session {
    /// A session that is neither begun nor taken up yet, so that a gate can be built around it. Nothing is kept before it is.
    #[must_use]
    pub fn new(keeper: Keeper, scope: Scope) -> Self {
        Self {
            keeper,
            scope,
            live: Mutex::default(),
            unstored: tokio::sync::Mutex::default(),
            fault: OnceLock::new(),
            cancel: OnceLock::new(),
            claim: OnceLock::new(),
        }
    }

    /// Begins the session. `parent` is the session whose agent started it.
    ///
    /// # Errors
    /// Why it cannot be kept; then nothing was.
    pub async fn begin(&self, task: &str, terms: Terms, parent: Option<SessionId>) -> Result<(), StoreFault> {
        let store = &self.keeper.store;
        let fence = self.hold(store.claim(self.id()).await?);
        let shown: String = self.keeper.redactor.redact(task).chars().take(TASK_CHARS).collect();
        let session = NewSession {
            scope: self.scope.clone(),
            parent,
            workspace: Some(terms.workspace.clone()),
            task: shown,
            agent: terms.agent.clone(),
            model: terms.model.clone(),
            started_ms: now_ms(&*self.keeper.clock),
        };
        let began = Entry::Began(Began { version: VERSION, task: task.to_owned(), terms });
        let last = store.begin(session, fence, vec![self.row(&began)?]).await?;
        let mut live = self.lock();
        live.last = last;
        live.totals.add(&began);
        Ok(())
    }

    /// Takes up a session that is there already.
    ///
    /// # Errors
    /// [`StoreFault::Held`] while another process works on it, that there is none, and what cannot be read.
    pub async fn resume(&self, terms: Terms) -> Result<Restored, RestoreError> {
        self.hold(self.keeper.store.claim(self.id()).await?);
        // Read while the session is claimed: no other process adds to it from here on.
        let restored = Restored::read(&*self.keeper.store, self.id()).await?;
        {
            let mut live = self.lock();
            live.last = restored.last;
            live.totals.clone_from(&restored.state.totals);
        }
        self.keep(&Entry::Resumed(Resumed { terms }));
        self.stored().await;
        match self.fault.get() {
            Some(fault) => Err(fault.clone().into()),
            None => Ok(restored),
        }
    }

    /// Adds what a job has said to a session that nobody works on; it goes on as it was left.
    ///
    /// # Errors
    /// As [`Session::resume`].
    pub async fn hear_job(&self, said: JobSaid) -> Result<JobHeard, RestoreError> {
        self.hold(self.keeper.store.claim(self.id()).await?);
        let restored = Restored::read(&*self.keeper.store, self.id()).await?;
        if !restored.state.open.is_empty() {
            return Ok(JobHeard::Waits);
        }
        {
            let mut live = self.lock();
            live.last = restored.last;
            live.totals.clone_from(&restored.state.totals);
        }
        self.keep_job(said).await?;
        self.stored().await;
        self.fault.get().map_or(Ok(JobHeard::Kept), |fault| Err(fault.clone().into()))
    }

    /// Keeps what a job has said, once. Returns it where it is new.
    ///
    /// # Errors
    /// What cannot be read.
    pub async fn keep_job(&self, said: JobSaid) -> Result<Option<Said>, RestoreError> {
        let last = self.keeper.store.last_of(self.id(), Entry::JOB_SAID).await?;
        let before = match last.map(|event| entry(self.id(), &event)).transpose()?.flatten() {
            Some(Entry::JobSaid(before)) => before.number,
            _ => 0,
        };
        let new = (said.number > before).then(|| said.message.clone());
        if new.is_some() {
            self.keep(&Entry::JobSaid(said));
        }
        Ok(new)
    }

    fn hold(&self, claim: Box<dyn Claim>) -> Fence {
        // A session is begun or taken up once.
        self.claim.get_or_init(|| claim).fence()
    }

    /// The session's id.
    #[must_use]
    pub const fn id(&self) -> &SessionId {
        &self.scope.session
    }

    /// Where its calls belong.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// A session for the conversation of a subagent that works for this one. None where it cannot be kept; what counts for
    /// this session is kept here.
    #[must_use]
    pub async fn below(&self, id: SessionId, parent: &SessionId, task: &str, agent: &str) -> Option<Self> {
        self.claim.get()?;
        let terms = Terms { agent: agent.to_owned(), ..self.lock().totals.terms.clone() };
        let below = Self::new(self.keeper.clone(), Scope { session: id, ..self.scope.clone() });
        // ignored: the first row that cannot be kept here ends the run and says why.
        below.begin(task, terms, Some(parent.clone())).await.ok()?;
        Some(below)
    }

    /// What is ended with the first row that cannot be kept: the gate's token. Only the first counts.
    pub fn stop_with(&self, cancel: Cancel) {
        // ignored: there is one gate to a session.
        let _ = self.cancel.set(cancel);
    }

    /// Why nothing is kept any more, if so.
    #[must_use]
    pub fn fault(&self) -> Option<&StoreFault> {
        self.fault.get()
    }

    /// What was counted so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.lock().totals.clone()
    }

    /// Hands in one row. When it is [stored](Self::stored), or there is a [`fault`](Self::fault), that holds for all before it, too.
    pub fn keep(&self, entry: &Entry) {
        let Some(claim) = self.claim.get().filter(|_| self.fault.get().is_none()) else { return };
        let mut live = self.lock();
        let mut added;
        let entry = match entry {
            Entry::CallEnded(ended) => {
                added = ended.clone();
                let seen = live.seen.remove(&ended.call).unwrap_or_default();
                added.verdicts.extend(seen.verdicts);
                added.changes = seen.changes;
                added.changes.add(std::mem::take(&mut live.below));
                added.foreign |= seen.foreign;
                &Entry::CallEnded(added)
            }
            other => other,
        };
        live.totals.add(entry);
        let summary = summary(&live.totals);
        match self.row(entry) {
            Ok(row) => {
                let (session, fence) = (self.scope.session.clone(), claim.fence());
                let (after, events) = (live.last, vec![row]);
                let addition = Addition { session, fence, after, events, summary: Some(summary) };
                let pending = self.keeper.store.append(addition);
                live.handed_in.push(pending);
                live.last.0 += 1;
                live.rows += 1;
            }
            Err(fault) => {
                drop(live);
                self.fail(fault);
            }
        }
    }

    /// Waits until every row that was handed in is stored, or there is a [`fault`](Self::fault).
    pub async fn stored(&self) {
        let rows = self.lock().rows;
        self.stored_up_to(rows).await;
    }

    /// The same for the rows of earlier steps: what a run does is never more than a step ahead of what is stored of it.
    pub(crate) async fn stored_before_this_step(&self) {
        let rows = {
            let mut live = self.lock();
            let now = live.rows;
            std::mem::replace(&mut live.of_earlier_steps, now)
        };
        self.stored_up_to(rows).await;
    }

    async fn stored_up_to(&self, rows: u64) {
        let mut unstored = self.unstored.lock().await;
        unstored.rows.extend(self.lock().handed_in.drain(..));
        while unstored.stored < rows
            && let Some(row) = unstored.rows.front_mut()
        {
            // Stays in its place while it is waited for: whoever waits may be dropped.
            let stored = row.await;
            unstored.rows.pop_front();
            unstored.stored += 1;
            if let Err(fault) = stored {
                self.fail(fault);
            }
        }
    }

    fn fail(&self, fault: StoreFault) {
        // ignored: the first is the reason.
        let _ = self.fault.set(fault);
        if let Some(cancel) = self.cancel.get() {
            cancel.cancel();
        }
    }

    fn row(&self, entry: &Entry) -> Result<NewEvent, StoreFault> {
        let clean = secrets::without(&*self.keeper.redactor, entry);
        let body = clean.value().and_then(|mut value| {
            let taken = if bytes::are_in(&clean) { bytes::take(&clean, &mut value) } else { Vec::new() };
            self.keeper.redactor.redact_json(&mut value);
            bytes::give_back(&clean, &mut value, taken);
            serde_json::to_string(&value)
        });
        Ok(NewEvent {
            at_ms: now_ms(&*self.keeper.clock),
            kind: entry.kind(),
            call: entry.call().cloned(),
            body: body
                .map_err(|error| StoreFault::Broken(Message::new("tool-failed").with("reason", error.to_string())))?,
        })
    }

    /// The gate's recorder, passed on to `inner`: what really begins is a row of the session first.
    #[must_use]
    pub fn recorder(self: &Arc<Self>, inner: Arc<dyn Recorder>) -> Arc<dyn Recorder> {
        Arc::new(Witness { session: Arc::clone(self), inner })
    }

    pub(super) fn judged(&self, records: &[StageRecord<'_>]) {
        let mut live = self.lock();
        for record in records.iter().filter(|record| record.session == self.scope.session.as_str()) {
            if matches!(record.verdict, StageDecision::Allow | StageDecision::Begin) {
                continue;
            }
            live.seen.entry(CallId::new(record.call)).or_default().verdicts.push(Judged {
                stage: record.stage,
                verdict: record.verdict,
                rule: record.rule.map(str::to_owned),
            });
        }
    }

    pub(super) fn writes(&self, call: &str) -> Vec<String> {
        self.lock().seen.get(&CallId::new(call)).map(|seen| seen.writes.clone()).unwrap_or_default()
    }

    pub(super) fn lock(&self) -> parking_lot::MutexGuard<'_, Live> {
        self.live.lock()
    }
}

/// What a row says of how the session stands.
fn summary(totals: &Totals) -> SessionSummary {
    SessionSummary {
        status: totals.ended.as_ref().map_or(SessionStatus::Running, |ended| ended.status.into()),
        stop_reason: totals.ended.as_ref().map(|ended| ended.stop_reason.clone()),
        steps: totals.steps,
        calls: totals.calls,
        tokens: totals.costs.total_tokens,
        dollars: totals.costs.total_cost_usd,
    }
}

fn now_ms(clock: &dyn Clock) -> u64 {
    let at = clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}
