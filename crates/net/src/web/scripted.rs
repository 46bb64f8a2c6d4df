//! A network for tests: names resolve as a test says, and servers in memory answer at public addresses. Nothing here
//! opens a socket, so the clock can be paused, and every connected address is recorded.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{Resolve, WebDoor, WebOptions};
use crate::connect::{Dial, Wire};
use futures_util::future::BoxFuture;
use palanca_core::call::HttpAccess;
use palanca_core::ports::http::Header;
use palanca_core::ports::{AnyHop, Web as _, WebAnswer, WebError, WebLimits, WebRequest};
use palanca_core::tool::Cancel;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The address of names that a test does not define.
pub const EXAMPLE: &str = "93.184.215.14";

/// A request as a server received it.
#[derive(Clone, Debug)]
pub struct Received {
    pub to: SocketAddr,
    /// Whether it came encrypted.
    pub scheme: &'static str,
    /// Method, target and headers, as received.
    pub head: String,
    pub body: String,
}

impl Received {
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// What a server does with a request.
pub enum Reply {
    /// These bytes, then the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, then the last ones repeatedly.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes, then one after each pause, forever.
    Drip(Vec<u8>, Duration),
    /// These bytes, then nothing, with the connection open.
    Silence(Vec<u8>),
    /// These bytes, then nothing is sent or read, with the connection open.
    Deaf(Vec<u8>),
    /// The end of the connection.
    Reset,
}

impl Reply {
    pub fn text(body: &str) -> Self {
        Self::page("text/html", body.as_bytes())
    }

    pub fn page(kind: &str, body: &[u8]) -> Self {
        Self::with(200, &format!("Content-Type: {kind}\r\n"), body)
    }

