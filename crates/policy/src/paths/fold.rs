//! Names as the most forgiving file system would see them, and the peeling of backup and archive suffixes. It knows
//! nothing about which names matter. Names in small letters, nearly all of them, are folded without an allocation.

use std::borrow::Cow;

/// Suffixes that tools and people put on copies; what is copied decides.
const COPY_SUFFIXES: [&str; 19] = [
    "~",
    ".bak",
    ".backup",
    ".bkp",
    ".old",
    ".orig",
    ".save",
    ".saved",
    ".tmp",
    ".temp",
    ".copy",
    " copy",
    ".disabled",
    ".gz",
    ".bz2",
    ".xz",
    ".zst",
    ".zip",
    ".7z",
];

/// Swap files of editors: the leading dot was added too.
const SWAP_SUFFIXES: [&str; 3] = [".swp", ".swo", ".swn"];

/// The components of a relative path, without `.` and empty ones. `..` is passed on as a name that no rule knows.
pub(super) fn components(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| std::path::is_separator(char::from(*byte))).filter(|part| !part.is_empty() && *part != b".")
}

/// Folds one component: alternate stream cut (`name:stream`), trailing dots and white space dropped, case folded,
/// characters that some file systems ignore removed.
pub(super) fn fold(name: &[u8]) -> Cow<'_, [u8]> {
    let mut name = name;
    if let Some(colon) = name.iter().position(|byte| *byte == b':')
        && colon > 0
    {
        name = name.get(..colon).unwrap_or(name);
    }
    while let [rest @ .., last] = name
        && (*last == b'.' || last.is_ascii_whitespace())
    {
        name = rest;
    }
    if !name.is_ascii()
        && let Ok(text) = std::str::from_utf8(name)
    {
        return Cow::Owned(fold_unicode(text).into_bytes());
    }
    if name.iter().any(u8::is_ascii_uppercase) { Cow::Owned(name.to_ascii_lowercase()) } else { Cow::Borrowed(name) }
}

/// A whole relative path, folded component by component, with `/` between them.
pub(crate) fn path(path: &[u8]) -> String {
    let mut whole = String::with_capacity(path.len());
    for part in components(path) {
        if !whole.is_empty() {
            whole.push('/');
        }
        whole.push_str(&String::from_utf8_lossy(&fold(part)));
    }
    whole
}

/// One folded name.
pub(crate) fn name(name: &std::ffi::OsStr) -> String {
    String::from_utf8_lossy(&fold(name.as_encoded_bytes())).into_owned()
}

/// A pattern, folded as names are, with nothing cut off: a dot at its end may mean something.
pub(crate) fn text(pattern: &str) -> String {
    if pattern.is_ascii() { pattern.to_ascii_lowercase() } else { fold_unicode(pattern) }
}

fn fold_unicode(text: &str) -> String {
    text.chars()
        .filter(|character| !ignored_by_some_file_system(*character))
        .flat_map(|character| match character {
            // Case-insensitive file systems fold these two onto ASCII letters; `to_lowercase` only knows the Kelvin sign.
            '\u{17F}' => 's'.to_lowercase(),
            other => other.to_lowercase(),
        })
        .collect()
}

/// HFS+ drops these when it compares names (the list git checks too), plus the zero-width space and the soft hyphen.
fn ignored_by_some_file_system(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
        | '\u{206A}'..='\u{206F}' | '\u{FEFF}')
}

/// Peels copy decorations off a folded name: `.env.bak~` gives `.env`, `#id_rsa#` gives `id_rsa`. The second value is
/// the same name without the dot that an editor's swap file puts in front, when there was a swap suffix.
pub(super) fn peel(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut current = name;
    let mut undotted = None;
    if let [b'#', inner @ .., b'#'] = current {
        current = inner;
    } else if let [b'.', b'#', inner @ ..] = current {
        current = inner;
    }
    loop {
        if let Some(shorter) = strip_any(current, &COPY_SUFFIXES).or_else(|| strip_number(current)) {
            current = shorter;
        } else if let Some(shorter) = strip_any(current, &SWAP_SUFFIXES) {
            current = shorter;
            undotted = Some(());
        } else {
            let undotted = undotted.and_then(|()| current.strip_prefix(b"."));
            return (current, undotted.filter(|name| !name.is_empty()));
        }
    }
}

fn strip_any<'n>(name: &'n [u8], suffixes: &[&str]) -> Option<&'n [u8]> {
    // One byte decides for nearly every name; the comparison of slices is a call.
    let mut near = suffixes.iter().map(|suffix| suffix.as_bytes()).filter(|suffix| suffix.last() == name.last());
    near.find_map(|suffix| name.strip_suffix(suffix)).filter(|rest| !rest.is_empty())
}

/// `name.3` (rotated) and `name.~3` (a numbered backup whose last `~` is already gone).
fn strip_number(name: &[u8]) -> Option<&[u8]> {
    let mut rest = name;
    while let [shorter @ .., b'0'..=b'9'] = rest {
        rest = shorter;
    }
    if rest.len() == name.len() {
        return None;
    }
    let rest = rest.strip_suffix(b"~").unwrap_or(rest);
    rest.strip_suffix(b".").filter(|rest| !rest.is_empty())
}

/// The part after the last dot, and what is before it. `.pem` has the extension `pem` and an empty stem.
pub(super) fn split_extension(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(dot) => (name.get(..dot).unwrap_or_default(), Some(name.get(dot + 1..).unwrap_or_default())),
        None => (name, None),
    }
}
