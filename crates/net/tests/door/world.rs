//! A namespace with its servers, its capture, and the door with the system's own resolver and sockets.

use crate::capture::{Capture, Kind, Packet};
use crate::servers::{self, Reply, Script, Shared};
use crate::space::NAMESERVER;
use palanca_core::call::HttpAccess;
use palanca_core::ports::http::Header;
use palanca_core::ports::{AnyHop, Web as _, WebAnswer, WebError, WebLimits, WebRequest};
use palanca_core::tool::Cancel;
use palanca_net::{WebDoor, WebOptions};
use palanca_testkit::PATIENCE;
use std::collections::HashSet;
use std::io::Read as _;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub struct World {
    pub script: Shared,
    pub capture: Capture,
    pub runtime: tokio::runtime::Runtime,
}

/// What happened to one request.
pub struct Played {
    pub answer: Result<WebAnswer, WebError>,
    /// Every packet but those to and from the resolver.
    pub packets: Vec<Packet>,
    pub received: Vec<servers::Received>,
}

impl Played {
    /// Everything but later packets of connections, which may belong to an earlier request.
    pub fn begun(&self) -> Vec<Packet> {
        self.packets.iter().copied().filter(|packet| packet.kind != Kind::Tcp).collect()
    }

    /// Where connections were begun.
    pub fn reached(&self) -> Vec<SocketAddr> {
        self.packets.iter().filter(|packet| packet.kind == Kind::TcpBegin).map(|packet| packet.to).collect()
    }
}

impl World {
    /// A world whose web servers listen on these ports at every address.
    pub fn new(ports: &HashSet<u16>) -> Self {
        let script = Arc::new(Mutex::new(Script::default()));
        servers::names(Arc::clone(&script));
        servers::web(&script, ports);
        let world = Self {
            script,
            capture: Capture::start(),
            runtime: tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap(),
        };
        world.proves_itself(*ports.iter().min().unwrap());
        world
    }

    /// A connection to what must never be reached is answered here, and the capture shows it.
    fn proves_itself(&self, port: u16) {
        for address in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "::1", "fd00::1", "93.184.215.14"] {
            let to = SocketAddr::new(address.parse().unwrap(), port);
            let mut stream = TcpStream::connect(to).unwrap_or_else(|error| panic!("{to} is not answered: {error}"));
            // The server closes first, so nothing of this connection comes later.
            stream.shutdown(Shutdown::Write).unwrap();
            assert_eq!(stream.read_to_end(&mut Vec::new()).unwrap(), 0);
            drop(stream);
            let seen = self.capture.take();
            assert!(seen.contains(&Packet { kind: Kind::TcpBegin, to }), "{to} is not seen: {seen:?}");
        }
        self.script.lock().unwrap().log.clear();
    }

    pub fn options(&self) -> WebOptions {
        WebOptions {
            roots: vec![servers::authority()],
            resolve_timeout: PATIENCE,
            connect_timeout: PATIENCE,
            ..WebOptions::default()
        }
    }

    pub fn names(&self, name: &str, sets: &[&[&str]]) {
        let sets = sets.iter().map(|set| set.iter().map(|address| address.parse().unwrap()).collect()).collect();
        self.script.lock().unwrap().names.insert(name.to_owned(), sets);
    }

    pub fn replies(&self, replies: Vec<Reply>) {
        self.script.lock().unwrap().replies = replies.into();
    }

    pub fn play(&self, url: &str, limits: WebLimits) -> Played {
        let door = WebDoor::system(self.options()).unwrap();
        self.play_through(&door, url, limits)
    }

    pub fn play_through(&self, door: &WebDoor, url: &str, limits: WebLimits) -> Played {
        self.script.lock().unwrap().log.clear();
        let headers = [Header::secret("authorization", "Bearer SECRETMARK")];
        let reach = HttpAccess::get(url);
        let answer = self.runtime.block_on(async {
            let cancel = Cancel::new();
            let with = WebRequest { headers: &headers, limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
            door.open(&reach, with).await
        });
        let resolver = IpAddr::from(NAMESERVER);
        let packets = self.capture.take().into_iter().filter(|packet| packet.to.ip() != resolver).collect();
        let received = std::mem::take(&mut self.script.lock().unwrap().log);
        Played { answer, packets, received }
    }
}
