//! Questions in the chat: a message with buttons, bound to the question, the chat, and the person whose words led to it.
//!
//! The question itself stands in the store, where any front end may answer it; the first answer counts, and the message then says what it was. A
//! button is only another way to write there. Words never answer.

use super::ChatEvent;
use super::line::Line;
use super::refusals::now_ms;
use super::who::{Standing, signed};
use futures_util::future::BoxFuture;
use palanca_channels::{Button, Person, Press, Sent, split};
use palanca_core::call::{ChatId, QuestionId, Stage};
use palanca_core::ports::{Answer, Asker, Elsewhere, NoAsker, Question, StageDecision, StageRecord};
use palanca_core::{Catalogue, Message};
use palanca_host::session::desk::desk;
use palanca_policy::marking::shown_lines;
use palanca_store::{Approvals as _, Desk, Given, KeptQuestion, QuestionState, Settled};
use palanca_text::questions;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Messages that a question may take: what is longer is decided where it can be read.
const MOST_PARTS: usize = 4;
/// UTF-16 code units that are left for what became of it.
const ROOM: usize = 300;
/// Before what a button of a question holds.
const MARK: &str = "ask";

/// Questions that are shown in chats.
#[derive(Default)]
pub(super) struct Asked {
    open: Mutex<HashMap<QuestionId, Bound>>,
}

/// What a question is bound to.
#[derive(Clone)]
struct Bound {
    chat: ChatId,
    person: i64,
    session: String,
    call: String,
    tool: String,
}

impl Asked {
    pub(super) fn is_open_in(&self, chat: &ChatId) -> bool {
        self.open.lock().values().any(|bound| bound.chat == *chat)
    }
}

/// Who is asked when this person's words lead to a question. Without a store nobody could answer.
pub(super) fn asker(line: &Arc<Line>, chat: &ChatId, person: &Person) -> Arc<dyn Asker> {
    if line.database().is_none() {
        return Arc::new(NoAsker);
    }
    Arc::new(InChat { line: Arc::clone(line), chat: chat.clone(), person: person.clone() })
}

struct InChat {
    line: Arc<Line>,
    chat: ChatId,
    person: Person,
}

impl Asker for InChat {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async move {
            let _shown = self.put(question).await;
            tokio::select! {
                biased;
                // The process ends, and need not wait: the call is parked, and the next process asks again.
                () = self.line.stop.cancelled() => None,
                answer = Elsewhere.ask(question) => answer,
            }
        })
    }
}

impl InChat {
    /// Shows it, as long as what is returned lives.
    async fn put(&self, question: &Question) -> Option<Shown> {
        let (line, terms) = (&self.line, self.line.terms());
        let able = line.messenger.abilities();
        if !able.buttons || terms.manners.standing(&self.person) != Standing::Listed {
            let waits = terms.say(&Message::new("people-asks-elsewhere"));
            // ignored: the question stands where it can be answered.
            let _ = line.send(&self.chat, &waits, &[]).await;
            return None;
        }
        let desk = line.desk()?;
        let kept = match desk.question(&question.id).await {
            Ok(kept) => kept?,
            Err(error) => {
                line.wrong(&error.message());
                return None;
            }
        };
        let text =
            terms.say(&Message::new("people-question").with("tool", &kept.tool)) + &told(&kept, &*terms.catalogue);
        let text = shown_lines(&text).into_owned();
        let mut parts = split(&text, able.longest.saturating_sub(ROOM));
        let elsewhere = terms.say(&Message::new("people-question-too-long").with("id", question.id.as_str()));
        let is_whole = parts.len() <= MOST_PARTS;
        if !is_whole {
            parts.truncate(1);
            parts.push(&elsewhere);
        }
        let bound = Bound {
            chat: self.chat.clone(),
            person: self.person.id,
            session: question.scope.session.to_string(),
            call: question.call.to_string(),
            tool: question.tool.clone(),
        };
        line.asked.open.lock().insert(question.id.clone(), bound);
        let last = parts.pop()?.to_owned();
        let drafts = if is_whole { question.drafts.len() } else { 0 };
        let rows = buttons(&question.id, is_whole, drafts, |message| terms.say(message));
        let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
        let (tell, sent) = oneshot::channel();
        let (to, chat) = (Arc::clone(line), self.chat.clone());
        // Beside: an answer from elsewhere may come before the messenger's, and the message must be known then, too.
        line.beside(async move {
            for part in &parts {
                if to.send(&chat, part, &[]).await.is_err() {
                    return;
                }
            }
            if let Ok(sent) = to.send(&chat, &last, &rows).await {
                // ignored: without a receiver the process ends.
                let _ = tell.send((sent, last));
            }
        });
        Some(Shown { line: Arc::clone(line), chat: self.chat.clone(), id: question.id.clone(), sent: Some(sent) })
    }
}

