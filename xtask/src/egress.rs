//! The only egress of the program is `crates/net`: no other room that is shipped names a socket, a resolver or a client
//! library, in its code, in its manifest, or through a dependency.
//!
//! Clippy's disallowed types say the same to whoever writes the code, but a room can switch them off for itself, and four
//! do, because they are doors to something else. Here nobody can. The libraries that the door itself stands on are named
//! exceptions (`exceptions`). Code is read as paths, so a renamed import is found where it is renamed.

mod exceptions;
mod paths;

use std::fs;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::size::{count, is_test_file, source_files};
use crate::workspace::{Kind, Package, Workspace};
use exceptions::allows;
use paths::paths;

const DOOR: &str = "palanca-net";
/// Never part of the program; `check-layers` keeps the shipped rooms from standing on them.
const NOT_SHIPPED: &[&str] = &["palanca-testkit", "xtask"];

/// Libraries that open connections or ask for addresses, by the name that a manifest has for them.
const LIBRARIES: &str = "\
    async-net async-std async-tungstenite attohttpc awc curl curl-sys dns-lookup fastwebsockets h2 h3 hickory-client \
    hickory-proto hickory-resolver http-client hyper hyper-rustls hyper-tls hyper-util isahc mio minreq native-tls \
    openssl openssl-sys quinn reqwest rustls rustls-platform-verifier s2n-quic smol socket2 ssh2 surf tokio-native-tls \
    tokio-rustls tokio-tungstenite tonic trust-dns-resolver tungstenite ureq websocket";

/// Names that no other room has a use for, wherever they stand in a path.
const WORDS: &[&str] = &[
    "TcpListener",
    "TcpSocket",
    "TcpStream",
    "ToSocketAddrs",
    "UdpSocket",
    "getaddrinfo",
    "gethostbyname",
    "lookup_host",
    "to_socket_addrs",
];

/// Beginnings of paths. Addresses without sockets are in `core::net`; the sockets of one machine, in
/// `std::os::unix::net` and under `Unix…` in `tokio::net`, and pipes lead nowhere.
const BEGINNINGS: &[&str] = &[
    "std::net",
    "tokio::net",
    "libc as",
    "libc::*",
    "libc::connect",
    "libc::sendto",
    "libc::socket",
    "rustix as",
    "rustix::net as",
    "rustix::net::*",
    "rustix::net::connect",
    "rustix::net::sendmsg_addr",
    "rustix::net::sendto",
    "rustix::net::socket",
];
const NEIGHBOURS: &[(&str, &[&str])] = &[
    ("tokio::net", &["tokio::net::Unix", "tokio::net::unix::pipe"]),
    ("rustix::net::socket", &["rustix::net::socketpair", "rustix::net::sockopt"]),
    ("libc::socket", &["libc::socketpair"]),
    ("rustix::net::connect", &["rustix::net::connect_unix"]),
];

/// The supervisor connects a program's own socket where the program asked to, which is judged there; none of ours.
const OF_PROGRAMS: (&str, &str) = ("crates/sandbox/src/supervisor/raw.rs", "libc::connect");

fn is_network_library(name: &str) -> bool {
    LIBRARIES.split(' ').any(|library| library == name)
}

pub fn check(workspace: &Workspace, report: &mut Report) -> Result<()> {
    let mut used = Vec::new();
    if let Some(door) = workspace.package(DOOR) {
        manifest(door, &mut used, report);
    }
    for package in workspace.packages.iter().filter(|package| is_shipped(&package.name)) {
        manifest(package, &mut used, report);
        for file in source_files(&package.folder)? {
            let path = workspace.relative(&file);
            let inside = workspace.relative(&file).replacen(&workspace.relative(&package.folder), "", 1);
            if is_shipped_file(&inside) {
                let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
                source(&path, &text, report);
            }
        }
    }
    let lock = fs::read_to_string(workspace.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    locked(workspace, &lock, &mut used, report);
    exceptions::check(workspace, &used, report);
    Ok(())
}

fn is_shipped(package: &str) -> bool {
    package != DOOR && !NOT_SHIPPED.contains(&package)
}

/// Whether a file, by its path inside its package, becomes part of the program.
fn is_shipped_file(path: &str) -> bool {
    let folder = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    !is_test_file(path) && !matches!(folder, "benches" | "examples" | "tests")
}

/// What is used, and with an exception, goes to `used`.
type Used = Vec<(String, String)>;

fn manifest(package: &Package, used: &mut Used, report: &mut Report) {
    for dependency in &package.dependencies {
        if dependency.kind == Kind::Dev || !is_network_library(&dependency.name) {
            continue;
        }
        if allows(&package.name, &dependency.name) {
            used.push((package.name.clone(), dependency.name.clone()));
        } else {
            report.fail(format!(
                "{}: depends on `{}`, which opens connections; only {DOOR} may, send through its ports (core::ports)",
                package.name, dependency.name
            ));
        }
    }
}

fn source(path: &str, text: &str, report: &mut Report) {
    let (lines, _) = count(text);
    let shipped: Vec<&str> = text.lines().take(lines).collect();
    for (line, found) in paths(&shipped.join("\n")) {
        if is_egress(&found) && (path, &*found) != OF_PROGRAMS {
            report.fail(format!(
                "{path}:{line}: `{found}` reaches the network; only {DOOR} may, send through its ports (core::ports)"
            ));
        }
    }
}

fn is_egress(path: &str) -> bool {
    let path = path.trim_start_matches("::");
    let first = path.split("::").next().unwrap_or_default().replace('_', "-");
    let crate_name = first.split_whitespace().next().unwrap_or_default();
    let is_library = is_network_library(crate_name) && path.contains([':', ' ']);
    let has_word = path.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| WORDS.contains(&word));
    let begins = BEGINNINGS.iter().any(|beginning| {
        let neighbours = NEIGHBOURS.iter().filter(|(of, _)| of == beginning).flat_map(|(_, names)| *names);
        path.starts_with(beginning) && !neighbours.into_iter().any(|neighbour| path.starts_with(neighbour))
    });
    is_library || has_word || begins
}

/// Who stands on a client library without being one. Members of the workspace are judged by their manifests, because a
/// lock file does not tell what is for tests only.
fn locked(workspace: &Workspace, lock: &str, used: &mut Used, report: &mut Report) {
    for entry in lock.split("[[package]]").skip(1) {
        let Some(name) = entry.lines().find_map(|line| quoted(line.strip_prefix("name = ")?)) else { continue };
        if workspace.package(name).is_some() || is_network_library(name) {
            continue;
        }
        let (_, dependencies) = entry.split_once("dependencies = [").unwrap_or_default();
        for library in dependencies.lines().filter_map(|line| quoted(line.trim())) {
            let library = library.split(' ').next().unwrap_or_default();
            if allows(name, library) {
                used.push((name.to_owned(), library.to_owned()));
            } else if is_network_library(library) {
                report.fail(format!(
                    "Cargo.lock: `{name}` brings `{library}`, which opens connections, past {DOOR}; \
                     switch that feature off, or choose another library"
                ));
            }
        }
    }
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests;
