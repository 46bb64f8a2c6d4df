//! `palanca skills check`: the public validator's verdict.

use super::problems;
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use crate::say::say;
use palanca_core::Message;
use palanca_files::{is_directory, is_file, names, places, read_regular};
use palanca_host::agent::notes::Gathered;
use palanca_notes::{MAX_SKILL_BYTES, SKILL_FILES, SkillText};
use serde_json::json;
use std::path::{Path, PathBuf};

/// One judged folder.
struct Verdict {
    path: String,
    problems: Vec<String>,
}

/// The skills that a run would look at.
pub fn found(found: &Gathered, as_json: bool) -> Ended {
    let read = found
        .skills
        .iter()
        .map(|listed| Verdict { path: listed.skill.folder.clone(), problems: problems(&listed.skill.reading.faults) });
    let left = found.left.iter().map(|left| Verdict { path: left.path.clone(), problems: vec![say(&left.why)] });
    shown(&read.chain(left).collect::<Vec<_>>(), as_json)
}

/// The skill, or the skills, at a path that was typed.
pub fn named(path: &Path, as_json: bool) -> Ended {
    if is_file(path) && path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("skill.md")) {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return shown(&[verdict(folder)], as_json);
    }
    if !is_directory(path) {
        if is_file(path) {
            let problems = vec![say(&Message::new("skills-no-folder"))];
            return shown(&[Verdict { path: path.display().to_string(), problems }], as_json);
        }
        return Err(Failure::said(&Message::new("skills-path-missing").with("path", path.display().to_string())));
    }
    if file(path).is_none() {
        let below: Vec<PathBuf> = names(path).unwrap_or_default().into_iter().map(|name| path.join(name)).collect();
        let skills: Vec<Verdict> =
            below.iter().filter(|below| file(below).is_some()).map(|below| verdict(below)).collect();
        if !skills.is_empty() {
            return shown(&skills, as_json);
        }
    }
    shown(&[verdict(path)], as_json)
}

fn file(folder: &Path) -> Option<PathBuf> {
    SKILL_FILES.iter().map(|name| folder.join(name)).find(|path| names_something(path))
}

fn names_something(path: &Path) -> bool {
    is_file(path)
        || is_directory(path)
        || places(path).is_ok_and(|places| places.last().is_some_and(|end| palanca_files::exists(end)))
}

fn verdict(folder: &Path) -> Verdict {
    let path = folder.display().to_string();
    let Some(file) = file(folder) else {
        return Verdict { path, problems: vec![say(&Message::new("skills-no-file"))] };
    };
    // `.` and `..` have no name of their own.
    let named = std::path::absolute(folder).ok().filter(|folder| folder.file_name().is_some());
    let real = named.or_else(|| places(folder).ok()?.pop());
    let name = real.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let problems = match read_regular(&file, MAX_SKILL_BYTES) {
        Ok(text) => problems(&SkillText(&text).read(&name.unwrap_or_default()).faults),
        Err(error) => vec![say(&palanca_host::unusable(&error))],
    };
    Verdict { path, problems }
}

fn shown(verdicts: &[Verdict], as_json: bool) -> Ended {
    let valid = verdicts.iter().all(|verdict| verdict.problems.is_empty());
    if as_json {
        let rows = verdicts.iter().map(
            |Verdict { path, problems }| json!({ "path": path, "valid": problems.is_empty(), "problems": problems }),
        );
        stdout::json(&rows.collect())?;
    } else {
        let mut page = String::new();
        for Verdict { path, problems } in verdicts {
            let key = if problems.is_empty() { "skills-valid" } else { "skills-invalid" };
            page.push_str(&format!("{}\n", say(&Message::new(key).with("path", path))));
            problems.iter().for_each(|problem| page.push_str(&format!("  - {problem}\n")));
        }
        if page.is_empty() {
            page = say(&Message::new("skills-none"));
        }
        stdout::text(&page)?;
    }
    Ok(if valid { Exit::Success } else { Exit::Failed })
}
