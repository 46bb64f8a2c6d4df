//! A bot's own files, for its person: what is there, and what was there before.

use super::bots;
use crate::configuration::catalogue;
use crate::fault::Fault;
use crate::places::Places;
use crate::workspace::disk;
use jiff::Timestamp;
use palanca_config::Config;
use palanca_core::{Catalogue as _, Message};
use palanca_files::Disk;
use palanca_notes::read;
use palanca_text::FluentCatalogue;
use palanca_tools::{Version, files_of};
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
        ["", "memory/"].iter().flat_map(|below| files_of(&self.disk, &self.folder, below)).collect()
    }

    /// The versions of a file, the newest first.
    #[must_use]
    pub fn versions(&self, file: &str) -> Vec<Version> {
        let all = Version::all(&self.disk, &self.folder).into_iter().rev();
        all.filter(|version| version.file == file).collect()
    }

    /// The writes that put a version back, in their order, as paths from the workspace's root with their texts: what is there now is
    /// kept first, as another version. None where the file is as it was.
    ///
    /// # Errors
    /// See [`Self::text`].
    pub fn restoring(&self, file: &str, version: &Version) -> Result<Vec<(String, String)>, Fault> {
        let path = format!("{}/{file}", self.folder);
        // What is no text has no version: undo keeps it.
        let now = self.text(file).ok();
        let before = self.text(&version.path)?;
        if now.as_ref() == Some(&before) {
            return Ok(Vec::new());
        }
        let kept = now.filter(|_| self.keeps).map(|now| {
            let kept = Version::path_of(file, Timestamp::now());
            (format!("{}/{kept}", self.folder), now)
        });
        Ok(kept.into_iter().chain([(path, before)]).collect())
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
