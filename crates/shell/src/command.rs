//! One simple command as it would run: words after every expansion that can be known from the text.
//!
//! This module owns the vocabulary that the reader writes and the rules read; it decides nothing.

use crate::secret_names::SecretNames;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The workspace by its names, all absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Workspace {
    /// A folder without links on its way, and the person's own name for it by way of a link.
    #[must_use]
    pub const fn new(path: PathBuf, link: Option<PathBuf>) -> Self {
        Self { path, link }
    }

    /// Without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every name.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&*self.path).chain(self.link.as_deref())
    }

    /// The rest of an absolute path in it, by any of its names.
    #[must_use]
    pub fn within<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        self.names().find_map(|name| path.strip_prefix(name).ok())
    }

    /// A path in it by its name without links; any other as it is.
    #[must_use]
    pub fn real(&self, path: PathBuf) -> PathBuf {
        match self.link.as_ref().and_then(|link| path.strip_prefix(link).ok()) {
            Some(rest) => self.path.join(rest),
            None => path,
        }
    }
}

impl<P: Into<PathBuf>> From<P> for Workspace {
    fn from(path: P) -> Self {
        Self::new(path.into(), None)
    }
}

/// What is known of the place where the text would run. Nothing is looked up: the caller provides it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The workspace.
    pub workspace: Workspace,
    /// The directory that the text starts in, absolute.
    pub directory: PathBuf,
    /// The home of the user who runs it, absolute, when there is one.
    pub home: Option<PathBuf>,
    /// Variables set for this launch, beside those that every program gets: name and value.
    pub environment: Vec<(String, String)>,
    /// Files whose content is never shown by a safe command.
    pub secrets: SecretNames,
}

/// One word after expansion. Alternatives (brace expansion, a loop over known values) are separate commands or words,
/// so a word is one sequence of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word {
    /// In order; empty for `''`. Neighbouring texts are always joined.
    pub pieces: Vec<Piece>,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Exactly these characters, quotes and escapes already gone.
    Text(String),
    /// Unquoted pattern characters as written, such as `*` or `[a-z]`: stands for one or more names.
    Glob(String),
    /// A home directory: the own one (`~`, `$HOME`) or that of the named user (`~root`).
    Home(Option<String>),
    /// Characters that the text does not tell.
    Unknown(Unknown),
}

/// What is not known, and what still is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unknown {
    /// Where the characters come from.
    pub kind: UnknownKind,
    /// Whether it stands outside quotes, and so may become several words or none.
    pub splits: bool,
    /// Whether it may be the empty text: `rm -rf $X/` is then `rm -rf /`.
    pub may_be_empty: bool,
}

/// Where unknown characters come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnknownKind {
    /// A variable that the text does not set; the name.
    Variable(String),
    /// Output of commands; what went into it.
    Output(Trace),
    /// A number of a long count: digits, perhaps behind a minus.
    Number,
    /// Anything else: arithmetic, indirection, a limit of folding.
    Other,
}

/// What bytes were made from, as far as the text tells: the set of their sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trace(u8);

/// One source of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written in the text itself.
    Constant,
    /// A file or a device.
    File,
    /// Something that a network client received.
    Network,
    /// Something that a decoder or a decompressor made: base64, xxd, gzip, openssl enc.
    Decoder,
    /// Any other program's output, or what the caller sends on stdin.
    Program,
}

impl Trace {
    /// Bytes from one source.
    #[must_use]
    pub const fn of(origin: Origin) -> Self {
        Self(1 << origin as u8)
    }

    /// Bytes from nowhere: there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any byte may come from there.
    #[must_use]
    pub const fn has(self, origin: Origin) -> bool {
        self.0 & Self::of(origin).0 != 0
    }

    /// Both.
    pub const fn merge(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// `NAME=value`, before a program or alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assignment {
    /// The variable, without `+` or a subscript.
    pub name: String,
    /// The value.
    pub value: Word,
}

/// How a redirection opens its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`
    Write,
    /// `>>`, `&>>`
    Append,
    /// `<>`
    ReadWrite,
}

/// A redirection to a name. Copies of descriptors (`2>&1`), here-documents and here-strings are not here: they open no
/// file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Redirect {
    /// How.
    pub kind: RedirectKind,
    /// The name.
    pub target: Word,
}

