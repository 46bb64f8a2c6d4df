//! What one more event of a session costs at 10, 1,000 and 100,000 events, and reading them all; beside what a program keeps
//! sessions in that has no database: one JSON file written anew for each event, and JSON lines, synced and not.

use palanca_core::Scope;
use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{
    Artifacts as _, EventNumber, NewArtifact, NewContent, NewEvent, SessionSummary, Sessions as _, wait,
};
use palanca_store::Database;
use palanca_testkit::now;
use palanca_testkit::sessions::new_session;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

const SIZES: [usize; 3] = [10, 1_000, 100_000];
const ROUNDS: usize = 2_000;

fn event(number: usize) -> NewEvent {
    let body = format!("{{\"n\": {number}, \"text\": \"{}\"}}", "x".repeat(400));
    NewEvent { at_ms: 1_763_728_524_000, kind: "tool", call: Some(CallId::new("call-1")), body }
}

pub fn bench(folder: &Path) {
    let mut sessions: Vec<Rows> = SIZES.iter().map(|size| Rows::begun(folder, *size)).collect();
    let mut lines: Vec<Lines> = SIZES.iter().map(|size| Lines::begun(folder, *size)).collect();
    let mut times: [Vec<Duration>; 9] = std::array::from_fn(|_| Vec::new());
    for round in 0..ROUNDS {
        // In turn, so that a noisy moment hits all.
        for at in 0..SIZES.len() {
            times[at].push(timed(|| sessions[at].add(round)));
            times[3 + at].push(timed(|| lines[at].add(round, Sync::No)));
            times[6 + at].push(timed(|| lines[at].add(round, Sync::Yes)));
        }
    }
    let [r10, r1k, r100k, l10, l1k, l100k, s10, s1k, s100k] = &mut times;
    for (what, rows) in [
        ("one event as a row", [r10, r1k, r100k]),
        ("one event as a JSON line", [l10, l1k, l100k]),
        ("one event as a JSON line, fdatasync", [s10, s1k, s100k]),
    ] {
        for (times, size) in rows.into_iter().zip(SIZES) {
            crate::row(&format!("{what}, {size} before it"), times);
        }
    }
    for (size, rounds) in SIZES.into_iter().zip([500, 200, 5]) {
        let mut times = whole_file(folder, size, rounds);
        crate::row(&format!("one event, one JSON file written anew, {size} before it"), &mut times);
    }
    reading(folder, &sessions[2]);
    artifacts(folder);
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

struct Rows {
    database: Database,
    session: SessionId,
    last: EventNumber,
}

impl Rows {
    fn begun(folder: &Path, size: usize) -> Self {
        let database = Database::lazy(&folder.join(format!("rows-{size}")));
        let session = SessionId::new("019aa6c2-5b51-7f33-b0b5-1d4bd0a3c9c1");
        now(&database).begin(&new_session(session.as_str())).unwrap();
        let mut last = EventNumber(0);
        let events: Vec<NewEvent> = (0..size).map(event).collect();
        for events in events.chunks(1_000) {
            last = now(&database).append(&session, last, events, None).unwrap();
        }
        Self { database, session, last }
    }

    fn add(&mut self, round: usize) {
        let summary = SessionSummary { calls: 7, ..SessionSummary::default() };
        self.last = now(&self.database).append(&self.session, self.last, &[event(round)], Some(&summary)).unwrap();
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Sync {
    No,
    Yes,
}

struct Lines(std::fs::File);

impl Lines {
    fn begun(folder: &Path, size: usize) -> Self {
        let path = folder.join(format!("lines-{size}.jsonl"));
        let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        let lines: String = (0..size).map(|number| event(number).body + "\n").collect();
        file.write_all(lines.as_bytes()).unwrap();
        Self(file)
    }

    fn add(&mut self, round: usize, sync: Sync) {
        self.0.write_all((event(round).body + "\n").as_bytes()).unwrap();
        if sync == Sync::Yes {
            self.0.sync_data().unwrap();
        }
    }
}

/// The whole session is written to a temporary file that takes the old one's place.
fn whole_file(folder: &Path, size: usize, rounds: usize) -> Vec<Duration> {
    let mut events: Vec<serde_json::Value> =
        (0..size).map(|number| serde_json::from_str(&event(number).body).unwrap()).collect();
    let (path, part) = (folder.join("session.json"), folder.join("session.json.part"));
    (0..rounds)
        .map(|round| {
            timed(|| {
                events.push(serde_json::from_str(&event(round).body).unwrap());
                std::fs::write(&part, serde_json::to_vec(&events).unwrap()).unwrap();
                std::fs::rename(&part, &path).unwrap();
            })
        })
        .collect()
}

fn reading(folder: &Path, rows: &Rows) {
    let mut by_pages: Vec<Duration> = (0..5)
        .map(|_| {
            // Opened anew, as by a process that goes on with the session.
            let database = Database::lazy(rows.database.path().parent().unwrap());
            timed(|| {
                let mut after = EventNumber(0);
                while after < rows.last {
                    let events = wait(database.events(&rows.session, after, 1_000)).unwrap();
                    after = events.last().unwrap().number;
                }
            })
        })
        .collect();
    crate::row(&format!("reading {} events, 1,000 at a time", rows.last.0), &mut by_pages);
    let mut parsed: Vec<Duration> = (0..5)
        .map(|_| {
            timed(|| {
                let text = std::fs::read_to_string(folder.join("lines-100000.jsonl")).unwrap();
                let lines = text.lines().map(|line| line.to_owned()).collect::<Vec<_>>();
                assert!(lines.len() > 100_000);
            })
        })
        .collect();
    crate::row("reading as many JSON lines, not parsed", &mut parsed);
    let mut last: Vec<Duration> = (0..2_000)
        .map(|_| timed(|| assert!(wait(rows.database.last_of(&rows.session, "tool")).unwrap().is_some())))
        .collect();
    crate::row("the last event of a kind among them", &mut last);
}

fn artifacts(folder: &Path) {
    let database = Database::lazy(&folder.join("artifacts"));
    let (scope, call) = (Scope::session(SessionId::new("bench")), CallId::new("call-1"));
    let keep = |text: &str| {
        wait(database.keep(&NewArtifact { scope: &scope, call: &call, content: NewContent::Text(text), foreign: None }))
            .unwrap()
    };
    let mut new: Vec<Duration> = (0..500)
        .map(|number: usize| {
            let text = format!("{number} {}", "0123456789abcde\n".repeat(2_000));
            timed(|| drop(keep(&text)))
        })
        .collect();
    crate::row("a new text of 32 KB is kept, 500 of them", &mut new);
    let text = "0123456789abcde\n".repeat(2_000);
    let mut again: Vec<Duration> = (0..500).map(|_| timed(|| drop(keep(&text)))).collect();
    crate::row("the same text again", &mut again);
    let large = "0123456789abcde\n".repeat(1 << 20);
    let mut id = None;
    let mut keeping = vec![timed(|| id = Some(keep(&large)))];
    crate::row("a text of 16 MiB", &mut keeping);
    let id = id.unwrap();
    let mut pages: Vec<Duration> = (0..1_000)
        .map(|page: u64| timed(|| drop(wait(database.page(&scope, &id, page * 16_384, 16_384)).unwrap())))
        .collect();
    crate::row("a page of 16 KiB of it", &mut pages);
}
