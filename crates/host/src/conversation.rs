//! A conversation: one agent in one session, to which something is said again and again.

use crate::fault::{Fault, FaultKind};
use crate::session::Session;
use palanca_agent::session::{Entry, JobHeard, JobSaid, RestoreError, Restored, Resumed, State, Terms};
use palanca_agent::{Agent as Role, ContextLimits, Ended, History, Inbox, Ledger, Limits, Section, Settings, Sink};
use palanca_core::call::{Part, Speaker};
use palanca_core::tool::Cancel;
use palanca_core::{ConfirmMode, Message};
use palanca_models::{Delivery, Model};
use std::sync::Arc;

/// Who answers, and within which limits.
pub struct ConversationSettings {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Its role.
    pub role: Role,
    /// What the session keeps of how it goes on.
    pub terms: Terms,
    /// What the whole conversation may use.
    pub limits: Limits,
    /// The size of what the model is sent.
    pub context: ContextLimits,
    /// Whether answers come in pieces or whole.
    pub delivery: Delivery,
    /// What the model is told beside its role.
    pub sections: Vec<Section>,
}

/// Where a conversation begins.
pub enum Start<'a> {
    /// With nothing; its first words name the session in lists.
    New(&'a str),
    /// Where the session was left, as it is kept.
    Again,
    /// Where another one was left; this one keeps nothing.
    From(Box<Restored>),
}

/// One agent in one session.
pub struct Conversation<'a> {
    session: &'a Session,
    settings: ConversationSettings,
    ledger: Ledger,
    said: Said,
    speaker: Speaker,
    message: Option<String>,
    enclosed: Vec<Part>,
    /// The first words, where the session was left before they were kept.
    unsaid: Option<String>,
}

/// What was said so far.
enum Said {
    /// By an earlier process, calls that it left open included.
    Before(Box<State>),
    /// In this one.
    Here(History),
}

