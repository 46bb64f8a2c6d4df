#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::toolsets::{bots, picoclaw};
use palanca_core::message::Keys;

fn stream(bytes: impl AsRef<[u8]>) -> Captured {
    Captured { head: bytes.as_ref().to_vec(), ..Captured::default() }
}

fn ended(exit: Exit, stdout: impl AsRef<[u8]>, stderr: impl AsRef<[u8]>) -> Finished {
    Finished {
        exit,
        stdout: stream(stdout),
        stderr: stream(stderr),
        time: Duration::ZERO,
        written: Default::default(),
        notes: Vec::new(),
    }
}

/// The content as both documents show it: the error, then its output.
fn content(result: Result<Output, ToolError>) -> String {
    match result {
        Ok(output) => output.text.render(&Keys),
        Err(error) => {
            let text = |message: &Message| match message.key() {
                "exec-said" => Text::from(format!("{}", Said(message))),
                _ => Text::from(message.clone()),
            };
            let mut whole = text(error.message());
            if let Some(output) = error.output() {
                whole = whole.line(output.clone());
            }
            whole.render(&Keys)
        }
    }
}

/// The one text of a message that is nothing else.
struct Said<'a>(&'a Message);

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.args() {
            [(_, palanca_core::message::Arg::Text(text))] => f.write_str(text),
            other => panic!("{other:?}"),
        }
    }
}

const LIMIT: Duration = Duration::from_millis(1500);

fn options(max_output_length: usize) -> ExecOptions {
    ExecOptions { max_output_length, ..ExecOptions::default() }
}

#[test]
fn as_bots_have_it() {
    let check = |finished: Finished, expected: &str| {
        assert_eq!(content(bots::EXEC.report(&finished, &options(20), LIMIT)), expected, "{finished:?}");
    };
    check(ended(Exit::Code(0), "hi\n", ""), "Exit code: 0\n\nhi");
    check(ended(Exit::Code(0), "", ""), "Exit code: 0\n\n(no output)");
    check(ended(Exit::Code(0), "hi\n", "oh\n"), "Exit code: 0\n\nhi\n--- stderr ---\noh");
    check(ended(Exit::Code(2), "", "oh\n"), "Exit code: 2\n\n--- stderr ---\noh");
    check(ended(Exit::Code(1), "", ""), "Exit code: 1\n\n(no output)");
    check(ended(Exit::Signal(9), "hi", ""), "Exit code: 137 (SIGKILL)\n\nhi");
    check(ended(Exit::TimedOut, "hi", ""), "exec-timeout-fixed(seconds=1.5)\n\nhi");
    check(ended(Exit::Killed, "hi", ""), "command-killed\n\nhi");
    check(ended(Exit::Lost, "", ""), "command-lost\n\n(no output)");
    check(ended(Exit::Code(0), "x".repeat(20), ""), &format!("Exit code: 0\n\n{}", "x".repeat(20)));
    check(
        ended(Exit::Code(0), "ñ".repeat(21), ""),
        &format!("Exit code: 0\n\n{}\n... (truncated, 21 total chars)", "ñ".repeat(20)),
    );
    check(
        ended(Exit::Code(0), "😀".repeat(40), "e".repeat(40)),
        &format!(
            "Exit code: 0\n\n{}\n... (truncated, 40 total chars)\n--- stderr ---\neeeee\n... (truncated, 40 total chars)",
            "😀".repeat(15)
        ),
    );
    check(ended(Exit::Code(0), "a\0b", ""), "Exit code: 0\n\ncommand-binary(bytes=3)");
    let noted = Finished { notes: vec![Message::new("note")], ..ended(Exit::Code(127), "", "oh\n") };
    check(noted, "Exit code: 127\n\n--- stderr ---\noh\nnote");
    check(
        ended(Exit::Code(0), b"a\xff", b"b\xff"),
        "Exit code: 0\n\na\u{fffd}\n--- stderr ---\nb\u{fffd}\ncommand-mended",
    );
}

#[test]
fn as_picoclaw_has_it() {
    let check = |finished: Finished, expected: &str| {
        assert_eq!(content(picoclaw::EXEC.report(&finished, &options(10), LIMIT)), expected, "{finished:?}");
    };
    check(ended(Exit::Code(0), "hi\n", ""), "hi");
    check(ended(Exit::Code(0), "", ""), "(no output)");
    check(ended(Exit::Code(0), "hi\n", "oh\n"), "hi\nSTDERR:\noh");
    check(ended(Exit::Code(3), "hi\n", "oh\n"), "hi\nSTDERR:\noh\nExit code: 3");
    check(ended(Exit::Code(3), "", ""), "Exit code: 3");
    check(ended(Exit::Signal(15), "", "oh"), "STDERR:\noh\nExit code: 143 (SIGTERM)");
    check(ended(Exit::TimedOut, "hi", ""), "exec-timeout(seconds=1.5)\nhi");
    check(ended(Exit::Code(0), "0123456789ab", ""), "0123456789\n... (truncated, 2 more chars)");
    check(ended(Exit::Code(1), "\0", ""), "Exit code: 1\ncommand-binary(bytes=1)");
}

#[test]
fn of_what_the_door_did_not_keep_the_bytes_are_counted() {
    let mut finished = ended(Exit::Code(0), "ñ".repeat(50), "");
    finished.stdout.head.pop();
    finished.stdout.omitted_bytes = 1000;
    finished.stdout.tail = b"end".to_vec();
    finished.stdout.whole = Some("place".to_owned());
    let expected = "\n... (truncated, 1102 total bytes)\ncommand-whole(place=place)";
    assert!(content(bots::EXEC.report(&finished, &options(20), LIMIT)).ends_with(expected));
    let text = content(picoclaw::EXEC.report(&finished, &options(20), LIMIT));
    assert!(text.contains("(truncated, 1062 more bytes)"), "{text}");
    assert!(!text.contains('\u{fffd}'));
}
