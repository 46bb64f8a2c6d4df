//! Runs programs in the sandbox by speaking to the helper as the parent does: as the user of the tests and, when that is
//! root, as an ordinary user too. It knows the form of a room and an order and nothing else of the crate.

pub use palanca_core::call::Network;
use palanca_testkit::{PATIENCE, until};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, IoSlice, PipeReader, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, fchown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use tempfile::TempDir;

/// An ordinary user's id; nobody needs to have it.
pub const ORDINARY: u32 = 61_001;

/// Who starts the helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// Whoever runs the tests.
    Own,
    /// [`ORDINARY`], which takes root to become.
    Ordinary,
}

/// Everybody that these tests can be: root is two, anybody else is one.
pub fn users() -> Vec<User> {
    if rustix::process::geteuid().is_root() { vec![User::Own, User::Ordinary] } else { vec![User::Own] }
}

/// The helper, where everybody may start it. Another program makes the copy: a file that this one had open for writing
/// could not be started while another test forks.
pub fn helper() -> &'static Path {
    static HELPER: OnceLock<PathBuf> = OnceLock::new();
    HELPER.get_or_init(|| {
        let built = Path::new(env!("CARGO_BIN_EXE_palanca-sandbox"));
        let open = |path: &Path| fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o001 != 0);
        if built.ancestors().all(open) {
            return built.to_owned();
        }
        // Below a private home: the copy stays, because nothing runs after the last test.
        let path = open_directory(&std::env::temp_dir()).keep().join("helper");
        let copied = Command::new("install").args(["-m", "755"]).arg(built).arg(&path).status();
        assert!(copied.expect("install").success());
        path
    })
}

fn open_directory(below: &Path) -> TempDir {
    let directory = TempDir::new_in(below).expect("a directory");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("its mode");
    directory
}

/// A workspace and the plan of what may be done there.
pub struct Place {
    pub user: User,
    pub level: &'static str,
    pub read_only: Vec<PathBuf>,
    pub masked: Vec<PathBuf>,
    pub readable: Vec<PathBuf>,
    /// Directories of which a program that only reads starts nothing; nothing for other programs.
    pub unexecuted: Vec<PathBuf>,
    /// `memory`, `processes` and `disk`; nothing for what is usual.
    pub limits: Value,
    pub environment: Vec<(String, String)>,
    pub network: Network,
    directory: TempDir,
}

/// How a program ended.
#[derive(Debug)]
pub struct Seen {
    pub output: String,
    /// As the helper reported it.
    pub report: Value,
}

impl Seen {
    pub fn code(&self) -> Option<i64> {
        self.report["Ended"]["code"].as_i64()
    }

    /// The limit that it met.
    pub fn limit(&self) -> Option<&str> {
        self.report["Ended"]["limit"]["limit"].as_str()
    }

    pub fn failed(&self) -> Option<(&str, Option<i64>)> {
        Some((self.report["Failed"]["step"].as_str()?, self.report["Failed"]["errno"].as_i64()))
    }
}

impl Place {
    pub fn new(user: User, level: &'static str) -> Self {
        Self::below(&std::env::temp_dir(), user, level)
    }

    pub fn below(folder: &Path, user: User, level: &'static str) -> Self {
        let directory = open_directory(folder);
        let place = Self {
            user,
            level,
            read_only: Vec::new(),
            masked: Vec::new(),
            readable: Vec::new(),
            unexecuted: Vec::new(),
            limits: Value::Null,
            environment: [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/home/someone")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            network: Network::None,
            directory,
        };
        place.give(Path::new(""));
        place
    }

    pub fn workspace(&self) -> &Path {
        self.directory.path()
    }

    /// Below the workspace.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.workspace().join(relative)
    }

    /// Protects paths of the workspace.
    pub fn protect(mut self, paths: &[&str]) -> Self {
        self.read_only = paths.iter().map(|path| self.path(path)).collect();
        self
    }

