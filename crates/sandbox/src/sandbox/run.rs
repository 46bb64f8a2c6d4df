//! One program from start to end, with its output.

use super::{Author, Shared};
use crate::order::{Handed, Order, Room};
use crate::output::{Capture, Stream, pump};
use crate::spawn::{Stop, io_error, watch};
use crate::terminal::Terminal;
use palanca_core::call::TerminalSize;
use palanca_core::ports::{Exit, Finished, ProcessError, RunLimits, Tail};
use palanca_core::tool::Cancel;
use rustix::fs::{Mode, OFlags, open};
use rustix::pipe::{PipeFlags, pipe_with};
use std::ffi::OsStr;
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::{Pin, pin};
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
    /// For its stdin; nothing means that there is none.
    pub(super) input: Option<Vec<u8>>,
    pub(super) limits: RunLimits,
    pub(super) cancel: Cancel,
    /// Receives the program's output for an observer.
    pub(super) tail: Option<Tail>,
    pub(super) reapers: TaskTracker,
    pub(super) author: Author,
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

/// Plain streams with our end of stdin.
fn fed_streams() -> io::Result<(Streams, Stream)> {
    let mut streams = streams(None)?;
    let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
    let [input, _, _] = &mut streams.theirs;
    *input = theirs;
    Ok((streams, Stream::new(ours)?))
}

/// Waits for the end while the output is read. The end is asked first: a program that prints without pause must not
/// outlive its limit.
pub(crate) async fn first_of<T>(
    end: impl Future<Output = T>,
    mut pumps: Pin<&mut impl Future<Output = ()>>,
    drained: &mut bool,
) -> T {
    let mut end = pin!(end);
    poll_fn(|context| {
        if let Poll::Ready(ended) = end.as_mut().poll(context) {
            return Poll::Ready(ended);
        }
        *drained = *drained || pumps.as_mut().poll(context).is_ready();
        Poll::Pending
    })
    .await
}

impl Job {
    pub(super) async fn run(
        self,
        room: Room,
        order: Order,
        terminal: Option<TerminalSize>,
    ) -> Result<Finished, ProcessError> {
        let started = Instant::now();
        let deadline = sleep(self.limits.time);
        let spill = self.shared.settings.spill.as_ref();
        let opened = match (&self.input, terminal) {
            (Some(_), None) => fed_streams().map(|(streams, input)| (streams, Some(input))),
            _ => streams(terminal).map(|streams| (streams, None)),
        };
        let (streams, input) = opened.map_err(|error| io_error("the program's streams", &error))?;
        let (mut out, mut err) = (Capture::new(self.limits.keep, spill), Capture::new(self.limits.keep, spill));
        let reason = async {
            tokio::select! {
                () = deadline => Stop::Timeout,
                () = self.cancel.cancelled() => Stop::Asked,
            }
        };
        let mut reason = pin!(reason);
        let fed = async {
            if let (Some(input), Some(bytes)) = (input, &self.input) {
                // ignored: a program need not read its stdin to the end.
                let _ = input.write_all(bytes, &mut 0).await;
            }
        };
        let show = |bytes: &[u8]| self.tail.iter().for_each(|tail| tail.push(bytes));
        let mut pumps = Box::pin(async {
            tokio::join!(
                fed,
                pump(&streams.stdout, CHUNK, |bytes| {
                    show(bytes);
                    out.push(bytes);
                }),
                async {
                    if let Some(stderr) = &streams.stderr {
                        pump(stderr, CHUNK, |bytes| {
                            show(bytes);
                            err.push(bytes);
                        })
                        .await;
                    }
                }
            );
        });
        let (supervisor, supervision) = self.shared.supervise(&room, (&self.author, &self.reapers))?;
        let handed = Handed { stdio: streams.theirs, supervisor };
        // Dropped when the reason to end comes before the program's start is reported; it may have printed all the same.
        let begun = tokio::select! {
            biased;
            stop = &mut reason => Err(stop),
            running = self.shared.start(&room, (&order, handed), self.reapers) => Ok(running?),
        };
        let mut drained = false;
        let exit = match begun {
            Err(Stop::Timeout) => Exit::TimedOut,
            Err(Stop::Asked) => Exit::Killed,
            Ok(mut running) => {
                let end = watch(&mut running, reason, self.shared.settings.grace);
                first_of(end, pumps.as_mut(), &mut drained).await
            }
        };
        if !drained {
            // ignored: another process holds the other end; the output so far is the result.
            let _ = timeout(DRAIN, pumps.as_mut()).await;
        }
        drop(pumps);
        let written = match supervision {
            Some(supervision) => supervision.written().await,
            None => self.shared.sweep(&room.plan.read_only, &order.argv.join(OsStr::new(" ")).to_string_lossy()),
        };
        Ok(Finished {
            exit,
            stdout: out.finish(),
            stderr: err.finish(),
            time: started.elapsed(),
            written,
            notes: Vec::new(),
        })
    }
}
