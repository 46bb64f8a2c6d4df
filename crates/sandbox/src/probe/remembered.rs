//! Caches a full probe result for the next process: probing costs as much as starting a program. Only the best result is
//! cached, so an improved machine is probed again, and on a degraded one programs fail to start; that failure makes the next
//! process probe again.

use super::Best;
use crate::order::Level;
use rustix::process::geteuid;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What the helper says where nothing is missing.
const ALL: Best = Best { level: Level::Full, supervised: true };
/// Namespaces in which another answer may be true, as `/proc/self/ns` has them.
const NAMESPACES: [&str; 5] = ["user", "mnt", "pid", "net", "cgroup"];
/// What of `/proc/self/status` bounds this process.
const BOUNDS: [&str; 5] = ["CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];

/// The answer, and by what it is recognised.
#[derive(Debug)]
pub(crate) struct Remembered {
    file: PathBuf,
    words: String,
}

impl Remembered {
    /// In a file of this directory. None where it cannot be told what the answer depends on.
    pub(crate) fn kept_in(directory: &Path, helper: &Path) -> Option<Self> {
        let build = fs::metadata(helper).ok()?;
        let mut words = format!("{} {} {}", build.len(), build.mtime(), build.mtime_nsec());
        for namespace in NAMESPACES {
            let _ = write!(words, " {}", fs::read_link(format!("/proc/self/ns/{namespace}")).ok()?.display());
        }
        let status = fs::read_to_string("/proc/self/status").ok()?;
        for line in status.lines().filter(|line| BOUNDS.iter().any(|bound| line.starts_with(bound))) {
            let _ = write!(words, " {line}");
        }
        words.push_str(&fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?);
        Some(Self { file: directory.join(format!("isolation-{}", geteuid().as_raw())), words })
    }

    pub(crate) fn best(&self) -> Option<Best> {
        fs::read(&self.file).is_ok_and(|text| text == self.words.as_bytes()).then_some(ALL)
    }

    pub(crate) fn learn(&self, best: Best) {
        if best == ALL {
            // ignored: without it, the next process tries for itself.
            let _ = fs::write(&self.file, &self.words);
        }
    }

    /// After a program did not start.
    pub(crate) fn forget(&self) {
        // ignored: it is not there, or the next process fails as this one did, and says so.
        let _ = fs::remove_file(&self.file);
    }
}
