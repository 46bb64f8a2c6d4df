//! A control group (cgroup v2) for one program: the kernel counts its memory and processes, all of them together and
//! exactly. Made beside or below our own where somebody has delegated that to us; where not, there is none.
//!
//! The program is born in it: moving a process costs the kernel a wait for all processors. The group is removed by who made
//! it; one that a kill left behind is removed by the next.

use super::Failure;
use crate::settings::ProgramLimits;
use palanca_core::ports::{LimitMet, ProgramLimit};
use rustix::fs::{Mode, OFlags};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Where the one hierarchy is mounted; the second beside those of version 1.
const MOUNTED: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
/// What our groups are called, before the number of the process that made one.
const OURS: &str = "palanca-";

/// One group. Its files stay readable where `/sys` is not there any more.
pub(crate) struct Group {
    path: PathBuf,
    handle: OwnedFd,
}

impl Group {
    /// Makes one that bounds what is born in it.
    ///
    /// # Errors
    /// Why there is none on this machine, for us.
    pub(crate) fn create(limits: &ProgramLimits) -> Result<Self, Failure> {
        let own = own().ok_or_else(|| Failure::new("cgroup", "cgroup v2 is not mounted"))?;
        let parents = [Some(own.as_path()), own.parent()];
        let mut reason = None;
        for parent in parents.into_iter().flatten().filter(|path| path.join("cgroup.procs").exists()) {
            match Self::below(parent, limits) {
                Ok(group) => return Ok(group),
                Err(error) => reason = Some(Failure::at("cgroup")(error).on(parent.display())),
            }
        }
        Err(reason.unwrap_or_else(|| Failure::new("cgroup", "our own cgroup cannot be seen")))
    }

    fn below(parent: &Path, limits: &ProgramLimits) -> io::Result<Self> {
        let has =
            |names: &str| ["memory", "pids"].iter().all(|one| names.split_ascii_whitespace().any(|name| name == *one));
        if !has(&fs::read_to_string(parent.join("cgroup.subtree_control"))?) {
            return Err(io::Error::other("cgroup.subtree_control: memory, pids: –"));
        }
        sweep(parent);
        let path = parent.join(format!("{OURS}{}", std::process::id()));
        fs::create_dir(&path)?;
        let made = || {
            fs::write(path.join("memory.max"), limits.memory.to_string())?;
            fs::write(path.join("pids.max"), limits.processes.to_string())?;
            // ignored: a machine without swap has no such file.
            let _ = fs::write(path.join("memory.swap.max"), "0");
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(rustix::fs::open(&path, flags, Mode::empty())?)
        };
        match made() {
            Ok(handle) => Ok(Self { path, handle }),
            Err(error) => {
                // ignored: the next program sweeps it up.
                let _ = fs::remove_dir(&path);
                Err(error)
            }
        }
    }

    /// For [`fork`](super::raw::fork).
    pub(super) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// The limit that something in it met.
    pub(super) fn met(&self, limits: &ProgramLimits) -> Option<LimitMet> {
        let met = |file: &str, event: &str| {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC;
            let file = rustix::fs::openat(&self.handle, file, flags, Mode::empty()).ok();
            let text = file.and_then(|file| io::read_to_string(fs::File::from(file)).ok()).unwrap_or_default();
            text.lines().any(|line| line.strip_prefix(event).is_some_and(|count| count.trim() != "0"))
        };
        if met("memory.events", "oom_kill ") {
            return Some(LimitMet { limit: ProgramLimit::Memory, most: limits.memory });
        }
        met("pids.events", "max ").then_some(LimitMet { limit: ProgramLimit::Processes, most: limits.processes })
    }

    /// When nothing in it is left.
    pub(crate) fn remove(&self) {
        // ignored: the next program sweeps it up.
        let _ = fs::remove_dir(&self.path);
    }
}

/// Removes the groups of helpers that are gone. One in use cannot be removed.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(OURS)).and_then(|pid| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            // ignored: another process removes it, or something runs in it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The directory of the group that this process is in.
fn own() -> Option<PathBuf> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mounted = MOUNTED.iter().map(Path::new).find(|place| place.join("cgroup.controllers").exists())?;
    Some(mounted.join(path))
}
