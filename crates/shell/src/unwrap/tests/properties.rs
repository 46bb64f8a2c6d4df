#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::words::anything;
use super::super::{outputs, unwrap};
use super::{innermost, place};
use crate::command::{Command, Input, Origin, Trace, UnknownKind, Word};
use proptest::prelude::*;

const AROUND: [&str; 34] = [
    "env",
    "env -i A=1",
    "nice -n 5",
    "nohup",
    "setsid -w",
    "timeout -k 1 5",
    "time -p",
    "stdbuf -oL",
    "command --",
    "command -p",
    "exec -a x",
    "ionice -c 3",
    "chrt -b 0",
    "taskset -c 1",
    "busybox",
    "busybox env",
    "sudo -u x",
    "doas",
    "strace -f",
    "xargs",
    "xargs -n 1 -P 2",
    "flock -n x",
    "unshare -r",
    "chroot /m",
    "systemd-run --user",
    "ssh h",
    "docker run --rm i",
    "uv run",
    "npx -y",
    "kubectl exec p --",
    "watch -x",
    "parallel",
    "eval",
    "find x -maxdepth 0 -exec",
];

const PROGRAMS: [&str; 40] = [
    "env", "nice", "timeout", "sudo", "su", "ssh", "sh", "bash", "eval", "xargs", "find", "parallel", "git", "tar",
    "awk", "sed", "python3", "perl", "node", "make", "crontab", "echo", "printf", "tr", "cut", "head", "base64", "xxd",
    "docker", "tmux", "bwrap", "vim", "psql", "socat", "seq", "tclsh", "lua", "ruby", "php", "emacs",
];

fn word() -> impl Strategy<Value = Word> {
    prop_oneof![
        4 => proptest::sample::select(vec!["-", "--", "-c", "-e", "-n", "-I{}", "-exec", ";", "{}", "+", ":::", "-S", "exec", "run", "-o", "A=1", "%s%d", "s/a/b/e", "-f"])
            .prop_map(Word::text),
        2 => "[ -~\\n]{0,24}".prop_map(Word::text),
        1 => "\\PC{0,8}".prop_map(Word::text),
        1 => Just(anything(UnknownKind::Other)),
        1 => proptest::sample::select(PROGRAMS.to_vec()).prop_map(Word::text),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_sequence_of_wrappers_keeps_the_command(around in prop::collection::vec(proptest::sample::select(AROUND.to_vec()), 1..5)) {
        let text = format!("{} rm -rf /x", around.join(" "));
        let command = Command::plain(text.split(' '), &place());
        let last = innermost(&command);
        prop_assert!(last.iter().any(|one| one.starts_with("rm -rf /x")), "{text}: {last:?}");
    }

    #[test]
    fn no_words_make_it_fail(program in proptest::sample::select(PROGRAMS.to_vec()), words in prop::collection::vec(word(), 0..8), input in prop::option::of("\\PC{0,60}")) {
        let trace = Trace::of(Origin::Network);
        let words = std::iter::once(Word::text(program)).chain(words).collect();
        let command = Command { words, input: Input { text: input, trace }, ..Command::plain([""], &place()) };
        let found = unwrap(&command, &place());
        prop_assert!(found.is_none_or(|found| found.inner.len() < 600));
        let _ = outputs::printed(&command);
    }
}

#[test]
fn every_wrapper_of_the_table_starts_what_follows_it() {
    let quiet = [
        "capsh",
        "sg",
        "newgrp",
        "at",
        "batch",
        "nix-shell",
        "guix-shell",
        "bwrap",
        "logrotate",
        "su",
        "runuser",
        "sux",
        "hyperfine",
        "concurrently",
        "npm-run-all",
        "run-p",
        "run-s",
    ];
    for name in crate::catalogue::wrappers().filter(|name| !quiet.contains(name)) {
        let operands = ["x", "rm", "-rf", "/x"];
        let words = std::iter::once(name).chain(operands);
        let found = unwrap(&Command::plain(words, &place()), &place());
        assert!(found.is_some(), "{name}");
    }
}

#[test]
fn hostile_words_stay_cheap() {
    let long: Vec<String> = (0..4000).map(|at| format!("--odd{at}")).collect();
    for program in ["nice", "env", "xargs", "docker", "find", "timeout"] {
        let words = std::iter::once(program.to_owned()).chain(["run".to_owned()]).chain(long.iter().cloned());
        let command = Command::plain(words, &place());
        let (_, time) = palanca_testkit::spent(|| (unwrap(&command, &place()), outputs::printed(&command)));
        assert!(time.as_millis() < 2000, "{program} {time:?}");
    }
    let nested = "nice --odd x ".repeat(40) + "rm -rf /";
    let _ = outputs::printed(&Command::plain(nested.split(' '), &place()));
    let code = "system(".repeat(4000);
    let _ = unwrap(&Command::plain(["perl", "-e", &code], &place()), &place());
    let brackets = "[".repeat(20_000);
    let _ = unwrap(&Command::plain(["python", "-c", &format!("os.system({brackets}")], &place()), &place());
}
