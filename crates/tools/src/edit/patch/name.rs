//! File names in patch headers: quoting, time stamps, and the prefixes that diff tools put before a path.
//!
//! It refuses to guess between two files. The surprising decision: `a/` and `b/` are only prefixes as a pair (or beside
//! `/dev/null`), so a real folder called `a` survives.

use super::error::PatchErrorKind;

/// Prefix pairs that git writes: plain, and `diff.mnemonicPrefix` in both directions.
const PREFIXES: [(&str, &str); 10] = [
    ("a/", "b/"),
    ("b/", "a/"),
    ("i/", "w/"),
    ("w/", "i/"),
    ("c/", "i/"),
    ("i/", "c/"),
    ("c/", "w/"),
    ("w/", "c/"),
    ("1/", "2/"),
    ("2/", "1/"),
];

/// Reads the name at the start of what follows `--- `, `+++ `, `rename from ` and the like.
pub(super) fn read(rest: &str) -> Result<String, PatchErrorKind> {
    if rest.starts_with('"') {
        return unquote(rest).map(|(name, _)| name);
    }
    let name = match rest.split_once('\t') {
        Some((name, _)) => name,
        None => without_timestamp(rest.trim_end()),
    };
    accept(name.to_owned(), rest)
}

/// Reads a git-quoted name and returns what follows the closing quote.
fn unquote(rest: &str) -> Result<(String, &str), PatchErrorKind> {
    let bad = || PatchErrorKind::Name(rest.to_owned());
    let mut bytes = Vec::new();
    let mut at = rest.strip_prefix('"').ok_or_else(bad)?.char_indices();
    while let Some((index, c)) = at.next() {
        match c {
            '"' => {
                let after = rest.get(index + 2..).unwrap_or("");
                let name = String::from_utf8(bytes).map_err(|_| bad())?;
                return Ok((accept(name, rest)?, after));
            }
            '\\' => {
                let (_, escaped) = at.next().ok_or_else(bad)?;
                bytes.push(match escaped {
                    'a' => 7,
                    'b' => 8,
                    't' => b'\t',
                    'n' => b'\n',
                    'v' => 11,
                    'f' => 12,
                    'r' => b'\r',
                    '"' => b'"',
                    '\\' => b'\\',
                    '0'..='3' => {
                        let mut value = escaped.to_digit(8).ok_or_else(bad)?;
                        for _ in 0..2 {
                            let (_, digit) = at.next().ok_or_else(bad)?;
                            value = value * 8 + digit.to_digit(8).ok_or_else(bad)?;
                        }
                        u8::try_from(value).map_err(|_| bad())?
                    }
                    _ => return Err(bad()),
                });
            }
            c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(bad())
}

fn accept(name: String, raw: &str) -> Result<String, PatchErrorKind> {
    if name.is_empty() || name.contains('\0') {
        return Err(PatchErrorKind::Name(raw.to_owned()));
    }
    Ok(name)
}

/// Cuts ` 2024-01-31 10:20:30[.fraction][ +0100]` off, for patches whose tab became a space.
fn without_timestamp(name: &str) -> &str {
    let mut rest = name;
    if let Some((head, zone)) = rest.rsplit_once(' ')
        && zone.len() == 5
        && zone.starts_with(['+', '-'])
    {
        rest = head.trim_end();
    }
    let Some((head, time)) = rest.rsplit_once(' ') else { return name };
    let Some((head, date)) = head.trim_end().rsplit_once(' ') else { return name };
    let clock = time.split_once('.').map_or(time, |(clock, _)| clock);
    if like(clock, "00:00:00") && like(date, "0000-00-00") && !head.trim_end().is_empty() {
        head.trim_end()
    } else {
        name
    }
}

/// Whether `text` is `shape` with any digit for each `0`.
fn like(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(|(c, s)| if s == b'0' { c.is_ascii_digit() } else { c == s })
}

/// Whether the header says that there is no file on this side.
pub(super) fn is_absent(name: &str) -> bool {
    name == "/dev/null"
}

/// The one path that a pair of header names stands for.
pub(super) fn agree(old: &str, new: &str) -> Result<String, PatchErrorKind> {
    for (a, b) in PREFIXES {
        if let (Some(left), Some(right)) = (old.strip_prefix(a), new.strip_prefix(b))
            && left == right
        {
            return Ok(tidy(left));
        }
    }
    if old == new {
        return Ok(tidy(new));
    }
    let (left, right) = (alone(old), alone(new));
    if left == right {
        return Ok(tidy(right));
    }
    let backup = [".orig", "~", ".bak", ".old"].iter().any(|end| left.strip_suffix(end) == Some(right));
    if backup {
        return Ok(tidy(right));
    }
    match (old.split_once('/'), new.split_once('/')) {
        // `diff -r proj-1.0 proj`: what GNU patch calls -p1.
        (Some((first, x)), Some((second, y))) if x == y && plain(first) && plain(second) && !x.is_empty() => {
            Ok(tidy(x))
        }
        _ => Err(PatchErrorKind::TwoNames(tidy(left), tidy(right))),
    }
}

fn plain(component: &str) -> bool {
    !matches!(component, "" | "." | "..")
}

/// A name whose partner is `/dev/null`, or that stands alone.
pub(super) fn alone(name: &str) -> &str {
    name.strip_prefix("b/").or_else(|| name.strip_prefix("a/")).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Drops `./` and doubled slashes, so that one file has one name within a patch. `..` stays for the workspace to judge.
pub(super) fn tidy(path: &str) -> String {
    if !path.contains("//") && !path.contains("./") {
        return path.to_owned();
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    let kept: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    format!("{root}{}", kept.join("/"))
}

/// The path of `diff --git a/NAME b/NAME`, when both names are the same; otherwise other lines must name the file.
pub(super) fn from_git_header(rest: &str) -> Option<String> {
    if rest.starts_with('"') {
        let (old, after) = unquote(rest).ok()?;
        let new = read(after.strip_prefix(' ')?).ok()?;
        return same(&old, &new);
    }
    if let Some((old, new)) = rest.split_once(" \"") {
        let (new, _) = unquote(rest.get(rest.len() - new.len() - 1..)?).ok()?;
        return same(old, &new);
    }
    let rest = rest.trim_end();
    let middle = rest.len() / 2;
    if rest.as_bytes().get(middle) != Some(&b' ') {
        return None;
    }
    same(rest.get(..middle)?, rest.get(middle + 1..)?)
}

fn same(old: &str, new: &str) -> Option<String> {
    let pair = PREFIXES.iter().find_map(|(a, b)| {
        let (left, right) = (old.strip_prefix(a)?, new.strip_prefix(b)?);
        (left == right && !left.is_empty()).then(|| tidy(left))
    });
    pair.or_else(|| (old == new && !old.is_empty()).then(|| tidy(old)))
}

#[cfg(test)]
mod tests;
