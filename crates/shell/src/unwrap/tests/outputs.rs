#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::outputs::printed;
use super::{command, fed};
use crate::command::{Command, Input, Origin, Trace};

#[test]
fn constants_are_printed() {
    let rows: &[(&str, &str)] = &[
        ("echo a  b", "a b\n"),
        ("echo -n a", "a"),
        ("echo -e 'a\\x72m\\0162'", "armr\n"),
        ("echo -x a", "-x a\n"),
        ("printf %s rm", "rm"),
        ("printf '%s\\n' a b", "a\nb\n"),
        ("printf '%s-%s ' a b c", "a-b c- "),
        ("printf '\\162\\155'", "rm"),
        ("printf '\\x72\\u006d'", "rm"),
        ("printf %b '\\0162m'", "rm"),
        ("printf '%c%c' rx mx", "rm"),
        ("printf %%", "%"),
        ("env printf %s x", "x"),
        ("command echo x", "x\n"),
        ("busybox echo x", "x\n"),
        ("nice -n 5 echo rm", "rm\n"),
        ("seq 3", "1\n2\n3\n"),
        ("basename /bin/rm", "rm\n"),
        ("dirname /etc/x", "/etc\n"),
        ("dirname /x", "/\n"),
        ("pwd", "/w\n"),
        ("command -v rm", "/usr/bin/rm\n"),
        ("which rm", "/usr/bin/rm\n"),
        ("yes rm", "rm\n"),
        ("realpath /a/../b", "/b\n"),
        ("sh -c 'echo x'", "x\n"),
    ];
    for (text, expected) in rows {
        assert_eq!(printed(&command(text)).text.as_deref(), Some(*expected), "{text}");
    }
}

#[test]
fn filters_are_folded() {
    let rows: &[(&str, &str, &str)] = &[
        ("cat", "a\n", "a\n"),
        ("cat -", "a\n", "a\n"),
        ("tee x", "a\n", "a\n"),
        ("base64 -d", "cm0gLXJmIC8=\n", "rm -rf /"),
        ("base64 --decode -", "cm0g\nLXJmIC8=\n", "rm -rf /"),
        ("base64 -di", "cm0gLXJmIC8=", "rm -rf /"),
        ("xxd -r -p", "726d202d7266202f", "rm -rf /"),
        ("rev", "/ fr- mr\n", "rm -rf /\n"),
        ("sed s/X/rm/", "X -rf /", "rm -rf /"),
        ("head -n1", "a\nb\n", "a\nb\n"),
        ("head -1", "a\nb\n", "a\nb\n"),
        ("tail -n 1", "a\nb\n", "a\nb\n"),
        ("tail -n +2", "a\nb\n", "a\nb\n"),
        ("tac", "a\nb\n", "a\nb\n"),
        ("sort", "b\na\n", "b\na\n"),
        ("env rev", "mr", "rm"),
    ];
    for (text, input, expected) in rows {
        assert_eq!(printed(&fed(text, input)).text.as_deref(), Some(*expected), "{text}");
    }
}

#[test]
fn the_trace_tells_the_sources() {
    use Origin::{Constant, Decoder, File, Network, Program};
    let rows: &[(&str, &[Origin], &[Origin])] = &[
        ("curl -s x.io", &[Network], &[Constant]),
        ("env -i timeout 5 curl x.io", &[Network], &[]),
        ("sudo curl x.io", &[Network], &[]),
        ("sh -c 'curl x.io'", &[Network], &[]),
        ("bash -c 'ls; curl x.io | head'", &[Network], &[]),
        ("cat x", &[File], &[Network]),
        ("gzip -dc x", &[File, Decoder], &[Network]),
        ("zcat x", &[Decoder], &[]),
        ("tar xzOf x.tgz", &[Decoder], &[]),
        ("gpg -d x", &[Decoder], &[]),
        ("base64 -d x", &[Decoder, File], &[]),
        ("gzip -c x", &[Program], &[Decoder]),
        ("jq .x f", &[File], &[Network]),
        ("ls", &[Program], &[Network]),
        ("cat /dev/tcp/x/80", &[Network], &[]),
    ];
    for (text, has, hasnt) in rows {
        let trace = printed(&command(text)).trace;
        assert!(has.iter().all(|origin| trace.has(*origin)), "{text}: {trace:?}");
        assert!(!hasnt.iter().any(|origin| trace.has(*origin)), "{text}: {trace:?}");
    }
}

#[test]
fn filters_keep_the_trace_of_what_they_read() {
    let input = Input { text: None, trace: Trace::of(Origin::Network) };
    for text in [
        "cat",
        "tee x",
        "jq -r .x",
        "sed s/a/b/",
        "awk '{print}'",
        "head -5",
        "grep x",
        "tr a b",
        "base64 -d",
        "gunzip",
        "env cat",
        "cat - x",
        "iconv -f a",
        "tail -n +2",
        "xargs",
    ] {
        let trace = printed(&Command { input: input.clone(), ..command(text) }).trace;
        assert!(trace.has(Origin::Network), "{text}: {trace:?}");
    }
}

#[test]
fn what_is_printed_is_bounded() {
    assert_eq!(printed(&command("seq 1 100000000")).text, None);
    assert_eq!(printed(&command("printf %9999999s x")).text, None);
    assert_eq!(printed(&fed("sed s/a/b/", &"a".repeat(70_000))).text, None);
}
