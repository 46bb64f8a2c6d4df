//! A bot's own files, for its person: what is there, and what was there before.

use super::bots;
use crate::configuration::catalogue;
use crate::fault::Fault;
use crate::places::Places;
use crate::workspace::disk;
use jiff::Timestamp;
use palanca_config::Config;
use palanca_core::ports::{EntryKind, Files as _};
use palanca_core::{Catalogue as _, Message};
use palanca_files::Disk;
use palanca_notes::read;
use palanca_text::FluentCatalogue;
use palanca_tools::{VERSIONS, version, version_name};
use std::sync::Arc;

/// Bytes of a file that is shown or put back.
const LARGEST: u64 = 1 << 20;

/// The folder of a bot's files, seen as the bot sees it.
pub struct SoulFiles {
    disk: Disk,
    folder: String,
    /// Whether what is replaced is kept.
    keeps: bool,
    catalogue: Arc<FluentCatalogue>,
}

/// An earlier version of a file.
pub struct Version {
    /// Its file, from the bot's folder.
    pub file: String,
    /// Until when it was the one: `2026-01-02T03-04-05.678Z`.
    pub until: String,
}

impl SoulFiles {
    /// Those of the bot that acts in this configuration.
    ///
    /// # Errors
    /// No such bot, or a workspace that cannot be had.
    pub fn of(places: &Places, config: &Config) -> Result<Self, Fault> {
        bots::check(config)?;
        let disk = disk::disk(places, config)?;
        let keeps = config.soul.versioning.enabled;
        Ok(Self { disk, folder: bots::soul(config), keeps, catalogue: catalogue(config) })
    }

    /// The folder, from the workspace's root.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The files of the folder, then those of its `memory`, sorted.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        let files = |below: &str| {
            let names = self.names(below).into_iter().filter(|(_, kind)| *kind == EntryKind::File);
            names.map(|(name, _)| if below.is_empty() { name } else { format!("{below}/{name}") }).collect::<Vec<_>>()
        };
        [files(""), files("memory")].concat()
    }

    /// The names in one of its folders, sorted; none where there is no such folder.
    fn names(&self, below: &str) -> Vec<(String, EntryKind)> {
        let path = format!("{}/{below}", self.folder);
        let entries = self.disk.locate(path.trim_end_matches('/')).and_then(|path| self.disk.entries(&path));
        entries.unwrap_or_default().into_iter().map(|entry| (entry.name, entry.kind)).collect()
    }

    /// The versions of a file, the newest first.
    #[must_use]
    pub fn versions(&self, file: &str) -> Vec<Version> {
        let (place, own) = match file.rsplit_once('/') {
            Some((below, own)) => (format!("{VERSIONS}/{below}"), own),
            None => (VERSIONS.to_owned(), file),
        };
        let names = self.names(&place).into_iter().rev();
        let is_own = |name: &str| version(name).filter(|(file, _)| *file == own).map(|(_, until)| until.to_owned());
        names.filter_map(|(name, _)| Some(Version { until: is_own(&name)?, file: format!("{place}/{name}") })).collect()
    }

    /// Where a file is kept that is replaced now, from the workspace's root; none where none is kept.
    #[must_use]
    pub fn next_version(&self, file: &str) -> Option<String> {
        self.keeps.then(|| format!("{}/{}", self.folder, version_name(file, Timestamp::now())))
    }

    /// A file or a version of one.
    ///
    /// # Errors
    /// One that cannot be read, or is larger than 1 MiB.
    pub fn text(&self, file: &str) -> Result<String, Fault> {
        let path = format!("{}/{file}", self.folder);
        let content = read(&self.disk, &path, LARGEST).map_err(|left| {
            let reason = self.catalogue.render(&left.why).trim_end_matches('.').to_owned();
            Fault::said(Message::new("memory-unreadable").with("path", &left.path).with("reason", reason))
        })?;
        if content.size > LARGEST {
            return Err(Fault::said(Message::new("memory-file-long").with("path", path).with("limit", LARGEST)));
        }
        Ok(content.text)
    }
}
