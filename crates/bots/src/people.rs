//! Bots that talk with people at messengers: whoever keeps bots alive keeps a [line](line) for each that has one.
//!
//! A line is looked after apart from all others, and so is each chat of it: what hangs or fails delays nobody else. What the configuration says of
//! people and groups is taken up while a line lives; another token or address is another line.

mod aloud;
mod asking;
mod asks;
mod chat;
mod files;
mod hooked;
mod inbox;
mod line;
mod refusals;
mod sending;
mod who;

pub(crate) use aloud::Lines;
pub use who::mention_patterns;

use crate::registry::{Bot, Bots};
pub use hooked::{Deliverer, Delivery};
use line::{Line, LineParts};
use palanca_core::Message;
use palanca_core::tool::Cancel;
use palanca_host::agent::bots;
use palanca_host::agent::telegram::Account;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How often it is looked which lines there should be, and what jobs have said.
const EACH: Duration = Duration::from_secs(1);

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatEvent {
    /// A bot can be talked to.
    Ready(Message),
    /// Something is wrong, or was refused.
    Wrong(Message),
}

/// Who hears what happens.
pub type ChatEvents = Arc<dyn Fn(ChatEvent) + Send + Sync>;

/// A line, and whether it should be there still.
struct Kept {
    account: Account,
    /// Where its messages are brought to.
    url: Option<String>,
    bot: Arc<Bot>,
    /// None where it could not be begun; it is said once.
    line: Option<(Arc<Line>, JoinHandle<()>)>,
}

impl Kept {
    /// Ends it; answers under way are cut off.
    fn end(self) {
        if let Some((line, _)) = self.line {
            line.end();
        }
    }
}

impl Bots {
    /// Keeps every bot that has a messenger in its chats there, until `cancel`. Then answers under way are waited for:
    /// [`Host::drain`](palanca_host::Host::drain) gives them time.
    pub async fn keep_chats(self: &Arc<Self>, events: ChatEvents, cancel: &Cancel) {
        let mut kept: HashMap<String, Kept> = HashMap::new();
        while !cancel.is_cancelled() {
            let bots: Vec<Arc<Bot>> = self.ids().iter().filter_map(|id| self.bot(id).ok()).collect();
            let accounts: HashMap<String, Account> =
                bots.iter().filter_map(|bot| Some((bot.id.clone(), Account::of(&bot.config)?))).collect();
            let urls: HashMap<&String, Option<String>> = bots.iter().map(|bot| (&bot.id, url(bot))).collect();
            let stays =
                |id: &String, kept: &Kept| accounts.get(id) == Some(&kept.account) && urls.get(id) == Some(&kept.url);
            let gone: Vec<String> =
                kept.iter().filter(|(id, kept)| !stays(id, kept)).map(|(id, _)| id.clone()).collect();
            gone.iter().filter_map(|id| kept.remove(id)).for_each(Kept::end);
            for bot in &bots {
                let Some(account) = accounts.get(&bot.id) else { continue };
                if let Some(own) = kept.get_mut(&bot.id) {
                    let is_changed = !Arc::ptr_eq(&own.bot, bot);
                    if let (true, Some((line, _))) = (is_changed, &own.line) {
                        line.take_up(bot);
                    }
                    if is_changed {
                        own.bot = Arc::clone(bot);
                    }
                    continue;
                }
                let is_taken = kept.iter().find(|(_, other)| other.account == *account && other.line.is_some());
                let begun = match is_taken {
                    Some((other, _)) => Err(Message::new("people-same-token").with("other", other)),
                    None => self.line(bot, account, &events, cancel),
                };
                let line = begun.inspect_err(|why| events(off(&bot.id, why))).ok();
                let (account, bot) = (account.clone(), Arc::clone(bot));
                kept.insert(bot.id.clone(), Kept { account, url: url(&bot), bot, line });
            }
            for (line, _) in kept.values().filter_map(|kept| kept.line.as_ref()) {
                line.bring_jobs();
                line.record_refusals(Some(Instant::now()));
            }
            tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(EACH) => {}
            }
        }
        for (_, task) in kept.into_values().filter_map(|kept| kept.line) {
            // ignored: a line that broke has nothing to wait for.
            let _ = task.await;
        }
    }

    fn line(
        self: &Arc<Self>,
        bot: &Arc<Bot>,
        account: &Account,
        events: &ChatEvents,
        cancel: &Cancel,
    ) -> Result<(Arc<Line>, JoinHandle<()>), Message> {
        let line = Line::new(LineParts {
            bots: Arc::clone(self),
            bot: Arc::clone(bot),
            messenger: Arc::new(account.line().map_err(|fault| fault.message)?),
            events: Arc::clone(events),
            address: self.delivery_address(&bot.id, url(bot).as_deref())?,
            stop: cancel.child_token(),
        })?;
        self.lines.keep(&bot.id, &line);
        let groups: Weak<Self> = Arc::downgrade(self);
        self.host().join_groups(&bot.config, groups);
        Ok((Arc::clone(&line), tokio::spawn(line.keep())))
    }
}

/// What the configuration says of where its messages are brought to.
fn url(bot: &Bot) -> Option<String> {
    bots::own(&bot.config)?.webhook_url.clone()
}

/// A bot that is not in its chats.
fn off(bot: &str, why: &Message) -> ChatEvent {
    ChatEvent::Wrong(Message::new("people-off").with("bot", bot).with("why", why.clone()))
}
