//! The last steps of the process that becomes the program. Whatever does not work ends it: a program never runs with
//! less than its order says.

use super::{Failure, limits, raw};
use crate::isolation::covers::Covers;
use crate::isolation::devices::of_the_room;
use crate::isolation::privileges::{self, Bounding};
use crate::isolation::{asking, rules, syscalls};
use crate::order::{Handed, Level, Order, Room, Terminal, receive_order};
use std::convert::Infallible;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Returns only when it failed.
pub(super) fn become_it(room: &Room, orders: &UnixStream, covers: &Covers) -> Failure {
    match try_to(room, orders, covers) {
        Ok(never) => match never {},
        Err(failure) => failure,
    }
}

fn try_to(room: &Room, orders: &UnixStream, covers: &Covers) -> Result<Infallible, Failure> {
    rustix::process::setsid().map_err(Failure::at("session"))?;
    raw::default_signals().map_err(Failure::at("signals"))?;
    limits::of_the_program(room)?;
    restrict(room)?;
    let (order, Handed { stdio, supervisor }) = receive_order(orders).map_err(Failure::at("order"))?;
    covers.check()?;
    let [input, output, errors] = match room.plan.level {
        Level::Full => of_the_room(stdio).map_err(Failure::at("streams"))?,
        Level::Filters | Level::None => stdio,
    };
    if order.terminal == Terminal::Controlling {
        rustix::process::ioctl_tiocsctty(input.as_fd()).map_err(Failure::at("terminal"))?;
    }
    rustix::stdio::dup2_stdin(input).map_err(Failure::at("stdin"))?;
    rustix::stdio::dup2_stdout(output).map_err(Failure::at("stdout"))?;
    rustix::stdio::dup2_stderr(errors).map_err(Failure::at("stderr"))?;
    raw::close_on_exec_from(3).map_err(Failure::at("descriptors"))?;
    rustix::process::chdir(&order.directory).map_err(Failure::at("directory"))?;
    match (supervisor, room.plan.supervised) {
        (Some(supervisor), true) => asking::ask(supervisor.as_fd())?,
        (None, false) => {}
        _ => return Err(Failure::new("supervisor", "the order does not fit its descriptors")),
    }
    execute(&order)
}

/// The walls around this one process. The filter of system calls comes last: it forbids what the others need.
fn restrict(room: &Room) -> Result<(), Failure> {
    let bounding = match room.plan.level {
        Level::None => return Ok(()),
        Level::Filters => Bounding::AsFarAsItGoes,
        Level::Full => Bounding::Empty,
    };
    privileges::drop_all(bounding)?;
    let sockets =
        if room.plan.level == Level::Full { rules::restrict_inside(room)? } else { rules::restrict_host(room)? };
    syscalls::filter(&room.plan, sockets)
}

fn execute(order: &Order) -> Result<Infallible, Failure> {
    let Some((program, arguments)) = order.argv.split_first() else {
        return Err(Failure::new("exec", "the command is empty"));
    };
    let environment = order.environment.iter().map(|(name, value)| (name, value));
    let error: io::Error = Command::new(program).args(arguments).env_clear().envs(environment).exec();
    Err(Failure::at("exec")(error).on(program.display()))
}
