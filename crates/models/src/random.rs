//! Random numbers for ids and retry jitter; not suitable for secrets.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};

/// 64 random bits, different in each call and process.
pub(crate) fn bits() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(CALLS.fetch_add(1, Ordering::Relaxed));
    hasher.finish()
}

/// An id for a call without one: `call_` and eight hex digits.
pub(crate) fn call_id() -> String {
    format!("call_{:08x}", bits() >> 32)
}
