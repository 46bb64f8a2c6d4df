//! A body that is far larger than the memory that it may take.

use crate::space::child;
use futures_util::StreamExt as _;
use palanca_core::call::{Cancel, HttpAccess};
use palanca_core::ports::{AnyHop, Web as _, WebLimits, WebRequest};
use palanca_net::{WebDoor, WebOptions};
use palanca_testkit::{PATIENCE, until};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PIECE: &[u8] = &[b'x'; 64 << 10];
/// What the process may grow by, both ends of the connection included.
const GROWTH: u64 = 4 << 20;

/// Sends as many bytes as the path says to each that asks, and counts them.
fn server() -> (SocketAddr, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let sent = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sent);
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut head = [0; 4096];
            let count = stream.read(&mut head).unwrap();
            let path = String::from_utf8_lossy(&head[..count]).split(' ').nth(1).unwrap()[1..].to_owned();
            let mut left: u64 = path.parse().unwrap();
            write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {left}\r\n\r\n").unwrap();
            while left > 0 {
                let piece = &PIECE[..PIECE.len().min(usize::try_from(left).unwrap())];
                if stream.write_all(piece).is_err() {
                    break;
                }
                left -= piece.len() as u64;
                counted.fetch_add(piece.len() as u64, Ordering::Relaxed);
            }
        }
    });
    (address, sent)
}

/// The most memory that was used since the last call, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn a_body_of_any_size_passes_in_little_memory() {
    if child("streams::a_body_of_any_size_passes_in_little_memory") {
        passes(256 << 20);
    }
}

mod stress {
    use super::{child, passes};

    #[test]
    #[ignore = "cargo xtask stress"]
    fn ten_gigabytes_pass_in_little_memory() {
        if child("streams::stress::ten_gigabytes_pass_in_little_memory") {
            passes(10_000_000_000);
        }
    }
}

fn passes(size: u64) {
    let (address, sent) = server();
    let door =
        WebDoor::system(WebOptions { private_hosts: vec![address.to_string()], ..WebOptions::default() }).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cancel = Cancel::new();
    let limits =
        WebLimits { bytes: usize::MAX, time: Duration::from_secs(24 * 3600), idle: PATIENCE, ..WebLimits::default() };
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    // `pause` is called once, in the middle.
    let read = |bytes: u64, pause: &dyn Fn(u64)| {
        runtime.block_on(async {
            let reach = HttpAccess::get(format!("http://{address}/{bytes}"));
            let mut body = door.stream(&reach, with).await.unwrap().body;
            let (mut received, mut paused) = (0, false);
            while let Some(piece) = body.next().await {
                received += piece.unwrap().len() as u64;
                if !paused && received > bytes / 2 {
                    paused = true;
                    pause(received);
                }
            }
            assert_eq!(received, bytes);
        });
    };
    read(8 << 20, &|_| {});
    peak();
    let before = peak();
    sent.store(0, Ordering::Relaxed);
    read(size, &|received| {
        // The server sends on until what the kernel keeps for both is full; after that, it waits.
        let mut known = 0;
        until("the server waits", || {
            std::thread::sleep(Duration::from_millis(100));
            std::mem::replace(&mut known, sent.load(Ordering::Relaxed)) == sent.load(Ordering::Relaxed)
        });
        assert!(known < received + (96 << 20), "{received} were read and {known} sent");
    });
    let growth = peak().saturating_sub(before);
    eprintln!("{size} bytes, memory +{growth} bytes");
    assert!(growth <= GROWTH, "{growth} bytes");
}
