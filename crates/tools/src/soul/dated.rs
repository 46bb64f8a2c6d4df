//! Arguments, the moment at which they were given, and the chat: the files that a call names may have its date in their names, and are
//! the same when it is judged, shown and run.

use super::version::Version;
use crate::operation::{Args, ToolOptions};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use palanca_core::Scope;
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::sync::OnceLock;

pub(crate) struct Dated<A> {
    pub(crate) args: A,
    at: Timestamp,
    /// The chat in which the call was made, by channel and name.
    chat: OnceLock<(String, String)>,
}

impl<A> Dated<A> {
    /// When that was, in the configured time zone.
    pub(crate) fn at(&self, options: &ToolOptions) -> Zoned {
        self.at.to_zoned(TimeZone::get(&options.datetime.timezone).unwrap_or(TimeZone::UTC))
    }

    /// The moment itself.
    pub(crate) const fn moment(&self) -> Timestamp {
        self.at
    }

    /// The chat in which the call was made, by channel and name.
    pub(crate) fn chat(&self) -> Option<(&str, &str)> {
        self.chat.get().map(|(channel, name)| (channel.as_str(), name.as_str()))
    }

    /// Takes note of where the call was made. It is judged before it is shown and run.
    pub(crate) fn place(&self, scope: &Scope) {
        if let (Some(channel), Some(chat)) = (&scope.channel, &scope.chat) {
            self.chat.get_or_init(|| (channel.to_string(), chat.to_string()));
        }
    }

    /// Where a file's present content is kept, from the bot's folder; none where none is kept.
    pub(crate) fn version(&self, file: &str, options: &ToolOptions) -> Option<String> {
        options.soul.versions.then(|| format!("{}/{}", options.soul.dir, Version::path_of(file, self.at)))
    }
}

/// The dates of yesterday and today in a time zone, as daily logs are called.
#[must_use]
pub fn recent_days(zone: &str) -> [String; 2] {
    let today = Timestamp::now().to_zoned(TimeZone::get(zone).unwrap_or(TimeZone::UTC)).date();
    [today.yesterday().unwrap_or(today), today].map(|date| date.to_string())
}

impl<'de, A: Args> Deserialize<'de> for Dated<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        A::deserialize(deserializer).map(|args| Self { args, at: Timestamp::now(), chat: OnceLock::new() })
    }
}

impl<A: JsonSchema> JsonSchema for Dated<A> {
    fn schema_name() -> Cow<'static, str> {
        A::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        A::json_schema(generator)
    }
}

impl<A: Args> Args for Dated<A> {}
