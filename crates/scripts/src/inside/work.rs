//! What the machine and its bridge share about one run: its limits, what it has printed, and why it must stop.

use super::strip::Stripped;
use crate::limits::{Limit, Limits};
use crate::wire::How;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

pub(super) struct Work {
    program: OnceCell<Stripped>,
    pub(super) limits: Limits,
    begun: Cell<Instant>,
    /// Spent waiting for answers alone.
    waited: Cell<Duration>,
    /// Requests without an answer yet.
    pub(super) open: Cell<u32>,
    stop: RefCell<Option<How>>,
    printed: RefCell<[String; 2]>,
}

/// Where a script prints to.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Out = 0,
    Errors = 1,
}

impl Work {
    pub(super) fn new(limits: Limits) -> Rc<Self> {
        Rc::new(Self {
            program: OnceCell::new(),
            limits,
            begun: Cell::new(Instant::now()),
            waited: Cell::default(),
            open: Cell::default(),
            stop: RefCell::default(),
            printed: RefCell::default(),
        })
    }

    /// Its time begins.
    pub(super) fn begin(&self, program: Stripped) {
        // ignored: there is one program in a process.
        let _ = self.program.set(program);
        self.begun.set(Instant::now());
    }

    pub(super) fn code(&self) -> &[u8] {
        self.program.get().map_or(b"", |program| program.code.as_bytes())
    }

    /// The line and column of the source for those of the program.
    pub(super) fn place(&self, line: u32, column: u32) -> (u32, u32) {
        self.program.get().map_or((line, column), |program| program.place(line, column))
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.get().elapsed()
    }

    pub(super) fn waited(&self, time: Duration) {
        self.waited.set(self.waited.get() + time);
    }

    /// Of the time that it may run.
    pub(super) fn left(&self) -> Duration {
        (self.limits.time + self.waited.get()).saturating_sub(self.elapsed())
    }

    /// From now on nothing that it does is seen; the first reason counts.
    pub(super) fn stop(&self, how: How) {
        self.stop.borrow_mut().get_or_insert(how);
    }

    /// Whether it must stop: because of what it did, or because its time is over.
    pub(super) fn is_over(&self) -> bool {
        if self.left().is_zero() {
            self.stop(How::Limited(Limit::Time));
        }
        self.stop.borrow().is_some()
    }

    pub(super) fn print(&self, to: Stream, text: &str) {
        if self.is_over() {
            return;
        }
        let mut printed = self.printed.borrow_mut();
        let room = self.limits.output.saturating_sub(printed.iter().map(String::len).sum());
        let [out, errors] = &mut *printed;
        let stream = match to {
            Stream::Out => out,
            Stream::Errors => errors,
        };
        match text.get(..room) {
            None if text.len() <= room => stream.push_str(text),
            Some(_) if text.len() == room => stream.push_str(text),
            _ => {
                drop(printed);
                self.stop(How::Limited(Limit::Output));
            }
        }
    }

    /// How it ended, unless it had to stop, and what it printed.
    pub(super) fn end(&self, how: How) -> (How, [String; 2]) {
        (self.stop.take().unwrap_or(how), self.printed.take())
    }
}
