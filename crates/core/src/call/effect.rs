//! What a call would do to the world, in terms that rules, prompts and doors share.
//!
//! A tool *claims* effects with paths as given ([`Claim`]); the gate turns them into [`Effect`]s on canonical paths
//! before anything is judged, so a link or another spelling never gets a second verdict.

use super::act::{Act, ActKind};
use super::delegation::Delegation;
use super::http::HttpAccess;
use super::ids::{ArtifactId, ProcessId};
use super::launch::{Launch, Network};
use super::outgoing::Outgoing;
use super::path::CanonicalPath;
use crate::message::{Message, Text};
use serde::Serialize;
use std::fmt;

/// How a file would be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteKind {
    /// Created, or replaced as a whole.
    Replace,
    /// Appended to.
    Append,
    /// Changed in parts.
    Edit,
}

/// The access that an effect needs to a path.
///
/// Told apart by [`Effects::grant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Content or names are shown.
    Read,
    /// Something is created, changed, moved or removed.
    Write,
}

/// One thing that a call would do. `P` is a path as given, or canonical once the gate has seen it.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::call::{Claims, Effect, WriteKind};
///
/// let write = Effect::WriteFile { path: "notes.md".to_owned(), kind: WriteKind::Append };
/// let claims = Claims::from_iter([Effect::ReadTree("src".to_owned()), write]);
/// assert!(!claims.is_read_only() && !claims.has_commands());
/// ```
///
/// Judged in the example [`guard.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/guard.rs).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect<P = CanonicalPath> {
    /// Shows a file's content.
    ReadFile(P),
    /// Shows names and contents of files anywhere below a directory.
    ReadTree(P),
    /// Creates or changes a file.
    WriteFile {
        /// The file.
        path: P,
        /// In what way.
        kind: WriteKind,
    },
    /// Removes a file or a directory with all that is in it.
    Delete(P),
    /// Gives a file another name.
    Move {
        /// The old name.
        from: P,
        /// The new name.
        to: P,
    },
    /// Starts a program.
    Run(Box<Launch<P>>),
    /// Sends text to a program that runs in the background.
    Feed {
        /// The program.
        process: ProcessId,
        /// The text.
        input: String,
    },
    /// Ends or forgets one of the caller's background programs.
    Stop(ProcessId),
    /// Requests something from an outside host, or sends it something.
    #[serde(rename = "reach")]
    Http(Box<HttpAccess>),
    /// Sends a message to people.
    Message(Box<Outgoing>),
    /// Gives a task to another agent, whose calls are judged one by one.
    Delegate(Box<Delegation>),
    /// Shows a text of this session that was too long to be shown in full.
    ReadArtifact(ArtifactId),
    /// Does something through a door that another room brought.
    Act(Box<Act>),
}

/// An effect as claimed by a tool, with paths as given.
///
/// See the example of [`Effect`].
pub type Claim = Effect<String>;

