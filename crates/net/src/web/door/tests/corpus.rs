//! The corpus of addresses: every row goes through the door, with the names and servers that it describes, and what was
//! dialled is compared with what may be.

use super::*;
use serde_json::Value;
use std::net::SocketAddr;

/// Further rows of the same kinds.
const OWN: &str = include_str!("../../../../tests/data/urls.jsonl");

fn rows() -> Vec<Value> {
    OWN.lines().map(|line| serde_json::from_str(line).unwrap()).chain(palanca_testkit::corpus("urls")).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn world(row: &Value) -> World {
    let redirects = strings(&row["redirects"]);
    let body = row["body"].as_str().unwrap_or("a page").to_owned();
    let server = row["server"].as_str().unwrap_or_default().to_owned();
    let fault = row["rebind"]["fault"].is_string();
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let mut world = World::new(move |_| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if fault && turn == 0 {
            return Reply::Reset;
        }
        match redirects.get(turn) {
            Some(to) => Reply::redirect(302, to),
            None if server.is_empty() => Reply::text(&body),
            None => misbehave(&server),
        }
    });
    for (name, answers) in row["dns"].as_object().into_iter().flatten() {
        let answers = strings(answers);
        world = world.name(name, &[&answers.iter().map(String::as_str).collect::<Vec<_>>()]);
    }
    let sequence: Vec<Vec<String>> = row["rebind"]["sequence"].as_array().into_iter().flatten().map(strings).collect();
    if !sequence.is_empty() {
        let sets: Vec<Vec<&str>> = sequence.iter().map(|set| set.iter().map(String::as_str).collect()).collect();
        let sets: Vec<&[&str]> = sets.iter().map(Vec::as_slice).collect();
        world = world.name("rebind.example.com", &sets);
    }
    world
}

fn misbehave(server: &str) -> Reply {
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let plain = || [HEAD, b"\r\n"].concat();
    match server {
        server if server.contains("gzip") => Reply::with(200, "Content-Encoding: gzip\r\n", &bomb(64 << 20)),
        server if server.contains("brotli") => Reply::with(200, "Content-Encoding: br\r\n", &[0x5b; 4 << 20]),
        server if server.contains("chunk") => {
            Reply::Bytes([HEAD, b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx"].concat())
        }
        server if server.contains("deep") => Reply::text(&"<div>".repeat(100_000)),
        server if server.contains("header") => {
            Reply::Endless(HEAD.to_vec(), b"X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".to_vec())
        }
        server if server.contains("slow") || server.contains("drip") => Reply::Drip(plain(), Duration::from_secs(1)),
        server if server.contains("silen") || server.contains("never") => Reply::Silence(Vec::new()),
        _ => Reply::Endless(plain(), vec![b'x'; 8192]),
    }
}

/// Whether the door refused, and did not merely fail.
fn is_refusal(kind: K) -> bool {
    use K::{Credentials, Denied, InvalidUrl, NotAllowed, Port, Private, Redirects, Scheme};
    matches!(kind, InvalidUrl | Scheme | Credentials | Port | Private | Denied | NotAllowed | Redirects)
}

/// Addresses that may never be dialled, written down without the door's own tables.
fn is_forbidden(to: &SocketAddr) -> bool {
    match to.ip() {
        std::net::IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_multicast()
                || v4.is_broadcast()
                || v4.is_unspecified()
                || v4.is_documentation()
                || a == 0
                || a >= 224
                || (a == 100 && (64..128).contains(&b))
                || (a == 198 && (18..20).contains(&b))
        }
        std::net::IpAddr::V6(v6) => {
            let first = v6.segments()[0];
            !(0x2000..0x4000).contains(&first) || first == 0x2002 || v6.segments()[..2] == [0x2001, 0]
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_corpus_as_labelled() {
    let rows = rows();
    let (mut denied, mut allowed, mut differing) = (0, 0, Vec::new());
    for row in &rows {
        let (id, input) = (row["id"].as_str().unwrap(), row["input"].as_str().unwrap());
        let world = Arc::new(world(row));
        let headers = [Header::secret("Authorization", "Bearer key"), Header::secret("X-Key", "key")];
        let start = Instant::now();
        let answer = open(&door(&world, WebOptions::default()), &HttpAccess::get(input), &headers).await;
        assert!(start.elapsed() <= Duration::from_secs(31), "{id}: {:?}", start.elapsed());
        let dialled = world.dialled.lock().unwrap().clone();
        assert!(!dialled.iter().any(is_forbidden), "{id}: {dialled:?}");
        let got = match &answer {
            Ok(answer) => {
                assert!(answer.body.len() <= 2 << 20, "{id}");
                assert!(!dialled.is_empty(), "{id}");
                "allow"
            }
            // A server that misbehaves may also end in a clear error, and a connection that is cut in one.
            Err(error) if row["server"].is_string() && matches!(error.kind, K::Interrupted | K::Timeout) => "allow",
            Err(error) if row["rebind"]["fault"].is_string() && error.kind == K::Interrupted => "deny",
            Err(error) if is_refusal(error.kind) => "deny",
            Err(error) => panic!("{id} {input}: {error}"),
        };
        for request in world.received() {
            let origin = |text: &str| url::Url::parse(text).unwrap().origin();
            let asked = format!("{}://{}/", request.scheme, request.header("host").unwrap());
            let ours = origin(&asked) == origin(&input.replace("./", "/"));
            assert_eq!(request.header("x-key").is_some(), ours, "{id}: {}", request.head);
            assert_eq!(request.header("authorization").is_some(), ours, "{id}");
        }
        if got == "deny" && row["redirects"].is_null() && row["rebind"].is_null() {
            assert!(dialled.is_empty(), "{id}: {dialled:?}");
        }
        *(if got == "deny" { &mut denied } else { &mut allowed }) += 1;
        let also = strings(&row["also_ok"]);
        if row["expect"] != got && !also.iter().any(|label| label == got) {
            differing.push(format!(
                "{id} {input}: {got}, not {}: {:?}",
                row["expect"],
                answer.map(|answer| answer.url)
            ));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
    println!("{} rows: {denied} denied, {allowed} allowed", rows.len());
    assert!(rows.len() >= 60 && denied >= 40 && allowed >= 15);
}
