//! One chat: messages that come quickly are answered together, one answer at a time, in the order in which they came. What comes while an
//! answer is under way is heard between its calls; what comes too late for that is answered next.
//!
//! A message leaves the inbox when its answer was sent. After a kill the chat's session tells how far the last ones came: what is part of it is
//! not said to the bot again; an answer that was cut off goes on, and one that may not have been sent is sent.

use super::aloud;
use super::asks::asker;
use super::line::{Line, Terms};
use super::sending::Unsent;
use super::who::{Standing, told};
use crate::talk::{Chat, Hearing, Words};
use palanca_agent::{BotMode, Ended, Inbox, NoSink, Status, StopReason};
use palanca_channels::{Audience, Heard, split};
use palanca_core::Message;
use palanca_core::call::ChatId;
use palanca_core::ports::{Asker, NoAsker};
use palanca_core::tool::Cancel;
use palanca_host::Fault;
use palanca_store::{JobMark, JobMessage};
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

/// How long a chat without anything to do stays in memory.
const IDLE: Duration = Duration::from_secs(60);

/// How long the next part of an album is waited for.
const ALBUM: Duration = Duration::from_secs(1);

/// Something to do in a chat.
pub(super) enum Work {
    /// A message to answer.
    Heard(Heard),
    /// Messages that an earlier process has not answered, or not to their end.
    Again(Vec<Heard>),
    /// What a job has said.
    Job(JobMessage),
}

/// An answer under way.
pub(super) struct Underway {
    pub(super) cancel: Cancel,
    /// Who hears it.
    pub(super) audience: Audience,
}

pub(super) struct Worker {
    pub(super) line: Arc<Line>,
    id: ChatId,
    chat: Chat,
    works: UnboundedReceiver<Work>,
    queue: VecDeque<Heard>,
    /// What came while an answer was under way, and is no message.
    later: VecDeque<Work>,
}

/// Does what there is to do in a chat, until the line ends or nothing comes for a while.
pub(super) async fn work(line: Arc<Line>, id: ChatId, works: UnboundedReceiver<Work>) {
    let chat = Chat { channel: line.messenger.channel().into(), name: id.clone() };
    let mut worker = Worker { line, id, chat, works, queue: VecDeque::new(), later: VecDeque::new() };
    let mut is_after_an_answer = false;
    let stop = worker.line.stop.clone();
    loop {
        while let Some(something) = worker.later.pop_front() {
            worker.take(something).await;
        }
        while worker.queue.is_empty() {
            is_after_an_answer &= !worker.works.is_empty();
            let next = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                next = timeout(IDLE, worker.works.recv()) => next,
            };
            match next {
                Ok(Some(something)) => worker.take(something).await,
                Ok(None) => return,
                Err(_) if worker.line.may_go(&worker.id, &worker.works) => return,
                Err(_) => {}
            }
        }
        let manners = worker.line.terms().manners.clone();
        let [before, after] = manners.silence;
        let silence = if is_after_an_answer { after } else { before };
        while worker.queue.len() < manners.together || worker.is_in_an_album() {
            let silence = if worker.is_in_an_album() { silence.max(ALBUM) } else { silence };
            let next = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                next = timeout(silence, worker.works.recv()) => next,
            };
            match next {
                Ok(Some(something)) => worker.take(something).await,
                Ok(None) | Err(_) => break,
            }
        }
        worker.answer_next().await;
        is_after_an_answer = true;
        if stop.is_cancelled() {
            return;
        }
    }
}

impl Worker {
    async fn take(&mut self, something: Work) {
        match something {
            Work::Heard(heard) => self.queue.push_back(heard),
            Work::Again(heard) => self.take_up(heard).await,
            Work::Job(said) => self.tell(said).await,
        }
    }

    /// Messages of one person, as many as are answered together.
    fn together(&mut self, terms: &Terms) -> Vec<Heard> {
        // Two people may have one name; and what a person passes on is not their own.
        let whose = |heard: &Heard| (heard.from.id, terms.manners.speaker(heard), heard.exchange.clone());
        let first = self.queue.front().map(whose);
        let is_theirs = |heard: &&Heard| Some(whose(heard)) == first;
        let mut count = self.queue.iter().take(terms.manners.together).take_while(is_theirs).count();
        // An album is one message.
        let album = |at: usize| self.queue.get(at)?.album.as_ref();
        while count > 0 && album(count).is_some() && album(count) == album(count - 1) {
            count += 1;
        }
        self.queue.drain(..count).collect()
    }

