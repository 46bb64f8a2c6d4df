//! Full-text indexes over bots' memories: one SQLite file for each bot and folder, named by a hash, in `memory` of the state directory.
//!
//! A file of its own keeps bots apart better than any condition in a query could, and lets anybody delete one at any time. It is
//! opened for a search and closed after it: nothing is held between two searches.

mod vectors;

use crate::database::{fault, open};
use crate::error::StoreError;
use palanca_core::call::{BotId, Digest};
use palanca_core::ports::{
    FoundPassage, IndexFault, IndexOwner, IndexedSource, MemoryIndex, MemoryIndexes, NewPassage, NewSource,
    PassageCounts, UnmeasuredText,
};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The folder in the state directory.
const FOLDER: &str = "memory";
/// Of the tables below. A file with another one is made again: nothing in it is worth reading.
const VERSION: u32 = 4;
const TABLES: &str = "
    DROP TABLE IF EXISTS word;
    DROP TABLE IF EXISTS passage;
    DROP TABLE IF EXISTS source;
    DROP TABLE IF EXISTS vector;
    DROP TABLE IF EXISTS space;
    DROP TABLE IF EXISTS mark;
    CREATE TABLE source (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash BLOB NOT NULL, changed INTEGER, size INTEGER,
        overheard INTEGER NOT NULL
    );
    CREATE TABLE passage (
        id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source(id), first INTEGER NOT NULL, last INTEGER NOT NULL,
        words INTEGER NOT NULL, at_ms INTEGER, foreign_text INTEGER NOT NULL, hash BLOB NOT NULL, vector INTEGER
    );
    CREATE INDEX passage_source ON passage(source);
    CREATE INDEX passage_words ON passage(words);
    CREATE INDEX passage_unmeasured ON passage(hash) WHERE vector IS NULL;
    CREATE INDEX passage_vector ON passage(vector) WHERE vector IS NOT NULL;
    CREATE TABLE vector (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, packed BLOB NOT NULL);
    CREATE TABLE space (name TEXT NOT NULL);
    CREATE TABLE mark (text TEXT NOT NULL);
    CREATE VIRTUAL TABLE word USING fts5(stems, text UNINDEXED, tokenize = 'unicode61 remove_diacritics 2');
";
const PATIENCE: Duration = Duration::from_secs(10);

/// The indexes of one workspace.
#[derive(Clone, Debug)]
pub struct MemoryFiles {
    /// The state directory and the workspace; without, an index is in memory and gone after the search.
    place: Option<(PathBuf, PathBuf)>,
}

impl MemoryFiles {
    /// In this state directory, for this workspace.
    #[must_use]
    pub fn new(state: &Path, workspace: &Path) -> Self {
        Self { place: Some((state.join(FOLDER), workspace.to_owned())) }
    }

    /// Nowhere: each search begins with nothing and leaves nothing.
    #[must_use]
    pub const fn nowhere() -> Self {
        Self { place: None }
    }

    /// Whose it is only a hash says: names may be long, and of any characters.
    fn path(&self, IndexOwner { bot, folder }: &IndexOwner<'_>) -> Option<PathBuf> {
        let (directory, workspace) = self.place.as_ref()?;
        let (workspace, folder) = (workspace.as_os_str().as_encoded_bytes(), folder.to_string());
        let bot = bot.map_or("", BotId::as_str);
        let owner = [workspace, b"\0", folder.as_bytes(), b"\0", bot.as_bytes()].concat();
        Some(directory.join(format!("{}.db", Digest::of_bytes(&owner).to_hex())))
    }
}

impl MemoryIndexes for MemoryFiles {
    fn open(&self, owner: &IndexOwner<'_>) -> Result<Box<dyn MemoryIndex>, IndexFault> {
        let path = self.path(owner);
        let place = path.clone().unwrap_or_else(|| PathBuf::from(":memory:"));
        let connection = connect(path.as_deref()).map_err(|error| named(&error, "be opened", &place))?;
        Ok(Box::new(Index { connection, path: place }))
    }

