//! Responses with their entity tags: a repeated request with the tag gets "not modified", which does not count against
//! the rate limit. Bounded; the least recently used are evicted first.

use bytes::Bytes;
use parking_lot::Mutex;
use std::collections::HashMap;

/// Bytes of all cached answers.
const MOST: usize = 32 << 20;
/// Bytes of one answer.
const LARGEST: usize = 8 << 20;

#[derive(Default)]
pub(super) struct Tagged {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_url: HashMap<String, Answer>,
    bytes: usize,
    uses: u64,
}

struct Answer {
    tag: String,
    body: Bytes,
    used: u64,
}

impl Tagged {
    pub(super) fn get(&self, url: &str) -> Option<(String, Bytes)> {
        let mut kept = self.kept.lock();
        kept.uses += 1;
        let uses = kept.uses;
        let answer = kept.by_url.get_mut(url)?;
        answer.used = uses;
        Some((answer.tag.clone(), answer.body.clone()))
    }

    pub(super) fn keep(&self, url: &str, tag: &str, body: &Bytes) {
        if body.len() > LARGEST {
            return;
        }
        let mut kept = self.kept.lock();
        kept.uses += 1;
        let answer = Answer { tag: tag.to_owned(), body: body.clone(), used: kept.uses };
        kept.bytes = kept.bytes.saturating_add(body.len());
        if let Some(old) = kept.by_url.insert(url.to_owned(), answer) {
            kept.bytes = kept.bytes.saturating_sub(old.body.len());
        }
        while kept.bytes > MOST {
            let oldest = kept.by_url.iter().min_by_key(|(_, answer)| answer.used).map(|(url, _)| url.clone());
            let Some(removed) = oldest.and_then(|url| kept.by_url.remove(&url)) else { break };
            kept.bytes = kept.bytes.saturating_sub(removed.body.len());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let cache = Tagged::default();
        let body = Bytes::from(vec![0; LARGEST]);
        for url in ["a", "b", "c", "d"] {
            cache.keep(url, "t", &body);
        }
        assert!(cache.get("a").is_some());
        cache.keep("e", "t", &body);
        let left: Vec<&str> = ["a", "b", "c", "d", "e"].into_iter().filter(|url| cache.get(url).is_some()).collect();
        assert_eq!(left, ["a", "c", "d", "e"]);
        cache.keep("huge", "t", &Bytes::from(vec![0; LARGEST + 1]));
        assert!(cache.get("huge").is_none());
    }
}
