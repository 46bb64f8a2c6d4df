//! Writes of programs in the workspace, judged before they happen: the process door asks at every system call that would
//! change a file or a name; the implementation judges it, saves the old content, and reports the differences at the end.
//!
//! Paths are relative to the workspace, canonical, and may be any bytes. The caller holds the parent folder open while
//! it asks and then acts on that handle, so exactly what was judged is changed.

use super::{ChangeOrigin, CommandPart, FileError};
use crate::call::{Access, CommandLine, FileDelta, Launch};
use crate::message::{Message, Text, on_one_line};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// Whether a call's effects can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undoable {
    /// Yes.
    Yes,
    /// Only in part, for this reason.
    Partly(Message),
    /// No, for this reason.
    No(Message),
}

/// The workspace as programs may change it.
pub trait ProgramWrites: Send + Sync {
    /// What a program must not see, determined again for each that starts. `further` are absolute folders that this one
    /// reaches beside what every program does.
    ///
    /// # Errors
    /// It cannot be determined; the program does not start then.
    fn closed(&self, further: &[PathBuf]) -> io::Result<ClosedPlaces>;

    /// What must stay unchanged, relative to the workspace: for a door that cannot intercept writes.
    fn protected(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Removes protected files that were not in `before`, the result of [`Self::protected`] when the program began: for
    /// a door that cannot intercept writes. Returns the removed ones.
    fn sweep(&self, _before: &[PathBuf]) -> Vec<FileError> {
        Vec::new()
    }

    /// Whether changes by programs can be undone. Fast, because the answer is shown in a question.
    fn undoable(&self) -> Undoable;

    /// A program starts. Without an origin nothing is saved for undo. A person has approved changes to `granted`
    /// (relative to the workspace) despite their protection; secret files stay inaccessible.
    ///
    /// # Errors
    /// The log cannot be set up; the program does not start then.
    fn begin(&self, origin: Option<&ChangeOrigin>, granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>>;
}

/// Places hidden from a program in advance, without intercepting each access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedPlaces {
    /// Files and folders whose content no program may read; absolute.
    pub masked: Vec<PathBuf>,
}

/// The changes of one program and everything that it starts. Used by one thread at a time.
pub trait WriteLog: Send {
    /// Waits until nobody else changes the workspace, in this process or another, and keeps them from it until
    /// [`Self::release`]: what is judged in between stays as it was judged.
    ///
    /// # Errors
    /// Someone else does not come to an end, so the change must not happen.
    fn hold(&mut self) -> Result<(), FileError> {
        Ok(())
    }

    /// Lets others change the workspace again.
    fn release(&mut self) {}

    /// Prepares saving with our own rights, before the first change: some changes are judged with the program's rights.
    ///
    /// # Errors
    /// It cannot be set up, so the change must not happen.
    fn prepare(&mut self, _change: &NameChange<'_>) -> Result<(), FileError> {
        Ok(())
    }

    /// Judges a change that is about to happen, and saves what it replaces.
    ///
    /// # Errors
    /// The change must not happen: a rule refuses it, or the old content cannot be saved.
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError>;

    /// [`NameChange::Create`], [`NameChange::HardLink`] or the like has been made.
    fn made(&mut self, at: &Place<'_>, found: Found);

    /// An allowed change did not happen.
    fn failed(&mut self, change: &NameChange<'_>);

    /// Judges the content that a program wrote for a file made by [`Step::Empty`] (a regular file without a name) and
    /// puts a copy of it in place.
    ///
    /// # Errors
    /// The content is refused: the empty file stays.
    fn fill(&mut self, _at: &Place<'_>, _content: BorrowedFd<'_>) -> Result<(), FileError> {
        Ok(())
    }

    /// Whether a person's yes to this file, relative to the workspace, is all that a refused change lacks.
    fn lacks_only(&mut self, _change: &NameChange<'_>, _path: &Path) -> bool {
        false
    }

    /// A person has approved changes to one more file, as those in `granted` of [`ProgramWrites::begin`].
    fn grant(&mut self, _path: &Path) {}

    /// The program and everything it started have ended. Returns the differences and stores them as one undoable step.
    fn finish(self: Box<Self>) -> Vec<FileDelta>;
}

/// Who makes an allowed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The caller.
    Go,
    /// No one: it has already been made.
    Done,
    /// The caller, who makes an empty file: its content is judged when something is moved there, or by
    /// [`WriteLog::fill`].
    Empty,
}

/// A name in a folder that is held open.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Relative to the workspace.
    pub path: &'a Path,
    /// The folder; `O_PATH` is enough.
    pub parent: BorrowedFd<'a>,
    /// The name in it.
    pub name: &'a OsStr,
}

/// What exists at a name; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The device number of its file system.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
    /// How many names it has.
    pub links: u64,
    /// Bytes.
    pub size: u64,
    /// Type and permissions, as `stat` gives them.
    pub mode: u32,
}

