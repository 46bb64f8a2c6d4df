//! WebSockets between the door and a hosted service, and what a hosted service tells strangers.

use crate::hosted::{Hosted, read_until, rest};
use palanca_core::call::{Cancel, HttpAccess};
use palanca_core::ports::{
    AnyHop, SocketError, SocketLimits, SocketMessage, Web as _, WebError, WebErrorKind, WebLimits, WebRequest,
    WebSocket,
};
use palanca_net::listen::{ListenLimits, Refusal};
use palanca_net::{WebDoor, WebOptions};
use palanca_testkit::{PATIENCE, until};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

fn text(text: &str) -> SocketMessage {
    SocketMessage::Text(text.to_owned())
}

async fn open(hosted: &Hosted, path: &str) -> Result<Box<dyn WebSocket>, WebError> {
    let private_hosts = vec![hosted.at.to_string()];
    let door = WebDoor::system(WebOptions { private_hosts, ..WebOptions::default() }).unwrap();
    let cancel = Cancel::new();
    let limits = WebLimits::default();
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    door.socket(&HttpAccess::get(format!("http://{}{path}", hosted.at)), with, SocketLimits::default()).await
}

fn ended(hosted: &Hosted) -> SocketError {
    until("it ends", || !hosted.play.ended.lock().unwrap().is_empty());
    hosted.play.ended.lock().unwrap().remove(0)
}

#[test]
fn messages_pass_in_both_directions_until_one_says_goodbye() {
    let hosted = Hosted::local(ListenLimits::default());
    hosted.runtime.block_on(async {
        let mut socket = open(&hosted, "/ws").await.unwrap();
        for message in [text("hello"), text(""), SocketMessage::Binary(vec![0; 100_000].into()), text("ünïcödé ✓")]
        {
            socket.send(message.clone()).await.unwrap();
            assert_eq!(socket.receive().await, Ok(message));
        }
        // Both at once: whichever is ready first gives up the other, and nothing is lost.
        let (mut sent, mut received) = (0_u32, 0_u32);
        while received < 1000 {
            tokio::select! {
                message = socket.receive() => {
                    assert_eq!(message, Ok(text(&received.to_string())));
                    received += 1;
                }
                () = std::future::ready(()), if sent < 1000 => {
                    socket.send(text(&sent.to_string())).await.unwrap();
                    sent += 1;
                }
            }
        }
        socket.close(1000, "done").await;
        assert_eq!(socket.receive().await, Err(SocketError::Closed { code: 1000, reason: "done".to_owned() }));
    });
    assert_eq!(ended(&hosted), SocketError::Closed { code: 1000, reason: "done".to_owned() });
    hosted.runtime.block_on(async {
        let mut socket = open(&hosted, "/ws").await.unwrap();
        socket.send(text("bye")).await.unwrap();
        let closed = SocketError::Closed { code: 4001, reason: "as asked".to_owned() };
        assert_eq!(socket.receive().await, Err(closed.clone()));
        assert_eq!(socket.send(text("x")).await, Err(closed));
    });
    hosted.open_at_most(0);
}

#[test]
fn it_holds_its_place_until_it_ends_and_is_counted_when_it_is_cut() {
    let limits = ListenLimits { connections: 2, grace: Duration::from_millis(100), ..ListenLimits::default() };
    let hosted = Hosted::local(limits);
    let mut sockets = hosted
        .runtime
        .block_on(async { [open(&hosted, "/ws").await.unwrap(), open(&hosted, "/ws").await.unwrap()].map(Some) });
    let refused = hosted.runtime.block_on(open(&hosted, "/ws")).err().unwrap();
    assert_eq!((refused.kind, &*refused.detail), (WebErrorKind::NotUpgraded, "it answered 503"));
    sockets[0] = None;
    assert!(matches!(ended(&hosted), SocketError::Interrupted(_)));
    hosted.open_at_most(1);
    let mut socket = sockets[1].take().unwrap();
    let (runtime, play) = (tokio::runtime::Handle::clone(hosted.runtime.handle()), hosted.play.clone());
    hosted.stop.cancel();
    let end = runtime.block_on(async { tokio::time::timeout(PATIENCE, socket.receive()).await.unwrap() });
    assert!(matches!(end, Err(SocketError::Interrupted(_))), "{end:?}");
    assert_eq!(hosted.stopped(), 1);
    drop(play);
}

const KEY: &str = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const LINES: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";

fn by_hand(hosted: &Hosted) -> TcpStream {
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("GET", "/ws", &format!("{LINES}{KEY}"))).unwrap();
    let head = read_until(&mut stream, "\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 101") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
    stream
}

#[test]
fn a_client_that_does_not_follow_the_protocol_is_told_so() {
    let hosted = Hosted::local(ListenLimits::default());
    for (bytes, code) in [
        // Not masked; reserved bits; a length beyond the limit; text that is none.
        (&b"\x81\x05hello"[..], 1002_u16),
        (b"\xf1\x80\0\0\0\0", 1002),
        (b"\x82\xff\0\0\0\x01\0\0\0\0\0\0\0\0", 1009),
        (b"\x81\x81\0\0\0\0\xff", 1007),
    ] {
        let mut stream = by_hand(&hosted);
        stream.write_all(bytes).unwrap();
        let mut frame = [0; 4];
        stream.read_exact(&mut frame).unwrap();
        assert_eq!(frame[..2], [0x88, 2], "{bytes:x?}");
        assert_eq!(u16::from_be_bytes([frame[2], frame[3]]), code, "{bytes:x?}");
        drop(stream);
        let end = ended(&hosted);
        assert!(matches!(end, SocketError::Garbage(_) | SocketError::TooLarge { .. }), "{bytes:x?}: {end:?}");
    }
    // A ping is answered with what it holds.
    let mut stream = by_hand(&hosted);
    stream.write_all(b"\x89\x82\0\0\0\0hi").unwrap();
    let mut frame = [0; 4];
    stream.read_exact(&mut frame).unwrap();
    assert_eq!(&frame, b"\x8a\x02hi");
}

#[test]
fn only_a_real_request_of_an_own_page_is_answered() {
    let hosted = Hosted::local(ListenLimits::default());
    let close = "Connection: close\r\n";
    for (method, lines, status) in [
        ("GET", close.to_owned(), "400"),
        ("POST", format!("{LINES}{KEY}"), "400"),
        ("GET", LINES.to_owned(), "400"),
        ("GET", format!("{}{KEY}", LINES.replace("13", "8")), "400"),
        ("GET", format!("{LINES}{KEY}Origin: https://evil.example\r\n"), "403"),
        ("GET", format!("{LINES}{KEY}Origin: http://localhost:1\r\n"), "403"),
    ] {
        let mut stream = hosted.connect();
        write!(stream, "{}", hosted.head(method, "/ws", &lines)).unwrap();
        let told = read_until(&mut stream, "\r\n\r\n");
        assert!(told.starts_with(&format!("HTTP/1.1 {status}")), "{method} {lines}: {told}");
    }
    hosted.refused(Refusal::Origin, 2);
    let rebound = format!("GET /ws HTTP/1.1\r\nHost: evil.example\r\n{LINES}{KEY}\r\n");
    let mut stream = hosted.connect();
    stream.write_all(rebound.as_bytes()).unwrap();
    assert!(rest(&mut stream).starts_with("HTTP/1.1 421"));
}