impl<P> Effect<P> {
    /// Each path of the effect and what is done there. Of a program only the directory is known: the process door
    /// limits what else it touches.
    pub fn paths(&self) -> impl Iterator<Item = (&P, Access)> {
        let (first, second) = match self {
            Self::ReadFile(path) | Self::ReadTree(path) => (Some((path, Access::Read)), None),
            Self::WriteFile { path, .. } | Self::Delete(path) => (Some((path, Access::Write)), None),
            Self::Move { from, to } => (Some((from, Access::Write)), Some((to, Access::Write))),
            Self::Run(launch) => (Some((&launch.directory, Access::Read)), None),
            Self::Feed { .. }
            | Self::Stop(_)
            | Self::Http(_)
            | Self::Message(_)
            | Self::Delegate(_)
            | Self::ReadArtifact(_)
            | Self::Act(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Whether a program is started or gets input.
    #[must_use]
    pub const fn is_command(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Feed { .. })
    }

    /// The same effect with every path converted by `turn`.
    ///
    /// # Errors
    /// The first error of `turn`.
    pub fn try_map<Q, E>(&self, mut turn: impl FnMut(&P, Access) -> Result<Q, E>) -> Result<Effect<Q>, E> {
        Ok(match self {
            Self::ReadFile(path) => Effect::ReadFile(turn(path, Access::Read)?),
            Self::ReadTree(path) => Effect::ReadTree(turn(path, Access::Read)?),
            Self::WriteFile { path, kind } => Effect::WriteFile { path: turn(path, Access::Write)?, kind: *kind },
            Self::Delete(path) => Effect::Delete(turn(path, Access::Write)?),
            Self::Move { from, to } => Effect::Move { from: turn(from, Access::Write)?, to: turn(to, Access::Write)? },
            Self::Run(launch) => Effect::Run(Box::new(launch.try_at(|path| turn(path, Access::Read))?)),
            Self::Feed { process, input } => Effect::Feed { process: process.clone(), input: input.clone() },
            Self::Stop(process) => Effect::Stop(process.clone()),
            Self::Http(reach) => Effect::Http(reach.clone()),
            Self::Message(message) => Effect::Message(message.clone()),
            Self::Delegate(delegation) => Effect::Delegate(delegation.clone()),
            Self::ReadArtifact(artifact) => Effect::ReadArtifact(artifact.clone()),
            Self::Act(act) => Effect::Act(act.clone()),
        })
    }
}

impl<P: fmt::Display> fmt::Display for Effect<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadFile(path) => write!(f, "read {path}"),
            Self::ReadTree(path) => write!(f, "read below {path}"),
            Self::WriteFile { path, kind: WriteKind::Replace } => write!(f, "write {path}"),
            Self::WriteFile { path, kind: WriteKind::Append } => write!(f, "append to {path}"),
            Self::WriteFile { path, kind: WriteKind::Edit } => write!(f, "edit {path}"),
            Self::Delete(path) => write!(f, "delete {path}"),
            Self::Move { from, to } => write!(f, "move {from} to {to}"),
            Self::Run(launch) => {
                write!(f, "run `{}` in {}", launch.command, launch.directory)?;
                launch.environment.iter().try_for_each(|(name, value)| write!(f, " with {name}={value:?}"))?;
                if launch.network == Network::Open {
                    f.write_str(", with network")?;
                }
                launch.writes.iter().try_for_each(|path| write!(f, ", may change {path}"))
            }
            Self::Feed { process, input } => write!(f, "send {:?} to {process}", input),
            Self::Stop(process) => write!(f, "end {process}"),
            Self::Http(reach) if reach.method.only_reads() => write!(f, "fetch {}", reach.url),
            Self::Http(reach) => write!(f, "send {:?} to {}", reach.body, reach.url),
            Self::Message(message) => write!(f, "tell {}:{} {:?}", message.channel, message.to, message.text),
            Self::Delegate(delegation) => write!(f, "delegate to {}: {:?}", delegation.profile, delegation.task),
            Self::ReadArtifact(artifact) => write!(f, "read artifact {artifact}"),
            Self::Act(act) => act.fmt(f),
        }
    }
}

impl<P: fmt::Display> Effect<P> {
    /// For people, in their language. Records and logs use [`Display`](fmt::Display).
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::ReadFile(path) => Message::new("effect-read").with("path", path.to_string()),
            Self::ReadTree(path) => Message::new("effect-read-below").with("path", path.to_string()),
            Self::WriteFile { path, kind: WriteKind::Replace } => {
                Message::new("effect-write").with("path", path.to_string())
            }
            Self::WriteFile { path, kind: WriteKind::Append } => {
                Message::new("effect-append").with("path", path.to_string())
            }
            Self::WriteFile { path, kind: WriteKind::Edit } => {
                Message::new("effect-edit").with("path", path.to_string())
            }
            Self::Delete(path) => Message::new("effect-delete").with("path", path.to_string()),
            Self::Move { from, to } => {
                Message::new("effect-move").with("from", from.to_string()).with("to", to.to_string())
            }
            Self::Run(launch) => {
                let pairs = launch.environment.iter().map(|(name, value)| format!("{name}={value:?}"));
                let environment = pairs.collect::<Vec<_>>().join(" ");
                let run = Message::new(if environment.is_empty() { "effect-run" } else { "effect-run-with" })
                    .with("network", if launch.network == Network::Open { "open" } else { "none" })
                    .with("command", launch.command.to_string())
                    .with("directory", launch.directory.to_string())
                    .with("environment", environment);
                let files: Vec<String> = launch.writes.iter().map(|path| format!("{:?}", path.to_string())).collect();
                if files.is_empty() {
                    return run;
                }
                Message::new("effect-may-change").with("effect", Text::from(run)).with("files", files.join(", "))
            }
            Self::Feed { process, input } => {
                Message::new("effect-feed").with("input", format!("{input:?}")).with("process", process.to_string())
            }
            Self::Stop(process) => Message::new("effect-stop").with("process", process.to_string()),
            Self::Http(reach) if reach.method.only_reads() => {
                Message::new("effect-fetch").with("url", reach.url.clone())
            }
            Self::Http(reach) => {
                Message::new("effect-send").with("url", reach.url.clone()).with("body", format!("{:?}", reach.body))
            }
            Self::Message(message) => Message::new("effect-message")
                .with("channel", message.channel.as_str())
                .with("to", message.to.as_str())
                .with("text", format!("{:?}", message.text)),
            Self::Delegate(delegation) => Message::new("effect-delegate")
                .with("profile", &delegation.profile)
                .with("task", format!("{:?}", delegation.task)),
            Self::ReadArtifact(artifact) => Message::new("effect-read-artifact").with("artifact", artifact.as_str()),
            Self::Act(act) => act.message(),
        }
    }
}

