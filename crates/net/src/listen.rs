//! The one place that listens: TCP or a Unix socket, HTTP/1.1, for one hosted [`Service`]. It owns who may connect, for
//! which names, how much and for how long; it knows no routes, sessions or tokens.
//!
//! A listener is for this machine alone unless [`Exposure::Open`] and encryption say otherwise, and even then a request
//! reaches the service only with a listed host and from a listed origin: a web page can send requests to any listener that
//! its reader's browser reaches.
//!
//! | who | is told | and the service |
//! |---|---|---|
//! | a peer too many, another user, not a trusted proxy | 503, 403 | never hears of it |
//! | a head that is too large, too slow | 431, the end | never hears of it |
//! | another host, another origin | 421, 403 | never hears of it |
//! | a body that is too large, too slow | 413, 408 | reads a [`BodyError`] |
//! | a reader that takes nothing | the end | its body is dropped |

mod body;
mod connection;
mod error;
mod names;
mod options;
mod peer;
mod socket;
mod tally;
mod tls;
mod unix;
mod upgrade;
mod watched;

pub use body::{Body, BodyError};
pub use bytes::Bytes;
pub use error::{ListenError, ListenErrorKind};
pub use http_body_util::{Full, StreamBody};
pub use hyper::body::Frame;
pub use hyper::{Request, Response, StatusCode, header};
pub use ipnet::IpNet;
pub use options::{Certificate, Exposure, ListenLimits, ListenOptions, Place};
pub use peer::Peer;
pub use tally::{Refusal, Tally};
pub use tower_service::Service;
pub use upgrade::{Opening, websocket};

use crate::connect::Wire;
use connection::Fault;
use hyper::body::Body as HttpBody;
use names::Names;
use palanca_core::call::Cancel;
use socket::Socket;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tally::{Seat, Seats};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// At most this many refused peers are answered at once; further ones find their connection closed.
const ANSWERED: usize = 64;
/// How long a refused peer may take for its answer.
const ANSWER_TIME: Duration = Duration::from_secs(2);
/// The pause before the next connection is tried when the system has no descriptor or memory for it.
const EXHAUSTED: Duration = Duration::from_millis(50);

/// A bound address. Peers are kept waiting until it serves.
pub struct Listener {
    socket: Socket,
    shared: Arc<Shared>,
    seats: Arc<Seats>,
    /// None if every peer may connect.
    only: Option<Only>,
}

/// What the connections of a listener share.
struct Shared {
    limits: ListenLimits,
    names: Names,
    proxies: Vec<IpNet>,
    tls: Option<TlsAcceptor>,
    tally: Arc<Tally>,
    /// Ends the connections that have been upgraded.
    cut: Cancel,
}

enum Only {
    User(u32),
    Proxies,
}

impl Listener {
    /// Takes the address. Needs a Tokio runtime with time and I/O.
    ///
    /// # Errors
    /// [`ListenError`], which says what to do.
    pub async fn bind(options: ListenOptions) -> Result<Self, ListenError> {
        let tls = options.certificate.as_ref().map(|pair| tls::acceptor(pair, &options.place)).transpose()?;
        let socket = Socket::bind(&options).await?;
        let names = Names::new(&options, socket.address())?;
        let tally = Arc::new(Tally::new());
        let only = match (&options.place, options.exposure) {
            (Place::Unix(_), Exposure::Local) => Some(Only::User(rustix::process::geteuid().as_raw())),
            (Place::Tcp(_), Exposure::Open) if tls.is_none() => Some(Only::Proxies),
            _ => None,
        };
        let ListenOptions { limits, proxies, .. } = options;
        let seats = Arc::new(Seats::new(&limits, Arc::clone(&tally)));
        let shared = Arc::new(Shared { limits, names, proxies, tls, tally, cut: Cancel::new() });
        Ok(Self { socket, shared, seats, only })
    }

    /// The address with the port that was taken; none for a Unix socket.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.socket.address()
    }

    /// Its counts.
    #[must_use]
    pub fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.shared.tally)
    }

    /// Serves until `stop`, then accepts nothing more, lets running requests end within [`ListenLimits::grace`], and
    /// closes the rest. Returns how many connections were cut off in a request or after an upgrade. Dropping the future
    /// cuts all of them.
    ///
    /// The service is cloned for each request. It finds the [`Peer`] among the request's extensions; a panic in it ends
    /// its connection only.
    pub async fn serve<S, B>(self, service: S, stop: Cancel) -> usize
    where
        S: Service<Request<Body>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<Fault>,
    {
        let Self { socket, shared, seats, only } = self;
        let _cut = shared.cut.clone().drop_guard();
        let mut serving = JoinSet::new();
        let mut refusing = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(_) = serving.join_next() => continue,
                Some(_) = refusing.join_next() => continue,
                accepted = socket.accept() => accepted,
            };
            match accepted {
                Ok((wire, peer)) => match admit(&peer, (&seats, &shared), only.as_ref()) {
                    Ok(seat) => {
                        let hosted = (service.clone(), stop.clone());
                        serving.spawn(connection::serve(wire, (seat, peer), Arc::clone(&shared), hosted));
                    }
                    Err(why) => {
                        shared.tally.refuse(why);
                        if shared.tls.is_none() && refusing.len() < ANSWERED {
                            refusing.spawn(turn_away(wire, why));
                        }
                    }
                },
                Err(fault) if is_exhausted(&fault) => sleep(EXHAUSTED).await,
                // ignored: this peer was gone before it was accepted.
                Err(_) => {}
            }
        }
        drop(socket);
        // ignored: those that need longer are counted.
        let _ = timeout(shared.limits.grace, shared.tally.at_most(0)).await;
        let cut = shared.tally.open();
        shared.cut.cancel();
        serving.shutdown().await;
        cut
    }
}

fn admit(peer: &Peer, (seats, shared): (&Arc<Seats>, &Shared), only: Option<&Only>) -> Result<Seat, Refusal> {
    let welcome = match (only, peer) {
        (Some(Only::User(own)), Peer::Unix { user, .. }) => user == own,
        (Some(Only::Proxies), peer) => peer.is_in(&shared.proxies),
        _ => true,
    };
    if welcome { seats.take(peer.key(&shared.proxies)) } else { Err(Refusal::Stranger) }
}

/// Answers a peer whose request is not read.
async fn turn_away(mut wire: Box<dyn Wire>, why: Refusal) {
    let (status, text) = why.answer();
    let length = text.len();
    let answer = format!("HTTP/1.1 {status} \r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{text}");
    let told = async {
        // Some clients take an answer for an error that is there before they have asked.
        let mut rest = [0; 4096];
        let asked = timeout(ANSWER_TIME / 2, wire.read(&mut rest)).await;
        asked.unwrap_or(Ok(0))?;
        wire.write_all(answer.as_bytes()).await?;
        wire.shutdown().await?;
        // A socket that is closed with bytes unread takes the answer away from the peer.
        while wire.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // ignored: whoever does not listen is not answered.
    let _ = timeout(ANSWER_TIME, told).await;
}

/// Whether the next attempt fails as well, unless something is freed.
fn is_exhausted(fault: &io::Error) -> bool {
    use rustix::io::Errno;
    let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(fault).is_some_and(|errno| exhausted.contains(&errno))
}
