//! `meta.json`: what is said of a made tool beside its source, and the digest of all that a person approves.

use crate::name::check_name;
use crate::parameters::Parameters;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_core::registry::is_valid_name;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Bytes of `meta.json`.
pub const LARGEST_META: usize = 64 << 10;
/// Bytes of a source.
pub const LARGEST_SOURCE: usize = 32 << 10;
/// Characters of a description.
const LONGEST_DESCRIPTION: usize = 1_000;
/// Names in one list of permissions.
const MOST_PERMISSIONS: usize = 16;
/// What changes without another approval.
const UNAPPROVED: [&str; 4] = ["status", "createdAt", "updatedAt", "rejectionNote"];

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A script.
    Typescript,
    /// A command with holes.
    Command,
}

impl Kind {
    /// The name of the source's file.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Typescript => "tool.ts",
            Self::Command => "tool.sh",
        }
    }
}

/// What the manifest says was decided. It approves nothing: approvals are kept where no bot writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing yet.
    Pending,
    /// A person said yes.
    Approved,
    /// A person said no.
    Rejected,
}

/// What a script may ask for; without any it may ask for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    /// Hosts that it may fetch from: `example.com` at the usual ports, `example.com:8080` at this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Files and folders of the workspace that it may read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Tools that it may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
}

impl Permissions {
    /// Whether nothing may be asked for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.reads.is_empty() && self.tools.is_empty()
    }

    fn check(&self) -> Result<(), Message> {
        let wrong = |what: &str, name: &str| {
            Err(Message::new("dynamic-permission-invalid").with("what", what).with("name", name))
        };
        for (what, list) in [("hosts", &self.hosts), ("reads", &self.reads), ("tools", &self.tools)] {
            if list.len() > MOST_PERMISSIONS {
                return Err(Message::new("dynamic-permissions-many").with("what", what).with("most", MOST_PERMISSIONS));
            }
            for name in list {
                let fits = match what {
                    "hosts" => is_host(name),
                    "reads" => is_below(name),
                    // A script that makes tools or asks others to act would widen itself.
                    _ => is_valid_name(name) && !matches!(&**name, "create_tool" | "delegate_to_bot" | "collaborate"),
                };
                if !fits {
                    return wrong(what, name);
                }
            }
        }
        Ok(())
    }
}

fn is_host(name: &str) -> bool {
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (name, port) = name.split_once(':').map_or((name, None), |(name, port)| (name, Some(port)));
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|number| number > 0 && number.to_string() == port);
    name.len() <= 253 && name.contains('.') && name.split('.').all(is_label) && port.is_none_or(is_port)
}

/// Whether a path is within the workspace, as it is written.
pub(crate) fn is_below(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with(['/', '~', '-'])
        && !path.contains(char::is_control)
        && !path.split('/').any(|name| name == "..")
}

/// A made tool, as `meta.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The tool's folder; the same as its name.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// For models and people.
    pub description: String,
    /// What its source is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// See [`Status`].
    pub status: Status,
    /// The bot that made it.
    pub created_by: String,
    /// `all`, or the bot that has it beside its maker.
    #[serde(default = "all")]
    pub scope: String,
    /// What it takes.
    #[serde(default)]
    pub parameters: Parameters,
    /// What it may ask for.
    #[serde(default, skip_serializing_if = "Permissions::is_empty")]
    pub permissions: Permissions,
    /// When it was made, in ISO 8601.
    pub created_at: String,
    /// When it was last changed by a tool or a person's decision.
    pub updated_at: String,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection_note: Option<String>,
    /// What is not known here stays.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

fn all() -> String {
    ALL.to_owned()
}

const ALL: &str = "all";

impl Manifest {
    /// Reads the file of the tool in the folder `id`.
    ///
    /// # Errors
    /// It is no such file, or names another tool.
    pub fn parse(id: &str, text: &str) -> Result<Self, Message> {
        let broken = |detail: String| Message::new("dynamic-meta-broken").with("tool", id).with("detail", detail);
        let manifest: Self = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        if manifest.id != id || manifest.name != id {
            return Err(broken(format!("id and name must be {id:?}, as the folder")));
        }
        manifest.check()?;
        Ok(manifest)
    }

    /// Whether a tool may be so, as far as the manifest says.
    ///
    /// # Errors
    /// What is wrong with its name, description, parameters or permissions.
    pub fn check(&self) -> Result<(), Message> {
        check_name(&self.name)?;
        let description = self.description.trim();
        if description.is_empty() {
            return Err(Message::new("dynamic-missing").with("name", "description"));
        }
        if description.chars().count() > LONGEST_DESCRIPTION {
            return Err(Message::new("dynamic-description-long").with("longest", LONGEST_DESCRIPTION));
        }
        if self.kind == Kind::Command && !self.permissions.is_empty() {
            return Err(Message::new("dynamic-permissions-command"));
        }
        self.permissions.check()?;
        self.parameters.check()
    }

    /// The file.
    #[must_use]
    pub fn text(&self) -> String {
        // ignored: a manifest always serialises.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether a bot has it, once it is approved.
    #[must_use]
    pub fn is_for(&self, bot: &str) -> bool {
        self.scope == ALL || self.scope == bot || self.created_by == bot
    }

    /// What a person approves of it: the whole manifest, but for what decisions change.
    #[must_use]
    pub fn approved(&self) -> Value {
        // ignored: a manifest always serialises.
        let mut approved = serde_json::to_value(self).unwrap_or_default();
        if let Some(approved) = approved.as_object_mut() {
            UNAPPROVED.iter().for_each(|key| drop(approved.shift_remove(*key)));
        }
        approved
    }

    /// All that a person approves, with the source.
    #[must_use]
    pub fn digest(&self, source: &str) -> Digest {
        Digest::of_bytes(json!([self.approved(), source]).to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests;
