//! A rule as it is written: in the operator's file, in a draft, in the database. `docs/approval-rules.md` describes it.

use palanca_core::call::{ActKind, Method};
use palanca_core::ports::Decision;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// A whole text of rules. In a file the rules' places are kept for messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document<R> {
    #[serde(default = "Vec::new")]
    pub(super) rule: Vec<R>,
}

/// What a rule decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Says {
    #[default]
    Allow,
    Ask,
    Deny,
}

impl From<Says> for Decision {
    fn from(says: Says) -> Self {
        match says {
            Says::Allow => Self::Allow,
            Says::Ask => Self::Ask,
            Says::Deny => Self::Deny,
        }
    }
}

/// A kind of effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Delete,
    Move,
    Run,
    Feed,
    Stop,
    Http,
    Message,
    Act(ActKind),
}

impl Kind {
    pub(super) const FILES: [Self; 4] = [Self::Read, Self::Write, Self::Delete, Self::Move];

    pub(super) const FOREIGN: Self = Self::Act(ActKind::Foreign);

    const PLAIN: [(Self, &str); 9] = [
        (Self::Read, "read"),
        (Self::Write, "write"),
        (Self::Delete, "delete"),
        (Self::Move, "move"),
        (Self::Run, "run"),
        (Self::Feed, "feed"),
        (Self::Stop, "stop"),
        (Self::Http, "reach"),
        (Self::Message, "message"),
    ];

    /// Every kind under its name in the language.
    pub(super) fn all() -> impl Iterator<Item = (Self, &'static str)> {
        Self::PLAIN.into_iter().chain(ActKind::all().map(|kind| (Self::Act(kind), kind.name())))
    }

    pub(super) fn names() -> String {
        Self::all().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
    }

    pub(super) const fn is_act(self) -> bool {
        matches!(self, Self::Act(_))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = Self::all().find_map(|(kind, name)| (kind == *self).then_some(name));
        serializer.serialize_str(name.unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::all()
            .find_map(|(kind, name)| (name == text).then_some(kind))
            .ok_or_else(|| de::Error::custom(format!("unknown variant `{text}`, expected one of {}", Self::names())))
    }
}

/// A command's class, as far as a rule may name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Class {
    Safe,
    Dev,
    Dangerous,
}

/// Who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Asker {
    Person,
    Model,
    Subagent,
    Hook,
    Client,
    Schedule,
    Bot,
    Console,
    Script,
}

/// One rule; without an effect, as it is by default, it is about nothing.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) id: String,
    pub(super) decision: Says,
    pub(super) effect: OneOrMore<Kind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) paths: Vec<String>,
    pub(super) command: Option<Vec<String>>,
    pub(super) text: Option<String>,
    pub(super) class: Option<Class>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) within: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) hosts: Vec<String>,
    pub(super) prefix: Option<String>,
    pub(super) method: Option<OneOrMore<Method>>,
    pub(super) url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) channels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) to: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) servers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<String>,
    pub(super) origin: Option<OneOrMore<Asker>>,
    pub(super) session: Option<String>,
    pub(super) workspace: Option<String>,
    pub(super) bot: Option<String>,
    pub(super) chat: Option<String>,
    pub(super) channel: Option<String>,
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing)]
    pub(super) matches: Vec<Example>,
    #[serde(default, skip_serializing)]
    pub(super) not_matches: Vec<Example>,
}

impl Row {
    /// A rule that allows this and nothing else.
    pub(super) fn allowing(effect: Vec<Kind>) -> Self {
        Self { effect: OneOrMore(effect), ..Self::default() }
    }

    /// The kinds that it is about.
    pub(super) fn kinds(&self) -> &[Kind] {
        &self.effect.0
    }
}

/// One thing that a call would do: exactly one of the kinds (of a move both paths, of `reach` an address, also behind a
/// method, of `message` the channel and who is told, as `ops:alerts`); `in` is where a program would run, `origin` who asks.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Example(BTreeMap<String, OneOrMore<String>>);

impl Example {
    /// What it says beside its kind.
    pub(super) fn also(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.0.first().map(String::as_str)
    }

    /// Its kind and what it is about; none where there is not exactly one.
    pub(super) fn deed(&self) -> Option<(Kind, &[String])> {
        let mut kinds = self.0.iter().filter(|(key, _)| !matches!(key.as_str(), "in" | "origin"));
        let (key, texts) = kinds.next().filter(|_| kinds.next().is_none())?;
        Some((word(key)?, &texts.0))
    }
}

/// A word of the language as what it means.
pub(super) fn word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(de::value::StrDeserializer::<de::value::Error>::new(text)).ok()
}

/// As the file would say it.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.0.iter().map(|(key, texts)| match texts.0.as_slice() {
            [text] => format!("{key} = {text:?}"),
            texts => format!("{key} = {texts:?}"),
        });
        write!(f, "{{ {} }}", all.collect::<Vec<_>>().join(", "))
    }
}

/// `"write"` or `["write", "delete"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OneOrMore<T>(pub(super) Vec<T>);

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            more => more.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = match toml::Value::deserialize(deserializer)? {
            toml::Value::Array(list) => list,
            one => vec![one],
        };
        if list.is_empty() {
            return Err(de::Error::custom("the list is empty; name at least one"));
        }
        let all = list.into_iter().map(|one| T::deserialize(one).map_err(|error| de::Error::custom(error.message())));
        all.collect::<Result<_, _>>().map(Self)
    }
}
