//! Programs that write in earnest do the same kept in as by themselves: the same output, the same exit code, the same tree.
//! Then it is taken back, and everything is as it was. `PALANCA_TEST_JOB` picks jobs by a part of their name.

use crate::harness::Bench;
use palanca_testkit::unreached;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What it is, what it needs, what is there before, what it does; and the files that come out different each time, by a
/// part of their path.
struct Job {
    name: &'static str,
    needs: &'static [&'static str],
    given: &'static str,
    script: &'static str,
    differs: &'static [&'static str],
}

const fn job(name: &'static str, needs: &'static [&'static str], script: &'static str) -> Job {
    Job { name, needs, given: "", script, differs: &[] }
}

/// Files of git that hold times.
const TIMES: &[&str] = &["/index", "logs/", "FETCH_HEAD", "ORIG_HEAD"];

const GIT: &str = include_str!("programs/git.sh");
const SQLITE: &str = include_str!("programs/sqlite.sh");
const MAKE: &str = include_str!("programs/make.sh");
const FILES: &str = include_str!("programs/files.sh");

/// A job that this machine or this user cannot do ends with this code.
const CANNOT: i32 = 77;

const JOBS: &[Job] = &[
    Job { differs: TIMES, ..job("git", &["git"], GIT) },
    Job { differs: TIMES, given: GIT, ..job("git-again", &["git"], include_str!("programs/git-again.sh")) },
    Job {
        differs: TIMES,
        given: GIT,
        ..job("git-copies", &["git", "python3"], include_str!("programs/git-copies.sh"))
    },
    Job { differs: &["a.db"], ..job("sqlite", &["python3"], SQLITE) },
    Job {
        differs: &["a.db"],
        given: SQLITE,
        ..job("sqlite-again", &["python3"], include_str!("programs/sqlite-again.sh"))
    },
    job("make", &["make", "cc"], MAKE),
    Job { given: MAKE, ..job("make-again", &["make", "cc"], include_str!("programs/make-again.sh")) },
    job("files", &["tar"], FILES),
    Job { given: FILES, ..job("files-again", &["tar"], include_str!("programs/again.sh")) },
    job("editors", &["sed", "perl", "vim", "ed"], include_str!("programs/editors.sh")),
    job("archives", &["zip", "unzip", "xz"], include_str!("programs/archives.sh")),
    job("rsync", &["rsync"], include_str!("programs/rsync.sh")),
    job("pipes", &["flock"], include_str!("programs/pipes.sh")),
    job("python", &["python3"], include_str!("programs/python.sh")),
    Job { differs: &[".whl", "egg-info"], ..job("pip", &["pip3"], include_str!("programs/pip.sh")) },
    Job { differs: &["pkg.tgz", "lock.json"], ..job("npm", &["npm"], include_str!("programs/npm.sh")) },
    Job { differs: &["target", ".cargo-home"], ..job("cargo", &["cargo"], include_str!("programs/cargo.sh")) },
    Job {
        differs: &["data/", "log"],
        ..job("postgres", &["postgres", "initdb", "pgbench"], include_str!("programs/postgres.sh"))
    },
];

/// Whether a file's time counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    Compared,
    Left,
}

/// Mode, content or target, time, and the first name of the same file, of everything below a folder. How many names a file
/// has is not compared: undo may keep one.
fn tree(folder: &Path, differs: &[&str], times: Times) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut files: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
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
            let time = if times == Times::Compared { (about.mtime(), about.mtime_nsec()) } else { (0, 0) };
            files.entry(about.ino()).or_default().push(name.clone());
            format!("{} bytes, {:x}, {time:?}", bytes.len(), checksum(&bytes))
        } else {
            fs::read_link(&path).map(|target| target.display().to_string()).unwrap_or_default()
        };
        found.insert(name, format!("{:o} {content}", about.permissions().mode()));
    }
    for names in files.values_mut().filter(|names| names.len() > 1) {
        names.sort();
        for name in names.iter() {
            found.entry(name.clone()).and_modify(|facts| *facts += &format!(", the same as {}", names[0].display()));
        }
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
        // A sample of what people use; no machine has to have it all.
        return unreached(job.name, &format!("no {absent} here"));
    }
    let bench = Bench::new(&[]);
    let surrounded = |script: &str| format!("set -e\numask 022\nexport LC_ALL=C TZ=UTC\n{script}");
    let outside = |script: &str| {
        let mut plain = Command::new("sh");
        plain.args(["-c", &surrounded(script)]).current_dir(bench.workspace()).env_clear();
        plain.env("HOME", bench.home()).env("PATH", "/usr/local/bin:/usr/bin:/bin").output().unwrap()
    };
    let prepare = || {
        emptied(&bench.workspace());
        bench.write("before", "before\n");
        let given = outside(job.given);
        assert!(given.status.success(), "{}: {given:?}", job.name);
    };
    prepare();
    let plain = outside(job.script);
    if plain.status.code() == Some(CANNOT) {
        return unreached(job.name, "this machine or this user cannot");
    }
    assert!(plain.status.success(), "{}: {plain:?}", job.name);
    let theirs = tree(&bench.workspace(), job.differs, Times::Left);
    prepare();
    let before = tree(&bench.workspace(), &[], Times::Compared);
    let call = json!({"command": surrounded(job.script), "timeout": 300}).to_string();
    let ended = bench.run(&["call", "run_command", &call, "--mode", "yolo", "--json"]);
    let result = ended.json();
    assert_eq!(ended.code, 0, "{}: {result:#}", job.name);
    let (output, wanted) = (result["output"].as_str().unwrap_or_default(), String::from_utf8_lossy(&plain.stdout));
    assert!(output.contains(wanted.trim_end()), "{}: {output}\ninstead of\n{wanted}", job.name);
    let ours = tree(&bench.workspace(), job.differs, Times::Left);
    let (missing, other) = (differ(&theirs, &ours), differ(&ours, &theirs));
    assert!(missing.is_empty() && other.is_empty(), "{}: outside {missing:#?}\ninside {other:#?}", job.name);
    bench.run(&["sessions", "undo", "latest"]).expect(0);
    let after = tree(&bench.workspace(), &[], Times::Compared);
    let (missing, other) = (differ(&before, &after), differ(&after, &before));
    assert!(missing.is_empty() && other.is_empty(), "{}: before {missing:#?}\ntaken back {other:#?}", job.name);
}

#[test]
fn programs_do_the_same_kept_in() {
    let wanted = std::env::var("PALANCA_TEST_JOB").unwrap_or_default();
    let jobs = JOBS.iter().filter(|job| job.name.contains(&wanted));
    let halves = [0, 1].map(|first| jobs.clone().skip(first).step_by(2));
    std::thread::scope(|threads| {
        for half in halves {
            threads.spawn(|| half.for_each(same_inside_and_taken_back));
        }
    });
}
