//! What a hosted service hears and what its peers are told.

use crate::hosted::{Hosted, LARGE, is_closed, read_until, rest};
use palanca_net::listen::{ListenLimits, ListenOptions, Refusal};
use palanca_testkit::{PATIENCE, until};
use std::io::Write as _;
use std::time::Duration;

#[test]
fn bodies_pass_both_ways_as_they_come_and_the_connection_is_kept() {
    let hosted = Hosted::local(ListenLimits::default());
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("POST", "/echo", "Transfer-Encoding: chunked\r\n")).unwrap();
    let head = read_until(&mut stream, "\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    // Each piece comes back before the next one is sent.
    for piece in ["one", "two"] {
        write!(stream, "3\r\n{piece}\r\n").unwrap();
        assert_eq!(read_until(&mut stream, &format!("{piece}\r\n")), format!("3\r\n{piece}\r\n"));
    }
    write!(stream, "0\r\n\r\n").unwrap();
    assert_eq!(read_until(&mut stream, "0\r\n\r\n"), "0\r\n\r\n");
    let local = stream.local_addr().unwrap();
    write!(stream, "{}", hosted.head("GET", "/peer", "Connection: close\r\n")).unwrap();
    let told = rest(&mut stream);
    assert!(told.ends_with(&format!("Tcp {{ address: {local}, forwarded: None }}")), "{told}");
    assert_eq!((hosted.tally.accepted(), hosted.stopped()), (1, 0));
}

#[test]
fn events_arrive_when_they_happen() {
    let hosted = Hosted::local(ListenLimits::default());
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("GET", "/events", "")).unwrap();
    for text in ["first", "second"] {
        hosted.events.blocking_send(text).unwrap();
        assert!(read_until(&mut stream, &format!("data: {text}\n\n\r\n")).contains(text));
    }
    drop(hosted.events.clone());
    assert_eq!(hosted.tally.open(), 1);
}

#[test]
fn other_names_and_other_pages_get_no_answer_of_the_service() {
    let hosted = Hosted::local(ListenLimits::default());
    let port = hosted.at.port();
    for (lines, status) in [
        (format!("Host: 127.0.0.1:{port}"), "200"),
        (format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}"), "200"),
        // A name that an attacker's server of names leads here.
        (format!("Host: evil.example:{port}"), "421"),
        (format!("Host: 127.0.0.1:{}", port ^ 1), "421"),
        ("Accept: */*".to_owned(), "421"),
        (format!("Host: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}"), "421"),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: https://evil.example"), "403"),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: null"), "403"),
        (format!("Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site"), "403"),
        (
            format!(
                "Host: evil.example:{port}\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13"
            ),
            "421",
        ),
    ] {
        for (request, rest) in [("GET /", ""), ("POST /size", "Content-Length: 5\r\n\r\nhello")] {
            let rest = if rest.is_empty() { "\r\n" } else { rest };
            let told = hosted.answer(&format!("{request} HTTP/1.1\r\n{lines}\r\nConnection: close\r\n{rest}"));
            assert!(told.starts_with(&format!("HTTP/1.1 {status}")), "{request} {lines}: {told}");
            assert_eq!(told.contains("Tcp") || told.contains("5 whole"), status == "200", "{request} {lines}: {told}");
        }
    }
    assert_eq!((hosted.tally.refused(Refusal::Host), hosted.tally.refused(Refusal::Origin)), (10, 6));
}

#[test]
fn a_body_that_is_too_large_is_told_so() {
    let hosted = Hosted::local(ListenLimits { body_bytes: 1000, ..ListenLimits::default() });
    let kilo = "x".repeat(1000);
    let whole = hosted.head("POST", "/size", "Content-Length: 1000\r\nConnection: close\r\n") + &kilo;
    assert!(hosted.answer(&whole).ends_with("\r\n\r\n1000 whole"), "a body of the limit is taken");
    let mut refused = 0;
    for path in ["/size", "/echo", "/deaf"] {
        // It says so itself.
        let mut stream = hosted.connect();
        write!(stream, "{}", hosted.head("POST", path, "Content-Length: 1001\r\n")).unwrap();
        let told = rest(&mut stream);
        assert!(told.starts_with("HTTP/1.1 413") && told.contains("connection: close"), "{path}: {told}");
        refused += 1;
    }
    // It is sent whole before the answer is read.
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("POST", "/size", "Content-Length: 8000000\r\n")).unwrap();
    for _ in 0..8000 {
        // ignored: on a busy machine the server may have waited long enough; the answer is what counts.
        let _ = stream.write_all(kilo.as_bytes());
    }
    assert!(rest(&mut stream).starts_with("HTTP/1.1 413"));
    refused += 1;
    // It does not, and never ends.
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("POST", "/size", "Transfer-Encoding: chunked\r\n")).unwrap();
    let mut sent = 0_u64;
    while write!(stream, "3e8\r\n{kilo}\r\n").is_ok() && sent < 1 << 30 {
        sent += 1000;
        if hosted.tally.refused(Refusal::Large) > refused {
            break;
        }
    }
    let told = rest(&mut stream);
    assert!(told.starts_with("HTTP/1.1 413"), "{sent}: {told}");
    hosted.refused(Refusal::Large, refused + 1);
    assert!(hosted.get("/").contains("Tcp"));
}

