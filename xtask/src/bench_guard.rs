//! The guard against getting slower by and by: counts the instructions of six everyday uses of the binary with
//! `valgrind --tool=cachegrind` and compares them with committed numbers.
//!
//! The binary is the one that the tests have built: what makes it slower makes the released one slower, too, and that one
//! takes six minutes to build. The numbers say nothing about the released one beyond that.
//!
//! Instructions and not time, because those of one program hardly differ between machines, whatever else runs there; and
//! always valgrind's, never those of a hardware counter, which counts differently. Under valgrind no program can be
//! isolated, so the round of a command ends where its program would start, as in a dry run.

use crate::report::Report;
use crate::suites::without_cargo;
use anyhow::{Context, Result, bail};
use palanca_testkit::{Manner, ScriptedServer, Turn};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `NAME = INSTRUCTIONS`, a line each.
const COMMITTED: &str = "xtask/instructions.txt";
/// How many more than the committed ones are too many, in percent.
const TOLERANCE: u64 = 5;
const ROUNDS: u64 = 20;
/// Without isolation, which valgrind does not allow: finding that out beside the model's answer would be counted, some of it.
const SETTINGS: &str = "commands: {unsandboxed: true}\n";

/// One row.
struct Counted {
    name: &'static str,
    instructions: u64,
}

/// Builds the binary as the tests do, counts, and compares. Without valgrind nothing is compared, and that is said.
pub fn check(root: &Path, report: &mut Report) -> Result<()> {
    let Some(rows) = count(root)? else { return Ok(()) };
    let path = root.join(COMMITTED);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    for row in rows {
        let Counted { name, instructions } = row;
        let Some(committed) = committed(&text, name) else {
            report.fail(format!("{COMMITTED}: no number for `{name}`: `cargo xtask bench-guard --write` adds it"));
            continue;
        };
        println!("{name:>14} {instructions:>12}, committed {committed}");
        if instructions * 100 > committed * (100 + TOLERANCE) {
            report.fail(format!(
                "`{name}` takes {instructions} instructions, more than {TOLERANCE} % above the committed {committed}: \
                 find out why with `valgrind --tool=callgrind`, or say why in the commit that changes {COMMITTED} \
                 (`cargo xtask bench-guard --write`)"
            ));
        } else if instructions * (100 + TOLERANCE) < committed * 100 {
            report.warn(format!("`{name}` became faster: commit what `cargo xtask bench-guard --write` writes"));
        }
    }
    Ok(())
}

/// Replaces the committed numbers.
pub fn write(root: &Path) -> Result<()> {
    let rows = count(root)?.context("nothing was counted")?;
    let mut text = String::new();
    for Counted { name, instructions } in rows {
        writeln!(text, "{name} = {instructions}")?;
    }
    fs::write(root.join(COMMITTED), text).with_context(|| format!("cannot write {COMMITTED}"))
}

fn committed(text: &str, name: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))?;
    number.trim().parse().ok()
}

/// Nothing where there is no valgrind.
fn count(root: &Path) -> Result<Option<Vec<Counted>>> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        palanca_testkit::skipped("bench-guard", "valgrind is not installed, so nothing was counted");
        return Ok(None);
    }
    let mut build = Command::new(env!("CARGO"));
    build.args(["test", "--workspace", "--no-run", "--quiet"]).current_dir(root);
    without_cargo(&mut build);
    if !build.status()?.success() {
        bail!("the tests cannot be built");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Subject::new(target.join("debug/palanca"))?.rows().map(Some)
}

/// The binary, and a home and a workspace whose paths have the same length everywhere.
struct Subject {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Subject {
    fn new(program: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bench-guard-").tempdir_in("/tmp")?;
        fs::create_dir(folder.path().join("workspace"))?;
        fs::create_dir_all(folder.path().join("settings/palanca"))?;
        fs::write(folder.path().join("settings/palanca/palanca.yaml"), SETTINGS)?;
        for round in 0..ROUNDS {
            fs::write(folder.path().join(format!("workspace/f{round:02}.txt")), "a line of text\n".repeat(100))?;
        }
        Ok(Self { program, folder })
    }

    fn rows(&self) -> Result<Vec<Counted>> {
        let echo = json!({"tool": "echo", "args": {"message": "hi"}});
        let read = json!({"tool": "read_file", "args": {"path": "f00.txt"}});
        let shell = json!({"tool": "run_command", "args": {"command": "echo hi"}});
        // The first ones make the home and its database, which happens once.
        self.batch(1, &echo, &[])?;
        self.agent(0)?;
        let run = self.agent(0)?;
        let row = |name, instructions| Counted { name, instructions };
        Ok(vec![
            row("version", self.instructions(self.command().arg("--version"))?),
            row("run", run),
            row("round", self.agent(ROUNDS)?.saturating_sub(run) / ROUNDS),
            row("batch call", self.each(1000, &echo, &[])?),
            row("read", self.each(500, &read, &[])?),
            row("shell round", self.each(100, &shell, &["--dry-run"])?),
        ])
    }

    /// A run of so many rounds, in each another file is read.
    fn agent(&self, rounds: u64) -> Result<u64> {
        let read = |round| Turn::calls([("read_file", json!({"path": format!("f{round:02}.txt")}))]);
        let mut turns: Vec<Turn> = (0..rounds).map(read).collect();
        turns.push(Turn::text("Done."));
        let server = ScriptedServer::spawn(turns, Manner::default());
        let mut command = self.command();
        command.args(["run", "Read the files.", "--mode", "yolo", "--model", "openai:scripted"]);
        command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "none");
        self.instructions(&mut command)
    }

    /// Of one call among many.
    fn each(&self, calls: u64, call: &serde_json::Value, options: &[&str]) -> Result<u64> {
        let few = self.batch(calls / 2, call, options)?;
        Ok(self.batch(calls / 2 + calls, call, options)?.saturating_sub(few) / calls)
    }

    /// The same call so many times.
    fn batch(&self, calls: u64, call: &serde_json::Value, options: &[&str]) -> Result<u64> {
        let file = self.folder.path().join("calls.jsonl");
        fs::write(&file, format!("{call}\n").repeat(usize::try_from(calls)?))?;
        let mut command = self.command();
        self.instructions(command.args(["call", "--mode", "yolo", "--batch"]).arg(file).args(options))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("valgrind");
        command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]).arg(&self.program);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
        command.env("PALANCA_HOME", self.folder.path().join("home"));
        command.env("XDG_CONFIG_HOME", self.folder.path().join("settings"));
        command.current_dir(self.folder.path().join("workspace")).stdin(Stdio::null());
        command
    }

    fn instructions(&self, command: &mut Command) -> Result<u64> {
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{command:?} ended with {}: {said}", output.status);
        }
        let counted = said.lines().find_map(|line| line.split_once("refs:")).context("valgrind counted nothing")?.1;
        Ok(counted.trim().replace(',', "").parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::committed;

    #[test]
    fn a_row_is_found_by_its_whole_name() {
        let text = "run = 5\nrun twice = 7\n";
        assert_eq!(
            (committed(text, "run"), committed(text, "run twice"), committed(text, "ru")),
            (Some(5), Some(7), None)
        );
    }
}
