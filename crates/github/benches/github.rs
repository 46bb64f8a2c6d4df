//! A search through 5,000 files of a repository on a server of this machine: as one archive, and as one request a file.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::disallowed_types, clippy::print_stdout, missing_docs)]

use palanca_core::ports::{EntryKind, Files, Flow, Visit, WalkOptions};
use palanca_github::{GitHub, GitHubOptions};
use palanca_net::NetClient;
use palanca_policy::paths::PathRules;
use palanca_testkit::{FakeRepository, GitHubServer};
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const FILES: usize = 5_000;
const EVERYTHING: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Hide, hidden: Visit::Show };

fn main() {
    let repository = (0..FILES).fold(FakeRepository::new("o/n"), |repository, number| {
        let content = format!("// file {number}\n").repeat(100);
        repository.file(&format!("src/m{}/f{number}.rs", number % 100), content)
    });
    let server = GitHubServer::start(repository, "t");
    for (way, single) in [("as one archive", 8), ("one request a file", FILES)] {
        let mut options = GitHubOptions::new("o/n".parse().unwrap(), "t");
        options.api_base = server.base();
        options.limits.single = single;
        let http = Arc::new(NetClient::to(&server.base()).unwrap());
        let door = GitHub::new(options, http, Arc::new(PathRules::new(&[], &[], None).unwrap()));
        let before = server.asked().len();
        let root = door.locate(".").unwrap();
        let begun = Instant::now();
        let (names, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        door.walk(&root, EVERYTHING, &|_| {
            names.fetch_add(1, Ordering::Relaxed);
            Flow::Continue
        })
        .unwrap();
        let listed = begun.elapsed();
        door.walk(&root, EVERYTHING, &|entry| {
            if entry.kind == EntryKind::File {
                let mut content = Vec::new();
                entry.open().unwrap().content.read_to_end(&mut content).unwrap();
                bytes.fetch_add(content.len(), Ordering::Relaxed);
            }
            Flow::Continue
        })
        .unwrap();
        let searched = begun.elapsed() - listed;
        let (names, bytes) = (names.into_inner(), bytes.into_inner() >> 10);
        let asked = server.asked().len() - before;
        println!("{way:>20}: list {names} names {listed:.1?}; read {bytes} KiB {searched:.1?}; {asked} requests");
    }
}
