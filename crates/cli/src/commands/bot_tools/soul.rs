//! A bot's own files, for its person: what is there, and what was there before.

use super::in_toolset;
use crate::args::Global;
use crate::exit::{Ended, Exit, Failure};
use crate::render::stdout;
use crate::say::say;
use crate::wire::settings;
use palanca_core::ports::{EntryKind, Files as _};
use palanca_core::{Catalogue as _, Message, ToolsetName};
use palanca_files::Disk;
use palanca_host::agent::bots;
use palanca_host::workspace::disk;
use palanca_notes::{Left, read};
use serde_json::json;

/// Bytes of a file that is shown or put back.
const LARGEST: u64 = 1 << 20;
/// Where the versions are, in the bot's folder.
const VERSIONS: &str = ".versions";

/// The folder of a bot's files, seen as the bot sees it.
struct Soul {
    disk: Disk,
    folder: String,
}

impl Soul {
    fn of(global: &Global) -> Result<Self, Failure> {
        let toolset = Some(ToolsetName::Bots.name().to_owned());
        let config = settings::load(&Global { toolset, ..global.clone() }, &[])?.config;
        bots::check(&config)?;
        Ok(Self { disk: disk::disk(&settings::places(global)?, &config)?, folder: bots::soul(&config) })
    }

    /// The names of the files in one of its folders, sorted; none where there is no such folder.
    fn names(&self, below: &str) -> Vec<(String, EntryKind)> {
        let path = format!("{}/{below}", self.folder);
        let entries = self.disk.locate(path.trim_end_matches('/')).and_then(|path| self.disk.entries(&path));
        entries.unwrap_or_default().into_iter().map(|entry| (entry.name, entry.kind)).collect()
    }

    /// The versions of a file, the newest first: their names and times.
    fn versions(&self, file: &str) -> Vec<(String, String)> {
        let time = |name: &str| Some(name.strip_prefix(file)?.strip_prefix('.')?.strip_suffix(".bak")?.to_owned());
        let names = self.names(VERSIONS).into_iter().rev();
        names.filter_map(|(name, _)| time(&name).map(|time| (format!("{VERSIONS}/{name}"), time))).collect()
    }

    fn text(&self, file: &str) -> Result<String, Failure> {
        let path = format!("{}/{file}", self.folder);
        let content = read(&self.disk, &path, LARGEST).map_err(|left| unreadable(&left))?;
        if content.size > LARGEST {
            return Err(Failure::said(&Message::new("memory-file-long").with("path", path).with("limit", LARGEST)));
        }
        Ok(content.text)
    }
}

fn unreadable(left: &Left) -> Failure {
    let reason = crate::say::catalogue().render(&left.why);
    let reason = reason.trim_end_matches('.').to_owned();
    Failure::said(&Message::new("memory-unreadable").with("path", &left.path).with("reason", reason))
}

/// One file, or the list of all with their versions.
pub(super) fn show(global: &Global, file: Option<&str>) -> Ended {
    let soul = Soul::of(global)?;
    if let Some(file) = file {
        stdout::text(&soul.text(file)?)?;
        return Ok(Exit::Success);
    }
    let mut page = String::new();
    for below in ["", "memory"] {
        for (name, _) in soul.names(below).into_iter().filter(|(_, kind)| *kind == EntryKind::File) {
            let path = if below.is_empty() { name } else { format!("{below}/{name}") };
            page.push_str(&format!("{}/{path}\n", soul.folder));
            for (_, time) in soul.versions(&path) {
                page.push_str(&format!("  {time}\n"));
            }
        }
    }
    if page.is_empty() {
        page = say(&Message::new("memory-no-files").with("folder", soul.folder)) + "\n";
    }
    stdout::text(&page)?;
    Ok(Exit::Success)
}

/// Puts a version back, by an ordinary write.
pub(super) fn restore(global: Global, file: &str, version: Option<&str>) -> Ended {
    let soul = Soul::of(&global)?;
    let versions = soul.versions(file);
    let mut fitting = versions.iter().filter(|(_, time)| version.is_none_or(|wanted| time.starts_with(wanted)));
    let Some((name, _)) = fitting.next() else {
        let times = versions.iter().map(|(_, time)| time.as_str()).collect::<Vec<_>>().join(", ");
        let why = if versions.is_empty() {
            Message::new("memory-no-versions").with("file", file)
        } else {
            Message::new("memory-no-version").with("file", file).with("times", times)
        };
        return Err(Failure::said(&why));
    };
    let arguments = json!({"path": format!("{}/{file}", soul.folder), "content": soul.text(name)?});
    // A person puts it back, not the bot.
    in_toolset(Global { bot: None, ..global }, ToolsetName::Palanca, ("write_file", &arguments), false)
}