    /// Whether what came last may not be all of it.
    fn is_in_an_album(&self) -> bool {
        self.queue.back().is_some_and(|heard| heard.album.is_some())
    }

    async fn answer_next(&mut self) {
        let terms = self.line.terms();
        let heard = self.together(&terms);
        let Some(last) = heard.last() else { return };
        // The process ends: the next one fetches it.
        let Some(fetched) = self.fetch(&heard).await else { return };
        let problems: Vec<String> = fetched.problems.iter().map(|problem| terms.say(problem)).collect();
        if !problems.is_empty() {
            let said = problems.join("\n");
            if fetched.files.is_empty() && heard.iter().all(|heard| heard.text.trim().is_empty()) {
                return self.reply(&said, &heard).await;
            }
            // ignored: the model is told the same.
            let _ = self.say(&said).await;
        }
        let told = heard.iter().map(told).chain(problems.into_iter().map(|problem| format!("[{problem}]")));
        let words = Words {
            text: Some(told.collect::<Vec<_>>().join("\n")),
            speaker: terms.manners.speaker(last),
            message: Some(last.number.to_string()),
            files: fetched.files,
        };
        self.turn(words, heard).await;
    }

    /// What an earlier process left: its session knows what of it the bot has been told.
    async fn take_up(&mut self, mut heard: Vec<Heard>) {
        let terms = self.line.terms();
        let last = match self.line.bots.last_message(&terms.bot.id, &self.chat).await {
            Ok(last) => last,
            Err(fault) => {
                self.line.wrong(&fault.message);
                None
            }
        };
        let known = last.and_then(|last| {
            let at = heard.iter().position(|heard| heard.number.to_string() == last.message)?;
            let answer = match last.ended {
                Some(ended) => (ended.status == Status::Success).then_some(ended.output),
                None => last.answered,
            };
            Some((at + 1, answer))
        });
        let Some((count, answer)) = known else { return self.queue.extend(heard) };
        self.queue.extend(heard.split_off(count));
        match answer {
            Some(answer) => self.answer(&answer, &heard).await,
            None => {
                let Some(last) = heard.last() else { return };
                let words = Words { speaker: terms.manners.speaker(last), ..Words::default() };
                self.turn(words, heard).await;
            }
        }
    }

    /// One turn of the bot, and its answer sent.
    async fn turn(&mut self, words: Words, mut heard: Vec<Heard>) {
        let (line, terms) = (Arc::clone(&self.line), self.line.terms());
        let Some(last) = heard.last().cloned() else { return };
        let cancel = line.cut.child_token();
        let underway = Underway { cancel: cancel.clone(), audience: last.audience };
        line.running.lock().insert(self.id.clone(), underway);
        let mode = match (&last.exchange, last.audience) {
            (Some(_), _) => BotMode::Aloud,
            (None, Audience::Group) => BotMode::Group,
            (None, Audience::Private) => BotMode::Conversation,
        };
        let asker: Arc<dyn Asker> = match last.exchange {
            Some(_) => Arc::new(NoAsker),
            None => asker(&line, &self.id, &last.from),
        };
        let (inbox, mut joined) = (Inbox::default(), Vec::new());
        let (sink, front) = (&NoSink, line.messenger.channel());
        let hearing = Hearing { sink, asker, front, cancel: cancel.clone(), mode, inbox: &inbox };
        let (chat, id) = (self.chat.clone(), self.id.clone());
        let mut saying = Box::pin(line.bots.say(&terms.bot.id, &chat, words, hearing));
        let mut typing = pin!(type_on(&line, &id));
        let ended = loop {
            let something = tokio::select! {
                biased;
                // First: what has arrived is heard before the answer goes on.
                Some(something) = self.works.recv() => something,
                ended = &mut saying => break ended,
                () = &mut typing => return,
            };
            match something {
                // Those of the queue come first; and between bots nobody else has a say.
                Work::Heard(new) if last.exchange.is_none() && is_plain(&new) && self.queue.is_empty() => {
                    inbox.say(terms.manners.speaker(&new), told(&new), Some(new.number.to_string()));
                    joined.push(new);
                }
                Work::Heard(new) => self.queue.push_back(new),
                other => self.later.push_back(other),
            }
        };
        line.running.lock().remove(&self.id);
        let unheard = joined.split_off(joined.len().saturating_sub(inbox.waiting()));
        heard.extend(joined);
        unheard.into_iter().rev().for_each(|late| self.queue.push_front(late));
        // The end of the process cancels it, too.
        let was_stopped = cancel.is_cancelled() && !line.stop.is_cancelled();
        let cut = [StopReason::UserInterrupt, StopReason::Parked];
        let is_cut = matches!(&ended, Ok(ended) if cut.contains(&ended.report.stop_reason));
        if is_cut && !was_stopped {
            // The process ends: the next one goes on.
            return;
        }
        if was_stopped {
            return self.reply(&terms.say(&Message::new("people-stopped")), &heard).await;
        }
        let is_answer = matches!(&ended, Ok(ended) if ended.report.status == Status::Success);
        let is_listed = terms.manners.standing_of(&last) == Standing::Listed;
        let text = said(&terms, ended, is_listed);
        if is_answer { self.answer(&text, &heard).await } else { self.reply(&text, &heard).await }
    }

