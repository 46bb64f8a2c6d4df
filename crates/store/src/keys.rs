//! What people show to be let in: tokens for programs, links that log in once, sessions of browsers. Each is 244 random bits that
//! are nowhere but with their person: the database has their hash, which is also how they are found, so that no comparison says
//! how much of a guess was right.

use crate::approvals::Which;
use crate::database::{Database, milliseconds};
use crate::error::StoreError;
use palanca_core::call::Digest;
use palanca_core::ports::{Clock, Pending, SystemClock};
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// What a key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// The interface for programs, and a login.
    Token,
    /// One login.
    Link,
    /// The pages, in the browser that logged in.
    Session,
}

impl KeyKind {
    /// The stable name, and the beginning of a key.
    const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Link => "link",
            Self::Session => "session",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Token, Self::Link, Self::Session].into_iter().find(|kind| kind.name() == name)
    }
}

/// A key, without what it is recognised by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeptKey {
    /// Its name in lists.
    pub id: String,
    /// What it opens.
    pub kind: KeyKind,
    /// Whose it is.
    pub person: String,
    /// Milliseconds since 1970.
    pub made_ms: u64,
    /// Milliseconds since 1970.
    pub expires_ms: u64,
    /// Who ended it.
    pub ended_by: Option<String>,
    /// Milliseconds since 1970.
    pub ended_ms: Option<u64>,
}

/// A new key, and what it is recognised by: shown once, and kept nowhere.
pub struct NewKey {
    /// The key.
    pub kept: KeptKey,
    /// `plnc_token_…`
    pub secret: String,
}

impl std::fmt::Debug for NewKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewKey").field("kept", &self.kept).finish_non_exhaustive()
    }
}

/// The result of an attempt to end a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyEnded {
    /// It opens nothing any more, and neither does what was made with it.
    Done,
    /// Nothing changed: it was ended before, or has expired.
    Already(KeptKey),
    /// There is no such key.
    Unknown,
}

const KEY: &str = "SELECT id, kind, person, made_ms, expires_ms, ended_by, ended_ms FROM keys";

const MAKE: &str =
    "INSERT INTO keys (id, kind, person, hash, parent, made_ms, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// Links and sessions are many, and nobody asks for old ones.
const FORGET: &str = "DELETE FROM keys WHERE kind <> 'token' AND expires_ms < ?1";

const END: &str = "UPDATE keys SET ended_by = ?2, ended_ms = ?3 WHERE id = ?1 AND ended_ms IS NULL AND expires_ms > ?3";

/// Opens something now, as must the token that it was made with. A link is over as soon as it is used; what it opened is not.
const OPENS: &str = "ended_ms IS NULL AND expires_ms > :now AND NOT EXISTS (SELECT 1 FROM keys token
    WHERE token.id = keys.parent AND token.kind = 'token' AND (token.ended_ms IS NOT NULL OR token.expires_ms <= :now))";

const USE: &str = "UPDATE keys SET ended_by = person, ended_ms = ?2
    WHERE hash = ?1 AND kind = 'link' AND ended_ms IS NULL AND expires_ms > ?2";

/// The keys of one database.
#[derive(Clone)]
pub struct KeyRing {
    database: Arc<Database>,
    clock: Arc<dyn Clock>,
}

impl KeyRing {
    /// The keys of this database.
    #[must_use]
    pub fn new(database: Arc<Database>) -> Self {
        Self { database, clock: Arc::new(SystemClock::default()) }
    }

