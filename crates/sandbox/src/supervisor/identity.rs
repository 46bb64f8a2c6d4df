//! The identity of the supervisor: requests are carried out with the program's rights only; judging and saving use our own.

use super::raw;
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

/// The two identities of a supervising thread. Only root has two.
#[derive(Debug)]
pub(super) struct Identity {
    /// Who the program is, where that is somebody else.
    program: Option<(u32, u32)>,
    /// What this thread may use when it works for itself; none where there is nothing to give up.
    own: Option<CapabilitySets>,
}

impl Identity {
    /// In the thread itself. From now on it works as the program.
    pub(super) fn take(user: u32, group: u32) -> Self {
        let own = rustix::process::geteuid().is_root().then(|| capabilities(None).ok()).flatten();
        if own.is_some() {
            // ignored: without the right to it there are no groups that only root reaches.
            let _ = rustix::thread::set_thread_groups(&[]);
        }
        let ourselves = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let identity = Self { program: Some((user, group)).filter(|program| *program != ourselves), own };
        identity.become_program();
        identity
    }

    /// Does something with our own rights.
    pub(super) fn as_ourselves<T>(&self, what: impl FnOnce() -> T) -> T {
        let Some(own) = self.own else { return what() };
        if self.program.is_some() {
            raw::reach_files_as(0, rustix::process::getegid().as_raw());
        }
        // ignored: with less, less can be kept, and what cannot be kept is refused.
        let _ = set_capabilities(None, own);
        let done = what();
        self.become_program();
        done
    }

    /// Who the program is, where that is somebody else.
    pub(super) const fn program(&self) -> Option<(u32, u32)> {
        self.program
    }

    fn become_program(&self) {
        let Some(own) = self.own else { return };
        let switch = CapabilitySet::SETUID | CapabilitySet::SETGID;
        if let Some((user, group)) = self.program {
            raw::reach_files_as(user, group);
        }
        let effective = own.effective & switch;
        // ignored: a thread that keeps more than it should is caught by the check of what it is.
        let _ = set_capabilities(None, CapabilitySets { effective, ..own });
    }

    /// Whether the program's rights are in force; otherwise nothing must be done for it.
    pub(super) fn is_program(&self) -> bool {
        let switch = CapabilitySet::SETUID | CapabilitySet::SETGID;
        self.own.is_none() || capabilities(None).is_ok_and(|now| switch.contains(now.effective))
    }
}
