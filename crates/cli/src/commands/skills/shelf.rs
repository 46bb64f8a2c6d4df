//! The folder that skills are made in, installed into and removed from. Names are checked before they become paths, and the
//! folder must be where it is spelled: a link in its way would decide what is written and removed.

use crate::args::Global;
use crate::exit::{Ended, Exit, Failure};
use crate::render::stderr;
use crate::say::say;
use crate::wire::settings;
use palanca_core::call::{CanonicalPath, SessionId};
use palanca_core::ports::{
    Change, ChangeOrigin, EntryKind, Expect, FileError, FileErrorKind, Files as _, Flow, Visit, WalkOptions,
};
use palanca_core::{CallId, Message};
use palanca_files::{Disk, StateDirectory};
use palanca_host::acceptance::accept;
use palanca_host::workspace::disk;
use palanca_host::{Fault, Places};
use palanca_notes::{Grade, Origin, SkillName, manifest, skill_at, template};
use parking_lot::Mutex;
use std::io::Read as _;
use std::path::Path;

/// What was installed, one name a line.
const RECORD: &str = ".installed";
const MAX_FILES: usize = 500;
const MAX_BYTES: u64 = 16 << 20;

/// Whose shelf.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Workspace,
    User,
}

/// What becomes of a skill that was installed under the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum There {
    Keep,
    Replace,
}

pub struct Shelf {
    disk: Disk,
    /// Relative to the door.
    folder: &'static str,
    places: Places,
    is_dry: bool,
    config: palanca_config::Config,
}

/// What a skill's folder holds, with paths relative to it.
struct Copied {
    files: Vec<(String, Vec<u8>, u32)>,
    links: Vec<String>,
}

impl Shelf {
    pub fn open(global: &Global, owner: Owner) -> Result<Self, Failure> {
        let (places, config) = (settings::places(global)?, settings::load(global, &[])?.config);
        let (disk, folder) = match owner {
            Owner::Workspace => (disk::of_the_person(config.workspace.root.as_ref())?, ".palanca/skills"),
            Owner::User => {
                let home = places.user.as_ref().ok_or_else(|| Failure::said(&Message::new("skills-no-home")))?;
                StateDirectory::open(home).map_err(Fault::from)?;
                (disk::of_the_person(home)?, "skills")
            }
        };
        Ok(Self { disk, folder, places, is_dry: global.is_dry(), config })
    }

    pub fn create(&self, name: &str, description: Option<&str>) -> Ended {
        let name = parsed(name)?;
        let standard = say(&Message::new("skills-description").with("name", name.as_str()));
        let text = template(&name, description.unwrap_or(&standard));
        // The whole format holds for what we write, the length of a description too.
        if let Some(fault) = palanca_notes::SkillText(&text).read(name.as_str()).faults.first() {
            return Err(Failure::said(&fault.message));
        }
        self.vacant(&name)?;
        let path = self.at(&[name.as_str(), "SKILL.md"])?;
        let shown = self.shown(name.as_str());
        self.commit(&[Change::Write { path, content: text.into_bytes(), expect: Expect::Absent, mode: None }], &shown)?;
        self.note("skills-created", &shown);
        Ok(Exit::Success)
    }

    pub fn install(&self, from: &Path, there: There) -> Ended {
        let rules = disk::path_rules(&self.places, &self.config)?;
        let source = Disk::open(from, &[], rules).map_err(failed)?;
        let left = |left: palanca_notes::Left| {
            let why = say(&left.why);
            Failure::said(&Message::new("notes-left").with("path", left.path).with("reason", why.trim_end_matches('.')))
        };
        let skill = skill_at(&source, ".", Origin::Workspace).map_err(left)?;
        let Some(front) = skill.as_ref().and_then(|skill| skill.reading.front.as_ref()) else {
            let why = skill.iter().flat_map(|skill| &skill.reading.faults).find(|fault| fault.grade == Grade::Broken);
            let why = why.map_or_else(|| Message::new("skills-no-file"), |fault| fault.message.clone());
            return Err(Failure::said(&why));
        };
        let name = parsed(&front.name)?;
        let shown = self.shown(name.as_str());
        let mut record = self.record()?;
        let mut changes = Vec::new();
        if self.there(&name)? {
            if there == There::Keep || !record.contains(&name.to_string()) {
                let key = if record.contains(&name.to_string()) { "skills-there-installed" } else { "skills-there" };
                return Err(Failure::said(&Message::new(key).with("path", shown)));
            }
            changes.push(Change::Delete { path: self.at(&[name.as_str()])?, expect: Expect::Anything });
            self.commit(&changes, &shown)?;
            changes.clear();
        }
        let copied = copied(&source)?;
        for (path, content, mode) in copied.files {
            let path = self.at(&[name.as_str(), &path])?;
            changes.push(Change::Write { path, content, expect: Expect::Absent, mode: Some(mode) });
        }
        record.push(name.to_string());
        changes.push(self.recorded(record)?);
        self.commit(&changes, &shown)?;
        for link in copied.links {
            stderr::warn(&Message::new("skills-link").with("path", link));
        }
        self.note("skills-installed", &shown);
        if !self.is_dry {
            self.vouch(&name)?;
        }
        Ok(Exit::Success)
    }

