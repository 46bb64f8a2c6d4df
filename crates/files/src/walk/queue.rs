//! The stack of work that the threads of one walk share, and the knowledge of when nothing is left.
//!
//! One lock for all: work is handed out in directories and runs of files, so threads meet here a few thousand times a
//! second and not once a file. Last in, first out keeps the walk deep, and with it the number of open directories small.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, Ordering};

/// Jobs that one thread does sooner than another thread is started: most walks are small.
const BACKLOG: usize = 3;

/// Jobs of one kind for any number of threads.
pub(super) struct Queue<J> {
    state: Mutex<State<J>>,
    wake: Condvar,
    stopped: AtomicBool,
}

struct State<J> {
    jobs: Vec<J>,
    /// Jobs that wait or are being done.
    unfinished: usize,
    /// Threads that wait for a job.
    waiting: usize,
}

/// Whether another thread would find something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// There are more jobs than the waiting threads will do soon.
    More,
    /// The threads that wait are enough.
    Enough,
}

impl<J> Queue<J> {
    /// A queue with its first job.
    pub fn new(first: J) -> Self {
        let state = State { jobs: vec![first], unfinished: 1, waiting: 0 };
        Self { state: Mutex::new(state), wake: Condvar::new(), stopped: AtomicBool::new(false) }
    }

    /// Adds jobs; the last one is taken first.
    pub fn push(&self, jobs: &mut Vec<J>) -> Need {
        if jobs.is_empty() {
            return Need::Enough;
        }
        let mut state = self.state.lock();
        let added = jobs.len();
        state.unfinished = state.unfinished.saturating_add(added);
        state.jobs.append(jobs);
        let need = if state.jobs.len() > state.waiting.saturating_add(BACKLOG) { Need::More } else { Need::Enough };
        let waiting = state.waiting;
        drop(state);
        for _ in 0..waiting.min(added) {
            self.wake.notify_one();
        }
        need
    }

    /// A thread's first job, or nothing when the walk is over before the thread began.
    pub fn first(&self) -> Option<J> {
        self.wait(self.state.lock())
    }

    /// Says that the last job is done, and takes the next. Nothing when all is done or the walk was stopped.
    pub fn next(&self) -> Option<J> {
        let mut state = self.state.lock();
        state.unfinished = state.unfinished.saturating_sub(1);
        if state.unfinished == 0 {
            drop(state);
            self.wake.notify_all();
            return None;
        }
        self.wait(state)
    }

    /// Ends the walk for all threads.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        // Taken and released so that no thread is between its look at `stopped` and its wait.
        drop(self.state.lock());
        self.wake.notify_all();
    }

    /// Whether the walk was ended.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    fn wait(&self, mut state: MutexGuard<'_, State<J>>) -> Option<J> {
        loop {
            if self.is_stopped() || state.unfinished == 0 {
                return None;
            }
            if let Some(job) = state.jobs.pop() {
                return Some(job);
            }
            state.waiting = state.waiting.saturating_add(1);
            self.wake.wait(&mut state);
            state.waiting = state.waiting.saturating_sub(1);
        }
    }
}
