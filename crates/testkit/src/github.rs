//! A server that plays GitHub's REST API for one repository: real HTTP on loopback, git's own names for contents,
//! entity tags, rate limits, archives at a redirect and made with attributes applied, and faults on demand. It stores
//! every request.
//!
//! Each connection has a thread, so that tests may block. A scripted answer is used once and takes precedence.

mod http;
mod repository;
mod routes;

#[cfg(test)]
mod tests;

pub use http::Asked;
pub use repository::{FakeRepository, Thing};

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

/// A scripted answer, used once.
#[derive(Clone, Debug)]
pub enum Instead {
    /// This status with these headers and body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// The correct answer, cut in the middle of its body.
    CutShort,
    /// The head of the correct answer, and then nothing until the client gives up.
    Silent,
}

impl Instead {
    /// A secondary rate limit without an end time, as GitHub sends it: requests are left, and the primary limit resets
    /// in an hour.
    #[must_use]
    pub fn secondary_limit(status: u16) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let headers =
            vec![("x-ratelimit-remaining", "4987".to_owned()), ("x-ratelimit-reset", (now + 3_600).to_string())];
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        Self::Status(status, headers, format!("{{\"message\": \"{message}\"}}"))
    }
}

/// The running server.
#[derive(Debug)]
pub struct GitHubServer {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct State {
    address: SocketAddr,
    repository: Mutex<FakeRepository>,
    token: String,
    asked: Mutex<Vec<Asked>>,
    scripted: Mutex<VecDeque<(String, Instead)>>,
    /// Remaining requests; a "not modified" costs none.
    left: AtomicI64,
    stopped: AtomicBool,
}

impl GitHubServer {
    /// Serves this repository to clients with this token, with a high rate limit.
    ///
    /// # Panics
    /// If no loopback port is available.
    #[must_use]
    pub fn start(repository: FakeRepository, token: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("a bound socket");
        let state = Arc::new(State {
            address,
            repository: Mutex::new(repository),
            token: token.to_owned(),
            asked: Mutex::default(),
            scripted: Mutex::default(),
            left: AtomicI64::new(1_000_000),
            stopped: AtomicBool::new(false),
        });
        let served = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if served.stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(stream), served) = (stream, Arc::clone(&served)) else { break };
                std::thread::spawn(move || http::serve(stream, &served));
            }
        });
        Self { address, state, thread: Some(thread) }
    }

    /// The value for `github.api_base`.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Scripts the answer to the next request whose path contains `needle`. Several for one needle are used in order.
    pub fn instead(&self, needle: &str, what: Instead) {
        self.state.scripted.lock().push_back((needle.to_owned(), what));
    }

    /// Sets the number of remaining requests.
    pub fn set_left(&self, left: i64) {
        self.state.left.store(left, Ordering::Relaxed);
    }

    /// The number of remaining requests.
    #[must_use]
    pub fn left(&self) -> i64 {
        self.state.left.load(Ordering::Relaxed)
    }

    /// Changes the repository.
    pub fn change(&self, change: impl FnOnce(&mut FakeRepository)) {
        change(&mut self.state.repository.lock());
    }

    /// Every request so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().clone()
    }

    /// How many requests contained this in their path.
    #[must_use]
    pub fn count(&self, needle: &str) -> usize {
        self.state.asked.lock().iter().filter(|asked| asked.path.contains(needle)).count()
    }
}

impl Drop for GitHubServer {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::Relaxed);
        // ignored: the connection only wakes up the thread.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            // ignored: a panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}
