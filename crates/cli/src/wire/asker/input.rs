//! Lines from the terminal, and a way to stop waiting for one.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::termios::{QueueSelector, tcflush};
use std::io::BufRead as _;

/// Stdin, and the end of a pipe that closes when no answer is awaited any more.
pub struct Input {
    taken_back: OwnedFd,
}

/// Keeps the question open; dropping it takes the question back.
pub struct Waker {
    _open: OwnedFd,
}

/// What came.
pub enum Line {
    Text(String),
    /// The end of the input, or a fault of it.
    End,
    /// No answer is awaited any more.
    TakenBack,
}

impl Input {
    pub fn new() -> std::io::Result<(Self, Waker)> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok((Self { taken_back: read }, Waker { _open: write }))
    }

    pub fn is_taken_back(&self) -> bool {
        let mut end = [PollFd::new(&self.taken_back, PollFlags::IN)];
        matches!(poll(&mut end, Some(&rustix::time::Timespec::default())), Ok(ready) if ready > 0)
    }

    /// Input from before the question cannot be an answer to it.
    pub fn forget_what_was_typed(&self) {
        // ignored: an input that is no terminal keeps what it has.
        let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
    }

    /// Waits for a line.
    pub fn line(&self) -> Line {
        let stdin = std::io::stdin();
        loop {
            let mut ends = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.taken_back, PollFlags::IN)];
            match poll(&mut ends, None) {
                Err(Errno::INTR) => continue,
                Err(_) => return Line::End,
                Ok(_) => {}
            }
            let [typed, taken_back] = ends;
            if !taken_back.revents().is_empty() {
                return Line::TakenBack;
            }
            if !typed.revents().is_empty() {
                break;
            }
        }
        let mut line = String::new();
        match stdin.lock().read_line(&mut line) {
            Err(_) | Ok(0) => Line::End,
            Ok(_) => Line::Text(line),
        }
    }
}