    pub fn with(status: u16, headers: &str, body: &[u8]) -> Self {
        let head = format!("HTTP/1.1 {status} Said\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
        Self::Bytes([head.as_bytes(), body].concat())
    }

    pub fn redirect(status: u16, to: &str) -> Self {
        Self::with(status, &format!("Location: {to}\r\n"), b"moved")
    }
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

/// Names, servers, and what happened.
#[derive(Default)]
pub struct World {
    /// Answers in sequence; the last one repeats.
    names: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    pub asked: Mutex<Vec<String>>,
    pub dialled: Mutex<Vec<SocketAddr>>,
    pub received: Mutex<Vec<Received>>,
    /// Open connections, now and at most.
    pub open: Mutex<(usize, usize)>,
    script: Option<Arc<Script>>,
    /// Before every answer.
    pub pause: Duration,
}

impl World {
    pub fn new(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        Self { script: Some(Arc::new(script)), ..Self::default() }
    }

    pub fn name(self, name: &str, answers: &[&[&str]]) -> Self {
        let answers = answers.iter().map(|set| set.iter().map(|address| address.parse().unwrap()).collect()).collect();
        self.names.lock().unwrap().insert(name.to_owned(), answers);
        self
    }

    pub fn dialled(&self) -> Vec<String> {
        self.dialled.lock().unwrap().iter().map(ToString::to_string).collect()
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

impl Resolve for Arc<World> {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(name.to_owned());
            let mut names = self.names.lock().unwrap();
            Ok(match names.get_mut(name) {
                None => vec![EXAMPLE.parse().unwrap()],
                Some(turns) if turns.len() > 1 => turns.remove(0),
                Some(turns) => turns.first().cloned().unwrap_or_default(),
            })
        })
    }
}

impl Dial for Arc<World> {
    fn dial(&self, to: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Wire>>> {
        Box::pin(async move {
            self.dialled.lock().unwrap().push(to);
            let Some(script) = self.script.clone() else {
                return Err(io::ErrorKind::ConnectionRefused.into());
            };
            let (client, server) = tokio::io::duplex(64 << 10);
            let world = Arc::clone(self);
            tokio::spawn(async move {
                {
                    let mut open = world.open.lock().unwrap();
                    open.0 += 1;
                    open.1 = open.1.max(open.0);
                }
                // Some tests disconnect in the middle.
                let _ = serve(&world, &script, (to, server)).await;
                world.open.lock().unwrap().0 -= 1;
            });
            Ok(Box::new(client) as Box<dyn Wire>)
        })
    }
}

async fn serve(world: &World, script: &Arc<Script>, (to, wire): (SocketAddr, impl Wire + 'static)) -> io::Result<()> {
    let (mut reading, writing) = tokio::io::split(wire);
    let mut first = [0];
    reading.read_exact(&mut first).await?;
    let secure = first == [0x16];
    let wire = tokio::io::join(io::Cursor::new(first).chain(reading), writing);
    if secure {
        let wire = tokio_rustls::TlsAcceptor::from(certificate()).accept(wire).await?;
        return answer(world, script, (to, "https", Box::new(wire))).await;
    }
    answer(world, script, (to, "http", Box::new(wire))).await
}

async fn answer(
    world: &World,
    script: &Arc<Script>,
    (to, scheme, mut wire): (SocketAddr, &'static str, Box<dyn Wire>),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let head = loop {
        let read = wire.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&buffer[..read]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let mut received =
        Received { to, scheme, head: String::from_utf8_lossy(&bytes[..head]).into_owned(), body: String::new() };
    let length = received.header("content-length").map_or(0, |length| length.parse().unwrap());
    while bytes.len() < head + length {
        let read = wire.read(&mut buffer).await?;
        bytes.extend_from_slice(&buffer[..read]);
    }
    received.body = String::from_utf8_lossy(&bytes[head..]).into_owned();
    world.received.lock().unwrap().push(received.clone());
    tokio::time::sleep(world.pause).await;
    match script(&received) {
        Reply::Bytes(bytes) => wire.write_all(&bytes).await?,
        Reply::Endless(bytes, again) => {
            wire.write_all(&bytes).await?;
            loop {
                wire.write_all(&again).await?;
            }
        }
        Reply::Drip(bytes, pause) => {
            wire.write_all(&bytes).await?;
            loop {
                tokio::time::sleep(pause).await;
                wire.write_all(b"x").await?;
            }
        }
        Reply::Silence(bytes) => {
            wire.write_all(&bytes).await?;
            let _ = wire.read(&mut buffer).await?;
        }
        Reply::Deaf(bytes) => {
            wire.write_all(&bytes).await?;
            std::future::pending().await
        }
        Reply::Reset => return Ok(()),
    }
    wire.shutdown().await
}

pub fn root() -> CertificateDer<'static> {
    include_bytes!("../../tests/data/tls/ca.der").to_vec().into()
}

fn certificate() -> Arc<rustls::ServerConfig> {
    let leaf = include_bytes!("../../tests/data/tls/leaf.der").to_vec().into();
    let key = PrivateKeyDer::try_from(include_bytes!("../../tests/data/tls/leaf.key.der").to_vec()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf], key);
    Arc::new(config.unwrap())
}

/// A door into this network.
pub fn door(world: &Arc<World>, options: WebOptions) -> WebDoor {
    let options = WebOptions { roots: vec![root()], ..options };
    WebDoor::new(options, Arc::new(Arc::clone(world)), Arc::new(Arc::clone(world))).unwrap()
}

/// Asks without memory.
pub async fn open(door: &WebDoor, reach: &HttpAccess, headers: &[Header]) -> Result<WebAnswer, WebError> {
    open_within(door, reach, (headers, WebLimits::default())).await
}

pub async fn open_within(
    door: &WebDoor,
    reach: &HttpAccess,
    (headers, limits): (&[Header], WebLimits),
) -> Result<WebAnswer, WebError> {
    let cancel = Cancel::new();
    door.open(reach, WebRequest { headers, limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel }).await
}
