//! `palanca init`: a project's first configuration and notes, by preset.
//!
//! Without a name, the preset is detected from the folder. Written files are trusted at once, as by `palanca config trust`,
//! because the user chose their content. Existing files are not trusted. Our notes would be read instead of a project's own, such as
//! `CLAUDE.md`; so where there are some, none are written.

mod found;

use crate::args::Global;
use crate::args::agent_files::Init;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::settings;
use palanca_core::call::SessionId;
use palanca_core::ports::{Change, ChangeOrigin, Expect, FileError, FileErrorKind, Files as _};
use palanca_core::{CallId, Message};
use palanca_files::{Disk, is_file};
use palanca_host::Places;
use palanca_host::acceptance;
use palanca_host::configuration::with_programs;
use palanca_host::workspace::disk;
use palanca_notes::NOTE_NAMES;
use std::io::IsTerminal as _;
use std::path::Path;

struct Preset {
    name: &'static str,
    /// What it is for: a key of the catalogue.
    about: &'static str,
    configuration: &'static str,
    notes: &'static str,
}

macro_rules! preset {
    ($name:literal, $about:literal) => {
        Preset {
            name: $name,
            about: $about,
            configuration: include_str!(concat!("../../presets/", $name, ".yaml")),
            notes: include_str!(concat!("../../presets/", $name, ".md")),
        }
    };
}

/// Sorted by name.
const PRESETS: [Preset; 7] = [
    preset!("ci", "init-about-ci"),
    preset!("go", "init-about-go"),
    preset!("node-react", "init-about-node-react"),
    preset!("paranoid", "init-about-paranoid"),
    preset!("python", "init-about-python"),
    preset!("rust", "init-about-rust"),
    preset!("yolo", "init-about-yolo"),
];
/// What a file at the top says about the project. Where several are found the first one counts: `package.json` is last,
/// because projects in other languages have one for their tools.
const MARKERS: [(&str, &str); 6] = [
    ("Cargo.toml", "rust"),
    ("go.mod", "go"),
    ("pyproject.toml", "python"),
    ("setup.py", "python"),
    ("requirements.txt", "python"),
    ("package.json", "node-react"),
];
const CONFIGURATION: &str = "palanca.yaml";
const NOTES: &str = ".palanca.md";
/// Where a project's own skills go.
const SKILLS: &str = ".palanca/skills";

pub fn init(global: &Global, args: &Init) -> Ended {
    if args.list_presets {
        stdout::text(&PRESETS.iter().map(row).collect::<String>())?;
        return Ok(Exit::Success);
    }
    let folder = global.workspace.as_deref().unwrap_or(Path::new("."));
    let disk = disk::of_the_person(folder)?;
    let preset = match &args.preset {
        Some(name) => named(name).ok_or_else(|| {
            Failure::said(&Message::new("init-preset-unknown").with("name", name).with("names", names()))
        })?,
        None => chosen(folder)?,
    };
    let (configuration, left_out) = found::what_is_there(folder, preset.configuration);
    for program in left_out {
        stderr::note(&program.message(CONFIGURATION));
    }
    let mut files = vec![(CONFIGURATION, configuration.as_str())];
    match NOTE_NAMES.iter().find(|name| **name != NOTES && is_file(&folder.join(name))) {
        Some(other) => stderr::note(&Message::new("init-notes-there").with("path", NOTES).with("other", *other)),
        None => files.push((NOTES, preset.notes)),
    }
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
    Ok(accepted(&settings::places(global)?, &disk, &written))
}

fn row(preset: &Preset) -> String {
    format!("{:<12} {}\n", preset.name, say(&Message::new(preset.about)))
}

fn named(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

fn names() -> String {
    PRESETS.each_ref().map(|preset| preset.name).join(", ")
}

/// The preset for what is found in the folder: asked for on a terminal, chosen and said without one.
fn chosen(folder: &Path) -> Result<&'static Preset, Failure> {
    let found = MARKERS.iter().find(|(marker, _)| is_file(&folder.join(marker)));
    let fits = found.and_then(|(marker, name)| Some((named(name)?, *marker)));
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        return asked(fits);
    }
    let Some((preset, marker)) = fits else {
        let markers = MARKERS.map(|(marker, _)| marker).join(", ");
        return Err(Failure::said(&Message::new("init-preset-none").with("markers", markers).with("names", names())));
    };
    stderr::note(&Message::new("init-chosen").with("name", preset.name).with("marker", marker).with("names", names()));
    Ok(preset)
}

/// Asks until a preset is named; an empty line takes the one that fits.
fn asked(fits: Option<(&'static Preset, &str)>) -> Result<&'static Preset, Failure> {
    stderr::line(PRESETS.iter().map(row).collect::<String>().trim_end());
    let question = match fits {
        Some((preset, marker)) => Message::new("init-ask-fits").with("name", preset.name).with("marker", marker),
        None => Message::new("init-ask"),
    };
    loop {
        stderr::prompt(&say(&question));
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 {
            stderr::line("");
            return Err(Failure::said(&Message::new("init-nothing-chosen")));
        }
        match (line.trim().to_lowercase().as_str(), fits) {
            ("", Some((preset, _))) => return Ok(preset),
            ("", None) => {}
            (name, _) => match named(name) {
                Some(preset) => return Ok(preset),
                None => stderr::note(&Message::new("init-preset-unknown").with("name", name).with("names", names())),
            },
        }
    }
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

/// What was written is there all the same when it cannot be accepted; it counts once it is trusted.
fn accepted(places: &Places, disk: &Disk, written: &[(&str, &str)]) -> Exit {
    let mut exit = Exit::Success;
    for (name, text) in written {
        let folder = disk.root();
        let file = Path::new(&folder).join(name).display().to_string();
        match acceptance::accept(places, &file, &with_programs(folder.as_ref(), &file, text)) {
            Ok(()) => stderr::note(&Message::new("init-written").with("path", *name)),
            Err(fault) => {
                let untrusted = Message::new("init-untrusted").with("path", *name).with("reason", fault.message);
                stderr::warn(&untrusted);
                exit = Exit::Failed;
            }
        }
    }
    exit
}
