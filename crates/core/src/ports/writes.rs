//! Writes of programs in the workspace, judged before they happen: the process door asks at every system call that would
//! change a file or a name; the implementation judges it, saves the old content, and reports the differences at the end.
//!
//! Paths are relative to the workspace, canonical, and may be any bytes. The caller holds the parent folder open while it
//! asks and then acts on that very handle, so what was judged is what is changed.

use super::{ChangeOrigin, CommandPart, FileError};
use crate::call::{Access, CommandLine, FileDelta, Launch};
use crate::message::{Message, Text, on_one_line};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

/// Whether what a call does can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undoable {
    /// It can.
    Yes,
    /// Only in part: why.
    Partly(Message),
    /// It cannot: why.
    No(Message),
}

/// The workspace as programs may change it.
pub trait ProgramWrites: Send + Sync {
    /// What programs must not see, looked up anew for every program that starts.
    ///
    /// # Errors
    /// Where it cannot be known; no program starts then.
    fn closed(&self) -> io::Result<ClosedPlaces>;

    /// What must stay as it is, relative to the workspace: for a door that cannot ask for each write.
    fn protected(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Takes away what must not be there and was not among `before`, which is what [`Self::protected`] said when the program
    /// began: for a door that cannot ask for each write. Returns what it took.
    fn sweep(&self, _before: &[PathBuf]) -> Vec<FileError> {
        Vec::new()
    }

    /// Whether what programs change can be taken back. Quick: the answer is shown in a question.
    fn undoable(&self) -> Undoable;

    /// A program starts. Without an origin nothing is kept for undo. A person has said yes to changes of `granted`, relative
    /// to the workspace, whatever protects them; what is secret stays closed.
    ///
    /// # Errors
    /// What it needs cannot be set up; the program does not start then.
    fn begin(&self, origin: Option<&ChangeOrigin>, granted: &[PathBuf]) -> io::Result<Box<dyn WriteLog>>;
}

/// Places that a program is kept from by other means than being asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedPlaces {
    /// Files and folders whose content no program may read; absolute.
    pub masked: Vec<PathBuf>,
}

/// What one program, and all that it starts, changes. Asked by one thread at a time.
pub trait WriteLog: Send {
    /// Sets up what keeping needs, with our own rights, before the first change: some are judged with the program's.
    ///
    /// # Errors
    /// It cannot be set up, so the change must not happen.
    fn prepare(&mut self, _change: &NameChange<'_>) -> Result<(), FileError> {
        Ok(())
    }

    /// Judges a change that is about to happen, and keeps what it replaces.
    ///
    /// # Errors
    /// It must not happen: a rule, or what it replaces cannot be kept.
    fn before(&mut self, change: &NameChange<'_>) -> Result<Step, FileError>;

    /// What [`NameChange::Create`], [`NameChange::HardLink`] or the like made is there now.
    fn made(&mut self, at: &Place<'_>, found: Found);

    /// A change that was allowed did not happen after all.
    fn failed(&mut self, change: &NameChange<'_>);

    /// What a program wrote for a file that [`Step::Empty`] made, a regular file without a name: judges it and puts a copy
    /// of it in place.
    ///
    /// # Errors
    /// It must not stand there: the empty file stays.
    fn fill(&mut self, _at: &Place<'_>, _content: BorrowedFd<'_>) -> Result<(), FileError> {
        Ok(())
    }

    /// Nothing of the program is left: what is different now. Remembers it as one step that can be undone.
    fn finish(self: Box<Self>) -> Vec<FileDelta>;
}

/// Who makes an allowed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The caller.
    Go,
    /// It has been made.
    Done,
    /// The caller, who makes an empty file: what it will say is judged when something is moved there, or by
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

/// What stands at a name; links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of its file system.
    pub device: u64,
    /// Its number there.
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
    /// The content of a regular file that is there.
    Write {
        /// Where.
        at: Place<'a>,
        /// The file, held by `O_PATH`.
        file: BorrowedFd<'a>,
        /// What it is.
        found: Found,
    },
    /// Permissions, owner, times or extended attributes of what is there, a folder or a link too.
    Attributes {
        /// Where.
        at: Place<'a>,
        /// What it is.
        found: Found,
    },
    /// A new name for something new.
    Create {
        /// Where.
        at: Place<'a>,
        /// What.
        new: NewName<'a>,
    },
    /// A name goes, that of an empty folder too.
    Remove {
        /// Where.
        at: Place<'a>,
        /// What stands there.
        found: Found,
    },
    /// A name becomes another one.
    Move {
        /// From.
        from: Place<'a>,
        /// What stands there.
        found: Found,
        /// To.
        to: Place<'a>,
        /// What stands there, and is replaced.
        replaced: Option<Found>,
    },
    /// A further name for a file that is there.
    HardLink {
        /// Its name until now; none for a file without one.
        from: Option<Place<'a>>,
        /// What it is.
        found: Found,
        /// The further name.
        to: Place<'a>,
    },
}

impl<'a> NameChange<'a> {
    /// The name that it is about; of two, the one that goes, or the further one.
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
    /// A symbolic link that leads here.
    Link(&'a OsStr),
    /// A FIFO or a socket.
    Special,
}

/// What a program did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Every file that is different now.
    pub changed: Vec<FileDelta>,
    /// What it was refused, the first few.
    pub refused: Vec<RefusedWrite>,
}

/// Refused changes that a result tells of.
const TOLD: usize = 5;
/// Characters of a program that a result shows.
const SHOWN: usize = 60;

impl Written {
    /// The files of refused changes that a person may say yes to before the command, each once.
    #[must_use]
    pub fn could_be_asked_for(&self) -> BTreeSet<&str> {
        let askable = self.refused.iter().filter(|refused| refused.error.can_be_asked_for());
        askable.take(TOLD).map(|refused| refused.error.path.as_str()).collect()
    }

    /// What was refused, in sentences for the result: which file, by which rule, to which command of the line.
    #[must_use]
    pub fn refusals(&self, line: &CommandText<'_>) -> Vec<Message> {
        let told = self.refused.iter().take(TOLD).map(|refused| {
            let why = Text::from(refused.error.clone().into_tool_error().message().clone());
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
    /// The program that tried, with its arguments, as far as it could be told.
    pub program: String,
}

/// The command that was started, and what was read of it.
#[derive(Clone, Copy, Debug)]
pub enum CommandText<'a> {
    /// With each simple command of its text.
    Read(&'a Launch, &'a [CommandPart]),
    /// Nothing is known any more but its text.
    Unread(&'a str),
}

impl RefusedWrite {
    /// The command of the line that tried. A redirection is opened by the line's own shell, so that one is looked for.
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

/// Keeps nothing closed and remembers nothing: for doors that no policy stands behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeWrites;

impl ProgramWrites for FreeWrites {
    fn closed(&self) -> io::Result<ClosedPlaces> {
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
