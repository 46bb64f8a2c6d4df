//! One program from start to end, with its output.

use super::{Author, Shared};
use crate::network;
use crate::order::{Handed, Order, Room};
use crate::output::{Capture, Stream, pump};
use crate::spawn::{Stop, io_error, watch};
use crate::terminal::Terminal;
use palanca_core::call::TerminalSize;
use palanca_core::ports::{Exit, Finished, ProcessError, RunLimits, Tail, WriteQuestions};
use palanca_core::tool::Cancel;
use rustix::fs::{Mode, OFlags, open};
use rustix::pipe::{PipeFlags, pipe_with};
use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Read at once.
const CHUNK: usize = 64 << 10;
/// After the end, for pipes that a survivor keeps open. At the full level there is none.
pub(crate) const DRAIN: Duration = Duration::from_millis(200);

/// Between two looks at a time limit that grows.
const LEAST: Duration = Duration::from_millis(20);

/// What a run needs beside its order.
pub(super) struct Job {
    pub(super) shared: Arc<Shared>,
    /// For its stdin; nothing means that there is none.
    pub(super) input: Option<Vec<u8>>,
    pub(super) limits: RunLimits,
    pub(super) cancel: Cancel,
    /// Receives the program's output for an observer.
    pub(super) tail: Option<Tail>,
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

/// Ends when a program's time is over, which begins now. The time that it waited for people does not count.
fn overdue(limit: Duration, waited: impl Fn() -> Duration) -> impl Future<Output = ()> {
    let started = tokio::time::Instant::now();
    async move {
        let mut left = limit;
        while !left.is_zero() {
            sleep(left.max(LEAST)).await;
            left = (limit + waited()).saturating_sub(started.elapsed());
        }
    }
}

impl Job {
    pub(super) async fn run(
        self,
        room: Room,
        order: Order,
        terminal: Option<TerminalSize>,
    ) -> Result<Finished, ProcessError> {
        let started = Instant::now();
        let questions = self.author.questions.clone();
        let waited = move || questions.as_ref().map_or(Duration::ZERO, WriteQuestions::waited);
        let deadline = overdue(self.limits.time, waited);
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
        let (supervisor, supervision) = self.shared.supervise(&room, &self.author)?;
        let handed = Handed { stdio: streams.theirs, supervisor };
        // Dropped when the reason to end comes before the program's start is reported; it may have printed all the same.
        let begun = tokio::select! {
            biased;
            stop = &mut reason => Err(stop),
            running = self.shared.start(&room, (&order, handed)) => Ok(running?),
        };
        let mut drained = false;
        let exit = match begun {
            Err(Stop::Timeout) => Exit::TimedOut,
            Err(Stop::Asked) => Exit::Killed,
            Ok(mut running) => {
                self.shared.prepare(&room);
                let end = watch(&mut running, reason, self.shared.settings.grace);
                first_of(end, pumps.as_mut(), &mut drained).await
            }
        };
        if !drained {
            // ignored: another process holds the other end; the output so far is the result.
            let _ = timeout(DRAIN, pumps.as_mut()).await;
        }
        drop(pumps);
        let ours = (room.plan.level, room.network);
        let written = self.shared.written(supervision, (room, order)).await;
        let (stdout, stderr) = (out.finish(), err.finish());
        let notes = network::note(ours, Some(exit), &[&stdout, &stderr]).into_iter().collect();
        Ok(Finished { exit, stdout, stderr, time: started.elapsed(), written, notes })
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_time_that_a_program_waits_for_people_does_not_count() {
        let started = tokio::time::Instant::now();
        let second = Duration::from_secs(1);
        // From its second second on it waits for a minute.
        overdue(second * 2, move || started.elapsed().saturating_sub(second).min(second * 60)).await;
        let late = started.elapsed() - second * 62;
        assert!(late <= LEAST, "{late:?}");
        let again = tokio::time::Instant::now();
        overdue(second * 2, || Duration::ZERO).await;
        assert_eq!(again.elapsed(), second * 2);
    }
}
