//! Maps tool names to names that every wire format allows, and back.
//!
//! A name of 1 to 64 characters of `[A-Za-z0-9_-]` is never changed. In any other, `_` replaces invalid characters, and
//! colliding names get a hash of the original, so that no two tools ever share a name on the wire.

use crate::request::ToolOffer;
use palanca_core::registry::{MAX_NAME, is_valid_name};
use std::borrow::Cow;

/// The names of one request.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    offered: &'a [ToolOffer],
    /// Only changed names: the original and its name on the wire.
    changed: Vec<(&'a str, String)>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(offered: &'a [ToolOffer]) -> Self {
        let mut names = Self { offered, changed: Vec::new() };
        for tool in offered {
            if !is_valid_name(tool.name()) {
                let wire = names.free_name(tool.name());
                names.changed.push((tool.name(), wire));
            }
        }
        names
    }

    fn free_name(&self, original: &str) -> String {
        let plain = mangle(original);
        if !self.taken(&plain) {
            return plain;
        }
        (0_u32..).map(|salt| with_hash(&plain, original, salt)).find(|name| !self.taken(name)).unwrap_or(plain)
    }

    fn taken(&self, wire: &str) -> bool {
        self.offered.iter().any(|tool| tool.name() == wire) || self.changed.iter().any(|(_, name)| name == wire)
    }

    /// The wire name of this tool, offered now or only in the past.
    pub(crate) fn wire<'b>(&'b self, original: &'b str) -> Cow<'b, str> {
        if is_valid_name(original) {
            return Cow::Borrowed(original);
        }
        self.changed
            .iter()
            .find(|(name, _)| *name == original)
            .map_or_else(|| Cow::Owned(mangle(original)), |(_, wire)| Cow::Borrowed(wire.as_str()))
    }

    /// The tool with this wire name; an unknown name is returned unchanged, for the gate to refuse.
    pub(crate) fn original<'b>(&'b self, wire: &'b str) -> &'b str {
        self.changed.iter().find(|(_, name)| name == wire).map_or(wire, |(original, _)| original)
    }

    /// The offered tool for a name in free text: in either form, and as numbered by models (`functions.NAME:0`).
    pub(crate) fn meant(&self, name: &str) -> Option<&'a ToolOffer> {
        let exactly = |name: &str| {
            let original = self.original(name);
            self.offered.iter().find(|tool| tool.name() == name || tool.name() == original)
        };
        exactly(name).or_else(|| {
            let bare = name.strip_prefix("functions.").unwrap_or(name);
            let stem = bare.rsplit_once(':').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
            exactly(stem.map_or(bare, |(stem, _)| stem))
        })
    }

    /// Whether there is any.
    pub(crate) const fn is_empty(&self) -> bool {
        self.offered.is_empty()
    }
}

fn mangle(original: &str) -> String {
    let name: String = original
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' })
        .take(MAX_NAME)
        .collect();
    if name.is_empty() { "tool".to_owned() } else { name }
}

/// FNV-1a: eight digits are enough, because a collision only raises the salt.
fn with_hash(plain: &str, original: &str, salt: u32) -> String {
    let hash = original
        .bytes()
        .chain(salt.to_le_bytes())
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let kept: String = plain.chars().take(MAX_NAME - 9).collect();
    format!("{kept}_{hash:08x}")
}

#[cfg(test)]
mod tests;
