//! `save_memory`: one more line in the log of the day.

use super::secret::{REDACTED, redacted};
use super::{Rewrite, missing};
use crate::files::{Found, find};
use crate::operation::{Operation, ToolOptions};
use jiff::Zoned;
use palanca_core::call::{CanonicalPath, ErrorKind, WriteKind};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, ToolError};

/// Characters of a fact.
const LONGEST: usize = 2_000;
/// Logs that are looked into for what is known, newest first, and the bytes of one.
const LOGS: usize = 400;
const LARGEST: u64 = 256 << 10;

pub(crate) struct Remember<'a> {
    pub(crate) fact: &'a str,
    pub(crate) at: Zoned,
    pub(crate) options: &'a ToolOptions,
}

impl Remember<'_> {
    /// The change of the log of that day.
    pub(crate) fn operation(self) -> impl Operation {
        let folder = format!("{}/memory", self.options.soul.dir);
        Rewrite {
            path: format!("{folder}/{}.md", self.at.strftime("%Y-%m-%d")),
            version: None,
            reads: Some(folder.clone()),
            kind: WriteKind::Append,
            change: {
                let (fact, time) = (self.fact.to_owned(), self.at.strftime("%H:%M").to_string());
                move |files: &FilesHandle, before: Option<&str>| {
                    let kept = kept(&fact)?;
                    let known = before.is_some_and(|log| has(log, &kept)) || is_known(files, &folder, &kept)?;
                    let before = before.unwrap_or_default();
                    if known {
                        return Ok((before.to_owned(), Message::new("memory-known").with("fact", kept)));
                    }
                    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
                    let said = if kept.contains(REDACTED) { "memory-saved-redacted" } else { "memory-saved" };
                    let said = Message::new(said).with("fact", kept.as_str());
                    Ok((format!("{before}{gap}- [{time}] {kept}\n"), said))
                }
            },
        }
    }
}

/// What may be kept of a fact, as one line.
fn kept(fact: &str) -> Result<String, ToolError> {
    let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    if fact.is_empty() {
        return Err(missing("fact"));
    }
    let invalid = |message| ToolError::new(ErrorKind::InvalidArguments, message);
    if fact.chars().count() > LONGEST {
        return Err(invalid(Message::new("memory-too-long").with("longest", LONGEST)));
    }
    match redacted(&fact) {
        Some(kept) => Ok(kept.into_owned()),
        None => Err(invalid(Message::new("memory-secret"))),
    }
}

fn is_known(files: &FilesHandle, folder: &str, fact: &str) -> Result<bool, ToolError> {
    let folder = files.locate(folder)?;
    let Ok(entries) = files.entries(&folder) else { return Ok(false) };
    let mut logs: Vec<CanonicalPath> = entries.iter().map(|entry| folder.join(&entry.name)).filter(is_log).collect();
    logs.sort_by(|one, other| other.relative().cmp(one.relative()));
    // What cannot be read is not known.
    let known = |path: &CanonicalPath| match find(files, path, LARGEST) {
        Ok(Found::Text { text, .. }) => has(&text, fact),
        _ => false,
    };
    Ok(logs.iter().take(LOGS).any(known))
}

fn is_log(path: &CanonicalPath) -> bool {
    path.relative().extension().is_some_and(|extension| extension == "md")
}

/// Whether a log has this fact, in any letter case, whatever surrounds the words.
fn has(log: &str, fact: &str) -> bool {
    let plain = |text: &str| {
        let text = text.strip_prefix("- ").unwrap_or(text);
        let text = text.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(text, |(_, rest)| rest);
        text.to_lowercase().trim_matches(|one: char| one.is_whitespace() || ".!,;".contains(one)).to_owned()
    };
    let fact = plain(fact);
    log.lines().any(|line| plain(line) == fact)
}
