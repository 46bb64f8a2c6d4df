//! The socket that listens: which places are allowed, and what the system says to them.

use super::error::{ListenError, ListenErrorKind};
use super::options::{Exposure, ListenOptions, Place};
use super::peer::Peer;
use super::unix::SocketFile;
use crate::connect::Wire;
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, UnixListener};

pub(super) enum Socket {
    Tcp(TcpListener),
    Unix { listener: UnixListener, _file: SocketFile },
}

impl Socket {
    pub(super) async fn bind(options: &ListenOptions) -> Result<Self, ListenError> {
        let error = |kind| ListenError::new(kind, &options.place, "");
        let failed = |fault: io::Error| ListenError::new(kind(&fault), &options.place, fault.to_string());
        match &options.place {
            Place::Tcp(address) => {
                match options.exposure {
                    Exposure::Local if !address.ip().to_canonical().is_loopback() => {
                        return Err(error(ListenErrorKind::NotLocal));
                    }
                    Exposure::Open if options.certificate.is_none() && options.proxies.is_empty() => {
                        return Err(error(ListenErrorKind::Unprotected));
                    }
                    _ => {}
                }
                TcpListener::bind(address).await.map(Self::Tcp).map_err(failed)
            }
            Place::Unix(path) => {
                let (listener, file) =
                    SocketFile::bind(path, options.exposure).map_err(|fault| match fault.kind() {
                        io::ErrorKind::AlreadyExists => error(ListenErrorKind::Occupied),
                        _ => failed(fault),
                    })?;
                let listener = UnixListener::from_std(listener).map_err(failed)?;
                Ok(Self::Unix { listener, _file: file })
            }
        }
    }

    /// With the port that was taken; none for a Unix socket.
    pub(super) fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            Self::Unix { .. } => None,
        }
    }

    pub(super) async fn accept(&self) -> io::Result<(Box<dyn Wire>, Peer)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Ok((Box::new(stream), Peer::tcp(address)))
            }
            Self::Unix { listener, .. } => {
                let (stream, _) = listener.accept().await?;
                let peer = stream.peer_cred()?;
                let peer = Peer::Unix { user: peer.uid(), group: peer.gid(), process: peer.pid() };
                Ok((Box::new(stream), peer))
            }
        }
    }
}

fn kind(fault: &io::Error) -> ListenErrorKind {
    match fault.kind() {
        io::ErrorKind::AddrInUse => ListenErrorKind::Taken,
        io::ErrorKind::PermissionDenied => ListenErrorKind::Forbidden,
        _ => ListenErrorKind::Unavailable,
    }
}
