//! What this process does with signals.

/// Whether it was started to ignore this signal, as `nohup` does with 1 (`SIGHUP`).
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let mask = u32::try_from(signal - 1).ok().and_then(|bit| ignored.checked_shr(bit));
    mask.is_some_and(|mask| mask & 1 == 1)
}
