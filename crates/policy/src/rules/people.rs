//! The people that a rule is about: channels, and who is reached over them; other servers and their tools; the targets of acts.
//!
//! What allows must be sure: a channel and a recipient, or a server and a tool, are those that are written, letter by letter. What refuses may guess:
//! in any letter case, and whatever stands between letters and digits, since `+34 600` is `34600` and `@Ana` is `ana`.

use super::row::{Row, Says};
use palanca_core::call::{Act, Outgoing};

/// What a rule says of people.
#[derive(Clone, Debug, Default)]
pub(super) struct People {
    channels: Vec<String>,
    /// Empty: everyone.
    to: Vec<String>,
}

impl People {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, (Option<String>, String)> {
        let wrong = |near: &str, words: &str| Err((Some(near.to_owned()), words.to_owned()));
        if row.channels.is_empty() {
            return wrong("channels", "\"channels\" is missing: name them, [\"ops\"]; [\"*\"] refuses or asks for all");
        }
        for name in row.channels.iter().chain(&row.to) {
            if name.trim().is_empty() {
                return wrong(name, "an empty name in 'channels' or 'to' is nobody; leave it out");
            }
            if row.decision == Says::Allow && name == "*" {
                return wrong(name, "\"*\" would allow everybody; name the channels, and leave 'to' out for all there");
            }
        }
        Ok(Self { channels: row.channels.clone(), to: row.to.clone() })
    }

    /// Whether it surely is about this message.
    pub(super) fn cover(&self, message: &Outgoing) -> bool {
        self.channels.iter().any(|own| own == message.channel.as_str())
            && (self.to.is_empty() || self.to.iter().any(|own| own == message.to.as_str()))
    }

    /// Whether it could be about this message.
    pub(super) fn touch(&self, message: &Outgoing) -> bool {
        self.channels.iter().any(|own| is_like(own, message.channel.as_str()))
            && (self.to.is_empty() || self.to.iter().any(|own| is_like(own, message.to.as_str())))
    }
}

/// What a rule says of the targets of acts.
#[derive(Clone, Debug)]
pub(super) struct Targets(Vec<String>);

impl Targets {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, (Option<String>, String)> {
        let wrong = |near: &str, words: &str| Err((Some(near.to_owned()), words.to_owned()));
        if row.to.is_empty() {
            return wrong("to", "\"to\" is missing: name the targets, [\"ana\"]; [\"*\"] refuses or asks for all");
        }
        for name in &row.to {
            if name.trim().is_empty() || name.trim_end_matches("/*").contains('*') && name != "*" {
                return wrong(name, "a target in 'to' is a whole name, or ends with \"/*\" for all below it");
            }
            if row.decision == Says::Allow && name == "*" {
                return wrong(name, "\"*\" would allow everything of this kind; name the targets");
            }
        }
        Ok(Self(row.to.clone()))
    }

    /// Whether it surely is about this act.
    pub(super) fn cover(&self, act: &Act) -> bool {
        self.0.iter().any(|own| match own.strip_suffix("/*") {
            Some(party) => act.party() == party && act.target != party,
            None => *own == act.target,
        })
    }

    /// Whether it could be about this act.
    pub(super) fn touch(&self, act: &Act) -> bool {
        self.0
            .iter()
            .any(|own| is_like(own.strip_suffix("/*").unwrap_or(own), act.party()) || is_like(own, &act.target))
    }
}

/// What a rule says of the tools of other servers.
#[derive(Clone, Debug)]
pub(super) struct Servers {
    names: Vec<String>,
    /// With `*` for any characters. Empty: all of them.
    tools: Vec<String>,
}

impl Servers {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, (Option<String>, String)> {
        let wrong = |near: &str, words: &str| Err((Some(near.to_owned()), words.to_owned()));
        if row.servers.is_empty() {
            return wrong(
                "servers",
                "\"servers\" is missing: name them, [\"github\"]; [\"*\"] refuses or asks for all",
            );
        }
        for name in &row.servers {
            if name.trim().is_empty() || name.contains(['*', '/']) && name != "*" {
                return wrong(name, "'servers' are whole names, as in the configuration; patterns are for 'tools'");
            }
            if row.decision == Says::Allow && name == "*" {
                return wrong(name, "\"*\" would allow every server; name the servers");
            }
        }
        match row.tools.iter().find(|name| name.trim().is_empty()) {
            Some(name) => wrong(name, "an empty name in 'tools' is no tool; leave 'tools' out for all of them"),
            None => Ok(Self { names: row.servers.clone(), tools: row.tools.clone() }),
        }
    }

    /// Whether it surely is about this call.
    pub(super) fn cover(&self, act: &Act) -> bool {
        let Some((server, tool)) = act.target.split_once('/') else { return false };
        self.names.iter().any(|own| own == server) && self.has(|own| fits(own, tool))
    }

    /// Whether it could be about this call.
    pub(super) fn touch(&self, act: &Act) -> bool {
        let (server, tool) = act.target.split_once('/').unwrap_or((&act.target, ""));
        let like = |own: &str| fits(&own.split('*').map(folded).collect::<Vec<_>>().join("*"), &folded(tool));
        self.names.iter().any(|own| is_like(own, server)) && self.has(like)
    }

    fn has(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.tools.is_empty() || self.tools.iter().any(|own| fits(own))
    }
}

/// Whether a text is what the pattern says, in which `*` is any characters.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

fn is_like(own: &str, other: &str) -> bool {
    own == "*" || folded(own) == folded(other)
}

/// In lower case, without what stands between letters and digits.
fn folded(text: &str) -> String {
    let letters: String = text.chars().filter(|one| one.is_alphanumeric()).collect();
    if letters.is_empty() { text.trim().to_lowercase() } else { letters.to_lowercase() }
}
