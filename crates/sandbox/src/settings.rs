//! Settings of the door. They alone decide what programs may access; nothing in the workspace can change them.

use crate::isolation::Isolation;
use palanca_core::call::Launch;
use palanca_core::ports::{FreeWrites, ProgramWrites, Redactor};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The helper program, unless another one is named: this very program, even when its file was replaced meanwhile.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// What a [`Sandbox`](crate::Sandbox) needs to know.
#[derive(Clone)]
#[non_exhaustive]
pub struct SandboxSettings {
    /// The directory that programs may write; absolute.
    pub workspace: PathBuf,
    /// Another name of it by way of a link, under which programs find it, too; absolute.
    pub link: Option<PathBuf>,
    /// Further directories that they may read, in the order of `Root::ReadOnly`; absolute.
    pub roots: Vec<PathBuf>,
    /// What must keep them in.
    pub isolation: Isolation,
    /// The program that becomes the helper: its `main` begins with [`enter`](crate::enter).
    pub helper: PathBuf,
    /// Paths that stay read-only, present or absent; relative to the workspace.
    pub protected: Vec<PathBuf>,
    /// Paths whose content is hidden; absolute.
    pub masked: Vec<PathBuf>,
    /// Which names are closed, as [`ClosedNames`](crate::ClosedNames) reads it; programs can read it, too. `git` leaves
    /// such files out of what it prints. Absent: it needs no such names.
    pub closed: Option<String>,
    /// What the person's own settings tell a git that changes something; it then runs the hooks and filters of its repository.
    /// Absent: no git runs any.
    pub git: Option<PersonalGit>,
    /// Directories outside the workspace that may be read and executed: toolchains; absolute.
    pub readable: Vec<PathBuf>,
    /// Those of them to which programs add, where the kernel can lay a private folder over them; what is added is gone with
    /// the program.
    pub growing: Vec<PathBuf>,
    /// Directories searched for programs, in this order; absolute. The system's own come last, unless they are named here.
    pub path: Vec<PathBuf>,
    /// Tells which programs only read and so run without a question. Those never find a program of the workspace by its
    /// bare name; without an answer none does. They write nothing but their private folders, and start and load nothing of
    /// the workspace or the further directories.
    pub only_reads: Option<OnlyReads>,
    /// Variables by which those do not obey what lies in the folder that they are started in.
    pub reading_variables: Vec<(OsString, OsString)>,
    /// Variables of every program, beside those of this process.
    pub variables: Vec<(OsString, OsString)>,
    /// Variables of this process that programs get beside the usual ones. `FOO_*` means every name that begins so.
    pub environment: Vec<String>,
    /// Where long output is kept whole; nowhere when absent.
    pub spill: Option<Spill>,
    /// What bounds background programs.
    pub background: BackgroundLimits,
    /// What takes every change of the workspace instead of it; needs [`Isolation::Full`].
    pub layer: Option<WriteLayer>,
    /// How much of the machine each program may take, together with all that it starts.
    pub limits: ProgramLimits,
    /// Between asking a program to end and ending it. When its time is over it gets [`TIMEOUT_GRACE`] at most.
    pub grace: Duration,
    /// What judges and keeps what programs change in the workspace, and names what they must not see.
    pub writes: Arc<dyn ProgramWrites>,
    /// Where background programs are written down, so that they are known as lost after a crash; nowhere when absent.
    pub state_file: Option<PathBuf>,
}

/// The longest grace of a program whose time is over: the limit stays exact even when the program is deaf.
pub const TIMEOUT_GRACE: Duration = Duration::from_millis(150);

