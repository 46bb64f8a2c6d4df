//! Skills: every folder with a `SKILL.md` in the usual places.

use super::read::{Left, Origin, is_there, join, read};
use crate::skill::{MAX_SKILL_BYTES, Reading, SKILL_FILES, SkillText};
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_core::ports::{EntryKind, Files, Flow, Visit, WalkOptions};
use parking_lot::Mutex;
use std::io::Read as _;

/// Where a folder of the workspace may keep skills, the first before the next.
pub const SKILL_FOLDERS: [&str; 5] =
    [".palanca/skills", ".agents/skills", ".claude/skills", ".architect/skills", ".architect/installed-skills"];
/// Where the user's home may, besides our own configuration folder.
pub const USER_SKILL_FOLDERS: [&str; 2] = [".agents/skills", ".claude/skills"];
/// More skills in one search are not looked at.
const MAX_SKILLS: usize = 200;
/// Of one skill's folder, for its hash: files, and bytes of all of them.
const MAX_FILES: usize = 500;
const MAX_BYTES: u64 = 16 << 20;
/// Levels of folders in it; what lies deeper would be no part of the hash.
const MAX_DEPTH: usize = 16;

/// A folder of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFolder {
    /// Relative to the workspace, or absolute below a root of the door.
    pub path: String,
    /// Whose text it is.
    pub origin: Origin,
}

/// A skill that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSkill {
    /// Its folder.
    pub folder: String,
    /// Its `SKILL.md`.
    pub file: String,
    /// Whose text it is.
    pub origin: Origin,
    /// What it says.
    pub reading: Reading,
}

/// The result of a search for skills.
#[derive(Clone, Debug, Default)]
pub struct FoundSkills {
    /// In the order of the folders, then by name.
    pub skills: Vec<FoundSkill>,
    /// Existing files that are not used.
    pub left: Vec<Left>,
}

/// The skills in these folders.
#[must_use]
pub fn skills(files: &dyn Files, folders: &[SkillFolder]) -> FoundSkills {
    let mut found = FoundSkills::default();
    let mut met = std::collections::BTreeSet::new();
    for place in folders {
        if !is_there(files, &place.path) {
            continue;
        }
        let names = match files.locate(&place.path).and_then(|folder| files.entries(&folder)) {
            Ok(names) => names,
            Err(error) => {
                found.left.push(Left::failed(&place.path, error));
                continue;
            }
        };
        for name in names {
            if !matches!(name.kind, EntryKind::Directory | EntryKind::Link) || found.skills.len() >= MAX_SKILLS {
                continue;
            }
            let folder = join(&place.path, &name.name);
            // The same folder under two names is one skill.
            let fresh = files.locate(&folder).map_or(true, |real| met.insert(real));
            match skill_at(files, &folder, place.origin) {
                Ok(Some(skill)) if fresh => found.skills.push(skill),
                Ok(_) => {}
                Err(left) => found.left.push(left),
            }
        }
    }
    found
}

/// The skill in this folder; none if it has no `SKILL.md`.
///
/// # Errors
/// A file that cannot be read as text, or is too long.
pub fn skill_at(files: &dyn Files, folder: &str, origin: Origin) -> Result<Option<FoundSkill>, Left> {
    let Some(file) = SKILL_FILES.iter().map(|name| join(folder, name)).find(|path| is_there(files, path)) else {
        return Ok(None);
    };
    let content = read(files, &file, MAX_SKILL_BYTES)?;
    if content.size > MAX_SKILL_BYTES {
        return Err(Left::because(&file, Message::new("note-too-long").with("most", MAX_SKILL_BYTES)));
    }
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let reading = SkillText(&content.text).read(name);
    Ok(Some(FoundSkill { folder: folder.to_owned(), file, origin, reading }))
}

/// Every file of a skill's folder with its hash, one per line: accepting a skill accepts this list. None if something
/// in it cannot be read or it is too large: then it cannot be accepted.
#[must_use]
pub fn manifest(files: &dyn Files, folder: &str) -> Option<String> {
    let root = files.locate(folder).ok()?;
    let options = WalkOptions { max_depth: MAX_DEPTH, ignore_files: Visit::Show, hidden: Visit::Show };
    // The remaining read allowance; none after a failed read.
    let lines = Mutex::new(Some((Vec::new(), MAX_BYTES)));
    let end = files.walk(&root, options, &|entry| {
        let mut lines = lines.lock();
        if entry.kind == EntryKind::Directory {
            if entry.depth < MAX_DEPTH {
                return Flow::Continue;
            }
            *lines = None;
            return Flow::Stop;
        }
        let hashed = lines.take().and_then(|(mut found, budget)| {
            let content = entry.open().ok().filter(|content| content.info.size <= budget && found.len() < MAX_FILES)?;
            let mut bytes = Vec::new();
            let read = content.content.take(budget).read_to_end(&mut bytes).ok()?;
            let name = entry.path.strip_prefix(root.relative()).unwrap_or(entry.path);
            found.push(format!("{:?} {}\n", name, Digest::of_bytes(&bytes).to_hex()));
            Some((found, budget.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX))))
        });
        *lines = hashed;
        if lines.is_some() { Flow::Continue } else { Flow::Stop }
    });
    let (mut lines, _) = lines.into_inner()?;
    end.ok().filter(|end| end.unreadable.is_empty())?;
    lines.sort();
    Some(lines.concat())
}
