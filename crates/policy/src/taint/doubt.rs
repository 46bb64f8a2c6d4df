//! Why a call is not the user's task, and what is said of it.

use super::{Answer, Session, TaintGuard};
use palanca_core::message::Message;
use palanca_core::ports::{Decision, Verdict};
use std::sync::Arc;

/// Why a call is not the user's task.
#[derive(Debug)]
pub(super) enum Doubt {
    /// Copied from foreign text, or from nowhere: what, and the source where it is known.
    Copied(String, Option<Arc<str>>),
    /// A declared source says this value, and the user's words do not point at it.
    Unasked(String, Arc<str>),
    /// Copied from what was read here.
    Private(String),
    /// Nothing of the user's says where the call goes.
    Aimless,
    /// Later sessions would act on what the call leaves behind.
    Lasting,
}

impl TaintGuard {
    /// The answer to a call in doubt that has this effect. A refusal also says who could allow the call.
    pub(super) fn verdict(&self, session: &Session, doubt: Doubt, effect: &str) -> Option<Verdict> {
        let decision = match self.answer {
            Answer::Off => return None,
            Answer::Warn => Decision::Warn,
            Answer::Ask => Decision::Ask,
            Answer::Block => Decision::Deny,
        };
        let aimless = if session.tainted { Self::OUTWARD } else { Self::WORKSPACE };
        let (rule, [key, refused], evidence) = match &doubt {
            Doubt::Copied(what, None) => {
                (Self::TRACED, ["taint-traced", "taint-traced-refused"], format!("copied from foreign text: {what}"))
            }
            Doubt::Copied(what, Some(source)) => {
                (Self::TRACED, ["taint-from", "taint-from-refused"], format!("copied from {source}: {what}"))
            }
            Doubt::Unasked(what, source) => {
                (Self::DOUBT, ["taint-doubt", "taint-doubt-refused"], format!("{what} is from {source}"))
            }
            Doubt::Private(_) => {
                (Self::PRIVATE, ["taint-private", "taint-private-refused"], "copied from what was read here".to_owned())
            }
            Doubt::Aimless => {
                (aimless, ["taint-outward", "taint-outward-refused"], "the user did not say where it goes".to_owned())
            }
            Doubt::Lasting => {
                (Self::LASTING, ["taint-lasting", "taint-lasting-refused"], "later sessions would act on it".to_owned())
            }
        };
        let words = Message::new(if self.answer == Answer::Block { refused } else { key })
            .with("read", if session.tainted { "foreign" } else { "workspace" })
            .with("effect", effect);
        let to_model = match doubt {
            Doubt::Copied(what, Some(source)) | Doubt::Unasked(what, source) => {
                words.with("what", what).with("source", &*source)
            }
            Doubt::Copied(what, None) | Doubt::Private(what) => words.with("what", what),
            Doubt::Aimless | Doubt::Lasting => words,
        };
        Some(Verdict { decision, rule: rule.to_owned(), to_model, to_operator: format!("{evidence}; {effect}") })
    }
}
