//! `search_code` of the contracts toolset: plain text in files, one `{path, snippet}` for each line that has it.
//!
//! The surprising decision: a search without hits is widened before it gives up, because the document's own example does
//! so. `*.ts` then also means `*.tsx` (and `*.js` `*.jsx`), and last of all a file counts whose path has the
//! text, with its first line as the snippet. A search with hits is never widened. Files that were
//! not searched are listed in notes, because the array has no place for them.

use super::find_text::{FilePattern, Reach, unusable_needle};
use super::report::{ended, left_out, not_searched, unreadable};
use super::{
    Case, ContentQuery, Counts, End, FileHits, Found, Glob, Halt, Kinds, LeftOut, NameQuery, Needle, Role, Syntax,
};
use crate::files::{TextForm, whole_characters, with_help};
use crate::operation::Operation;
use crate::options::ToolOptions;
use palanca_core::call::{CanonicalPath, Claims, Effect};
use palanca_core::ports::{FilesHandle, Visit};
use palanca_core::{Output, ToolCx, ToolError};
use serde_json::{Value, json};
use std::io::Read as _;

/// The argument that includes what ignore files exclude.
const INCLUDES: &str = "includeIgnored";
/// Characters of a snippet.
const LONGEST: usize = 200;
/// Bytes of a file in which its first line is looked for.
const LOOKED_AT: u64 = 8 << 10;
/// Files that a search for paths opens, at most.
const NAMES: usize = 20_000;

pub(crate) struct Matches<'a> {
    pub(crate) query: &'a str,
    pub(crate) files: Option<&'a str>,
    pub(crate) limit: usize,
    pub(crate) ignored: Visit,
    pub(crate) options: &'a ToolOptions,
}

/// What a search found, and what it left out.
struct Seen {
    matches: Vec<Value>,
    counts: Counts,
    left_out: LeftOut,
    unreadable: Vec<String>,
    end: End,
}

impl Operation for Matches<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        self.needle()?;
        self.pattern(self.files).glob()?;
        Ok(Effect::ReadTree(".".to_owned()).into())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let seen = self.widening(cx)?;
        let Seen { matches, counts, end, .. } = seen;
        let data = Value::Array(matches);
        // That there is more than the limit is no news to the caller who set it.
        let halted = (end == End::Halted).then(|| ended(end, 0, self.options.search_time.as_secs())).flatten();
        let found = Output::text(data.to_string()).with_data(data);
        let left_out = left_out((&seen.left_out, end), self.ignored, INCLUDES);
        let notes = not_searched(counts, end).chain(left_out).chain(unreadable(&seen.unreadable)).chain(halted);
        let found = found.with_notes(notes);
        Ok(if end == End::Complete { found } else { found.truncated() })
    }
}

impl<'a> Matches<'a> {
    fn needle(&self) -> Result<Needle, ToolError> {
        Needle::new(self.query, Syntax::Literal, Case::Sensitive).map_err(|error| unusable_needle(&error))
    }

    fn pattern<'p>(&'p self, given: Option<&'p str>) -> FilePattern<'p> {
        FilePattern::choose(given, self.options, None)
    }

    fn reach(&self) -> Reach<'a> {
        let skip = &self.options.skipped_directories;
        Reach { depth: usize::MAX, ignored: self.ignored, skip, dotted: Visit::Show }
    }

    fn widening(&self, cx: &ToolCx) -> Result<Seen, ToolError> {
        let begun = cx.clock().elapsed();
        let halt =
            || cx.cancel().is_cancelled() || cx.clock().elapsed().saturating_sub(begun) > self.options.search_time;
        let start = cx.files().locate(".")?;
        let mut globs = vec![self.pattern(self.files).glob()?];
        if let Some(wider) = self.files.and_then(wider) {
            globs.push(self.pattern(Some(&wider)).glob()?);
        }
        let (mut counts, mut unreadable) = (Counts::default(), Vec::new());
        // Of the last search: a wider one meets what the first did, and more.
        let mut left_out = LeftOut::default();
        for glob in &globs {
            let found = self.in_content(cx, (&start, glob.as_ref()), &halt)?;
            counts += found.counts;
            unreadable = found.unreadable;
            left_out = found.left_out;
            if found.hits > 0 {
                let matches = found.files.iter().flat_map(hits).collect();
                return Ok(Seen { matches, counts, left_out, unreadable, end: found.end });
            }
        }
        for glob in &globs {
            let (matches, end) = self.in_paths(cx, (&start, glob.as_ref()), &halt)?;
            if !matches.is_empty() {
                return Ok(Seen { matches, counts, left_out, unreadable, end });
            }
        }
        let end = if halt() { End::Halted } else { End::Complete };
        Ok(Seen { matches: Vec::new(), counts, left_out, unreadable, end })
    }

    fn in_content(
        &self,
        cx: &ToolCx,
        (start, files): (&CanonicalPath, Option<&Glob>),
        halt: Halt<'_>,
    ) -> Result<Found, ToolError> {
        let needle = self.needle()?;
        let query = ContentQuery {
            needle: &needle,
            files,
            scope: self.reach().scope(),
            context: 0,
            most_hits: self.limit,
            longest_line: LONGEST,
            halt,
        };
        super::search(cx.files(), start, &query).map_err(|error| with_help(cx.files(), start, error))
    }

    fn in_paths(
        &self,
        cx: &ToolCx,
        (start, files): (&CanonicalPath, Option<&Glob>),
        halt: Halt<'_>,
    ) -> Result<(Vec<Value>, End), ToolError> {
        let query = NameQuery {
            glob: files,
            holding: Some(self.query),
            kinds: Kinds::Files,
            scope: self.reach().scope(),
            most: NAMES,
            halt,
        };
        let names = super::find(cx.files(), start, &query)?;
        let mut found = Vec::new();
        for name in names.found {
            if found.len() == self.limit {
                return Ok((found, End::Limit));
            }
            if let Some(snippet) = first_line(cx.files(), &start.join(&name.path)) {
                found.push(json!({"path": name.path, "snippet": snippet}));
            }
        }
        Ok((found, names.end))
    }
}

/// The pattern that also means the files beside those it names.
fn wider(pattern: &str) -> Option<String> {
    [".ts", ".js"].iter().any(|ending| pattern.ends_with(ending)).then(|| format!("{pattern}x"))
}

fn hits(file: &FileHits) -> impl Iterator<Item = Value> {
    let lines = file.lines.iter().filter(|line| line.role == Role::Hit);
    lines.map(|line| {
        let (before, after) = line.cut.marks();
        json!({"path": file.path, "snippet": format!("{before}{}{after}", line.text.trim())})
    })
}

/// The first line of a text file that is not blank; nothing of a file that is closed, no text, or empty.
fn first_line(files: &FilesHandle, path: &CanonicalPath) -> Option<String> {
    let opened = files.open(path).ok()?;
    let mut head = Vec::new();
    opened.content.take(LOOKED_AT).read_to_end(&mut head).ok()?;
    let whole = if head.len() as u64 == LOOKED_AT { whole_characters(&head) } else { &head };
    let (text, _) = TextForm::decode(whole)?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let short: String = line.chars().take(LONGEST).collect();
    Some(if short.len() < line.len() { format!("{short}…") } else { short })
}
