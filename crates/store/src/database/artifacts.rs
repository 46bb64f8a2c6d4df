//! Long texts and media as rows: each once, under a name made from its content, with one row for each session that stored it.
//!
//! Only sessions that stored a text can read it; knowing its name is not enough. The oldest are removed when they
//! expire or their space is needed; this is checked when something is stored, because there is no background task.

use super::{Database, milliseconds};
use bytes::Bytes;
use palanca_core::call::{ArtifactId, BotId, CallId, ChannelId, ChatId, Digest, Media, Scope};
use palanca_core::ports::{ArtifactPage, Artifacts, NewArtifact, NewContent, Pending, StoreFault, StoredMedia};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use std::time::Duration;

/// Digits of a name: no two texts share them by chance. If two texts were constructed to share them, the second one's
/// name has all 64.
const DIGITS: usize = 20;
/// A page of a text reads this much at least.
const PART: usize = 64 << 10;
/// Number of expired texts removed whenever one is stored.
const LEAVE: u32 = 16;

/// Limits of stored texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtifactLimits {
    /// Bytes of one text. 16 MiB unless set.
    pub each: u64,
    /// Bytes of all together; the oldest are removed for a new one. 512 MiB unless set.
    pub all: u64,
    /// How long one is kept after it was last stored. Seven days unless set.
    pub lasts: Duration,
}

impl Default for ArtifactLimits {
    fn default() -> Self {
        Self { each: 16 << 20, all: 512 << 20, lasts: Duration::from_secs(7 * 86_400) }
    }
}

const REFER: &str = "INSERT INTO artifact_references (session, artifact, bot, chat, channel, call, source, kept_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (session, artifact) DO UPDATE
    SET call = excluded.call, kept_ms = excluded.kept_ms, source = coalesce(excluded.source, source)";

impl Artifacts for Database {
    fn keep(&self, artifact: &NewArtifact<'_>) -> Pending<Result<ArtifactId, StoreFault>> {
        let NewArtifact { scope, call, content, foreign } = *artifact;
        let limits = self.artifacts;
        let limit = limits.each.min(limits.all);
        if length(content.bytes()) > limit {
            return Pending::now(Err(StoreFault::TooLarge { what: format!("output {call}"), limit }));
        }
        let keeping = Keeping {
            scope: scope.clone(),
            call: call.clone(),
            body: match content {
                NewContent::Text(text) => Bytes::copy_from_slice(text.as_bytes()),
                NewContent::Media(media) => media.bytes().clone(),
            },
            media_type: content.media_type().map(str::to_owned),
            foreign: foreign.map(str::to_owned),
            digest: digest_of(content.media_type(), content.bytes()),
            now_ms: milliseconds(&*self.clock),
        };
        let keep = move |connection: &Connection| keeping.make(connection, &limits);
        self.hand_in("keep an artifact", keep, |id| Ok(ArtifactId::new(id)))
    }

    fn media(&self, scope: &Scope, id: &ArtifactId) -> Pending<Result<StoredMedia, StoreFault>> {
        Pending::now(self.read_media(scope, id))
    }

    fn page(
        &self,
        scope: &Scope,
        id: &ArtifactId,
        offset: u64,
        bytes: usize,
    ) -> Pending<Result<ArtifactPage, StoreFault>> {
        Pending::now(self.read_page(scope, id, offset, bytes))
    }
}

impl Database {
    fn read_page(&self, scope: &Scope, id: &ArtifactId, offset: u64, bytes: usize) -> Result<ArtifactPage, StoreFault> {
        let missing = || missing(id);
        if !self.exists() {
            return Err(missing());
        }
        let page = self.read("read a text", |connection| {
            // One query: between two, the text might be removed.
            let look = connection.transaction()?;
            let Some(Reference { bytes: whole, media_type, foreign }) = reference(&look, scope, id)? else {
                return Ok(None);
            };
            if media_type.is_some() {
                return Ok(Some(Err(StoreFault::NotText { what: format!("artifact {id}") })));
            }
            let wanted = Window::around(offset, bytes, whole);
            let found = wanted.read(&look, id)?;
            let (text, offset) = wanted.cut(&found);
            Ok(Some(Ok(ArtifactPage { text, offset, bytes: whole, foreign })))
        })?;
        page.ok_or_else(missing)?
    }

