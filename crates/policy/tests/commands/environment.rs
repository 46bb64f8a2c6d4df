//! Variables that a launch sets count like those that its text sets.

use CommandClass::{Blocked, Dangerous, Dev, Safe};
use palanca_core::call::{CanonicalPath, CommandLine, Launch, Root, Shell};
use palanca_core::ports::{CommandClass, CommandReader, CommandReading};
use palanca_policy::commands::{CommandJudge, RuleSettings, Rules};
use std::path::PathBuf;
use std::sync::Arc;

fn launch(variables: &[(&str, &str)], text: &str) -> Launch {
    let directory = CanonicalPath::new(Root::Workspace, PathBuf::new());
    let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Launch { environment, ..Launch::script(Shell::Sh, text, directory) }
}

fn judge(rules: Rules) -> CommandJudge {
    CommandJudge::new(rules, ("/home/user/project".into(), Vec::new()), Some("/home/user".into()))
}

fn read(variables: &[(&str, &str)], text: &str) -> CommandReading {
    judge(Rules::default()).read(&launch(variables, text))
}

#[track_caller]
fn check(expected: CommandClass, rows: &[(&[(&str, &str)], &str)]) {
    for (variables, text) in rows {
        let reading = read(variables, text);
        assert_eq!(reading.class, expected, "{variables:?} {text}: {}", reading.rule);
    }
}

/// Names that decide what runs, each for a reader of its own.
const CHANGING: &[(&str, &str)] = &[
    ("GROFF_BIN_PATH", "gb"),
    ("GROFF_COMMAND_PREFIX", "x"),
    ("GROFF_TMAC_PATH", "t"),
    ("MANOPT", "-P ./x"),
    ("MANPATH", "."),
    ("MANROFFOPT", "-U"),
    ("PYTHONPYCACHEPREFIX", "pyc"),
    ("PYTHONPATH", "."),
    ("PYTHONSTARTUP", "x.py"),
    ("NODE_V8_COVERAGE", "cov"),
    ("NODE_OPTIONS", "--require=./x"),
    ("NPM_CONFIG_SCRIPT_SHELL", "./x"),
    ("npm_config_globalconfig", "./npmrc"),
    ("npm_config_prefix", "x"),
    ("RUSTC_WRAPPER", "./x"),
    ("RUSTC", "x"),
    ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "./x"),
    ("CARGO_HOME", "c"),
    ("LD_PRELOAD", "./x.so"),
    ("ld_preload", "./x.so"),
    ("PATH", "."),
    ("HOME", "h"),
    ("GIT_DIR", "other"),
    ("GIT_EXTERNAL_DIFF", "x"),
    ("GIT_CONFIG_COUNT", "1"),
    ("LESSOPEN", "|./x %s"),
    ("PAGER", "./x"),
    ("BASH_ENV", "./x"),
    ("BASH_FUNC_ls%%", "() { id; }"),
    ("ENV", "./x"),
    ("PS4", "$(id)"),
    ("PROMPT_COMMAND", "id"),
    ("IFS", "x"),
    ("SHELLOPTS", "xtrace"),
    ("TERMINFO", "t"),
    ("TERM", "../x"),
    ("TZ", ":/proc/self/environ"),
    ("TZ", "../../x"),
    ("LANGUAGE", "../../ws"),
    ("LC_ALL", "/tmp/x"),
    ("TZDIR", "z"),
    ("PROTOC", "x"),
    ("CC_x86_64_unknown_linux_gnu", "x"),
    ("MADE_UP", "./x"),
    ("MADE_UP", "tools/x"),
    ("MADE_UP", "~/x"),
];

#[test]
fn what_decides_what_runs_costs_every_class() {
    for (name, value) in CHANGING {
        for text in ["ls", "man ls", "git status", "pip list", "npm ls", "cargo test", "npm test", ":", "[[ -f x ]]"] {
            let class = read(&[(name, value)], text).class;
            assert!(class >= Dangerous, "{name}={value} {text}: {class:?}");
        }
    }
}

#[test]
fn display_keeps_the_class_and_other_names_cost_safety() {
    check(
        Safe,
        &[
            (&[("LANG", "C"), ("LC_ALL", "es_ES.UTF-8")], "ls -la"),
            (&[("TZ", "Europe/Madrid")], "date"),
            (&[("NO_COLOR", "1"), ("TERM", "xterm-256color")], "git status"),
            (&[("COLUMNS", "200"), ("LINES", "")], "git log | head -3"),
            (&[("LANG", "C")], "echo $LANG"),
        ],
    );
    check(Dangerous, &[(&[("FOO", "1")], "ls"), (&[("X", "a"), ("LANG", "C")], "cat a | wc -l")]);
    check(
        Dev,
        &[
            (&[("RUST_BACKTRACE", "1")], "cargo test"),
            (&[("CI", "true"), ("FOO", "1")], "npm test"),
            (&[("RUST_LOG", "a=debug,b/c")], "cargo test"),
            (&[("DATABASE_URL", "postgres://localhost/x")], "pytest"),
            (&[("LC_ALL", "C")], "make -j4"),
        ],
    );
}

