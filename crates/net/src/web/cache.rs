//! An in-memory LRU cache of answers, bounded in number, bytes and age.
//!
//! The key of an answer is everything that was sent, credentials included, so no caller receives an answer paid for by
//! another's key. It caches complete or truncated successful answers to read-only requests; `no-store` on either side
//! is obeyed. The caller, not the server, decides how fresh an answer must be.

use super::options::CacheLimits;
use palanca_core::call::HttpAccess;
use palanca_core::ports::http::Header;
use palanca_core::ports::{BodyEnd, WebAnswer, WebLimits};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// The request. Contains credentials, so it is never shown.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    reach: HttpAccess,
    headers: Vec<(String, String)>,
}

impl Key {
    /// None for requests whose answers are not cached.
    pub fn of(reach: &HttpAccess, headers: &[Header]) -> Option<Self> {
        let forbidden = headers.iter().any(|header| is_no_store(header.name(), header.value()));
        if !reach.method.only_reads() || forbidden {
            return None;
        }
        let mut headers: Vec<_> =
            headers.iter().map(|header| (header.name().to_ascii_lowercase(), header.value().to_owned())).collect();
        headers.sort();
        Some(Self { reach: reach.clone(), headers })
    }

    fn size(&self) -> usize {
        self.reach.url.len() + self.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
    }
}

fn is_no_store(name: &str, value: &str) -> bool {
    name.eq_ignore_ascii_case("cache-control")
        && value.split(',').any(|directive| directive.trim().eq_ignore_ascii_case("no-store"))
}

/// The answers.
pub struct Cache {
    limits: CacheLimits,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    entries: HashMap<Key, Entry>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct Entry {
    answer: WebAnswer,
    size: usize,
    at: Instant,
    used: u64,
}

impl Cache {
    pub fn new(limits: CacheLimits) -> Self {
        Self { limits, kept: Mutex::default() }
    }

    /// An answer of at most this age, as long as the limits require.
    pub fn get(&self, key: &Key, fresh: Duration, limits: WebLimits) -> Option<WebAnswer> {
        if fresh.is_zero() {
            return None;
        }
        let mut kept = self.lock();
        kept.forget_older(self.limits.age);
        kept.clock += 1;
        let now = kept.clock;
        let entry = kept.entries.get_mut(key)?;
        let age = entry.at.elapsed();
        let whole = entry.answer.end == BodyEnd::Complete;
        let length = entry.answer.body.len();
        if age > fresh || entry.answer.hops.len() > usize::from(limits.redirects) || (!whole && length < limits.bytes) {
            return None;
        }
        entry.used = now;
        let mut answer = entry.answer.clone();
        answer.age = Some(age);
        if length > limits.bytes {
            answer.body.truncate(limits.bytes);
            answer.end = BodyEnd::Bytes;
        }
        Some(answer)
    }

    /// Caches an answer, if it may be cached.
    pub fn put(&self, key: Key, answer: &WebAnswer) {
        let forbidden = answer.headers.iter().any(|header| is_no_store(header.name(), header.value()));
        let usable = matches!(answer.end, BodyEnd::Complete | BodyEnd::Bytes);
        let size = key.size() + size(answer);
        let mut kept = self.lock();
        kept.forget_older(self.limits.age);
        kept.remove(&key);
        if forbidden || !usable || !answer.is_success() || self.limits.entries == 0 || size > self.limits.bytes / 4 {
            return;
        }
        while kept.entries.len() >= self.limits.entries || kept.bytes + size > self.limits.bytes {
            let Some(oldest) = kept.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone())
            else {
                break;
            };
            kept.remove(&oldest);
        }
        kept.clock += 1;
        kept.bytes += size;
        let entry = Entry { answer: answer.clone(), size, at: Instant::now(), used: kept.clock };
        kept.entries.insert(key, entry);
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock()
    }
}

impl Kept {
    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.size;
        }
    }

    fn forget_older(&mut self, age: Duration) {
        let bytes = &mut self.bytes;
        self.entries.retain(|_, entry| {
            let stays = entry.at.elapsed() <= age;
            if !stays {
                *bytes -= entry.size;
            }
            stays
        });
    }
}

fn size(answer: &WebAnswer) -> usize {
    let headers: usize = answer.headers.iter().map(|header| header.name().len() + header.value().len() + 64).sum();
    let hops: usize = answer.hops.iter().map(|hop| hop.len() + 24).sum();
    answer.body.len() + answer.url.len() + headers + hops + 256
}

#[cfg(test)]
mod tests;
