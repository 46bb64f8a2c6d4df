//! What a user would notice: the gate's own time, batches, start-up, an agent's round, patches. Each figure stands beside
//! what one would pick instead, measured in the same run: `cargo bench --package palanca-cli`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

mod gate;
mod patch;
mod process;
mod sandbox;
mod search;
mod server;
mod sessions;
mod shell;
mod stat;

fn main() {
    // Cargo passes `--bench`; a word narrows the run: `cargo bench -- patch`.
    let wanted: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wants = |name: &str| wanted.as_deref().is_none_or(|wanted| name.contains(wanted));
    if wants("process") {
        process::bench();
    }
    if wants("gate") {
        gate::bench();
    }
    if wants("shell") {
        shell::bench();
    }
    if wants("sandbox") {
        sandbox::bench();
    }
    if wants("search") {
        search::bench();
    }
    if wants("sessions") {
        sessions::bench();
    }
    if wants("patch") {
        patch::bench();
    }
}
