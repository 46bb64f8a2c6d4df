//! What all requests share, and the routes.

use crate::access;
use crate::api;
use crate::chats::Chats;
use crate::deliveries;
use crate::events::{self, News};
use crate::pages;
use crate::trials::Trials;
use axum::Router;
use axum::middleware::from_fn_with_state;
use palanca_bots::Bots;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::tool::Cancel;
use palanca_host::session::desk::desk;
use palanca_host::{Fault, FaultKind, Host};
use palanca_net::listen::Listener;
use palanca_store::{Database, Desk, KeyKind, KeyRing};
use palanca_text::Locale;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The front end, for the record.
pub const FRONT: &str = "console";

/// How long a link that logs in can be used.
pub const LINK_LASTS: Duration = Duration::from_secs(15 * 60);

/// What a console is of.
pub struct ConsoleParts {
    /// The process.
    pub host: Arc<Host>,
    /// Its bots.
    pub bots: Arc<Bots>,
    /// The configuration of the process.
    pub config: Arc<Config>,
    /// The language where a reader does not say one.
    pub locale: Locale,
    /// How browsers reach it.
    pub reach: Reach,
    /// Ends the streams: the process is about to end.
    pub cancel: Cancel,
}

/// How browsers reach a console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// By `http`, on this machine.
    Plain,
    /// By `https`: its cookies are sent by nothing else.
    Encrypted,
}

impl Reach {
    /// What a cookie says of it.
    pub(crate) const fn of_cookie(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Encrypted => "; Secure",
        }
    }
}

/// The console of a process.
#[derive(Clone)]
pub struct Console(Arc<Shared>);

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) host: Arc<Host>,
    pub(crate) bots: Arc<Bots>,
    /// That of the process, in which no bot acts.
    pub(crate) config: Arc<Config>,
    pub(crate) database: Arc<Database>,
    pub(crate) desk: Desk,
    pub(crate) keys: KeyRing,
    pub(crate) locale: Locale,
    pub(crate) reach: Reach,
    pub(crate) chats: Chats,
    pub(crate) trials: Trials,
    pub(crate) news: watch::Sender<News>,
    pub(crate) cancel: Cancel,
}

impl Console {
    /// A console of this process.
    ///
    /// # Errors
    /// A process without a state directory: nothing could be asked, and nobody be let in.
    pub fn new(parts: ConsoleParts) -> Result<Self, Fault> {
        let ConsoleParts { host, bots, config, locale, reach, cancel } = parts;
        let none = || Fault { kind: FaultKind::Usage, message: Message::new("console-no-state") };
        let database = Arc::clone(host.database(&config).ok_or_else(none)?);
        let desk = desk(Arc::clone(&database), &config, FRONT);
        bots.hear_deliveries();
        Ok(Self(Arc::new(Shared {
            host,
            bots,
            keys: KeyRing::new(Arc::clone(&database)),
            desk,
            config,
            database,
            locale,
            reach,
            chats: Chats::default(),
            trials: Trials::default(),
            news: watch::Sender::new(News::default()),
            cancel,
        })))
    }

    /// What logs a person in once, for the fragment of an address: `/login#…`. No output, record or row of the process shows it.
    ///
    /// # Errors
    /// Why it cannot be kept.
    pub async fn link(&self, person: &str) -> Result<String, Fault> {
        let broken = |error: palanca_store::StoreError| Fault { kind: FaultKind::Machine, message: error.message() };
        let made = self.0.keys.make((KeyKind::Link, person), LINK_LASTS, None).await.map_err(broken)?;
        self.0.host.learn("console-link", &made.secret);
        Ok(made.secret)
    }

    /// Every route. [`Console::serve`] also keeps its streams awake.
    pub fn service(&self) -> Router {
        let shared = Arc::clone(&self.0);
        Router::new()
            .merge(api::routes())
            .merge(pages::routes())
            .layer(from_fn_with_state(Arc::clone(&shared), access::enter))
            .merge(deliveries::routes())
            .with_state(shared)
    }

    /// Serves until `stop`. Returns how many connections were cut off.
    pub async fn serve(&self, listener: Listener, stop: Cancel) -> usize {
        let served = listener.serve(self.service(), stop.clone());
        tokio::select! {
            cut = served => cut,
            () = events::watch(&self.0) => 0,
        }
    }
}
