#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use crate::web::WebOptions;
use crate::web::scripted::{Received, Reply, World, door};
use palanca_core::call::{Cancel, HttpAccess};
use palanca_core::ports::http::Header;
use palanca_core::ports::{
    AnyHop, SocketError, SocketLimits, SocketMessage, Web as _, WebLimits, WebRequest, WebSocket,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

const LIMITS: SocketLimits = SocketLimits { message: 1000, frame: 500, idle: Duration::from_secs(60) };

async fn connect(world: &Arc<World>, url: &str, headers: &[Header]) -> Result<Box<dyn WebSocket>, WebError> {
    connect_within(world, (url, headers), LIMITS).await
}

async fn connect_within(
    world: &Arc<World>,
    (url, headers): (&str, &[Header]),
    socket: SocketLimits,
) -> Result<Box<dyn WebSocket>, WebError> {
    let cancel = Cancel::new();
    let limits = WebLimits::default();
    let with = WebRequest { headers, limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    door(world, WebOptions::default()).socket(&HttpAccess::get(url), with, socket).await
}

/// The head that agrees, with these lines in addition, and these bytes after it.
fn agreed(request: &Received, lines: &str, bytes: &[u8]) -> Vec<u8> {
    let accept = accepted(request.header("sec-websocket-key").unwrap());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n{lines}\r\n"
    );
    [head.as_bytes(), bytes].concat()
}

/// A server's frame: the first byte, and a payload of at most 65,535 bytes.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).unwrap();
    match length {
        0..=125 => [&[first, length as u8], payload].concat(),
        _ => [&[first, 126], &length.to_be_bytes()[..], payload].concat(),
    }
}

/// What the socket gives until its end, when the server sends this and then stays.
async fn told(bytes: Vec<u8>) -> (Vec<SocketMessage>, SocketError) {
    let world = Arc::new(World::new(move |request| Reply::Deaf(agreed(request, "", &bytes))));
    let mut socket = connect(&world, "https://example.com/", &[]).await.unwrap();
    let mut messages = Vec::new();
    loop {
        match socket.receive().await {
            Ok(message) => messages.push(message),
            Err(end) => {
                assert_eq!(socket.receive().await.unwrap_err(), end, "the end stays");
                assert_eq!(socket.send(text("x")).await.unwrap_err(), end);
                return (messages, end);
            }
        }
    }
}

fn text(text: &str) -> SocketMessage {
    SocketMessage::Text(text.to_owned())
}