/// One change, as a system call would make it.
#[derive(Clone, Copy, Debug)]
pub enum NameChange<'a> {
    /// Changes the content of an existing regular file.
    Write {
        /// Where.
        at: Place<'a>,
        /// The file, held by `O_PATH`.
        file: BorrowedFd<'a>,
        /// What it is.
        found: Found,
    },
    /// Changes permissions, owner, times or extended attributes of a file, folder or link.
    Attributes {
        /// Where.
        at: Place<'a>,
        /// What it is.
        found: Found,
    },
    /// Creates something new.
    Create {
        /// Where.
        at: Place<'a>,
        /// The role.
        new: NewName<'a>,
    },
    /// Removes a name, also that of an empty folder.
    Remove {
        /// Where.
        at: Place<'a>,
        /// What exists there.
        found: Found,
    },
    /// Renames something.
    Move {
        /// From.
        from: Place<'a>,
        /// What exists there.
        found: Found,
        /// To.
        to: Place<'a>,
        /// What exists there and is replaced.
        replaced: Option<Found>,
    },
    /// Adds another name to an existing file.
    HardLink {
        /// Its existing name; none for a file without one.
        from: Option<Place<'a>>,
        /// What it is.
        found: Found,
        /// The additional name.
        to: Place<'a>,
    },
}

impl<'a> NameChange<'a> {
    /// The affected name; of two, the removed or the additional one.
    #[must_use]
    pub const fn place(&self) -> &Place<'a> {
        match self {
            Self::Write { at, .. }
            | Self::Attributes { at, .. }
            | Self::Create { at, .. }
            | Self::Remove { at, .. }
            | Self::Move { from: at, .. }
            | Self::HardLink { to: at, .. } => at,
        }
    }
}

/// What is made at a new name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewName<'a> {
    /// An empty file.
    File,
    /// An empty folder.
    Folder,
    /// A symbolic link with this target.
    Link(&'a OsStr),
    /// A FIFO or a socket.
    Special,
}

/// The writes of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Every changed file.
    pub changed: Vec<FileDelta>,
    /// The first few refused changes.
    pub refused: Vec<RefusedWrite>,
}

/// Refused changes shown in a result.
const TOLD: usize = 5;
/// Characters of a program that a result shows.
const SHOWN: usize = 60;

impl Written {
    /// The files of refused changes that a person may approve in advance, each once; not those that were declined.
    #[must_use]
    pub fn could_be_asked_for(&self) -> BTreeSet<&str> {
        let askable = |refused: &&RefusedWrite| refused.error.can_be_asked_for() && refused.declined.is_none();
        let askable = self.refused.iter().filter(askable);
        askable.take(TOLD).map(|refused| refused.error.path.as_str()).collect()
    }

    /// The refusals as sentences for the result: which file, by which rule, to which command of the line.
    #[must_use]
    pub fn refusals(&self, line: &CommandText<'_>) -> Vec<Message> {
        let told = self.refused.iter().take(TOLD).map(|refused| {
            let why = Text::from(refused.error.clone().into_tool_error().message().clone());
            let why = refused.declined.iter().cloned().fold(why, |why, declined| why.then(" ").then(declined));
            let command = refused.command(line);
            let mut program: String = command.chars().take(SHOWN).collect();
            if program.len() < command.len() {
                program.push('…');
            }
            Message::new("command-write-refused").with("program", on_one_line(&program)).with("why", why)
        });
        let more = self.refused.len().saturating_sub(TOLD);
        let rest = (more > 0).then(|| Message::new("command-writes-refused").with("more", more));
        told.chain(rest).collect()
    }
}

/// A change that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedWrite {
    /// What, and by which rule.
    pub error: FileError,
    /// The program that tried, with its arguments, as far as known.
    pub program: String,
    /// Why it was not allowed when it was asked for while the program ran.
    pub declined: Option<Text>,
}

/// The started command and its reading.
#[derive(Clone, Copy, Debug)]
pub enum CommandText<'a> {
    /// With each simple command of its text.
    Read(&'a Launch, &'a [CommandPart]),
    /// Only its text is still known.
    Unread(&'a str),
}

impl RefusedWrite {
    /// The command of the line that tried. The line's own shell opens redirections, so the part that
    /// redirects to this file counts.
    fn command<'a>(&'a self, line: &CommandText<'a>) -> &'a str {
        let name = Path::new(&self.error.path).file_name();
        let redirects = |part: &&CommandPart| {
            let mut written = part.redirects.iter().filter(|(_, access)| *access == Access::Write);
            written.any(|(target, _)| target.known().is_some_and(|target| Path::new(target).file_name() == name))
        };
        match line {
            CommandText::Read(launch, _) if !launch.command.argv().join(" ").starts_with(&self.program) => {
                &self.program
            }
            CommandText::Read(launch, parts) => match (parts.iter().find(redirects), &launch.command) {
                (Some(part), _) => &part.source,
                (None, CommandLine::Script { text, .. }) => text,
                (None, CommandLine::Program(_)) => &self.program,
            },
            CommandText::Unread(text) if self.program.ends_with(text) => text,
            CommandText::Unread(_) => &self.program,
        }
    }
}

/// Protects nothing and records nothing: for doors without a policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeWrites;

impl ProgramWrites for FreeWrites {
    fn closed(&self, _further: &[PathBuf]) -> io::Result<ClosedPlaces> {
        Ok(ClosedPlaces::default())
    }

    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    fn begin(&self, _origin: Option<&ChangeOrigin>, _granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>> {
        Ok(Box::new(Self))
    }
}

impl WriteLog for FreeWrites {
    fn before(&mut self, _change: &NameChange<'_>) -> Result<Step, FileError> {
        Ok(Step::Go)
    }

    fn made(&mut self, _at: &Place<'_>, _found: Found) {}

    fn failed(&mut self, _change: &NameChange<'_>) {}

    fn finish(self: Box<Self>) -> Vec<FileDelta> {
        Vec::new()
    }
}
