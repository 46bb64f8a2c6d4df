//! `palanca init`: a project's first configuration and notes, by preset.
//!
//! What is written counts at once: whoever typed the command has chosen these very words, so they are accepted as if by
//! `palanca config trust`. A file that was there already is somebody else's and is accepted by nobody.

use crate::args::Global;
use crate::args::agent_files::Init;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::{disk, state};
use palanca_core::call::SessionId;
use palanca_core::ports::{Change, ChangeOrigin, Expect, FileError, FileErrorKind, Files as _};
use palanca_core::{CallId, Message};
use palanca_files::Disk;
use std::path::Path;

/// Name, what it is for, configuration, notes; sorted.
const PRESETS: [(&str, &str, &str, &str); 5] = [
    ("ci", "init-about-ci", include_str!("../../presets/ci.yaml"), include_str!("../../presets/ci.md")),
    (
        "node-react",
        "init-about-node-react",
        include_str!("../../presets/node-react.yaml"),
        include_str!("../../presets/node-react.md"),
    ),
    (
        "paranoid",
        "init-about-paranoid",
        include_str!("../../presets/paranoid.yaml"),
        include_str!("../../presets/paranoid.md"),
    ),
    ("python", "init-about-python", include_str!("../../presets/python.yaml"), include_str!("../../presets/python.md")),
    ("yolo", "init-about-yolo", include_str!("../../presets/yolo.yaml"), include_str!("../../presets/yolo.md")),
];
const CONFIGURATION: &str = "palanca.yaml";
const NOTES: &str = ".palanca.md";
/// Where a project's own skills go.
const SKILLS: &str = ".palanca/skills";

pub fn init(global: &Global, args: &Init) -> Ended {
    if args.list_presets {
        let rows = PRESETS.iter().map(|(name, about, ..)| format!("{name:<12} {}\n", say(&Message::new(about))));
        stdout::text(&rows.collect::<String>())?;
        return Ok(Exit::Success);
    }
    let names = PRESETS.map(|(name, ..)| name).join(", ");
    let Some(wanted) = &args.preset else {
        return Err(Failure::said(&Message::new("init-preset-none").with("names", names)));
    };
    let Some((_, _, configuration, notes)) = PRESETS.iter().find(|(name, ..)| name == wanted) else {
        return Err(Failure::said(&Message::new("init-preset-unknown").with("name", wanted).with("names", names)));
    };
    let disk = disk::of_the_person(global.workspace.as_deref().unwrap_or(Path::new(".")))?;
    let files = [(CONFIGURATION, *configuration), (NOTES, *notes)];
    let mut written = Vec::new();
    let mut changes = Vec::new();
    for (name, text) in files {
        let path = disk.locate_entry(name).map_err(failed)?;
        let there = match disk.info(&path) {
            Ok(_) => true,
            Err(error) if error.kind == FileErrorKind::NotFound => false,
            Err(error) => return Err(failed(error)),
        };
        if there && !args.overwrite {
            stderr::note(&Message::new("init-skipped").with("path", name));
            continue;
        }
        let expect = if there { Expect::Anything } else { Expect::Absent };
        changes.push(Change::Write { path, content: text.into(), expect, mode: None });
        written.push((name, text));
    }
    let skills = disk.locate(SKILLS).map_err(failed)?;
    if disk.info(&skills).is_err() {
        changes.push(Change::MakeDirectory { path: skills });
    }
    others(&disk, &written);
    if global.is_dry() {
        written.iter().for_each(|(name, _)| stderr::note(&Message::new("init-would").with("path", *name)));
        return Ok(Exit::Success);
    }
    let session = SessionId::new(uuid::Uuid::now_v7().to_string());
    disk.commit(&changes, &ChangeOrigin { session, call: CallId::new("init") }).map_err(failed)?;
    accept(&disk, &written);
    Ok(Exit::Success)
}

fn failed(error: FileError) -> Failure {
    Failure::said(error.into_tool_error().message())
}

/// A configuration under another name is no longer read beside ours.
fn others(disk: &Disk, written: &[(&str, &str)]) {
    if !written.iter().any(|(name, _)| *name == CONFIGURATION) {
        return;
    }
    for name in ["palanca.yml", "palanca.toml", "palanca.json"] {
        if disk.locate(name).and_then(|path| disk.info(&path)).is_ok() {
            stderr::warn(&Message::new("init-other").with("path", name).with("new", CONFIGURATION));
        }
    }
}

fn accept(disk: &Disk, written: &[(&str, &str)]) {
    for (name, text) in written {
        let file = Path::new(&disk.root()).join(name).display().to_string();
        let accepted = state::trust(&file, text);
        stderr::note(&Message::new("init-written").with("path", *name));
        // The file is there all the same; it counts once somebody trusts it.
        if let Err(failure) = accepted {
            stderr::warning(&failure.to_string());
        }
    }
}
