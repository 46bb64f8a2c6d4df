//! The one thread that writes what was handed in, in that order.
//!
//! What has come in while it was writing is written together, in one transaction, and answered when that is committed. If a part of
//! it fails, nothing of the transaction counts, and each part gets one of its own. The thread begins with the first write; when the
//! database is dropped it finishes what was handed in.

use super::{Connections, fault, waiting};
use crate::error::StoreError;
use palanca_core::ports::Pending;
use parking_lot::Mutex;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Parts of one transaction: a reader that begins meanwhile waits for no more than these pages.
const TOGETHER: usize = 256;
/// Beyond this, whatever waited for another process is answered.
const PATIENCE: Duration = Duration::from_millis(waiting::PATIENCE);

/// What was handed in, and by whom it is answered.
#[derive(Default)]
pub(super) struct Writer(Mutex<Option<Running>>);

struct Running {
    parts: Sender<Part>,
    thread: JoinHandle<()>,
}

impl Writer {
    /// Hands in a write. `work` changes rows, and may run again after a transaction that failed. `answer` is told what it returned,
    /// once that is committed.
    pub(super) fn hand_in<T, R, F>(
        &self,
        connections: &Arc<Connections>,
        write: Write<impl Fn(&Connection) -> rusqlite::Result<T> + Send + 'static>,
        answer: impl FnOnce(T) -> Result<R, F> + Send + 'static,
    ) -> Pending<Result<R, F>>
    where
        T: Send + 'static,
        R: Send + 'static,
        F: From<StoreError> + Send + 'static,
    {
        let Write { what, work } = write;
        let (pending, owed) = Pending::later(Err(StoreError::Busy { path: connections.path.clone() }.into()));
        let answer = move |made: Result<T, StoreError>| owed.send(made.map_err(F::from).and_then(answer));
        let part = Part { what, handed_in: Instant::now(), work: Box::new(Typed { work, made: None, answer }) };
        let mut running = self.0.lock();
        match &*running {
            // It never ends before its queue does.
            Some(running) => drop(running.parts.send(part)),
            None => match begin(Arc::clone(connections)) {
                Ok(begun) => drop(running.insert(begun).parts.send(part)),
                // No thread can be made: done here and now.
                Err(_) => drop(write_all(connections, vec![part])),
            },
        }
        pending
    }
}

/// A write that is handed in.
pub(super) struct Write<W> {
    /// For errors: `cannot {what}`.
    pub(super) what: &'static str,
    pub(super) work: W,
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(Running { parts, thread }) = self.0.lock().take() {
            drop(parts);
            // ignored: it does not panic, and there is nobody to tell.
            let _ = thread.join();
        }
    }
}

fn begin(connections: Arc<Connections>) -> std::io::Result<Running> {
    let (parts, received) = channel();
    let thread = std::thread::Builder::new().name("palanca-store".to_owned()).spawn(move || {
        while let Some(parts) = next(&received) {
            let mut left = write_all(&connections, parts);
            while !left.is_empty() {
                left = write_all(&connections, left);
            }
        }
    })?;
    Ok(Running { parts, thread })
}

/// What is there now, at least one part; None when nothing will come any more.
fn next(received: &Receiver<Part>) -> Option<Vec<Part>> {
    let mut parts = vec![received.recv().ok()?];
    parts.extend(received.try_iter().take(TOGETHER - 1));
    Some(parts)
}

struct Part {
    what: &'static str,
    handed_in: Instant,
    work: Box<dyn Work>,
}

/// The work of one part, whatever it makes.
trait Work: Send {
    fn run(&mut self, connection: &Connection) -> rusqlite::Result<()>;
    /// Without an error once what it did is committed.
    fn answer(self: Box<Self>, error: Option<StoreError>);
}

struct Typed<T, W, A> {
    work: W,
    made: Option<T>,
    answer: A,
}

impl<T, W, A> Work for Typed<T, W, A>
where
    T: Send,
    W: Fn(&Connection) -> rusqlite::Result<T> + Send,
    A: FnOnce(Result<T, StoreError>) + Send,
{
    fn run(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.made = Some((self.work)(connection)?);
        Ok(())
    }

    fn answer(self: Box<Self>, error: Option<StoreError>) {
        let Self { made, answer, .. } = *self;
        match (error, made) {
            (Some(error), _) => answer(Err(error)),
            (None, Some(made)) => answer(Ok(made)),
            // What has not run is not committed.
            (None, None) => {}
        }
    }
}

/// How a transaction ended that wrote nothing.
enum Unwritten {
    /// A part failed.
    Part(rusqlite::Error),
    /// It could not begin or be committed.
    Whole(rusqlite::Error),
    Unopened(StoreError),
}

/// Writes parts in one transaction, or else each in one of its own. Returns those that may still wait for another process.
fn write_all(connections: &Connections, mut parts: Vec<Part>) -> Vec<Part> {
    let oldest = parts.first().map_or(Duration::ZERO, |part| part.handed_in.elapsed());
    let held = waiting::lock_since(&connections.writer, oldest);
    let Some(mut held) = held else { return too_late(connections, parts) };
    let written = match connections.open(&mut held) {
        Ok(connection) => transact(connection, &mut parts),
        Err(error) => Err(Unwritten::Unopened(error)),
    };
    match written {
        Ok(()) => {
            drop(held);
            parts.into_iter().for_each(|part| part.work.answer(None));
            Vec::new()
        }
        Err(Unwritten::Part(_)) if parts.len() > 1 => {
            drop(held);
            one_by_one(connections, parts)
        }
        Err(Unwritten::Whole(error)) if fault::is_busy(&error) => {
            drop(held);
            too_late(connections, parts)
        }
        Err(unwritten) => {
            for Part { what, work, .. } in parts {
                work.answer(Some(match &unwritten {
                    Unwritten::Part(error) | Unwritten::Whole(error) => connections.failed(&mut held, error, what),
                    Unwritten::Unopened(error) => error.clone(),
                }));
            }
            Vec::new()
        }
    }
}

/// Up to the first one that waits for another process: those behind it wait, too.
fn one_by_one(connections: &Connections, parts: Vec<Part>) -> Vec<Part> {
    let mut left = Vec::new();
    for part in parts {
        if left.is_empty() {
            left = write_all(connections, vec![part]);
        } else {
            left.push(part);
        }
    }
    left
}

/// Another process held the file: whoever waited long enough is told. Returns the others.
fn too_late(connections: &Connections, parts: Vec<Part>) -> Vec<Part> {
    let (late, left): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.handed_in.elapsed() >= PATIENCE);
    late.into_iter().for_each(|part| part.work.answer(Some(StoreError::Busy { path: connections.path.clone() })));
    left
}

/// All of it or nothing. Unlike the library's transactions, its statements are parsed once.
fn transact(connection: &Connection, parts: &mut [Part]) -> Result<(), Unwritten> {
    let run = |statement| connection.prepare_cached(statement)?.execute([]).map(drop);
    run("BEGIN IMMEDIATE").map_err(Unwritten::Whole)?;
    let worked = parts.iter_mut().try_for_each(|part| part.work.run(connection).map_err(Unwritten::Part));
    let ended = worked.and_then(|()| run("COMMIT").map_err(Unwritten::Whole));
    if !connection.is_autocommit() {
        // ignored: the reason why nothing was committed is more telling.
        let _ = run("ROLLBACK");
    }
    ended
}
