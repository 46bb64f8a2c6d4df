//! `palanca chat`: a conversation with the agent, at a terminal or through a pipe: a line in, an answer out.

mod jobs;
mod line;

use super::run::course::{Job, failure, needed};
use super::run::earlier::{Earlier, LATEST};
use super::run::{Opening, flags as flags_of, job};
use super::sessions::left;
use crate::args::Global;
use crate::args::chat::Chat;
use crate::args::run::RunFlags;
use crate::exit::{Ended, Exit, Failure};
use crate::render::speech::Reader;
use crate::render::{rehearsed, stderr};
use crate::wire::open::Asking;
use crate::wire::runtime::{self, Threads};
use crate::wire::settings;
use crate::wire::signals::Underway;
use jobs::ChatJobs;
use line::{Command, Heard, Line, Lines};
use palanca_bots::OPERATOR;
use palanca_core::call::ChatId;
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Force, JournalError, StepNumber};
use palanca_host::Notices as _;
use palanca_host::agent::{bots, limits as bounds, model};
use palanca_host::configuration::{Flag, not_used};
use palanca_host::{Conversation, ConversationSettings, Redacted, Start, not_undone};
use std::io::IsTerminal as _;

pub fn chat(global: &Global, args: Chat) -> Ended {
    let mut global = global.clone();
    if let (Some(one), Some(other)) = (&args.with_bot, &global.bot)
        && one != other
    {
        let two = Message::new("chat-two-bots").with("one", one.as_str()).with("other", other.as_str());
        return Err(Failure::said(&two));
    }
    let opening = match args.with_bot.or_else(|| global.bot.clone()) {
        Some(bot) => {
            let chat = ChatId::new(args.chat.unwrap_or_else(|| OPERATOR.to_owned()));
            global.bot = Some(bot);
            let loaded = settings::resolve(&global, &[])?;
            if let Err(fault) = bots::check(&loaded.config) {
                let of_bots = loaded.warnings.iter().filter(|warning| warning.key == "bots");
                of_bots.for_each(|warning| settings::notices(&global).advise(&not_used(warning)));
                return Err(fault.into());
            }
            let config = loaded.config;
            let bot = bots::id(&config).filter(|_| !args.new);
            let earlier = bot.map(|bot| Earlier::of_chat(&config, bot, &chat)).transpose()?.flatten();
            Opening { prompt: None, earlier, chat: Some(chat) }
        }
        None if args.chat.is_some() || args.new => {
            return Err(Failure::said(&Message::new("chat-needs-bot")));
        }
        None => {
            let earlier = args.goes_on.then(|| Earlier::find(&global, LATEST)).transpose()?;
            Opening { earlier, ..Opening::default() }
        }
    };
    let flags = RunFlags { with: args.with, ..RunFlags::default() };
    let underway = Underway::default();
    let own = flags_of(&flags.with);
    let job = job(global, flags, opening, Asking::InConversation(underway.clone()))?;
    runtime::block_on(Threads::One, talk(job, underway, own))
}

async fn talk(job: Job, underway: Underway, flags: Vec<Flag>) -> Ended {
    let whole = job.app.gate().cancel().clone();
    underway.listen(&whole);
    let mut chat = Talk::open(&job, &underway).await?;
    let mut jobs = ChatJobs::begin(&job, &flags)?;
    let mut lines = Lines::new(job.tells());
    let mut leaving = false;
    let ended = loop {
        if let Err(failure) = chat.hear_jobs(jobs.as_ref()).await {
            stderr::error(&failure);
        }
        let prompts = lines.prompts();
        let next = lines.next(&underway);
        tokio::pin!(next);
        let line = loop {
            tokio::select! {
                biased;
                () = whole.cancelled() => break None,
                heard = &mut next => break Some(heard),
                () = looks(&mut jobs) => match chat.hear_jobs(jobs.as_ref()).await {
                    Ok(true) if prompts => stderr::prompt(">"),
                    Ok(_) => {}
                    Err(failure) => stderr::error(&failure),
                },
            }
        };
        let Some(line) = line else { break Ok(Exit::Interrupted) };
        let line = match line {
            Heard::Line(line) => line,
            Heard::Interrupt if !leaving => {
                leaving = true;
                // The prompt has left its line open.
                stderr::line("");
                stderr::note(&Message::new("chat-leaving"));
                continue;
            }
            Heard::End | Heard::Interrupt => {
                if prompts {
                    stderr::line("");
                }
                break Ok(Exit::Success);
            }
        };
        leaving = false;
        match chat.hear(line, &whole, jobs.as_ref()).await {
            Ok(Then::GoOn) if whole.is_cancelled() => break Ok(Exit::Interrupted),
            Ok(Then::GoOn) => {}
            Ok(Then::Leave) => break Ok(Exit::Success),
            // A person reads why and says something else; a script must know.
            Err(failure) if std::io::stdin().is_terminal() => stderr::error(&failure),
            Err(failure) => break Err(failure),
        }
    };
    if let Some(jobs) = jobs {
        jobs.end().await;
    }
    chat.end().await;
    ended
}

