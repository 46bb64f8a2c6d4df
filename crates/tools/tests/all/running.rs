//! `run_command` and `exec`: what is claimed, what is run, what is shown; through the real gate, with a door that starts
//! nothing.

use crate::support::options;
use palanca_core::call::{CanonicalPath, CommandLine, ErrorKind, Lifetime, Root, Shell, TerminalSize};
use palanca_core::ports::{
    Captured, ClosedBy, CommandClass, Exit, FileError, FileErrorKind, Finished, ProcessError, ProcessErrorKind,
    RefusedWrite, Written,
};
use palanca_core::tool::FileDelta;
use palanca_core::{ConfirmMode, ToolResult};
use palanca_testkit::fakes::ReadsAs;
use palanca_testkit::processes::finished;
use palanca_testkit::{FakeProcesses, TempWorkspace, TestGate};
use palanca_text::Locale;
use palanca_tools::{ToolOptions, ToolsetName, registry};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

struct Shop {
    door: Arc<FakeProcesses>,
    gate: TestGate,
    _workspace: TempWorkspace,
}

fn shop(toolset: ToolsetName, options: &ToolOptions, locale: Locale) -> Shop {
    let workspace = TempWorkspace::with(&[("src/a.txt", "a\n")]);
    let door = Arc::new(FakeProcesses::default());
    let gate = TestGate::builder(&workspace, registry(toolset, options).unwrap())
        .processes(Arc::clone(&door) as _)
        .mode(ConfirmMode::Yolo)
        .locale(locale)
        .build();
    Shop { door, gate, _workspace: workspace }
}

fn open(toolset: ToolsetName) -> Shop {
    shop(toolset, &options(), Locale::En)
}

impl Shop {
    /// The result of a command that ends like this.
    async fn ends(&self, end: Finished) -> ToolResult {
        self.door.then(Ok(end));
        let tool = if self.gate.toolset.get("run_command").is_some() { "run_command" } else { "exec" };
        self.gate.call(tool, json!({"command": "x"})).await
    }

    async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.gate.call(tool, arguments.clone()).await;
        assert_eq!(result.code.as_deref(), Some("invalid_arguments"), "{arguments}: {}", result.for_model());
        assert!(self.door.launches().is_empty(), "nothing was started");
        result.error.unwrap()
    }
}

