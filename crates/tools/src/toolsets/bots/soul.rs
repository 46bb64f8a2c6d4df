//! `save_memory`, `update_soul`, `update_identity`, `manage_goals`.

use crate::files::{First, LineRange, ReadFile, Style};
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::soul::{
    Dated, GoalAction, GoalChange, Identity, Priority, Remember, Rewrite, Status, missing, with_identity,
};
use palanca_core::call::{Claims, WriteKind};
use palanca_core::ports::FilesHandle;
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};

#[derive(Args)]
pub(crate) struct SaveMemory {
    /// The fact, preference or context, in one sentence that is clear by itself.
    fact: String,
}

impl Offer for Dated<SaveMemory> {
    const NAME: &'static str = "save_memory";
    const DESCRIPTION: &'static str = "Save a fact, preference or context to today's memory log. Never save credentials, keys, tokens or telephone numbers, nor what is known already.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Remember { fact: &self.args.fact, at: self.at(options), options }.operation()
    }
}

#[derive(Args)]
pub(crate) struct UpdateSoul {
    /// The whole new SOUL.md: personality, tone, rules of conduct.
    content: String,
}

impl Offer for Dated<UpdateSoul> {
    const NAME: &'static str = "update_soul";
    const DESCRIPTION: &'static str = "Rewrite your personality, tone and rules of conduct: replaces SOUL.md as a whole. Tell the person when you do.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Rewrite {
            path: format!("{}/SOUL.md", options.soul.dir),
            version: self.version("SOUL.md", options),
            reads: None,
            kind: WriteKind::Replace,
            change: |_: &FilesHandle, _: Option<&str>| match self.args.content.trim() {
                "" => Err(missing("content")),
                content => Ok((format!("{content}\n"), Message::new("soul-updated"))),
            },
        }
    }
}

#[derive(Args)]
pub(crate) struct UpdateIdentity {
    /// The new name.
    name: Option<String>,
    /// The new emoji.
    emoji: Option<String>,
    /// The new vibe: the impression that you make, in a few words.
    vibe: Option<String>,
}

impl Offer for Dated<UpdateIdentity> {
    const NAME: &'static str = "update_identity";
    const DESCRIPTION: &'static str =
        "Change your name, emoji or vibe in IDENTITY.md. Give at least one; what is not given stays as it is.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let UpdateIdentity { name, emoji, vibe } = &self.args;
        Rewrite {
            path: format!("{}/IDENTITY.md", options.soul.dir),
            version: self.version("IDENTITY.md", options),
            reads: None,
            kind: WriteKind::Edit,
            change: move |_: &FilesHandle, before: Option<&str>| {
                let identity = Identity { name: name.as_deref(), emoji: emoji.as_deref(), vibe: vibe.as_deref() };
                let given = identity.given()?;
                let list = given.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ");
                let said = Message::new("identity-updated").with("fields", list);
                Ok((with_identity(before.unwrap_or_default(), &given), said))
            },
        }
    }
}

#[derive(Args)]
pub(crate) struct ManageGoals {
    /// `list`: all goals. `add`: a new one. `update`: its status, priority or notes. `complete`: with an outcome.
    action: GoalAction,
    /// The goal: the text of a new one; of one that is there its name, a part of it that no other goal has, or its number.
    goal: Option<String>,
    /// For `add` and `update`.
    status: Option<Status>,
    /// For `add` and `update`.
    priority: Option<Priority>,
    /// For `add` and `update`: one line.
    notes: Option<String>,
    /// For `complete`: one line.
    outcome: Option<String>,
}

impl Offer for Dated<ManageGoals> {
    const NAME: &'static str = "manage_goals";
    const DESCRIPTION: &'static str =
        "Your goals in GOALS.md: list, add, update or complete one. The last ten completed goals are kept.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        let path = format!("{}/GOALS.md", options.soul.dir);
        let args = &self.args;
        if args.action == GoalAction::List {
            return GoalsOperation::List { path, options };
        }
        let today = self.at(options).date();
        let change = GoalChange {
            action: args.action,
            goal: args.goal.clone(),
            status: args.status,
            priority: args.priority,
            notes: args.notes.clone(),
            outcome: args.outcome.clone(),
        };
        GoalsOperation::Change(Rewrite {
            path,
            version: self.version("GOALS.md", options),
            reads: None,
            kind: WriteKind::Edit,
            change: move |_: &FilesHandle, before: Option<&str>| change.of(before, today),
        })
    }
}

/// One of the two things that the tool does.
enum GoalsOperation<'a, F> {
    List { path: String, options: &'a ToolOptions },
    Change(Rewrite<F>),
}

impl<F> Operation for GoalsOperation<'_, F>
where
    F: Fn(&FilesHandle, Option<&str>) -> Result<(String, Message), ToolError> + Send + Sync,
{
    fn claims(&self) -> Result<Claims, ToolError> {
        match self {
            Self::List { path, options } => list(path, options).claims(),
            Self::Change(rewrite) => rewrite.claims(),
        }
    }

    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        match self {
            Self::List { .. } => Ok(None),
            Self::Change(rewrite) => rewrite.preview(files),
        }
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        match self {
            Self::List { path, options } => match list(path, options).run(cx).await {
                Err(error) if error.kind() == palanca_core::call::ErrorKind::NotFound => {
                    Ok(Output::text(Message::new("goals-no-file")))
                }
                listed => listed,
            },
            Self::Change(rewrite) => rewrite.run(cx).await,
        }
    }
}

fn list<'a>(path: &'a str, options: &'a ToolOptions) -> ReadFile<'a> {
    ReadFile { path, lines: LineRange::default(), style: Style::Plain, first: First::Offset, options }
}
