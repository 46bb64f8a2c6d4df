//! Foreign text taints the session that read it: calls that could carry data out then meet this guard. It never looks at a
//! tool's name, and forgets nothing while the session lives, because the text stays in the model's conversation. Text of the
//! workspace taints less; see `workspace`.
//!
//! Hosts that a call would ask are judged by their addresses, in `exchange`. What it says to any other call of a tainted
//! session that could carry data out:
//! - something in its arguments was copied from the foreign text, and the user did not say it either: the configured answer;
//! - everything that it speaks to (addresses, hosts) is in the user's own words: nothing, it is the user's task;
//! - a known development command that copies nothing: nothing;
//! - a person asked for the call: nothing;
//! - anything else: the configured answer, since what is carried out need not be copied from where the order came.

mod declared;
mod doubt;
mod exchange;
mod facts;
mod fields;
mod kinds;
mod known;
mod outward;
mod private;
mod targets;
mod traces;
mod words;
mod workspace;

use crate::address::{self, Address};
use crate::texts::strings;
pub use declared::{Declaration, DeclarationError, Declarations};
use doubt::Doubt;
use exchange::{Ruled, exchanges};
use facts::Facts;
use known::Known;
use outward::Outward;
use palanca_core::call::{
    BotId, ChatId, Chosen, Effect, Effects, HttpAccess, Outcome, Part, Scope, SessionId, Speaker,
};
use palanca_core::gate::CheckedCall;
use palanca_core::message::{Keys, Message};
use palanca_core::ports::{Decision, Guard, Past, Verdict};
use palanca_core::tool::{Output, Provenance};
use parking_lot::Mutex;
use private::Private;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use traces::Traces;
use words::Words;
use workspace::Here;
pub use workspace::{Programs, WorkspaceText};

/// What happens to a call that could carry data out of a tainted session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Off,
    /// It runs and the model is told.
    Warn,
    /// A person must say yes; where questions are never asked, as `Warn`.
    #[default]
    Ask,
    /// It is refused.
    Block,
}

/// The guard.
pub struct TaintGuard {
    answer: Answer,
    declared: Declarations,
    workspace: WorkspaceText,
    programs: Programs,
    rules: OnceLock<Arc<dyn Guard>>,
    /// By conversation; without one, all that came when there was no more room.
    sessions: Mutex<HashMap<Conversation, Session>>,
}

type Conversation = (SessionId, Option<BotId>, Option<ChatId>);

fn conversation(scope: &Scope) -> Conversation {
    (scope.session.clone(), scope.bot.clone(), scope.chat.clone())
}

#[derive(Debug, Default)]
struct Session {
    foreign: Traces,
    own: Traces,
    /// Addresses in the user's words.
    named: Known,
    /// Addresses in foreign text.
    found: Known,
    /// What was read here.
    private: Private,
    here: Here,
    /// The user's words.
    words: Words,
    /// Words of foreign text.
    strange: Words,
    /// What declared sources said.
    facts: Facts,
    tainted: bool,
}

impl TaintGuard {
    /// The rule of a call that copies foreign text.
    pub const TRACED: &'static str = "taint.traced";
    /// The rule of any other call that could carry data out.
    pub const OUTWARD: &'static str = "taint.outward";
    /// The rule of a call that leaves something behind on which later sessions would act.
    pub const LASTING: &'static str = "taint.lasting";
    /// The rule of a search, or a request to a host that may be read, that carries what was read here.
    pub const PRIVATE: &'static str = "taint.private";

    /// The rule of a call that addresses a person whom a declared source names and the user's words do not.
    pub const DOUBT: &'static str = "taint.doubt";
    /// The rule of a call that could carry data out of a session that has read the workspace's text alone.
    pub const WORKSPACE: &'static str = "taint.workspace";

    /// A guard that answers so. The workspace is untrusted, and programs run without network.
    #[must_use]
    pub fn new(answer: Answer) -> Self {
        let (workspace, programs) = <(WorkspaceText, Programs)>::default();
        let declared = Declarations::default();
        Self { answer, workspace, programs, declared, rules: OnceLock::new(), sessions: Mutex::default() }
    }

    /// Whose word the workspace's text is.
    #[must_use]
    pub const fn workspace(mut self, text: WorkspaceText) -> Self {
        self.workspace = text;
        self
    }

    /// Where commands run.
    #[must_use]
    pub const fn programs(mut self, programs: Programs) -> Self {
        self.programs = programs;
        self
    }

    /// The same, with what the operator says of tools.
    #[must_use]
    pub fn declaring(mut self, declared: Declarations) -> Self {
        self.declared = declared;
        self
    }

