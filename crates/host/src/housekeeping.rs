//! Removes what is older than the configuration keeps it.

use crate::fault::{Fault, FaultKind, unusable};
use crate::host::Host;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{SessionFilter, Sessions, StoreFault, wait};
use palanca_core::tool::Cancel;
use palanca_files::{Journal, JournalError};
use palanca_store::{AuditError, Cleaning, Cleared, StoreError};
use palanca_text::some;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: Duration = Duration::from_secs(86_400);
/// How often a process that lives on cleans.
const EACH: Duration = Duration::from_secs(3600);

/// What went, or would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Sessions and their undo steps.
    pub sessions: CleanedSessions,
    /// Settled questions and long texts.
    pub rows: Cleared,
    /// Closed files of the audit log, by name.
    pub audit_files: Vec<String>,
}

/// Sessions that went, or would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanedSessions {
    /// Their names.
    pub removed: Vec<SessionId>,
    /// Those that a process works on; they stay.
    pub running: Vec<SessionId>,
    /// Steps that can no longer be taken back.
    pub undo_steps: usize,
}

/// The sentence for what is wrong with the undo journal.
#[must_use]
pub fn journal_fault(error: &JournalError) -> Message {
    match error {
        JournalError::State(error) => unusable(error),
        JournalError::File(error) => error.clone().into_tool_error().message().clone(),
        // The database reports to those who know it as a file only.
        JournalError::Index(error)
            if let Some(error) = error.get_ref().and_then(|e| e.downcast_ref::<StoreError>()) =>
        {
            error.message()
        }
        other => Message::new("system-words").with("words", other.to_string()),
    }
}

/// The sentence for an error of the journal, where something was to be undone.
#[must_use]
pub fn not_undone(error: &JournalError) -> Message {
    match error {
        JournalError::NoSuchStep { session, step, steps } => {
            Message::new("sessions-no-such-step").with("session", session).with("step", step.0).with("steps", *steps)
        }
        JournalError::OtherWorkspace { step, workspace } => {
            Message::new("sessions-other-workspace").with("step", step.0).with("workspace", workspace)
        }
        JournalError::Changed(names) => Message::new("sessions-changed").with("names", some(names)),
        JournalError::NotKept(names) => Message::new("sessions-not-kept").with("names", some(names)),
        other => journal_fault(other),
    }
}

fn failed(message: Message) -> Fault {
    Fault { kind: FaultKind::Machine, message }
}

impl Host {
    /// Removes sessions, long texts, settled questions and closed files of the audit log that are older than the configuration
    /// keeps them.
    ///
    /// # Errors
    /// No state directory that can be used, and what cannot be read or removed.
    pub fn clean(&self, config: &Config, cleaning: Cleaning) -> Result<Cleaned, Fault> {
        let home = self.places().state_for("store")?;
        let closed = || Message::new("cli-sessions-closed").with("path", home.display().to_string());
        let database = self.database(config).ok_or_else(|| Fault::said(closed()))?;
        let sessions = self.clean_sessions(config, before(config.sessions.cleanup_after_days), cleaning)?;
        let mut cleaned = Cleaned { sessions, ..Cleaned::default() };
        let cleared = database.clear(before(config.approvals.keep_days), cleaning);
        cleaned.rows = cleared.map_err(|error| failed(error.message()))?;
        if let (Some(days), Some(audit)) = (config.audit.keep_days, &self.state(config).audit) {
            let removed = audit.remove_before(SystemTime::now() - DAY * days, cleaning);
            let said = |error: AuditError| Message::new("system-words").with("words", error.to_string());
            cleaned.audit_files = removed.map_err(|error| failed(said(error)))?;
        }
        if cleaning == Cleaning::Removes {
            tracing::info!(palanca.sessions = cleaned.sessions.removed.len(), "cleaned");
        }
        Ok(cleaned)
    }

