//! Whole processes of the release binary: start-up, a batch, an agent against a scripted server on loopback.

use crate::stat::{median, row, side_by_side};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const PALANCA: &str = env!("CARGO_BIN_EXE_palanca");

pub fn bench() {
    let home = tempfile::tempdir().unwrap();
    let workspace = tempfile::tempdir().unwrap();
    for number in 1..=40 {
        std::fs::write(workspace.path().join(format!("f{number:02}.txt")), "a line of text\n".repeat(130)).unwrap();
    }
    agent(home.path(), workspace.path());
    let version = median(60, || run(command(home.path()).arg("--version")));
    let nothing = median(60, || run(&mut Command::new("true")));
    row(
        "`palanca --version`, whole process",
        &format!("{version:.1?} (a process that does nothing: {nothing:.1?})"),
        "≤ 5 ms",
    );
    batch(home.path(), workspace.path());
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(PALANCA);
    command.env_clear().env("PALANCA_HOME", home).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

/// 100,000 trivial calls, one process.
fn batch(home: &Path, workspace: &Path) {
    const CALLS: u32 = 100_000;
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut lines = std::io::BufWriter::new(&file);
    for number in 0..CALLS {
        writeln!(lines, r#"{{"id":{number},"tool":"echo","args":{{"message":"hi"}}}}"#).unwrap();
    }
    lines.flush().unwrap();
    drop(lines);
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            run(command(home).args(["call", "--batch"]).arg(file.path()).arg("-w").arg(workspace));
            f64::from(CALLS) / start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    row("`call --batch`, 100,000 trivial calls", &format!("{:.0} calls/s", times[2]), "≥ 50,000 calls/s");
}

/// An agent without tool calls, and with twenty rounds of one, against a server that answers at once.
fn agent(home: &Path, workspace: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let answer_only = runtime.block_on(crate::server::start(0));
    let twenty = runtime.block_on(crate::server::start(20));
    let agent = |url: &str| {
        let mut command = command(home);
        command.args(["run", "Read the text files.", "--mode", "yolo", "--model", "openai:scripted"]);
        command.env("OPENAI_BASE_URL", url).arg("-w").arg(workspace);
        command
    };
    run(&mut agent(&answer_only.url()));
    let memory = peak_of_children();
    let start = median(30, || run(&mut agent(&answer_only.url())));
    row("`run` without tool calls, whole process", &format!("{start:.1?}, {memory:.1} MB"), "≤ 19 ms, ≤ 15 MB");
    let (long, short) = side_by_side(20, || run(&mut agent(&twenty.url())), || run(&mut agent(&answer_only.url())));
    let whole = long.saturating_sub(short) / 20;
    let own = twenty.median_turnaround();
    row(
        "`run`, one round of a read-only tool, own time",
        &format!("{own:.1?} (with the server's: {whole:.1?})"),
        "≤ 0.3 ms",
    );
}

/// The largest resident set of any child so far, in megabytes.
#[allow(unsafe_code, reason = "getrusage fills a struct of integers")]
fn peak_of_children() -> f64 {
    let mut usage = unsafe { std::mem::zeroed::<libc::rusage>() };
    assert_eq!(unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) }, 0);
    usage.ru_maxrss as f64 / 1024.0
}
