//! Waits for the program to end, does what the parent asks meanwhile, and leaves nothing alive.

use super::usage::Usage;
use super::{Failure, raw};
use crate::order::{Frames, Report, Request};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitOptions, WaitStatus, wait};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How long the killer waits for the dead before it looks again for what was born meanwhile.
const AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// How many of the dead are buried before anything else is looked at: a program can make them faster than that.
const AT_ONCE: usize = 256;

/// Before what it uses is first looked at.
const FIRST: Duration = Duration::from_millis(50);

/// Who is meant by "every process inside".
pub(super) enum Inside<'a> {
    /// All that this process may signal: it is init of its own process namespace, or has founded a family.
    Reachable { socket: &'a UnixStream },
    /// The children of this process, and theirs.
    Descendants { socket: &'a UnixStream },
}

impl Inside<'_> {
    /// Where requests come from and reports go.
    pub(super) fn socket(&self) -> &UnixStream {
        match self {
            Self::Reachable { socket } | Self::Descendants { socket } => socket,
        }
    }

    fn signal_all(&self, signal: i32) {
        match self {
            Self::Reachable { .. } => raw::kill(-1, signal),
            Self::Descendants { .. } => {
                for pid in descendants() {
                    raw::kill(pid, signal);
                }
            }
        }
    }

    /// Returns when the program and everything that it started are gone: because it ended, because it met a limit, or
    /// because the parent is gone.
    pub(super) fn until_ended(&self, program: Pid, signals: &OwnedFd, usage: &Usage<'_>) -> Result<Report, Failure> {
        let socket = self.socket();
        let mut frames = Frames::default();
        let (mut ended, mut limit) = (None, None);
        let mut left = Left::Living;
        let mut look = Instant::now() + FIRST;
        while ended.is_none() && limit.is_none() {
            let mut watched =
                [PollFd::new(signals, PollFlags::IN), PollFd::new(socket, PollFlags::IN | PollFlags::RDHUP)];
            let wait = match left {
                Left::Dead => Duration::ZERO,
                Left::None | Left::Living => look.saturating_duration_since(Instant::now()),
            };
            let wait = Timespec::try_from(wait).unwrap_or(AGAIN);
            match poll(&mut watched, Some(&wait)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(Failure::at("poll")(error)),
            }
            let [signalled, asked] = watched.map(|one| !one.revents().is_empty());
            if asked {
                if frames.fill(socket).is_err() {
                    break;
                }
                while let Ok(Some(Request::Signal(signal))) = frames.next() {
                    self.signal_all(signal);
                }
            }
            if signalled {
                drain(signals);
            }
            if signalled || left == Left::Dead {
                (ended, left) = reap(program);
            }
            if ended.is_none() && Instant::now() >= look {
                match usage.look() {
                    Ok(next) => look = Instant::now() + next,
                    Err(met) => limit = Some(met),
                }
            }
        }
        let limit = limit.or_else(|| usage.at_the_end());
        self.kill_all(program, signals, &mut ended);
        let status = ended.ok_or_else(|| Failure::new("wait", "the program was lost"))?;
        Ok(Report::Ended { code: status.exit_status(), signal: status.terminating_signal(), limit })
    }

    /// Kills until there is no child left.
    fn kill_all(&self, program: Pid, signals: &OwnedFd, ended: &mut Option<WaitStatus>) {
        loop {
            let (status, left) = reap(program);
            *ended = ended.or(status);
            if left == Left::None {
                return;
            }
            self.signal_all(libc::SIGKILL);
            if left == Left::Living {
                let mut watched = [PollFd::new(signals, PollFlags::IN)];
                // Whatever it returns, the loop looks again.
                let _ = poll(&mut watched, Some(&AGAIN));
                drain(signals);
            }
        }
    }
}

/// The children that there still are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    None,
    /// Some may wait to be buried.
    Dead,
    Living,
}

/// Reaps exited children, [`AT_ONCE`] of them at most; the program's own end when it was among them.
fn reap(program: Pid) -> (Option<WaitStatus>, Left) {
    let mut ended = None;
    for _ in 0..AT_ONCE {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == program => ended = Some(status),
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return (ended, Left::Living),
            Err(_) => return (ended, Left::None),
        }
    }
    (ended, Left::Dead)
}

fn drain(signals: &OwnedFd) {
    let mut buffer = [0; 1024];
    while rustix::io::read(signals, &mut buffer).is_ok_and(|count| count > 0) {}
}

/// Everything below this process, as `/proc` shows it now.
pub(super) fn descendants() -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = std::fs::read(entry.path().join("stat")) else { continue };
        if let Some(parent) = parent_of(&stat) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![rustix::process::getpid().as_raw_nonzero().get()];
    while let Some(parent) = open.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.push(child);
            open.push(child);
        }
    }
    found
}

/// The fourth field. The second is the program's name in parentheses and may hold anything, parentheses too.
fn parent_of(stat: &[u8]) -> Option<i32> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}
