//! The person at the terminal.
//!
//! Answers are whole lines, not keys: what is pasted or typed ahead by accident stays on the screen until it is sent, and any
//! terminal, screen reader or expect script can answer. What was typed before the question was shown is thrown away.

pub mod input;
mod screen;

use futures_util::future::BoxFuture;
use input::{Input, Line};
use palanca_core::ports::{Answer, Asker, Elsewhere, Question};
use palanca_core::{Catalogue as _, Message, Origin};
use palanca_text::{FluentCatalogue, questions};
use screen::Screen;
use std::io::IsTerminal as _;
use std::sync::Arc;
use tokio::sync::Mutex;

use crate::render::{stderr, terminal};
use crate::say::say;

/// Asks on stderr and reads a line from stdin, if that is a terminal.
pub struct Terminal {
    catalogue: Arc<FluentCatalogue>,
    /// One question at a time, in the order in which they are asked.
    turn: Arc<Mutex<()>>,
    ended: HasEnded,
    absent: Absent,
}

/// Whether a person has ended what a question is about: then one that is taken back needs no explanation.
pub type HasEnded = Arc<dyn Fn() -> bool + Send + Sync>;

/// What happens to a question where nobody is at a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Its call is refused.
    Refuses,
    /// Its call waits, and the run ends until it is answered.
    Parks,
    /// Its call waits for an answer from elsewhere.
    Waits,
}

impl Terminal {
    pub fn new(catalogue: Arc<FluentCatalogue>, ended: HasEnded, absent: Absent) -> Self {
        Self { catalogue, turn: Arc::default(), ended, absent }
    }
}

impl Asker for Terminal {
    fn can_answer(&self, question: &Question) -> bool {
        // A subagent's conversation does not outlive the run.
        let can_wait = self.absent == Absent::Parks && !matches!(question.origin, Origin::Subagent { .. });
        can_wait || self.absent == Absent::Waits || std::io::stdin().is_terminal()
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        if !std::io::stdin().is_terminal() {
            if self.absent != Absent::Waits {
                return Box::pin(async { None });
            }
            stderr::note(&Message::new("confirm-waits-elsewhere").with("id", question.id.as_str()));
            return Elsewhere.ask(question);
        }
        let (turn, catalogue, question) = (Arc::clone(&self.turn), Arc::clone(&self.catalogue), question.clone());
        let ended = Arc::clone(&self.ended);
        Box::pin(async move {
            let turn = turn.lock_owned().await;
            let Ok((input, waker)) = Input::new() else { return Some(Answer::Abort) };
            // Dropping this future drops the waker, which ends the wait for a line: the thread does not stay behind.
            let asked = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                converse(&Screen::new(&question, &catalogue), (&question, &*ended), &catalogue, &input)
            });
            let answer = asked.await.unwrap_or(Answer::Abort);
            drop(waker);
            Some(answer)
        })
    }
}

/// Shows the question until a line answers it.
fn converse(
    screen: &Screen<'_>,
    (question, ended): (&Question, &dyn Fn() -> bool),
    catalogue: &FluentCatalogue,
    input: &Input,
) -> Answer {
    if input.is_taken_back() {
        return Answer::No;
    }
    let terminal = terminal::ask(&question.call);
    input.forget_what_was_typed();
    terminal.show(&screen.fitting());
    let mut prompt = screen.prompt();
    loop {
        terminal.show(&format!("{prompt} "));
        let line = match input.line() {
            Line::Text(line) => line,
            Line::End => return Answer::Abort,
            Line::TakenBack => {
                let why = if ended() { None } else { Some(questions::answered_elsewhere()) };
                let why = why.map(|why| catalogue.render(&why)).unwrap_or_default();
                terminal.show(&format!("\n{why}{}", if why.is_empty() { "" } else { "\n" }));
                return Answer::No;
            }
        };
        let word = line.trim().to_lowercase();
        match (word.as_str(), Said::of(&line)) {
            ("d" | "diff", _) => terminal.show(&screen.whole()),
            ("?" | "h" | "help" | "ayuda", _) => terminal.show(&screen.help()),
            (_, Some(Said::Answer(answer))) => return answer,
            (_, said) => {
                match said.and_then(|said| said.draft(&question.drafts)) {
                    Some(draft) => return Answer::Always(Box::new(draft.clone())),
                    None => prompt = catalogue.render(&questions::answer_not_understood(question.drafts.len())),
                }
                continue;
            }
        }
        prompt = screen.prompt();
    }
}

/// What a command asks before it goes on: at a terminal; elsewhere who gave the command has agreed.
pub fn agreed(question: &Message) -> std::io::Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(true);
    }
    stderr::prompt(&say(question));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(Said::of(&line), Some(Said::Answer(Answer::Yes))))
}

/// What a word means as an answer, wherever it is typed.
pub enum Said {
    /// Yes, no, or the end of everything.
    Answer(Answer),
    /// Always: the rule of this number, counted from 1; without one, the only rule.
    Rule(Option<usize>),
}

impl Said {
    /// Understands a word, in both languages and any letter case: every word that a question or `approvals` names. What follows a
    /// no is the reason.
    pub fn of(word: &str) -> Option<Self> {
        if let Some((no, why)) = word.trim().split_once(char::is_whitespace)
            && ["n", "no"].contains(&no.to_lowercase().as_str())
        {
            return Some(Self::Answer(Answer::NoBecause(why.trim().to_owned())));
        }
        Some(match word.trim().to_lowercase().as_str() {
            "y" | "yes" | "s" | "si" | "sí" => Self::Answer(Answer::Yes),
            "n" | "no" => Self::Answer(Answer::No),
            "a" | "abort" | "abortar" => Self::Answer(Answer::Abort),
            "always" | "siempre" => Self::Rule(None),
            other => {
                let number = ["always ", "siempre "].into_iter().find_map(|always| other.strip_prefix(always));
                Self::Rule(Some(number.unwrap_or(other).trim().parse().ok()?))
            }
        })
    }

    /// The rule that this makes, of those that are offered.
    pub fn draft<T>(self, offered: &[T]) -> Option<&T> {
        match (self, offered) {
            (Self::Rule(None), [only]) => Some(only),
            (Self::Rule(Some(number)), _) => offered.get(number.checked_sub(1)?),
            _ => None,
        }
    }
}