#[test]
fn values_are_seen_through() {
    check(
        Blocked,
        &[
            (&[("X", "/")], "rm -rf $X"),
            (&[("C", "rm -rf /")], "eval \"$C\""),
            (&[("C", "rm -rf /")], "$C"),
            (&[("C", "rm -rf ~")], "sh -c \"$C\""),
            (&[("P", "sudo")], "$P id"),
            (&[("PAGER", "rm -rf /")], "git log"),
            (&[("GIT_SSH_COMMAND", "rm -rf ~")], "ls"),
            (&[("LESSOPEN", "|rm -rf / %s")], "less a"),
            (&[("PROMPT_COMMAND", "rm -rf /")], "bash -i"),
            (&[("PS4", "$(rm -rf /)")], "bash -x s"),
            (&[("HOME", "/")], "rm -rf ~"),
        ],
    );
}

/// The same table for both: a variable of the launch costs what it would cost in the text.
#[test]
fn a_launch_is_judged_like_its_text() {
    let others = [("FOO", "1"), ("RUST_BACKTRACE", "1"), ("CI", "true"), ("NODE_ENV", "test")];
    let quoted = |value: &str| value.replace('\'', r"'\''");
    for (name, value) in CHANGING.iter().filter(|(name, _)| !name.contains('%')).chain(&others) {
        for text in ["ls", "git diff", "cargo test", "rm x", "python3 s.py"] {
            let by_text = read(&[], &format!("{name}='{}' {text}", quoted(value))).class;
            assert_eq!(read(&[(name, value)], text).class, by_text, "{name}={value} {text}");
        }
    }
}

#[test]
fn programs_without_a_shell_and_input_count_too() {
    let judge = judge(Rules::default());
    let mut program = launch(&[("LD_PRELOAD", "./x.so")], "");
    program.command = CommandLine::Program(vec!["ls".into()]);
    assert_eq!(judge.read(&program).class, Dangerous);
    program.environment = vec![("LANG".into(), "C".into())];
    assert_eq!(judge.read(&program).class, Safe);
    assert_eq!(judge.read_input(&launch(&[("X", "/")], "sh"), "", "rm -rf $X\n").class, Blocked);
}

#[test]
fn rules_of_the_operator_see_the_variables() {
    let settings = RuleSettings {
        safe_commands: vec!["deploy".into()],
        blocked_patterns: vec!["AWS_PROFILE=prod".into()],
        ..RuleSettings::default()
    };
    let judge = judge(Rules::new(&settings).unwrap());
    assert_eq!(judge.read(&launch(&[], "deploy")).class, Safe);
    assert_eq!(judge.read(&launch(&[("X", "1")], "deploy")).class, Dangerous);
    assert_eq!(judge.read(&launch(&[("AWS_PROFILE", "prod")], "aws s3 ls")).class, Blocked);
}

#[test]
fn too_many_bytes_are_refused_and_many_variables_end() {
    let long = "x".repeat(70_000);
    assert_eq!(read(&[("FOO", &long)], "ls").rule, "shell.limit.bytes");
    let names: Vec<String> = (0..500).map(|at| format!("NAME_{at}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    assert!(read(&many, &"ls; ".repeat(4000)).class >= Dangerous);
}

#[test]
fn a_program_of_the_workspace_is_not_safe_under_a_known_name() {
    let judge = judge(Rules::default()).finding(Arc::new(|name| ["python", "cat", "timeout"].contains(&name)));
    let check = |text: &str, class: CommandClass, rule: &str| {
        let reading = judge.read(&launch(&[], text));
        assert_eq!((reading.class, reading.rule.as_str()), (class, rule), "{text}");
    };
    check("python --version", Dev, "shell.class.workspace");
    check("ls | cat", Dev, "shell.class.workspace");
    check("timeout 5 ls", Dev, "shell.class.workspace");
    check("which ls python", Dev, "shell.class.workspace");
    check("which ls", Safe, "shell.class.safe");
    check("command -v python; type cat; echo cat", Safe, "shell.class.safe");
    check("/usr/bin/python --version", Safe, "shell.class.safe");
    check("ls", Safe, "shell.class.safe");
    check("python -m pytest", Dev, "shell.class.dev");
    check("cat x; python -c y; rm -rf /", Blocked, "shell.block.remove");
}
