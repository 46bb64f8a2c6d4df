//! One running program: starts the helper, sends its order, and reads its messages until it reports the end.
//!
//! The socket is the lifeline. Whatever happens to this process, its end closes, and the helper ends everything that it
//! started; so a dropped [`Running`] needs nothing but to be dropped. A parent-death signal would follow the thread that
//! started the helper, not the process, and is not used.

mod failure;
mod stop;

pub(crate) use failure::{directory, environment, io as io_error, start};
pub(crate) use stop::{Stop, watch};

use crate::order::{Frames, HELPER, Handed, Order, Report, Request, attach_order, encode};
use data_encoding::BASE32_DNSSEC;
use palanca_core::ports::{Exit, ProcessError, ProcessErrorKind};
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

/// A program under a helper.
pub(crate) struct Running {
    socket: UnixStream,
    frames: Frames,
    child: Option<Child>,
    /// As the system knows it, when it does.
    pub(crate) pid: Option<i32>,
    /// Those who wait for helpers to be gone.
    reapers: TaskTracker,
}

impl Running {
    /// Starts a program; returns once it runs. `what` names it in errors.
    pub(crate) async fn start(
        helper: &Path,
        order: &Order,
        handed: Handed,
        reapers: TaskTracker,
    ) -> Result<Self, ProcessError> {
        let what = order.argv.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
        let failed = |error: io::Error| io_error(&what, &error);
        let message = encode(order).map_err(failed)?;
        let (child, socket) = start_helper(helper).map_err(failed)?;
        let mut running = Self { socket, frames: Frames::default(), child: Some(child), pid: None, reapers };
        let answer = timeout(ANSWER, async {
            running.send(&message, &handed).await?;
            drop(handed);
            running.report().await
        });
        match answer.await {
            Ok(Ok(Report::Started { pid })) => {
                running.pid = pid;
                Ok(running)
            }
            Ok(Ok(Report::Failed { step, reason, errno })) => Err(start(&what, order, (&step, reason, errno))),
            Ok(Ok(Report::Ended { .. })) => Err(failed(io::ErrorKind::InvalidData.into())),
            Ok(Err(error)) => Err(ProcessError::new(ProcessErrorKind::Isolation, what.as_str())
                .detail(format!("the helper program ended early: {error}"))),
            Err(_) => Err(ProcessError::new(ProcessErrorKind::Isolation, what.as_str())
                .detail("the helper program did not answer; it must call palanca_sandbox::enter() first")),
        }
    }

    async fn send(&mut self, message: &[u8], handed: &Handed) -> io::Result<()> {
        let descriptors = handed.each();
        let sent = self
            .socket
            .async_io(Interest::WRITABLE, || attach_order(self.socket.as_fd(), message, &descriptors))
            .await?;
        self.socket.write_all(message.get(sent..).unwrap_or_default()).await
    }

    /// The helper's next word. May be dropped and called again without losing any.
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

    /// How it ended, once nothing of it is left. May be dropped and called again.
    pub(crate) async fn ended(&mut self) -> Exit {
        loop {
            match self.report().await {
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
        let _ = encode(&Request::Signal(signal)).and_then(|message| self.socket.try_write(&message));
    }

    /// Cuts the lifeline and returns when the helper is gone.
    async fn cut(&mut self) {
        if let Some(mut child) = self.child.take() {
            // ignored: not being connected any more is what is wanted.
            let _ = self.socket.shutdown().await;
            gone(&mut child).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Outside of the runtime nobody can wait; the helper ends by itself, because the socket closes with this.
        if let (Some(mut child), Ok(runtime)) = (self.child.take(), Handle::try_current()) {
            self.reapers.spawn_on(async move { gone(&mut child).await }, &runtime);
        }
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

/// The helper, with our end of its socket. It gets none of our variables, which every process of our user could read.
fn start_helper(helper: &Path) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = Socket::pair()?;
    let mut command = Command::new(helper);
    command.arg0("palanca").arg(HELPER).env_clear().current_dir("/");
    command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
    let child = tokio::process::Command::from(command).spawn()?;
    ours.set_nonblocking(true)?;
    Ok((child, UnixStream::from_std(ours)?))
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
