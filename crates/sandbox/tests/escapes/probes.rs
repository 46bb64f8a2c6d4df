//! The probes as a table: what each may do at each level, and that without a sandbox they are no empty threats.

use crate::driver::{Place, User, users};
use crate::expected::{Verdict, expected};
use crate::host::Host;
use palanca_testkit::{compiled, skipped, unreached};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = include_str!("probes.c");

/// Errors by which the kernel, and not chance, says no. Others mean that the call was wrong or got too far.
const REFUSALS: [&str; 13] = [
    "EPERM",
    "EACCES",
    "EROFS",
    "ENOENT",
    "ENOSYS",
    "ESRCH",
    "EXDEV",
    "EBUSY",
    "EEXIST",
    "ENOTDIR",
    "EISDIR",
    "SIGSYS",
    "ECONNREFUSED",
];

pub fn program() -> PathBuf {
    compiled(env!("CARGO_TARGET_TMPDIR"), "probes", SOURCE, &["-lutil"])
}

/// Puts the program into a workspace, with everything that the probes go for.
fn prepared(user: User, level: &'static str) -> Place {
    let mut place = Place::new(user, level);
    for (file, text) in [
        (".git/config", "before"),
        (".git/HEAD", "ref: x"),
        ("sub/.git/HEAD", "ref: x"),
        ("sub/deep/file", ""),
        ("masked", "canary"),
    ] {
        place.file(file, text);
    }
    place.install(&program(), "probes");
    place.masked = vec![place.path("masked")];
    place.protect(&[
        ".git/hooks",
        ".git/config",
        ".mcp.json",
        ".vscode",
        ".claude",
        ".codex",
        "sub/.git/config",
        "sub/deep/.mcp.json",
    ])
}

/// A socket of the host where the program may write.
fn given(place: &Place) -> UnixListener {
    let path = place.path("given-socket");
    let socket = UnixListener::bind(&path).expect("a socket");
    fs::set_permissions(path, Permissions::from_mode(0o777)).expect("its mode");
    socket
}

#[derive(Debug)]
struct Line {
    name: String,
    verdict: Verdict,
    error: String,
}

fn run(place: &Place, host: &Host) -> Vec<Line> {
    let arguments = host.arguments();
    let mut argv = vec!["./probes"];
    argv.extend(arguments.iter().map(String::as_str));
    let seen = place.run(&argv);
    assert_eq!(seen.code(), Some(0), "{seen:?}");
    let lines = seen.output.lines().map(|line| {
        let mut words = line.split(' ').map(str::to_owned);
        let mut next = || words.next().expect("three words");
        let (name, verdict, error) = (next(), next(), next());
        let verdict = if verdict == "allowed" { Verdict::Allowed } else { Verdict::Denied };
        Line { name, verdict, error }
    });
    lines.collect()
}

fn nothing_gets_out(user: User, level: &'static str) {
    let (host, place) = (Host::new(user), prepared(user, level));
    let _given = given(&place);
    let before = (host.files(), place.listing());
    if !host.shares_memory() {
        skipped("shared memory of the host", "no ipcmk here");
    }
    let lines = run(&place, &host);
    let mut wrong = Vec::new();
    for line in &lines {
        let wanted = expected(&line.name, level, user);
        let refused = line.verdict == Verdict::Allowed || REFUSALS.contains(&line.error.as_str());
        // An id that is none in this namespace.
        let refused = refused
            || (line.error == "EINVAL" && matches!(&*line.name, "shared-memory-host" | "setuid-0" | "line-discipline"));
        // Refused by the limits of an ordinary process, or not there on a machine without such a clock.
        let refused = refused || matches!(&*line.name, "alarm-clock" | "lock-memory");
        if line.verdict != wanted || !refused {
            wrong.push(format!("{} {:?} {} instead of {wanted:?}", line.name, line.verdict, line.error));
        }
    }
    assert!(wrong.is_empty(), "{user:?} {level}: {wrong:#?}");
    assert!(lines.len() > 230, "{}", lines.len());
    assert!(!host.was_called(), "{user:?} {level}: over the network");
    assert_eq!(host.files(), before.0, "{user:?} {level}: the host's files");
    if level == "full" {
        // A link of its own is all that a probe leaves.
        let left: Vec<_> = place.listing().into_iter().filter(|line| !line.contains("/link-out ")).collect();
        assert_eq!(left, before.1, "{user:?}");
    }
    assert_eq!(fs::read_to_string(place.path(".git/config")).unwrap(), "before");
    assert_eq!(fs::read_to_string(place.path("masked")).unwrap(), "canary");
}

#[test]
fn nothing_gets_out_at_the_full_level() {
    users().into_iter().for_each(|user| nothing_gets_out(user, "full"));
}

#[test]
fn what_gets_out_without_namespaces_is_known() {
    users().into_iter().for_each(|user| nothing_gets_out(user, "filters"));
}

/// Root becomes the owner of the workspace, and has his rights alone.
#[test]
fn nothing_gets_out_of_the_workspace_of_another() {
    if !rustix::process::geteuid().is_root() {
        return skipped("the workspace of another", "only root can be at work there");
    }
    let (host, place) = (Host::new(User::Own), prepared(User::Own, "full"));
    let owner = format!("{0}:{0}", crate::driver::ORDINARY);
    assert!(Command::new("chown").arg("-R").arg(owner).arg(place.workspace()).status().unwrap().success());
    let _given = given(&place);
    let before = host.files();
    let allowed: Vec<_> = run(&place, &host).into_iter().filter(|line| line.verdict == Verdict::Allowed).collect();
    for line in &allowed {
        assert_eq!(expected(&line.name, "full", User::Own), Verdict::Allowed, "{line:?}");
    }
    assert!(allowed.len() > 10, "{allowed:?}");
    assert_eq!(host.files(), before);
    assert!(!host.was_called());
}

/// The same program where nothing keeps it in: whoever changes a probe so that it can never work is told.
#[test]
fn the_probes_work_without_a_sandbox() {
    const WORKING: [&str; 30] = [
        "tcp",
        "fast-open",
        "listen",
        "netlink",
        "unix-path",
        "unix-path-through-root",
        "unix-abstract",
        "unix-pair-datagram",
        "clone-user",
        "clone3-user",
        "unshare-user",
        "personality",
        "vm-read-host",
        "signal-host",
        "pidfd-host",
        "limits-host",
        "affinity-host",
        "proc-host-environ",
        "proc-host-mem",
        "proc-host-root",
        "proc-host-cmdline",
        "read-outside",
        "list-outside",
        "write-outside",
        "create-outside",
        "chmod-outside",
        "rename-in",
        "hard-link-in",
        "setuid-file",
        "read-masked",
    ];
    let user = *users().last().expect("somebody");
    let (host, place) = (Host::new(user), prepared(user, "none"));
    let lines = run(&place, &host);
    for name in WORKING {
        let line = lines.iter().find(|line| line.name == name).expect(name);
        if line.verdict != Verdict::Allowed {
            unreached(name, &format!("this machine refuses it to everybody ({})", line.error));
        }
    }
    assert!(host.was_called(), "or nobody could be heard above");
    let working =
        WORKING.iter().filter(|name| lines.iter().any(|line| line.name == **name && line.verdict == Verdict::Allowed));
    assert!(working.count() > WORKING.len() / 2);
}
