//! When to retry, and after which delay.

use crate::error::Retry;
use crate::random;
use futures_util::future::BoxFuture;
use std::time::Duration;

/// Number and delays of retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts after the first one.
    pub retries: u32,
    /// The pause before the first of them; each further one doubles it.
    pub first: Duration,
    /// The longest pause, even if the server asks for a longer one.
    pub longest: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { retries: 2, first: Duration::from_secs(2), longest: Duration::from_secs(60) }
    }
}

impl RetryPolicy {
    /// The pause after `attempt` (from 1) failed, or none if that was the last. A pause requested by the server is kept
    /// exactly; our own is shortened by up to a half at random, so that many clients do not return at once.
    pub(crate) fn pause(&self, attempt: u32, retry: Retry, pacer: &dyn Pacer) -> Option<Duration> {
        if attempt > self.retries {
            return None;
        }
        match retry {
            Retry::Never => None,
            Retry::After(asked) => Some(asked.min(self.longest)),
            Retry::Soon => {
                let factor = 2_u32.saturating_pow(attempt.saturating_sub(1));
                let full = self.first.saturating_mul(factor).min(self.longest);
                Some(full.mul_f64(1.0 - pacer.jitter().clamp(0.0, 1.0) / 2.0))
            }
        }
    }
}

/// Time for retries, so that tests need not wait.
pub trait Pacer: Send + Sync {
    /// Done after this long.
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()>;

    /// A number from 0 to 1, different each time.
    fn jitter(&self) -> f64;
}

/// Tokio's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokioPacer;

impl Pacer for TokioPacer {
    fn sleep(&self, pause: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(pause))
    }

    fn jitter(&self) -> f64 {
        f64::from(u32::try_from(random::bits() >> 32).unwrap_or(0)) / f64::from(u32::MAX)
    }
}

/// `Retry-After` in seconds, or `retry-after-ms`; a date is not supported; then our own pause applies.
pub(crate) fn asked_pause(header: impl Fn(&str) -> Option<f64>) -> Option<Duration> {
    let seconds = header("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| header("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    struct Fixed(f64);
    impl Pacer for Fixed {
        fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
            Box::pin(std::future::ready(()))
        }
        fn jitter(&self) -> f64 {
            self.0
        }
    }

    #[test]
    fn pauses_double_are_spread_and_end() {
        let policy = RetryPolicy { retries: 8, ..RetryPolicy::default() };
        let pause =
            |attempt, retry, jitter| policy.pause(attempt, retry, &Fixed(jitter)).map(|pause| pause.as_secs_f64());
        assert_eq!(pause(1, Retry::Soon, 0.0), Some(2.0));
        assert_eq!(pause(2, Retry::Soon, 0.0), Some(4.0));
        assert_eq!(pause(2, Retry::Soon, 1.0), Some(2.0));
        assert_eq!(pause(7, Retry::Soon, 0.0), Some(60.0));
        assert_eq!(pause(9, Retry::Soon, 0.0), None);
        assert_eq!(pause(1, Retry::Never, 0.0), None);
        assert_eq!(pause(1, Retry::After(Duration::from_secs(7)), 1.0), Some(7.0));
        assert_eq!(pause(1, Retry::After(Duration::from_secs(3600)), 0.5), Some(60.0));
        assert!((0.0..=1.0).contains(&TokioPacer.jitter()));
    }
}