    /// What the operator says of tools.
    #[must_use]
    pub const fn declarations(&self) -> &Declarations {
        &self.declared
    }

    /// Lets hosts be read that rules name: these, which judge the gate's calls, too. Only the first counts.
    pub fn trust(&self, rules: Arc<dyn Guard>) {
        // ignored: a second call has the same rules.
        let _ = self.rules.set(rules);
    }

    /// What the user said: what is in these words is the user's task, wherever else it occurs.
    pub fn told(&self, scope: &Scope, words: &str) {
        self.with(scope, |session| {
            session.own.learn(words);
            session.words.learn(words);
            known::addresses(words).into_iter().for_each(|found| session.named.learn(found));
        });
    }

    /// Foreign text that the model will read.
    pub fn taint(&self, scope: &Scope, text: &str) {
        self.with(scope, |session| {
            session.tainted = true;
            session.foreign.learn(text);
            session.strange.learn(text);
            known::addresses(text).into_iter().for_each(|found| session.found.learn(found));
        });
    }

    /// What a call brought in. An address that the call itself carried there without the user's word does not count as the
    /// other side's, and neither does one at the same host: it would only be an echo. So are the call's own words, in any
    /// encoding: errors and results repeat them, and what was read here would become foreign, and free, by being sent once.
    fn bring_in(&self, call: &CheckedCall, text: &str) {
        let pages: Vec<Address> = exchanges(call.effects())
            .filter(|reach| reach.chosen == Chosen::ByCall)
            .filter_map(|reach| Address::read(&reach.url))
            .collect();
        let said = strings(call.arguments()).join("\n");
        let own_words = own_words(call.arguments(), call.effects());
        let plain = address::decoded(&said);
        let mut found = known::addresses(text);
        if let [page] = pages.as_slice() {
            found.extend(known::links(text, page));
        }
        self.with(call.scope(), |session| {
            let mut carried = known::addresses(&said);
            carried.extend(known::addresses(&plain));
            carried.retain(|found| !session.named.holds(&found.address) && !session.found.holds(&found.address));
            let is_echo = |address: &Address| {
                let of_page = pages.iter().any(|page| page.host() == address.host());
                !of_page
                    && carried.iter().any(|own| {
                        let whole = own.address.path() != "/" || own.address.as_str().contains('?');
                        own.address == *address || whole && own.address.host() == address.host()
                    })
            };
            session.tainted = true;
            session.foreign.learn_but(text, &own_words);
            session.strange.learn(text);
            session.facts.came_from(&call.spec().name, text);
            found.into_iter().filter(|found| !is_echo(&found.address)).for_each(|found| session.found.learn(found));
        });
    }

    fn with<T>(&self, scope: &Scope, act: impl FnOnce(&mut Session) -> T) -> T {
        let mut sessions = self.sessions.lock();
        act(sessions.entry(conversation(scope)).or_default())
    }

    /// Whether rules name every host of a call that does nothing but read them.
    fn ruled(&self, call: &CheckedCall) -> Ruled {
        let reads = |effect: &Effect| matches!(effect, Effect::Http(reach) if reach.method.only_reads());
        let allowed =
            |rules: &Arc<dyn Guard>| rules.judge(call).is_some_and(|verdict| verdict.decision == Decision::Allow);
        if call.effects().iter().all(reads) && self.rules.get().is_some_and(allowed) { Ruled::Yes } else { Ruled::No }
    }

    /// The first exchange that is not the user's, of those that count.
    fn of_exchanges(
        &self,
        session: &Session,
        (call, ruled): (&CheckedCall, Ruled),
        counts: impl Fn(&HttpAccess) -> bool,
    ) -> Option<Verdict> {
        let mut counting = exchanges(call.effects()).filter(|reach| counts(reach));
        let (reach, doubt) = counting.find_map(|reach| Some((reach, session.judge(reach, ruled)?)))?;
        let effect = Effect::<String>::Http(Box::new(reach.clone())).to_string();
        self.verdict(session, doubt, &effect.chars().take(outward::SHOWN).collect::<String>())
    }
}

/// All that a call could be answered with by repeating it: its strings in every dress, its names and numbers, its addresses.
fn own_words(arguments: &serde_json::Value, effects: &Effects) -> Vec<String> {
    let urls = exchanges(effects).map(|reach| reach.url.clone());
    let said = strings(arguments).into_iter().map(str::to_owned).chain(urls);
    said.flat_map(|said| exchange::dressed(&said).into_iter().chain([said])).chain([arguments.to_string()]).collect()
}

