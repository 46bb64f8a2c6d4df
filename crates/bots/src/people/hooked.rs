//! Messengers that bring what comes in instead of being asked for it. A delivery is taken once it is in the inbox; what cannot be kept
//! now is brought again. Whoever does not know the messenger's word brings nothing.

use super::line::{Line, unkept};
use super::refusals::{REPEATED, UNSIGNED};
use super::sending::Pauses;
use crate::registry::Bots;
use palanca_channels::Trouble;
use palanca_core::Message;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Before an address that messages are brought to.
const SECURE: &str = "https://";

/// Somebody who knows a messenger's word, and may bring something for a bot.
pub struct Deliverer(Arc<Line>);

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It was taken, now or before.
    Taken,
    /// The bot is brought nothing, or there is none.
    Nobody,
    /// Whoever brings it does not know the word.
    Refused,
    /// It is no delivery of this messenger.
    Unreadable,
    /// It cannot be taken now.
    Later,
}

impl Bots {
    /// The path beneath a front end's address where messages are brought to a bot.
    #[must_use]
    pub fn delivery_path(bot: &str) -> String {
        format!("/telegram/{bot}")
    }

    /// From now on somebody listens at these paths, and hands on what is brought.
    pub fn hear_deliveries(&self) {
        self.hears.store(true, Ordering::Relaxed);
    }

    /// Whether this word may bring something for a bot. It is asked before anything that was brought is read.
    ///
    /// # Errors
    /// The bot is brought nothing; the word is not the messenger's.
    pub fn deliverer(&self, bot: &str, word: Option<&str>) -> Result<Deliverer, Delivery> {
        let line = self.lines.get(bot).filter(|line| line.address.is_some()).ok_or(Delivery::Nobody)?;
        if word.is_some_and(|word| same(word, &line.messenger.word())) {
            return Ok(Deliverer(line));
        }
        line.refuse(UNSIGNED);
        Err(Delivery::Refused)
    }

    /// Where a bot's messages are brought to; none where they are asked for.
    ///
    /// # Errors
    /// An address that is not encrypted; nobody who listens.
    pub(super) fn delivery_address(&self, bot: &str, url: Option<&str>) -> Result<Option<String>, Message> {
        let Some(url) = url.map(str::trim).filter(|url| !url.is_empty()) else { return Ok(None) };
        if !(url.starts_with(SECURE) || is_here(url))
            || url.contains(['?', '#', '@'])
            || url.contains(char::is_whitespace)
        {
            return Err(Message::new("people-webhook-url").with("url", url));
        }
        if !self.hears.load(Ordering::Relaxed) {
            return Err(Message::new("people-webhook-no-console"));
        }
        Ok(Some(url.trim_end_matches('/').to_owned() + &Self::delivery_path(bot)))
    }
}

/// Whether it leads to this machine: for a Bot API server that runs here, too.
fn is_here(url: &str) -> bool {
    let host = url.strip_prefix("http://").map(|rest| rest.split('/').next().unwrap_or_default());
    let name = host.map(|host| host.rsplit_once(':').map_or(host, |(name, _)| name));
    name.is_some_and(|name| ["127.0.0.1", "localhost"].contains(&name))
}

/// Whether two texts are the same, in a time that says nothing of where they differ.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |differ, (one, other)| black_box(differ | (one ^ other)));
    one.len() == other.len() && differ == 0
}

impl Deliverer {
    /// Takes what is brought.
    pub async fn bring(&self, body: &[u8]) -> Delivery {
        self.0.delivered(body).await
    }
}

impl Line {
    /// Has what comes in brought, until the line ends.
    pub(super) async fn be_brought(&self, address: &str) -> Result<(), Message> {
        *self.deliveries.lock().await = true;
        let (mut pauses, mut is_away) = (Pauses::new(), false);
        loop {
            let asked = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(()),
                asked = self.messenger.bring(address) => asked,
            };
            let pause = match asked {
                Ok(()) => break,
                Err(Trouble::Refused(why) | Trouble::Shared(why) | Trouble::Never(why)) => return Err(why),
                Err(Trouble::Busy(time)) => time,
                Err(Trouble::Away(why)) => {
                    if !std::mem::replace(&mut is_away, true) {
                        self.wrong(&why);
                    }
                    pauses.next()
                }
            };
            self.rest(pause).await;
        }
        self.stop.cancelled().await;
        Ok(())
    }

    async fn delivered(self: &Arc<Self>, body: &[u8]) -> Delivery {
        // One after another, in the order in which they are brought.
        let takes = self.deliveries.lock().await;
        let (Some(inbox), Some(me)) = (self.inbox.get(), self.me.get()) else { return Delivery::Later };
        if !*takes || self.stop.is_cancelled() || inbox.is_full() {
            return Delivery::Later;
        }
        let Some(incoming) = self.messenger.read(body, me) else { return Delivery::Unreadable };
        match self.sort(inbox, vec![incoming]) {
            Ok(news) => {
                if news.is_none() {
                    self.refuse(REPEATED);
                }
                for press in news.iter().flatten() {
                    self.pressed(press).await;
                }
                Delivery::Taken
            }
            Err(error) => {
                self.wrong(&unkept(&error));
                Delivery::Later
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_here, same};

    #[test]
    fn only_the_whole_word_is_the_word() {
        for (one, other, expected) in
            [("", "", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("ab", "abc", false)]
        {
            assert_eq!(same(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn without_encryption_only_this_machine_is_an_address() {
        for url in ["http://127.0.0.1", "http://127.0.0.1:8750", "http://localhost:8750/x"] {
            assert!(is_here(url), "{url}");
        }
        for url in [
            "http://127.0.0.1.example",
            "http://localhost.example:80",
            "http://10.0.0.1",
            "ftp://localhost",
            "http://",
            "localhost",
        ] {
            assert!(!is_here(url), "{url}");
        }
    }
}
