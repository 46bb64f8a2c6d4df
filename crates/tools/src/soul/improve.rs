//! `improve`: a bot has its own files revised. Who revises them gets a copy and gives back what it would change; the changes are
//! made here, like any other, with what was there before kept.

use super::Dated;
use super::version::Version;
use crate::edit::diff;
use crate::files::{Delta, Found, Plan, commit, find, too_large};
use crate::operation::{Args, Operation, ToolOptions};
use jiff::Zoned;
use palanca_core::call::{Act, ActKind, Claims, Effect, ErrorKind, WriteKind};
use palanca_core::ports::{Change, Expect, FilesHandle};
use palanca_core::tool::Provenance;
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Bytes of a file that is revised.
pub const LARGEST_REVISED: u64 = 256 << 10;
/// Characters of what is said along.
const CONTEXT: usize = 4_000;

/// What of a bot is revised.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    /// What it remembers.
    Memory,
    /// Who it is.
    Soul,
    /// What drives it.
    Motivations,
    /// How it presents itself.
    Identity,
    /// Everything.
    All,
}

impl Focus {
    /// Each, in the document's order.
    pub const ALL: [Self; 5] = [Self::Memory, Self::Soul, Self::Motivations, Self::Identity, Self::All];

    /// As calls and configurations name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Soul => "soul",
            Self::Motivations => "motivations",
            Self::Identity => "identity",
            Self::All => "all",
        }
    }

    /// The files that may change, from the bot's folder. Of the daily logs those of these days.
    #[must_use]
    pub fn files(self, days: &[String]) -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        match self {
            Self::Memory => {
                let logs = days.iter().map(|day| format!("memory/{day}.md"));
                own(&["MEMORY.md", "memory/legacy.md"]).into_iter().chain(logs).collect()
            }
            Self::Soul => own(&["SOUL.md"]),
            Self::Motivations => own(&["MOTIVATIONS.md"]),
            Self::Identity => own(&["IDENTITY.md"]),
            Self::All => [Self::Soul, Self::Identity, Self::Motivations, Self::Memory]
                .into_iter()
                .flat_map(|focus| focus.files(days))
                .collect(),
        }
    }
}

/// What somebody would change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Revision {
    /// Whole new texts, by their names in the bot's folder.
    pub files: BTreeMap<String, String>,
    /// What is said of it.
    pub report: String,
}

/// What is said of it, and which files changed.
type Revised = (Text, Vec<String>);

pub(crate) struct Improve<'a> {
    pub(crate) focus: Focus,
    pub(crate) context: &'a str,
    /// When it was asked for.
    pub(crate) at: Zoned,
    pub(crate) options: &'a ToolOptions,
}

