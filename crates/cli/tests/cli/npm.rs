//! Programs of others from the npm registry.

use palanca_testkit::npm_installed;
use std::path::{Path, PathBuf};

/// A program of a package (`name@version`), installed once below `target/`; none where npm or its registry is missing, which is told.
pub fn installed(package: &str, program: &str) -> Option<PathBuf> {
    let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
    npm_installed(below, program, &[package], &format!(".bin/{program}"))
}
