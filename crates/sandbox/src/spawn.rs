//! One program: starts the helper, sends its order, and reads its messages until it reports the end.
//!
//! The socket is the lifeline. Whatever happens to this process, its end closes, and the helper ends everything that it
//! started; so a dropped [`Running`] needs nothing but to be dropped. A parent-death signal would follow the thread that
//! started the helper, not the process, and is not used.

mod failure;
mod spare;
mod stop;

pub(crate) use failure::{Refusal, directory, environment, io as io_error};
pub(crate) use spare::{Spare, Spares};
pub(crate) use stop::{Stop, watch};

use crate::order::{Frames, HELPER, Handed, Report, Request, Room, attach_order, encode};
use data_encoding::BASE32_DNSSEC;
use palanca_core::ports::Exit;
use rustix::rand::{GetRandomFlags, getrandom};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as Socket;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncWriteExt, Interest};
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

/// The longest way to a program's start; a program without [`enter`](crate::enter) in its `main` never answers.
const ANSWER: Duration = Duration::from_secs(10);
/// How long a helper may clean up after its lifeline is cut.
const CLEANING: Duration = Duration::from_secs(2);

/// A helper whose room has no program yet. It is good for one.
pub(crate) struct VacantRoom {
    socket: UnixStream,
    orders: UnixStream,
    frames: Frames,
    child: Option<Child>,
    /// Those who wait for helpers to be gone.
    reapers: TaskTracker,
}

/// A program under a helper.
pub(crate) struct Running {
    helper: VacantRoom,
    /// As the system knows it, when it does.
    pub(crate) pid: Option<i32>,
}

impl VacantRoom {
    /// Starts one, which builds this room; it goes on doing so afterwards.
    ///
    /// # Errors
    /// What the system reports.
    pub(crate) async fn start(program: &Path, room: &Room, reapers: TaskTracker) -> io::Result<Self> {
        let message = encode(room)?;
        let ((socket, theirs), (orders, ordered)) = (pair()?, pair()?);
        let mut command = Command::new(program);
        // It gets none of our variables, which every process of our user could read.
        command.arg0("palanca").arg(HELPER).env_clear().current_dir("/");
        command.stdin(theirs).stdout(ordered).stderr(Stdio::null());
        let child = Some(tokio::process::Command::from(command).spawn()?);
        let mut helper = Self { socket, orders, frames: Frames::default(), child, reapers };
        // ignored: one that does not listen does not answer either, and that is told.
        let _ = timeout(ANSWER, helper.socket.write_all(&message)).await;
        Ok(helper)
    }

    /// Whether it waits: it has not said anything, and is not gone.
    pub(crate) fn waits(&self) -> bool {
        self.socket.try_read(&mut [0]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Has it start a program; returns once that runs.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) async fn run(mut self, order: &[u8], handed: &Handed) -> Result<Running, Refusal> {
        match timeout(ANSWER, self.started(order, handed)).await {
            Ok(Ok(Report::Started { pid })) => Ok(Running { helper: self, pid }),
            Ok(Ok(Report::Failed { step, reason, errno })) => Err(Refusal::Step { step, reason, errno }),
            Ok(Ok(Report::Ended { .. })) => Err(Refusal::Gone(io::ErrorKind::InvalidData.into())),
            Ok(Err(error)) => Err(Refusal::Gone(error)),
            Err(_) => Err(Refusal::Silent),
        }
    }

    async fn started(&mut self, order: &[u8], handed: &Handed) -> io::Result<Report> {
        let descriptors = handed.each();
        let attach = || attach_order(self.orders.as_fd(), order, &descriptors);
        let sent = self.orders.async_io(Interest::WRITABLE, attach).await?;
        self.orders.write_all(order.get(sent..).unwrap_or_default()).await?;
        self.report().await
    }

    /// Its next word. May be dropped and called again without losing any.
    async fn report(&mut self) -> io::Result<Report> {
        loop {
            if let Some(report) = self.frames.next()? {
                return Ok(report);
            }
            self.socket.readable().await?;
            let mut buffer = [0; 4096];
            match self.socket.try_read(&mut buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.frames.push(buffer.get(..read).unwrap_or_default()),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Cuts the lifeline and returns when it is gone.
    async fn cut(&mut self) {
        if let Some(mut child) = self.child.take() {
            // ignored: not being connected any more is what is wanted.
            let _ = self.socket.shutdown().await;
            gone(&mut child).await;
        }
    }
}

impl Drop for VacantRoom {
    fn drop(&mut self) {
        // Outside of the runtime nobody can wait; the helper ends by itself, because the socket closes with this.
        if let (Some(mut child), Ok(runtime)) = (self.child.take(), Handle::try_current()) {
            self.reapers.spawn_on(async move { gone(&mut child).await }, &runtime);
        }
    }
}

impl Running {
    /// How it ended, once nothing of it is left. May be dropped and called again.
    pub(crate) async fn ended(&mut self) -> Exit {
        loop {
            match self.helper.report().await {
                Ok(Report::Ended { limit: Some(limit), .. }) => return Exit::Limited(limit),
                Ok(Report::Ended { code: Some(code), .. }) => return Exit::Code(code),
                Ok(Report::Ended { signal: Some(signal), .. }) => return Exit::Signal(signal),
                Ok(Report::Started { .. }) => {}
                // The helper was killed, by the system or a stranger, and took the program along.
                Ok(Report::Ended { .. } | Report::Failed { .. }) | Err(_) => {
                    self.cut().await;
                    return Exit::Lost;
                }
            }
        }
    }

    /// To every process inside.
    fn signal(&self, signal: i32) {
        // ignored: a helper that no longer listens is ending everything already.
        let _ = encode(&Request::Signal(signal)).and_then(|message| self.helper.socket.try_write(&message));
    }

    /// Cuts the lifeline and returns when the helper is gone.
    async fn cut(&mut self) {
        self.helper.cut().await;
    }
}

/// Waits for a helper whose lifeline is cut. Killing it at once would keep it from ending what it started.
async fn gone(child: &mut Child) {
    if timeout(CLEANING, child.wait()).await.is_err() {
        // ignored: it is gone already then.
        let _ = child.start_kill();
        let _ = child.wait().await;
    }
}

/// Our end of a new socket, and the helper's.
fn pair() -> io::Result<(UnixStream, OwnedFd)> {
    let (ours, theirs) = Socket::pair()?;
    ours.set_nonblocking(true)?;
    Ok((UnixStream::from_std(ours)?, theirs.into()))
}

/// A name that cannot be guessed: 60 random bits in base 32.
pub(crate) fn random_name(prefix: &str) -> io::Result<String> {
    let mut bytes = [0; 8];
    let filled = getrandom(&mut bytes, GetRandomFlags::empty())?;
    if filled < bytes.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let name = BASE32_DNSSEC.encode(&bytes);
    Ok(prefix.to_owned() + name.get(..12).unwrap_or(&name))
}
