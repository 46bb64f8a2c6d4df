//! A bot's own files, for its person: what is there, and what was there before.

use super::in_toolset;
use crate::args::Global;
use crate::exit::{Ended, Exit, Failure};
use crate::render::{stderr, stdout};
use crate::say::say;
use crate::wire::settings;
use palanca_core::{Message, ToolsetName};
use palanca_host::agent::soul_files::SoulFiles;
use serde_json::json;

fn of(global: &Global) -> Result<SoulFiles, Failure> {
    let toolset = Some(ToolsetName::Bots.name().to_owned());
    let config = settings::load(&Global { toolset, ..global.clone() }, &[])?.config;
    Ok(SoulFiles::of(&settings::places(global)?, &config)?)
}

/// One file, or the list of all with their versions.
pub(super) fn show(global: &Global, file: Option<&str>) -> Ended {
    let soul = of(global)?;
    if let Some(file) = file {
        stdout::text(&soul.text(file)?)?;
        return Ok(Exit::Success);
    }
    let mut page = String::new();
    for path in soul.files() {
        page.push_str(&format!("{}/{path}\n", soul.folder()));
        for version in soul.versions(&path) {
            page.push_str(&format!("  {}\n", version.until));
        }
    }
    if page.is_empty() {
        page = say(&Message::new("memory-no-files").with("folder", soul.folder())) + "\n";
    }
    stdout::text(&page)?;
    Ok(Exit::Success)
}

/// Puts a version back, by ordinary writes: what is there now becomes a version, too.
pub(super) fn restore(global: Global, file: &str, version: Option<&str>) -> Ended {
    let soul = of(&global)?;
    let versions = soul.versions(file);
    let mut fitting = versions.iter().filter(|found| version.is_none_or(|wanted| found.until.starts_with(wanted)));
    let Some(found) = fitting.next() else {
        let times = versions.iter().map(|version| version.until.as_str()).collect::<Vec<_>>().join(", ");
        let why = if versions.is_empty() {
            Message::new("memory-no-versions").with("file", file)
        } else {
            Message::new("memory-no-version").with("file", file).with("times", times)
        };
        return Err(Failure::said(&why));
    };
    let writes = soul.restoring(file, found)?;
    if writes.is_empty() {
        stderr::note(&Message::new("memory-is-so").with("file", file).with("until", &found.until));
    }
    // A person puts it back, not the bot.
    let person = Global { bot: None, ..global };
    for (path, content) in writes {
        let arguments = json!({"path": path, "content": content});
        let exit = in_toolset(person.clone(), ToolsetName::Palanca, ("write_file", &arguments), false)?;
        if exit != Exit::Success {
            return Ok(exit);
        }
    }
    Ok(Exit::Success)
}
