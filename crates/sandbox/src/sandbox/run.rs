//! One program from its start to its end, with what it printed.

use super::Shared;
use crate::order::Order;
use crate::output::{Capture, Stream, pump};
use crate::spawn::{Running, Stop, io_error, watch};
use crate::terminal::Terminal;
use palanca_core::call::TerminalSize;
use palanca_core::ports::{Exit, Finished, ProcessError, RunLimits};
use palanca_core::tool::Cancel;
use rustix::fs::{Mode, OFlags, open};
use rustix::pipe::{PipeFlags, pipe_with};
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

/// Read at once.
const CHUNK: usize = 64 << 10;
/// After the end, for pipes that a survivor keeps open. At the full level there is none.
pub(crate) const DRAIN: Duration = Duration::from_millis(200);

/// What a run needs beside its order.
pub(super) struct Job {
    pub(super) shared: Arc<Shared>,
    pub(super) limits: RunLimits,
    pub(super) cancel: Cancel,
    pub(super) reapers: TaskTracker,
}

/// The program's three descriptors, and our ends of them.
pub(crate) struct Streams {
    pub(crate) theirs: [OwnedFd; 3],
    pub(crate) stdout: Stream,
    /// Nothing when both streams are one.
    pub(crate) stderr: Option<Stream>,
}

/// Plain streams without input, or a terminal.
pub(crate) fn streams(terminal: Option<TerminalSize>) -> io::Result<Streams> {
    if let Some(size) = terminal {
        let Terminal { ours, theirs } = Terminal::open(size)?;
        let theirs = [theirs.try_clone()?, theirs.try_clone()?, theirs];
        return Ok(Streams { theirs, stdout: Stream::new(ours)?, stderr: None });
    }
    let input = open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let (out, out_theirs) = pipe_with(PipeFlags::CLOEXEC)?;
    let (err, err_theirs) = pipe_with(PipeFlags::CLOEXEC)?;
    Ok(Streams { theirs: [input, out_theirs, err_theirs], stdout: Stream::new(out)?, stderr: Some(Stream::new(err)?) })
}

impl Job {
    pub(super) async fn run(self, order: Order, terminal: Option<TerminalSize>) -> Result<Finished, ProcessError> {
        let started = Instant::now();
        let deadline = sleep(self.limits.time);
        let spill = self.shared.settings.spill.as_ref();
        let streams = streams(terminal).map_err(|error| io_error("the program's streams", &error))?;
        let (mut out, mut err) = (Capture::new(self.limits.keep, spill), Capture::new(self.limits.keep, spill));
        let reason = async {
            tokio::select! {
                () = deadline => Stop::Timeout,
                () = self.cancel.cancelled() => Stop::Asked,
            }
        };
        let mut reason = pin!(reason);
        let start = Running::start(&self.shared.settings.helper, &order, streams.theirs, self.reapers);
        let exit = tokio::select! {
            biased;
            stop = &mut reason => match stop { Stop::Timeout => Exit::TimedOut, Stop::Asked => Exit::Killed },
            running = start => {
                let mut running = running?;
                let mut pumps = pin!(async {
                    tokio::join!(pump(&streams.stdout, CHUNK, |bytes| out.push(bytes)), async {
                        if let Some(stderr) = &streams.stderr {
                            pump(stderr, CHUNK, |bytes| err.push(bytes)).await;
                        }
                    });
                });
                let mut end = pin!(watch(&mut running, reason, self.shared.settings.grace));
                let mut drained = false;
                // The end comes first: a program that prints without pause must not outlive its limit.
                let exit = poll_fn(|context| {
                    if let Poll::Ready(exit) = end.as_mut().poll(context) {
                        return Poll::Ready(exit);
                    }
                    drained = drained || pumps.as_mut().poll(context).is_ready();
                    Poll::Pending
                }).await;
                if !drained {
                    // ignored: somebody else holds the other end; what came until now is the result.
                    let _ = timeout(DRAIN, pumps).await;
                }
                exit
            }
        };
        Ok(Finished { exit, stdout: out.finish(), stderr: err.finish(), time: started.elapsed() })
    }
}
