//! Programs of others from the npm registry.

use palanca_testkit::{skipped, unreached};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of a package (`name@version`), installed once below `target/`; none where npm or its registry is missing, which is told.
pub fn installed(package: &str, program: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(program);
    std::fs::create_dir_all(&folder).unwrap();
    // Of two runs at once, one installs it.
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let path = folder.join("node_modules/.bin").join(program);
    if !path.exists() {
        let installed = Command::new("npm")
            .args(["install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts", package])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output();
        match installed {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                unreached(package, &format!("npm cannot install it: {}", String::from_utf8_lossy(&output.stderr)));
                return None;
            }
            Err(error) => {
                skipped(package, &format!("npm is not here: {error}"));
                return None;
            }
        }
    }
    Some(path)
}
