//! A whole terminal, as a person sees it: nothing from outside drives it, questions keep it until they are answered, and
//! stdout gets the answer alone.

use crate::harness::{Bench, Ended};
use palanca_testkit::{PATIENCE, until};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};
use std::time::Instant;

/// A process whose three streams are one terminal.
struct Terminal {
    child: Child,
    ours: File,
    seen: Vec<u8>,
}

impl Terminal {
    fn start(bench: &Bench, arguments: &[&str], (columns, rows): (u16, u16)) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        tcsetwinsize(&ours, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = || Stdio::from(File::options().read(true).write(true).open(&name).unwrap());
        let mut command = bench.command(arguments);
        command.env("TERM", "xterm").stdin(theirs()).stdout(theirs()).stderr(theirs());
        Self { child: command.spawn().unwrap(), ours: ours.into(), seen: Vec::new() }
    }

    /// Everything so far, once `text` stands behind what `after` bytes said.
    fn wait_for(&mut self, text: &str, after: usize) -> String {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let seen = self.text();
            if seen.get(after..).is_some_and(|seen| seen.contains(text)) {
                return seen;
            }
            assert!(self.read(), "it ended without {text:?}: {seen}");
        }
        panic!("no {text:?}: {}", self.text());
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen).replace("\r\n", "\n")
    }

    /// Reads what comes within a second; false at the end.
    fn read(&mut self) -> bool {
        let mut ready = [PollFd::new(&self.ours, PollFlags::IN)];
        let second = rustix::time::Timespec { tv_sec: 1, tv_nsec: 0 };
        if poll(&mut ready, Some(&second)).unwrap() == 0 {
            return true;
        }
        let mut buffer = [0; 4096];
        match self.ours.read(&mut buffer) {
            Ok(read @ 1..) => {
                self.seen.extend_from_slice(&buffer[..read]);
                true
            }
            _ => false,
        }
    }

    fn say(&mut self, line: &str) {
        self.ours.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn interrupt(&self) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    }

    fn end(mut self) -> (i32, String) {
        while self.read() {}
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        (code, self.text())
    }
}

const SIZE: (u16, u16) = (100, 40);
const PROMPT: &str = "[y/n/a]";

fn says(content: &str, calls: &[(&str, Value)]) -> String {
    let calls = calls
        .iter()
        .enumerate()
        .map(|(number, (name, arguments))| json!({"id": format!("c{number}"), "name": name, "arguments": arguments}));
    format!("{}\n", json!({"content": content, "tool_calls": calls.collect::<Vec<_>>()}))
}

fn replay(lines: &[String]) -> Bench {
    Bench::new(&[("s.jsonl", &lines.concat())])
}

const RUN: [&str; 4] = ["run", "hi", "--model", "replay:s.jsonl"];

/// What hides, turns or steers, in everything that a model chooses.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}[39;40r\u{9b}1m\u{202e}\u{61c}\u{ad}\u{2028}\u{3164}\u{e0041}\r";

fn assert_harmless(text: &str) {
    let hostile = ['\u{7}', '\u{9b}', '\u{202e}', '\u{61c}', '\u{ad}', '\u{2028}', '\u{3164}', '\u{e0041}'];
    assert!(!text.contains(hostile), "{text:?}");
    for sequence in ["\u{1b}[2J", "\u{1b}[39;40r", "x\r"] {
        assert!(!text.contains(sequence), "{sequence:?} in {text:?}");
    }
}

