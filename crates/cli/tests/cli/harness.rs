//! A temporary workspace, a temporary home, and the binary between them.

use palanca_testkit::until;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Less than the product believes what it found out about a machine.
const FRESH: Duration = Duration::from_secs(200);

pub struct Bench {
    folder: tempfile::TempDir,
}

pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

impl Bench {
    /// With a home that knows the machine already, as all but the first program of a home find it.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let bench = Self::without_home(files);
        std::fs::create_dir(bench.home()).unwrap();
        remember(&bench.home());
        bench
    }

    /// As for the first program of a new user.
    pub fn without_home(files: &[(&str, &str)]) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(bench.workspace()).unwrap();
        files.iter().for_each(|(path, text)| bench.write(path, text));
        bench
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("ws")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.workspace().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.workspace().join(path)).unwrap()
    }

    /// A clean environment: nothing of the caller's keys or configuration.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.at_home(Command::new(env!("CARGO_BIN_EXE_palanca")), arguments)
    }

    /// A command that ignores no signal, even where the tests were started to ignore one (`nohup`).
    pub fn heeding(&self, arguments: &[&str]) -> Command {
        let mut env = Command::new("env");
        env.args(["--default-signal", env!("CARGO_BIN_EXE_palanca")]);
        self.at_home(env, arguments)
    }

    fn at_home(&self, mut command: Command, arguments: &[&str]) -> Command {
        command
            .env_clear()
            .env("PALANCA_HOME", self.home())
            .env("HOME", self.folder.path())
            .env("PATH", "/usr/bin:/bin");
        command.args(arguments).current_dir(self.workspace()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments).output().unwrap())
    }

    /// At a terminal, with stderr on it, too: what was shown there is `stderr`. Each reply is typed when its words were
    /// shown behind those before.
    pub fn run_at_a_terminal(&self, arguments: &[&str], replies: &[(&str, &str)]) -> Ended {
        let (mut person, stdin) = terminal();
        let mut command = self.command(arguments);
        command.stdin(stdin.try_clone().unwrap()).stdout(Stdio::piped()).stderr(stdin).env("NO_COLOR", "1");
        let child = command.spawn().unwrap();
        // It holds the last copies of the program's side: when the program ends, nothing more can be read.
        drop(command);
        let (mut shown, mut seen, mut replies) = (Vec::new(), 0, replies.iter());
        let mut next = replies.next();
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = person.read(&mut piece) {
            shown.extend_from_slice(&piece[..length]);
            while let Some((words, reply)) = next
                && let Some(at) = String::from_utf8_lossy(&shown[seen..]).find(words)
            {
                seen += at + words.len();
                person.write_all(reply.as_bytes()).unwrap();
                next = replies.next();
            }
        }
        let ended = ended(child.wait_with_output().unwrap());
        Ended { stderr: String::from_utf8(shown).unwrap(), ..ended }
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &str) -> Ended {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let text = stdin.to_owned();
        let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
        let output = child.wait_with_output().unwrap();
        match writer.join().unwrap() {
            // What needs no input may have ended before it came.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            written => written.unwrap(),
        }
        ended(output)
    }
}

/// Puts into a home what the product remembers of the machine. To find it out takes the first program of a home half a
/// second; so one home, which all tests have in common, finds it out for them, now and then again.
fn remember(home: &Path) {
    static LEARNED: Mutex<Option<Instant>> = Mutex::new(None);
    let knows = Path::new(env!("CARGO_TARGET_TMPDIR")).join("home");
    let mut learned = LEARNED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    std::fs::create_dir_all(&knows).unwrap();
    // Other test binaries and other runs use the same home.
    let lock = File::create(knows.join("lock")).unwrap();
    lock.lock().unwrap();
    if learned.is_none_or(|at| at.elapsed() > FRESH) {
        let bench = Bench::without_home(&[]);
        let mut command = bench.command(&["call", "run_command", "command=true", "--mode", "yolo"]);
        ended(command.env("PALANCA_HOME", &knows).output().unwrap()).expect(0);
        *learned = Some(Instant::now());
    }
    for entry in std::fs::read_dir(&knows).unwrap().flatten() {
        let name = entry.file_name();
        if ["isolation-", "private-"].iter().any(|known| name.to_string_lossy().starts_with(known)) {
            std::fs::copy(entry.path(), home.join(&name)).unwrap();
        }
    }
}

/// Whether a process has this word in its command line.
pub fn lives(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).replace('\0', " ").contains(word))
}

/// Waits until no process has this word in its command line.
#[track_caller]
pub fn until_gone(word: &str) {
    until(&format!("no process has {word}"), || !lives(word));
}

/// A terminal without a window: the person's side, and the side that a program reads.
pub fn terminal() -> (File, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
    (person.into(), File::options().read(true).write(true).open(name).unwrap())
}

pub fn ended(output: std::process::Output) -> Ended {
    Ended {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap()
}
