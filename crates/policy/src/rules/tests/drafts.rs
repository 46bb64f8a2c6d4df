#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{book, case, rules};
use palanca_core::message::Keys;
use palanca_core::ports::Decision::Allow;
use palanca_core::ports::{ApprovalRules, Lasts, RuleDraft};
use std::time::Duration;

fn words(text: &str) -> Vec<String> {
    case(text).drafts(&book()).iter().map(|draft| draft.words.render(&Keys)).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(words(text), expected, "{text}");
}

#[test]
fn what_always_would_mean_is_said_from_narrow_to_wide() {
    check(
        "write src/a/b.rs",
        &[
            "rule-draft-again(what=effect-write(path=src/a/b.rs))",
            "rule-draft-below(folder=src/a, days=30)",
            "rule-draft-below(folder=src, days=30)",
        ],
    );
    check(
        "write src/b.rs ;; write src/c/d.rs",
        &[
            "rule-draft-again(what=effect-write(path=src/b.rs); effect-write(path=src/c/d.rs))",
            "rule-draft-below(folder=src, days=30)",
        ],
    );
    check(
        "write NOTES.md",
        &["rule-draft-again(what=effect-write(path=NOTES.md))", "rule-draft-files(files=NOTES.md, days=30)"],
    );
    check("delete src/a", &["rule-draft-again(what=effect-delete(path=src/a))"]);
    check("move src/a src/b", &["rule-draft-again(what=effect-move(from=src/a, to=src/b))"]);
    check(
        "run cargo test -q",
        &[
            "rule-draft-again-command(what=effect-run(network=none, command=cargo test -q, directory=., environment=))",
            "rule-draft-exactly(command=`cargo test -q`, days=30)",
            "rule-draft-arguments(command=`cargo test …`, days=30)",
        ],
    );
    check(
        "run npm run build -- --x",
        &[
            "rule-draft-again-command(what=effect-run(network=none, command=npm run build -- --x, directory=., environment=))",
            "rule-draft-exactly(command=`npm run build -- --x`, days=30)",
            "rule-draft-arguments(command=`npm run build …`, days=30)",
        ],
    );
    check(
        "run git push origin main",
        &[
            "rule-draft-again-command(what=effect-run(network=none, command=git push origin main, directory=., environment=))",
            "rule-draft-exactly(command=`git push origin main`, days=30)",
        ],
    );
}

#[test]
fn nothing_is_offered_that_runs_whatever_it_is_told() {
    for text in [
        "bash x.sh",
        "sh -c 'cargo test'",
        "zsh",
        "python x.py",
        "python -c 'print(1)'",
        "python3.12 -m pytest",
        "node x.js",
        "perl -e 1",
        "ruby x.rb",
        "awk '{print}' x",
        "sudo ls",
        "doas ls",
        "env X=1 cargo test",
        "xargs rm < x",
        "npx foo",
        "uvx foo",
        "pipx run foo",
        "uv run pytest",
        "npm exec x",
        "yarn dlx x",
        "go run x.go",
        "git -c a.b=c commit",
        "git config core.hooksPath x",
        "git $X",
        "cargo test $X",
        "cargo test $(ls)",
        "rm *.o",
        "rm -rf *",
        "./x.sh",
        "/usr/bin/make x",
        "X=1 cargo test",
        "ssh h ls",
        "docker exec c ls",
        "find . -exec rm {} +",
        "eval ls",
        ". ./x",
        "alias a=b",
        "export A=b",
        "cargo test; bash x.sh",
        "cargo test; X=1",
        "vim x",
        "nix run x",
        "make $T",
    ] {
        check(&format!("run {text}"), &[]);
    }
    for text in ["write .git/config", "write .github/workflows/x.yml ;; run bash x", "write .env", "feed ls"] {
        check(text, &[]);
    }
}

fn always(text: &str, at: usize) -> RuleDraft {
    case(text).drafts(&book()).swap_remove(at)
}

#[test]
fn what_was_remembered_matches_again() {
    for (made_at, at, again, not) in [
        ("run cargo test -q", 2, "run cd crates && cargo test --lib parse 2>&1 | tail -20", "run cargo build"),
        ("run cargo test -q", 1, "run cargo test -q", "run cargo test"),
        ("run cargo test -q", 0, "run cargo test -q", "run cargo test -q; ls > x"),
        ("write src/a/b.rs", 2, "write src/c.rs", "write docs/a"),
        ("write src/a/b.rs", 1, "write src/a/c/d.rs", "write src/c.rs"),
        ("write src/[a].rs", 0, "write src/[a].rs", "write src/a.rs"),
    ] {
        let draft = always(made_at, at);
        let learned = book();
        learned.learn(&draft).unwrap();
        assert_eq!(case(again).judged(&learned), Some(Allow), "{made_at} -> {again}: {}", draft.rule);
        assert_eq!(case(not).judged(&learned), None, "{made_at} -> {not}: {}", draft.rule);
        let remembered = book();
        let faults = remembered.remember([("7".to_owned(), draft.rule.clone())]);
        assert_eq!((case(again).judged(&remembered), faults), (Some(Allow), Vec::new()));
    }
}