#[test]
fn nothing_from_outside_drives_the_terminal() {
    let write = json!({"path": format!("{HOSTILE}.md"), "content": format!("{HOSTILE}\n")});
    let run = json!({"command": format!("printf '{HOSTILE}'")});
    let bench = replay(&[says(HOSTILE, &[("write_file", write.clone()), ("run_command", run)]), says(HOSTILE, &[])]);
    let mut terminal = Terminal::start(&bench, &RUN, SIZE);
    let first = terminal.wait_for(PROMPT, 0).len();
    terminal.say("d");
    let again = terminal.wait_for(PROMPT, first).len();
    terminal.say("n");
    let second = terminal.wait_for(PROMPT, again).len();
    terminal.say("y");
    terminal.wait_for("\n", second);
    let (_, text) = terminal.end();
    assert_harmless(&text);
    assert!(text.contains("\\u{1b}[2J") && text.contains("\\u{202e}"), "it is shown, not hidden: {text}");
    let (file, line) = (bench.workspace().join("b"), json!({"tool": "write_file", "args": write}));
    std::fs::write(&file, format!("{line}\n")).unwrap();
    for arguments in [
        &["sessions", "show", "latest", "--diff"][..],
        &["sessions", "list"],
        &["approvals", "list", "--all"],
        &["audit", "show"],
        &["call", "--batch", "b", "--dry-run"],
        &["call", "write_file", &write.to_string(), "--dry-run"],
        &["call", "write_file", &write.to_string(), "--dry-run", "--json"],
        &["explain", "write_file", &write.to_string()],
        &["run", HOSTILE, "--model", "replay:s.jsonl", "--dry-run", "--report", "markdown"],
    ] {
        let (_, text) = Terminal::start(&bench, arguments, SIZE).end();
        assert_harmless(&text);
    }
}

fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// In a path, also where a terminal breaks the line.
#[test]
fn no_value_adds_a_line_to_a_question() {
    let forged = "  safe: it only reads, inside the workspace  [shell.class.safe]";
    for path in [format!("n.md\n{forged}"), format!("n.md{}{forged}", " ".repeat(SIZE.0.into())), format!("{forged}\n")]
    {
        let write = json!({"path": path, "content": format!("{forged}\n {forged}\n")}).to_string();
        let bench = Bench::new(&[]);
        let mut terminal = Terminal::start(&bench, &["call", "write_file", &write], SIZE);
        let text = terminal.wait_for(PROMPT, 0);
        let listed = bench.run(&["approvals", "list", "--json"]).json();
        let page = bench.run(&["approvals", "show", listed[0]["id"].as_str().unwrap()]).expect(0).stdout;
        terminal.say("n");
        terminal.end();
        for line in text.lines().map(without_colours) {
            assert!(!line.trim_start().starts_with("safe:"), "{path:?}: {text}");
            assert!(line.chars().count() <= SIZE.0.into(), "{line:?} is broken by the terminal");
        }
        assert!(!page.lines().any(|line| line.trim_start().starts_with("safe:")), "{path:?}: {page}");
    }
}

#[test]
fn a_question_fits_the_terminal_and_counts_what_it_leaves_out() {
    let content = (0..60).map(|line| format!("line {line}\n")).collect::<String>();
    let command = format!("echo {}; rm -r evil-tail", "argument ".repeat(60));
    for (size, call) in [
        ((100, 40), ("write_file", json!({"path": "a.txt", "content": content}))),
        ((40, 10), ("write_file", json!({"path": "a.txt", "content": content}))),
        ((40, 20), ("run_command", json!({"command": command}))),
        ((40, 10), ("run_command", json!({"command": command}))),
    ] {
        let bench = replay(&[says(&"story\n".repeat(50), &[call]), says("done", &[])]);
        let mut terminal = Terminal::start(&bench, &RUN, size);
        let text = terminal.wait_for(PROMPT, 0);
        terminal.say("d");
        let whole = terminal.wait_for(PROMPT, text.len());
        terminal.say("n");
        terminal.end();
        let question = text.split("story\n").last().unwrap().trim_start();
        let question = question.rsplit("\u{1b}[J").next().unwrap();
        assert!(question.lines().count() <= size.1.into(), "{size:?}: {question}");
        assert!(question.contains("lines: d shows them"), "{size:?}: {question}");
        let unbroken = question.replace("\n  ┆ ", "");
        assert!(unbroken.contains("more characters"), "the prompt says that it is cut, {size:?}: {question}");
        let whole = &whole[text.len()..];
        let told = if call_is_write(&bench) { "line 59" } else { "evil-tail" };
        assert!(whole.contains(told), "{size:?}: {whole}");
    }
}

