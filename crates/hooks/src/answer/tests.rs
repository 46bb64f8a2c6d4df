#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use palanca_core::message::Keys;
use palanca_core::ports::ProcessErrorKind;
use serde_json::json;

fn captured(text: &str) -> Captured {
    Captured { head: text.into(), ..Captured::default() }
}

fn ended(event: Event, exit: Exit, stdout: &str, stderr: &str) -> Answer {
    let finished = Finished {
        exit,
        stdout: captured(stdout),
        stderr: captured(stderr),
        time: Duration::ZERO,
        written: Default::default(),
        notes: Vec::new(),
    };
    read(event, Ok(finished), ("guard", "check", Duration::from_secs(5)), &Keys)
}

fn go(context: Option<&str>, arguments: Option<Value>) -> Answer {
    Answer::Go { context: context.map(str::to_owned), arguments }
}

#[test]
fn the_documented_answers() {
    let pre = Event::PreToolUse;
    let new = json!({"path": "b.py", "content": "x"});
    for (exit, stdout, stderr, expected) in [
        (0, "", "", go(None, None)),
        (0, "  \n", "noise", go(None, None)),
        (0, r#"{"updatedInput":{"path":"b.py","content":"x"}}"#, "", go(None, Some(new.clone()))),
        (0, r#"{"additionalContext":"mind the gap"}"#, "", go(Some("mind the gap"), None)),
        (0, r#"{"updatedInput":{"path":"b.py","content":"x"},"additionalContext":"t"}"#, "", go(Some("t"), Some(new))),
        (0, "{}", "", go(None, None)),
        (0, r#"{"decision":"allow"}"#, "", go(None, None)),
        (0, r#"{"decision":"approve","reason":"ok"}"#, "", go(None, None)),
        (0, r#"{"decision":"block","reason":"no"}"#, "", Answer::Block("no".into())),
        (0, r#"{"decision":"deny"}"#, "", Answer::Block("hook-no-reason(name=guard)".into())),
        (0, "just text\n", "", go(Some("just text"), None)),
        (0, "42", "", go(Some("42"), None)),
        (0, "[ok] fine", "", go(Some("[ok] fine"), None)),
        (2, "", "not allowed\n", Answer::Block("not allowed".into())),
        (2, "ignored", "", Answer::Block("hook-no-reason(name=guard)".into())),
        (1, "", "boom", Answer::Failed(Failure::Exit(1, "boom".into()))),
        (126, "out", "", Answer::Failed(Failure::Exit(126, "out".into()))),
    ] {
        assert_eq!(ended(pre, Exit::Code(exit), stdout, stderr), expected, "{exit} {stdout}");
    }
}

#[test]
fn what_is_no_answer_is_a_failure_with_a_name() {
    let pre = Event::PreToolUse;
    for stdout in [
        "{broken",
        "{\"updatedInput\": ",
        r#"{"updatedInput": "text"}"#,
        r#"{"updatedInput": [1]}"#,
        r#"{"additionalContext": 3}"#,
        r#"{"decision": "maybe"}"#,
        r#"{"updateInput": {}}"#,
        "[1, 2]",
        "{} {}",
    ] {
        let answer = ended(pre, Exit::Code(0), stdout, "");
        assert!(matches!(answer, Answer::Failed(Failure::Malformed(_) | Failure::Shape(_))), "{stdout}: {answer:?}");
    }
    let post = ended(Event::PostToolUse, Exit::Code(0), r#"{"updatedInput": {}}"#, "");
    assert!(matches!(post, Answer::Failed(Failure::Shape(_))), "{post:?}");
    for (exit, expected) in [
        (Exit::TimedOut, Failure::Timeout(Duration::from_secs(5))),
        (Exit::Signal(9), Failure::Signal(9)),
        (Exit::Killed, Failure::Cancelled),
        (Exit::Lost, Failure::Cancelled),
    ] {
        assert_eq!(ended(pre, exit, "{}", ""), Answer::Failed(expected));
    }
    let error = ProcessError::new(ProcessErrorKind::Isolation, "x");
    assert_eq!(
        read(pre, Err(error.clone()), ("g", "check", Duration::ZERO), &Keys),
        Answer::Failed(Failure::Start(error))
    );
}

#[test]
fn an_answer_of_which_something_is_missing_is_none() {
    let stdout = Captured { tail: b"}".to_vec(), omitted_bytes: 9, ..captured("{\"additionalContext\":\"") };
    let finished = Finished {
        exit: Exit::Code(0),
        stdout,
        stderr: captured(""),
        time: Duration::ZERO,
        written: Default::default(),
        notes: Vec::new(),
    };
    let answer = read(Event::PreToolUse, Ok(finished), ("g", "check", Duration::ZERO), &Keys);
    assert!(matches!(answer, Answer::Failed(Failure::TooLong(_))), "{answer:?}");
}

#[test]
fn long_text_keeps_beginning_and_end() {
    let text: String = "0123456789".repeat(200);
    let cut = cut(&text, 1000, &Keys);
    assert!(cut.starts_with(&text[..500]) && cut.ends_with(&text[2000 - 250..]), "{cut}");
    assert!(cut.contains("hook-output-cut(omitted=1250)"), "{cut}");
    assert_eq!(super::cut("ñ", 1, &Keys), "ñ");
}

#[test]
fn the_documented_text() {
    for (code, output, expected) in [
        (0, "", "[Hook python-lint: OK]"),
        (0, "All good", "[Hook python-lint: OK]\nAll good"),
        (
            1,
            "src/main.py:15:5: F841 local variable 'x' is assigned to but never used",
            "[Hook python-lint: FALLO (exit 1)]\nsrc/main.py:15:5: F841 local variable 'x' is assigned to but never used",
        ),
        (-1, "", "[Hook python-lint: FALLO (exit -1)]"),
    ] {
        assert_eq!(reported("python-lint", code, output), expected);
    }
}

#[test]
fn a_program_that_is_not_there_is_no_answer() {
    for event in [Event::PreToolUse, Event::PostToolUse] {
        let answer = ended(event, Exit::Code(127), "", "sh: 1: check: not found");
        assert_eq!(answer, Answer::Failed(Failure::NotThere("check".to_owned())));
    }
}

#[test]
fn a_failed_hook_after_a_call_tells_the_model() {
    let post = Event::PostToolUse;
    for (exit, stdout, stderr, expected) in [
        (1, "a.py:1: F841\n", "1 error\n", "[Hook guard: FALLO (exit 1)]\na.py:1: F841\n1 error"),
        (126, "", "ruff: not allowed", "[Hook guard: FALLO (exit 126)]\nruff: not allowed"),
        (3, "", "", "[Hook guard: FALLO (exit 3)]"),
    ] {
        match ended(post, Exit::Code(exit), stdout, stderr) {
            Answer::Reported(Failure::Exit(code, _), text) => assert_eq!((code, &*text), (exit, expected)),
            other => panic!("{other:?}"),
        }
    }
    let long = ended(post, Exit::Code(1), &"x".repeat(5_000), "");
    assert!(matches!(long, Answer::Reported(_, text) if text.chars().count() < REPORTED), "cut");
    assert!(matches!(ended(Event::PreToolUse, Exit::Code(1), "x", ""), Answer::Failed(_)));
}
