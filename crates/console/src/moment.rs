//! Points in time, for people.

use std::time::{Duration, UNIX_EPOCH};

/// `2026-01-02T03:04:05Z`; nothing for a time beyond what a calendar holds.
pub(crate) fn utc(since_1970_ms: u64) -> String {
    let at = UNIX_EPOCH.checked_add(Duration::from_millis(since_1970_ms)).unwrap_or(UNIX_EPOCH);
    let mut text = String::new();
    // ignored: a time after the year 9999 is shown as nothing.
    let _ = std::fmt::write(&mut text, format_args!("{}", humantime::format_rfc3339_seconds(at)));
    text
}
