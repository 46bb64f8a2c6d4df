#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::{RuleSettings, Rules};
use crate::commands::{judge, judge_argv, secret_names};
use palanca_shell::{Class, Surroundings};

fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/w/project".into(),
        directory: "/w/project".into(),
        home: Some("/home/user".into()),
        environment: Vec::new(),
        secrets: secret_names(),
    }
}

fn settings(key: &str, values: &[&str]) -> RuleSettings {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    match key {
        "blocked" => RuleSettings { blocked_patterns: values, ..RuleSettings::default() },
        "safe" => RuleSettings { safe_commands: values, ..RuleSettings::default() },
        "allowed" => RuleSettings { allowed_patterns: values, ..RuleSettings::default() },
        _ => RuleSettings { file: values.into_iter().next(), ..RuleSettings::default() },
    }
}

fn check(settings: &RuleSettings, text: &str, expected: (Class, &str)) {
    let judged = judge(text, &surroundings(), &Rules::new(settings).unwrap());
    let rule = if expected.1.is_empty() { "" } else { judged.reason.rule.as_ref() };
    assert_eq!((judged.class, rule), expected, "{text}");
}

const BLOCKED: &str = "shell.rule.blocked-pattern";
const NOT_ALLOWED: &str = "shell.rule.not-allowed";
const SAFE: &str = "shell.rule.safe";

#[test]
fn blocked_patterns_are_held_against_the_text_and_every_command() {
    let rules = settings("blocked", &[r"^git\s+push\b.*--force", "DROP TABLE"]);
    check(&rules, "git push --force", (Class::Blocked, BLOCKED));
    check(&rules, "ls; g''it push origin --force", (Class::Blocked, BLOCKED));
    check(&rules, "psql -c 'drop table x'", (Class::Blocked, BLOCKED));
    check(&rules, "git push origin", (Class::Dangerous, ""));
}

#[test]
fn safe_commands_lift_known_words_alone() {
    let rules = settings("safe", &["mytool check", "sudo"]);
    check(&rules, "mytool check --all", (Class::Safe, SAFE));
    check(&rules, "'mytool'  check", (Class::Safe, SAFE));
    check(&rules, "mytool check > /dev/null", (Class::Safe, SAFE));
    for text in
        ["mytool", "mytool checkout", "mytool check $X", "mytool check $(ls)", "X=1 mytool check", "mytool check > x"]
    {
        check(&rules, text, (Class::Dangerous, ""));
    }
    check(&rules, "mytool check; other", (Class::Dangerous, ""));
    check(&rules, "sudo ls", (Class::Blocked, "shell.block.privilege"));
}

#[test]
fn only_what_is_allowed_runs() {
    let rules = settings("allowed", &["^cargo ", "^ls( |$)"]);
    check(&rules, "ls -l", (Class::Safe, ""));
    check(&rules, "cargo test && ls", (Class::Dev, ""));
    check(&rules, "cat x", (Class::Blocked, NOT_ALLOWED));
    check(&rules, "ls; cat x", (Class::Blocked, NOT_ALLOWED));
    check(&rules, "ls $(cat x)", (Class::Blocked, NOT_ALLOWED));
    check(&rules, "X=1; ls", (Class::Blocked, NOT_ALLOWED));
    check(&rules, "ls '", (Class::Blocked, NOT_ALLOWED));
}

const FILE: &str = r#"
[[rule]]
id = "team.no-force-push"
words = ["git", "push", "--force"]
reason = "History is shared here. Push without --force, or ask."
matches = ["git push --force", "git push origin main --force"]
spares = ["git push", "echo git push --force"]

[[rule]]
id = "team.no-prod"
blocks = "^(kubectl|helm)\\b.*\\bprod\\b"
reason = "Production is changed by the pipeline."
matches = ["kubectl --context prod get pods"]
spares = ["kubectl --context staging get pods"]
"#;

#[test]
fn a_rule_file_blocks_with_its_own_reason() {
    let rules = settings("file", &[FILE]);
    check(&rules, "cd x && env git push -u origin --force", (Class::Blocked, "team.no-force-push"));
    check(&rules, "sh -c 'helm --kube-context prod upgrade x'", (Class::Blocked, "team.no-prod"));
    check(&rules, "git commit -m 'git push --force'", (Class::Dev, ""));
}

#[test]
fn bad_rules_name_themselves() {
    let long = format!("{{0,{}}}", 1000);
    let huge = format!("(a{long}){long}");
    for (key, value, says) in [
        ("blocked", "(", "blocked_patterns"),
        ("blocked", " ", "empty"),
        ("blocked", huge.as_str(), "not a usable"),
        ("allowed", "[", "exec.allowedPatterns"),
        ("safe", "  ", "safe_commands"),
        ("file", "nonsense", "cannot be read"),
        ("file", "[[rule]]\nid='x'\nreason='y'\nmatches=['a']\nspares=['b']", "nothing to block"),
        ("file", "[[rule]]\nid='x'\nwords=['a']\nreason='y'\nspares=['b']", "at least one example"),
        ("file", "[[rule]]\nid='shell.x'\nwords=['a']\nreason='y'\nmatches=['a']\nspares=['b']", "Rename"),
        (
            "file",
            "[[rule]]\nid='x'\nwords=['a']\nreason='y'\nmatches=['b']\nspares=['c']",
            "'b' of 'matches' is not blocked",
        ),
        (
            "file",
            "[[rule]]\nid='x'\nblocks='a'\nreason='y'\nmatches=['a']\nspares=['ba']",
            "'ba' of 'spares' is blocked",
        ),
        ("file", "[[rule]]\nid='x'\nwords=['a']\nblocks='a'\nreason='y'\nmatches=['a']\nspares=['b']", "Keep one"),
        ("file", "[[rule]]\nid='x'\nwords=['a']\nreason='y'\nmatches=['a']\nspares=['b']\nallow=true", "allow"),
    ] {
        let error = Rules::new(&settings(key, &[value])).expect_err(value).to_string();
        assert!(error.contains(says), "{value}: {error}");
    }
}

#[test]
fn argument_lists_are_read_through() {
    let argv = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        judge_argv(&words, &surroundings(), &Rules::default()).class
    };
    assert_eq!(argv(&["sh", "-c", "rm -rf /"]), Class::Blocked);
    assert_eq!(argv(&["rm", "-rf", "/"]), Class::Blocked);
    assert_eq!(argv(&["echo", "rm -rf /"]), Class::Safe);
    assert_eq!(argv(&["echo", "$(sudo id)", "it's"]), Class::Safe);
    assert_eq!(argv(&[]), Class::Dangerous);
}
