//! What one more session costs: `cargo bench --package palanca-host`.
//!
//! Rows: opening a workspace with its agent; one session taken up, one call, let go; a session's own memory; what the process
//! holds before and after ten thousand of them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use palanca_agent::session::{KeptLimits, Terms};
use palanca_config::Config;
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::{CallId, ConfirmMode};
use palanca_host::{Agent, Host, Keeping, Places, Session, SessionSettings, Silent};
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const WORKSPACES: usize = 100;
const SESSIONS: usize = 10_000;

/// Counts what is held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[allow(unsafe_code, reason = "an allocator is unsafe; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn agent(host: &Arc<Host>, folder: &Path) -> Arc<Agent> {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("a.txt"), "a\n").unwrap();
    let mut config = Config::default();
    config.workspace.root = folder.display().to_string();
    let config = Arc::new(config);
    Arc::new(Agent::new(&host.workspace(&config).unwrap(), &config).unwrap())
}

fn session(agent: &Arc<Agent>, keeping: Keeping) -> Session {
    let settings = SessionSettings { mode: ConfirmMode::Yolo, keeping, ..SessionSettings::default() };
    Session::new(agent, settings).unwrap()
}

fn terms() -> Terms {
    Terms {
        agent: "build".to_owned(),
        model: None,
        api_base: None,
        mode: ConfirmMode::Yolo,
        toolset: "palanca".to_owned(),
        workspace: "/w".to_owned(),
        commands: None,
        limits: KeptLimits::default(),
    }
}

/// Takes a session up, submits one call, lets it go; returns its name.
async fn lives(agent: &Arc<Agent>, keeping: Keeping) -> SessionId {
    let is_new = keeping == Keeping::New;
    let session = session(agent, keeping);
    let id = session.scope().session.clone();
    match session.kept() {
        Some(kept) if is_new => kept.begin("a task", terms(), None).await.unwrap(),
        Some(kept) => session.gate().resume(session.scope(), &kept.resume(terms()).await.unwrap().past()),
        None => {}
    }
    let call = session.call(CallId::new("1"), "read_file".to_owned(), RawArguments::Json(json!({"path": "a.txt"})));
    assert!(session.gate().submit(session.toolset(), call).await.success);
    session.leave();
    id
}

fn row(what: &str, took: Duration, times: usize) {
    println!("{what}: {:.1} µs", took.as_secs_f64() * 1e6 / f64::from(u32::try_from(times).unwrap()));
}

fn main() {
    palanca_host::enter();
    let folder = tempfile::tempdir().unwrap();
    let places = Places { state: Some(folder.path().join("state")), ..Places::default() };
    let host = Host::new(places, Arc::new(Silent));
    let started = Instant::now();
    let agents: Vec<_> = (0..WORKSPACES).map(|at| agent(&host, &folder.path().join(format!("w{at}")))).collect();
    row("a workspace with its agent", started.elapsed(), WORKSPACES);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for agent in &agents {
            lives(agent, Keeping::Nothing).await;
        }
        let mut kept = Vec::with_capacity(SESSIONS);
        for what in ["single calls", "begun", "taken up"] {
            let (before, held) = (resident(), HELD.load(Ordering::Relaxed));
            let started = Instant::now();
            for at in 0..SESSIONS {
                let agent = &agents[at % WORKSPACES];
                match what {
                    "single calls" => drop(lives(agent, Keeping::Nothing).await),
                    "begun" => kept.push(lives(agent, Keeping::New).await),
                    _ => drop(lives(agent, Keeping::Again(kept[at].clone())).await),
                }
            }
            row(&format!("a session ({what}), one call, let go"), started.elapsed(), SESSIONS);
            let (after, left) = (resident(), HELD.load(Ordering::Relaxed));
            println!(
                "  resident before and after: {before} / {after} kB; allocated: {} / {} kB",
                held >> 10,
                left >> 10
            );
        }
        let held = HELD.load(Ordering::Relaxed);
        let started = Instant::now();
        let sessions: Vec<_> = (0..1_000).map(|at| session(&agents[at % WORKSPACES], Keeping::New)).collect();
        row("a gate for one more session", started.elapsed(), sessions.len());
        println!("  its memory: {} bytes", (HELD.load(Ordering::Relaxed) - held) / sessions.len());
    });
}
