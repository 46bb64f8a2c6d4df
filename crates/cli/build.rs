//! Asks the linker to pack the addresses that are corrected at start, where the C library can read them packed: the program
//! file is a tenth smaller, starts sooner and takes less memory.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "part of the build, not of the program")]

use std::env;
use std::process::Command;

/// The first glibc that reads them.
const SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_here = env::var("TARGET").is_ok_and(|target| env::var("HOST").is_ok_and(|host| host == target));
    if is_here && glibc().is_some_and(|version| version >= SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The C library of this machine; none where it is another one.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
