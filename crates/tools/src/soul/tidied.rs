//! A bot's folder, tidied: `MEMORY.md` becomes `memory/legacy.md` where there is none, and the oldest versions go. No toolset offers this:
//! whoever begins a conversation with the bot calls it for itself, so that it is judged, recorded and undone as any other change.

use super::version::Version;
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use palanca_core::call::{Claims, Effect, ErrorKind};
use palanca_core::ports::{Change, Expect, FilesHandle};
use palanca_core::{Message, Output, ToolCx, ToolError};
use serde_json::json;

#[derive(Args)]
pub(crate) struct SoulTidied {
    /// Whether `MEMORY.md` gets its new place.
    #[arg(default = false)]
    legacy: bool,
    /// Versions that go, from the bot's folder.
    versions: Vec<String>,
}

impl Offer for SoulTidied {
    const NAME: &'static str = "soul_tidied";
    const DESCRIPTION: &'static str = "Tidies the bot's own folder.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Tidy { dir: &options.soul.dir, asked: self }
    }
}

struct Tidy<'a> {
    dir: &'a str,
    asked: &'a SoulTidied,
}

impl Tidy<'_> {
    fn paths(&self) -> Result<Vec<String>, ToolError> {
        let path = |name: &String| {
            let is_version = Version::at(name).is_some();
            is_version.then(|| format!("{}/{name}", self.dir)).ok_or_else(|| {
                let message = Message::new("memory-path").with("path", name.as_str());
                ToolError::new(ErrorKind::PermissionDenied, message)
            })
        };
        self.asked.versions.iter().map(path).collect()
    }

    fn moved(&self) -> Option<(String, String)> {
        let (from, to) = (format!("{}/MEMORY.md", self.dir), format!("{}/memory/legacy.md", self.dir));
        self.asked.legacy.then_some((from, to))
    }

    fn changes(&self, files: &FilesHandle) -> Result<Vec<Change>, ToolError> {
        let mut changes = Vec::new();
        if let Some((from, to)) = self.moved() {
            let (plain, from, to) =
                (files.locate(self.dir)?.join("MEMORY.md"), files.locate(&from)?, files.locate(&to)?);
            // A link stays what it is.
            if from == plain && files.info(&from).is_ok() && files.info(&to).is_err() {
                changes.push(Change::Move { from, to });
            }
        }
        for path in self.paths()? {
            let path = files.locate(&path)?;
            if files.info(&path).is_ok() {
                changes.push(Change::Delete { path, expect: Expect::Anything });
            }
        }
        Ok(changes)
    }
}

impl Operation for Tidy<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let moved = self.moved().map(|(from, to)| Effect::Move { from, to });
        Ok(moved.into_iter().chain(self.paths()?.into_iter().map(Effect::Delete)).collect())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let changes = self.changes(cx.files())?;
        let count = changes.len();
        if count > 0 {
            cx.files().commit(&changes)?;
        }
        Ok(Output::text(Message::new("soul-tidied").with("count", count)).with_data(json!({"changes": count})))
    }
}
