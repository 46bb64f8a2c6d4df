//! Verifies the log: every hash, every link, every number, and that nothing is missing at its beginning or end.
//!
//! It cannot detect a log that was rewritten together with its head: anyone who can write both can compute every hash.

use super::entry::{Kind, Line, Raw, raw};
use super::head::{Head, peek};
use super::line::{Hash, hash_after, hash_of};
use super::orphans::Open;
use super::{AuditError, AuditSettings};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Number of problems that are listed; further ones are only counted.
const NAMED: usize = 100;

/// A problem: something differs from what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line in it, from 1; zero for the file as a whole.
    pub line: u64,
    /// What is wrong: `changed`, `unreadable`, `out_of_chain`, `cut_off`, `begins_late`, `no_head`.
    pub what: &'static str,
}

/// The result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Files read.
    pub files: usize,
    /// Lines read.
    pub lines: u64,
    /// Lines known to be incomplete: a full disk, a power failure.
    pub torn: u64,
    /// Interrupted runs that were closed in the log afterwards.
    pub interrupted: u64,
    /// Runs of dead processes that the next writer will end.
    pub orphans: u64,
    /// Runs in progress.
    pub running: u64,
    /// The first hundred problems.
    pub problems: Vec<Problem>,
    /// How many there are.
    pub problem_count: u64,
}

impl Verified {
    /// Whether the log is intact.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.problem_count == 0
    }

    fn problem(&mut self, raw: &Raw, what: &'static str) {
        self.named(&raw.file, raw.number, what);
    }

    fn named(&mut self, file: &Path, line: u64, what: &'static str) {
        self.problem_count += 1;
        if self.problems.len() < NAMED {
            self.problems.push(Problem { file: file.display().to_string(), line, what });
        }
    }
}

/// The state of the chain while it is read.
struct Chain {
    seq: u64,
    hash: Hash,
    /// An unreadable line is accepted if the next one records it.
    unread: Option<Raw>,
}

/// The first line of all, behind a file that is missing: accepted if a later one says that it was removed.
struct Late {
    missing: String,
    file: PathBuf,
    number: u64,
}

/// Reads the whole log, whose oldest files may be missing only if the settings limit their number or the log says that they were
/// removed.
///
/// # Errors
/// A file that cannot be read at all.
pub fn verify(directory: &Path, settings: AuditSettings) -> Result<Verified, AuditError> {
    // Read first: lines written meanwhile lie beyond it.
    let head = peek(directory);
    let mut found = Verified::default();
    let mut chain: Option<Chain> = None;
    let mut late: Option<Late> = None;
    let mut open = Open::new();
    let mut passed_head = head.as_ref().is_none_or(|head| head.seq == 0);
    let files = raw(directory, |raw| {
        found.lines += 1;
        if let Some(line) = follow(&mut found, &mut chain, &mut late, raw, settings) {
            line.each(|entry| open.see(&entry));
        }
        passed_head |= chain.as_ref().is_some_and(|chain| is_head(head.as_ref(), chain));
    })?;
    found.files = files;
    if let Some(Late { file, number, .. }) = late {
        found.problem_count += 1;
        found.problems.insert(0, Problem { file: file.display().to_string(), line: number, what: "begins_late" });
        found.problems.truncate(NAMED);
    }
    if let Some(unread) = chain.as_mut().and_then(|chain| chain.unread.take()) {
        // The very last line: its writer has died or is not finished.
        if unread.whole {
            found.problem(&unread, "unreadable");
        } else {
            found.torn += 1;
        }
    }
    // Checked again: the very first writer may have started meanwhile, and it writes the head before its lines.
    if found.lines > 0 && head.is_none() && peek(directory).is_none() {
        found.named(&directory.join(super::CURRENT), 0, "no_head");
    }
    if !passed_head {
        found.named(&directory.join(super::CURRENT), 0, "cut_off");
    }
    (found.orphans, found.running) = open.count();
    Ok(found)
}

fn is_head(head: Option<&Head>, chain: &Chain) -> bool {
    head.is_some_and(|head| head.seq == chain.seq && head.hash == chain.hash)
}

/// Compares one line with the one before it.
fn follow(
    found: &mut Verified,
    chain: &mut Option<Chain>,
    late: &mut Option<Late>,
    raw: Raw,
    settings: AuditSettings,
) -> Option<Line> {
    let (Some(line), Some((hash, rest))) = (Line::read(&raw.line), hash_of(&raw.line)) else {
        let chain = chain.get_or_insert_with(|| Chain { seq: 0, hash: Hash::GENESIS, unread: None });
        if let Some(before) = chain.unread.replace(raw) {
            found.problem(&before, "unreadable");
        }
        return None;
    };
    if let Some(before) = chain.as_mut().and_then(|chain| chain.unread.take()) {
        if line.kind == Some(Kind::Torn) { found.torn += 1 } else { found.problem(&before, "unreadable") }
    }
    let (seq, expected) = chain.as_ref().map_or((1, Hash::GENESIS), |chain| (chain.seq + 1, chain.hash));
    // The first line of a file repeats the hash before it, which may be in a file that is gone.
    let after = line.text("after").and_then(Hash::parse);
    let before = after.unwrap_or(expected);
    let (is_unchanged, is_linked) = match &line.prev {
        // As earlier versions wrote it: the hash before it is one of the fields that its own covers.
        Some(prev) => (Hash::of(rest.as_bytes()) == hash, prev == expected.as_str() && line.seq == seq),
        None => {
            let is_linked = before == expected && line.seq == seq;
            // In another place, the hash before it is not known.
            (hash_after(before, rest) == hash || !is_linked && after.is_none(), is_linked)
        }
    };
    if !is_unchanged {
        found.problem(&raw, "changed");
    }
    let is_rotated = line.kind == Some(Kind::Rotated);
    let is_pruned = is_rotated && settings.files > 0;
    let is_alone = is_rotated && !is_pruned && !has_file_before(&line, &raw);
    match chain {
        None if is_alone => {
            let missing = line.text("file").unwrap_or_default().to_owned();
            *late = Some(Late { missing, file: raw.file.clone(), number: raw.number });
        }
        None if !is_linked && !is_pruned => found.problem(&raw, "begins_late"),
        Some(_) if !is_linked => found.problem(&raw, "out_of_chain"),
        _ if is_alone => found.problem(&raw, "begins_late"),
        _ => {}
    }
    if line.kind == Some(Kind::Removed) {
        *late = late.take().filter(|late| Some(&*late.missing) > line.text("file"));
    }
    if line.kind == Some(Kind::HeadLost) {
        found.problem(&raw, "no_head");
    }
    found.interrupted += u64::from(line.kind == Some(Kind::Interrupted));
    *chain = Some(Chain { seq: line.seq, hash, unread: None });
    Some(line)
}

/// Whether the rotated file that a line names exists.
fn has_file_before(line: &Line, raw: &Raw) -> bool {
    let named = line.text("file").map(Path::new);
    named.is_some_and(|name| name.file_name() == Some(name.as_os_str()) && raw.file.with_file_name(name).is_file())
}