impl Improve<'_> {
    fn days(&self) -> [String; 2] {
        let today = self.at.date();
        [today.yesterday().unwrap_or(today), today].map(|date| date.to_string())
    }

    fn files(&self) -> Vec<String> {
        self.focus.files(&self.days())
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.options.improve.dir)
    }

    /// Where what a file was is kept, whether or not the tools of the soul keep versions.
    fn version(&self, name: &str) -> String {
        self.path(&Version::path_of(name, self.at.timestamp()))
    }

    /// The act: the folder's files, and the days of its logs, so that the one who revises has the same ones.
    fn act(&self) -> Result<Act, ToolError> {
        let improve = &self.options.improve;
        if !improve.allowed.contains(&self.focus) {
            let allowed = improve.allowed.iter().map(|focus| focus.name()).collect::<Vec<_>>().join(", ");
            let message = Message::new("improve-focus").with("focus", self.focus.name()).with("allowed", allowed);
            return Err(ToolError::new(ErrorKind::InvalidArguments, message));
        }
        if self.context.chars().nth(CONTEXT).is_some() {
            let message = Message::new("improve-context").with("longest", CONTEXT);
            return Err(ToolError::new(ErrorKind::InvalidArguments, message));
        }
        let target = format!("{}/{}", self.focus.name(), self.days().join("/"));
        Ok(Act::new(ActKind::ChangeSelf, target, self.context))
    }

    fn plan(&self, files: &FilesHandle, revision: &Revision, read: &[Found]) -> Result<Plan<Revised>, ToolError> {
        let all = self.files();
        let (mut changes, mut deltas, mut diffs, mut names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, found) in all.iter().zip(read) {
            let Some(after) = revision.files.get(name).filter(|after| Some(after.as_str()) != found.text()) else {
                continue;
            };
            let path = files.locate(&self.path(name))?;
            if after.len() as u64 > LARGEST_REVISED {
                return Err(too_large(&path, after.len() as u64, LARGEST_REVISED));
            }
            let shown = diff::unified(&path.to_string(), found.text(), Some(after));
            names.push(name);
            diffs.push(shown.text);
            deltas.push(Delta::of(shown.stat));
            // What was read is what is replaced: a change that came meanwhile is not lost.
            changes.push(Change::Write {
                path,
                content: after.as_bytes().to_vec(),
                expect: found.expect(),
                mode: None,
            });
            if let Some(before) = found.bytes() {
                let path = files.locate(&self.version(name))?;
                deltas.push(Delta::default());
                changes.push(Change::Write { path, content: before.to_vec(), expect: Expect::Absent, mode: None });
            }
        }
        let said = match names.as_slice() {
            [] => Message::new("improve-nothing"),
            names => {
                let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                Message::new("improve-changed").with("files", names.join(", "))
            }
        };
        let report = Text::from(said);
        let told = revision.report.trim();
        let report = if told.is_empty() { report } else { report.paragraph(told.to_owned()) };
        let report = (report, names.into_iter().cloned().collect());
        Ok(Plan { changes, diff: diffs.concat(), deltas, report })
    }
}

impl Operation for Improve<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        let act = Effect::Act(Box::new(self.act()?));
        let files = self.files().into_iter().flat_map(|name| {
            let own = Effect::WriteFile { path: self.path(&name), kind: WriteKind::Edit };
            [own, Effect::WriteFile { path: self.version(&name), kind: WriteKind::Replace }]
        });
        Ok(std::iter::once(act).chain(files).collect())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let read = |name: &String| -> Result<Found, ToolError> {
            let found = find(cx.files(), &cx.files().locate(&self.path(name))?, LARGEST_REVISED)?;
            Ok(found)
        };
        let before = self.files().iter().map(read).collect::<Result<Vec<Found>, ToolError>>()?;
        let told = cx.acts().perform_aloud(&self.act()?, cx.voice()).await?;
        let revision: Revision = told.data.and_then(|data| serde_json::from_value(data).ok()).unwrap_or_default();
        let plan = commit(cx.files(), || self.plan(cx.files(), &revision, &before))?;
        let (said, changed) = plan.report;
        let output = Output::text(said).with_data(json!({"changed": changed}));
        let output = match told.provenance {
            // What another program says of it, and what it made of the files.
            Provenance::External => output.foreign(told.source.unwrap_or_default()),
            Provenance::Ours | Provenance::Workspace => output,
        };
        Ok(if plan.diff.is_empty() { output } else { output.with_diff(plan.diff) })
    }
}

#[derive(Args)]
pub(crate) struct ImproveArgs {
    /// What is revised. Leave out for everything.
    #[arg(default = Focus::All)]
    pub(crate) focus: Focus,
    /// What to pay attention to, or what happened.
    pub(crate) context: Option<String>,
}

impl Dated<ImproveArgs> {
    pub(crate) fn improve<'a>(&'a self, options: &'a ToolOptions) -> Improve<'a> {
        let context = self.args.context.as_deref().unwrap_or_default().trim();
        Improve { focus: self.args.focus, context, at: self.at(options), options }
    }
}
