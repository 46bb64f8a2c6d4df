//! What the door costs: the judgement of an address, and 1,000 fetches at once. `cargo bench --package palanca-net`.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use palanca_core::call::Reach;
use palanca_core::ports::{Web, WebLimits, WebRequest};
use palanca_core::tool::Cancel;
use palanca_net::{WebDoor, WebOptions};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The judgement of an address may take this long.
const GUARD: Duration = Duration::from_micros(5);
const ROUNDS: u32 = 20_000;
const FETCHES: usize = 1000;
const PAGE: usize = 64 << 10;

fn main() {
    guard();
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(fetches());
}

fn guard() {
    let deny_hosts = (0..100).map(|number| format!("denied{number}.example")).collect();
    let door = WebDoor::system(WebOptions { deny_hosts, ..WebOptions::default() }).unwrap();
    for url in [
        "https://example.com/a/b?c=d",
        "https://EXÄMPLE.com:8443/a/../b#c",
        "http://[2606:4700:4700::1111]/",
        "http://0x7f.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://user:password@example.com/",
    ] {
        let reach = Reach::get(url);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let _ = black_box(door.locate(black_box(&reach)));
        }
        let each = start.elapsed() / ROUNDS;
        println!("judge {each:>8.2?}  {}  {url}", if each <= GUARD { "ok" } else { "TOO SLOW" });
    }
}

/// Over the loopback, from one server that answers at once.
async fn fetches() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {PAGE}\r\n\r\n");
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(&vec![b'x'; PAGE]).await;
            });
        }
    });
    let private_hosts = vec![host.clone()];
    let plenty = WebOptions {
        private_hosts,
        requests_per_second: 1_000_000,
        burst: 10_000,
        connections_per_host: 64,
        ..WebOptions::default()
    };
    let door = Arc::new(WebDoor::system(plenty).unwrap());
    let start = Instant::now();
    let mut all = tokio::task::JoinSet::new();
    for number in 0..FETCHES {
        let (door, reach) = (Arc::clone(&door), Reach::get(format!("http://{host}/{number}")));
        all.spawn(async move {
            let cancel = Cancel::new();
            let limits = WebLimits::default();
            let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, cancel: &cancel };
            door.open(&reach, with).await.map(|answer| answer.body.len())
        });
    }
    let whole = all.join_all().await.into_iter().filter(|end| *end == Ok(PAGE)).count();
    println!("fetch {FETCHES} at once: {whole} whole in {:.2?}", start.elapsed());
}
