//! Reading one session's lines without reading every file of the log.
//!
//! A rotated file never changes, so it is read once, and the database stores where each session's lines are in it; the current
//! file is always read. The surprising decision: the index is not updated while calls run. The first query indexes the new
//! files, and a call costs nothing more.

use super::entry::{self, Entry, Line};
use super::{AuditError, CURRENT};
use crate::database::{Database, Span};
use crate::error::StoreError;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Every line of the sessions with this prefix, oldest first. Returns how many bytes of the log were read.
///
/// If the index cannot be used, the whole log is read.
///
/// # Errors
/// A file that cannot be read at all. Invalid lines are left out.
pub fn entries_of(
    directory: &Path,
    database: &Database,
    session: &str,
    mut each: impl FnMut(Entry),
) -> Result<u64, AuditError> {
    let mut wanted = |line: &str| {
        if let Some(line) = Line::read(line)
            && line.text("session").is_some_and(|name| name.starts_with(session))
        {
            line.each(&mut each);
        }
    };
    let failed = |path: &Path, source| AuditError::new("read", path, source);
    // Opened before the others are listed: if it is rotated meanwhile, it is still the last one.
    let current = match File::open(directory.join(CURRENT)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        opened => Some(opened.map_err(|source| failed(&directory.join(CURRENT), source))?),
    };
    let number = |file: &File| file.metadata().map(|found| (found.dev(), found.ino())).ok();
    let mut aside = Vec::new();
    for path in entry::put_aside_if_any(directory)? {
        let file = File::open(&path).map_err(|source| failed(&path, source))?;
        if current.as_ref().and_then(&number) != number(&file) {
            aside.push(Aside { name: entry::name(&path), file });
        }
    }
    let mut bytes = 0;
    let spans = match known(database, &mut aside, session, &mut bytes) {
        Ok(spans) => Some(spans),
        Err(Fault::Log(file, source)) => return Err(failed(&directory.join(file), source)),
        // The log is the source of truth and can be read without the index.
        Err(Fault::Store) => None,
    };
    for Aside { name, file } in &mut aside {
        let whole = [Span { file: name.clone(), begins: 0, ends: u64::MAX }];
        let spans =
            spans.as_ref().map_or(whole.as_slice(), |spans| spans.get(name.as_str()).map_or(&[], Vec::as_slice));
        for span in spans {
            bytes += lines(file, span, &mut wanted).map_err(|source| failed(&directory.join(&*name), source))?;
        }
    }
    if let Some(mut file) = current {
        let whole = Span { file: CURRENT.to_owned(), begins: 0, ends: u64::MAX };
        bytes += lines(&mut file, &whole, &mut wanted).map_err(|source| failed(&directory.join(CURRENT), source))?;
    }
    Ok(bytes)
}

/// A rotated file.
struct Aside {
    name: String,
    file: File,
}

enum Fault {
    Log(String, std::io::Error),
    Store,
}

impl From<StoreError> for Fault {
    fn from(_: StoreError) -> Self {
        Self::Store
    }
}

/// The positions of the lines by file, each part once. New files are read and indexed.
fn known(
    database: &Database,
    aside: &mut [Aside],
    session: &str,
    bytes: &mut u64,
) -> Result<HashMap<String, Vec<Span>>, Fault> {
    if aside.is_empty() {
        return Ok(HashMap::new());
    }
    let mut before: HashMap<String, String> = database.audit_files()?.into_iter().collect();
    for Aside { name, file } in aside {
        let metadata = file.metadata().map_err(|source| Fault::Log(name.clone(), source))?;
        let stamp = stamp(&metadata);
        if before.remove(name.as_str()).as_ref() != Some(&stamp) {
            let (found, read) = sessions(file).map_err(|source| Fault::Log(name.clone(), source))?;
            *bytes += read;
            database.keep_audit_file((name, &stamp), &found)?;
        }
    }
    for gone in before.keys() {
        database.forget_audit_file(gone)?;
    }
    let mut spans: HashMap<String, Vec<Span>> = HashMap::new();
    for span in database.audit_spans(session)? {
        let of_file = spans.entry(span.file.clone()).or_default();
        match of_file.last_mut() {
            // Lines of several sessions are interleaved.
            Some(last) if span.begins <= last.ends => last.ends = last.ends.max(span.ends),
            _ => of_file.push(span),
        }
    }
    Ok(spans)
}

/// Detects whether a file was changed since.
fn stamp(file: &Metadata) -> String {
    format!("{} {} {}.{:09}", file.ino(), file.size(), file.mtime(), file.mtime_nsec())
}

/// The session of a line.
#[derive(Deserialize)]
struct Whose<'a> {
    #[serde(borrow)]
    session: Option<Cow<'a, str>>,
}

/// A session, and the first and last byte of its lines.
type Lines = (String, u64, u64);

/// The positions of each session's lines in this file, and how many bytes were read for it.
fn sessions(file: &mut File) -> std::io::Result<(Vec<Lines>, u64)> {
    let mut found: HashMap<String, (u64, u64)> = HashMap::new();
    let mut at = 0;
    file.rewind()?;
    entry::lines_of(BufReader::new(file), |line| {
        let begins = at;
        at += u64::try_from(line.len()).unwrap_or_default();
        let whose = serde_json::from_slice::<Whose<'_>>(line).ok().and_then(|whose| whose.session);
        let Some(session) = whose else { return };
        match found.get_mut(&*session) {
            Some(span) => span.1 = at,
            None => {
                found.insert(session.into_owned(), (begins, at));
            }
        }
    })?;
    let mut spans: Vec<_> = found.into_iter().map(|(session, (begins, ends))| (session, begins, ends)).collect();
    spans.sort();
    Ok((spans, at))
}

/// The lines of a part of a file. Returns its bytes.
fn lines(file: &mut File, span: &Span, wanted: &mut impl FnMut(&str)) -> std::io::Result<u64> {
    file.seek(SeekFrom::Start(span.begins))?;
    let mut bytes = 0;
    let part = BufReader::new(file.take(span.ends - span.begins));
    entry::lines_of(part, |line| {
        bytes += u64::try_from(line.len()).unwrap_or_default();
        wanted(String::from_utf8_lossy(line).trim_end_matches('\n'));
    })?;
    Ok(bytes)
}
