//! The script's side: our binary as the process of one script.
//!
//! It reads its order, gives up what it does not need, removes the types, and runs the program until its result is there. It
//! has no way to the world but two pipes, and ends without cleaning up: the system does that.

mod bridge;
mod confine;
mod machine;
mod pipes;
mod place;
mod strip;
mod work;

use crate::wire::{How, Order, RUNS_A_SCRIPT, Said};
use pipes::{Pipes, send};

pub(crate) const BUILT: bool = true;

/// The stack of the one thread that reads and runs a script.
const STACK: usize = 256 << 20;
/// How much of it the program may use, at about 500 bytes a call; the rest is for reading deeply nested source.
const CALLS: usize = 16 << 20;

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
    let Some(order) = pipes.receive::<Order>() else { return };
    let ended = |how| Said::Ended { how, stdout: String::new(), stderr: String::new() };
    if let Err(error) = confine::confine(&order.limits) {
        return send(&ended(How::Broken(error)));
    }
    let program = match strip::strip(&order.source) {
        Ok(program) => program,
        Err(error) => return send(&ended(How::Syntax(error))),
    };
    send(&Said::Read);
    send(&match order.arguments {
        Some(arguments) => machine::run(program, (&arguments, order.limits), &mut pipes),
        None => ended(How::Checked),
    });
}
