//! One bot at one messenger: what comes in is kept, sorted and handed to its chats.
//!
//! Nothing here waits for a chat. A message is kept before the messenger is asked for what comes after it.

use super::asks::Asked;
use super::chat::{Underway, Work, work};
use super::inbox::{Inbox, InboxError};
use super::refusals::Refusals;
use super::who::{Manners, Order, Standing, named, order, signed};
use super::{ChatEvent, ChatEvents, off};
use crate::registry::{Bot, Bots};
use palanca_channels::{Audience, Heard, Incoming, Messenger, Person, Press};
use palanca_core::call::ChatId;
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, Message};
use palanca_host::agent::bots;
use palanca_host::configuration::catalogue;
use palanca_store::Database;
use palanca_text::FluentCatalogue;
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// People who are told once that they are not let in.
const REFUSED: usize = 1000;

/// Albums that are remembered.
const ALBUMS: usize = 100;

/// An album of somebody in a chat; none where a message is in none.
type Album = (ChatId, i64, Option<String>);

fn album(heard: &Heard) -> Album {
    (heard.chat.clone(), heard.from.id, heard.album.clone())
}

/// What a line is made of.
pub(super) struct LineParts {
    pub(super) bots: Arc<Bots>,
    pub(super) bot: Arc<Bot>,
    pub(super) messenger: Arc<dyn Messenger>,
    pub(super) events: ChatEvents,
    /// Where what comes in is brought to; none where it is asked for.
    pub(super) address: Option<String>,
    /// Nothing new begins.
    pub(super) stop: Cancel,
}

/// What the configuration says now.
pub(super) struct Terms {
    pub(super) bot: Arc<Bot>,
    pub(super) manners: Manners,
    pub(super) catalogue: Arc<FluentCatalogue>,
}

impl Terms {
    fn new(bot: &Arc<Bot>) -> Result<Arc<Self>, Message> {
        let own = bots::own(&bot.config).ok_or_else(|| Message::new("cli-bot-disabled").with("bot", &bot.id))?;
        let manners = Manners::new(own, &bot.config.buffer)?;
        Ok(Arc::new(Self { bot: Arc::clone(bot), manners, catalogue: catalogue(&bot.config) }))
    }

    pub(super) fn say(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }
}

pub(crate) struct Line {
    pub(super) bots: Arc<Bots>,
    pub(super) messenger: Arc<dyn Messenger>,
    pub(super) asked: Asked,
    /// Nothing new begins.
    pub(super) stop: Cancel,
    /// Answers under way end, too.
    pub(super) cut: Cancel,
    /// Answers under way, by chat.
    pub(super) running: Mutex<HashMap<ChatId, Underway>>,
    /// Where what comes in is brought to; none where it is asked for.
    pub(super) address: Option<String>,
    /// Held while a delivery is taken; whether they are.
    pub(super) deliveries: tokio::sync::Mutex<bool>,
    pub(super) refusals: Mutex<Refusals>,
    events: ChatEvents,
    terms: RwLock<Arc<Terms>>,
    pub(super) inbox: OnceLock<Inbox>,
    pub(super) me: OnceLock<Person>,
    chats: Mutex<HashMap<ChatId, mpsc::UnboundedSender<Work>>>,
    tasks: Mutex<JoinSet<()>>,
    /// What jobs have said, on its way.
    pub(super) jobs: Mutex<HashSet<i64>>,
    refused: Mutex<HashSet<i64>>,
    /// Chats whose share of the inbox is full, and which were told so.
    flooded: Mutex<HashSet<ChatId>>,
    /// The last albums of which a part is for the bot.
    albums: Mutex<VecDeque<Album>>,
}

impl Line {
    pub(super) fn new(parts: LineParts) -> Result<Arc<Self>, Message> {
        let LineParts { bots, bot, messenger, events, address, stop } = parts;
        Ok(Arc::new(Self {
            terms: RwLock::new(Terms::new(&bot)?),
            bots,
            messenger,
            events,
            address,
            deliveries: tokio::sync::Mutex::new(false),
            refusals: Mutex::default(),
            stop,
            cut: Cancel::new(),
            asked: Asked::default(),
            running: Mutex::default(),
            inbox: OnceLock::new(),
            me: OnceLock::new(),
            chats: Mutex::default(),
            tasks: Mutex::default(),
            jobs: Mutex::default(),
            refused: Mutex::default(),
            flooded: Mutex::default(),
            albums: Mutex::default(),
        }))
    }

    pub(super) fn terms(&self) -> Arc<Terms> {
        Arc::clone(&self.terms.read())
    }

    /// The bot's configuration changed; one that is wrong leaves what was.
    pub(super) fn take_up(&self, bot: &Arc<Bot>) {
        match Terms::new(bot) {
            Ok(terms) => *self.terms.write() = terms,
            Err(why) => self.wrong(&why),
        }
    }