/// All effects of one call.
///
/// See the example of [`Effect`]; a guard reads them in [`guard.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/guard.rs).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Effects<P = CanonicalPath>(Vec<Effect<P>>);

/// All effects of one call, as claimed by its tool.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::call::{Claims, Effect};
///
/// let claims: Claims = Effect::ReadFile("README.md".to_owned()).into();
/// assert!(claims.is_read_only());
/// assert!(Claims::none().iter().next().is_none());
/// ```
pub type Claims = Effects<String>;

impl<P> Default for Effects<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P> Effects<P> {
    /// A call that touches nothing.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The effects, in the order claimed.
    pub fn iter(&self) -> std::slice::Iter<'_, Effect<P>> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Effect<P>> {
        self.0.iter_mut()
    }

    /// Whether nothing would be changed, here or elsewhere, and no program would be started or get input.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        !self.has_commands() && self.changes_no_files() && !self.sends() && self.acts().next().is_none()
    }

    /// The kinds of what would be done through doors of other rooms.
    pub fn acts(&self) -> impl Iterator<Item = ActKind> {
        self.iter().filter_map(|effect| match effect {
            Effect::Act(act) => Some(act.kind),
            _ => None,
        })
    }

    /// Whether data could be sent to an outside host for it to keep, or a message to people.
    #[must_use]
    pub fn sends(&self) -> bool {
        self.iter().any(|effect| match effect {
            Effect::Http(reach) => !reach.method.only_reads(),
            Effect::Run(launch) => launch.network == Network::Open,
            Effect::Message(_) => true,
            Effect::Act(act) => act.kind.sends(),
            _ => false,
        })
    }

    /// Whether an outside host could be contacted at all, or a message sent to people.
    #[must_use]
    pub fn leaves_machine(&self) -> bool {
        self.sends() || self.iter().any(|effect| matches!(effect, Effect::Http(_)))
    }

    /// Whether another agent would be given a task.
    #[must_use]
    pub fn delegates(&self) -> bool {
        self.iter().any(|effect| matches!(effect, Effect::Delegate(_)))
    }

    /// Whether no file would be changed by the tool itself.
    #[must_use]
    pub fn changes_no_files(&self) -> bool {
        self.iter().flat_map(Effect::paths).all(|(_, access)| access == Access::Read)
    }

    /// Whether the call would do more than change files and read: none of this can be rehearsed.
    #[must_use]
    pub fn cannot_be_rehearsed(&self) -> bool {
        let lives = |effect: &Effect<P>| effect.is_command() || matches!(effect, Effect::Stop(_) | Effect::Act(_));
        self.sends() || self.iter().any(lives)
    }

    /// Whether a program would be started or get input.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        self.iter().any(Effect::is_command)
    }
}

impl<P> FromIterator<Effect<P>> for Effects<P> {
    fn from_iter<I: IntoIterator<Item = Effect<P>>>(effects: I) -> Self {
        Self(effects.into_iter().collect())
    }
}

impl<P> From<Effect<P>> for Effects<P> {
    fn from(effect: Effect<P>) -> Self {
        Self(vec![effect])
    }
}

impl<'a, P> IntoIterator for &'a Effects<P> {
    type Item = &'a Effect<P>;
    type IntoIter = std::slice::Iter<'a, Effect<P>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Effects {
    /// Whether these effects cover `access` to `path`: exactly, or below a tree that may be read or removed.
    #[must_use]
    pub fn grant(&self, path: &CanonicalPath, access: Access) -> bool {
        self.iter().any(|effect| match (effect, access) {
            (Effect::ReadFile(granted), Access::Read) => path == granted,
            (Effect::ReadTree(granted), Access::Read) | (Effect::Delete(granted), _) => path.is_within(granted),
            // Writing implies reading: an edit must see what it changes.
            (Effect::WriteFile { path: granted, .. }, _) => path == granted,
            (Effect::Move { from, to }, _) => path == from || path == to,
            (Effect::ReadFile(_) | Effect::ReadTree(_), Access::Write)
            | (Effect::Run(_) | Effect::Feed { .. } | Effect::Stop(_) | Effect::Http(_), _)
            | (Effect::Message(_) | Effect::Delegate(_) | Effect::ReadArtifact(_) | Effect::Act(_), _) => false,
        })
    }
}
