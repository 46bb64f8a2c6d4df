//! A rule as it is written: in the operator's file, in a draft, in the database. `docs/approval-rules.md` describes it.

use palanca_core::call::Method;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A whole text of rules. In a file the rules' places are kept for messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document<R> {
    #[serde(default = "Vec::new")]
    pub(super) rule: Vec<R>,
}

/// What a rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Says {
    Allow,
    Ask,
    Deny,
}

/// A kind of effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Read,
    Write,
    Delete,
    Move,
    Run,
    Feed,
    Stop,
    #[serde(rename = "reach")]
    Http,
    Message,
}

impl Kind {
    pub(super) const FILES: [Self; 4] = [Self::Read, Self::Write, Self::Delete, Self::Move];
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
}

/// One rule.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) id: String,
    pub(super) decision: Says,
    pub(super) effect: OneOrMore<Kind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) paths: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<Class>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) within: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) hosts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) prefix: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<OneOrMore<Method>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) channels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) to: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<OneOrMore<Asker>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) workspace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bot: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chat: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) channel: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing)]
    pub(super) matches: Vec<Example>,
    #[serde(default, skip_serializing)]
    pub(super) not_matches: Vec<Example>,
}

impl Row {
    /// A rule that allows this and nothing else.
    pub(super) fn allowing(effect: Vec<Kind>) -> Self {
        Self {
            id: String::new(),
            decision: Says::Allow,
            effect: OneOrMore(effect),
            paths: Vec::new(),
            command: None,
            text: None,
            class: None,
            within: Vec::new(),
            hosts: Vec::new(),
            prefix: None,
            method: None,
            url: None,
            channels: Vec::new(),
            to: Vec::new(),
            origin: None,
            session: None,
            workspace: None,
            bot: None,
            chat: None,
            channel: None,
            reason: None,
            matches: Vec::new(),
            not_matches: Vec::new(),
        }
    }
}

/// One thing that a call would do: exactly one of the kinds, and where a program would run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    pub(super) read: Option<String>,
    pub(super) write: Option<String>,
    pub(super) delete: Option<String>,
    #[serde(rename = "move")]
    pub(super) moved: Option<[String; 2]>,
    pub(super) run: Option<String>,
    pub(super) feed: Option<String>,
    pub(super) stop: Option<String>,
    /// `https://docs.rs/x`, or with a method, `POST https://docs.rs/x`.
    pub(super) reach: Option<String>,
    /// `ops:alerts`: the channel, and who is told.
    pub(super) message: Option<String>,
    #[serde(rename = "in")]
    pub(super) directory: Option<String>,
    pub(super) origin: Option<Asker>,
}

/// As the file would say it.
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = [
            ("read", &self.read),
            ("write", &self.write),
            ("delete", &self.delete),
            ("run", &self.run),
            ("feed", &self.feed),
            ("stop", &self.stop),
            ("reach", &self.reach),
            ("message", &self.message),
        ];
        if let Some([from, to]) = &self.moved {
            return write!(f, "{{ move = [{from:?}, {to:?}] }}");
        }
        let found = texts.into_iter().find_map(|(name, text)| Some((name, text.as_ref()?)));
        match found {
            Some((name, text)) => write!(f, "{{ {name} = {text:?} }}"),
            None => f.write_str("{ }"),
        }
    }
}

/// `"write"` or `["write", "delete"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OneOrMore<T>(pub(super) Vec<T>);

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            more => more.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
            type Value = OneOrMore<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word or a list of words")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                T::deserialize(de::value::StrDeserializer::new(text)).map(|one| OneOrMore(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = list.next_element()? {
                    all.push(one);
                }
                if all.is_empty() {
                    Err(de::Error::custom("the list is empty; name at least one"))
                } else {
                    Ok(OneOrMore(all))
                }
            }
        }
        deserializer.deserialize_any(Either(std::marker::PhantomData))
    }
}