    fn read_media(&self, scope: &Scope, id: &ArtifactId) -> Result<StoredMedia, StoreFault> {
        if !self.exists() {
            return Err(missing(id));
        }
        let found = self.read("read media", |connection| {
            let look = connection.transaction()?;
            let Some(Reference { bytes, media_type: Some(media_type), foreign }) = reference(&look, scope, id)? else {
                return Ok(None);
            };
            let whole = usize::try_from(bytes).unwrap_or(usize::MAX);
            Ok(Some((media_type, Window { from: 0, start: 0, bytes: whole, to: whole }.read(&look, id)?, foreign)))
        })?;
        let (media_type, bytes, foreign) = found.ok_or_else(|| missing(id))?;
        let media = Media::new(&media_type, bytes).map_err(|error| StoreFault::Broken(error.message()))?;
        Ok(StoredMedia { media, foreign })
    }
}

fn missing(id: &ArtifactId) -> StoreFault {
    StoreFault::Missing { what: format!("artifact {id}") }
}

/// What a name is made from. The media type is part of it: no text and no other media have the same.
pub(super) fn digest_of(media_type: Option<&str>, bytes: &[u8]) -> String {
    match media_type {
        None => Digest::of_bytes(bytes).to_hex(),
        Some(media_type) => Digest::of_bytes(&[media_type.as_bytes(), b"\0", bytes].concat()).to_hex(),
    }
}

struct Keeping {
    scope: Scope,
    call: CallId,
    body: Bytes,
    media_type: Option<String>,
    foreign: Option<String>,
    digest: String,
    now_ms: u64,
}

impl Keeping {
    /// Within a transaction.
    fn make(&self, transaction: &Connection, limits: &ArtifactLimits) -> rusqlite::Result<String> {
        let over = self.now_ms.saturating_sub(u64::try_from(limits.lasts.as_millis()).unwrap_or(u64::MAX));
        transaction
            .prepare_cached(
                "DELETE FROM artifacts WHERE id IN
                    (SELECT id FROM artifacts WHERE kept_ms < ?1 ORDER BY kept_ms LIMIT ?2)",
            )?
            .execute(params![over, LEAVE])?;
        let id = self.name(transaction)?;
        let again = transaction
            .prepare_cached("UPDATE artifacts SET kept_ms = max(kept_ms, ?2) WHERE id = ?1")?
            .execute(params![id, self.now_ms])?;
        if again == 0 {
            make_room(transaction, limits.all.saturating_sub(length(&self.body)))?;
            self.insert(transaction, &id)?;
        }
        let Self { scope, call, foreign, .. } = self;
        transaction.prepare_cached(REFER)?.execute(params![
            scope.session.as_str(),
            id,
            scope.bot.as_ref().map(BotId::as_str),
            scope.chat.as_ref().map(ChatId::as_str),
            scope.channel.as_ref().map(ChannelId::as_str),
            call.as_str(),
            foreign,
            self.now_ms,
        ])?;
        Ok(id)
    }

    /// The short name, unless another text has the same digits.
    fn name(&self, transaction: &Connection) -> rusqlite::Result<String> {
        let short = format!("art-{}", self.digest.get(..DIGITS).unwrap_or(&self.digest));
        let taken: Option<String> = transaction
            .prepare_cached("SELECT digest FROM artifacts WHERE id = ?1")?
            .query_row([&short], |row| row.get(0))
            .optional()?;
        let ours = taken.is_none_or(|taken| taken == self.digest);
        Ok(if ours { short } else { format!("art-{}", self.digest) })
    }

