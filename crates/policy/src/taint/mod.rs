//! Foreign text taints the session that read it: calls that could carry data out then meet this guard. It never looks at a
//! tool's name, and forgets nothing while the session lives, because the text stays in the model's conversation.
//!
//! What it says to a call of a tainted session that could carry data out:
//! - something in its arguments was copied from the foreign text, and the user did not say it either: the configured answer;
//! - everything that it speaks to (addresses, hosts) is in the user's own words: nothing, it is the user's task;
//! - a known development command that copies nothing: nothing;
//! - a person asked for the call: nothing;
//! - anything else: the configured answer, since what is carried out need not be copied from where the order came.

mod outward;
mod traces;

use outward::Outward;
use palanca_core::call::{Origin, Outcome, Scope};
use palanca_core::gate::CheckedCall;
use palanca_core::message::{Keys, Message};
use palanca_core::ports::{Decision, Guard, Verdict};
use palanca_core::tool::Provenance;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use traces::Traces;

/// Sessions that are remembered; the one that was tainted first makes room, with every later one counted as tainted.
const MOST_SESSIONS: usize = 1024;

/// What happens to a call that could carry data out of a tainted session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Off,
    /// It runs and the model is told.
    Warn,
    /// A person must say yes; where nobody is ever asked, as `Warn`.
    #[default]
    Ask,
    /// It is refused.
    Block,
}

/// The guard.
#[derive(Debug)]
pub struct TaintGuard {
    answer: Answer,
    sessions: Mutex<HashMap<String, Session>>,
}

#[derive(Debug, Default)]
struct Session {
    foreign: Traces,
    own: Traces,
    tainted: bool,
}

impl TaintGuard {
    /// The rule of a call that copies foreign text.
    pub const TRACED: &'static str = "taint.traced";
    /// The rule of any other call that could carry data out.
    pub const OUTWARD: &'static str = "taint.outward";

    /// A guard that answers so.
    #[must_use]
    pub fn new(answer: Answer) -> Self {
        Self { answer, sessions: Mutex::default() }
    }

    /// What the user said: what is in these words is the user's task, wherever else it occurs.
    pub fn told(&self, scope: &Scope, words: &str) {
        self.with(scope, |session| session.own.learn(words));
    }

    /// Text that nobody here has written and the model will read.
    pub fn taint(&self, scope: &Scope, text: &str) {
        self.with(scope, |session| {
            session.tainted = true;
            session.foreign.learn(text);
        });
    }

    fn with<T>(&self, scope: &Scope, act: impl FnOnce(&mut Session) -> T) -> T {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(scope);
        if !sessions.contains_key(&key) && sessions.len() >= MOST_SESSIONS {
            // Without memory nothing is known to be the user's own.
            let session = sessions.entry(String::new()).or_default();
            session.tainted = true;
            return act(session);
        }
        act(sessions.entry(key).or_default())
    }

    /// A refusal also says who could allow the call.
    fn words(&self, on_the_way: &'static str, refused: &'static str) -> Message {
        Message::new(if self.answer == Answer::Block { refused } else { on_the_way })
    }

    fn verdict(&self, rule: &str, to_model: Message, to_operator: String) -> Option<Verdict> {
        let decision = match self.answer {
            Answer::Off => return None,
            Answer::Warn => Decision::Warn,
            Answer::Ask => Decision::Ask,
            Answer::Block => Decision::Deny,
        };
        Some(Verdict { decision, rule: rule.to_owned(), to_model, to_operator })
    }
}

/// The conversation. Its parts are apart, so that no name can be made of two others.
fn key(scope: &Scope) -> String {
    let part = |part: Option<&str>| part.map(|part| format!("{}:{part}", part.len())).unwrap_or_default();
    [
        part(Some(scope.session.as_str())),
        part(scope.bot.as_ref().map(palanca_core::call::BotId::as_str)),
        part(scope.chat.as_ref().map(palanca_core::call::ChatId::as_str)),
    ]
    .join("/")
}

impl Guard for TaintGuard {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if self.answer == Answer::Off || *call.origin() == Origin::Person {
            return None;
        }
        let outward = Outward::of(call)?;
        self.with(call.scope(), |session| {
            if !session.tainted {
                return None;
            }
            if let Some(what) = session.copied(&outward.texts) {
                let evidence = format!("copied from foreign text: {what}");
                let words = self.words("taint-traced", "taint-traced-refused").with("what", &what);
                return self.verdict(Self::TRACED, words, evidence);
            }
            let users_own =
                !outward.addresses.is_empty() && outward.addresses.iter().all(|address| session.own.holds(address));
            if outward.is_development || users_own {
                return None;
            }
            let evidence = format!("the session has read foreign text; {}", outward.effect);
            let words = self.words("taint-outward", "taint-outward-refused").with("effect", &outward.effect);
            self.verdict(Self::OUTWARD, words, evidence)
        })
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        if self.answer == Answer::Off {
            return None;
        }
        let open = outward::brings_in(call);
        match outcome {
            Outcome::Done(output) if open || output.provenance == Provenance::External => {
                self.taint(call.scope(), &output.text.render(&Keys));
                if let Some(data) = &output.data {
                    self.taint(call.scope(), &outward::words(data).join("\n"));
                }
            }
            Outcome::Failed(error) | Outcome::Stopped(_, error) if open || error.foreign().is_some() => {
                let said = error.output().map(|text| text.render(&Keys)).unwrap_or_default();
                self.taint(call.scope(), &format!("{}\n{said}", error.message()));
            }
            _ => {}
        }
        None
    }
}

impl Session {
    /// The first piece of the texts that is in the foreign text and not in the user's words.
    fn copied(&self, texts: &[String]) -> Option<String> {
        texts.iter().find_map(|text| {
            let addresses = outward::addresses(text);
            let address = addresses.into_iter().find(|address| self.foreign.holds(address) && !self.own.holds(address));
            address.or_else(|| self.foreign.shared(text, &self.own))
        })
    }
}

#[cfg(test)]
mod tests;