    /// Makes a file of the workspace, and the directories above it, all owned by the user.
    pub fn file(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        for above in path.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            if above.starts_with(self.workspace()) && !above.exists() {
                fs::create_dir(above).expect("a directory");
                self.give(above.strip_prefix(self.workspace()).expect("below"));
            }
        }
        fs::write(&path, text).expect("a file");
        self.give(Path::new(relative));
    }

    fn give(&self, relative: &Path) {
        if self.user == User::Ordinary {
            chown(self.workspace().join(relative), Some(ORDINARY), Some(ORDINARY)).expect("an owner");
        }
    }

    pub fn sh(&self, script: &str) -> Seen {
        self.run(&["sh", "-c", script])
    }

    pub fn run(&self, argv: &[&str]) -> Seen {
        self.start(argv).end()
    }

    pub fn start(&self, argv: &[&str]) -> Live {
        let mut live = self.room();
        live.order(&self.order(argv));
        live
    }

    /// Puts a program of this machine into the workspace. Another program copies it, so that it can be run at once.
    pub fn install(&self, program: &Path, name: &str) {
        self.file(name, "");
        let copied = Command::new("install").args(["-m", "755"]).arg(program).arg(self.path(name)).status();
        assert!(copied.expect("install").success());
    }

    /// A helper that has its room.
    pub fn room(&self) -> Live {
        let (ours, theirs) = UnixStream::pair().expect("a socket");
        let (orders, ordered) = UnixStream::pair().expect("a socket");
        let mut command = Command::new(helper());
        command.arg("__sandbox").env_clear().stdin(OwnedFd::from(theirs)).stdout(OwnedFd::from(ordered));
        if self.user == User::Ordinary {
            command.uid(ORDINARY).gid(ORDINARY);
        }
        let child = command.spawn().expect("the helper");
        drop(command);
        write(&ours, &frame(&self.plan()));
        ours.set_read_timeout(Some(PATIENCE)).expect("a limit");
        // Without a workspace nothing starts, and nobody gets the pipes.
        let owner = fs::metadata(self.workspace()).map_or(0, |about| about.uid());
        Live { child, socket: ours, orders, output: None, owner }
    }

    /// A program and all that belongs to it alone.
    pub fn order(&self, argv: &[&str]) -> Value {
        let environment = self.environment.iter();
        json!({
            "argv": argv.iter().map(|word| text(word.as_ref())).collect::<Vec<_>>(),
            "environment": environment.map(|(name, value)| [text(name.as_ref()), text(value.as_ref())]).collect::<Vec<_>>(),
            "directory": text(self.workspace().as_os_str()),
            "terminal": "None",
        })
    }

    fn plan(&self) -> Value {
        let paths = |paths: &[PathBuf]| paths.iter().map(|path| text(path.as_os_str())).collect::<Vec<_>>();
        let value = |wanted: &str| self.environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let gits: Vec<_> = value("PATH").iter().flat_map(std::env::split_paths).map(|path| path.join("git")).collect();
        let private = ["/etc", "/usr/local/etc"].into_iter().flat_map(|folder| private(Path::new(folder)));
        let masked: Vec<_> = self.masked.iter().cloned().chain(private).collect();
        let mut room = json!({
            "home": value("HOME").map(|home| text(home.as_ref())),
            "gits": paths(&gits),
            "network": self.network,
            "plan": {
                "level": self.level,
                "writable": paths(&[self.workspace().to_owned()]),
                "read_only": paths(&self.read_only),
                "masked": paths(&masked),
                "readable": paths(&self.readable),
                "unexecuted": paths(&self.unexecuted),
            },
        });
        if !self.limits.is_null() {
            room["plan"]["limits"] = self.limits.clone();
        }
        room
    }

    /// Every name below the workspace, with mode and size.
    pub fn listing(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.workspace().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).expect("a directory").flatten() {
                let about = entry.metadata().expect("its facts");
                found.push(format!("{} {:o}", entry.path().display(), about.permissions().mode()));
                if about.is_dir() {
                    open.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }
}

