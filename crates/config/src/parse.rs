//! Text into nodes. The format follows from the file's name; all three refuse duplicate keys and report a line.

mod json;
mod toml;
mod yaml;

use crate::node::{Kind, Node};

/// A file whose content does not match its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub line: u32,
    pub message: String,
}

/// Larger files are not configurations, and parsing them takes noticeable time.
const MAX_BYTES: usize = 1 << 20;

/// Parses a file whose path ends in `.yaml`, `.yml`, `.toml`, `.json` or `.jsonc`. An empty file is an empty map.
pub(crate) fn parse(path: &str, text: &str) -> Result<Node, SyntaxError> {
    let whole_file = |message: String| SyntaxError { line: 0, message };
    if text.len() > MAX_BYTES {
        return Err(whole_file(format!(
            "is larger than {MAX_BYTES} bytes; a configuration is a few kilobytes, so this is probably another file"
        )));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let node = match extension.as_deref() {
        Some("yaml" | "yml") => yaml::parse(text)?,
        Some("toml") => toml::parse(text)?,
        Some("json" | "jsonc") => json::parse(text)?,
        _ => {
            return Err(whole_file("is in no known format; name it .yaml, .toml or .json".to_owned()));
        }
    };
    match node.kind {
        Kind::Map(_) => Ok(node),
        // A file of bots alone may be their list.
        Kind::List(_) if is_of_bots(path) => Ok(node.under(&["bots"])),
        Kind::Null => Ok(Node::new(0, Kind::Map(Vec::new()))),
        _ => Err(SyntaxError {
            line: node.line,
            message: format!("holds {} where sections such as `workspace:` are expected", node.kind_name()),
        }),
    }
}

/// Whether it is a file of bots alone, by its name.
pub(crate) fn is_of_bots(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some("bots.json")
}

/// A map with two values for one key; the line is that of the second.
fn twice(line: u32, key: &str) -> SyntaxError {
    SyntaxError { line, message: format!("the key \"{key}\" is here a second time; keep one of the two") }
}

/// 1-based line of a byte offset.
fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let breaks = before.iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
