//! Many ways to start one command, many that only look so, and what commands print: one row of a file each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{command, fed, place};
use crate::command::{Command, Input, Origin, Piece, Trace, Unknown, UnknownKind};
use crate::unwrap::words::split;
use crate::unwrap::{Inner, printed, unwrap};
use crate::{Class, judge};

/// Every command that is reached, through texts of plain words too.
fn reached(command: &Command) -> Vec<Inner> {
    let mut open = vec![command.clone()];
    let mut all = Vec::new();
    while let Some(next) = open.pop() {
        assert!(all.len() < 500, "endless: {:?}", command.words);
        for inner in unwrap(&next, &place()).map(|found| found.inner).unwrap_or_default() {
            all.push(inner.clone());
            match inner {
                Inner::Command(command) => open.push(*command),
                Inner::Script(script) => {
                    let text = script.text.to_string();
                    for part in text.split([';', '\n', '&', '|', '{', '}']) {
                        let words = split(part);
                        let plain = Command::plain(words, &place());
                        if !plain.words.is_empty() {
                            let plain = Command { input: script.input.clone(), via: script.via.clone(), ..plain };
                            all.push(Inner::Command(Box::new(plain.clone())));
                            open.push(plain);
                        }
                    }
                }
            }
        }
    }
    all
}

fn shown(all: &[Inner]) -> Vec<String> {
    all.iter().map(super::shown).map(|text| text.trim_start_matches("sh: ").trim().to_owned()).collect()
}

fn is_it(text: &str) -> bool {
    let text = text.trim_start_matches(['!', ' ']);
    let text = text.strip_prefix("exec ").unwrap_or(text);
    let text = text.strip_prefix("/bin/").unwrap_or(text);
    let text = text.strip_suffix(" ./*").unwrap_or(text);
    matches!(text, "rm -rf /" | "rm -rf -- /" | "rm -r -f /")
}

