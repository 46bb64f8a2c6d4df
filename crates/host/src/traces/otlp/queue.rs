//! Spans that wait to be sent. Adding one never waits; when the queue is full it is lost, and counted.

use super::super::Span;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Spans that may wait.
pub(super) const MOST: usize = 2048;
/// How long the first span of a batch waits for others.
const GATHERING: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// For the sender: there is something to do.
    news: Condvar,
    /// For those who wait for a flush.
    tried: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Span>,
    /// Taken by the sender, and not answered yet.
    under_way: usize,
    lost: usize,
    /// Somebody waits for everything to be tried.
    is_flushed: bool,
    is_closed: bool,
}

impl Queue {
    pub(super) fn add(&self, span: Span) {
        let mut state = self.state.lock();
        if state.waiting.len() >= MOST {
            state.lost += 1;
            return;
        }
        state.waiting.push_back(span);
        // The sender sleeps until there is a first one, and then gathers.
        let wakes = matches!(state.waiting.len(), 1 | super::BATCH);
        drop(state);
        if wakes {
            self.news.notify_one();
        }
    }

    /// The next batch; none when it is closed.
    pub(super) fn next(&self, most: usize) -> Option<Vec<Span>> {
        let mut state = self.state.lock();
        while state.waiting.is_empty() {
            if state.is_closed {
                return None;
            }
            self.everything_tried(&mut state);
            self.news.wait(&mut state);
        }
        let until = Instant::now() + GATHERING;
        while state.waiting.len() < most && !state.is_flushed && !state.is_closed {
            if self.news.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        let count = state.waiting.len().min(most);
        state.under_way = count;
        Some(state.waiting.drain(..count).collect())
    }

    /// The last batch is done with; so many of it are lost.
    pub(super) fn answered(&self, lost: usize) {
        let mut state = self.state.lock();
        state.under_way = 0;
        state.lost += lost;
    }

    /// Before another attempt: for this long, or until somebody wants one now. False when it is closed.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let mut state = self.state.lock();
        // The attempt that was asked for has failed.
        self.everything_tried(&mut state);
        let until = Instant::now() + time;
        while !state.is_flushed && !state.is_closed {
            if self.news.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        !state.is_closed
    }

    fn everything_tried(&self, state: &mut State) {
        if std::mem::take(&mut state.is_flushed) {
            self.tried.send_replace(());
        }
    }

    /// Has everything sent now; ends when it is sent, or the collector did not take it.
    pub(super) async fn flush(&self) {
        let mut tried = self.tried.subscribe();
        self.state.lock().is_flushed = true;
        self.news.notify_one();
        // ignored: the sender lives as long as this does.
        let _ = tried.changed().await;
    }

    pub(super) fn lost_or_waiting(&self) -> usize {
        let state = self.state.lock();
        state.lost + state.under_way + state.waiting.len()
    }

    #[cfg(test)]
    pub(super) fn lost(&self) -> usize {
        self.state.lock().lost
    }

    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.news.notify_one();
    }
}