    fn insert(&self, transaction: &Connection, id: &str) -> rusqlite::Result<()> {
        transaction
            .prepare_cached(
                "INSERT INTO artifacts (id, digest, bytes, kept_ms, media_type) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![id, self.digest, length(&self.body), self.now_ms, self.media_type])?;
        let mut insert =
            transaction.prepare_cached("INSERT INTO artifact_parts (artifact, part, body) VALUES (?1, ?2, ?3)")?;
        for (part, body) in self.body.chunks(PART).enumerate() {
            insert.execute(params![id, part, body])?;
        }
        Ok(())
    }
}

/// Removes the oldest until at most `rest` bytes remain.
fn make_room(transaction: &Connection, rest: u64) -> rusqlite::Result<()> {
    loop {
        let total: i64 =
            transaction.prepare_cached("SELECT bytes FROM artifact_total")?.query_row([], |row| row.get(0))?;
        if u64::try_from(total).unwrap_or_default() <= rest {
            return Ok(());
        }
        let left = transaction
            .prepare_cached("DELETE FROM artifacts WHERE id IN (SELECT id FROM artifacts ORDER BY kept_ms LIMIT 1)")?
            .execute([])?;
        if left == 0 {
            return Ok(());
        }
    }
}

/// What this session knows of an artifact.
struct Reference {
    bytes: u64,
    media_type: Option<String>,
    foreign: Option<String>,
}

/// None if this session did not store it.
fn reference(look: &Transaction<'_>, scope: &Scope, id: &ArtifactId) -> rusqlite::Result<Option<Reference>> {
    look.prepare_cached(
        "SELECT bytes, media_type, source FROM artifact_references JOIN artifacts ON id = artifact
            WHERE session = ?1 AND artifact = ?2",
    )?
    .query_row([scope.session.as_str(), id.as_str()], |row| {
        Ok(Reference { bytes: row.get(0)?, media_type: row.get(1)?, foreign: row.get(2)? })
    })
    .optional()
}

/// The bytes of a page, and a character's length on both sides.
struct Window {
    from: usize,
    start: usize,
    bytes: usize,
    to: usize,
}

/// Bytes of a character that are not its first one.
const TAIL: usize = 3;

impl Window {
    fn around(offset: u64, bytes: usize, whole: u64) -> Self {
        let whole = usize::try_from(whole).unwrap_or(usize::MAX);
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(whole);
        let to = start.saturating_add(bytes).saturating_add(1 + TAIL).min(whole);
        Self { from: start.saturating_sub(TAIL), start, bytes, to }
    }

    /// The bytes from `from` to `to`.
    fn read(&self, look: &Transaction<'_>, id: &ArtifactId) -> rusqlite::Result<Vec<u8>> {
        let (first, last) = (self.from / PART, self.to.saturating_sub(1) / PART);
        let mut parts = look.prepare_cached(
            "SELECT body FROM artifact_parts WHERE artifact = ?1 AND part BETWEEN ?2 AND ?3 ORDER BY part",
        )?;
        let mut found = Vec::new();
        for body in parts.query_map(params![id.as_str(), first, last], |row| row.get::<_, Vec<u8>>(0))? {
            found.extend(body?);
        }
        let skipped = self.from - first * PART;
        let end = (self.to - first * PART).min(found.len());
        Ok(found.get(skipped..end).unwrap_or_default().to_vec())
    }

    /// Whole characters, at least one if there is any, and their offset.
    fn cut(&self, found: &[u8]) -> (String, u64) {
        let begins = |at: usize| found.get(at).is_none_or(|byte| byte & 0xc0 != 0x80);
        let mut start = (self.start - self.from).min(found.len());
        while start > 0 && !begins(start) {
            start -= 1;
        }
        let mut end = start.saturating_add(self.bytes).min(found.len());
        while end > start && !begins(end) {
            end -= 1;
        }
        if end == start && start < found.len() {
            end += 1;
            while !begins(end) {
                end += 1;
            }
        }
        let text = String::from_utf8_lossy(found.get(start..end).unwrap_or_default()).into_owned();
        (text, u64::try_from(self.from + start).unwrap_or(u64::MAX))
    }
}

fn length(body: &[u8]) -> u64 {
    u64::try_from(body.len()).unwrap_or(u64::MAX)
}
