//! Programs that write in earnest do the same kept in as by themselves: the same output, the same exit code, the same tree.
//! With `PALANCA_TEST_UNDO` what they did is taken back, too, and compared; `PALANCA_TEST_JOB` picks one.

use crate::harness::Bench;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What it is, what it needs, what it does; and the files that come out different each time, by a part of their path.
struct Job {
    name: &'static str,
    needs: &'static [&'static str],
    script: &'static str,
    differs: &'static [&'static str],
}

const fn job(name: &'static str, needs: &'static [&'static str], script: &'static str) -> Job {
    Job { name, needs, script, differs: &[] }
}

/// A job that this machine or this user cannot do ends with this code.
const CANNOT: i32 = 77;

const JOBS: &[Job] = &[
    Job {
        name: "git",
        needs: &["git"],
        script: include_str!("programs/git.sh"),
        // Inside git copies no templates.
        differs: &["/index", "logs/refs/stash", "FETCH_HEAD", "/hooks", "/branches", "/description", "/info"],
    },
    Job { name: "sqlite", needs: &["python3"], script: include_str!("programs/sqlite.sh"), differs: &["a.db"] },
    job("make", &["make", "cc"], include_str!("programs/make.sh")),
    job("files", &["tar"], include_str!("programs/files.sh")),
    job("editors", &["sed", "perl", "vim", "ed"], include_str!("programs/editors.sh")),
    job("archives", &["zip", "unzip", "xz"], include_str!("programs/archives.sh")),
    job("rsync", &["rsync"], include_str!("programs/rsync.sh")),
    job("pipes", &["flock"], include_str!("programs/pipes.sh")),
    job("python", &["python3"], include_str!("programs/python.sh")),
    Job { name: "pip", needs: &["pip3"], script: include_str!("programs/pip.sh"), differs: &[".whl", "egg-info"] },
    Job { name: "npm", needs: &["npm"], script: include_str!("programs/npm.sh"), differs: &["pkg.tgz", "lock.json"] },
    Job {
        name: "cargo",
        needs: &["cargo"],
        script: include_str!("programs/cargo.sh"),
        differs: &["target", ".cargo-home"],
    },
    Job {
        name: "postgres",
        needs: &["postgres", "initdb", "pgbench"],
        script: include_str!("programs/postgres.sh"),
        differs: &["data/", "log"],
    },
];

/// Mode, links, content or target of everything below a folder.
fn tree(folder: &Path, differs: &[&str]) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let about = fs::symlink_metadata(&path).unwrap();
        let name = path.strip_prefix(folder).unwrap().to_owned();
        if about.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        if differs.iter().any(|part| path.to_string_lossy().contains(part)) {
            continue;
        }
        let content = if about.is_file() {
            let bytes = fs::read(&path).unwrap();
            format!("{} links, {} bytes, {:x}", about.nlink(), bytes.len(), checksum(&bytes))
        } else {
            fs::read_link(&path).map(|target| target.display().to_string()).unwrap_or_default()
        };
        found.insert(name, format!("{:o} {content}", about.permissions().mode()));
    }
    found
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

fn there(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(program).exists())
}

/// Says that something was not tried; also when the test passes, which hides what the macros print.
fn skipped(what: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {why}");
}

fn emptied(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let is_folder = entry.file_type().unwrap().is_dir();
        if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }.unwrap();
    }
}

/// What the first has and the second has not, or not like this; the folder itself does not count.
fn differ(one: &BTreeMap<PathBuf, String>, other: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let lines = one.iter().filter(|(path, facts)| !path.as_os_str().is_empty() && other.get(*path) != Some(*facts));
    lines.map(|(path, facts)| format!("{}: {facts}", path.display())).collect()
}

/// The same workspace twice, because paths end up in files: first without a sandbox, then with it.
fn same_inside_and_taken_back(job: &Job) {
    if let Some(absent) = job.needs.iter().find(|program| !there(program)) {
        return skipped(job.name, &format!("no {absent} here"));
    }
    let bench = Bench::new(&[]);
    let script = format!("set -e\numask 022\nexport LC_ALL=C TZ=UTC\n{}", job.script);
    bench.write("before", "before\n");
    let mut plain = Command::new("sh");
    plain.args(["-c", &script]).current_dir(bench.workspace()).env_clear();
    let plain = plain.env("HOME", bench.home()).env("PATH", "/usr/local/bin:/usr/bin:/bin").output().unwrap();
    if plain.status.code() == Some(CANNOT) {
        return skipped(job.name, "this machine or this user cannot");
    }
    assert!(plain.status.success(), "{}: {plain:?}", job.name);
    let theirs = tree(&bench.workspace(), job.differs);
    emptied(&bench.workspace());
    bench.write("before", "before\n");
    let before = tree(&bench.workspace(), &[]);
    let call = json!({"command": script, "timeout": 300}).to_string();
    let ended = bench.run(&["call", "run_command", &call, "--mode", "yolo", "--json"]);
    let result = ended.json();
    assert_eq!(ended.code, 0, "{}: {result:#}", job.name);
    let (output, wanted) = (result["output"].as_str().unwrap_or_default(), String::from_utf8_lossy(&plain.stdout));
    assert!(output.contains(wanted.trim_end()), "{}: {output}\ninstead of\n{wanted}", job.name);
    let ours = tree(&bench.workspace(), job.differs);
    let (missing, other) = (differ(&theirs, &ours), differ(&ours, &theirs));
    assert!(missing.is_empty() && other.is_empty(), "{}: outside {missing:#?}\ninside {other:#?}", job.name);
    if std::env::var_os("PALANCA_TEST_UNDO").is_none() {
        return;
    }
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    assert_eq!(tree(&bench.workspace(), &[]), before, "{}: taken back", job.name);
}

#[test]
fn programs_do_the_same_kept_in() {
    let wanted = std::env::var("PALANCA_TEST_JOB").unwrap_or_default();
    JOBS.iter().filter(|job| job.name.contains(&wanted)).for_each(same_inside_and_taken_back);
}
