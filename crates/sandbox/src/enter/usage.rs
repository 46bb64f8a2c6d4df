//! What a program and everything that it started use, and the limit that they meet.
//!
//! Where the kernel counts memory and processes for us ([`Group`](super::group::Group)) it is asked; elsewhere they are
//! counted several times a second, more often the closer they come. Resource limits would count each process by itself, and a
//! limit on addresses breaks what reserves more than it uses: sanitizers, databases, Java.
//!
//! Not counted without a group: memory that is shared by no file and mapped by none (`memfd`); the kernel ends the program
//! first when that leaves the machine short.

use super::group::Group;
use super::watch::descendants;
use crate::order::{Level, Plan};
use crate::settings::ProgramLimits;
use palanca_core::ports::{LimitMet, ProgramLimit};
use rustix::fs::{StatVfs, statvfs};
use std::path::PathBuf;
use std::time::Duration;

/// Between two looks.
const SOONEST: Duration = Duration::from_millis(20);
const LATEST: Duration = Duration::from_millis(200);
/// What a program can take in a second at most: bytes of memory or disk, and processes.
const BYTES_A_SECOND: u64 = 4 << 30;
const PROCESSES_A_SECOND: u64 = 20_000;

/// What one program is measured by.
pub(super) struct Usage<'a> {
    limits: ProgramLimits,
    level: Level,
    group: Option<&'a Group>,
    disks: Vec<Disk>,
}

/// A file system that the program may write.
struct Disk {
    path: PathBuf,
    /// Free bytes when it started.
    free: u64,
    /// How many of them it may take.
    most: u64,
}

/// What processes have at one moment.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    threads: u64,
    private: u64,
    shared: u64,
}

impl<'a> Usage<'a> {
    /// When the program starts.
    pub(super) fn of(plan: &Plan, group: Option<&'a Group>) -> Self {
        let mut seen = Vec::new();
        let mut disks = Vec::new();
        for path in plan.writable.iter().map(PathBuf::as_path).chain(plan.home()) {
            let Ok(about) = statvfs(path) else { continue };
            if !seen.contains(&about.f_fsid) {
                seen.push(about.f_fsid);
                let free = free(&about);
                disks.push(Disk { path: path.to_owned(), free, most: plan.limits.disk.unwrap_or(free / 10 * 9) });
            }
        }
        Self { limits: plan.limits, level: plan.level, group, disks }
    }

    /// How long until the next look.
    ///
    /// # Errors
    /// The limit that is met.
    pub(super) fn look(&self) -> Result<Duration, LimitMet> {
        let mut next = LATEST;
        let mut within = |limit, used: u64, most: u64, a_second: u64| {
            let left = most.checked_sub(used).filter(|left| *left > 0).ok_or(LimitMet { limit, most })?;
            next = next.min(Duration::from_millis(left.saturating_mul(1000) / a_second));
            Ok(())
        };
        for disk in &self.disks {
            let taken = statvfs(&disk.path).map_or(0, |about| disk.free.saturating_sub(free(&about)));
            within(ProgramLimit::Disk, taken, disk.most, BYTES_A_SECOND)?;
        }
        match self.group {
            Some(group) => group.met(&self.limits).map_or(Ok(()), Err)?,
            None => {
                let (processes, memory) = self.count();
                within(ProgramLimit::Processes, processes, self.limits.processes, PROCESSES_A_SECOND)?;
                within(ProgramLimit::Memory, memory, self.limits.memory, BYTES_A_SECOND)?;
            }
        }
        Ok(next.max(SOONEST))
    }

    /// The limit that an end tells of.
    pub(super) fn at_the_end(&self) -> Option<LimitMet> {
        self.group.and_then(|group| group.met(&self.limits))
    }

    /// Processes with their threads, and bytes of memory.
    fn count(&self) -> (u64, u64) {
        let members = if self.level == Level::Full { other_processes() } else { descendants() };
        let mut all = Counted::default();
        for pid in &members {
            let Some(one) = Counted::of(*pid) else { continue };
            all.threads += one.threads;
            all.private += one.private;
            // What several map is the same more often than not.
            all.shared = all.shared.max(one.shared);
        }
        // The private `/tmp` is memory, too.
        let kept = if self.level == Level::Full { statvfs("/tmp").map_or(0, |about| used(&about)) } else { 0 };
        let mut memory = all.private.saturating_add(all.shared.max(kept));
        if memory >= self.limits.memory {
            // Processes that were forked count the same pages: what is theirs in proportion takes longer to learn.
            let share = |pid: &i32| proportional(*pid).or_else(|| Counted::of(*pid).map(|one| one.private));
            memory = members.iter().filter_map(share).sum::<u64>().saturating_add(kept);
        }
        (all.threads, memory)
    }
}

impl Counted {
    fn of(pid: i32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let of = |name: &str| number(&text, name);
        let kib = |name| of(name).unwrap_or(0).saturating_mul(1024);
        Some(Self { threads: of("Threads:").unwrap_or(1), private: kib("RssAnon:"), shared: kib("RssShmem:") })
    }
}

/// Bytes of memory that are no file's, shared ones in proportion.
fn proportional(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let parts = ["Pss_Anon:", "Pss_Shmem:"].map(|name| number(&text, name));
    let [Some(anonymous), Some(shared)] = parts else { return None };
    Some(anonymous.saturating_add(shared).saturating_mul(1024))
}

/// The number behind a name at the start of a line.
fn number(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// All processes of this process namespace but this one, its init.
fn other_processes() -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(|pid| *pid != 1).collect()
}

const fn free(about: &StatVfs) -> u64 {
    about.f_bavail.saturating_mul(about.f_frsize)
}

const fn used(about: &StatVfs) -> u64 {
    about.f_blocks.saturating_sub(about.f_bfree).saturating_mul(about.f_frsize)
}
