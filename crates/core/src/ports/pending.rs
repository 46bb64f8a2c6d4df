//! What a store was handed and will answer.
//!
//! Handing in never waits, so a row is in its place among the others before anybody waits for it, also from code that cannot wait.
//! Whoever needs to know waits for the answer.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use tokio::sync::oneshot;

/// The answer of a store. What was handed in is done in the order of handing in, and also when nobody waits for it.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::ports::{Pending, wait};
///
/// let (later, answer) = Pending::later("nobody answered");
/// std::thread::spawn(move || answer.send("stored"));
/// assert_eq!(wait(later), "stored");
/// ```
#[must_use = "only whoever waits for it knows how it ended"]
pub struct Pending<T>(State<T>);

enum State<T> {
    Now(Option<T>),
    /// The answer, or what stands for it where whoever owes it is gone.
    Later(oneshot::Receiver<T>, Option<T>),
}

/// Whoever owes an answer. Dropped without one, the answer is what [`Pending::later`] was given.
pub struct Owed<T>(oneshot::Sender<T>);

impl<T> Owed<T> {
    /// Answers.
    pub fn send(self, answer: T) {
        // ignored: nobody waits for it.
        let _ = self.0.send(answer);
    }
}

impl<T> Pending<T> {
    /// An answer that is there already.
    pub const fn now(answer: T) -> Self {
        Self(State::Now(Some(answer)))
    }

    /// An answer to come, and who owes it. `gone` is the answer where that one is dropped instead.
    pub fn later(gone: T) -> (Self, Owed<T>) {
        let (owed, answer) = oneshot::channel();
        (Self(State::Later(answer, Some(gone))), Owed(owed))
    }
}

/// Blocks the thread until there is an answer: for threads whose runtime, if any, need not go on meanwhile.
pub fn wait<T>(answer: impl Future<Output = T>) -> T {
    let mut answer = pin!(answer);
    let waker = Waker::from(Arc::new(Awakes(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match answer.as_mut().poll(&mut context) {
            Poll::Ready(answer) => return answer,
            Poll::Pending => std::thread::park(),
        }
    }
}

struct Awakes(Thread);

impl Wake for Awakes {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl<T> Unpin for Pending<T> {}

impl<T> Future for Pending<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let answer = match &mut self.0 {
            State::Now(answer) => answer.take(),
            State::Later(answer, gone) => match Pin::new(answer).poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(answer) => answer.ok().or_else(|| gone.take()),
            },
        };
        #[expect(clippy::expect_used, reason = "the contract of every future")]
        Poll::Ready(answer.expect("not polled again after it was ready"))
    }
}
