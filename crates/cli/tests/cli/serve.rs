//! `palanca serve`: one process for all bots, until it is asked to end.

use crate::harness::{Bench, Ended, ended};
use palanca_testkit::until;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::process::{Child, Command, Stdio};

/// A server and what it has said so far.
pub struct Serving {
    child: Option<Child>,
    said: tempfile::TempDir,
}

impl Serving {
    /// Waits until it is ready.
    pub fn begin(command: &mut Command) -> Self {
        let serving = Self::spawn(command);
        until("it is ready", || serving.stderr().contains("Ready."));
        serving
    }

    /// A program that is not asked to say that it is ready.
    pub fn spawn(command: &mut Command) -> Self {
        let said = tempfile::tempdir().unwrap();
        let file = |name: &str| File::create(said.path().join(name)).unwrap();
        let child = command.stdin(Stdio::null()).stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap();
        Self { child: Some(child), said }
    }

    pub fn stdout(&self) -> String {
        std::fs::read_to_string(self.said.path().join("stdout")).unwrap()
    }

    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.said.path().join("stderr")).unwrap()
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(self.child.as_ref().unwrap());
        kill_process(pid, signal).unwrap();
    }

    /// As a service manager ends it.
    pub fn end(self) -> Ended {
        self.signal(Signal::TERM);
        self.wait()
    }

    /// Until it ends by itself.
    pub fn wait(mut self) -> Ended {
        let output = self.child.take().unwrap().wait_with_output().unwrap();
        Ended { stdout: self.stdout(), stderr: self.stderr(), ..ended(output) }
    }

    /// As a machine that fails ends it.
    pub fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.take().unwrap().wait().unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // ignored: it may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

const BOTS: &str =
    "bots: [{id: ana, name: Ana, model: 'openai:a'}, {id: bad, timezone: Madrid}, {id: off, enabled: false}]\n";

#[test]
fn it_keeps_all_bots_until_it_is_asked_to_end() {
    let bench = Bench::new(&[("bots.yaml", BOTS)]);
    let ended = Serving::begin(&mut bench.command(&["--config", "bots.yaml", "serve"])).end().expect(0);
    assert_eq!(ended.stdout, "ana: ready (Ana · openai:a)\n");
    assert!(ended.stderr.contains("bad: ") && ended.stderr.contains("Madrid"), "{}", ended.stderr);
}

#[test]
fn without_a_bot_it_says_so_and_waits() {
    let bench = Bench::new(&[("bots.yaml", "bots: [{id: off, enabled: false}]\n")]);
    let ended = Serving::begin(&mut bench.command(&["--config", "bots.yaml", "serve"])).end().expect(0);
    assert!(ended.stdout.is_empty() && ended.stderr.contains("no bot that is switched on"), "{}", ended.stderr);
}

#[test]
fn what_it_has_no_use_for_is_refused() {
    let bench = Bench::new(&[]);
    for flags in [&["serve", "--bot", "ana"][..], &["serve", "--dry-run"]] {
        assert!(bench.run(flags).expect(3).stderr.contains(flags[1]));
    }
}

#[test]
fn a_configuration_that_changes_is_taken_up_bot_by_bot_and_a_bad_one_is_not() {
    let bench = Bench::new(&[("bots.yaml", "bots: [{id: ana, model: 'openai:a'}, {id: eva, model: 'openai:a'}]\n")]);
    let serving = Serving::begin(&mut bench.command(&["--config", "bots.yaml", "serve"]));
    bench.write("bots.yaml", "bots: many\n");
    until("it says why not", || serving.stderr().contains("earlier one stays"));
    bench.write(
        "bots.yaml",
        "bots: [{id: ana, model: 'openai:b'}, {id: eva, timezone: Madrid}, {id: new, model: 'openai:c'}]\n",
    );
    until("the new one is there", || serving.stdout().contains("new: ready (new · openai:c)"));
    until("another keeps what it had", || serving.stderr().contains("stays for eva"));
    let doctor = bench.run(&["doctor"]).stdout;
    assert!(doctor.contains("with the bots ana, eva"), "{doctor}");
    bench.write("bots.yaml", "bots: [{id: new, model: 'openai:c'}]\n");
    until("one goes", || serving.stderr().contains("ana is not there any more"));
    let ended = serving.end().expect(0);
    assert!(ended.stdout.contains("ana: ready (ana · openai:b)"), "{}", ended.stdout);
    assert!(!bench.run(&["doctor"]).stdout.contains("with the bots"));
    // One that is killed is named until the next one ends in order.
    let serving = Serving::begin(&mut bench.command(&["--config", "bots.yaml", "serve"]));
    until("doctor knows it", || bench.run(&["doctor"]).stdout.contains("with the bots new"));
    serving.kill();
    assert!(bench.run(&["doctor"]).stdout.contains("ended without a word"));
}