    /// Ends it at once.
    pub(super) fn end(&self) {
        self.stop.cancel();
        self.cut.cancel();
    }

    pub(super) fn wrong(&self, why: &Message) {
        let bot = self.terms().bot.id.clone();
        (self.events)(ChatEvent::Wrong(Message::new("people-wrong").with("bot", bot).with("why", why.clone())));
    }

    pub(super) fn tell(&self, event: ChatEvent) {
        (self.events)(event);
    }

    pub(super) fn database(&self) -> Option<Arc<Database>> {
        self.bots.host().database(&self.terms().bot.config).cloned()
    }

    /// Listens until it is told to stop or turned away, and waits for what is under way.
    pub(super) async fn keep(self: Arc<Self>) {
        if let Err(why) = self.listen().await {
            (self.events)(off(&self.terms().bot.id, &why));
            self.end();
        }
        loop {
            let mut tasks = std::mem::take(&mut *self.tasks.lock());
            if tasks.is_empty() {
                break;
            }
            while tasks.join_next().await.is_some() {}
        }
        self.record_refusals(None);
    }

    /// Runs beside the line, which waits for it at its end.
    pub(super) fn beside(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    async fn listen(self: &Arc<Self>) -> Result<(), Message> {
        let Some(me) = self.introduce().await? else { return Ok(()) };
        let state = self.bots.host().places().state.clone();
        let name = format!("{}-{}", self.messenger.channel(), me.id);
        let inbox = Inbox::open(state.as_deref(), &name).map_err(|error| unkept(&error))?;
        let waiting = inbox.waiting();
        let (inbox, me) = (self.inbox.get_or_init(|| inbox), self.me.get_or_init(|| me));
        self.tell_ready(me);
        let mut again: Vec<(ChatId, Vec<Heard>)> = Vec::new();
        for heard in waiting {
            if heard.album.is_some() {
                self.remember(album(&heard));
            }
            match again.iter_mut().find(|(chat, _)| *chat == heard.chat) {
                Some((_, of_chat)) => of_chat.push(heard),
                None => again.push((heard.chat.clone(), vec![heard])),
            }
        }
        again.into_iter().for_each(|(chat, heard)| self.hand(&chat, Work::Again(heard)));
        match &self.address {
            Some(address) => self.be_brought(address).await,
            None => self.ask_for_more(inbox).await,
        }
    }

    /// Waits, unless the line ends.
    pub(super) async fn rest(&self, time: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(time) => {}
        }
    }

    fn tell_ready(&self, me: &Person) {
        let terms = self.terms();
        let name = me.username.as_ref().map_or_else(|| named(me), |name| format!("@{name}"));
        let ready = Message::new("people-ready").with("bot", &terms.bot.id).with("name", name);
        (self.events)(ChatEvent::Ready(ready));
        if terms.manners.are_open() {
            (self.events)(ChatEvent::Wrong(Message::new("people-everybody-allowed").with("bot", &terms.bot.id)));
        }
    }

    /// Keeps what is new and hands it on. Returns the buttons that were pressed; none where nothing was new.
    pub(super) fn sort(self: &Arc<Self>, inbox: &Inbox, came: Vec<Incoming>) -> Result<Option<Vec<Press>>, InboxError> {
        let Some(me) = self.me.get() else { return Ok(None) };
        let terms = self.terms();
        let mut numbers = Vec::new();
        let (mut messages, mut at_once) = (Vec::new(), Vec::new());
        for incoming in came {
            let number = incoming.number();
            if !inbox.is_new(number) || numbers.contains(&number) {
                continue;
            }
            numbers.push(number);
            match incoming {
                Incoming::Message(heard) if self.waits(&terms, &heard, me) => {
                    let beside = messages.iter().filter(|other: &&Heard| other.chat == heard.chat).count();
                    if beside < inbox.room(&heard.chat) {
                        self.flooded.lock().remove(&heard.chat);
                        messages.push(heard);
                    } else {
                        self.refuse_flood(&heard.chat, inbox.share());
                    }
                }
                other => at_once.push(other),
            }
        }
        if numbers.is_empty() {
            return Ok(None);
        }
        for heard in inbox.take(&numbers, messages)? {
            let chat = heard.chat.clone();
            self.hand(&chat, Work::Heard(heard));
        }
        let mut pressed = Vec::new();
        for incoming in at_once {
            match incoming {
                Incoming::Message(heard) => self.answer_at_once(&terms, &heard, me),
                Incoming::Press(_, press) => pressed.push(press),
                Incoming::Other(_) => {}
            }
        }
        Ok(Some(pressed))
    }

