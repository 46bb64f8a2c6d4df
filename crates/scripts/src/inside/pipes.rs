//! The two pipes to the parent.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write as _;
use std::time::Duration;

/// Read at once.
const CHUNK: usize = 64 << 10;

/// A parent that is gone needs no answer: the process is about to be ended.
pub(super) fn send(line: &impl Serialize) {
    let Ok(mut line) = serde_json::to_vec(line) else { return };
    line.push(b'\n');
    let mut out = std::io::stdout();
    if out.write_all(&line).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// What the parent says.
#[derive(Default)]
pub(super) struct Pipes {
    buffer: Vec<u8>,
}

impl Pipes {
    /// The next line, waited for; none when the parent has hung up.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            if let Some(line) = self.line() {
                return serde_json::from_slice(&line).ok();
            }
            self.read()?;
        }
    }

    /// The next line, if it is there within this time.
    pub(super) fn receive_within<T: DeserializeOwned>(&mut self, time: Duration) -> Option<T> {
        if let Some(line) = self.line() {
            return serde_json::from_slice(&line).ok();
        }
        let input = rustix::stdio::stdin();
        let time =
            Timespec { tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: time.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&time)) {
            Ok(0) | Err(Errno::INTR) => return None,
            Ok(_) => {}
            Err(_) => std::process::exit(1),
        }
        if self.read().is_none() {
            std::process::exit(1);
        }
        self.line().and_then(|line| serde_json::from_slice(&line).ok())
    }

    fn read(&mut self) -> Option<()> {
        let mut chunk = vec![0; CHUNK];
        let read = rustix::io::read(rustix::stdio::stdin(), &mut chunk).ok().filter(|read| *read > 0)?;
        self.buffer.extend_from_slice(chunk.get(..read)?);
        Some(())
    }

    fn line(&mut self) -> Option<Vec<u8>> {
        let at = self.buffer.iter().position(|byte| *byte == b'\n')?;
        let rest = self.buffer.split_off(at + 1);
        Some(std::mem::replace(&mut self.buffer, rest))
    }
}