/// Yes and no, and below them the rules that an answer could make.
fn buttons(id: &QuestionId, may_say_yes: bool, drafts: usize, say: impl Fn(&Message) -> String) -> Vec<Vec<Button>> {
    let button = |label: String, answer: String| Button { label, holds: format!("{MARK}:{answer}:{id}") };
    let yes = may_say_yes.then(|| button(say(&Message::new("people-yes")), "yes".to_owned()));
    let first = yes.into_iter().chain([button(say(&Message::new("people-no")), "no".to_owned())]).collect();
    let rule = |number: usize| {
        let label = say(&Message::new("people-always").with("number", number));
        vec![button(label, number.to_string())]
    };
    std::iter::once(first).chain((1..=drafts).map(rule)).collect()
}

/// What a person needs to decide, below the question itself.
fn told(question: &KeptQuestion, catalogue: &dyn Catalogue) -> String {
    let shown = &question.shown;
    let mut text = String::from("\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    shown.effects.iter().for_each(|effect| line(format!("• {effect}")));
    for reason in &shown.reasons {
        line(format!("{} {}", catalogue.render(&questions::why()), reason.words));
    }
    if shown.undo != "yes" {
        line(format!("{} {}", catalogue.render(&questions::undo_not()), shown.undo));
    }
    for (draft, number) in shown.drafts.iter().zip(1..) {
        line(format!("[{number}] {}", catalogue.render(&questions::always(draft.words.clone()))));
    }
    match &shown.diff {
        Some(diff) => line(format!("\n{diff}")),
        None => line(format!("\n{}", serde_json::to_string_pretty(&shown.arguments).unwrap_or_default())),
    }
    text
}

/// A question that stands in a chat. When it is over the message says how, and loses its buttons.
struct Shown {
    line: Arc<Line>,
    chat: ChatId,
    id: QuestionId,
    /// The message with the buttons, once it is there.
    sent: Option<oneshot::Receiver<(Sent, String)>>,
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.line.asked.open.lock().remove(&self.id);
        let Some(sent) = self.sent.take() else { return };
        let (line, chat, id) = (Arc::clone(&self.line), self.chat.clone(), self.id.clone());
        if !line.messenger.abilities().edits || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        self.line.beside(async move {
            let (Ok((sent, text)), Some(desk)) = (sent.await, line.desk()) else { return };
            let terms = line.terms();
            let over = match desk.question(&id).await {
                Ok(Some(kept)) if kept.state == QuestionState::Open && line.stop.is_cancelled() => {
                    Message::new("people-question-put-off")
                }
                Ok(Some(kept)) => became(&kept.state),
                _ => Message::new("people-question-withdrawn"),
            };
            let text = format!("{text}\n\n{}", terms.say(&over));
            // ignored: a press of a button that stays is told the same.
            let _ = line.messenger.edit(&chat, &sent, &text).await;
        });
    }
}

fn became(state: &QuestionState) -> Message {
    match state {
        QuestionState::Open => Message::new("people-question-withdrawn"),
        QuestionState::Expired => Message::new("people-question-expired"),
        QuestionState::Answered(given) | QuestionState::Spent { given, .. } => {
            let by = given.answered_by.chars().take(ROOM / 3).collect::<String>();
            Message::new("people-question-answered").with("answer", word(given)).with("by", by)
        }
    }
}