fn call_is_write(bench: &Bench) -> bool {
    bench.read("s.jsonl").contains("write_file")
}

#[test]
fn what_ends_while_a_question_is_open_waits() {
    let write = |path: &str| ("write_file", json!({"path": path, "content": format!("CONTENT-OF-{path}\n")}));
    for language in ["en", "es"] {
        let bench = replay(&[says("Two files.", &[write("a.txt"), write("b.txt")]), says("Both are there.", &[])]);
        let mut terminal = Terminal::start(&bench, &[&RUN[..], &["--lang", language]].concat(), SIZE);
        let first = terminal.wait_for(PROMPT, 0).len();
        terminal.say("y");
        let second = terminal.wait_for(PROMPT, first);
        until("the first one is written", || bench.workspace().join("a.txt").exists());
        terminal.say("y");
        let (code, text) = terminal.end();
        assert_eq!(code, 0, "{text}");
        // The first write may have ended before the second question was shown, never in the midst of it.
        let question = second.find("b/b.txt").unwrap();
        assert!(!second[question..].contains('✓') && text.matches('✓').count() == 2, "{text}");
        for content in ["CONTENT-OF-a.txt", "CONTENT-OF-b.txt", "Two files.", "Both are there."] {
            assert_eq!(text.matches(content).count(), 1, "{content}: {text}");
        }
    }
}

#[test]
fn an_interrupt_at_a_question_repeats_nothing() {
    let write = ("write_file", json!({"path": "a.txt", "content": "x\n"}));
    let bench = replay(&[says("I write it.", &[write]), says("done", &[])]);
    let mut terminal = Terminal::start(&bench, &RUN, SIZE);
    terminal.wait_for(PROMPT, 0);
    terminal.interrupt();
    let (code, text) = terminal.end();
    assert_eq!(code, 130, "{text}");
    assert_eq!(text.matches("I write it.").count(), 1, "{text}");
    assert!(!text.contains("elsewhere") && text.contains("Stopped:"), "{text}");
}

#[test]
fn a_person_sees_what_runs_and_what_it_prints() {
    let command = "echo working-1; until test -e seen; do sleep 0.02; done";
    let bench = replay(&[says("", &[("run_command", json!({"command": command}))]), says("done", &[])]);
    let mut terminal = Terminal::start(&bench, &[&RUN[..], &["-m", "yolo"]].concat(), SIZE);
    terminal.wait_for("│ working-1", 0);
    bench.write("seen", "");
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    let first = text.lines().find(|line| line.contains("build")).unwrap_or_default();
    assert!(first.contains("replay:") && first.contains("yolo"), "{text}");
    assert!(text.contains("run_command") && text.contains("step 1"), "{text}");
    let piped = bench.run(&[&RUN[..], &["-m", "yolo"]].concat()).expect(0);
    assert!(!format!("{}{}", piped.stdout, piped.stderr).contains(['\u{1b}', '⠋', '│']), "{}", piped.stderr);
}

/// What a pipe gets, whatever stderr shows.
#[test]
fn stdout_is_the_final_answer_once() {
    let read = ("read_file", json!({"path": "s.jsonl"}));
    let read = [read];
    let two = [says("I look.", &read), says("Here it is.", &[])];
    let stuck = [says("I look.", &read), says("I go on.", &read)];
    for (script, more, code, stdout) in [
        (&two, &[][..], 0, "Here it is.\n"),
        (&two, &["--quiet"], 0, "Here it is.\n"),
        (&two, &["--log-level", "error"], 0, "Here it is.\n"),
        (&two, &["--log-level", "warn"], 0, "Here it is.\n"),
        (&two, &["-v"], 0, "Here it is.\n"),
        (&two, &["--no-stream"], 0, "Here it is.\n"),
        // The second message of the script is the closing word.
        (&two, &["--max-steps", "1"], 2, "Here it is.\n"),
        (&stuck, &[], 1, ""),
        (&stuck, &["--quiet"], 1, ""),
    ] {
        let bench = replay(script);
        let ended = bench.run(&[&RUN[..], more].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (code, stdout), "{more:?}: {}", ended.stderr);
        let Ended { stderr, .. } = ended;
        assert_eq!(stderr.matches("Here it is.").count(), 0, "{more:?}: {stderr}");
        let human = !more.contains(&"--quiet") && !more.contains(&"--log-level");
        assert_eq!(stderr.matches("I look.").count(), usize::from(human), "{more:?}: {stderr}");
        assert_eq!(
            stderr.lines().filter(|line| line.starts_with("error:")).count(),
            usize::from(code == 1),
            "{stderr}"
        );
    }
}

