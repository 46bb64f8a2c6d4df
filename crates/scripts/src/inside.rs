//! The script's side: our binary as the process of one script.
//!
//! It gives up what it does not need, makes the engine, and then waits for its order: a source, whose types it removes, and which it
//! runs until its result is there. It has no way to the world but two pipes, and ends without cleaning up: the system does that.

mod bridge;
mod confine;
mod machine;
mod pipes;
mod place;
mod strip;
mod work;

use crate::limits::Limits;
use crate::wire::{How, Order, RUNS_A_SCRIPT, Said};
use machine::Program;
use pipes::{Pipes, send};

pub(crate) const BUILT: bool = true;

/// The stack of the one thread that reads and runs a script.
const STACK: usize = 256 << 20;
/// How much of it the program may use, at about 500 bytes a call; the rest is for reading deeply nested source.
const CALLS: usize = 16 << 20;
/// Of the forms that most sources have.
const FIRST: &str = "interface A { a?: number }\nexport default async function run(args: A): Promise<string> {\n  \
                     const { a = 1 } = args as A;\n  return `${[a].map((b) => b * 2)}`;\n}\n";

/// Runs one script and never returns, when the program was started for that. Belongs at the beginning of `main`, after the
/// sandbox's own.
pub fn enter() {
    if std::env::args_os().nth(1).is_none_or(|first| first != RUNS_A_SCRIPT) {
        return;
    }
    let ran = std::thread::Builder::new().stack_size(STACK).spawn(live).map(std::thread::JoinHandle::join);
    std::process::exit(if matches!(ran, Ok(Ok(()))) { 0 } else { 1 })
}

fn live() {
    let mut pipes = Pipes::default();
    let Some(limits) = pipes.receive::<Limits>() else { return };
    let ended = |how| Said::Ended { how, stdout: String::new(), stderr: String::new() };
    if let Err(error) = confine::confine(&limits) {
        return send(&ended(How::Broken(error)));
    }
    // Reading a source for the first time takes longer.
    drop(strip::strip(FIRST));
    if let Some(said) = machine::run(limits, &mut pipes, ordered) {
        send(&said);
    }
}

/// The program of the order, once that is there; none when the parent has hung up.
fn ordered(pipes: &mut Pipes) -> Option<Result<Program, How>> {
    let Order { source, arguments } = pipes.receive()?;
    let stripped = match strip::strip(&source) {
        Ok(stripped) => stripped,
        Err(error) => return Some(Err(How::Syntax(error))),
    };
    send(&Said::Read);
    Some(arguments.map(|arguments| Program { stripped, arguments }).ok_or(How::Checked))
}
