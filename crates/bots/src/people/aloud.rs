//! What two bots say to each other in a group: a message there, then answers of one after the other, which end by their number, by the pause of
//! the pair, or because one has nothing left to say.
//!
//! A messenger delivers no bot's words to another bot, so they are put into the other one's inbox here, as any message that came in. They are a
//! stranger's: whoever answers them has its own tools, memory and budget, nobody to ask, and no further bot to speak to.

use super::chat::Work;
use super::line::{Line, unkept};
use super::sending::Unsent;
use crate::registry::Bots;
use futures_util::future::BoxFuture;
use palanca_channels::{Addressed, Audience, Exchange, Heard, Person, Trouble, split};
use palanca_core::Message;
use palanca_core::call::{ChatId, Scope};
use palanca_host::agent::bots;
use palanca_host::agent::groups::{Groups, Said, SaidInGroup};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// At the end of an answer: nothing is left to say.
const DONE: &str = "[DONE]";
/// How often it is looked whether the other bot is there.
const EACH: Duration = Duration::from_millis(200);
/// The bits in which the answers of one exchange are counted.
const ANSWER_BITS: u32 = 4;

/// The lines of the bots that are in their chats.
#[derive(Default)]
pub(crate) struct Lines {
    of: Mutex<HashMap<String, Weak<Line>>>,
}

impl Lines {
    pub(super) fn keep(&self, bot: &str, line: &Arc<Line>) {
        self.of.lock().insert(bot.to_owned(), Arc::downgrade(line));
    }

    /// The one of this bot, whatever its state.
    pub(super) fn get(&self, bot: &str) -> Option<Arc<Line>> {
        self.of.lock().get(bot)?.upgrade()
    }

    /// The one of this bot, unless it has ended.
    fn alive(&self, bot: &str) -> Option<Arc<Line>> {
        self.get(bot).filter(|line| !line.stop.is_cancelled())
    }

    /// The same, once it is in its chats.
    fn of(&self, bot: &str) -> Option<Arc<Line>> {
        self.alive(bot).filter(|line| line.me.get().is_some())
    }
}

/// An answer, and whether there is more to say.
pub(super) fn said(answer: &str) -> (&str, bool) {
    match answer.trim_end().strip_suffix(DONE) {
        Some(words) => (words.trim_end(), false),
        None => (answer, true),
    }
}

/// A number that no messenger gives a message, with room below it for those of its answers.
fn number() -> i64 {
    let random = i64::try_from(uuid::Uuid::new_v4().as_u128() >> (u128::BITS - i64::BITS + ANSWER_BITS + 2));
    -((random.unwrap_or_default() + 1) << ANSWER_BITS)
}

impl Line {
    /// Hands an answer to the bot whose words it answers, which may be about to begin, too.
    ///
    /// # Errors
    /// This line ends first.
    pub(super) async fn pass_on(&self, heard: &Heard, answer: &str) -> Result<(), Unsent> {
        let Some(Exchange { bot, answers: left @ 1.. }) = &heard.exchange else { return Ok(()) };
        let (lines, terms) = (&self.bots.lines, self.terms());
        let other = loop {
            if let Some(other) = lines.of(bot) {
                break other;
            }
            if self.stop.is_cancelled() {
                return Err(Unsent::Later);
            }
            if lines.alive(bot).is_none() {
                return Ok(());
            }
            self.rest(EACH).await;
        };
        if self.bots.host().count_round(&terms.bot.config, &terms.bot.id, bot).is_ok() {
            other.hear_bot(self, (&heard.chat, heard.number - 1), answer, left - 1);
        }
        Ok(())
    }

    /// Takes the words of another bot in; those that have come before are not taken again.
    fn hear_bot(self: &Arc<Self>, other: &Self, (chat, number): (&ChatId, i64), words: &str, answers: u32) {
        let (Some(inbox), Some(me)) = (self.inbox.get(), other.me.get()) else { return };
        let terms = other.terms();
        let heard = Heard {
            number,
            chat: chat.clone(),
            audience: Audience::Group,
            from: Person { name: bots::name(&terms.bot.config).to_owned(), ..me.clone() },
            text: words.to_owned(),
            addressed: Addressed::ToMe,
            files: Vec::new(),
            album: None,
            forwarded: None,
            exchange: Some(Exchange { bot: terms.bot.id.clone(), answers }),
        };
        match inbox.take(&[number], vec![heard]) {
            Ok(new) => new.into_iter().for_each(|heard| self.hand(chat, Work::Heard(heard))),
            Err(error) => self.wrong(&unkept(&error)),
        }
    }
}

impl Groups for Bots {
    fn group(&self, from: &str, to: &str, scope: &Scope) -> Option<ChatId> {
        let (own, other) = (self.lines.of(from)?, self.lines.of(to)?);
        let (channel, chat) = (scope.channel.as_ref()?, scope.chat.as_ref()?);
        let is_there = |line: &Line| line.messenger.channel() == channel.as_str();
        let is_group = own.running.lock().get(chat).is_some_and(|underway| underway.audience == Audience::Group);
        (is_group && is_there(&own) && is_there(&other)).then(|| chat.clone())
    }

    fn say<'a>(&'a self, said: &'a SaidInGroup) -> BoxFuture<'a, Result<Said, Message>> {
        Box::pin(async move {
            let SaidInGroup { from, to, group, words, answers } = said;
            let gone = || Message::new("collaborate-group-left").with("bot", to);
            let (own, other) = (self.lines.of(from).ok_or_else(gone)?, self.lines.of(to).ok_or_else(gone)?);
            // Whoever is not in a group cannot type there.
            if other.messenger.abilities().typing.is_some()
                && let Err(Trouble::Never(_)) = other.messenger.typing(group).await
            {
                return Ok(Said::NotInGroup);
            }
            let username = other.me.get().and_then(|me| me.username.clone());
            let text = username.map_or_else(|| words.clone(), |username| format!("@{username} {words}"));
            for part in split(&text, own.messenger.abilities().longest) {
                let unsent = |_: Unsent| Message::new("collaborate-unsaid").with("bot", to);
                own.send(group, part, &[]).await.map_err(unsent)?;
            }
            other.hear_bot(&own, (group, number()), words, answers.saturating_sub(1));
            Ok(Said::There)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_whether_it_is_the_last() {
        assert_eq!(said("Yes. [DONE]\n"), ("Yes.", false));
        assert_eq!(said("[DONE]"), ("", false));
        assert_eq!(said("[DONE] is what you say."), ("[DONE] is what you say.", true));
    }

    #[test]
    fn no_number_is_a_messengers_and_those_of_two_exchanges_do_not_meet() {
        let (one, other) = (number(), number());
        assert!(one < 0 && one - 15 < 0 && one >> ANSWER_BITS != other >> ANSWER_BITS);
        assert_eq!((one - 1) >> ANSWER_BITS, (one - 15) >> ANSWER_BITS);
    }
}