/// Ends when it is time to look what jobs have said; never where there are none.
async fn looks(jobs: &mut Option<ChatJobs>) {
    match jobs {
        Some(jobs) => jobs.tick().await,
        None => std::future::pending().await,
    }
}

/// What comes after a line.
enum Then {
    GoOn,
    Leave,
}

/// A conversation, and what a person can do beside talking.
struct Talk<'a> {
    job: &'a Job,
    underway: &'a Underway,
    state: State<'a>,
    /// How many steps of the session could be undone before each turn.
    steps: Vec<usize>,
    /// What the model has not been told of yet.
    untold: Option<Message>,
}

enum State<'a> {
    /// Nothing was said yet; the first words name the session.
    Silent(Box<ConversationSettings>),
    Begun(Box<Conversation<'a>>),
    /// It could not begin.
    Broken,
}

impl<'a> Talk<'a> {
    async fn open(job: &'a Job, underway: &'a Underway) -> Result<Self, Failure> {
        let settings = job.settings(job.sections.clone()).await?;
        job.say_what_begins(settings.model.name())?;
        let mut talk =
            Self { job, underway, state: State::Silent(Box::new(settings)), steps: Vec::new(), untold: None };
        if let Some(earlier) = &job.earlier {
            let start = job.taking_up(earlier)?;
            talk.begin(start).await?;
            if job.tells() {
                stderr::note(&Message::new("chat-goes-on").with("task", earlier.task()));
            }
        }
        Ok(talk)
    }

    async fn hear(&mut self, line: Line, whole: &Cancel, jobs: Option<&ChatJobs>) -> Result<Then, Failure> {
        match line {
            Line::Words(words) => self.say(&words, whole, jobs).await?,
            Line::Command(Command::Help) => stderr::note(&Message::new("chat-help")),
            Line::Command(Command::Undo) => self.undo()?,
            Line::Command(Command::Model(None)) => {
                stderr::note(&Message::new("chat-model").with("model", self.model()));
            }
            Line::Command(Command::Model(Some(name))) => self.answered_by(name).await?,
            Line::Command(Command::Quit) => return Ok(Then::Leave),
            Line::Unknown(name, near) => {
                let key = if near.is_some() { "chat-unknown-near" } else { "chat-unknown" };
                stderr::warn(&Message::new(key).with("name", name).with("near", near.unwrap_or_default()));
            }
        }
        Ok(Then::GoOn)
    }

    async fn begin(&mut self, start: Start<'_>) -> Result<(), Failure> {
        let State::Silent(settings) = std::mem::replace(&mut self.state, State::Broken) else { return Ok(()) };
        let conversation = Conversation::begin(&self.job.app, *settings, start).await?;
        self.job.takes_tasks(conversation.ledger());
        self.state = State::Begun(Box::new(conversation));
        Ok(())
    }

    async fn say(&mut self, words: &str, whole: &Cancel, jobs: Option<&ChatJobs>) -> Result<(), Failure> {
        if matches!(self.state, State::Silent(_)) {
            self.begin(Start::New(words)).await?;
        }
        self.hear_jobs(jobs).await?;
        let steps = self.steps()?;
        let State::Begun(conversation) = &mut self.state else {
            return Err(Failure::said(&Message::new("chat-broken")));
        };
        let app = &self.job.app;
        self.steps.push(steps);
        let told = self.untold.take().map(|untold| format!("{words}\n\n{}", app.catalogue().render(&untold)));
        let reader = if std::io::stdout().is_terminal() && self.job.tells() { Reader::Person } else { Reader::Program };
        let screen = self.job.screen(reader);
        let watcher = Redacted::new(&screen, app.words().redactor.clone());
        let turn = self.underway.begin(whole);
        let said = conversation.say(Some(told.as_deref().unwrap_or(words)), &watcher, &turn);
        let ended = self.job.with_status(said).await;
        self.underway.end();
        needed(&ended.report, app);
        self.job.show_answer(&ended.report, ended.answer.as_deref(), &screen)?;
        failure(&ended, app).map_or(Ok(()), Err)
    }

