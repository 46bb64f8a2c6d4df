//! Secrets planted where secrets lie: none is reached by looking for it, as long as nobody granted the place.

use crate::driver::{Place, User, users};
use crate::host::give;
use palanca_core::call::{BotId, CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Keep, Owner, Processes, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use palanca_testkit::{PATIENCE, again, skipped};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is looked for. Written in two parts, so that a search does not find what searches.
fn canary() -> String {
    format!("palanca-{}-{}", "canary", std::process::id())
}

/// Files below these, which everybody has, and what a user's own home holds. The last ones take root to plant.
const FILES: [&str; 12] = [
    "/tmp/{}/key",
    "/tmp/{}/home/.ssh/id_ed25519",
    "/tmp/{}/home/.aws/credentials",
    "/tmp/{}/home/.config/gh/hosts.yml",
    "/var/tmp/{}/key",
    "/dev/shm/{}/key",
    "/root/{}/.ssh/id_rsa",
    "/home/{}/.ssh/id_rsa",
    "/run/{}/secret",
    "/srv/{}/key",
    "/mnt/{}/key",
    "/var/lib/{}/key",
];

/// Where every program looks for what it has to cover: one that starts while such a file goes may be refused. `stress`
/// plants them, beside the others.
pub const SYSTEM: [&str; 3] = ["/etc/{}", "/etc/{}.d/deep/er/key", "/usr/local/etc/{}"];

/// Of the process that opens the door.
const VARIABLES: [&str; 15] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "RS_API_KEY",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "NPM_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "DATABASE_URL",
    "PGPASSWORD",
    "VAULT_TOKEN",
    "SSH_AUTH_SOCK",
    "TOKEN",
];

/// Removed when it goes.
struct Planted(Vec<PathBuf>);

impl Planted {
    fn new(user: User, word: &str, files: &[&str]) -> Self {
        let mut planted = Self(Vec::new());
        for pattern in files {
            let path = PathBuf::from(pattern.replace("{}", &format!("{word}-{user:?}")));
            let parent = path.parent().expect("a place").to_owned();
            let made = fs::create_dir_all(&parent).and_then(|()| fs::write(&path, word));
            if let Err(error) = made {
                skipped(pattern, &format!("it cannot be planted: {error}"));
                continue;
            }
            fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("its mode");
            give(user, &path);
            // The directories belong to him as well, down from the one that has the word in its name.
            for above in path.ancestors().skip(1).take_while(|above| above.display().to_string().contains(word)) {
                give(user, above);
            }
            planted.0.push(path);
        }
        planted
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        let word = canary();
        for path in &self.0 {
            let outermost = path.ancestors().filter(|above| above.display().to_string().contains(&word)).last();
            let Some(outermost) = outermost else { continue };
            let _ = if outermost.is_dir() { fs::remove_dir_all(outermost) } else { fs::remove_file(outermost) };
        }
    }
}

pub fn look(level: &'static str, files: &[&str]) {
    for user in users() {
        let word = canary();
        let planted = Planted::new(user, &word, files);
        let mut place = Place::new(user, level);
        place.file(".env", &word);
        place.file("secrets/deep/key", &word);
        place.masked = vec![place.path(".env"), place.path("secrets")];
        for path in &planted.0 {
            let path = path.display();
            let script =
                format!("cat {path} /proc/self/root{path} /proc/1/root{path} /proc/self/cwd/../../../..{path}");
            assert_eq!(place.sh(&format!("({script}) 2>/dev/null")).output, "", "{user:?} {level}: {path}");
        }
        let places = "/root /home /tmp /var /run /dev/shm /srv /mnt /media /boot /etc /usr/local/etc /sys .";
        let seen = place.sh(&format!("grep -rsl {word} {places} /proc/self/cwd/ ~; true"));
        assert_eq!(seen.output, "", "{user:?} {level}");
        let names = place.sh(&format!("find {places} -name '*{word}*' 2>/dev/null | grep -v '^/etc\\|^/usr'; true"));
        let shown = names.output.lines().filter(|line| level == "full" && !line.is_empty()).count();
        assert_eq!(shown, 0, "{user:?} {level}: {names:?}");
    }
}

#[test]
fn none_is_in_reach_at_the_full_level() {
    look("full", &FILES);
}

#[test]
fn none_is_in_reach_without_namespaces() {
    look("filters", &FILES);
}

/// Started by the next test, with the variables.
#[test]
#[ignore = "is started by another test"]
fn a_process_with_secrets_in_its_environment() {
    if std::env::var_os("TOKEN").is_none() {
        return;
    }
    for isolation in [Isolation::Best, Isolation::Unsandboxed] {
        let workspace = tempfile::tempdir().unwrap();
        let mut settings = SandboxSettings::new(workspace.path(), isolation);
        settings.helper = crate::driver::helper().to_owned();
        let door = Sandbox::new(settings).unwrap();
        let text = "env; set; cat /proc/self/environ; tr '\\0' '\\n' < /proc/$PPID/environ; ps axe 2>/dev/null
            for one in /proc/[0-9]*; do cat $one/environ $one/cmdline 2>/dev/null; done";
        // Without a sandbox other processes are in reach, this one too.
        let text = if isolation == Isolation::Unsandboxed { "env; set; cat /proc/self/environ" } else { text };
        let launch = Launch::script(Shell::Sh, text, CanonicalPath::new(Root::Workspace, PathBuf::new()));
        let owner = Owner::of(&Scope { bot: Some(BotId::new("one")), ..Scope::session(SessionId::new("session")) });
        let (call, cancel) = (CallId::new("call"), Cancel::new());
        let limits = RunLimits { time: PATIENCE, keep: Keep::default() };
        let run = Run {
            by: By { owner: &owner, call: &call, session: None },
            limits,
            cancel: &cancel,
            tail: None,
            questions: None,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let finished = runtime.block_on(door.run(&launch, run)).unwrap();
        for part in [&finished.stdout.head, &finished.stdout.tail, &finished.stderr.head] {
            let text = String::from_utf8_lossy(part).into_owned();
            assert!(!text.contains(&std::env::var("TOKEN").unwrap()), "{isolation:?}: {text}");
        }
        assert!(finished.stdout.total_bytes() > 50);
    }
}

#[test]
fn no_variable_is_in_reach() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact"]).envs(VARIABLES.map(|name| (name, canary())));
    again("variables", &mut command, &["canaries::a_process_with_secrets_in_its_environment"]);
}

/// `stress` runs it: it reads the whole machine.
pub fn search_everything() {
    for user in users() {
        let word = canary();
        let _planted = Planted::new(user, &word, &[&FILES[..], &SYSTEM].concat());
        let place = Place::new(user, "full");
        let live = place.start(&["sh", "-c", &format!("grep -rsl --exclude-dir=proc {word} /; true")]);
        live.socket.set_read_timeout(None).unwrap();
        assert_eq!(live.end().output, "", "{user:?}");
    }
}

/// That the canaries would be found.
#[test]
fn a_canary_that_is_granted_is_found() {
    let user = *users().last().expect("somebody");
    let word = canary();
    let mut place = Place::new(user, "full");
    place.file("key", &word);
    let granted = tempfile::tempdir().unwrap();
    fs::set_permissions(granted.path(), Permissions::from_mode(0o755)).unwrap();
    fs::write(granted.path().join("key"), &word).unwrap();
    place.readable = vec![granted.path().to_owned()];
    let found = place.sh(&format!("grep -rsl {word} . {} | wc -l", Path::new("/tmp").display()));
    // Once here, and below /tmp both: the workspace is there too.
    assert_eq!(found.output, "3\n");
}
