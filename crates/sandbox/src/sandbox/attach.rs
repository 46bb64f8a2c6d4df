//! One program that is spoken to. Its streams go to the caller as they are; the engine reads stderr alone.

use super::{Author, DRAIN, Shared, first_of};
use crate::order::{Handed, Order, Room, Terminal};
use crate::output::{Stream, pump};
use crate::spawn::{Stop, io_error, watch};
use palanca_core::ports::{Attached, Ended, Exit, ProcessError, ProcessErrorKind, Tail, Written};
use palanca_core::tool::Cancel;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::Arc;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Read at once of stderr.
const CHUNK: usize = 16 << 10;

/// What it needs beside its order.
pub(super) struct Job {
    pub(super) shared: Arc<Shared>,
    pub(super) cancel: Cancel,
    pub(super) author: Author,
}

/// Our ends of the program's streams.
struct Streams {
    stdin: Sender,
    stdout: Receiver,
    stderr: Stream,
}

impl Job {
    /// Returns once it runs.
    pub(super) async fn run(self, room: Room, order: Order) -> Result<Attached, ProcessError> {
        let Self { shared, cancel, author } = self;
        if order.terminal == Terminal::Controlling {
            let error = ProcessError::new(ProcessErrorKind::Io, order.program());
            return Err(error.detail("a program that is spoken to has no terminal"));
        }
        let (theirs, streams) = streams().map_err(|error| io_error("the program's streams", &error))?;
        let Streams { stdin, stdout, stderr } = streams;
        let (supervisor, supervision) = shared.supervise(&room, &author)?;
        let handed = Handed { stdio: theirs, supervisor };
        let mut running = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ProcessError::new(ProcessErrorKind::Ended, order.program())),
            running = shared.start(&room, (&order, handed)) => running?,
        };
        let (tail, stop) = (Tail::default(), Cancel::new());
        let (tell, told) = oneshot::channel();
        let (shown, stopped, tasks) = (tail.clone(), stop.clone(), shared.tasks.clone());
        tasks.leave(async move {
            let reason = async {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = stopped.cancelled() => {}
                }
                Stop::Asked
            };
            let mut pumps = pin!(pump(&stderr, CHUNK, |bytes| shown.push(bytes)));
            let mut drained = false;
            let end = watch(&mut running, reason, shared.settings.grace);
            let exit = first_of(end, pumps.as_mut(), &mut drained).await;
            if !drained {
                // ignored: another process holds the other end; the output so far is all there is.
                let _ = timeout(DRAIN, pumps).await;
            }
            let written = shared.written(supervision, (room, order)).await;
            // ignored: the caller is gone.
            let _ = tell.send(Ended { exit, written });
        });
        // What is not told was ended with the door.
        let end = async { told.await.unwrap_or(Ended { exit: Exit::Killed, written: Written::default() }) };
        Ok(Attached::new((Box::new(stdin), Box::new(stdout)), tail, stop, end))
    }
}

fn streams() -> io::Result<([OwnedFd; 3], Streams)> {
    let (input, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stdout, output) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stderr, errors) = pipe_with(PipeFlags::CLOEXEC)?;
    let stdin = Sender::from_owned_fd(stdin)?;
    let (stdout, stderr) = (Receiver::from_owned_fd(stdout)?, Stream::new(stderr)?);
    Ok(([input, output, errors], Streams { stdin, stdout, stderr }))
}