#[tokio::test]
async fn what_is_started_is_what_was_asked_for() {
    let shop = open(ToolsetName::Palanca);
    let arguments = json!({
        "command": "make  'all'\n", "cwd": "./src/../src", "timeout": 7, "env": {"B": "2", "A": "1"}, "terminal": true,
    });
    let result = shop.gate.call("run_command", arguments).await;
    assert!(result.success, "{}", result.for_model());
    let launch = &shop.door.launches()[0];
    assert_eq!(launch.command, CommandLine::Script { shell: Shell::Sh, text: "make  'all'\n".to_owned() });
    assert_eq!(launch.directory.to_string(), "src");
    assert_eq!(launch.environment, [("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]);
    assert_eq!((launch.terminal, launch.lifetime), (Some(TerminalSize::default()), Lifetime::Call));
    assert_eq!(shop.door.limits()[0].time, Duration::from_secs(7));
    assert_eq!(result.output, "exit_code: 0");
    let data = json!({"exit_code": 0, "time_ms": 5, "stdout_bytes": 0, "stderr_bytes": 0});
    assert_eq!(result.data, Some(data));

    let mut set = options();
    set.commands.shell = Shell::Bash;
    let shop = self::shop(ToolsetName::Palanca, &set, Locale::En);
    assert!(shop.gate.call("run_command", json!({"command": "source x"})).await.success);
    let command = &shop.door.launches()[0].command;
    assert_eq!(*command, CommandLine::Script { shell: Shell::Bash, text: "source x".to_owned() });

    let bots = open(ToolsetName::Bots);
    assert!(bots.gate.call("exec", json!({"command": "ls", "workdir": "src"})).await.success);
    let launch = &bots.door.launches()[0];
    assert_eq!(launch.command, CommandLine::Script { shell: Shell::Bash, text: "ls".to_owned() });
    assert_eq!(launch.directory.to_string(), "src");
    let mut set = options();
    set.exec.workdir = Some("src".to_owned());
    set.exec.timeout = Duration::from_millis(1500);
    let bots = self::shop(ToolsetName::Bots, &set, Locale::En);
    assert!(bots.gate.call("exec", json!({"command": "ls"})).await.success);
    assert_eq!(bots.door.launches()[0].directory.to_string(), "src");
    assert_eq!(bots.door.limits()[0].time, Duration::from_millis(1500));

    let picoclaw = open(ToolsetName::Picoclaw);
    for (arguments, seconds) in
        [(json!({"command": "ls", "working_dir": "src"}), 30), (json!({"command": "ls", "timeout": 2}), 2)]
    {
        assert!(picoclaw.gate.call("exec", arguments).await.success);
        assert_eq!(
            picoclaw.door.limits().last().unwrap().time,
            Duration::from_secs(seconds),
            "the timeout is honoured"
        );
    }
    assert_eq!(picoclaw.door.launches()[0].directory.to_string(), "src");
}

#[tokio::test]
async fn the_time_that_is_given_counts() {
    let mut set = options();
    set.commands.default_timeout = Duration::from_secs(90);
    for (given, seconds, repaired) in [
        (json!(null), 90, true),
        (json!(30), 30, false),
        (json!(1), 1, false),
        (json!(600), 600, false),
        (json!(12.0), 12, true),
    ] {
        for toolset in [ToolsetName::Palanca, ToolsetName::Architect] {
            let shop = shop(toolset, &set, Locale::En);
            let result = shop.gate.call("run_command", json!({"command": "ls", "timeout": given})).await;
            assert!(result.success, "{given}: {}", result.for_model());
            assert_eq!(shop.door.limits()[0].time, Duration::from_secs(seconds), "{given}");
            assert_eq!(!result.repairs.is_empty(), repaired, "{given}: {:?}", result.repairs);
        }
    }
    let shop = shop(ToolsetName::Architect, &set, Locale::En);
    let result = shop.gate.call("run_command", json!({"command": "ls"})).await;
    assert!(result.success && result.repairs.is_empty());
    assert_eq!(shop.door.limits()[0].time, Duration::from_secs(90));
    for timeout in [
        json!(0),
        json!(-5),
        json!(1.5),
        json!("soon"),
        json!([]),
        json!(601),
        json!(30_000),
        json!("30000"),
        json!(1e9),
    ] {
        let error = shop.gate.call("run_command", json!({"command": "ls", "timeout": timeout})).await;
        assert_eq!(error.code.as_deref(), Some("invalid_arguments"), "{timeout}");
    }
}

#[tokio::test]
async fn what_cannot_be_started_is_said() {
    for (toolset, tool, folder) in [
        (ToolsetName::Palanca, "run_command", "cwd"),
        (ToolsetName::Architect, "run_command", "cwd"),
        (ToolsetName::Bots, "exec", "workdir"),
        (ToolsetName::Picoclaw, "exec", "working_dir"),
    ] {
        let shop = open(toolset);
        for empty in ["", "  ", "\n\t"] {
            let error = shop.refused(tool, json!({"command": empty})).await;
            assert!(error.starts_with("There is no command to run"), "{error}");
        }
        let error = shop.refused(tool, json!({"command": "a\u{0}b"})).await;
        assert!(error.contains("NUL"), "{error}");
        shop.refused(tool, json!({})).await;
        shop.refused(tool, json!({"command": ["ls"]})).await;
        for outside in ["..", "/etc", "src/../../x"] {
            let result = shop.gate.call(tool, json!({"command": "ls", folder: outside})).await;
            assert_eq!(result.code.as_deref(), Some("paths.outside_workspace"), "{outside}: {}", result.for_model());
        }
        assert!(shop.door.launches().is_empty());
        for here in ["", " ", "."] {
            assert!(shop.gate.call(tool, json!({"command": "ls", folder: here})).await.success);
        }
    }
    let shop = open(ToolsetName::Palanca);
    for env in [
        json!({"A": 1}),
        json!({"A": null}),
        json!({"A": ["x"]}),
        json!("A=1"),
        json!({"": "x"}),
        json!({"A=B": "x"}),
        json!({"1A": "x"}),
        json!({"BASH_FUNC_ls%%": "() { x; }"}),
        json!({"A": "x\u{0}"}),
    ] {
        shop.refused("run_command", json!({"command": "ls", "env": env})).await;
    }
    for (kind, code, words) in [
        (ProcessErrorKind::Directory, "conflict", "is not a folder"),
        (ProcessErrorKind::Environment, "invalid_arguments", "LD_PRELOAD"),
        (ProcessErrorKind::OutOfReach, "conflict", "another folder"),
        (ProcessErrorKind::Isolation, "disabled", "palanca doctor"),
        (ProcessErrorKind::Disabled, "disabled", "switched off"),
        (ProcessErrorKind::Io, "io", "LD_PRELOAD"),
        (ProcessErrorKind::NoProgram, "not_found", "LD_PRELOAD"),
        (ProcessErrorKind::TooMany, "too_large", "background"),
    ] {
        shop.door.then(Err(ProcessError::new(kind, "LD_PRELOAD")));
        let result = shop.gate.call("run_command", json!({"command": "ls"})).await;
        assert_eq!(result.code.as_deref(), Some(code));
        assert!(result.error.as_deref().unwrap().contains(words), "{:?}", result.error);
    }
}

#[tokio::test]
async fn sections() {
    let shop = open(ToolsetName::Architect);
    let check = async |end: Finished, expected: (bool, &str, Option<&str>)| {
        let result = shop.ends(end).await;
        let told = (result.success, result.output.as_str(), result.error.as_deref());
        assert_eq!(told, expected);
    };
    check(finished(Exit::Code(0), "hi\n", ""), (true, "stdout:\nhi\n\nexit_code: 0", None)).await;
    check(finished(Exit::Code(0), "hi\n", "oh\n"), (true, "stdout:\nhi\n\nstderr:\noh\n\nexit_code: 0", None)).await;
    let failed = Some("The command failed with exit code 2.");
    check(finished(Exit::Code(2), "1 failed\n", ""), (false, "stdout:\n1 failed\n\nexit_code: 2", failed)).await;
    check(finished(Exit::Code(2), "", ""), (false, "exit_code: 2", failed)).await;
    let killed = Some("The command failed with exit code 137: it was ended by signal SIGKILL.");
    check(finished(Exit::Signal(9), "", "oh"), (false, "stderr:\noh\n\nexit_code: 137", killed)).await;
    let limit = Some(
        "The command did not end within 30 seconds and was ended. Split it into smaller steps, or raise `timeout` (at most 600).",
    );
    check(finished(Exit::TimedOut, "half", ""), (false, "stdout:\nhalf", limit)).await;
    let mended = "stdout:\n\u{fffd}\n\nstderr:\n\u{fffd}\n\n[Some bytes are not UTF-8 and are shown as \u{fffd}.]\n\nexit_code: 0";
    check(finished(Exit::Code(0), b"\xff", b"\xfe"), (true, mended, None)).await;
    check(finished(Exit::Code(0), b"\0\x01", ""), (true, "stdout:\n[binary output, 2 bytes]\n\nexit_code: 0", None))
        .await;

    let result = shop.ends(finished(Exit::Code(1), "out", "err")).await;
    let shown = "Error: The command failed with exit code 1.\nstdout:\nout\n\nstderr:\nerr\n\nexit_code: 1";
    assert_eq!(result.for_model(), shown, "the model gets the error and the output");
    assert_eq!(result.outcome.name(), "failed");
    let result = shop.ends(finished(Exit::TimedOut, "", "")).await;
    assert_eq!(result.code.as_deref(), Some(ErrorKind::Timeout.facts().code));
}

#[tokio::test]
async fn long_output_is_shortened() {
    let mut set = options();
    set.commands.max_output_lines = 20;
    let shop = shop(ToolsetName::Architect, &set, Locale::Es);
    let lines: String = (1..=100).map(|line| format!("{line}\n")).collect();
    let result = shop.ends(finished(Exit::Code(0), &lines, &lines)).await;
    assert!(result.truncated);
    assert!(result.output.contains("10\n[... 85 líneas omitidas ...]\n96\n"), "{}", result.output);
    assert!(result.output.contains("5\n[... 93 líneas omitidas ...]\n99\n"), "stderr has 10 lines: {}", result.output);
    assert!(result.output.ends_with("\n\nexit_code: 0"));

    let shop = open(ToolsetName::Palanca);
    let mut flood = finished(Exit::Code(0), "", "");
    flood.stdout = Captured {
        head: vec![b'x'; 128 << 10],
        tail: vec![b'x'; 64 << 10],
        omitted_bytes: (1 << 30) - (192 << 10),
        omitted_lines: 0,
        whole: Some("artifact-1".to_owned()),
    };
    let result = shop.ends(flood).await;
    assert!(result.output.len() < 65_000, "{}", result.output.len());
    assert!(result.output.contains(&format!("[... {} bytes omitted ...]", (1 << 30) - 64_000)));
    assert!(result.output.contains("\n[The full output is in artifact-1.]\n\nexit_code: 0"));
    assert_eq!(result.data.unwrap()["stdout_bytes"], 1 << 30);
}

#[tokio::test]
async fn a_program_that_wants_a_terminal_gets_a_hint() {
    let vim = || finished(Exit::Code(1), "", "Vim: Warning: Output is not to a terminal\nstdin: is not a tty\n");
    let architect = open(ToolsetName::Architect).ends(vim()).await.output;
    assert!(architect.contains("[The command needs a terminal") && !architect.contains("terminal=true"), "{architect}");
    let palanca = open(ToolsetName::Palanca).ends(vim()).await.output;
    assert!(palanca.contains("or run it with terminal=true.]\n\nexit_code: 1"), "{palanca}");
    let fine = open(ToolsetName::Palanca).ends(finished(Exit::Code(0), "is not a tty", "")).await.output;
    assert!(!fine.contains("needs a terminal"), "{fine}");

    let shop = open(ToolsetName::Palanca);
    shop.door.then(Ok(finished(Exit::Code(0), "\u{1b}[32mok\u{1b}[0m\r\n10%\r99%\r\n", "")));
    let result = shop.gate.call("run_command", json!({"command": "x", "terminal": true})).await;
    assert_eq!(result.output, "stdout:\nok\n99%\n\nexit_code: 0");
}

#[tokio::test]
async fn exec_in_the_shapes_of_its_toolsets() {
    let bots = open(ToolsetName::Bots);
    let picoclaw = open(ToolsetName::Picoclaw);
    for (end, content, text) in [
        (finished(Exit::Code(0), "hi\n", ""), json!({"success": true, "content": "Exit code: 0\n\nhi"}), json!("hi")),
        (
            finished(Exit::Code(3), "hi\n", "oh\n"),
            json!({"success": false, "content": "Exit code: 3\n\nhi\n--- stderr ---\noh"}),
            json!({"error": "hi\nSTDERR:\noh\nExit code: 3"}),
        ),
        (
            finished(Exit::Code(0), "", ""),
            json!({"success": true, "content": "Exit code: 0\n\n(no output)"}),
            json!("(no output)"),
        ),
        (
            finished(Exit::Code(0), "€".repeat(10_001), ""),
            json!({"success": true, "content": format!("Exit code: 0\n\n{}\n... (truncated, 10001 total chars)", "€".repeat(10_000))}),
            json!(format!("{}\n... (truncated, 1 more chars)", "€".repeat(10_000))),
        ),
    ] {
        assert_eq!(bots.ends(end.clone()).await.to_json(bots.gate.toolset.shape()), content);
        assert_eq!(picoclaw.ends(end).await.to_json(picoclaw.gate.toolset.shape()), text);
    }
    let late = bots.ends(finished(Exit::TimedOut, "half", "")).await;
    let content = late.to_json(bots.gate.toolset.shape())["content"].as_str().unwrap().to_owned();
    assert!(content.starts_with("The command timed out") && content.ends_with("\n\nhalf"), "{content}");
    assert_eq!(late.code.as_deref(), Some("timeout"));
}

#[tokio::test]
async fn the_gate_judges_and_the_tool_does_not() {
    for (class, mode, asked, runs) in [
        (CommandClass::Safe, ConfirmMode::ConfirmSensitive, 0, true),
        (CommandClass::Dev, ConfirmMode::ConfirmSensitive, 1, true),
        (CommandClass::Dangerous, ConfirmMode::ConfirmSensitive, 1, true),
        (CommandClass::Dangerous, ConfirmMode::Yolo, 0, true),
        (CommandClass::Safe, ConfirmMode::ConfirmAll, 1, true),
        (CommandClass::Blocked, ConfirmMode::Yolo, 0, false),
    ] {
        let workspace = TempWorkspace::new();
        let door = Arc::new(FakeProcesses::default());
        let gate = TestGate::builder(&workspace, registry(ToolsetName::Architect, &options()).unwrap())
            .processes(Arc::clone(&door) as _)
            .reader(ReadsAs(class))
            .mode(mode)
            .build();
        let result = gate.call("run_command", json!({"command": "x"})).await;
        assert_eq!((result.success, door.launches().len()), (runs, usize::from(runs)), "{class:?} {mode:?}");
        assert_eq!(gate.answers.asked().len(), asked, "{class:?} {mode:?}");
    }
}

#[test]
fn what_is_switched_off_is_not_there() {
    let names = |toolset: ToolsetName, set: &ToolOptions| -> Vec<String> {
        let registry = registry(toolset, set).unwrap();
        let commands = ["exec", "process", "run_command"];
        registry.snapshot().names().filter(|name| commands.contains(name)).map(str::to_owned).collect()
    };
    let on = options();
    assert_eq!(names(ToolsetName::Palanca, &on), ["process", "run_command"]);
    assert_eq!(names(ToolsetName::Architect, &on), ["run_command"]);
    assert_eq!(names(ToolsetName::Bots, &on), ["exec", "process"]);
    assert_eq!(names(ToolsetName::Picoclaw, &on), ["exec"]);
    let mut bots = options();
    bots.exec.enabled = false;
    assert_eq!(names(ToolsetName::Bots, &bots), ["process"]);
    bots.process.enabled = false;
    assert!(names(ToolsetName::Bots, &bots).is_empty());
    assert_eq!(names(ToolsetName::Palanca, &bots), ["process", "run_command"], "those are the bots' own switches");
    let mut off = options();
    off.commands.enabled = false;
    assert!(ToolsetName::ALL.into_iter().all(|toolset| names(toolset, &off).is_empty()));
}

#[test]
fn the_inner_limit_is_the_one_that_ends_it() {
    let mut set = options();
    set.exec.timeout = Duration::from_secs(3600);
    for (toolset, tool, longest) in [
        (ToolsetName::Palanca, "run_command", 600),
        (ToolsetName::Architect, "run_command", 600),
        (ToolsetName::Picoclaw, "exec", 600),
        (ToolsetName::Bots, "exec", 3600),
    ] {
        let registry = registry(toolset, &set).unwrap();
        let limit = registry.snapshot().get(tool).unwrap().spec().timeout;
        assert!(limit > Duration::from_secs(longest), "{toolset} {tool}: {limit:?}");
    }
}

#[tokio::test]
async fn what_a_program_changed_and_was_refused_is_told_however_it_ended() {
    let delta = |path: &str, before: Option<&str>, after: Option<&str>| FileDelta {
        path: CanonicalPath::new(Root::Workspace, path.into()),
        from: None,
        added: 1,
        removed: 0,
        before: before.map(Into::into),
        after: after.map(Into::into),
    };
    let mut changed = vec![
        delta("new.txt", None, Some("x")),
        delta("src/a.txt", Some("a"), Some("b")),
        delta("gone\n.txt", Some("a"), None),
        delta(".git/index", None, Some("i")),
    ];
    changed.extend((0..40).map(|number| delta(&format!("many/{number}"), None, Some("x"))));
    let error = FileError::new(FileErrorKind::Protected(ClosedBy::Rule), ".vscode/tasks.json").detail("editor.tasks");
    let refused =
        vec![RefusedWrite { error, program: "sed -i s/a/b/ .vscode/tasks.json".to_owned(), declined: None }; 7];
    for toolset in [ToolsetName::Palanca, ToolsetName::Bots, ToolsetName::Picoclaw] {
        for exit in [Exit::Code(0), Exit::Code(1), Exit::TimedOut] {
            let shop = open(toolset);
            let written = Written { changed: changed.clone(), refused: refused.clone() };
            let said = shop.ends(Finished { written, ..finished(exit, "out\n", "") }).await.for_model();
            for expected in [
                "Changed: D gone\\n.txt, A many/0, A many/1, A many/10,",
                "and 23 more files",
                "`sed -i s/a/b/ .vscode/tasks.json`",
                "2 more writes were refused",
            ] {
                assert!(said.contains(expected), "{toolset:?} {exit:?}: {expected}\n{said}");
            }
            assert!(!said.contains(".git/index"), "{said}");
        }
    }
}
