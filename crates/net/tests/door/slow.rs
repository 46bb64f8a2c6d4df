//! Servers that never end, never begin, or send more than they say: bounded time, bounded bytes.

use crate::servers::Reply;
use crate::space;
use crate::world::{Played, World};
use flate2::Compression;
use flate2::write::GzEncoder;
use palanca_core::ports::{BodyEnd, WebErrorKind, WebLimits};
use palanca_testkit::PATIENCE;
use std::collections::HashSet;
use std::io::Write as _;
use std::time::Duration;

/// What comes of a request whose time runs out, however long the machine takes until the answer begins.
fn out_of_time(world: &World, (url, server): (&str, &str), expected: Result<BodyEnd, WebErrorKind>) -> Played {
    let mut time = Duration::from_millis(500);
    loop {
        world.replies(vec![reply(server)]);
        let played = world.play(url, WebLimits { time, ..WebLimits::default() });
        let too_soon = played.answer.as_ref().is_err_and(|error| error.kind == WebErrorKind::Timeout);
        if !too_soon || expected == Err(WebErrorKind::Timeout) || time > PATIENCE {
            return played;
        }
        time *= 2;
    }
}

/// What a row of the corpus calls its server.
pub fn reply(server: &str) -> Reply {
    let head = "200 OK\r\nContent-Type: text/html".to_owned();
    match server {
        "endless body" | "endless" => Reply::Endless(head, vec![b'x'; 64 << 10]),
        "gzip bomb" => Reply::Whole(format!("{head}\r\nContent-Encoding: gzip"), bomb(64 << 20)),
        // Not asked for, so it is handed on as it is.
        "brotli bomb" | "zstd bomb" | "deflate bomb" => {
            Reply::Endless(format!("{head}\r\nContent-Encoding: br"), vec![0x5b; 64 << 10])
        }
        "bad chunk" => {
            Reply::Whole(format!("{head}\r\nTransfer-Encoding: chunked"), b"3\r\nabc\r\nffffffffffffffff\r\nx".to_vec())
        }
        "deep html" => Reply::Whole(head, "<div>".repeat(100_000).into_bytes()),
        "slow" | "slow drip" | "drip" | "slowloris" => Reply::Drip(head),
        "silent" | "silence" | "no answer" => Reply::Silence,
        "huge header" | "huge headers" => Reply::Whole(format!("{head}\r\nX: {}", "x".repeat(1 << 20)), Vec::new()),
        other if other.contains("header") => Reply::Whole(format!("{head}{}", "\r\nX: y".repeat(100_000)), Vec::new()),
        // Rows of these kinds only ask for an answer in bounds.
        _ => Reply::Endless(head, b"<a>".repeat(1000)),
    }
}

fn bomb(bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..bytes >> 20 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.finish().unwrap()
}

#[test]
fn what_never_ends_is_ended() {
    if !space::enter("slow::what_never_ends_is_ended") {
        return;
    }
    let world = World::new(&HashSet::from([80, 443]));
    let limits = WebLimits { bytes: 64 << 10, time: PATIENCE, ..WebLimits::default() };
    for (server, expected) in [
        ("endless", Ok(BodyEnd::Bytes)),
        ("gzip bomb", Ok(BodyEnd::Bytes)),
        ("brotli bomb", Ok(BodyEnd::Bytes)),
        ("deep html", Ok(BodyEnd::Bytes)),
        ("bad chunk", Ok(BodyEnd::Broken)),
        ("drip", Ok(BodyEnd::Time)),
        ("silence", Err(WebErrorKind::Timeout)),
        ("huge header", Err(WebErrorKind::Interrupted)),
        ("many headers", Err(WebErrorKind::Interrupted)),
    ] {
        for url in ["http://example.com/", "https://example.com/"] {
            let played = if matches!(expected, Ok(BodyEnd::Time) | Err(WebErrorKind::Timeout)) {
                out_of_time(&world, (url, server), expected)
            } else {
                world.replies(vec![reply(server)]);
                world.play(url, limits)
            };
            match (&played.answer, expected) {
                (Ok(answer), Ok(end)) => {
                    assert_eq!(answer.end, end, "{server} {url}");
                    assert!(answer.body.len() <= limits.bytes, "{server} {url}: {}", answer.body.len());
                    assert!(end == BodyEnd::Time || !answer.body.is_empty(), "{server} {url}");
                }
                (Err(error), Err(kind)) => assert_eq!(error.kind, kind, "{server} {url}: {error}"),
                (answer, expected) => panic!("{server} {url}: {expected:?}, but {answer:?}"),
            }
        }
    }
}

#[test]
fn redirects_without_end_stop_after_ten() {
    if !space::enter("slow::redirects_without_end_stop_after_ten") {
        return;
    }
    let world = World::new(&HashSet::from([80]));
    for (limit, followed) in [(0, 0), (3, 3), (10, 10), (200, 10)] {
        let chain = (1..40).map(|at| Reply::Redirect(format!("/{at}"))).collect();
        world.replies(chain);
        let played = world.play("http://example.com/0", WebLimits { redirects: limit, ..WebLimits::default() });
        assert_eq!(played.answer.unwrap_err().kind, WebErrorKind::Redirects, "{limit}");
        assert_eq!(played.received.len(), followed + 1, "{limit}");
    }
}
