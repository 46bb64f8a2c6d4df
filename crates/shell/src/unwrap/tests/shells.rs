#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::{Inner, unwrap};
use super::{command, fed, inner, place};
use crate::command::{Command, Input, Origin, Piece, Trace, UnknownKind, Word};

#[test]
fn texts_are_found() {
    let rows = [
        "sh -c 'ls x'",
        "/bin/bash -c 'ls x' a b",
        "bash -lc 'ls x'",
        "bash -xec 'ls x'",
        "bash -c -x 'ls x'",
        "bash -o pipefail -c 'ls x'",
        "bash -eo pipefail -c 'ls x'",
        "bash --norc --rcfile f -c 'ls x'",
        "bash +x -c 'ls x'",
        "bash -c -- 'ls x'",
        "zsh -fc 'ls x'",
        "fish -c 'ls x'",
        "fish --command='ls x'",
        "tcsh -c 'ls x'",
        "bash5.2 -c 'ls x'",
        "-bash -c 'ls x'",
        "ksh93 -c 'ls x'",
        "eval ls x",
        "eval -- 'ls x'",
        "trap 'ls x' EXIT",
        "trap -- 'ls x' 0",
        "mapfile -C 'ls x' -c1 a",
        "complete -C 'ls x' foo",
        "pwsh -Command ls x",
        "pwsh -e bABzACAAeAA=",
    ];
    for text in rows {
        assert_eq!(inner(&command(text)), ["sh: ls x"], "{text}");
    }
}

#[test]
fn stdin_is_read() {
    for text in [
        "sh",
        "bash -s",
        "bash -s -- -y",
        "bash -",
        "bash /dev/stdin",
        "source /dev/stdin",
        ". /dev/fd/0 a",
        "bash -x",
        "dash",
    ] {
        assert_eq!(inner(&fed(text, "ls x")), ["sh: ls x"], "{text}");
    }
    for text in ["sh", "bash x.sh", "source x.sh", "trap - EXIT", "trap INT", "bash --version"] {
        assert_eq!(unwrap(&command(text), &place()), None, "{text}");
    }
}

#[test]
fn what_is_not_known_stays_a_hole() {
    let network = Trace::of(Origin::Network);
    let from = Command { input: Input { text: None, trace: network }, ..command("bash -s") };
    let found = unwrap(&from, &place()).unwrap();
    let Inner::Script(script) = &found.inner[0] else { panic!() };
    assert!(matches!(&script.text.pieces[..], [Piece::Unknown(one)] if one.kind == UnknownKind::Output(network)));

    let hole = super::super::words::output(network);
    for program in ["bash", "source", "."] {
        let words = vec![Word::text(program), hole.clone()];
        let found = unwrap(&Command { words, ..command("x") }, &place()).unwrap();
        assert!(matches!(&found.inner[0], Inner::Script(script) if script.text == hole), "{program}");
    }
}
