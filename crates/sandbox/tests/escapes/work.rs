//! What a sandbox must not break, beside what `isolation: work` does: work beside protected places, terminals, and
//! toolchains that lie in a hidden home.

use crate::driver::{Place, helper, users};
use palanca_core::call::{BotId, CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell, TerminalSize};
use palanca_core::ports::{By, Keep, Owner, Processes, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use palanca_testkit::{PATIENCE, skipped, unreached};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program, a text for the shell, and what it prints last. In a workspace whose `.git` and settings are protected.
const WORK: [(&str, &str, &str); 14] = [
    (
        "git",
        "mkdir -p a/b && cd a/b && git init -q . && git config user.email a@b && git config user.name a && echo x > f &&
         git add f && git commit -qm x && git gc -q && git branch c && git checkout -q c && git status --short | wc -l",
        "0",
    ),
    ("cc", "printf '#include <pthread.h>\\n#include <stdio.h>\\nvoid*f(void*x){return x;}int main(){pthread_t t[64];int n=0;for(int i=0;i<64;i++)n+=!pthread_create(t+i,0,f,0);for(int i=0;i<64;i++)pthread_join(t[i],0);printf(\"%%d\\\\n\",n);}' > t.c && cc -pthread -o t t.c && ./t", "64"),
    ("cc", "echo 'int main(){return 0;}' > /tmp/e.c && cc -o /tmp/e /tmp/e.c && cp /tmp/e /dev/shm/e && /tmp/e && /dev/shm/e && echo ran", "ran"),
    ("python3", "python3 -c 'import multiprocessing as m\nm.set_start_method(\"spawn\")\nprint(m.Pool.__name__)'; python3 -c 'import multiprocessing as m\nq=m.get_context(\"fork\").Queue();p=m.get_context(\"fork\").Process(target=q.put,args=(5,));p.start();print(q.get());p.join()'", "5"),
    ("python3", "python3 -c 'import asyncio\nasync def f():\n  p=await asyncio.create_subprocess_exec(\"echo\",\"sub\",stdout=-1)\n  print((await p.communicate())[0].decode().strip())\nasyncio.run(f())'", "sub"),
    ("python3", "python3 -c 'import socket,tempfile,os\nd=tempfile.mkdtemp();s=socket.socket(1);s.bind(d+\"/s\");s.listen();c=socket.socket(1);c.connect(d+\"/s\");c.send(b\"x\");print(s.accept()[0].recv(1))'", "b'x'"),
    ("python3", "python3 -c 'import pty,os\nprint(pty.spawn([\"sh\",\"-c\",\"stty size >/dev/null; test -t 1\"]))'", "0"),
    ("script", "script -qec 'tty | cut -c1-9' /dev/null | tr -d '\\r'", "/dev/pts/"),
    ("node", "node -e 'const{Worker}=require(\"worker_threads\");new Worker(\"require(\\\"worker_threads\\\").parentPort.postMessage(7)\",{eval:true}).on(\"message\",m=>console.log(m))'", "7"),
    ("node", "node -e 'require(\"child_process\").exec(\"echo child\",(e,o)=>console.log(o.trim()))'", "child"),
    ("make", "printf 'all: a b c\\n%%: \\n\\t@echo $@ > $@\\n' > Makefile && make -s -j4 a b c && cat a b c | tr -d '\\n'", "abc"),
    ("sort", "seq 400000 | sort -R --parallel=2 -S 4M | sort -n -S 4M | tail -1", "400000"),
    ("xargs", "seq 100 | xargs -P8 -n3 sh -c 'for one; do echo $one; done' - | wc -l", "100"),
    ("tar", "mkdir -p src && echo y > src/f && tar cf - src | (mkdir -p /tmp/o && cd /tmp/o && tar xf - && cat src/f)", "y"),
];

#[test]
fn work_goes_on_beside_what_is_protected() {
    for user in users() {
        for (program, text, expected) in WORK {
            if !there(program) {
                skipped(program, "not where the sandbox shows programs");
                continue;
            }
            let place = Place::new(user, "full").protect(&[".git/hooks", ".git/config", ".vscode", ".mcp.json"]);
            let seen = place.sh(text);
            let last = seen.output.lines().last().unwrap_or_default();
            assert_eq!(last, expected, "{program} as {user:?}: {seen:?}");
        }
    }
}

/// Only when `PALANCA_TEST_CARGO=1` says so: it compiles, and cargo has locks of its own.
#[test]
fn a_toolchain_in_a_hidden_home_works_when_it_is_granted() {
    if std::env::var_os("PALANCA_TEST_CARGO").is_none() {
        return unreached("cargo in the sandbox", "PALANCA_TEST_CARGO is not set");
    }
    let found = Command::new("rustc").args(["--print", "sysroot"]).output();
    let Some(root) = found.ok().and_then(|found| String::from_utf8(found.stdout).ok()) else {
        return skipped("cargo", "no rustc here");
    };
    let root = PathBuf::from(root.trim());
    for user in users() {
        let reached = crate::host::as_user(user, Command::new("test").arg("-x").arg(root.join("bin/cargo"))).status();
        if !reached.is_ok_and(|status| status.success()) {
            unreached(&format!("cargo as {user:?}"), "the toolchain lies in somebody else's private home");
            continue;
        }
        let mut place = Place::new(user, "full");
        place.readable = vec![root.clone()];
        let root = root.display();
        let text = format!(
            "export PATH={root}/bin:$PATH; cargo --version | cut -d' ' -f1; cargo init -q --name one . 2>/dev/null;
             cargo build -q --offline && ./target/debug/one; touch {root}/x 2>/dev/null || echo refused"
        );
        assert_eq!(place.sh(&text).output, "cargo\nHello, world!\nrefused\n", "{user:?}");
    }
}

/// Also for somebody outside who works in the repository meanwhile.
#[test]
fn git_works_in_a_repository_whose_settings_are_held() {
    const ORDINARY: &str =
        "git status --short && echo x >> f && git commit -qam y && git checkout -q -b new && git diff HEAD &&
        git stash list && git reset -q --hard HEAD~1 && git gc -q && git worktree list | wc -l";
    if !there("git") {
        return skipped("git", "not where the sandbox shows programs");
    }
    for user in users() {
        let place = Place::new(user, "full").protect(&[
            ".git/hooks",
            ".git/config",
            ".git/commondir",
            ".git/config.worktree",
            ".gitmodules",
            "refs",
            "commondir",
        ]);
        let outside = |text: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-ec", text]).current_dir(place.workspace()).env("HOME", place.workspace());
            let ran = crate::host::as_user(user, &mut shell).output().unwrap();
            assert!(ran.status.success(), "{user:?}: {text}: {ran:?}");
            String::from_utf8(ran.stdout).unwrap()
        };
        outside("git init -q . && git config user.email a@b && git config user.name a && echo x > f && git add f");
        outside("git config extensions.worktreeConfig true && git commit -qm x && git commit -q --allow-empty -m y");
        assert_eq!(place.sh(ORDINARY).output, "1\n", "{user:?}");
        let mut live = place.start(&["sleep", "1000"]);
        assert!(live.report().unwrap()["Started"].is_object());
        assert!(place.path(".git/commondir").exists());
        assert_eq!(outside(&ORDINARY.replace("new", "newer")), "1\n", "{user:?}");
        live.socket.shutdown(std::net::Shutdown::Both).unwrap();
        live.gone();
        assert!(!place.path(".git/commondir").exists());
    }
}

/// In a place that the sandbox shows.
pub fn there(program: &str) -> bool {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "command -v \"$1\"", "-", program]).env("PATH", "/usr/local/bin:/usr/bin:/bin");
    shell.stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Through the real door, which makes the terminal.
pub fn with_terminal(workspace: &Path, text: &str) -> String {
    let mut settings = SandboxSettings::new(workspace, Isolation::Full);
    settings.helper = helper().to_owned();
    let door = Sandbox::new(settings).unwrap();
    let mut launch = Launch::script(Shell::Sh, text, CanonicalPath::new(Root::Workspace, PathBuf::new()));
    launch.terminal = Some(TerminalSize { rows: 25, columns: 80 });
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
    String::from_utf8_lossy(&finished.stdout.head).into_owned()
}
