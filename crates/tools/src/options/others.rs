//! Options of the tools by which a bot reaches others: people by telephone, other bots, and whoever revises its files.

use crate::soul::Focus;
use std::time::Duration;

/// `phone_call`. Who places the calls is the gate's to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneOptions {
    /// Whether bots have the tool. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// A setting without which nobody can be called; the tool is not offered then.
    pub missing: Option<&'static str>,
    /// The file of names and numbers, from the workspace's root.
    pub contacts: String,
}

/// `improve`. Who revises is the gate's to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImproveOptions {
    /// Whether bots have the tool. The library's default is on, a configuration's is off.
    pub enabled: bool,
    /// The folder of the files, from the workspace's root.
    pub dir: String,
    /// What may be revised.
    pub allowed: Vec<Focus>,
    /// The longest that it takes.
    pub longest: Duration,
}

/// `delegate_to_bot` and `collaborate`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherBotsOptions {
    /// The bot that asks.
    pub own: String,
    /// The others. Without any the tools are not offered.
    pub others: Vec<OtherBot>,
    /// `collaborate`; not offered without it.
    pub collaboration: Option<CollaborationOptions>,
}

/// What is known of another bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherBot {
    /// Its id.
    pub id: String,
    /// What people call it; may be empty.
    pub name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Its skills.
    pub skills: Vec<String>,
    /// Its models, in the order in which they are tried.
    pub models: Vec<String>,
    /// Tools that it has not.
    pub disabled: Vec<String>,
}

/// `collaborate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollaborationOptions {
    /// The longest that an answer takes.
    pub longest: Duration,
    /// Whether the bot that is asked may use tools.
    pub target_tools: bool,
}

impl Default for PhoneOptions {
    fn default() -> Self {
        Self { enabled: true, missing: None, contacts: "data/contacts.json".to_owned() }
    }
}

impl Default for ImproveOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            dir: "config/soul/default".to_owned(),
            allowed: Focus::ALL.to_vec(),
            longest: Duration::from_secs(120),
        }
    }
}
