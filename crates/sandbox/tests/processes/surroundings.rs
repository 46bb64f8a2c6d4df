//! Where programs start, and which variables they see.

use crate::space::{Space, isolation, limits, script, text};
use palanca_core::call::{CanonicalPath, Launch, Root};
use palanca_core::ports::ProcessErrorKind as K;
use palanca_sandbox::{Isolation, Sandbox, SandboxError, SandboxSettings, Spill};
use palanca_testkit::{PATIENCE, again};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

fn at(root: Root, path: &str) -> Launch {
    script("pwd").try_at(|_| Ok::<_, ()>(CanonicalPath::new(root, PathBuf::from(path)))).unwrap()
}

#[test]
fn programs_start_where_it_was_judged() {
    let space = Space::with(|settings| {
        let lib = settings.workspace.parent().unwrap().join("lib");
        std::fs::create_dir_all(lib.join("deep")).unwrap();
        settings.roots = vec![lib];
    });
    let real = space.path("").canonicalize().unwrap();
    std::fs::create_dir_all(space.path("ws/a/b")).unwrap();
    std::fs::create_dir_all(space.path("outside/b")).unwrap();
    std::fs::write(space.path("ws/file"), "").unwrap();
    let check = |root: Root, path: &str, expected: Result<&str, K>| {
        let ended = space.run(&at(root, path), limits(PATIENCE)).map(|finished| text(&finished.stdout));
        let expected = expected.map(|path| format!("{}\n", real.join(path).display()));
        assert_eq!(ended.map_err(|error| error.kind), expected, "{path}");
    };
    check(Root::Workspace, "", Ok("ws"));
    check(Root::Workspace, "a/b", Ok("ws/a/b"));
    check(Root::ReadOnly(0), "deep", Ok("lib/deep"));
    check(Root::ReadOnly(1), "", Err(K::Directory));
    check(Root::Workspace, "gone", Err(K::Directory));
    check(Root::Workspace, "file", Err(K::Directory));
    check(Root::Workspace, "..", Err(K::Directory));
    // Exchanged for a link since it was judged.
    std::fs::rename(space.path("ws/a"), space.path("ws/old")).unwrap();
    symlink(space.path("outside"), space.path("ws/a")).unwrap();
    check(Root::Workspace, "a", Err(K::Directory));
    check(Root::Workspace, "a/b", Err(K::Directory));
    // The whole workspace, by a link and by another directory.
    std::fs::rename(space.path("ws"), space.path("moved")).unwrap();
    symlink(space.path("outside"), space.path("ws")).unwrap();
    check(Root::Workspace, "", Err(K::Directory));
    std::fs::remove_file(space.path("ws")).unwrap();
    std::fs::create_dir(space.path("ws")).unwrap();
    check(Root::Workspace, "", Err(K::Directory));
}

#[test]
fn settings_that_cannot_hold_are_refused() {
    let space = Space::new();
    let check = |change: fn(&mut SandboxSettings)| {
        let mut settings = space.settings();
        change(&mut settings);
        assert!(matches!(Sandbox::new(settings), Err(SandboxError::Path { .. })));
    };
    check(|settings| settings.workspace = "relative".into());
    check(|settings| settings.workspace = "/".into());
    check(|settings| settings.workspace = "/no/such/place".into());
    check(|settings| settings.workspace = "/etc/passwd".into());
    check(|settings| settings.roots = vec!["/no/such/place".into()]);
    check(|settings| settings.protected = vec!["/etc".into()]);
    check(|settings| settings.readable = vec!["relative".into()]);
    check(|settings| settings.readable = vec!["/".into()]);
    check(|settings| settings.masked = vec!["/".into()]);
    check(|settings| {
        settings.spill =
            Some(Spill::new(settings.workspace.join("out"), std::sync::Arc::new(palanca_core::ports::AsItIs)))
    });
    check(|settings| settings.state_file = Some(settings.workspace.join("no/such/../state")));
    check(|settings| settings.protected = vec!["a/../..".into()]);
    check(|settings| settings.protected = vec!["".into()]);
}

#[test]
fn a_program_that_is_no_helper_is_found_out() {
    let space = Space::new();
    for (helper, kind) in [("/bin/true", K::Isolation), ("/no/such/helper", K::Io)] {
        let mut settings = space.settings();
        settings.helper = helper.into();
        settings.isolation = Isolation::Best;
        assert!(matches!(Sandbox::new(settings.clone()), Err(SandboxError::Isolation(_))), "{helper}");
        settings.isolation = Isolation::Unsandboxed;
        let space = Space::over(settings);
        assert_eq!(space.run(&script("true"), limits(PATIENCE)).unwrap_err().kind, kind, "{helper}");
    }
}

const CANARY: &str = "canary-4f1c9a";

/// Started by the next test, with canaries in its environment.
#[test]
#[ignore = "is started by another test"]
fn a_process_with_canaries() {
    let space = Space::new();
    // Its own variables, those of whoever started it, and whatever else /proc shows.
    let finished = space.sh(
        "env; cat /proc/self/environ /proc/$PPID/environ /proc/1/environ /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; set; exit 0",
    );
    let seen = text(&finished.stdout) + &text(&finished.stderr);
    assert!(seen.contains("GIT_TERMINAL_PROMPT=0"), "{seen}");
    // Without isolation every process of the user is in sight; what we give is clean all the same.
    let seen = if isolation() == Isolation::Unsandboxed { text(&space.sh("env; set").stdout) } else { seen };
    assert!(!seen.contains(CANARY), "{seen}");
}

#[test]
fn no_canary_of_our_environment_is_seen() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact"]);
    let names = [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "GITHUB_TOKEN",
        "GH_TOKEN",
        "GITLAB_TOKEN",
        "NPM_TOKEN",
        "CARGO_REGISTRY_TOKEN",
        "DATABASE_URL",
        "PGPASSWORD",
        "MYSQL_PWD",
        "SECRET_KEY",
        "SLACK_BOT_TOKEN",
        "TELEGRAM_TOKEN",
        "STRIPE_KEY",
        "SSH_AUTH_SOCK",
        "GPG_AGENT_INFO",
        "KUBECONFIG",
        "DOCKER_CONFIG",
        "AZURE_CLIENT_SECRET",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "HF_TOKEN",
        "VAULT_TOKEN",
        "HTTP_PROXY",
        "https_proxy",
        "GIT_ASKPASS",
        "PALANCA_KEY",
        "RS_API_KEY",
        "MY_OWN_THING",
        "BASH_ENV",
        "DBUS_SESSION_BUS_ADDRESS",
    ];
    assert!(names.len() >= 30);
    command.envs(names.map(|name| (name, format!("{CANARY}-{name}"))));
    again("variables", &mut command, &["surroundings::a_process_with_canaries"]);
}

#[test]
fn a_refused_variable_starts_nothing() {
    let space = Space::new();
    let mut launch = script("touch made");
    launch.environment = vec![("GREETING".into(), "hello".into()), ("LD_PRELOAD".into(), "./evil.so".into())];
    let error = space.run(&launch, limits(PATIENCE)).unwrap_err();
    assert_eq!((error.kind, error.what.as_str()), (K::Environment, "LD_PRELOAD"));
    assert!(!space.path("ws/made").exists());
    launch.environment.pop();
    launch.command = script("echo $GREETING").command;
    assert_eq!(text(&space.run(&launch, limits(PATIENCE)).unwrap().stdout), "hello\n");
}
