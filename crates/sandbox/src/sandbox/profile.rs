//! What one program reaches: the door's plan, changed by the program's profile.

use super::Shared;
use super::directory::canonical;
use crate::enter::identity::reaches_as_the_program;
use crate::environment::TEMPORARY;
use crate::order::Plan;
use palanca_core::ports::{ProcessError, ProcessErrorKind, Profile, WorkspaceAccess};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

pub(super) struct Reach {
    pub(super) plan: Plan,
    /// Folders that other programs of the door do not reach.
    pub(super) further: Vec<PathBuf>,
}

impl Shared {
    /// # Errors
    /// A folder that no program may reach, or that could change the workspace without being judged.
    pub(super) fn reach(&self, profile: &Profile) -> Result<Reach, ProcessError> {
        let (mut plan, settings) = (self.plan.clone(), &self.settings);
        if profile.workspace != WorkspaceAccess::Write {
            plan.writable.retain(|path| *path != settings.workspace);
            // All of it lies in the workspace.
            plan.read_only.clear();
            plan.layer = None;
        }
        match profile.workspace {
            WorkspaceAccess::Write => {}
            WorkspaceAccess::Read => plan.readable.push(settings.workspace.clone()),
            WorkspaceAccess::None => {
                plan.readable.retain(|path| !settings.roots.contains(path));
                // They may lie in what every program sees.
                plan.masked.extend(settings.roots.iter().chain([&settings.workspace]).cloned());
            }
        }
        let readable: Vec<_> =
            profile.readable.iter().filter_map(|path| shown(path).transpose()).collect::<Result<_, _>>()?;
        let writable: Vec<_> = profile.writable.iter().map(|path| self.writable(path)).collect::<Result<_, _>>()?;
        let further = [readable.clone(), writable.clone()].concat();
        plan.readable.extend(readable);
        plan.writable.extend(writable);
        if let Some(home) = &profile.home {
            plan.home = self.home(home, profile.workspace)?.map(PathBuf::into_os_string);
        }
        Ok(Reach { plan, further })
    }

    /// A folder of the program's own; none where the owner of a workspace that it writes, as whom it runs, does not reach it.
    fn home(&self, path: &Path, access: WorkspaceAccess) -> Result<Option<PathBuf>, ProcessError> {
        let there = shown(path)?.filter(|there| there.is_dir());
        let there = there.ok_or_else(|| refusal(path, "there is no such directory"))?;
        let workspace = &self.settings.workspace;
        if workspace.starts_with(&there) {
            return Err(refusal(path, format!("it overlaps with {}", workspace.display())));
        }
        if access == WorkspaceAccess::Write && !reaches_as_the_program(workspace, &there.join(TEMPORARY)) {
            return Ok(None);
        }
        match DirBuilder::new().mode(0o700).create(there.join(TEMPORARY)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(refusal(path, error)),
            _ => Ok(Some(there)),
        }
    }

    fn writable(&self, path: &Path) -> Result<PathBuf, ProcessError> {
        let there = shown(path)?.filter(|there| there.is_dir());
        let there = there.ok_or_else(|| refusal(path, "there is no such directory"))?;
        let kept = self.plan.masked.iter().chain([&self.settings.workspace]);
        let mut kept = kept.filter(|kept| kept.starts_with(&there) || there.starts_with(kept));
        match kept.next() {
            Some(kept) => Err(refusal(path, format!("it overlaps with {}", kept.display()))),
            None => Ok(there),
        }
    }
}

fn refusal(path: &Path, why: impl ToString) -> ProcessError {
    ProcessError::new(ProcessErrorKind::OutOfReach, path.display().to_string()).detail(why.to_string())
}

/// Where this leads; none where nothing is.
fn shown(path: &Path) -> Result<Option<PathBuf>, ProcessError> {
    match canonical(path) {
        Ok(there) if there.parent().is_none() => Err(refusal(path, "a program cannot be shown the whole machine")),
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refusal(path, error)),
    }
}