    /// Whether a message is for the bot to answer.
    fn waits(&self, terms: &Terms, heard: &Heard, me: &Person) -> bool {
        let album = album(heard);
        let waits = terms.manners.standing(&heard.from) != Standing::Nobody
            && (terms.manners.concern(heard) || self.albums.lock().contains(&album))
            && (!heard.text.trim().is_empty() || heard.files.iter().any(|file| file.id.is_some()))
            && order(heard, me).is_none();
        if let (true, Some(_)) = (waits, &album.2) {
            self.remember(album);
        }
        waits
    }

    /// In a group only one part of an album speaks to the bot.
    fn remember(&self, album: Album) {
        let mut albums = self.albums.lock();
        if albums.len() >= ALBUMS {
            albums.pop_front();
        }
        albums.push_back(album);
    }

    /// What the process itself has to say to a message, if anything.
    fn answer_at_once(self: &Arc<Self>, terms: &Terms, heard: &Heard, me: &Person) {
        if !terms.manners.concern(heard) {
            return;
        }
        let says = match (terms.manners.standing(&heard.from), order(heard, me)) {
            (Standing::Nobody, _) => {
                if heard.audience == Audience::Group || !self.is_first_refusal(heard.from.id) {
                    return;
                }
                let who = signed(&heard.from);
                let refused = Message::new("people-not-let-in").with("bot", &terms.bot.id).with("who", who);
                (self.events)(ChatEvent::Wrong(refused));
                Message::new("people-not-for-you").with("id", heard.from.id.to_string())
            }
            (Standing::Anyone, Some(Order::Greet)) if heard.audience == Audience::Private => {
                let (name, id) = (bots::name(&terms.bot.config), heard.from.id.to_string());
                Message::new("people-greeting-stranger").with("name", name).with("id", id)
            }
            (_, Some(Order::Greet)) => Message::new("people-greeting").with("name", bots::name(&terms.bot.config)),
            // One stranger does not end what another asked for.
            (Standing::Anyone, Some(Order::Stop)) if heard.audience == Audience::Group => return,
            (_, Some(Order::Stop)) => match self.running.lock().get(&heard.chat) {
                // The end of the answer says so.
                Some(underway) => return underway.cancel.cancel(),
                None => Message::new("people-nothing-to-stop"),
            },
            (_, None) => Message::new("people-no-text"),
        };
        self.reply(&heard.chat, terms, &says);
    }

    /// What is more than a chat's share of the inbox is not taken, and the chat is told so once.
    fn refuse_flood(self: &Arc<Self>, chat: &ChatId, share: usize) {
        if !self.flooded.lock().insert(chat.clone()) {
            return;
        }
        let terms = self.terms();
        let (bot, chat_name) = (&terms.bot.id, chat.as_str());
        let full = Message::new("people-chat-full").with("bot", bot).with("chat", chat_name).with("limit", share);
        (self.events)(ChatEvent::Wrong(full));
        self.reply(chat, &terms, &Message::new("people-too-many").with("limit", share));
    }

    /// Says something in a chat beside everything else.
    fn reply(self: &Arc<Self>, chat: &ChatId, terms: &Terms, says: &Message) {
        let (line, chat, text) = (Arc::clone(self), chat.clone(), terms.say(says));
        self.beside(async move {
            // ignored: it was said where it could be.
            let _ = line.send(&chat, &text, &[]).await;
        });
    }

    fn is_first_refusal(&self, person: i64) -> bool {
        let mut refused = self.refused.lock();
        if refused.len() >= REFUSED {
            refused.clear();
        }
        refused.insert(person)
    }

    /// Gives a chat something to do.
    pub(super) fn hand(self: &Arc<Self>, chat: &ChatId, something: Work) {
        let mut chats = self.chats.lock();
        let unsent = match chats.get(chat) {
            Some(sender) => sender.send(something).err().map(|unsent| unsent.0),
            None => Some(something),
        };
        if let Some(something) = unsent {
            let (sender, works) = mpsc::unbounded_channel();
            // ignored: the receiver is there.
            let _ = sender.send(something);
            chats.insert(chat.clone(), sender);
            self.beside(work(Arc::clone(self), chat.clone(), works));
        }
    }

    /// A chat that has nothing to do is let go, unless something came just now.
    pub(super) fn may_go(&self, chat: &ChatId, works: &mpsc::UnboundedReceiver<Work>) -> bool {
        let mut chats = self.chats.lock();
        let goes = works.is_empty();
        if goes {
            chats.remove(chat);
        }
        goes
    }

    /// These messages are answered.
    pub(super) fn done(&self, numbers: &[i64]) {
        if let Some(Err(error)) = self.inbox.get().map(|inbox| inbox.done(numbers)) {
            self.wrong(&unkept(&error));
        }
    }
}

/// What has come in cannot be kept.
pub(super) fn unkept(error: &InboxError) -> Message {
    Message::new("people-not-kept").with("reason", error.to_string())
}