#[test]
fn a_head_that_is_too_large_is_told_so() {
    let hosted = Hosted::local(ListenLimits { head_bytes: 8 << 10, ..ListenLimits::default() });
    let long =
        |bytes: usize| hosted.head("GET", "/peer", &format!("Connection: close\r\nX: {}\r\n", "x".repeat(bytes)));
    assert!(hosted.answer(&long(7 << 10)).starts_with("HTTP/1.1 200"));
    assert!(hosted.answer(&long(9 << 10)).starts_with("HTTP/1.1 431"));
    assert!(hosted.answer(&long(1 << 20)).starts_with("HTTP/1.1 431"));
    assert!(hosted.answer(&hosted.head("GET", "/", &"X: y\r\n".repeat(200))).starts_with("HTTP/1.1 431"));
    assert!(hosted.answer("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
}

/// Short, because each of them is waited for here.
const SHORT: Duration = Duration::from_millis(300);

#[test]
fn slow_peers_are_let_go_and_others_are_served() {
    let limits = ListenLimits { head_time: SHORT, idle_time: PATIENCE, ..ListenLimits::default() };
    let hosted = Hosted::local(limits);
    // Nothing at all; the beginning of a head; a line from time to time.
    let mut silent = hosted.connect();
    let mut begun = hosted.connect();
    write!(begun, "GET / HTTP/1.1\r\nHost: x").unwrap();
    let mut slow = hosted.connect();
    let slow_writer = slow.try_clone().unwrap();
    let dripping = std::thread::spawn(move || {
        let mut writer = slow_writer;
        // Ends with the connection.
        while writer.write_all(b"X").is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    assert!(is_closed(&mut silent) && is_closed(&mut begun) && is_closed(&mut slow));
    dripping.join().unwrap();
    hosted.refused(Refusal::Slow, 3);
    // On a busy machine an honest peer may be too slow for this listener, too: it comes again.
    let mut honest = 0;
    let mut second = palanca_testkit::waiting::some("an honest peer is served", || {
        honest += 1;
        let mut stream = hosted.connect();
        write!(stream, "{}", hosted.head("GET", "/empty", "")).ok()?;
        stream.peek(&mut [0]).ok().filter(|bytes| *bytes > 0)?;
        Some(stream)
    });
    let refused = hosted.tally.refused(Refusal::Slow);
    assert!(refused < 3 + honest, "{honest} tries, {refused} refused");
    // One that begins a second request.
    read_until(&mut second, "\r\n\r\n");
    write!(second, "GET /second HTTP/1.1\r\n").unwrap();
    assert!(is_closed(&mut second));
    hosted.refused(Refusal::Slow, refused + 1);
    hosted.open_at_most(0);
}

#[test]
fn who_is_idle_after_a_request_is_let_go_and_was_not_slow() {
    let hosted = Hosted::local(ListenLimits { head_time: PATIENCE, idle_time: SHORT, ..ListenLimits::default() });
    let mut idle = hosted.connect();
    write!(idle, "{}", hosted.head("GET", "/empty", "")).unwrap();
    read_until(&mut idle, "\r\n\r\n");
    assert!(is_closed(&mut idle));
    hosted.open_at_most(0);
    assert_eq!(hosted.tally.refused(Refusal::Slow), 0);
}

#[test]
fn a_body_that_stands_still_or_drips_ends() {
    let limits = ListenLimits { body_idle: SHORT, ..ListenLimits::default() };
    let hosted = Hosted::local(limits);
    let mut silent = hosted.connect();
    write!(silent, "{}hello", hosted.head("POST", "/size", "Content-Length: 10\r\n")).unwrap();
    let told = rest(&mut silent);
    assert!(told.starts_with("HTTP/1.1 408"), "{told}");
    hosted.refused(Refusal::Slow, 1);

    let hosted = Hosted::local(ListenLimits { body_idle: PATIENCE, body_time: SHORT, ..limits });
    let mut dripping = hosted.connect();
    write!(dripping, "{}", hosted.head("POST", "/size", "Content-Length: 100000\r\n")).unwrap();
    let mut writer = dripping.try_clone().unwrap();
    let drips = std::thread::spawn(move || {
        while writer.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let told = rest(&mut dripping);
    assert!(told.starts_with("HTTP/1.1 408"), "{told}");
    drips.join().unwrap();
    hosted.refused(Refusal::Slow, 1);
    hosted.open_at_most(0);
}

#[test]
fn a_peer_that_takes_nothing_is_let_go() {
    let hosted = Hosted::local(ListenLimits { idle_time: SHORT, ..ListenLimits::default() });
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("GET", "/endless", "")).unwrap();
    hosted.refused(Refusal::Slow, 1);
    hosted.open_at_most(0);
}

#[test]
fn a_panic_ends_its_own_connection() {
    let hosted = Hosted::local(ListenLimits::default());
    let mut kept = hosted.connect();
    write!(kept, "{}", hosted.head("GET", "/empty", "")).unwrap();
    read_until(&mut kept, "\r\n\r\n");
    assert_eq!(hosted.get("/panic"), "");
    write!(kept, "{}", hosted.head("GET", "/", "Connection: close\r\n")).unwrap();
    assert!(rest(&mut kept).contains("Tcp"));
    hosted.open_at_most(0);
}

#[test]
fn what_runs_may_end_and_the_rest_is_counted() {
    let hosted = Hosted::local(ListenLimits { grace: PATIENCE, ..ListenLimits::default() });
    let (mut running, mut idle) = (hosted.connect(), hosted.connect());
    write!(running, "{}", hosted.head("GET", "/hold", "")).unwrap();
    write!(idle, "{}", hosted.head("GET", "/empty", "")).unwrap();
    read_until(&mut idle, "\r\n\r\n");
    hosted.runtime.block_on(hosted.play.begun.acquire()).unwrap().forget();
    hosted.stop.cancel();
    assert!(is_closed(&mut idle), "an idle connection ends at once");
    hosted.open_at_most(1);
    hosted.play.go.add_permits(1);
    assert!(rest(&mut running).ends_with("held"));
    let at = hosted.at;
    assert_eq!(hosted.stopped(), 0);
    assert!(std::net::TcpStream::connect(at).is_err(), "nobody listens any more");

    let hosted = Hosted::local(ListenLimits { grace: SHORT, ..ListenLimits::default() });
    let mut running = [hosted.connect(), hosted.connect()];
    for stream in &mut running {
        write!(stream, "{}", hosted.head("GET", "/hold", "")).unwrap();
    }
    hosted.runtime.block_on(hosted.play.begun.acquire_many(2)).unwrap().forget();
    assert_eq!(hosted.stopped(), 2);
    for mut stream in running {
        assert!(is_closed(&mut stream));
    }
}

#[test]
fn an_answer_that_is_being_sent_is_sent_to_its_end() {
    let hosted = Hosted::local(ListenLimits { grace: PATIENCE, ..ListenLimits::default() });
    let mut stream = hosted.connect();
    write!(stream, "{}", hosted.head("GET", "/large", "")).unwrap();
    read_until(&mut stream, "\r\n\r\n");
    hosted.stop.cancel();
    // The listener has stopped, and the rest of the answer is still to come.
    let at = hosted.at;
    until("nobody listens any more", || std::net::TcpStream::connect(at).is_err());
    assert_eq!(rest(&mut stream).len(), LARGE);
    assert_eq!(hosted.stopped(), 0);
}

#[test]
fn an_unused_listener_gives_its_address_back() {
    let hosted = Hosted::new(ListenOptions::local(0));
    let at = hosted.at;
    assert_eq!(hosted.stopped(), 0);
    let again = Hosted::new(ListenOptions::local(at.port()));
    assert_eq!(again.at, at);
}
