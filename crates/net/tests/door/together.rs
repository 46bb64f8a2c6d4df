//! Everything that this room can do on the network, beside a capture: each packet belongs to a connection that was judged.
//!
//! `cargo xtask check-egress` names this test for every library below the doors.

use crate::capture::Kind;
use crate::hosted::Hosted;
use crate::places::certificate;
use crate::servers::Reply;
use crate::space::{self, NAMESERVER};
use crate::world::World;
use futures_util::StreamExt as _;
use palanca_core::call::{Cancel, HttpAccess};
use palanca_core::ports::http::{Http as _, HttpErrorKind, HttpRequest, HttpTimeouts, Method};
use palanca_core::ports::{AnyHop, SocketLimits, SocketMessage, Web as _, WebErrorKind, WebLimits, WebRequest};
use palanca_net::listen::{Exposure, ListenOptions, Place};
use palanca_net::{NetClient, NetOptions, Origin, WebDoor};
use palanca_testkit::PATIENCE;
use std::collections::{BTreeSet, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

const PUBLIC: &str = "93.184.215.14";

/// Where connections were begun since the last call. Nothing else may have been sent, but to the server of names.
fn begun(world: &World) -> BTreeSet<SocketAddr> {
    let others = world.capture.take().into_iter().filter(|packet| packet.to.ip() != IpAddr::from(NAMESERVER));
    others
        .filter(|packet| packet.kind != Kind::Tcp)
        .map(|packet| {
            assert_eq!(packet.kind, Kind::TcpBegin, "{packet:?}");
            packet.to
        })
        .collect()
}

#[test]
fn every_connection_is_one_that_was_judged() {
    if !space::enter("together::every_connection_is_one_that_was_judged") {
        return;
    }
    let world = World::new(&HashSet::from([80, 443]));
    let to = |ports: &[u16]| -> BTreeSet<SocketAddr> {
        ports.iter().map(|port| SocketAddr::new(PUBLIC.parse().unwrap(), *port)).collect()
    };
    let hosted = Hosted::new(ListenOptions {
        exposure: Exposure::Open,
        certificate: Some(certificate()),
        hosts: vec!["example.com:8443".to_owned()],
        ..ListenOptions::at(Place::Tcp(format!("{PUBLIC}:8443").parse().unwrap()))
    });
    assert_eq!(begun(&world), to(&[]), "a listener sends nothing");

    let door = WebDoor::system(world.options()).unwrap();
    let cancel = Cancel::new();
    let limits = WebLimits::default();
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    world.replies(vec![Reply::Redirect("https://example.org/next".to_owned())]);
    let answer = world.runtime.block_on(door.open(&HttpAccess::get("http://example.com/"), with)).unwrap();
    assert_eq!((answer.status, begun(&world)), (200, to(&[80, 443])));

    world.replies(vec![Reply::Redirect("http://example.org/next".to_owned())]);
    let pieces = world.runtime.block_on(async {
        let stream = door.stream(&HttpAccess::get("https://example.com/"), with).await.unwrap();
        stream.body.collect::<Vec<_>>().await
    });
    assert!(pieces.iter().all(Result::is_ok));
    assert_eq!(begun(&world), to(&[80, 443]));
    world.replies(vec![Reply::Redirect("http://10.0.0.1/".to_owned())]);
    let refused = world.runtime.block_on(door.stream(&HttpAccess::get("http://example.com/"), with)).unwrap_err();
    assert_eq!((refused.kind, begun(&world)), (WebErrorKind::Private, to(&[80])));

    let spoken = SocketMessage::Text("hello".to_owned());
    let heard = world.runtime.block_on(async {
        let reach = HttpAccess::get("https://example.com:8443/ws");
        let mut socket = door.socket(&reach, with, SocketLimits::default()).await.unwrap();
        socket.send(spoken.clone()).await.unwrap();
        let heard = socket.receive().await;
        socket.close(1000, "").await;
        heard
    });
    assert_eq!((heard, begun(&world)), (Ok(spoken), to(&[8443])));
    world.names("private.example.com", &[&["127.0.0.1"]]);
    let refused = world.runtime.block_on(door.socket(
        &HttpAccess::get("https://private.example.com:8443/ws"),
        with,
        SocketLimits::default(),
    ));
    assert_eq!((refused.err().map(|error| error.kind), begun(&world)), (Some(WebErrorKind::Private), to(&[])));

    // Certificates that nobody vouches for are not asked about anywhere, either.
    let urls = ["http://example.com/", "https://example.com/"];
    let client = NetClient::new(urls.map(|url| Origin::of(url).unwrap()), NetOptions::default());
    for (url, failed, port) in [(urls[0], None, 80), (urls[1], Some(HttpErrorKind::Tls), 443)] {
        let timeouts = HttpTimeouts::all(PATIENCE);
        let (url, headers, body) = (url.to_owned(), Vec::new(), bytes::Bytes::new());
        let sent = client.send(HttpRequest { method: Method::Get, url, headers, body, timeouts });
        let answer = world.runtime.block_on(sent);
        assert_eq!((answer.err().map(|error| error.kind), begun(&world)), (failed, to(&[port])));
    }
    assert_eq!(hosted.stopped(), 0);
    assert_eq!(begun(&world), to(&[]));
}
