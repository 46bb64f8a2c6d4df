//! What is left of a program in the workspace: nothing but what the program made, however it ended.

use crate::driver::{Place, users};

const PROTECTED: [&str; 12] = [
    ".git/hooks",
    ".git/commondir",
    "src/.git/commondir",
    "refs",
    ".git/config",
    ".mcp.json",
    ".vscode",
    ".claude/settings.json",
    ".codex/config.toml",
    "src/.git/config",
    "palanca.toml",
    "src/absent/deep",
];

fn place(user: crate::driver::User) -> Place {
    let place = Place::new(user, "full");
    place.file("src/main.c", "int main;");
    place.file("src/.git/HEAD", "ref: x");
    place.file(".mcp.json", "{}");
    place.protect(&PROTECTED)
}

const TRIES: [&str; 8] = [
    "true",
    "rm -rf .git .claude .codex .vscode palanca.toml src/absent; false",
    "mv src s; mv src/.git src/g; mkdir -p src/.git/config",
    "mkdir -p .git/hooks .claude/x .codex/x; echo x > .git/config",
    "ln -s /etc .vscode/link; ln -s src .git",
    "chmod 777 .git .vscode .claude; touch .git .vscode",
    "setfattr -n user.x -v y .git; chown 1 .git",
    "kill -9 $$",
];

#[test]
fn the_workspace_is_as_it_was_after_every_run() {
    run_everything(TRIES.len());
}

pub fn run_everything(rounds: usize) {
    for user in users() {
        let place = place(user);
        let before = place.listing();
        for round in 0..rounds {
            place.sh(TRIES[round % TRIES.len()]);
            assert_eq!(place.listing(), before, "{user:?} round {round}: {}", TRIES[round % TRIES.len()]);
        }
    }
}

#[test]
fn the_workspace_is_as_it_was_after_a_run_that_follows_a_sigkill_of_everything() {
    kill_everything(3);
}

pub fn kill_everything(rounds: usize) {
    for user in users() {
        let place = place(user);
        let before = place.listing();
        for round in 0..rounds {
            let mut live = place.start(&["sh", "-c", "echo up; sleep 1000"]);
            // Also before it is up.
            if round % 3 > 0 {
                live.report().unwrap();
            }
            live.child.kill().unwrap();
            live.gone();
            assert_eq!(place.sh("echo x > .vscode/x || echo x > .git/config").code(), Some(2));
            assert_eq!(place.listing(), before, "{user:?} round {round}");
        }
    }
}

#[test]
fn who_ends_first_leaves_the_other_protected() {
    for user in users() {
        let place = place(user);
        let before = place.listing();
        let script = "read x < fifo; (echo x > .vscode/tasks.json; mkdir .git/hooks; echo x > .claude/settings.json;
            mv src s; rmdir .vscode; mv .vscode v) 2>/dev/null; ls -A .vscode .git .claude";
        place.sh("mkfifo fifo");
        let mut first = place.start(&["sh", "-c", script]);
        first.report().unwrap();
        let mut second = place.start(&["sleep", "1000"]);
        second.report().unwrap();
        // By the lifeline and by SIGKILL.
        if user == crate::driver::User::Own {
            second.child.kill().unwrap();
        }
        second.socket.shutdown(std::net::Shutdown::Both).unwrap();
        second.gone();
        place.sh("echo go > fifo");
        assert_eq!(first.end().output, ".claude:\n\n.git:\n\n.vscode:\n", "{user:?}");
        std::fs::remove_file(place.path("fifo")).unwrap();
        assert_eq!(place.listing(), before, "{user:?}");
    }
}
