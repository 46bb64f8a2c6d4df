//! How often two bots speak before they pause: whichever of them asks, by whichever tool, in all of this process.

use palanca_config::Config;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// What is left of a pause before a pair is forgotten.
const KEPT: Duration = Duration::from_secs(5 * 60);

/// Two bots of a workspace, in the order of the alphabet.
type Pair = (String, String, String);

/// The pairs that speak.
#[derive(Default)]
pub(crate) struct Rounds(Mutex<HashMap<Pair, Round>>);

struct Round {
    messages: u32,
    last: Instant,
    /// Until when they pause.
    pause: Option<Instant>,
}

impl Rounds {
    /// Counts a message of one to the other.
    ///
    /// # Errors
    /// The seconds that are left of their pause.
    pub(crate) fn take(&self, config: &Config, one: &str, other: &str) -> Result<(), u64> {
        let settings = &config.collaboration;
        let (now, cooldown) = (Instant::now(), Duration::from_millis(settings.cooldown_ms));
        let mut rounds = self.0.lock();
        rounds.retain(|_, round| now.duration_since(round.last) < cooldown.saturating_add(KEPT));
        let (first, second) = if one <= other { (one, other) } else { (other, one) };
        let pair = (config.workspace.root.clone(), first.to_owned(), second.to_owned());
        let round = rounds.entry(pair).or_insert(Round { messages: 0, last: now, pause: None });
        match round.pause {
            Some(until) if until > now => return Err(until.duration_since(now).as_millis().div_ceil(1000) as u64),
            Some(_) => (round.messages, round.pause) = (0, None),
            None => {}
        }
        round.messages += 1;
        round.last = now;
        if round.messages >= settings.max_rounds {
            round.pause = now.checked_add(cooldown);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        let mut config = Config::default();
        (config.collaboration.max_rounds, config.collaboration.cooldown_ms) = (2, 30_000);
        config
    }

    #[tokio::test(start_paused = true)]
    async fn a_pair_pauses_after_its_messages_whoever_asks() {
        let (rounds, config) = (Rounds::default(), config());
        let elsewhere = Config {
            workspace: palanca_config::WorkspaceSettings { root: "/other".to_owned(), ..config.workspace.clone() },
            ..config.clone()
        };
        assert_eq!(rounds.take(&config, "ana", "bob"), Ok(()));
        assert_eq!(rounds.take(&config, "bob", "ana"), Ok(()));
        assert_eq!(rounds.take(&config, "ana", "bob"), Err(30));
        assert_eq!(rounds.take(&config, "ana", "eva"), Ok(()), "another pair");
        assert_eq!(rounds.take(&elsewhere, "ana", "bob"), Ok(()), "another workspace");
        tokio::time::advance(Duration::from_millis(29_500)).await;
        assert_eq!(rounds.take(&config, "bob", "ana"), Err(1), "asking again prolongs nothing");
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(rounds.take(&config, "ana", "bob"), Ok(()));
        tokio::time::advance(KEPT + Duration::from_secs(30)).await;
        for _ in 0..2 {
            assert_eq!(rounds.take(&config, "ana", "bob"), Ok(()), "they have been silent for long");
        }
        assert_eq!(rounds.take(&config, "ana", "bob"), Err(30));
        assert_eq!(rounds.0.lock().len(), 1, "pairs that are silent are forgotten");
    }
}