#[test]
fn rules_of_a_session_and_of_a_workspace_stay_there() {
    let session = book();
    session.learn(&always("write src/a.rs", 0)).unwrap();
    let mut other = case("write src/a.rs");
    assert_eq!(other.judged(&session), Some(Allow));
    other.scope.session = "another".into();
    assert_eq!(other.judged(&session), None);

    let lasting = always("write src/a.rs", 1);
    assert_eq!(lasting.lasts, Lasts::For(Duration::from_secs(30 * 86_400)));
    let here = book();
    here.learn(&lasting).unwrap();
    assert_eq!(other.judged(&here), Some(Allow));
    let mut elsewhere = book();
    elsewhere.workspace = "/w/other".into();
    elsewhere.learn(&lasting).unwrap();
    assert_eq!(other.judged(&elsewhere), None);
}

/// Lesson 2: what is taken back does not hold on where it was learnt.
#[test]
fn what_is_taken_back_is_forgotten_and_can_be_learnt_again() {
    let (file, answered) = (always("write src/a.rs", 1), always("run cargo test -q", 1));
    let book = book();
    assert!(book.remember([("7".to_owned(), file.rule.clone())]).is_empty());
    book.learn(&answered).unwrap();
    let (write, run) = (case("write src/a.rs"), case("run cargo test -q"));
    assert_eq!((write.judged(&book), run.judged(&book)), (Some(Allow), Some(Allow)));
    book.forget(&["something else".to_owned(), file.rule.clone()]);
    assert_eq!((write.judged(&book), run.judged(&book)), (None, Some(Allow)));
    book.forget(std::slice::from_ref(&answered.rule));
    assert_eq!((run.judged(&book), book.has_learned()), (None, false));
    book.learn(&answered).unwrap();
    assert_eq!((run.judged(&book), book.list()[0].id.as_str()), (Some(Allow), "answered.2"));
}

#[test]
fn a_forged_answer_gets_no_more_than_could_be_offered() {
    let place = "workspace = '/w/project'";
    for body in [
        "decision = 'allow'\neffect = 'run'\ncommand = ['bash', '...']\nclass = 'dev'",
        "decision = 'allow'\neffect = 'run'\ncommand = ['cargo', '...']\nclass = 'dev'",
        "decision = 'allow'\neffect = 'run'\ncommand = ['cargo', 'test', '...']",
        "decision = 'allow'\neffect = 'run'\ncommand = ['git', '...']\nclass = 'dev'",
        "decision = 'allow'\neffect = 'run'\nclass = 'dangerous'",
        "decision = 'allow'\neffect = 'run'\ntext = 'make'",
        "decision = 'allow'\neffect = 'run'\ntext = 'bash x'\nsession = 's'",
        "decision = 'allow'\neffect = 'write'\npaths = ['**']",
        "decision = 'allow'\neffect = 'write'\npaths = ['.git/**']",
        "decision = 'allow'\neffect = 'read'\npaths = ['src/**']",
        "decision = 'deny'\neffect = 'write'\npaths = ['src/**']",
        "decision = 'allow'\neffect = 'feed'\nclass = 'dangerous'",
        "nonsense",
    ] {
        let rule = format!("[[rule]]\n{body}\n{place}");
        let draft = RuleDraft { rule: rule.clone(), words: "".into(), lasts: Lasts::For(Duration::from_secs(1)) };
        let learned = book();
        assert_eq!(learned.learn(&draft).expect_err(body).key(), "rule-not-learned");
        assert!(learned.list().is_empty());
        let remembered = book();
        let faults = remembered.remember([("7".to_owned(), rule)]);
        assert_eq!((remembered.list().len(), faults.len()), (0, 1), "{body}");
        assert!(faults[0].to_string().starts_with("the remembered rule 7 is left out: "));
    }
    let nowhere = RuleDraft {
        rule: "[[rule]]\ndecision = 'allow'\neffect = 'write'\npaths = ['src/**']".to_owned(),
        words: "".into(),
        lasts: Lasts::Session,
    };
    book().learn(&nowhere).expect_err("it holds everywhere");
}

#[test]
fn what_the_operator_wants_asked_is_not_offered() {
    let asks = rules(&["decision = 'ask'\neffect = 'write'\npaths = ['src/**']"]);
    let one = case("write src/a.rs");
    assert!(asks.judged(&one.subject()).is_some());
}
