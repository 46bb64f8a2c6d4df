//! Text of a workspace that its owner has not vouched for: a README, source code, a saved issue, the output of a program.
//! Its orders count for as little as those of a page, but it is also what the session works on, so less follows from it.
//!
//! | after reading workspace text | |
//! |---|---|
//! | fetching an address of the user's own words, or one that stands whole in a file as the session found it | free |
//! | any other fetch, a message to others, a tool that reaches beyond this machine | answered as configured |
//! | a search with the operator's provider | free: its words do not reach the possible author of the order |
//! | a command | free in the sandbox without network; answered as configured with network, or without the sandbox |
//! | an act that stays here but lasts: memory, a job | free |
//! | a task for another agent | free: it is judged call by call, in the same session |
//!
//! A file that the session itself may have written names no address: it would hold whatever the order wanted to carry out.

use super::known;
use super::outward::{self, Outward};
use super::{Session, TaintGuard};
use palanca_core::call::{Effect, Scope};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::CommandClass;

/// Whose word the text of the workspace is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkspaceText {
    /// Of unknown authorship.
    #[default]
    Unvouched,
    /// The user's own: it taints nothing.
    Vouched,
}

/// Where the programs of commands run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    /// Without network.
    #[default]
    Sandboxed,
    /// With this machine's.
    Unsandboxed,
}

/// What a session knows of its workspace.
#[derive(Debug, Default)]
pub(super) struct Here {
    /// Untrusted text was read.
    pub(super) read: bool,
    /// Files may say what the session made them say.
    pub(super) changed: bool,
}

impl TaintGuard {
    /// Text of the workspace that the model sees though no call read it: notes in its instructions.
    pub fn shown(&self, scope: &Scope, text: &str) {
        if self.workspace == WorkspaceText::Vouched {
            return;
        }
        self.with(scope, |session| {
            session.here.read = true;
            session.name(text);
        });
    }

    /// What a call showed of what is here.
    pub(super) fn read_here(&self, call: &CheckedCall, text: &str) {
        let (effects, vouched) = (call.effects(), self.workspace == WorkspaceText::Vouched);
        self.with(call.scope(), |session| {
            session.private.learn(text);
            if vouched || !effects.iter().any(reads) {
                return;
            }
            session.here.read = true;
            if !session.here.changed && effects.iter().all(shows_a_file) {
                session.name(text);
            }
        });
    }

    /// A call has ended, however: from now on files may be its work.
    pub(super) fn changed_here(&self, call: &CheckedCall) {
        let only_read = call.commands().iter().all(|command| command.class == CommandClass::Safe);
        let changes = |effect: &Effect| match effect {
            Effect::WriteFile { .. } | Effect::Delete(_) | Effect::Move { .. } => true,
            Effect::Run(_) | Effect::Feed { .. } => !only_read,
            _ => false,
        };
        if call.effects().iter().any(changes) {
            self.with(call.scope(), |session| session.here.changed = true);
        }
    }

    /// What a call could carry out of a session that has read nothing but its workspace; hosts that it asks are judged by
    /// their addresses.
    pub(super) fn leaves(&self, call: &CheckedCall, session: &Session) -> Option<Outward> {
        let outward = Outward::of(call)?;
        let sandboxed = self.programs == Programs::Sandboxed && !call.has_network();
        let leaves = |effect: &Effect| match effect {
            Effect::Message(_) => true,
            Effect::Act(act) => act.kind.sends(),
            Effect::Run(_) | Effect::Feed { .. } => !sandboxed,
            _ => false,
        };
        let is_development = outward.is_development && outward.addresses.is_empty();
        let out = outward::is_open(call) || call.effects().iter().any(leaves);
        (out && !is_development && !outward.stays_with(&session.own)).then_some(outward)
    }
}

impl Session {
    /// Whether any text was read that is not the user's.
    pub(super) const fn is_wary(&self) -> bool {
        self.tainted || self.here.read
    }

    /// The addresses of a text become known. Those without a scheme do not: source code is full of `words.like.these`.
    fn name(&mut self, text: &str) {
        if !text.contains("://") {
            return;
        }
        let words = text.split_whitespace().filter(|word| word.contains("://"));
        words.flat_map(known::addresses).for_each(|found| self.found.learn(found));
    }
}

const fn reads(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::ReadFile(_) | Effect::ReadTree(_) | Effect::ReadArtifact(_) | Effect::Run(_) | Effect::Feed { .. }
    )
}

const fn shows_a_file(effect: &Effect) -> bool {
    matches!(effect, Effect::ReadFile(_) | Effect::ReadTree(_))
}
