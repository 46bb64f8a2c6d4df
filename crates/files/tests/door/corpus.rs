//! Every row of the path corpus through the door: the committed part, and the whole where it is at hand.

use crate::space::{SECRET, Space, delete, hash, policy, read, write};
use palanca_core::ports::{Change, EntryKind, Expect, FileError, FileErrorKind, Files, Flow, Visit, WalkOptions};
use palanca_files::Disk;
use palanca_testkit::{nested, skipped};
use serde_json::Value;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const ALL: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };

/// Opens the door that a row asks for.
type Opening = fn(&Space, &[PathBuf]) -> Disk;

fn with_openat2(space: &Space, roots: &[PathBuf]) -> Disk {
    Disk::open(&space.ws(), roots, policy()).unwrap()
}

fn without_openat2(space: &Space, roots: &[PathBuf]) -> Disk {
    with_openat2(space, roots).without_openat2()
}

#[test]
fn every_row_ends_as_labelled() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/paths.jsonl");
    let own: Vec<Value> =
        std::fs::read_to_string(own).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut failures = Vec::new();
    for row in own.iter().chain(&palanca_testkit::corpus("paths")).filter(|row| row.get("race").is_none()) {
        failures.extend(check(row, with_openat2));
        failures.extend(check(row, without_openat2));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(row: &Value, opening: Opening) -> Option<String> {
    let id = row["id"].as_str().unwrap();
    let space = Space::in_memory();
    for step in row["setup"].as_array().unwrap() {
        if let Err(error) = set_up(&space, step) {
            // An ordinary user makes no devices; what opens them as root is the same.
            if !nested() {
                skipped(&format!("row {id} of the paths"), &format!("{step}: {error}"));
            }
            return None;
        }
    }
    let roots: Vec<PathBuf> = if row.get("roots").is_some() { vec![space.path("ro")] } else { Vec::new() };
    let door = opening(&space, &roots);
    let before = space.outside();
    let mut shown = String::new();
    let result = perform(&door, row["op"].as_str().unwrap(), &fill(&space, row["input"].as_str().unwrap()), &mut shown);
    let verdict = if result.is_ok() { "allow" } else { "deny" };
    let also = row.get("also_ok").and_then(Value::as_array).is_some_and(|also| also.iter().any(|ok| ok == verdict));
    if row["expect"] != verdict && !also {
        return Some(format!("{id}: {verdict} ({result:?}), expected {}: {}", row["expect"], row["why"]));
    }
    if let (Err(error), Some(wanted), true) = (&result, row.get("kind"), row["strict"] == true)
        && wanted != name_of(error.kind)
        // What is closed is closed whether it exists or not, and so is what would leave if it existed.
        && !(wanted == "not_found" && matches!(error.kind, FileErrorKind::Outside | FileErrorKind::Secret(_)))
    {
        return Some(format!("{id}: denied as {} ({error:?}), expected {wanted}", name_of(error.kind)));
    }
    if before != space.outside() {
        return Some(format!("{id}: the outside changed"));
    }
    let disclosed = row["must_hold"].as_array().unwrap().iter().any(|rule| rule == "secret_not_disclosed");
    if disclosed && shown.contains(SECRET) {
        return Some(format!("{id}: a secret was shown"));
    }
    space.leftovers().first().map(|left| format!("{id}: left {}", left.display()))
}

fn fill(space: &Space, text: &str) -> String {
    let path = |relative| space.path(relative).display().to_string();
    text.replace("$WS", &path("ws"))
        .replace("$OUT", &path("outside"))
        .replace("$RO", &path("ro"))
        .replace("$CFG", &path("ws/.palanca"))
        .replace("$T", &space.top.path().display().to_string())
}

fn set_up(space: &Space, step: &Value) -> std::io::Result<()> {
    let text = |at: usize| fill(space, step[at].as_str().unwrap_or_default());
    let path = space.ws().join(text(1));
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    match step[0].as_str().unwrap() {
        "file" => std::fs::write(path, text(2)),
        "mkdir" => std::fs::create_dir_all(path),
        "symlink" => std::os::unix::fs::symlink(text(2), path),
        "hardlink" => std::fs::hard_link(text(2), path),
        "socket" => std::os::unix::net::UnixListener::bind(path).map(drop),
        "chmod" => std::fs::set_permissions(path, std::fs::Permissions::from_mode(step[2].as_u64().unwrap() as u32)),
        "sparse" => std::fs::File::create(path)?.set_len(step[2].as_u64().unwrap()),
        kind @ ("fifo" | "mknod") => {
            use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
            let number = |at: usize| u32::try_from(step[at].as_u64().unwrap_or_default()).unwrap();
            let (kind, device) = match kind {
                "fifo" => (FileType::Fifo, 0),
                _ => (FileType::CharacterDevice, makedev(number(3), number(4))),
            };
            Ok(mknodat(CWD, path, kind, Mode::from_raw_mode(0o666), device)?)
        }
        "note" => Ok(()),
        other => panic!("unknown step {other}"),
    }
}

fn name_of(kind: FileErrorKind) -> &'static str {
    use FileErrorKind as K;
    match kind {
        K::Outside => "outside",
        K::Secret(_) => "secret",
        K::Protected(_) | K::ReadOnly => "protected",
        K::Special => "special",
        K::Invalid | K::IsDirectory | K::NotADirectory => "invalid",
        K::NotFound => "not_found",
        K::TooLarge => "too_large",
        _ => "other",
    }
}