    /// Sends what the bot has answered, and tells it to the bot that it answers, if there is one.
    async fn answer(&self, text: &str, heard: &[Heard]) {
        let Some(last) = heard.last().filter(|last| last.exchange.is_some()) else {
            return self.reply(text, heard).await;
        };
        let (text, goes_on) = aloud::said(text);
        let mut sent = self.say(text).await;
        if sent == Ok(()) && goes_on {
            sent = self.line.pass_on(last, text).await;
        }
        if sent != Err(Unsent::Later) {
            self.line.done(&[last.number]);
        }
    }

    /// Sends the answer to these messages, which are answered then.
    async fn reply(&self, text: &str, heard: &[Heard]) {
        if self.say(text).await != Err(Unsent::Later) {
            self.line.done(&heard.iter().map(|heard| heard.number).collect::<Vec<_>>());
        }
    }

    async fn say(&self, text: &str) -> Result<(), Unsent> {
        for part in split(text, self.line.messenger.abilities().longest) {
            self.line.send(&self.id, part, &[]).await?;
        }
        Ok(())
    }

    async fn tell(&self, said: JobMessage) {
        let text = format!("⏰ {}: {}", said.name, said.words.text);
        if self.say(&text).await != Err(Unsent::Later) {
            let marked = self.line.database().map(|database| database.mark_job_message(said.id, JobMark::Shown));
            if let Some(Err(error)) = marked {
                self.line.wrong(&error.message());
            }
        }
        self.line.job_is_over(said.id);
    }
}

/// Whether it is words of a person alone: files must be fetched first.
fn is_plain(heard: &Heard) -> bool {
    heard.exchange.is_none() && heard.files.is_empty()
}

/// Shows that an answer is coming, while nobody is asked. Never ends.
async fn type_on(line: &Line, chat: &ChatId) {
    let Some(each) = line.messenger.abilities().typing else { return std::future::pending().await };
    loop {
        if !line.asked.is_open_in(chat) {
            // ignored: it is a courtesy.
            let _ = line.messenger.typing(chat).await;
        }
        tokio::time::sleep(each).await;
    }
}

/// What a person is told of the end of a turn. Only whom the bot belongs to is told why it failed.
fn said(terms: &Terms, ended: Result<Ended, Fault>, is_listed: bool) -> String {
    let failed = |why: String| match is_listed {
        true => terms.say(&Message::new("people-failed").with("why", why)),
        false => terms.say(&Message::new("people-failed-quietly")),
    };
    match ended {
        Err(fault) => failed(terms.say(&fault.message)),
        Ok(ended) if ended.report.status == Status::Success => ended.answer.unwrap_or(ended.report.output),
        Ok(ended) if ended.report.status == Status::Failed => failed(ended.report.output),
        Ok(ended) => {
            let reason = terms.say(&Message::new("people-ended-early").with("why", ended.report.stop_reason.message()));
            format!("{}\n\n{reason}", ended.answer.unwrap_or_default()).trim().to_owned()
        }
    }
}