    /// Shows what jobs have said in this chat meanwhile. Returns whether something was shown.
    async fn hear_jobs(&mut self, jobs: Option<&ChatJobs>) -> Result<bool, Failure> {
        let Some(jobs) = jobs else { return Ok(false) };
        let conversation =
            if let State::Begun(conversation) = &mut self.state { Some(&mut **conversation) } else { None };
        jobs.hear(&self.job.app, conversation).await
    }

    fn model(&self) -> String {
        match &self.state {
            State::Silent(settings) => settings.model.name().to_owned(),
            State::Begun(conversation) => conversation.model().name().to_owned(),
            State::Broken => String::new(),
        }
    }

    async fn answered_by(&mut self, name: String) -> Result<(), Failure> {
        let mut config = (*self.job.config).clone();
        let provider = |name: Option<&str>| name.and_then(|name| name.split(':').next()).map(str::to_owned);
        if provider(config.llm.model.as_deref()) != provider(Some(&name)) {
            // The address is that of the other one.
            config.llm.api_base = None;
            config.llm.api_key_env = None;
        }
        config.llm.model = Some(name);
        let model = model::model(self.job.app.host(), &config, 0).await?;
        bounds::can_hold_budget(&config, &bounds::prices(&config)?, model.name())?;
        stderr::note(&Message::new("chat-model").with("model", model.name()));
        match &mut self.state {
            State::Silent(settings) => {
                settings.terms.model = Some(model.name().to_owned());
                settings.model = model;
            }
            State::Begun(conversation) => conversation.answered_by(model),
            State::Broken => {}
        }
        Ok(())
    }

    /// Steps of the session that can be undone.
    fn steps(&self) -> Result<usize, Failure> {
        let Some((journal, _)) = self.job.app.undo() else { return Ok(0) };
        Ok(journal.list(&self.job.app.scope().session).map_err(broken)?.len())
    }

    /// Undoes what the last turn changed that is not undone yet.
    fn undo(&mut self) -> Result<(), Failure> {
        let app = &self.job.app;
        let (Some(before), Some((journal, disk))) = (self.steps.last().copied(), app.undo()) else {
            stderr::note(&Message::new("sessions-nothing-to-undo"));
            return Ok(());
        };
        let session = &app.scope().session;
        let to = StepNumber(before);
        let plan = journal.plan_undo(disk, session, (to, Force::Refuse)).map_err(broken)?;
        let diff = rehearsed::undone(&plan, journal);
        if !diff.is_empty() {
            stderr::line(diff.trim_end());
        }
        let undone = journal.perform(&plan, session).map_err(broken)?;
        self.steps.pop();
        if let Some(left) = left(&plan) {
            stderr::warn(&left);
        }
        if undone.restored.is_empty() && undone.removed.is_empty() {
            stderr::note(&Message::new("sessions-nothing-to-undo"));
            return Ok(());
        }
        let names = undone.restored.iter().chain(&undone.removed).map(ToString::to_string).collect::<Vec<_>>();
        self.untold = Some(Message::new("chat-undone-told").with("names", names.join(", ")));
        stderr::note(
            &Message::new("chat-undone").with("restored", undone.restored.len()).with("removed", undone.removed.len()),
        );
        Ok(())
    }

    async fn end(self) {
        let kept = self.job.app.kept().map(|kept| kept.id().to_string());
        if let State::Begun(conversation) = self.state {
            conversation.end().await;
            if let (Some(id), true) = (kept, self.job.tells()) {
                stderr::dim(&self.job.app.catalogue().render(&Message::new("session-kept").with("id", id)));
            }
        }
    }
}

fn broken(error: JournalError) -> Failure {
    Failure::saying(Exit::Failed, &not_undone(&error))
}