impl Guard for TaintGuard {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if self.answer == Answer::Off || call.origin().is_person() {
            return None;
        }
        if self.is_judged_by_targets(call) {
            return self.of_targets(call);
        }
        let outward = Outward::of(call);
        if outward.is_none() && !call.effects().leaves_machine() {
            return None;
        }
        let ruled = self.ruled(call);
        self.with(call.scope(), |session| {
            if !session.is_wary() {
                return None;
            }
            if let Some(verdict) = self.of_exchanges(session, (call, ruled), |_| true) {
                return Some(verdict);
            }
            if !session.tainted {
                return self.verdict(session, Doubt::Aimless, &self.leaves(call, session)?.effect);
            }
            let outward = outward?;
            if outward.lasts {
                let own = outward.is_in_words_of(&session.own);
                return if own { None } else { self.verdict(session, Doubt::Lasting, &outward.effect) };
            }
            let doubt = match session.copied(&outward.texts) {
                Some(what) => Doubt::Copied(what, None),
                None if outward.is_development || outward.stays_with(&session.own) => return None,
                None => Doubt::Aimless,
            };
            self.verdict(session, doubt, &outward.effect)
        })
    }

    /// Calls that run side by side could not tell more together than one alone: what each would tell is told before any runs.
    fn begin(&self, call: &CheckedCall) -> Option<Verdict> {
        if self.answer == Answer::Ask && !call.origin().is_person() {
            self.remember_yes(call);
        }
        if self.answer == Answer::Off || !call.effects().leaves_machine() {
            return None;
        }
        let ruled = self.ruled(call);
        self.with(call.scope(), |session| {
            if !session.is_wary() || call.origin().is_person() {
                return None;
            }
            let over = (self.answer == Answer::Block)
                .then(|| self.of_exchanges(session, (call, ruled), |reach| session.is_found(reach)))
                .flatten();
            if over.is_some() {
                return over;
            }
            exchanges(call.effects()).for_each(|reach| session.tell(reach));
            None
        })
    }

    fn resume(&self, scope: &Scope, past: &Past) {
        past.told.iter().for_each(|words| self.told(scope, words));
        past.foreign.iter().for_each(|text| self.taint(scope, text));
        self.with(scope, |session| {
            past.read.iter().for_each(|text| session.private.learn(text));
            session.here.read |= self.workspace == WorkspaceText::Unvouched && !past.read.is_empty();
            session.here.changed = true;
        });
    }

    fn heard(&self, scope: &Scope, speaker: &Speaker, words: &str) {
        match speaker {
            Speaker::User | Speaker::Trusted { .. } => self.told(scope, words),
            Speaker::Stranger { .. } => self.taint(scope, words),
            Speaker::Agent => {}
        }
    }

    fn leave(&self, scope: &Scope) {
        self.sessions.lock().remove(&conversation(scope));
    }

    fn settle(&self, call: &CheckedCall, outcome: &Outcome) -> Option<Message> {
        if self.answer == Answer::Off {
            return None;
        }
        let declared = self.declared.of(&call.spec().name);
        if let (Some(declared), Outcome::Done(output)) = (declared, outcome) {
            self.learn_facts(call, declared, output);
            if declared.closed {
                let text = output.text.render(&Keys);
                self.with(call.scope(), |session| {
                    session.private.learn(&text);
                    output.parts.iter().flat_map(Part::texts).for_each(|text| session.private.learn(text));
                });
                self.changed_here(call);
                return None;
            }
        }
        let open = outward::brings_in(call) || declared.is_some_and(|declared| declared.trusted.is_some());
        let (text, foreign) = match outcome {
            Outcome::Done(output) => (output.text.render(&Keys), output.provenance == Provenance::External),
            Outcome::Failed(error) | Outcome::Stopped(_, error) => {
                let said = error.output().map(|text| text.render(&Keys)).unwrap_or_default();
                (format!("{}\n{said}", error.message()), error.foreign().is_some())
            }
            _ => {
                self.changed_here(call);
                return None;
            }
        };
        if open || foreign {
            self.bring_in(call, &text);
        } else {
            self.read_here(call, &text);
        }
        if let (Outcome::Done(Output { data: Some(data), .. }), true) = (outcome, open || foreign) {
            self.bring_in(call, &strings(data).join("\n"));
        }
        if let Outcome::Done(Output { parts, .. }) = outcome {
            for text in parts.iter().flat_map(Part::texts) {
                if open || foreign { self.bring_in(call, text) } else { self.read_here(call, text) }
            }
        }
        self.changed_here(call);
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