impl<'a> Conversation<'a> {
    /// Begins it, or takes it up: guards, costs and what is kept go on where they were. A session that keeps nothing has no
    /// conversation to take up [again](Start::Again).
    ///
    /// # Errors
    /// What cannot be kept or read back.
    pub async fn begin(
        session: &'a Session,
        settings: ConversationSettings,
        start: Start<'_>,
    ) -> Result<Conversation<'a>, Fault> {
        let restored = match (start, session.kept()) {
            (Start::New(_), None) => None,
            (Start::New(task), Some(kept)) => {
                kept.begin(task, settings.terms.clone(), None)
                    .await
                    .map_err(|fault| machine(Message::new("session-not-begun").with("reason", fault.message())))?;
                None
            }
            (Start::Again, Some(kept)) => {
                let restored = kept.resume(settings.terms.clone()).await;
                Some(restored.map_err(|error: RestoreError| machine(error.message()))?)
            }
            (Start::Again, None) => None,
            (Start::From(restored), _) => Some(*restored),
        };
        session.model().preset(&settings.model);
        let allowance = settings.limits.allowance();
        let Some(mut restored) = restored else {
            let ledger = Ledger::root(allowance);
            let (said, speaker) = (Said::Before(Box::default()), Speaker::User);
            let (message, enclosed, unsaid) = (None, Vec::new(), None);
            return Ok(Self { session, settings, ledger, said, speaker, message, enclosed, unsaid });
        };
        if let (Some((journal, _)), Some(_), None) = (session.undo(), session.kept(), &restored.state.totals.ended) {
            // It was killed.
            journal.sweep();
        }
        session.gate().resume(session.scope(), &restored.past());
        let ledger = Ledger::going_on(allowance, restored.costs(), restored.state.totals.answers);
        let totals = &restored.state.totals;
        let unsaid = totals.told.is_empty().then(|| totals.task.clone());
        session.see(&mut restored.state.conversation).await;
        let said = Said::Before(Box::new(restored.state));
        let (speaker, message, enclosed) = (Speaker::User, None, Vec::new());
        Ok(Self { session, settings, ledger, said, speaker, message, enclosed, unsaid })
    }

    /// Whose words the next ones are; the user's unless said otherwise.
    #[must_use]
    pub fn hearing(mut self, speaker: Speaker) -> Self {
        self.speaker = speaker;
        self
    }

    /// Which message of a channel the next words are, or the last one of them.
    #[must_use]
    pub fn of_message(mut self, message: Option<String>) -> Self {
        self.message = message;
        self
    }

    /// What is sent with the next words, as [`Session::enclose`] gives it.
    #[must_use]
    pub fn enclosing(mut self, parts: Vec<Part>) -> Self {
        self.enclosed = parts;
        self
    }

    /// The account that all of it is paid from.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Who answers.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        &*self.settings.model
    }

    /// From the next words on this model answers. Subagents keep theirs.
    pub fn answered_by(&mut self, model: Arc<dyn Model>) {
        self.settings.terms.model = Some(model.name().to_owned());
        self.settings.model = model;
    }

    /// Says something and hears the answer out, calls and all; without words, it goes on where it was left. `cancel` ends this
    /// alone: what can be taken back of the session, and the session itself, stay. It must be the token of the session's gate or
    /// a child of it.
    pub async fn say(&mut self, words: Option<&str>, sink: &dyn Sink, cancel: &Cancel) -> Ended {
        self.say_and_hear(words, &Inbox::default(), sink, cancel).await
    }

    /// The same, and what comes into `inbox` meanwhile is heard between the calls of the turn. What is left there afterwards was not.
    pub async fn say_and_hear(
        &mut self,
        words: Option<&str>,
        inbox: &Inbox,
        sink: &dyn Sink,
        cancel: &Cancel,
    ) -> Ended {
        let unsaid = self.unsaid.take();
        let words = words.or(unsaid.as_deref());
        // A gate whose token is cancelled runs nothing more, and there may be further words. No mode is less strict than yolo.
        let gate = self.session.gate().under(cancel.clone(), ConfirmMode::Yolo, None);
        let is_first = matches!(self.said, Said::Before(_));
        if is_first {
            self.session.tidy(&gate, &self.settings.role).await;
        }
        let recalled = self.session.recall(&gate, &self.settings.role, words).await;
        let role = self.session.as_it_is(&self.settings.role, is_first, recalled);
        let turn = self.session.turn_at(&gate, &*self.settings.model, &role);
        let turn = turn.cancel(cancel.clone()).sink(sink).inbox(inbox).speaker(self.speaker.clone());
        let turn = turn.message(self.message.clone()).enclosed(std::mem::take(&mut self.enclosed)).settings(Settings {
            limits: self.settings.limits,
            ledger: Some(self.ledger.clone()),
            delivery: self.settings.delivery,
            sections: self.settings.sections.clone(),
            ..self.session.settings()
        });
        let limits = self.settings.context;
        let (ended, history) = match std::mem::replace(&mut self.said, Said::Before(Box::default())) {
            Said::Before(state) => turn.resume(limits, *state, words).await,
            Said::Here(mut history) => {
                if let Some(kept) = self.session.kept() {
                    kept.keep(&Entry::Resumed(Resumed { terms: self.settings.terms.clone() }));
                }
                let ended = turn.run(&mut history, words.unwrap_or_default()).await;
                (ended, history)
            }
        };
        self.said = Said::Here(history);
        ended
    }

    /// Adds what a job has said meanwhile, once; between two turns.
    ///
    /// # Errors
    /// What cannot be read.
    pub async fn hear_job(&mut self, said: JobSaid) -> Result<JobHeard, Fault> {
        if matches!(&self.said, Said::Before(state) if !state.open.is_empty()) {
            return Ok(JobHeard::Waits);
        }
        let new = match self.session.kept() {
            Some(kept) => kept.keep_job(said.clone()).await.map_err(|error| machine(error.message()))?,
            None => Some(said.message.clone()),
        };
        if let Some(message) = new {
            match &mut self.said {
                Said::Before(state) => state.add(Entry::JobSaid(said)),
                Said::Here(history) => history.hear(message),
            }
        }
        Ok(JobHeard::Kept)
    }

    /// After the last words: subagents are ended, and what is under way around the session is waited for.
    pub async fn end(self) {
        self.session.pool().cancel();
        self.session.end().await;
        self.session.host().flush_traces().await;
    }
}

const fn machine(message: Message) -> Fault {
    Fault { kind: FaultKind::Machine, message }
}
