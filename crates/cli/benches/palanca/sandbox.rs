//! The start of a program that does nothing: kept in by us, by bubblewrap, and not at all.

use crate::stat::{ratio, row, side_by_side};
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Keep, Owner, Processes as _, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const ROUNDS: usize = 200;

pub fn bench() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let door = |isolation| {
        let mut settings = SandboxSettings::new(folder.path().canonicalize().unwrap(), isolation);
        settings.helper = env!("CARGO_BIN_EXE_palanca").into();
        Sandbox::new(settings)
    };
    let plain = || {
        let status =
            Command::new("/bin/sh").args(["-c", "true"]).current_dir(folder.path()).stdin(Stdio::null()).status();
        assert!(status.unwrap().success());
    };
    let owner = Owner::of(&Scope::session(SessionId::new("bench")));
    let call = CallId::new("1");
    let launch = Launch::script(Shell::Sh, "true", CanonicalPath::new(Root::Workspace, PathBuf::new()));
    let limits = RunLimits { time: Duration::from_secs(10), keep: Keep::default() };
    let kept_in = |door: &Sandbox| {
        let run = Run {
            by: By { owner: &owner, call: &call, session: None },
            limits,
            cancel: &Cancel::new(),
            tail: None,
            questions: None,
        };
        runtime.block_on(door.run(&launch, run)).unwrap();
    };
    for (name, isolation, aim) in
        [("full", Isolation::Full, "p50 ≤ 8 ms"), ("no isolation", Isolation::Unsandboxed, "–")]
    {
        match door(isolation) {
            Ok(door) => {
                let times = side_by_side(ROUNDS, || kept_in(&door), plain);
                ratio(&format!("`sh -c true`, {name} / plain spawn"), times, aim);
            }
            Err(error) => row(&format!("`sh -c true`, {name}"), &error.to_string(), aim),
        }
    }
    let workspace = folder.path().to_str().unwrap().to_owned();
    let bubblewrap = || {
        let words = "--unshare-user --unshare-all --cap-drop ALL --new-session --die-with-parent --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp";
        let mut command = Command::new("bwrap");
        command.args(words.split(' ')).args(["--bind", &workspace, &workspace, "sh", "-c", "true"]);
        command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !bubblewrap() {
        row("`sh -c true`, full / bubblewrap", "no bubblewrap here", "–");
    } else if let Ok(door) = door(Isolation::Full) {
        let times = side_by_side(ROUNDS, || kept_in(&door), || assert!(bubblewrap()));
        ratio("`sh -c true`, full / bubblewrap with all namespaces", times, "≤ 1.0");
    }
}
