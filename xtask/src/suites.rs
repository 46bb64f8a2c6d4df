//! Tests that `cargo test` leaves out, because they want the machine for themselves or others' packages. They lie beside
//! the others, in modules called as the suite, and are marked `#[ignore]`.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

/// Which tests are meant.
#[derive(Clone, Copy)]
pub enum Suite {
    /// Upper bounds by the clock, thousands of tries, storms of processes, memory, kills at random moments.
    Stress,
    /// Other people's packages, from npm, PyPI and Debian.
    Peers,
}

impl Suite {
    fn module(self) -> &'static str {
        match self {
            Self::Stress => "stress::",
            Self::Peers => "peers::",
        }
    }
}

/// Runs them one after the other, and says how long it took.
pub fn run(root: &Path, suite: Suite) -> Result<()> {
    let begun = Instant::now();
    let mut tests = Command::new(env!("CARGO"));
    tests.args(["test", "--workspace", "--tests", "--", "--ignored", "--test-threads", "1", suite.module()]);
    without_cargo(&mut tests);
    let ended = tests.current_dir(root).status()?;
    println!("{} took {} s, the build included", suite.module().trim_end_matches(':'), begun.elapsed().as_secs());
    if !ended.success() {
        bail!("a test failed: see above");
    }
    Ok(())
}

/// What cargo tells of this program; build scripts would take it for news and build everything again.
pub fn without_cargo(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
}