/// What the tool of this name does with the door. What the model would see goes to `shown`.
fn perform(door: &dyn Files, op: &str, input: &str, shown: &mut String) -> Result<(), FileError> {
    let origin = crate::space::origin();
    let commit = |changes: &[Change]| door.commit(changes, &origin).map(drop);
    let two = || input.split_once(" -> ").unwrap();
    let outside = |path: &str| FileError::new(FileErrorKind::Outside, path);
    match op {
        "read" => shown.push_str(&String::from_utf8_lossy(&read(door, input)?)),
        "write" => commit(&[write(&door.locate(input)?, "new\n", Expect::Anything)])?,
        "append" | "edit" => {
            let path = door.locate(input)?;
            let old = read(door, input)?;
            let new = [&old[..], b"more\n"].concat();
            commit(&[write(&path, new, Expect::Content(hash(&old)))])?;
        }
        "delete" => commit(&[delete(&door.locate_entry(input)?)])?,
        "mkdir" => commit(&[Change::MakeDirectory { path: door.locate(input)? }])?,
        "move" => {
            let (from, to) = two();
            commit(&[Change::Move { from: door.locate_entry(from)?, to: door.locate(to)? }])?;
        }
        "copy" => {
            let (from, to) = two();
            let content = read(door, from)?;
            commit(&[write(&door.locate(to)?, content, Expect::Anything)])?;
        }
        "list" => {
            for entry in door.entries(&door.locate(input)?)? {
                shown.push_str(&entry.name);
            }
        }
        // Patterns belong to the tool, which refuses these; the door walks.
        "glob" if input.split(['/', '{', '}', ',']).any(|part| part == "..") => return Err(outside(input)),
        "glob" | "search" => {
            let start = if op == "glob" { "." } else { input };
            let seen = Mutex::new(String::new());
            door.walk(&door.locate(start)?, ALL, &|entry| {
                let mut seen = seen.lock().unwrap();
                seen.push_str(&entry.path.display().to_string());
                if op == "search"
                    && entry.kind == EntryKind::File
                    && let Ok(file) = entry.open()
                {
                    file.content.take(1 << 20).read_to_string(&mut seen).ok();
                }
                Flow::Continue
            })?;
            shown.push_str(&seen.into_inner().unwrap());
        }
        // No change can make a link.
        "patch" if input.contains("mode 120000") => return Err(outside(input)),
        "patch" => {
            for line in input.lines() {
                let target = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("rename to "));
                if let Some(path) = target {
                    commit(&[write(&door.locate(path)?, "new\n", Expect::Anything)])?;
                }
            }
        }
        other => panic!("unknown operation {other}"),
    }
    Ok(())
}