#[test]
fn events_are_one_a_line_and_the_last_is_the_report() {
    const SECRET: &str = "ghp_7KU0eVduYDFOGxO780wTzy8FwpdKGt8Xyxqv";
    let bench = replay(&[
        says(
            "",
            &[("run_command", json!({"command": format!("echo {SECRET}; until test -e seen; do sleep 0.02; done")}))],
        ),
        says(&format!("The key is {SECRET}."), &[]),
    ]);
    let mut command = bench.command(&[&RUN[..], &["-m", "yolo", "--json-events"]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap) {
        assert!(!line.contains(SECRET), "{line}");
        let line: Value = serde_json::from_str(&line).unwrap();
        if line["event"] == "tool_output" {
            bench.write("seen", "");
        }
        lines.push(line);
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"started"), Some(&"report")), "{names:?}");
    for name in ["step", "tool_started", "tool_output", "tool_ended", "text", "usage", "ended"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert_eq!(lines.last().unwrap()["report"]["status"], "success");
    assert_eq!(lines[0]["mode"], "yolo");
    bench.run(&[&RUN[..], &["--json", "--json-events"]].concat()).expect(3);
}

/// Ctrl-C ends an answer or takes its question back, and the conversation goes on; twice between answers it ends.
#[test]
fn a_conversation_survives_its_interrupted_answers() {
    let long = format!("sleep 1000.{}", std::process::id());
    let sleeps = says("Sleeping.", &[("run_command", json!({"command": long}))]);
    let writes = says("Writing.", &[("write_file", json!({"path": "a.txt", "content": "x\n"}))]);
    let again = says("Writing again.", &[("write_file", json!({"path": "b.txt", "content": "y\n"}))]);
    let bench = replay(&[sleeps, writes, again, says("Written.", &[])]);
    let arguments = ["chat", "--model", "replay:s.jsonl", "--allow-commands"];
    let mut terminal = Terminal::start(&bench, &arguments, SIZE);
    let mut at = terminal.wait_for("\n> ", 0).len();
    terminal.say("sleep");
    at = terminal.wait_for(PROMPT, at).len();
    terminal.say("y");
    until("it sleeps", || crate::harness::lives(&long));
    terminal.interrupt();
    at = terminal.wait_for("\n> ", at).len();
    assert!(terminal.text().contains("ending this answer"), "{}", terminal.text());
    terminal.say("write");
    at = terminal.wait_for(PROMPT, at).len();
    terminal.interrupt();
    at = terminal.wait_for("\n> ", at).len();
    assert!(!terminal.text().contains("answered elsewhere"), "{}", terminal.text());
    terminal.say("write again");
    at = terminal.wait_for(PROMPT, at).len();
    terminal.say("y");
    at = terminal.wait_for("\n> ", at).len();
    assert!(terminal.text().contains("Written."), "{}", terminal.text());
    terminal.interrupt();
    terminal.wait_for("ends the conversation.\n> ", at);
    terminal.interrupt();
    let (code, text) = terminal.end();
    assert_eq!(code, 0, "{text}");
    assert!(!bench.workspace().join("a.txt").exists() && bench.workspace().join("b.txt").exists(), "{text}");
}
