//! A bot's notes as the index knows them: brought up to date file by file where something changed.

use super::refresh::{Gone, Refresh};
use crate::files::TextForm;
use palanca_core::ToolCx;
use palanca_core::call::{CanonicalPath, Digest};
use palanca_core::ports::{
    EntryContent, EntryKind, FileError, FilesHandle, Flow, IndexedSource, NewPassage, NewSource, Visit, WalkOptions,
};
use palanca_memory::passages;
use parking_lot::Mutex;
use std::io::Read as _;
use std::time::SystemTime;

/// Bytes of a file that is searched.
const LARGEST: u64 = 8 << 20;
/// What the names of their sources are, or begin with.
const LONG_TERM: &str = "MEMORY.md";
const LOGS: &str = "memory/";
/// Folders below `memory` in which notes lie.
const DEPTH: usize = 3;

/// What a bot has noted.
pub(super) struct Notes<'a> {
    pub(super) cx: &'a ToolCx,
    pub(super) dir: &'a str,
    pub(super) folder: &'a CanonicalPath,
}

impl Notes<'_> {
    /// Takes up what is new; what could not be read is named.
    pub(super) fn refresh(&self, refresh: &mut Refresh<'_>) {
        [LONG_TERM, LOGS].iter().for_each(|beginning| refresh.look_at(beginning));
        if let Some(content) = self.long_term(self.cx.files()) {
            take_up(refresh, LONG_TERM, content, self.cx.clock().now());
        }
        let shared = Mutex::new(&mut *refresh);
        let options = WalkOptions { max_depth: DEPTH, ignore_files: Visit::Show, hidden: Visit::Hide };
        let walked = self.cx.files().walk(self.folder, options, &|entry| {
            let is_note = entry.kind == EntryKind::File && entry.path.extension().is_some_and(|kind| kind == "md");
            let within = entry.path.strip_prefix(self.folder.relative()).unwrap_or(entry.path);
            if is_note && let Some(path) = within.to_str() {
                take_up(&mut shared.lock(), &format!("{LOGS}{path}"), entry.open(), self.cx.clock().now());
            }
            let ends = self.cx.cancel().is_cancelled() || shared.lock().has_failed();
            if ends { Flow::Stop } else { Flow::Continue }
        });
        // Without the folder there are no notes; unread, they are not gone.
        let is_whole = !self.cx.cancel().is_cancelled() && walked.is_ok_and(|end| end.unreadable.is_empty());
        refresh.forget(if is_whole || !self.is_there() { Gone::Unseen } else { Gone::Nothing });
    }

    fn is_there(&self) -> bool {
        self.cx.files().info(self.folder).is_ok()
    }

    /// `MEMORY.md` beside the folder, unless it is a link.
    fn long_term(&self, files: &FilesHandle) -> Option<Result<EntryContent, FileError>> {
        let path = files.locate(&format!("{}/{LONG_TERM}", self.dir)).ok()?;
        if path != files.locate(self.dir).ok()?.join(LONG_TERM) || files.info(&path).is_err() {
            return None;
        }
        Some(files.open(&path).map(|open| EntryContent { info: open.info, content: open.content }))
    }
}

fn take_up(refresh: &mut Refresh<'_>, name: &str, opened: Result<EntryContent, FileError>, now: SystemTime) {
    let before = refresh.known(name);
    match opened.map_err(drop).and_then(|content| read(refresh, name, before.as_ref(), content, now)) {
        Ok(new) => refresh.add(new),
        // What may not be read now is not found either.
        Err(()) => refresh.leave_out(name, before.as_ref()),
    }
}

/// What is new of a file; nothing where nothing is.
fn read(
    refresh: &mut Refresh<'_>,
    name: &str,
    before: Option<&IndexedSource>,
    content: EntryContent,
    now: SystemTime,
) -> Result<Option<NewSource>, ()> {
    let info = content.info;
    let stamp = info.modified.filter(|_| info.is_settled(now)).map(|at| (at, info.size));
    if stamp.is_some() && before.is_some_and(|before| before.stamp == stamp) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = content.content.take(LARGEST + 1).read_to_end(&mut bytes).map_err(drop)?;
    if read as u64 > LARGEST {
        return Err(());
    }
    let hash = Digest::of_bytes(&bytes);
    let source = IndexedSource { name: name.to_owned(), hash, stamp, overheard: false };
    if before.is_some_and(|before| before.hash == hash) {
        return Ok(Some(NewSource { source, passages: None }));
    }
    let (text, _) = TextForm::decode(&bytes).ok_or(())?;
    let passages = passages(&text).into_iter().map(|passage| {
        let (stems, words) = refresh.stems.of(&passage.text);
        let (first, last, text) = (passage.first, passage.last, passage.text);
        NewPassage { first, last, text, stems, words, at_ms: None, foreign: false }
    });
    Ok(Some(NewSource { source, passages: Some(passages.collect()) }))
}