    /// Where time comes from.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Makes a key; `parent` is the key that it is made with.
    ///
    /// # Errors
    /// Why it cannot be stored; there is none then.
    pub fn make(
        &self,
        (kind, person): (KeyKind, &str),
        lasts: Duration,
        parent: Option<&KeptKey>,
    ) -> Pending<Result<NewKey, StoreError>> {
        let secret = format!("plnc_{}_{}", kind.name(), random());
        let (made_ms, hash) = (milliseconds(&*self.clock), hash(&secret));
        let lasts = u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX);
        let expires_ms = made_ms.saturating_add(lasts).min(i64::MAX.unsigned_abs());
        let kept = KeptKey {
            id: uuid::Uuid::now_v7().to_string(),
            kind,
            person: person.to_owned(),
            made_ms,
            expires_ms,
            ended_by: None,
            ended_ms: None,
        };
        let (made, parent) = (kept.clone(), parent.map(|parent| parent.id.clone()));
        let make = move |connection: &Connection| {
            connection.prepare_cached(FORGET)?.execute([made.made_ms])?;
            let KeptKey { id, kind, person, made_ms, expires_ms, .. } = &made;
            let row = params![id, kind.name(), person, hash, parent, made_ms, expires_ms];
            connection.prepare_cached(MAKE)?.execute(row)?;
            Ok(())
        };
        self.database.hand_in("keep a key", make, |()| Ok(NewKey { kept, secret }))
    }

    /// The key of this kind that is recognised by `secret`, if it opens anything now.
    ///
    /// # Errors
    /// Why that cannot be read.
    pub fn find(&self, kind: KeyKind, secret: &str) -> Result<Option<KeptKey>, StoreError> {
        if !self.database.exists() {
            return Ok(None);
        }
        let now = milliseconds(&*self.clock);
        self.database.read("look for a key", |connection| {
            let wanted = format!("{KEY} WHERE hash = :hash AND kind = :kind AND {OPENS}");
            let values = named_params! {":hash": hash(secret), ":kind": kind.name(), ":now": now};
            connection.prepare_cached(&wanted)?.query_row(values, key).optional()
        })
    }

    /// Whether the key of this name still opens something: for whoever was let in a while ago.
    ///
    /// # Errors
    /// Why that cannot be read.
    pub fn opens(&self, id: &str) -> Result<bool, StoreError> {
        let now = milliseconds(&*self.clock);
        self.database.read("look for a key", |connection| {
            let wanted = format!("SELECT 1 FROM keys WHERE id = :id AND {OPENS}");
            connection.prepare_cached(&wanted)?.exists(named_params! {":id": id, ":now": now})
        })
    }

    /// Uses a link, which opens nothing afterwards. None if it does not now.
    ///
    /// # Errors
    /// Why that cannot be stored; it is not used then.
    pub fn use_link(&self, secret: &str) -> Pending<Result<Option<KeptKey>, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(None));
        }
        let (hash, now) = (hash(secret), milliseconds(&*self.clock));
        let spend = move |connection: &Connection| {
            if connection.prepare_cached(USE)?.execute(params![hash, now])? != 1 {
                return Ok(None);
            }
            connection.prepare_cached(&format!("{KEY} WHERE hash = ?1"))?.query_row([&hash], key).optional()
        };
        self.database.hand_in("use a link", spend, Ok)
    }

    /// Tokens, newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn tokens(&self, which: Which) -> Result<Vec<KeptKey>, StoreError> {
        if !self.database.exists() {
            return Ok(Vec::new());
        }
        let only = match which {
            Which::Active => "AND ended_ms IS NULL AND expires_ms > ?1",
            Which::All => "AND ?1 = ?1",
        };
        let now = milliseconds(&*self.clock);
        self.database.read("list keys", |connection| {
            let wanted = format!("{KEY} WHERE kind = 'token' {only} ORDER BY made_ms DESC, id DESC");
            connection.prepare(&wanted)?.query_map([now], key)?.collect()
        })
    }

    /// Ends a key; sessions that began with it open nothing any more. `by` says who, for the record.
    ///
    /// # Errors
    /// Why it cannot be ended; it still opens what it opened.
    pub fn end(&self, id: &str, by: &str) -> Pending<Result<KeyEnded, StoreError>> {
        if !self.database.exists() {
            return Pending::now(Ok(KeyEnded::Unknown));
        }
        let (id, by, now) = (id.to_owned(), by.to_owned(), milliseconds(&*self.clock));
        let end = move |connection: &Connection| {
            let found = connection.prepare_cached(&format!("{KEY} WHERE id = ?1"))?.query_row([&id], key).optional()?;
            connection.prepare_cached(END)?.execute(params![id, by, now])?;
            Ok(match found {
                None => KeyEnded::Unknown,
                Some(key) if key.ended_ms.is_some() || key.expires_ms <= now => KeyEnded::Already(key),
                Some(_) => KeyEnded::Done,
            })
        };
        self.database.hand_in("end a key", end, Ok)
    }
}

fn hash(secret: &str) -> String {
    Digest::of_bytes(secret.as_bytes()).to_hex()
}

/// Two random UUIDs, of 122 bits each.
fn random() -> String {
    let half = || uuid::Uuid::new_v4().simple().to_string();
    format!("{}{}", half(), half())
}

fn key(row: &Row<'_>) -> rusqlite::Result<KeptKey> {
    let kind = KeyKind::named(row.get_ref(1)?.as_str()?).unwrap_or(KeyKind::Link);
    Ok(KeptKey {
        id: row.get(0)?,
        kind,
        person: row.get(2)?,
        made_ms: row.get(3)?,
        expires_ms: row.get(4)?,
        ended_by: row.get(5)?,
        ended_ms: row.get(6)?,
    })
}