    fn set_aside(&self, owner: &IndexOwner<'_>) -> Result<String, IndexFault> {
        let Some(path) = self.path(owner) else { return Ok(String::new()) };
        let ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let aside = path.with_extension(format!("corrupt-{ms}"));
        let failed = |error: std::io::Error| IndexFault::Failed(open::unmade(&path, &error).message());
        for beside in ["-wal", "-shm"] {
            let mut name = path.clone().into_os_string();
            name.push(beside);
            match std::fs::remove_file(name) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        match std::fs::rename(&path, &aside) {
            // Another process was first.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            moved => moved.map_err(failed)?,
        }
        Ok(aside.display().to_string())
    }
}

fn connect(path: Option<&Path>) -> rusqlite::Result<Connection> {
    let mut connection = match path {
        None => Connection::open_in_memory()?,
        Some(path) => {
            // What is wrong with the place, opening the file says better.
            let _ = open::make(path);
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?
        }
    };
    connection.busy_timeout(PATIENCE)?;
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0));
    if version(&connection)? == VERSION {
        return Ok(connection);
    }
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if version(&transaction)? != VERSION {
        transaction.execute_batch(&format!("{TABLES} PRAGMA user_version = {VERSION};"))?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn named(error: &rusqlite::Error, what: &'static str, path: &Path) -> IndexFault {
    match fault::named(error, what, path) {
        StoreError::Corrupt { .. } => IndexFault::Damaged,
        other => IndexFault::Failed(other.message()),
    }
}

struct Index {
    connection: Connection,
    path: PathBuf,
}

impl Index {
    fn failed(&self, error: &rusqlite::Error) -> IndexFault {
        named(error, "be searched", &self.path)
    }
}

impl MemoryIndex for Index {
    fn sources(&self, beginning: &str) -> Result<Vec<IndexedSource>, IndexFault> {
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut all = self.connection.prepare_cached(
                "SELECT name, hash, changed, size, overheard FROM source WHERE name >= ?1 AND name < ?2",
            )?;
            all.query_map([beginning, &end(beginning)], source)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    fn mark(&self) -> Result<Option<String>, IndexFault> {
        mark(&self.connection).map_err(|error| self.failed(&error))
    }

    fn set_mark(&mut self, before: Option<&str>, mark: &str) -> Result<(), IndexFault> {
        set_mark(&mut self.connection, before, mark).map_err(|error| self.failed(&error))
    }

    fn update(&mut self, gone: &[String], changed: &[NewSource]) -> Result<(), IndexFault> {
        update(&mut self.connection, gone, changed).map_err(|error| self.failed(&error))
    }

    fn counts(&self, forms: &[&[String]]) -> Result<PassageCounts, IndexFault> {
        counts(&self.connection, forms).map_err(|error| self.failed(&error))
    }

    fn find(&self, expression: &str, most: usize) -> Result<Vec<FoundPassage>, IndexFault> {
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut found = self.connection.prepare(&format!(
                "SELECT {PASSAGE}
                 FROM (SELECT rowid FROM word WHERE word MATCH ?1 ORDER BY rank LIMIT ?2) AS best
                 JOIN word ON word.rowid = best.rowid JOIN passage ON passage.id = best.rowid
                 JOIN source ON source.id = passage.source",
            ))?;
            found.query_map(params![expression, count(most)], passage)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    fn measure(&mut self, space: &str) -> Result<(), IndexFault> {
        vectors::measure(&mut self.connection, space).map_err(|error| self.failed(&error))
    }

    fn unmeasured(&self, most: usize) -> Result<(Vec<UnmeasuredText>, u64), IndexFault> {
        vectors::unmeasured(&self.connection, most).map_err(|error| self.failed(&error))
    }

    fn keep(&mut self, space: &str, vectors: &[(Digest, Vec<u8>)]) -> Result<(), IndexFault> {
        vectors::keep(&mut self.connection, space, vectors).map_err(|error| self.failed(&error))
    }

    fn vectors(&self, each: &mut dyn FnMut(i64, &[u8])) -> Result<(), IndexFault> {
        vectors::all(&self.connection, each).map_err(|error| self.failed(&error))
    }

    fn measured(&self, vectors: &[i64]) -> Result<Vec<(i64, FoundPassage)>, IndexFault> {
        vectors::measured(&self.connection, vectors).map_err(|error| self.failed(&error))
    }
}

/// The columns of a passage that was found.
const PASSAGE: &str = "source.name, passage.first, passage.last, word.text, word.stems, passage.words, passage.at_ms,
    passage.foreign_text";

fn count(most: usize) -> u32 {
    u32::try_from(most).unwrap_or(u32::MAX)
}

fn source(row: &Row<'_>) -> rusqlite::Result<IndexedSource> {
    let (changed, size): (Option<u64>, Option<u64>) = (row.get(2)?, row.get(3)?);
    let stamp = changed.zip(size).map(|(nanos, size)| (UNIX_EPOCH + Duration::from_nanos(nanos), size));
    Ok(IndexedSource { name: row.get(0)?, hash: Digest::from_bytes(row.get(1)?), stamp, overheard: row.get(4)? })
}

fn passage(row: &Row<'_>) -> rusqlite::Result<FoundPassage> {
    let passage = NewPassage {
        first: row.get(1)?,
        last: row.get(2)?,
        text: row.get(3)?,
        stems: row.get(4)?,
        words: row.get(5)?,
        at_ms: row.get(6)?,
        foreign: row.get(7)?,
    };
    Ok(FoundPassage { source: row.get(0)?, passage })
}

/// What follows all texts with this beginning.
fn end(beginning: &str) -> String {
    format!("{beginning}\u{10ffff}")
}

fn mark(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT text FROM mark", [], |row| row.get(0)).optional()
}

fn set_mark(connection: &mut Connection, before: Option<&str>, new: &str) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let now = mark(&transaction)?;
    transaction.execute("DELETE FROM mark", [])?;
    if now.as_deref() == before || now.as_deref() == Some(new) {
        transaction.execute("INSERT INTO mark (text) VALUES (?1)", [new])?;
    }
    transaction.commit()
}

fn update(connection: &mut Connection, gone: &[String], changed: &[NewSource]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut loose = Vec::new();
    for name in gone {
        loose.extend(clear(&transaction, name)?);
        transaction.execute("DELETE FROM source WHERE name = ?1", [name])?;
    }
    for NewSource { source, passages } in changed {
        if passages.is_some() {
            loose.extend(clear(&transaction, &source.name)?);
        }
        let (at, size) = source.stamp.map(|(at, size)| (nanos(at), size)).unzip();
        let id: i64 = transaction.query_row(
            "INSERT INTO source (name, hash, changed, size, overheard) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, changed = excluded.changed, size = excluded.size,
                overheard = excluded.overheard
             RETURNING id",
            params![source.name, source.hash.as_bytes(), at, size, source.overheard],
            |row| row.get(0),
        )?;
        let mut row = transaction.prepare_cached(
            "INSERT INTO passage (source, first, last, words, at_ms, foreign_text, hash, vector)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT id FROM vector WHERE hash = ?7)) RETURNING id",
        )?;
        let mut text = transaction.prepare_cached("INSERT INTO word (rowid, stems, text) VALUES (?1, ?2, ?3)")?;
        for passage in passages.iter().flatten() {
            let NewPassage { first, last, text: words, stems, words: count, at_ms, foreign } = passage;
            let hash = Digest::of_bytes(words.as_bytes());
            let new = params![id, first, last, count, at_ms, foreign, hash.as_bytes()];
            let at: i64 = row.query_row(new, |row| row.get(0))?;
            text.execute(params![at, stems, words])?;
        }
    }
    vectors::forget(&transaction, &loose)?;
    transaction.commit()
}

/// What is known of a source goes; says which vectors its passages had.
fn clear(connection: &Connection, name: &str) -> rusqlite::Result<Vec<i64>> {
    let id: Option<i64> =
        connection.query_row("SELECT id FROM source WHERE name = ?1", [name], |row| row.get(0)).optional()?;
    let mut had = Vec::new();
    if let Some(id) = id {
        let mut vectors =
            connection.prepare_cached("SELECT vector FROM passage WHERE source = ?1 AND vector IS NOT NULL")?;
        had = vectors.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        connection.execute("DELETE FROM word WHERE rowid IN (SELECT id FROM passage WHERE source = ?1)", [id])?;
        connection.execute("DELETE FROM passage WHERE source = ?1", [id])?;
    }
    Ok(had)
}

fn counts(connection: &Connection, forms: &[&[String]]) -> rusqlite::Result<PassageCounts> {
    let (passages, mean_words) =
        connection.query_row("SELECT count(*), coalesce(avg(words), 0) FROM passage", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    // Reads the index's own counts; it is gone with the connection.
    connection.execute_batch("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, word, row)")?;
    let mut one = connection.prepare("SELECT doc FROM temp.words WHERE term = ?1")?;
    let mut longer =
        connection.prepare("SELECT coalesce(sum(doc), 0) FROM temp.words WHERE term >= ?1 AND term < ?2")?;
    let mut with = Vec::new();
    for forms in forms {
        let mut most = 0;
        for form in *forms {
            most = most.max(one.query_row([form], |row| row.get::<_, u64>(0)).optional()?.unwrap_or(0));
        }
        if let (0, Some(word)) = (most, forms.first()) {
            // Where it is found, it is as the beginning of other words: as rare as those.
            most = longer.query_row([word, &end(word)], |row| row.get(0))?;
        }
        with.push(most);
    }
    Ok(PassageCounts { passages, mean_words, with })
}

fn nanos(at: SystemTime) -> u64 {
    u64::try_from(at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()).unwrap_or(u64::MAX >> 1)
}