impl SandboxSettings {
    /// A workspace and what must keep programs in; everything else has a default.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>, isolation: Isolation) -> Self {
        Self {
            workspace: workspace.into(),
            link: None,
            roots: Vec::new(),
            isolation,
            helper: PathBuf::from(OWN_PROGRAM),
            protected: Vec::new(),
            masked: Vec::new(),
            closed: None,
            git: None,
            readable: Vec::new(),
            growing: Vec::new(),
            path: Vec::new(),
            only_reads: None,
            reading_variables: Vec::new(),
            variables: Vec::new(),
            environment: Vec::new(),
            spill: None,
            background: BackgroundLimits::default(),
            layer: None,
            limits: ProgramLimits::default(),
            grace: Duration::from_millis(500),
            writes: Arc::new(FreeWrites),
            state_file: None,
        }
    }

    /// Hides these paths also.
    pub(crate) fn hidden(&self) -> Vec<PathBuf> {
        let own = self.spill.iter().map(|spill| &spill.directory).chain(&self.state_file);
        self.masked.iter().chain(own).cloned().collect()
    }

    /// The directories searched for programs, as `PATH` wants them. What has a colon in its name cannot be said there.
    pub(crate) fn search_path(&self, searched: Searched) -> OsString {
        let own = self.path.iter().map(PathBuf::as_path);
        let own = own.filter(|path| searched == Searched::Everything || !path.starts_with(&self.workspace));
        let system = SYSTEM_PATH.iter().map(Path::new).filter(|path| !self.path.iter().any(|own| own == path));
        std::env::join_paths(own.chain(system).filter(|path| !path.as_os_str().as_encoded_bytes().contains(&b':')))
            .unwrap_or_default()
    }
}

/// Where programs are found by default.
pub(crate) const SYSTEM_PATH: [&str; 6] =
    ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Which directories a program finds others in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    Everything,
    OutsideTheWorkspace,
}

/// What the judge of commands says of a program.
pub type OnlyReads = Arc<dyn Fn(&Launch) -> bool + Send + Sync>;

/// What the person's own settings, which are out of sight inside, say about the filters, hooks and signatures of every
/// repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PersonalGit {
    /// Keys, as `git config --list` writes them, and their values; of a key that is set twice the last counts.
    pub settings: Vec<(String, String)>,
    /// The content of the file of attributes.
    pub attributes: String,
    /// Why that is not all of it: then a git that changes something says so instead.
    pub unreadable: Option<String>,
}

/// Where output is kept whole when a result leaves some of it out.
#[derive(Clone)]
pub struct Spill {
    /// A directory outside the workspace. Made with mode 0700; files are 0600 and have unguessable names.
    pub directory: PathBuf,
    /// Bytes of one stream; what comes after them is only counted.
    pub limit: u64,
    /// Takes secrets out before anything is written.
    pub redactor: Arc<dyn Redactor>,
}

impl Spill {
    /// 64 MiB of each stream.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, redactor: Arc<dyn Redactor>) -> Self {
        Self { directory: directory.into(), limit: 64 << 20, redactor }
    }
}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { directory, limit, redactor: _ } = self;
        f.debug_struct("Spill").field("directory", directory).field("limit", limit).finish_non_exhaustive()
    }
}

/// Two empty directories outside the workspace, on one file system that is no overlay, owned by the workspace's owner. The
/// kernel keeps there what programs change (overlayfs, with `userxattr`): new and changed files, character devices 0/0 for
/// names that are gone, `user.overlay.opaque` on directories that hide what was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteLayer {
    /// Takes the changes; may hold some already.
    pub upper: PathBuf,
    /// The kernel's own.
    pub work: PathBuf,
}

/// How much of the machine one program may take, together with all that it starts. When a limit is met, all of it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramLimits {
    /// Bytes of memory that belongs to no file on a disk; the private `/tmp` counts.
    pub memory: u64,
    /// Processes, each of their threads counted.
    pub processes: u64,
    /// Bytes by which the free space of a file system that it may write may shrink meanwhile; nine tenths of what is free
    /// when it starts where none is named.
    pub disk: Option<u64>,
}

impl Default for ProgramLimits {
    /// Three quarters of the machine's memory, 4096 processes.
    fn default() -> Self {
        let machine = rustix::system::sysinfo();
        let memory = machine.totalram.saturating_mul(u64::from(machine.mem_unit)) / 4 * 3;
        Self { memory, processes: 4096, disk: None }
    }
}

/// What bounds background programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackgroundLimits {
    /// Running at once, for each owner.
    pub programs: usize,
    /// How long a program that has ended is remembered, with what it printed.
    pub kept: Duration,
    /// Bytes kept between two looks at a program.
    pub bytes: usize,
}

impl Default for BackgroundLimits {
    fn default() -> Self {
        Self { programs: 10, kept: Duration::from_secs(600), bytes: 200_000 }
    }
}
