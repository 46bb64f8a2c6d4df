//! More peers than a listener has places for, and more than anybody needs.

use crate::hosted::{Hosted, is_closed, read_until, rest};
use crate::space::child;
use palanca_net::listen::{ListenLimits, Refusal};
use palanca_testkit::{PATIENCE, skipped, until};
use std::io::Write as _;
use std::net::TcpStream;

#[test]
fn a_peer_too_many_is_told_so_and_harms_nobody() {
    for (limits, why) in [
        (ListenLimits { connections: 3, ..ListenLimits::default() }, Refusal::Full),
        (ListenLimits { connections_per_peer: 3, ..ListenLimits::default() }, Refusal::Crowded),
    ] {
        let hosted = Hosted::local(limits);
        let mut kept: Vec<TcpStream> = (0..3).map(|_| hosted.connect()).collect();
        for stream in &mut kept {
            write!(stream, "{}", hosted.head("GET", "/empty", "")).unwrap();
            read_until(stream, "\r\n\r\n");
        }
        for _ in 0..100 {
            let told = hosted.get("/");
            assert!(told.starts_with("HTTP/1.1 503") && told.contains("Connection: close"), "{told}");
        }
        hosted.refused(why, 100);
        for stream in &mut kept {
            write!(stream, "{}", hosted.head("GET", "/empty", "")).unwrap();
            assert!(read_until(stream, "\r\n\r\n").starts_with("HTTP/1.1 200"));
        }
        // A place that is given back is given again.
        drop(kept.pop());
        hosted.open_at_most(2);
        assert!(hosted.get("/").starts_with("HTTP/1.1 200"));
        assert_eq!(hosted.tally.accepted(), 4);
    }
}

#[test]
fn refused_peers_that_do_not_go_hold_nothing() {
    let hosted = Hosted::local(ListenLimits { connections: 1, ..ListenLimits::default() });
    let mut first = hosted.connect();
    write!(first, "{}", hosted.head("GET", "/empty", "")).unwrap();
    read_until(&mut first, "\r\n\r\n");
    let others: Vec<TcpStream> = (0..200).map(|_| hosted.connect()).collect();
    hosted.refused(Refusal::Full, 200);
    write!(first, "{}", hosted.head("GET", "/", "Connection: close\r\n")).unwrap();
    assert!(rest(&mut first).contains("Tcp"));
    hosted.open_at_most(0);
    assert!(hosted.get("/").starts_with("HTTP/1.1 200"));
    drop(others);
}

/// So many that both ends of each have a descriptor in one process.
fn as_many_as_possible() -> usize {
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        assert_eq!(libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit), 0);
        limit.rlim_cur = limit.rlim_max;
        assert_eq!(libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit), 0);
        usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX).saturating_sub(100) / 2
    }
}

#[test]
fn idle_connections_cost_little_and_stop_nobody() {
    if child("crowds::idle_connections_cost_little_and_stop_nobody") {
        idle_connections(1_000);
    }
}

mod stress {
    use super::{child, idle_connections};

    #[test]
    #[ignore = "cargo xtask stress"]
    fn ten_thousand_idle_connections() {
        if child("crowds::stress::ten_thousand_idle_connections") {
            idle_connections(10_000);
        }
    }
}

fn idle_connections(wanted: usize) {
    let many = as_many_as_possible().min(wanted);
    if many < wanted {
        skipped(&format!("{wanted} connections"), &format!("only {many} fit the limit on descriptors"));
    }
    let limits = ListenLimits {
        connections: many + 1,
        connections_per_peer: many + 1,
        // However busy the machine is, none of them is let go.
        head_time: 60 * PATIENCE,
        idle_time: 60 * PATIENCE,
        ..ListenLimits::default()
    };
    let hosted = Hosted::local(limits);
    assert!(hosted.get("/").starts_with("HTTP/1.1 200"));
    let before = resident();
    // Half of them begin a head and stop.
    let mut idle: Vec<TcpStream> = Vec::with_capacity(many);
    for at in 0..many {
        let mut stream = TcpStream::connect(hosted.at).unwrap();
        if at % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        }
        idle.push(stream);
        // More than the kernel's queue holds would wait a second each.
        if idle.len().is_multiple_of(500) {
            until("these are open", || hosted.tally.open() >= idle.len());
        }
    }
    until("all are open", || hosted.tally.open() == many);
    let each = resident().saturating_sub(before) * 1024 / many.max(1);
    eprintln!("{many} idle connections: {each} bytes each");
    assert!(each < 32 << 10, "{each} bytes each");
    for _ in 0..100 {
        assert!(hosted.get("/").starts_with("HTTP/1.1 200"));
    }
    let mut more = [hosted.connect(), hosted.connect()];
    until("one is too many", || hosted.tally.refused(Refusal::Full) == 1);
    assert!(rest(&mut more[1]).starts_with("HTTP/1.1 503"));
    assert_eq!(hosted.stopped(), 0, "none of them was in a request");
    for mut stream in idle {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        assert!(is_closed(&mut stream));
    }
}

/// KiB of this process in memory.
pub fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
