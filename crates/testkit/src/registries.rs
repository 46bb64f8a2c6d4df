//! Programs of others from npm and PyPI, each installed once below a folder that is kept.

use crate::{skipped, unreached};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A program of an npm package (`name@version`), in a folder of this name; none where npm or its registry is missing, which is told.
#[must_use]
pub fn npm_installed(below: &Path, folder: &str, packages: &[&str], program: &str) -> Option<PathBuf> {
    installed(below, folder, &Path::new("node_modules").join(program), |folder| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts"]).args(packages);
        vec![("npm", npm)].into_iter().map(|(name, command)| (name, within(command, folder))).collect()
    })
}

/// The Python of an environment that has this package (`name==version`); none where Python or the registry is missing, which is told.
#[must_use]
pub fn pip_installed(below: &Path, folder: &str, package: &str) -> Option<PathBuf> {
    // pip makes no program, so the last step is to say that all went well.
    installed(below, folder, Path::new("done"), |folder| {
        let (mut venv, mut pip, mut done) =
            (Command::new("python3"), Command::new("bin/python"), Command::new("touch"));
        venv.args(["-m", "venv", "."]);
        let quiet = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"];
        pip.args(["-m", "pip", "install"]).args(quiet).arg(package);
        done.arg("done");
        let steps = [("python3", venv), ("pip", pip), ("touch", done)];
        steps.into_iter().map(|(name, command)| (name, within(command, folder))).collect()
    })
    .map(|done| done.with_file_name("bin/python"))
}

fn within(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// What the steps make; of two runs at once, one takes them.
fn installed(
    below: &Path,
    folder: &str,
    makes: &Path,
    steps: impl FnOnce(&Path) -> Vec<(&'static str, Command)>,
) -> Option<PathBuf> {
    let folder = below.join(folder);
    std::fs::create_dir_all(&folder).expect("a folder for what is installed");
    let lock = File::create(folder.join("lock")).expect("a lock");
    lock.lock().expect("the lock");
    let path = folder.join(makes);
    if !path.exists() {
        for (name, mut step) in steps(&folder) {
            match step.output() {
                Ok(Output { status, .. }) if status.success() => {}
                Ok(output) => {
                    let why = format!("{name}: {}", String::from_utf8_lossy(&output.stderr));
                    unreached(&folder.display().to_string(), &why);
                    return None;
                }
                Err(error) => {
                    skipped(&folder.display().to_string(), &format!("{name} is not here: {error}"));
                    return None;
                }
            }
        }
    }
    Some(path)
}