/// What a command would read on stdin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Input {
    /// The whole text, when it is known: a here-document, a here-string, `echo` of constants through known filters.
    pub text: Option<String>,
    /// What it is made from. Empty: nothing is connected (the caller gives no stdin).
    pub trace: Trace,
}

/// Where a command would run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Directory {
    /// Absolute, `.` and `..` folded by name.
    Known(Arc<Path>),
    /// After a `cd` that cannot be known.
    Unknown,
}

/// How a command was reached. In [`Command::via`] the outermost comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// A program that runs its operands in this process's place and adds nothing: env, nice, nohup, timeout, time,
    /// stdbuf, setsid, command, exec, builtin, … The program's name.
    Wrapper(String),
    /// A program that runs a command for each of many items: `xargs`, `find -exec`, `parallel`. The program's name.
    Each(String),
    /// A shell that reads its text: `sh -c`, a here-document to a shell, `eval`, `source` of known text, a trap, an
    /// alias. What it was.
    Shell(String),
    /// Program code that starts commands: awk, sed, perl, python, make, … The program's name.
    Code(String),
    /// An option, a configuration key or a variable that another program executes: `git -c core.pager`, `tar
    /// --to-command`, `GIT_SSH_COMMAND`. Its name.
    Setting(String),
    /// `$(…)`, back quotes, `<(…)`, `>(…)`.
    Substitution,
    /// A function of this text; its name.
    Function(String),
    /// Another machine: `ssh`, `docker exec`, `kubectl exec`, … The program's name.
    Elsewhere(String),
}

/// One simple command that could run. Reachability is not considered: `false && x` runs `x`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Command {
    /// The program first, then its operands. Empty when there are only assignments or redirections.
    pub words: Vec<Word>,
    /// Assignments before the program; those alone also stand here.
    pub assignments: Vec<Assignment>,
    /// Redirections to names.
    pub redirects: Vec<Redirect>,
    /// Its stdin.
    pub input: Input,
    /// Where it would run.
    pub directory: Directory,
    /// How it was reached, outermost first.
    pub via: Vec<Via>,
    /// Whether the text goes on while it runs (`server &`).
    pub background: bool,
    /// The part of the text it was read from, for reasons; at most 200 characters.
    pub source: Arc<str>,
}

/// What only the shape of the text shows, not a single command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A function that starts itself more than once or in the background.
    RecursiveFunction,
    /// An endless loop that starts background processes.
    EndlessSpawn,
}

impl Word {
    /// A word of known characters.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Text(text.into())] }
    }

    /// The characters, when all are known. `None` for globs, homes and unknowns.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The known characters that it surely begins with: `-o` of `-o$FILE`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether any piece is unknown.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Unknown(_)))
    }

    /// Whether any piece is a glob.
    #[must_use]
    pub fn has_glob(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }
}

/// As a person would write it, unknown parts as `$NAME` or `$(…)`. For reasons, never to be read again.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) | Piece::Glob(text) => f.write_str(text)?,
                Piece::Home(user) => write!(f, "~{}", user.as_deref().unwrap_or_default())?,
                Piece::Unknown(Unknown { kind: UnknownKind::Variable(name), .. }) => write!(f, "${name}")?,
                Piece::Unknown(_) => f.write_str("$(…)")?,
            }
        }
        Ok(())
    }
}

impl Command {
    /// A command of known words and nothing else, in the workspace of `surroundings`: for tests and for argument lists
    /// that no shell reads.
    #[must_use]
    pub fn plain<S: Into<String>>(words: impl IntoIterator<Item = S>, surroundings: &Surroundings) -> Self {
        Self {
            words: words.into_iter().map(Word::text).collect(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            input: Input::default(),
            directory: Directory::Known(surroundings.directory.as_path().into()),
            via: Vec::new(),
            background: false,
            source: Arc::default(),
        }
    }

    /// The program's name without its directory, when it is known: `rm` for `/usr/bin/../bin/rm`.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        let path = self.words.first()?.literal()?;
        let name = path.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1);
        path.get(name..)
    }

    /// What its redirections write to.
    pub(crate) fn writes_to(&self) -> impl Iterator<Item = &Word> {
        self.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Read).map(|redirect| &redirect.target)
    }

    /// What its redirections only read.
    pub(crate) fn reads_from(&self) -> impl Iterator<Item = &Word> {
        self.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read).map(|redirect| &redirect.target)
    }

    /// The operands and options after the program.
    #[must_use]
    pub fn operands(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }
}