    pub fn remove(&self, name: &str) -> Ended {
        let name = parsed(name)?;
        let shown = self.shown(name.as_str());
        let mut record = self.record()?;
        if !record.contains(&name.to_string()) || !self.there(&name)? {
            let key = if self.there(&name)? { "skills-not-installed" } else { "skills-not-there" };
            return Err(Failure::said(&Message::new(key).with("path", shown)));
        }
        record.retain(|known| known != name.as_str());
        let gone = Change::Delete { path: self.at(&[name.as_str()])?, expect: Expect::Anything };
        self.commit(&[gone, self.recorded(record)?], &shown)?;
        self.note("skills-removed", &shown);
        Ok(Exit::Success)
    }

    /// The canonical path of something on the shelf, which is exactly where it is spelled.
    fn at(&self, parts: &[&str]) -> Result<CanonicalPath, Failure> {
        let spelled = format!("{}/{}", self.folder, parts.join("/"));
        let path = self.disk.locate_entry(&spelled).map_err(failed)?;
        if path.relative() != Path::new(&spelled) {
            return Err(Failure::said(&Message::new("skills-link-way").with("path", spelled)));
        }
        Ok(path)
    }

    fn there(&self, name: &SkillName) -> Result<bool, Failure> {
        match self.disk.info(&self.at(&[name.as_str()])?) {
            Ok(_) => Ok(true),
            Err(error) if error.kind == FileErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    fn vacant(&self, name: &SkillName) -> Result<(), Failure> {
        if self.there(name)? {
            return Err(Failure::said(&Message::new("skills-there").with("path", self.shown(name.as_str()))));
        }
        Ok(())
    }

    fn record(&self) -> Result<Vec<String>, Failure> {
        let path = self.at(&[RECORD])?;
        let mut text = String::new();
        match self.disk.open(&path) {
            Ok(opened) => {
                opened.content.take(1 << 20).read_to_string(&mut text)?;
            }
            Err(error) if error.kind == FileErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        Ok(text.lines().map(str::to_owned).collect())
    }

    fn recorded(&self, mut names: Vec<String>) -> Result<Change, Failure> {
        names.sort();
        names.dedup();
        let content: String = names.iter().map(|name| format!("{name}\n")).collect();
        Ok(Change::Write {
            path: self.at(&[RECORD])?,
            content: content.into_bytes(),
            expect: Expect::Anything,
            mode: None,
        })
    }

    fn shown(&self, name: &str) -> String {
        Path::new(&self.disk.root()).join(self.folder).join(name).display().to_string()
    }

    fn commit(&self, changes: &[Change], shown: &str) -> Result<(), Failure> {
        if self.is_dry {
            stderr::note(&Message::new("skills-dry").with("path", shown));
            return Ok(());
        }
        let id = SessionId::new(uuid::Uuid::now_v7().to_string());
        self.disk.commit(changes, &ChangeOrigin { session: id, call: CallId::new("skills") }).map_err(failed)?;
        Ok(())
    }

    fn note(&self, key: &'static str, shown: &str) {
        if !self.is_dry {
            stderr::note(&Message::new(key).with("path", shown));
        }
    }

    /// Installing a skill accepts its content.
    fn vouch(&self, name: &SkillName) -> Result<(), Failure> {
        let folder = format!("{}/{name}", self.folder);
        let skill = skill_at(&self.disk, &folder, Origin::Workspace).ok().flatten();
        if let (Some(skill), Some(text)) = (skill, manifest(&self.disk, &folder)) {
            let file = Path::new(&self.disk.root()).join(skill.file);
            accept(&self.places, &file.display().to_string(), &text)?;
        }
        Ok(())
    }
}

fn parsed(name: &str) -> Result<SkillName, Failure> {
    SkillName::new(name).map_err(|error| {
        let why: Vec<String> = error.messages.iter().map(say).collect();
        Failure::said(&Message::new("skills-name").with("reason", why.join("; ")))
    })
}

fn failed(error: FileError) -> Failure {
    Failure::said(error.into_tool_error().message())
}

/// Reads a skill's folder: regular files, no links.
fn copied(source: &Disk) -> Result<Copied, Failure> {
    let root = source.locate(".").map_err(failed)?;
    let options = WalkOptions { max_depth: 16, ignore_files: Visit::Show, hidden: Visit::Show };
    let found = Mutex::new((Copied { files: Vec::new(), links: Vec::new() }, MAX_BYTES, None));
    let walked = source.walk(&root, options, &|entry| {
        let mut found = found.lock();
        let (copied, budget, wrong) = &mut *found;
        let Some(path) = entry.path.to_str().map(str::to_owned) else {
            *wrong = Some(Message::new("skills-copy").with("path", entry.path.display().to_string()));
            return Flow::Stop;
        };
        if entry.kind == EntryKind::Directory {
            // A history is no part of a skill.
            return if path.ends_with(".git") { Flow::Skip } else { Flow::Continue };
        }
        if entry.kind == EntryKind::Link {
            copied.links.push(path);
            return Flow::Continue;
        }
        let content =
            entry.open().ok().filter(|content| content.info.size <= *budget && copied.files.len() < MAX_FILES);
        let mut bytes = Vec::new();
        let mode = content.as_ref().map_or(0o644, |content| content.info.mode & 0o777);
        if content.is_none_or(|content| content.content.take(*budget).read_to_end(&mut bytes).is_err()) {
            *wrong = Some(Message::new("skills-copy").with("path", path));
            return Flow::Stop;
        }
        *budget = budget.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        copied.files.push((path, bytes, mode));
        Flow::Continue
    });
    walked.map_err(failed)?;
    let (mut copied, _, wrong) = found.into_inner();
    if let Some(wrong) = wrong {
        return Err(Failure::said(&wrong));
    }
    copied.files.sort();
    copied.links.sort();
    Ok(copied)
}
