use crate::driver::Place;
use crate::{check, full};
use std::fs;
use std::os::unix::fs::symlink;

const PATHS: [&str; 8] = [
    ".git/hooks",
    ".git/config",
    ".mcp.json",
    ".vscode/tasks.json",
    ".claude/settings.json",
    "deep/er/absent",
    "link",
    "dangling",
];

fn repository(place: Place) -> Place {
    place.file(".git/hooks/post-commit", "before");
    place.file(".git/config", "before");
    place.file(".git/HEAD", "ref: x");
    place.file("deep/file", "");
    place.file("target", "before");
    symlink("target", place.path("link")).unwrap();
    symlink("nowhere", place.path("dangling")).unwrap();
    place.protect(&PATHS)
}

fn intact(place: &Place) {
    for file in [".git/hooks/post-commit", ".git/config", "target"] {
        assert_eq!(fs::read_to_string(place.path(file)).unwrap(), "before", "{file}");
    }
}

#[test]
fn nothing_protected_changes_and_nothing_is_left_behind() {
    full(|place| {
        let place = repository(place);
        let before = place.listing();
        for attack in [
            "echo x > .git/config",
            "echo x > .git/hooks/pre-commit",
            "rm -rf .git/hooks",
            "rm .git/config",
            "mv .git g",
            "mv .git/hooks h",
            "mv .git/config c",
            "cp /etc/passwd .git/config",
            "ln -f deep/file .git/config",
            "chmod 777 .git/config",
            "touch .git/config",
            "truncate -s0 .git/config",
            "sed -i s/b/x/ .git/config",
            "ln .git/config hard",
            "mkdir n && mv -T n .git/hooks",
            "mv deep d",
            "mkdir deep/er/x",
            "echo x > .mcp.json",
            "rmdir .mcp.json",
            "mv .mcp.json m",
            "mkdir .mcp.json/x",
            "ln -s /etc .mcp.json/x",
            "rm -r .vscode",
            "echo x > .vscode/tasks.json",
            "mkdir -p .claude/x",
            "chmod 777 .claude",
            "rm link",
            "echo x > link",
            "echo x > target",
            "mv target t",
            "ln -sf /etc link",
            "mv -f deep/file link",
            "rm dangling",
            "echo x > dangling",
            "echo x > nowhere",
            "mkdir nowhere/x",
        ] {
            check(&place, &format!("({attack}) >/dev/null 2>&1 </dev/null && echo done; true"), "");
            intact(&place);
            // Copies are fair; what is protected is the thing itself.
            place.sh("rm -rf g h c d m n t hard");
            assert_eq!(place.listing(), before, "{:?}: {attack}", place.user);
        }
        check(
            &place,
            "echo y > .git/index.lock && mv .git/index.lock .git/index && rm .git/index && cat link",
            "before",
        );
        assert_eq!(place.listing(), before);
    });
}

#[test]
fn what_a_sigkill_of_everything_leaves_the_next_program_removes() {
    full(|place| {
        let place = repository(place);
        let before = place.listing();
        let mut live = place.start(&["sleep", "100"]);
        assert!(live.report().unwrap()["Started"].is_object());
        assert_ne!(place.listing(), before, "there is something to stand on");
        live.child.kill().unwrap();
        assert_eq!(live.gone(), "", "the program is gone");
        check(&place, "(echo x > .mcp.json) 2>/dev/null || echo refused", "refused");
        assert_eq!(place.listing(), before);
        intact(&place);
    });
}

#[test]
fn several_at_once_stand_on_the_same_ground() {
    full(|place| {
        let place = repository(place);
        let before = place.listing();
        let attack = "(echo x > .mcp.json; mkdir .claude/x .vscode/x; mv .git g) 2>/dev/null; true";
        place.sh("mkfifo fifo");
        let mut long =
            place.start(&["sh", "-c", &format!("read x < fifo; {attack}; ls -d .mcp.json g 2>/dev/null; true")]);
        long.report().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..8).for_each(|_| check(&place, attack, "")));
            }
        });
        place.sh("echo go > fifo");
        assert_eq!(long.end().output, ".mcp.json\n");
        fs::remove_file(place.path("fifo")).unwrap();
        assert_eq!(place.listing(), before);
        intact(&place);
    });
}

#[test]
fn files_put_into_a_placeholder_from_outside_stay() {
    full(|place| {
        let place = place.protect(&[".vscode"]);
        let mut live = place.start(&["sleep", "100"]);
        live.report().unwrap();
        fs::set_permissions(place.path(".vscode"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        fs::write(place.path(".vscode/settings.json"), "theirs").unwrap();
        live.socket.shutdown(std::net::Shutdown::Both).unwrap();
        live.gone();
        assert_eq!(fs::read_to_string(place.path(".vscode/settings.json")).unwrap(), "theirs");
    });
}

#[test]
fn a_workspace_that_cannot_be_written_needs_nothing_to_stand_on() {
    full(|place| {
        let place = place.protect(&["locked/inner"]);
        fs::create_dir(place.path("locked")).unwrap();
        place.file("locked/x", "");
        if place.user == crate::driver::User::Ordinary {
            check(&place, "mkdir locked/inner 2>/dev/null || echo refused", "refused");
        }
        assert!(!place.path("locked/inner").exists());
    });
}
