//! What the database costs whoever needs it: opening it, one question, and one line before each write through the file
//! door, beside an index of JSON lines that is opened anew for each; and what the audit log costs a call:
//! `cargo bench -p palanca-store`, with `-- recording` for that alone; what sessions cost is in `-- appending`,
//! search in memory in `-- searching`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

mod appending;
mod recording;
mod searching;

use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{
    Answer, Change, ChangeOrigin, Expect, Files as _, Questions as _, UndoIndex, UndoLine, UndoNumber, UndoSession,
    wait,
};
use palanca_files::{Disk, Journal, StateDirectory};
use palanca_policy::paths::PathRules;
use palanca_store::{Database, Desk};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let folder = tempfile::tempdir().unwrap();
    // Cargo passes `--bench`; a word leaves the rest out.
    let only = |part: &str| std::env::args().any(|word| word == part);
    if only("appending") {
        return appending::bench(folder.path());
    }
    if only("searching") {
        return searching::bench(folder.path());
    }
    recording::bench(folder.path());
    if only("recording") {
        return;
    }
    appending::bench(folder.path());
    opening(folder.path());
    question(folder.path());
    writes(folder.path());
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("| {what} | {:.1?} | {:.1?} |", at(0.5), at(0.99));
}

fn line() -> UndoLine {
    UndoLine { at_ms: 1, call: CallId::new("call-1"), body: "x".repeat(300) }
}

/// A new file, a file that is there, and one whose log was left by a process that is gone.
fn opening(folder: &Path) {
    let session = SessionId::new("bench");
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for number in 0..50 {
        let state = folder.join(format!("open-{number}"));
        for times in [&mut cold, &mut warm] {
            let start = Instant::now();
            Database::lazy(&state).append(&session, &line()).unwrap();
            times.push(start.elapsed());
        }
    }
    row("open a new file, one line", &mut cold);
    row("open a file that is there, one line", &mut warm);
    let state = folder.join("long");
    let database = Database::lazy(&state);
    for _ in 0..250 {
        database.append(&session, &line()).unwrap();
    }
    drop(database);
    let mut long: Vec<Duration> = (0..50)
        .map(|_| {
            let start = Instant::now();
            Database::lazy(&state).sessions().unwrap();
            start.elapsed()
        })
        .collect();
    row("open a file with a log of 250 lines, read", &mut long);
}

fn question(folder: &Path) {
    let desk = Desk::new(Arc::new(Database::lazy(&folder.join("desk"))), Duration::from_secs(3600));
    let mut times: Vec<Duration> = (0..2_000)
        .map(|_| {
            let mut question = palanca_testkit::questions::question(1);
            question.diff = Some("-old\n+new\n".repeat(20));
            let start = Instant::now();
            wait(desk.open(&mut question)).unwrap();
            wait(desk.settle(&question, Answer::Yes)).unwrap();
            wait(desk.spend(&question)).unwrap();
            start.elapsed()
        })
        .collect();
    row("one question: kept, answered, spent", &mut times);
}

/// One JSON line a commit, in a file that is opened for it.
#[derive(Debug)]
struct JsonLines(PathBuf);

impl UndoIndex for JsonLines {
    fn append(&self, session: &SessionId, line: &UndoLine) -> io::Result<UndoNumber> {
        let path = self.0.join(format!("{session}.jsonl"));
        let mut file = std::fs::File::options().create(true).append(true).open(path)?;
        file.write_all(format!("\n{}\n", line.body).as_bytes())?;
        Ok(UndoNumber(0))
    }

    fn withdraw(&self, _session: &SessionId, _number: UndoNumber) -> io::Result<()> {
        Ok(())
    }

    fn lines(&self, _session: &SessionId) -> io::Result<Vec<(UndoNumber, UndoLine)>> {
        Ok(Vec::new())
    }

    fn sessions(&self) -> io::Result<Vec<UndoSession>> {
        Ok(Vec::new())
    }
}

fn writes(folder: &Path) {
    let door = |name: &str, index: Option<Arc<dyn UndoIndex>>| {
        let (workspace, state) = (folder.join(name), folder.join(format!("{name}-state")));
        std::fs::create_dir(&workspace).unwrap();
        let disk = Disk::open(&workspace, &[], Arc::new(PathRules::new(&[], &[], None).unwrap())).unwrap();
        match index {
            None => disk,
            Some(index) => {
                let state = StateDirectory::open(&state).unwrap();
                disk.with_journal(Arc::new(Journal::open(&state, index).unwrap()))
            }
        }
    };
    let lines = folder.join("lines");
    std::fs::create_dir(&lines).unwrap();
    let doors = [
        ("write a file, no journal", door("none", None)),
        ("write a file, JSON lines as index", door("json", Some(Arc::new(JsonLines(lines))))),
        ("write a file, the database as index", door("rows", Some(Arc::new(Database::lazy(&folder.join("rows-db")))))),
    ];
    let origin = ChangeOrigin { session: SessionId::new("bench"), call: CallId::new("call-1") };
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..2_000 {
        // In turn, so that a noisy moment hits all.
        for ((_, disk), times) in doors.iter().zip(&mut times) {
            let path = disk.locate("a.txt").unwrap();
            let content = format!("content {}\n", number % 2).into_bytes();
            let change = Change::Write { path, content, expect: Expect::Anything, mode: None };
            let start = Instant::now();
            disk.commit(&[change], &origin).unwrap();
            times.push(start.elapsed());
        }
    }
    for ((what, _), times) in doors.iter().zip(&mut times) {
        row(what, times);
    }
}
