//! A workspace with a door, and short ways to use both.

use palanca_core::call::{BotId, CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Captured, Finished, Keep, Owner, ProcessError, Processes, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_sandbox::{Engine, Isolation, Level, Sandbox, SandboxSettings};
use palanca_testkit::{PATIENCE, compiled, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Where C programs are compiled, once.
pub(crate) const COMPILED: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/sandbox");

pub(crate) struct Space {
    directory: TempDir,
    pub(crate) door: Option<Sandbox>,
}

impl Space {
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    /// Beside the others of this process, on one engine.
    pub(crate) fn with(change: impl FnOnce(&mut SandboxSettings)) -> Self {
        // Looking at what this machine can isolate takes longer than most programs.
        static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::new);
        Self::on(&ENGINE, change)
    }

    pub(crate) fn on(engine: &Engine, change: impl FnOnce(&mut SandboxSettings)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut space = Self { directory, door: None };
        let mut settings = space.settings();
        change(&mut settings);
        let door = Sandbox::on(engine, settings).unwrap();
        assert_eq!(level().unwrap_or(door.level()), door.level());
        space.door = Some(door);
        space
    }

    /// A door with these settings, wherever they lead.
    pub(crate) fn over(settings: SandboxSettings) -> Self {
        Self { directory: tempfile::tempdir().unwrap(), door: Some(Sandbox::new(settings).unwrap()) }
    }

    pub(crate) fn settings(&self) -> SandboxSettings {
        let workspace = self.path("ws");
        std::fs::create_dir_all(&workspace).unwrap();
        let mut settings = SandboxSettings::new(workspace, isolation());
        settings.helper = helper();
        settings
    }

    /// Beside the workspace.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn door(&self) -> &Sandbox {
        self.door.as_ref().unwrap()
    }

    /// Runs a text to its end.
    pub(crate) fn sh(&self, text: &str) -> Finished {
        self.run(&script(text), limits(PATIENCE)).unwrap()
    }

    pub(crate) fn run(&self, launch: &Launch, limits: RunLimits) -> Result<Finished, ProcessError> {
        let (owner, call, cancel) = (owner("one"), CallId::new("call"), Cancel::new());
        let by = By { owner: &owner, call: &call, session: None };
        wait(self.door().run(launch, Run { by, limits, cancel: &cancel, tail: None, questions: None }))
    }
}

/// The copy that an ordinary user can reach, where there is one.
pub(crate) fn helper() -> PathBuf {
    std::env::var_os("PALANCA_TEST_HELPER").map_or_else(|| env!("CARGO_BIN_EXE_palanca-sandbox").into(), PathBuf::from)
}

/// As `PALANCA_TEST_ISOLATION` says; the best that there is otherwise.
pub(crate) fn isolation() -> Isolation {
    match std::env::var("PALANCA_TEST_ISOLATION").as_deref() {
        Ok("full") => Isolation::Full,
        Ok("none") => Isolation::Unsandboxed,
        _ => Isolation::Best,
    }
}

/// What must come of it.
fn level() -> Option<Level> {
    match std::env::var("PALANCA_TEST_ISOLATION").as_deref() {
        Ok("full") => Some(Level::Full),
        Ok("filters") => Some(Level::Filters),
        Ok("none") => Some(Level::None),
        _ => None,
    }
}

/// On a runtime with one thread.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

pub(crate) fn script(text: &str) -> Launch {
    Launch::script(Shell::Sh, text, CanonicalPath::new(Root::Workspace, PathBuf::new()))
}

pub(crate) fn owner(bot: &str) -> Owner {
    let scope = Scope { bot: Some(BotId::new(bot)), ..Scope::session(SessionId::new("session")) };
    Owner::of(&scope)
}

pub(crate) fn limits(time: Duration) -> RunLimits {
    RunLimits { time, keep: Keep::default() }
}

pub(crate) fn text(captured: &Captured) -> String {
    String::from_utf8_lossy(&[captured.head.as_slice(), &captured.tail].concat()).into_owned()
}

/// A word that is in no other process's command line, on this machine or in another test.
pub(crate) fn marker(name: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("marker-{name}-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Process ids of the living whose command line contains the word.
pub(crate) fn living(marker: &str) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let numbers = entries.filter_map(|name| name.parse::<i32>().ok());
    numbers
        .filter(|pid| *pid != i32::try_from(std::process::id()).unwrap())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(marker)
        })
        .collect()
}

/// Does something under a time limit, twice as long each time, until it comes far enough on this machine to have
/// something.
pub(crate) fn with_time<T>(what: &str, mut act: impl FnMut(Duration) -> Option<T>) -> T {
    let mut limit = Duration::from_millis(300);
    loop {
        if let Some(done) = act(limit) {
            return done;
        }
        assert!(limit < PATIENCE, "never: {what}");
        limit *= 2;
    }
}

/// Says what was not tried at a level below the best; where that level was asked for, there is nothing to say.
pub(crate) fn without(what: &str, why: &str) {
    if level().is_none() {
        skipped(what, why);
    }
}

/// A C program, where programs inside find it.
pub(crate) fn built(space: &Space, name: &str, source: &str) -> String {
    let folder = std::env::var_os("PALANCA_TEST_COMPILED").unwrap_or_else(|| COMPILED.into());
    let (built, program) = (compiled(folder, name, source, &["-lpthread"]), space.path("ws").join(name));
    let copied = Command::new("install").args(["-m", "755"]).arg(built).arg(&program).status();
    assert!(copied.unwrap().success());
    program.display().to_string()
}
