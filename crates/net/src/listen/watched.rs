//! A connection whose progress is watched: what it waits for decides how long it may wait.

use super::options::ListenLimits;
use super::tally::Seat;
use crate::connect::Wire;
use palanca_core::call::Cancel;
use parking_lot::Mutex;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// How long a refused request's remaining bytes are read, so that the peer sees the answer before it sees the end.
const LINGER: Duration = Duration::from_secs(2);

/// What the connection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The rest of a head.
    Head,
    /// The next request.
    Waiting,
    /// The service.
    Running,
    /// The peer, to stop sending what nobody wants.
    Ending,
    /// It speaks another protocol now, with limits of its own.
    Upgraded,
}

struct State {
    phase: Phase,
    since: Instant,
    /// Since when the peer has taken nothing.
    stalled: Option<Instant>,
    /// The listener ends it, not the peer.
    stopping: bool,
}

pub(super) struct Watch(Mutex<State>);

impl Watch {
    pub(super) fn new() -> Self {
        Self(Mutex::new(State { phase: Phase::Head, since: Instant::now(), stalled: None, stopping: false }))
    }

    fn enter(&self, phase: Phase) {
        let mut state = self.0.lock();
        if !matches!(state.phase, Phase::Ending | Phase::Upgraded) {
            state.phase = phase;
            state.since = Instant::now();
        }
    }

    fn is(&self, phase: Phase) -> bool {
        self.0.lock().phase == phase
    }

    pub(super) fn stops(&self) {
        self.0.lock().stopping = true;
    }

    /// A head that cannot be read was answered; the peer may still be sending it.
    fn ends_in_a_head(&self) {
        let mut state = self.0.lock();
        if state.phase == Phase::Head && !state.stopping {
            state.phase = Phase::Ending;
            state.since = Instant::now();
        }
    }

    /// When it has waited long enough.
    pub(super) fn deadline(&self, limits: &ListenLimits) -> Option<Instant> {
        let state = self.0.lock();
        let waited = match state.phase {
            Phase::Head => Some(state.since + limits.head_time),
            Phase::Waiting => Some(state.since + limits.idle_time),
            Phase::Ending => Some(state.since + LINGER),
            Phase::Running | Phase::Upgraded => None,
        };
        let stalled = state.stalled.map(|since| since + limits.idle_time);
        waited.into_iter().chain(stalled).min()
    }

    /// Whether no request and no part of an answer is lost with the connection. A request whose head is not complete is
    /// none yet.
    pub(super) fn is_unused(&self) -> bool {
        let state = self.0.lock();
        matches!(state.phase, Phase::Head | Phase::Waiting) && state.stalled.is_none()
    }

    /// Whether an end now is an ordinary one.
    pub(super) fn is_between_requests(&self) -> bool {
        let state = self.0.lock();
        state.phase != Phase::Head && state.stalled.is_none()
    }
}

/// A request from its head to the end of its answer.
pub(super) struct Running(Arc<Watch>);

impl Running {
    pub(super) fn begin(watch: &Arc<Watch>) -> Self {
        watch.enter(Phase::Running);
        Self(Arc::clone(watch))
    }

    /// The peer may still be sending a body that is not read.
    pub(super) fn ends(&self) {
        self.0.enter(Phase::Ending);
    }

    pub(super) fn upgrades(&self) {
        self.0.enter(Phase::Upgraded);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.enter(Phase::Waiting);
    }
}

/// The bytes of a connection; its place is taken as long as they are there.
pub(super) struct Watched {
    wire: Box<dyn Wire>,
    watch: Arc<Watch>,
    _seat: Seat,
    /// Ends a connection that has left the listener's hands.
    cut: Cancel,
    cutting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Watched {
    pub(super) fn new(wire: Box<dyn Wire>, watch: Arc<Watch>, seat: Seat, cut: Cancel) -> Self {
        Self { wire, watch, _seat: seat, cut, cutting: None }
    }

    fn is_cut(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.watch.is(Phase::Upgraded) {
            return false;
        }
        let cut = &self.cut;
        let cutting = self.cutting.get_or_insert_with(|| Box::pin(cut.clone().cancelled_owned()));
        cutting.as_mut().poll(cx).is_ready()
    }

    fn tell<T>(&self, written: Poll<T>) -> Poll<T> {
        let mut state = self.watch.0.lock();
        if written.is_pending() {
            state.stalled.get_or_insert_with(Instant::now);
        } else {
            state.stalled = None;
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_cut(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.wire).poll_read(cx, buf))?;
        if buf.filled().len() > before && self.watch.is(Phase::Waiting) {
            self.watch.enter(Phase::Head);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_cut(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let written = Pin::new(&mut self.wire).poll_write(cx, bytes);
        self.tell(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.is_cut(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let written = Pin::new(&mut self.wire).poll_write_vectored(cx, bytes);
        self.tell(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.wire.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.wire).poll_flush(cx);
        self.tell(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.wire).poll_shutdown(cx))?;
        self.watch.ends_in_a_head();
        // A socket that is closed with bytes unread takes the answer away from the peer.
        while self.watch.is(Phase::Ending) {
            let mut rest = [0; 4096];
            let mut rest = ReadBuf::new(&mut rest);
            if ready!(Pin::new(&mut self.wire).poll_read(cx, &mut rest)).is_err() || rest.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