/// The word for an answer.
const fn word(given: &Given) -> Message {
    match given.answer {
        Answer::Yes => Message::new("answer-yes"),
        Answer::Always(_) => Message::new("answer-always"),
        Answer::No | Answer::NoBecause(_) => Message::new("answer-no"),
        Answer::Abort => Message::new("answer-abort"),
    }
}

/// Why a press does not count.
struct Refused {
    /// For the one who pressed.
    notice: Message,
    /// The rule, for the record.
    rule: &'static str,
}

impl Line {
    fn desk(&self) -> Option<Desk> {
        Some(desk(self.database()?, &self.terms().bot.config, self.messenger.channel()))
    }

    /// A button was pressed.
    pub(super) async fn pressed(self: &Arc<Self>, press: &Press) {
        let terms = self.terms();
        let notice = match self.decide(press).await {
            Ok(notice) => notice,
            Err(Refused { notice, rule }) => {
                self.press_refused(press, rule);
                notice
            }
        };
        let (line, id, text) = (Arc::clone(self), press.id.clone(), terms.say(&notice));
        self.beside(async move {
            // ignored: the message in the chat says what counts.
            let _ = line.messenger.notice(&id, &text).await;
        });
    }

    async fn decide(&self, press: &Press) -> Result<Message, Refused> {
        let old = || Refused { notice: Message::new("people-press-old"), rule: "confirm.old_button" };
        let mut parts = press.holds.splitn(3, ':');
        let (Some(MARK), Some(said), Some(id)) = (parts.next(), parts.next(), parts.next()) else { return Err(old()) };
        let id = QuestionId::new(id);
        let bound = self.asked.open.lock().get(&id).cloned().ok_or_else(old)?;
        if press.chat.as_ref() != Some(&bound.chat) {
            return Err(old());
        }
        let is_listed = self.terms().manners.standing(&press.from) == Standing::Listed;
        if press.from.id != bound.person || !is_listed {
            return Err(Refused { notice: Message::new("people-press-not-yours"), rule: "confirm.not_theirs" });
        }
        let broken = |error: palanca_store::StoreError| Refused { notice: error.message(), rule: "confirm.unkept" };
        let desk = self.desk().ok_or_else(old)?;
        let kept = desk.question(&id).await.map_err(broken)?.ok_or_else(old)?;
        let answer = match said {
            "yes" => Answer::Yes,
            "no" => Answer::No,
            number => {
                let draft =
                    number.parse::<usize>().ok().and_then(|number| kept.shown.drafts.get(number.checked_sub(1)?));
                Answer::Always(Box::new(draft.ok_or_else(old)?.into()))
            }
        };
        let by = format!("{} ({})", signed(&press.from), self.messenger.channel());
        match desk.answer(&id, &answer, &by).await.map_err(broken)? {
            Settled::Counts => Ok(Message::new("people-press-counts")),
            Settled::Already(given) => Ok(became(&QuestionState::Answered(given))),
            Settled::Expired => Ok(Message::new("people-question-expired")),
            Settled::Unknown => Err(old()),
        }
    }

    /// A press that was refused, in the audit log and for whoever watches.
    fn press_refused(&self, press: &Press, rule: &'static str) {
        let by = signed(&press.from);
        let id = press.holds.rsplit(':').next().map(QuestionId::new);
        let bound = id.and_then(|id| self.asked.open.lock().get(&id).cloned());
        let terms = self.terms();
        match bound {
            Some(bound) => self.record(StageRecord {
                at_ms: now_ms(),
                call: &bound.call,
                session: &bound.session,
                tool: &bound.tool,
                stage: Stage::Confirm,
                verdict: StageDecision::Deny,
                rule: Some(rule),
                evidence: Some(&by),
                effects: &[],
                digest: None,
            }),
            None => self.refuse(rule),
        }
        let chat = press.chat.as_ref().map_or("?", ChatId::as_str);
        let message =
            Message::new("people-press-refused").with("bot", &terms.bot.id).with("who", by).with("chat", chat);
        self.tell(ChatEvent::Wrong(message));
    }
}