fn rows(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn read(row: &str) -> Command {
    match row.split_once(" <<< ") {
        Some((text, input)) => fed(text, &input.replace("\\n", "\n").replace("\\t", "\t")),
        None => command(row),
    }
}

fn none_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_command_is_found_however_it_is_started() {
    let missed = rows(include_str!("dressed/found.txt")).filter_map(|row| {
        let found = shown(&reached(&read(row)));
        (!found.iter().any(|text| is_it(text))).then(|| format!("{row}: {found:?}"))
    });
    none_wrong(&missed.collect::<Vec<_>>());
}

#[test]
fn what_is_only_said_is_not_started() {
    let taken = rows(include_str!("dressed/spared.txt")).filter_map(|row| {
        let found = shown(&reached(&read(row)));
        found.iter().any(|text| text.starts_with("rm -rf")).then(|| format!("{row}: {found:?}"))
    });
    none_wrong(&taken.collect::<Vec<_>>());
}

#[test]
fn what_is_printed_is_folded_or_traced() {
    let wrong = rows(include_str!("dressed/prints.txt")).filter_map(|row| {
        let (text, expected) = row.split_once(" => ").unwrap();
        let command = match text.split_once(" <<< ") {
            Some((text, input)) => fed(text, &(input.replace("\\n", "\n") + "\n")),
            None => command(text),
        };
        let out = printed(&command);
        let right = match expected {
            "@N" => out.trace.has(Origin::Network),
            "@D" => out.trace.has(Origin::Decoder),
            "@F" => out.trace.has(Origin::File) && out.text.is_none(),
            "@P" => out.text.is_none(),
            text => {
                let said = out.text.as_deref().map(|said| said.trim_end_matches('\n').replace('\n', "\\n"));
                said.as_deref() == Some(text)
            }
        };
        (!right).then(|| format!("{row}: {out:?}"))
    });
    none_wrong(&wrong.collect::<Vec<_>>());
}

#[test]
fn filters_and_shells_keep_where_their_stdin_comes_from() {
    let foreign = |text: &str| {
        let input = Input { text: None, trace: Trace::of(Origin::Network) };
        Command { input, ..command(text) }
    };
    let filters = [
        "cat",
        "tee x",
        "sed s/a/b/",
        "grep x",
        "awk 1",
        "head -n5",
        "tail -n +2",
        "tr a b",
        "sort",
        "uniq",
        "cut -c1-",
        "rev",
        "tac",
        "base64 -d",
        "gunzip",
        "xz -dc",
        "jq -r .x",
        "iconv -f x",
        "fold -w 80",
        "pv",
        "env cat",
        "timeout 5 cat",
        "perl -pe s/a/b/",
        "xargs echo",
        "dd bs=1",
        "openssl enc -d -aes-256-cbc",
        "strings",
        "expand -t 4",
        "paste -sd ''",
        "column -t",
        "zstd -d",
        "gpg -d",
        "recode x",
        "sh -c cat",
        "xxd -r -p",
        "fmt -w 80",
        "pr -t",
    ];
    for filter in filters {
        assert!(printed(&foreign(filter)).trace.has(Origin::Network), "{filter}");
    }
    let shells = [
        "sh",
        "bash -s",
        "bash -s -- -y",
        "bash -",
        "bash /dev/stdin",
        "busybox sh",
        "env bash",
        ". /dev/stdin",
        "source /dev/stdin",
        "exec sh",
        "chroot / sh",
        "xargs -I{} sh -c {}",
        "xargs -0 sh -c",
        "parallel",
        "at now",
        "ssh h",
        "ssh -T h bash -s",
        "docker exec -i c sh",
        "sudo -u x bash",
        "script -c bash x",
        "sh -c 'exec bash'",
    ];
    let is_foreign = |piece: &Piece| matches!(piece, Piece::Unknown(Unknown { kind: UnknownKind::Output(trace), .. }) if trace.has(Origin::Network));
    for shell in shells {
        let all = reached(&foreign(shell));
        let read =
            all.iter().any(|one| matches!(one, Inner::Script(script) if script.text.pieces.iter().any(is_foreign)));
        assert!(read, "{shell}: {:?}", shown(&all));
    }
}

#[test]
fn whole_texts_are_refused_or_not() {
    let wrong = rows(include_str!("dressed/judged.txt")).filter_map(|row| {
        let (expected, text) = row.split_once(' ').unwrap();
        let text = text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\");
        let judged = judge(&text, &place());
        ((judged.class == Class::Blocked) != (expected == "+")).then(|| format!("{row}: {}", judged.reason.rule))
    });
    none_wrong(&wrong.collect::<Vec<_>>());
}

#[test]
fn what_is_computed_is_never_safe() {
    let wrong = rows(include_str!("dressed/computed.txt"))
        .filter(|row| matches!(judge(&row.replace("\\n", "\n"), &place()).class, Class::Safe | Class::Dev));
    none_wrong(&wrong.map(str::to_owned).collect::<Vec<_>>());
}

#[test]
fn one_among_many_is_not_left_out() {
    let names: String = (0..100).map(|at| format!("a{at} ")).collect();
    let many = |text: &str, times: usize| text.repeat(times);
    let rows = [
        format!("printf '%s\\n' {names} / | xargs rm -rf"),
        format!("printf '%s\\n' {names} / | xargs -n1 rm -rf"),
        format!("printf '%s\\n' {names} / | xargs -I% rm -rf %"),
        format!("parallel rm -rf ::: {names} /"),
        format!("find {names} / -exec rm -rf {{}} +"),
        format!("python3 -c 'import os;{}os.system(\"rm -rf /\")'", many("os.system(\"ls\");", 200)),
        format!("make -f - <<'E'\nall:\n{}\trm -rf /\nE", many("\techo a\n", 300)),
        format!("sqlite3 x <<'E'\n{}.shell rm -rf /\nE", many("select 1;\n", 300)),
        format!("sed '{}e rm -rf /' x", many("p;", 300)),
        format!("python3 -c 'a=\"xxxxxxxx\";{}import os;os.system(\"rm -rf /\")'", many("a=a+a;", 60)),
        format!("echo aaaaaaaa | sed '{}'; rm -rf /", many("s/a/aaaaaaaa/g;", 20)),
    ];
    for row in rows {
        assert_eq!(judge(&row, &place()).class, Class::Blocked, "{row}");
    }
    for row in [
        "seq 1 2000 | xargs -n1 echo",
        "seq 1 2000 | xargs -I{} echo {}",
        "seq 1000 | awk '{system(\"echo \" $1)}'",
        "parallel echo {1} {2} ::: {1..50} ::: {1..50}",
    ] {
        assert_ne!(judge(row, &place()).class, Class::Blocked, "{row}");
    }
}
