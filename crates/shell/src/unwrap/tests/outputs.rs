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
        ("printf '%x %o %d' 255 8 0x10", "ff 10 16"),
        ("printf '%5s|%-5s|%05d' a b 7", "    a|b    |00007"),
        ("printf '%.2s' rmx", "rm"),
        ("printf %%", "%"),
        ("env printf %s x", "x"),
        ("command echo x", "x\n"),
        ("busybox echo x", "x\n"),
        ("nice -n 5 echo rm", "rm\n"),
        ("seq 3", "1\n2\n3\n"),
        ("seq -s, 1 2 5", "1,3,5\n"),
        ("basename /bin/rm", "rm\n"),
        ("basename /a/rm.x .x", "rm\n"),
        ("dirname /etc/x", "/etc\n"),
        ("dirname /x", "/\n"),
        ("pwd", "/w\n"),
        ("command -v rm", "/usr/bin/rm\n"),
        ("which rm", "/usr/bin/rm\n"),
        ("yes rm", "rm\n"),
        ("realpath /a/../b", "/b\n"),
        ("date +rm", "rm\n"),
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
        ("base64", "rm", "cm0=\n"),
        ("base32 -d", "OJWSALLSMYQC6===", "rm -rf /"),
        ("openssl base64 -d", "cm0gLXJmIC8=", "rm -rf /"),
        ("openssl enc -d -base64", "cm0gLXJmIC8=", "rm -rf /"),
        ("xxd -r -p", "726d202d7266202f", "rm -rf /"),
        ("xxd -p", "rm", "726d\n"),
        ("rev", "/ fr- mr\n", "rm -rf /\n"),
        ("tr a-z n-za-m", "ez -es /\n", "rm -rf /\n"),
        ("tr A-Z a-z", "RM -RF /", "rm -rf /"),
        ("tr '[:upper:]' '[:lower:]'", "RM", "rm"),
        ("tr -d x", "xrxm", "rm"),
        ("tr -s m", "rmm", "rm"),
        ("tr _ ' '", "rm_-rf_/", "rm -rf /"),
        ("tr '\\n' ' '", "rm\n-rf\n/\n", "rm -rf / "),
        ("rot13", "ez", "rm"),
        ("sed s/X/rm/", "X -rf /", "rm -rf /"),
        ("sed -e s/X/rm/g -e 's|Y|/|'", "X -rf Y", "rm -rf /"),
        ("sed 's/X+/rm/'", "X -rf /", "X -rf /"),
        ("sed -E 's/(m)(r+)/\\2\\1/'", "mr -rf /", "rm -rf /"),
        ("sed 's/^#//;s/_/ /g'", "#rm_-rf_/\n", "rm -rf /\n"),
        ("sed y/ab/rm/", "ab", "rm"),
        ("sed 's/\\(m\\)\\(r\\)/\\2\\1/'", "mr", "rm"),
        ("cut -c2-3", "xrmx", "rm"),
        ("cut -d: -f2", "a:rm:b", "rm"),
        ("cut -d , -f 2-", "a,b,c", "b,c"),
        ("head -n1", "a\nb\n", "a\n"),
        ("head -1", "a\nb\n", "a\n"),
        ("head -c 2", "rmx", "rm"),
        ("tail -n 1", "a\nb\n", "b\n"),
        ("tail -n +2", "a\nb\n", "b\n"),
        ("tac", "a\nb\n", "b\na\n"),
        ("sort", "b\na\n", "a\nb\n"),
        ("grep rm", "rm x\nls\n", "rm x\n"),
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
        ("openssl enc -d -aes-256-cbc -in x", &[Decoder], &[]),
        ("gpg -d x", &[Decoder], &[]),
        ("base64 -d x", &[Decoder, File], &[]),
        ("gzip -c x", &[Program], &[Decoder]),
        ("jq .x f", &[File], &[Network]),
        ("ls", &[Program], &[Network]),
        ("openssl s_client -connect x:443", &[Network], &[]),
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
