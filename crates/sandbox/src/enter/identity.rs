//! Who a program is. The ids inside are ids of the host, and there are no others.
//!
//! Root without a capability cannot write what belongs to somebody else, and a workspace that does is common in
//! containers. So root becomes the workspace's owner there, if the owner can reach everything that the plan names.

use super::Failure;
use crate::order::Plan;
use rustix::fs::{FileType, Gid, Uid};
use rustix::process::{Pid, getegid, geteuid};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    user: u32,
    group: u32,
    mapped_by: MappedBy,
}

/// Who may write the maps: a process can map itself alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MappedBy {
    Init,
    Outside,
}

impl Identity {
    /// As whom the program of this plan runs.
    pub(crate) fn of(plan: &Plan) -> Self {
        if geteuid().is_root() { owner(plan) } else { None }.unwrap_or_else(Self::own)
    }

    /// As whom we run.
    pub(crate) fn own() -> Self {
        Self { user: geteuid().as_raw(), group: getegid().as_raw(), mapped_by: MappedBy::Init }
    }

    /// The pipes of the program become its own, so that it can open them again by their names in `/proc`. Nothing else
    /// changes hands: `/dev/null` is everybody's.
    pub(crate) fn give(self, streams: &[OwnedFd]) {
        let is_pipe = |stream: &&OwnedFd| {
            rustix::fs::fstat(stream).is_ok_and(|about| FileType::from_raw_mode(about.st_mode) == FileType::Fifo)
        };
        if self.mapped_by == MappedBy::Outside {
            for stream in streams.iter().filter(is_pipe) {
                // ignored: a stream that cannot change hands still works as it is open.
                let _ = rustix::fs::fchown(stream, Some(Uid::from_raw(self.user)), Some(Gid::from_raw(self.group)));
            }
        }
    }

    /// What the process outside does for init.
    pub(super) fn map(self, init: Pid) -> Result<(), Failure> {
        if self.mapped_by == MappedBy::Init { Ok(()) } else { self.write(&init.as_raw_nonzero().to_string()) }
    }

    /// In init: becomes this user, once that is possible. `go` ends when it is.
    pub(super) fn take(self, go: &OwnedFd) -> Result<(), Failure> {
        match self.mapped_by {
            MappedBy::Init => self.write("self")?,
            MappedBy::Outside => {
                rustix::io::retry_on_intr(|| rustix::io::read(go, &mut [0_u8; 1])).map_err(Failure::at("ids"))?;
                let (user, group) = (Uid::from_raw(self.user), Gid::from_raw(self.group));
                rustix::thread::set_thread_res_gid(group, group, group).map_err(Failure::at("ids"))?;
                rustix::thread::set_thread_res_uid(user, user, user).map_err(Failure::at("ids"))?;
            }
        }
        // A second wall behind the filter of system calls; without it nested namespaces are still refused.
        let _ = std::fs::write("/proc/sys/user/max_user_namespaces", "0");
        Ok(())
    }

    /// In a check of what this machine can do.
    pub(crate) fn map_self(self) -> Result<(), Failure> {
        self.write("self")
    }

    fn write(self, process: &str) -> Result<(), Failure> {
        let Self { user, group, .. } = self;
        for (file, text) in [
            ("uid_map", format!("{user} {user} 1")),
            ("setgroups", "deny".to_owned()),
            ("gid_map", format!("{group} {group} 1")),
        ] {
            let file = format!("/proc/{process}/{file}");
            std::fs::write(&file, text).map_err(|error| Failure::at("ids")(error).on(file))?;
        }
        Ok(())
    }
}

/// The owner of the workspace, when that is not root and can reach whatever the plan names.
fn owner(plan: &Plan) -> Option<Identity> {
    let identity = Identity::owning(plan.writable.first()?)?;
    let everything = plan.writable.iter().chain(&plan.readable).all(|path| identity.reaches(path));
    (identity.user != 0 && everything).then_some(identity)
}

/// Whether the user as whom programs run in this workspace reaches a path.
pub(crate) fn reaches_as_the_program(workspace: &Path, path: &Path) -> bool {
    let owner = Identity::owning(workspace).filter(|owner| geteuid().is_root() && owner.user != 0);
    owner.is_none_or(|owner| owner.reaches(path))
}

impl Identity {
    fn owning(workspace: &Path) -> Option<Self> {
        let about = std::fs::metadata(workspace).ok()?;
        Some(Self { user: about.uid(), group: about.gid(), mapped_by: MappedBy::Outside })
    }

    fn reaches(self, path: &Path) -> bool {
        path.ancestors().skip(1).all(|folder| self.may_pass(folder))
    }

    fn may_pass(self, folder: &Path) -> bool {
        let Ok(about) = std::fs::metadata(folder) else { return false };
        let bit = match () {
            () if about.uid() == self.user => 0o100,
            () if about.gid() == self.group => 0o010,
            () => 0o001,
        };
        about.mode() & bit != 0
    }
}