/// A helper, and the program that runs once there was an order.
pub struct Live {
    pub child: Child,
    pub socket: UnixStream,
    pub orders: UnixStream,
    output: Option<Receiver<String>>,
    owner: u32,
}

impl Live {
    /// Starts the program.
    pub fn order(&mut self, order: &Value) {
        self.attach(&frame(order));
    }

    /// Sends these bytes instead of an order, and what comes with one.
    pub fn attach(&mut self, message: &[u8]) {
        let (output, writer) = std::io::pipe().expect("a pipe");
        let null = fs::File::open("/dev/null").expect("null");
        fchown(&writer, Some(self.owner), None).expect("an owner");
        send(&self.orders, message, [null.as_fd(), writer.as_fd(), writer.as_fd()]);
        self.output.get_or_insert_with(|| {
            let (whole, read_whole) = channel();
            // ignored: a test need not ask what was printed.
            std::thread::spawn(move || drop(whole.send(read(output))));
            read_whole
        });
    }

    /// The next report. A helper that stays silent fails the test, which then says what it waits for.
    pub fn report(&mut self) -> Option<Value> {
        let mut header = [0; 4];
        match self.socket.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                panic!("helper {}: silent\n{}", self.child.id(), all())
            }
            read => read.ok()?,
        }
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        self.socket.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }

    pub fn signal(&mut self, signal: i32) {
        write(&self.socket, &frame(&json!({"Signal": signal})));
    }

    /// Waits for all of it to be gone.
    pub fn end(mut self) -> Seen {
        let mut last = Value::Null;
        while let Some(report) = self.report() {
            last = report;
        }
        Seen { output: self.gone(), report: last }
    }

    /// Waits for the helper to be gone, and for everybody who could still print something: so survivors are found.
    /// Returns all that was printed.
    pub fn gone(&mut self) -> String {
        self.ended();
        self.output.take().expect("asked once").recv_timeout(PATIENCE).expect("nobody lives who could print")
    }

    /// Waits for the helper alone.
    pub fn ended(&mut self) {
        until("the helper is gone", || self.child.try_wait().expect("its state").is_some());
    }
}

/// The machine's processes, and where in the kernel each waits.
fn all() -> String {
    let listed = Command::new("ps").args(["-eo", "pid,ppid,user,stat,wchan:24,args", "--forest"]).output();
    listed.map_or_else(|error| error.to_string(), |listed| String::from_utf8_lossy(&listed.stdout).into_owned())
}

fn read(mut output: PipeReader) -> String {
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes).expect("output");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text(text: &OsStr) -> Value {
    json!({"Unix": text.as_bytes()})
}

pub fn frame(message: &Value) -> Vec<u8> {
    let body = serde_json::to_vec(message).expect("json");
    [&u32::try_from(body.len()).expect("short").to_be_bytes()[..], &body].concat()
}

pub fn write(mut socket: &UnixStream, bytes: &[u8]) {
    socket.write_all(bytes).expect("the helper listens");
}

fn send(socket: &UnixStream, message: &[u8], stdio: [std::os::fd::BorrowedFd<'_>; 3]) {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(&stdio)));
    let sent = match sendmsg(socket, &[IoSlice::new(message)], &mut control, SendFlags::empty()) {
        // It has refused its room already, and said so.
        Err(rustix::io::Errno::PIPE) => return,
        sent => sent.expect("sent"),
    };
    write(socket, &message[sent..]);
}

/// What below a folder is not for everybody, as the door finds it for every program.
fn private(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        let wanted = if about.is_dir() { 0o005 } else { 0o004 };
        if !about.is_symlink() && about.permissions().mode() & wanted != wanted {
            found.push(entry.path());
        } else if about.is_dir() {
            found.extend(private(&entry.path()));
        }
    }
    found
}