    /// Removes the sessions that nothing was added to since `before_ms`, with their events, texts and undo steps.
    ///
    /// # Errors
    /// What cannot be read or removed.
    pub fn clean_sessions(
        &self,
        config: &Config,
        before_ms: u64,
        cleaning: Cleaning,
    ) -> Result<CleanedSessions, Fault> {
        let mut cleaned = CleanedSessions::default();
        let (Some(store), Some(journal)) = (self.database(config), self.journal(config)) else { return Ok(cleaned) };
        let store: &dyn Sessions = &**store;
        let wanted = SessionFilter { before_ms: Some(before_ms), ..SessionFilter::default() };
        for kept in wait(store.sessions(&wanted)).map_err(|error| failed(error.message()))? {
            let id = kept.began.scope.session;
            match forget(store, &id, cleaning) {
                Ok(()) => cleaned.removed.push(id),
                Err(StoreFault::Held { .. }) => cleaned.running.push(id),
                Err(error) => return Err(failed(error.message())),
            }
        }
        for changed in journal.sessions().map_err(|error| failed(journal_fault(&error)))? {
            let kept = || wait(store.session(&changed.session)).map(|kept| kept.is_some());
            let is_known = cleaned.removed.contains(&changed.session);
            // Single calls, which only the journal knows.
            if changed.last_ms < before_ms && !is_known && !kept().map_err(|error| failed(error.message()))? {
                cleaned.removed.push(changed.session);
            }
        }
        for id in &cleaned.removed {
            cleaned.undo_steps += forget_steps(journal, id, cleaning).map_err(|error| failed(journal_fault(&error)))?;
        }
        Ok(cleaned)
    }

    /// Cleans now and every hour, until it is cancelled or the host is [drained](Self::drain). What fails is said once, and tried
    /// again. A program that lives long begins it with its host:
    ///
    /// ```no_run
    /// # async fn asked_to_end() {}
    /// # async fn serve(host: std::sync::Arc<palanca_host::Host>, config: std::sync::Arc<palanca_config::Config>) {
    /// use palanca_core::tool::Cancel;
    ///
    /// let cleaned = std::sync::Arc::clone(&host);
    /// tokio::spawn(async move { cleaned.keep_clean(&config, &Cancel::new()).await });
    /// asked_to_end().await;
    /// let cut_off = host.drain(palanca_host::GRACE).await;
    /// # }
    /// ```
    pub async fn keep_clean(self: &Arc<Self>, config: &Arc<Config>, cancel: &Cancel) {
        let _underway = self.ending.chores.begin();
        let mut said = None;
        loop {
            let (host, config) = (Arc::clone(self), Arc::clone(config));
            let cleaned = tokio::task::spawn_blocking(move || host.clean(&config, Cleaning::Removes)).await;
            if let Ok(Err(fault)) = cleaned
                && said.as_ref() != Some(&fault)
            {
                self.notices().warn(&fault.message);
                said = Some(fault);
            }
            tokio::select! {
                () = cancel.cancelled() => return,
                () = self.ending.closing.cancelled() => return,
                () = tokio::time::sleep(EACH) => {}
            }
        }
    }
}

/// Milliseconds since 1970: what is older was last changed more than so many days ago. Of no days, everything until now.
#[must_use]
pub fn before(days: u32) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let before = u64::try_from(now.saturating_sub(DAY * days).as_millis()).unwrap_or(u64::MAX);
    before.saturating_add(u64::from(days == 0))
}

fn forget(store: &dyn Sessions, id: &SessionId, cleaning: Cleaning) -> Result<(), StoreFault> {
    if cleaning == Cleaning::Removes {
        return wait(store.remove(id));
    }
    if wait(store.is_held(id))? { Err(StoreFault::Held { what: id.to_string() }) } else { Ok(()) }
}

fn forget_steps(journal: &Journal, id: &SessionId, cleaning: Cleaning) -> Result<usize, JournalError> {
    let steps = journal.list(id)?.len();
    if cleaning == Cleaning::Removes {
        journal.forget(id)?;
    }
    Ok(steps)
}
