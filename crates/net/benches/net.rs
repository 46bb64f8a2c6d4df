//! What the door costs: judging an address, a thousand fetches at once beside the models' client, the memory that hostile
//! answers take, and a request to a listener beside the bare library. `cargo bench --package palanca-net`, with words to
//! choose: `judging`, `parallel`, `memory`, `listening`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use palanca_core::call::HttpAccess;
use palanca_core::ports::http::{Http as _, HttpRequest, HttpTimeouts, Method};
use palanca_core::ports::{AnyHop, Web as _, WebLimits, WebRequest};
use palanca_core::tool::Cancel;
use palanca_net::listen::{Body, ListenOptions, Listener, Request, Response, Service};
use palanca_net::{CacheLimits, NetClient, WebDoor, WebOptions};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const CHILD: &str = "PALANCA_BENCH_FETCH";

fn main() {
    if let Ok(url) = std::env::var(CHILD) {
        return child(&url);
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    if wanted("judging") {
        judging();
    }
    if wanted("parallel") {
        parallel();
    }
    if wanted("memory") {
        memory();
    }
    if wanted("listening") {
        listening();
    }
}

fn judging() {
    let door = WebDoor::system(WebOptions {
        deny_hosts: (0..100).map(|at| format!("denied-{at}.example.net")).collect(),
        ..WebOptions::default()
    })
    .unwrap();
    for url in [
        "https://example.com/",
        "https://docs.example.com/a/long/path/to/a/page.html?with=a&query=of&some=length",
        "http://93.184.215.14:8080/x",
        "http://[2606:4700:4700::1111]/",
        "http://127.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://exämple.com/",
    ] {
        let reach = HttpAccess::get(url);
        let mut runs: Vec<f64> = (0..21)
            .map(|_| {
                let begun = Instant::now();
                for _ in 0..10_000 {
                    let _ = black_box(door.locate(black_box(&reach)));
                }
                begun.elapsed().as_secs_f64() * 1e6 / 10_000.0
            })
            .collect();
        runs.sort_by(f64::total_cmp);
        println!("judging {url}, 100 denied hosts: {:.2} µs", runs[10]);
    }
}

/// What a server sends to everybody.
#[derive(Clone)]
enum Page {
    Bytes(Arc<Vec<u8>>),
    /// Its last part for ever.
    Endless(Arc<Vec<u8>>),
    Drip,
}

/// The address, and the most connections that were open at once.
fn serve(page: Page) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let most = Arc::new(AtomicUsize::new(0));
    let (peak, open) = (Arc::clone(&most), Arc::new(AtomicUsize::new(0)));
    thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            let (page, peak, open) = (page.clone(), Arc::clone(&peak), Arc::clone(&open));
            thread::spawn(move || {
                peak.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                // ignored: whoever has enough hangs up.
                let _ = answer(stream, &page);
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    (address, most)
}

fn answer(mut stream: TcpStream, page: &Page) -> std::io::Result<()> {
    let mut request = [0; 4096];
    loop {
        let mut count = 0;
        while !request[..count].ends_with(b"\r\n\r\n") {
            let read = stream.read(&mut request[count..])?;
            if read == 0 {
                return Ok(());
            }
            count += read;
        }
        match page {
            Page::Bytes(bytes) => stream.write_all(bytes)?,
            Page::Endless(bytes) => {
                stream.write_all(bytes)?;
                loop {
                    stream.write_all(&[b'x'; 64 << 10])?;
                }
            }
            Page::Drip => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
                loop {
                    stream.write_all(b".")?;
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }
}

fn page(head: &str, body: &[u8]) -> Arc<Vec<u8>> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{head}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    Arc::new(bytes)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A door that may reach a server on this machine, as fast as it can.
fn door(address: SocketAddr) -> WebDoor {
    WebDoor::system(WebOptions {
        private_hosts: vec![address.to_string()],
        requests_per_second: 1_000_000,
        burst: 10_000,
        connections_per_host: 64,
        connections: 64,
        patience: Duration::from_secs(60),
        cache: CacheLimits { entries: 0, bytes: 0, age: Duration::ZERO },
        ..WebOptions::default()
    })
    .unwrap()
}

async fn fetch(door: &WebDoor, url: &str, limits: WebLimits) -> (usize, String) {
    let cancel = Cancel::new();
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    let answer = door.open(&HttpAccess::get(url), with).await.unwrap();
    (answer.body.len(), format!("{:?}", answer.end))
}

async fn plain_fetch(client: &NetClient, url: &str) -> usize {
    let timeouts = HttpTimeouts::all(Duration::from_secs(60));
    let request =
        HttpRequest { method: Method::Get, url: url.to_owned(), headers: Vec::new(), body: "".into(), timeouts };
    let mut body = client.send(request).await.unwrap().body;
    let mut bytes = 0;
    while let Some(piece) = body.next().await {
        bytes += piece.unwrap().len();
    }
    bytes
}

const FETCHES: usize = 1000;

fn parallel() {
    let (address, most) = serve(Page::Bytes(page("", &[b'x'; 10_000])));
    let url = format!("http://{address}/");
    for round in 0..3 {
        let before = resident();
        most.store(0, Ordering::SeqCst);
        let through = door(address);
        let begun = Instant::now();
        let bytes: usize = runtime().block_on(async {
            let all = (0..FETCHES).map(|_| fetch(&through, &url, WebLimits::default()));
            join_all(all).await.into_iter().map(|(bytes, _)| bytes).sum()
        });
        let ours = begun.elapsed();
        let peak = most.swap(0, Ordering::SeqCst);
        assert_eq!(bytes, FETCHES * 10_000);
        let client = NetClient::to(&url).unwrap();
        let begun = Instant::now();
        let bytes: usize = runtime().block_on(async {
            let all = (0..FETCHES).map(|_| plain_fetch(&client, &url));
            join_all(all).await.into_iter().sum()
        });
        let plain = begun.elapsed();
        assert_eq!(bytes, FETCHES * 10_000);
        println!(
            "parallel, {FETCHES} fetches, round {round}: door {ours:?} with at most {peak} connections; models' client \
             {plain:?} with at most {}; ratio {:.2}; resident +{} KiB",
            most.load(Ordering::SeqCst),
            ours.as_secs_f64() / plain.as_secs_f64(),
            resident().saturating_sub(before)
        );
    }
}

type Hello = Result<Response<Full<Bytes>>, Infallible>;

fn hello() -> Hello {
    Ok(Response::new(Full::from("hello")))
}

#[derive(Clone)]
struct Greeting;

impl Service<Request<Body>> for Greeting {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Hello>;

    fn poll_ready(&mut self, _cx: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: Request<Body>) -> Ready<Hello> {
        ready(hello())
    }
}

/// Trivial requests, one after the other on a kept connection, to a listener and to the library alone, in turns.
fn listening() {
    let runtime = runtime();
    let (ours, bare) = runtime.block_on(async {
        let listener = Listener::bind(ListenOptions::local(0)).await.unwrap();
        let ours = listener.address().unwrap();
        tokio::spawn(listener.serve(Greeting, Cancel::new()));
        let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bare = plain.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (stream, _) = plain.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let answer = service_fn(async |_: Request<Incoming>| hello());
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
            }
        });
        (ours, bare)
    });
    let mut streams = [ours, bare].map(|at| {
        let stream = TcpStream::connect(at).unwrap();
        stream.set_nodelay(true).unwrap();
        (stream, format!("GET / HTTP/1.1\r\nHost: {at}\r\n\r\n"), Vec::new())
    });
    for _ in 0..21 {
        for (stream, request, times) in &mut streams {
            let begun = Instant::now();
            for _ in 0..5_000 {
                stream.write_all(request.as_bytes()).unwrap();
                let mut answer = [0; 1024];
                let mut count = 0;
                while !answer[..count].ends_with(b"hello") {
                    count += stream.read(&mut answer[count..]).unwrap();
                }
            }
            times.push(begun.elapsed().as_secs_f64() * 1e6 / 5_000.0);
        }
    }
    let [ours, bare] = streams.map(|(_, _, mut times)| {
        times.sort_by(f64::total_cmp);
        times[10]
    });
    println!("listening, a trivial request: {ours:.1} µs, hyper alone {bare:.1} µs, ratio {:.2}", ours / bare);
}

/// KiB, as the kernel counts them.
fn status(key: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

fn resident() -> usize {
    status("VmRSS:")
}

/// Fetches once and tells by how much the most memory ever used has grown.
fn child(url: &str) {
    let address = url.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
    let door = door(address);
    let runtime = runtime();
    let before = status("VmHWM:");
    let limits = WebLimits { time: Duration::from_secs(3), ..WebLimits::default() };
    let begun = Instant::now();
    let (bytes, end) = runtime.block_on(fetch(&door, url, limits));
    let took = begun.elapsed();
    println!("{bytes} bytes, {end}, {took:?}, memory +{} KiB", status("VmHWM:") - before);
}

fn memory() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 16 << 20]).unwrap();
    // A gzip body may have many members.
    let bomb = encoder.finish().unwrap().repeat(640);
    println!("memory, a bomb of {} bytes that holds {} bytes", bomb.len(), 640_u64 * (16 << 20));
    let endless = Arc::new(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec());
    for (name, page) in [
        ("10 KB page", Page::Bytes(page("", &[b'x'; 10_000]))),
        ("50 MB page", Page::Bytes(page("", &vec![b'x'; 50 << 20]))),
        ("gzip bomb", Page::Bytes(page("Content-Encoding: gzip\r\n", &bomb))),
        ("endless body", Page::Endless(endless)),
        ("slow drip, limit 3 s", Page::Drip),
    ] {
        let (address, _) = serve(page);
        let output =
            Command::new(std::env::current_exe().unwrap()).env(CHILD, format!("http://{address}/")).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        print!("memory, {name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}