#[test]
fn the_key_is_answered_as_the_standard_says() {
    assert_eq!(accepted("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

#[tokio::test(start_paused = true)]
async fn the_request_is_the_doors_own() {
    let world = Arc::new(World::new(|request| Reply::Silence(agreed(request, "", &frame(0x81, b"hello")))));
    let headers = [
        Header::secret("Authorization", "Bot x"),
        Header::new("Sec-WebSocket-Key", "mine"),
        Header::new("Sec-WebSocket-Extensions", "permessage-deflate"),
        Header::new("Upgrade", "h2c"),
    ];
    let mut socket = connect(&world, "https://example.com/?v=10&encoding=json", &headers).await.unwrap();
    assert_eq!(socket.receive().await, Ok(text("hello")));
    let [request] = &world.received()[..] else { panic!("one request") };
    assert!(request.head.starts_with("GET /?v=10&encoding=json HTTP/1.1\r\nhost: example.com\r\n"), "{}", request.head);
    assert_eq!((request.scheme, request.header("authorization")), ("https", Some("Bot x")));
    assert_eq!((request.header("upgrade"), request.header("connection")), (Some("websocket"), Some("upgrade")));
    assert_eq!((request.header("sec-websocket-version"), request.header("accept-encoding")), (Some("13"), None));
    assert_eq!((request.header("sec-websocket-extensions"), request.header("origin")), (None, None));
    assert_eq!(BASE64.decode(request.header("sec-websocket-key").unwrap().as_bytes()).unwrap().len(), 16);
}

#[tokio::test(start_paused = true)]
async fn it_is_judged_as_any_request_and_follows_nothing() {
    use WebErrorKind as K;
    for (url, kind) in [
        ("https://127.0.0.1/", K::Private),
        ("https://bad.example.com/", K::Private),
        ("https://localhost/", K::Private),
        ("https://example.com:6379/", K::Port),
        ("wss://example.com/", K::Scheme),
        ("https://user:pw@example.com/", K::Credentials),
    ] {
        let world = World::new(|request| Reply::Silence(agreed(request, "", b"")));
        let world = Arc::new(world.name("bad.example.com", &[&["93.184.215.14", "10.0.0.1"]]));
        let error = connect(&world, url, &[]).await.err().expect(url);
        assert_eq!((error.kind, world.dialled().len()), (kind, 0), "{url}");
    }
    let world = Arc::new(World::new(|_| Reply::redirect(302, "https://example.org/")));
    assert_eq!(connect(&world, "https://example.com/", &[]).await.err().unwrap().kind, K::NotUpgraded);
    assert_eq!(world.received().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_host_that_does_not_agree_is_named() {
    use WebErrorKind as K;
    type Case = (&'static str, fn(&Received) -> Reply, WebErrorKind, &'static str);
    let cases: &[Case] = &[
        ("a page", |_| Reply::text("x"), K::NotUpgraded, "it answered 200"),
        ("a refusal", |_| Reply::with(403, "", b"no"), K::NotUpgraded, "it answered 403"),
        ("nothing", |_| Reply::Reset, K::Interrupted, ""),
        ("silence", |_| Reply::Silence(Vec::new()), K::Timeout, "no answer"),
        ("no http", |_| Reply::Bytes(b"\x81\x05hello".to_vec()), K::Interrupted, ""),
        (
            "another key",
            |_| {
                Reply::Silence(
                    b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
                        .to_vec(),
                )
            },
            K::NotUpgraded,
            "it did not understand the request",
        ),
        (
            "no key",
            |_| Reply::Silence(b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n".to_vec()),
            K::NotUpgraded,
            "it did not understand the request",
        ),
        (
            "another protocol",
            |request| {
                let said = String::from_utf8(agreed(request, "", b"")).unwrap();
                Reply::Silence(said.replace("WebSocket\r\n", "h2c\r\n").into_bytes())
            },
            K::NotUpgraded,
            "it changed to another protocol",
        ),
        (
            "an extension",
            |request| Reply::Silence(agreed(request, "Sec-WebSocket-Extensions: permessage-deflate\r\n", b"")),
            K::NotUpgraded,
            "it uses an extension that was not asked for",
        ),
        (
            "a subprotocol",
            |request| Reply::Silence(agreed(request, "Sec-WebSocket-Protocol: chat\r\n", b"")),
            K::NotUpgraded,
            "it chose a subprotocol that was not offered",
        ),
    ];
    for (name, reply, kind, detail) in cases {
        let world = Arc::new(World::new(reply));
        let error = connect(&world, "https://example.com/", &[]).await.err().expect(name);
        assert_eq!(error.kind, *kind, "{name}: {error}");
        assert!(error.detail.contains(detail), "{name}: {error}");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(world.open.lock().unwrap().0, 0, "{name}: the connection has ended");
    }
    let offered = [Header::new("Sec-WebSocket-Protocol", "mcp, chat")];
    let world =
        Arc::new(World::new(|request| Reply::Silence(agreed(request, "Sec-WebSocket-Protocol: chat\r\n", b""))));
    assert!(connect(&world, "https://example.com/", &offered).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn whatever_a_server_sends_the_end_has_a_name() {
    let closed = |code, reason: &str| SocketError::Closed { code, reason: reason.to_owned() };
    let hello = frame(0x81, b"hello");
    for (name, bytes, messages, end) in [
        ("goodbye", frame(0x88, b"\x03\xe8done"), 0, Some(closed(1000, "done"))),
        ("goodbye without a word", frame(0x88, b""), 0, Some(closed(1005, ""))),
        (
            "a code of its own",
            [hello.clone(), frame(0x88, &4004_u16.to_be_bytes())].concat(),
            1,
            Some(closed(4004, "")),
        ),
        (
            "pings first",
            [frame(0x89, b"a").repeat(1000), hello.clone(), frame(0x88, b"")].concat(),
            1,
            Some(closed(1005, "")),
        ),
        (
            "parts",
            [frame(0x01, b"he"), frame(0x89, b""), frame(0x00, b"l"), frame(0x80, b"lo"), frame(0x88, b"")].concat(),
            1,
            Some(closed(1005, "")),
        ),
        ("a frame too large", frame(0x82, &[0; 501]), 0, Some(SocketError::TooLarge { limit: 500 })),
        (
            "a length from another world",
            [0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff].to_vec(),
            0,
            Some(SocketError::TooLarge { limit: 500 }),
        ),
        (
            "a message too large",
            [frame(0x02, &[0; 500]), frame(0x00, &[0; 500]), frame(0x80, &[0; 1])].concat(),
            0,
            Some(SocketError::TooLarge { limit: 1000 }),
        ),
        ("a masked frame", [0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9].to_vec(), 0, None),
        ("reserved bits", frame(0xc1, b"x"), 0, None),
        ("a reserved kind", frame(0x83, b"x"), 0, None),
        ("a reserved control", frame(0x8b, b"x"), 0, None),
        ("a control in parts", frame(0x09, b"x"), 0, None),
        ("a control too large", frame(0x89, &[0; 126]), 0, None),
        ("a part of nothing", frame(0x80, b"x"), 0, None),
        ("a new one inside another", [frame(0x01, b"x"), frame(0x81, b"y")].concat(), 0, None),
        ("text that is none", frame(0x81, b"\xff\xfe"), 0, None),
        ("text that is none, in parts", [frame(0x01, b"\xe2\x82"), frame(0x80, b"x")].concat(), 0, None),
        ("a goodbye of one byte", frame(0x88, b"\x03"), 0, None),
        ("a reason that is no text", frame(0x88, b"\x03\xe8\xff"), 0, None),
        ("http", b"HTTP/1.1 400 Bad Request\r\n\r\n".repeat(10), 0, None),
    ] {
        let (said, ended) = told(bytes).await;
        assert_eq!(said, vec![text("hello"); messages], "{name}");
        match end {
            Some(end) => assert_eq!(ended, end, "{name}"),
            None => assert!(matches!(ended, SocketError::Garbage(_)), "{name}: {ended:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn random_bytes_end_with_a_name_too() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..300 {
        let length = next() % 200;
        let mut bytes: Vec<u8> = (0..length).map(|_| next() as u8).collect();
        // Half of them begin like a frame.
        if next() % 2 == 0 && !bytes.is_empty() {
            bytes[0] &= 0x8f;
        }
        let (messages, _) = told(bytes).await;
        assert!(messages.len() <= 100);
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_is_no_goodbye() {
    for bytes in [Vec::new(), frame(0x81, b"hello")[..4].to_vec(), frame(0x01, b"he")] {
        let world = Arc::new(World::new(move |request| Reply::Bytes(agreed(request, "", &bytes))));
        let mut socket = connect(&world, "https://example.com/", &[]).await.unwrap();
        assert!(matches!(socket.receive().await, Err(SocketError::Interrupted(_))));
    }
}

#[tokio::test(start_paused = true)]
async fn silence_is_asked_about_and_then_ends() {
    let begun = Instant::now();
    let (messages, end) = told(Vec::new()).await;
    assert_eq!((messages.len(), end), (0, SocketError::Timeout));
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_listen_for_long_hears_what_came_and_asks_first() {
    let world = Arc::new(World::new(|request| Reply::Deaf(agreed(request, "", &frame(0x81, b"hello")))));
    let mut socket = connect(&world, "https://example.com/", &[]).await.unwrap();
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(socket.receive().await, Ok(text("hello")));
    tokio::time::sleep(Duration::from_secs(3600)).await;
    let begun = Instant::now();
    assert_eq!(socket.receive().await, Err(SocketError::Timeout));
    assert_eq!(begun.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn parts_that_never_end_are_no_sign_of_life() {
    let world = Arc::new(World::new(|request| {
        Reply::Endless(agreed(request, "", &frame(0x01, b"")), frame(0x00, b"").repeat(1000))
    }));
    let limits = SocketLimits { idle: Duration::from_millis(300), ..LIMITS };
    let mut socket = connect_within(&world, ("https://example.com/", &[]), limits).await.unwrap();
    assert_eq!(socket.receive().await, Err(SocketError::Timeout));
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_takes_nothing_ends_it_and_costs_no_memory() {
    let world = Arc::new(World::new(|request| Reply::Deaf(agreed(request, "", b""))));
    let mut socket = connect(&world, "https://example.com/", &[]).await.unwrap();
    let large = SocketMessage::Binary(vec![0; 1000].into());
    let mut sent = 0;
    let end = loop {
        match socket.send(large.clone()).await {
            Ok(()) => sent += 1,
            Err(end) => break end,
        }
    };
    assert_eq!(end, SocketError::Timeout);
    // What fits between the two, and no more.
    assert!(sent < 500, "{sent}");
    let too_large = SocketMessage::Binary(vec![0; 1001].into());
    assert_eq!(socket.send(too_large).await, Err(SocketError::TooLarge { limit: 1000 }));
}
