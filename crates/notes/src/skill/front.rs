//! The front matter of a `SKILL.md`: split from the file, parsed, and checked against the public format.

use super::fault::Fault;
use super::name::{self, SkillName};
use super::yaml::{self, Yaml};
use palanca_core::Message;
use serde::Serialize;

const MAX_DESCRIPTION: usize = 1024;
const MAX_COMPATIBILITY: usize = 500;
/// The fields of the public format.
const FIELDS: [&str; 6] = ["name", "description", "license", "allowed-tools", "metadata", "compatibility"];

/// The fields of a skill, as named in the public format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Front {
    /// Its name, trimmed.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its licence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Its requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// The tools that its author intended. Displayed only; it allows nothing.
    #[serde(rename = "allowed-tools", skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<String>,
    /// Data of programs.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<(String, String)>,
    /// Globs of the files that it concerns: the architect's field, not part of the public format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub globs: Vec<String>,
}

fn as_map<S: serde::Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

/// A `SKILL.md` as text.
#[derive(Clone, Copy, Debug)]
pub struct SkillText<'t>(pub &'t str);

/// A parsed `SKILL.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Its fields, if it is usable.
    pub front: Option<Front>,
    /// The instructions below the front matter.
    pub body: String,
    /// All faults; empty means that the public validator accepts it.
    pub faults: Vec<Fault>,
}

impl SkillText<'_> {
    /// Reads it as the skill of a folder with this name.
    #[must_use]
    pub fn read(self, folder: &str) -> Reading {
        // The validator reads with universal newlines.
        let text = self.0.replace("\r\n", "\n").replace('\r', "\n");
        let broken = |key| Reading { front: None, body: String::new(), faults: vec![Fault::broken(Message::new(key))] };
        let Some(rest) = text.strip_prefix("---") else { return broken("skill-front-missing") };
        // The format's own rule: the first three hyphens end it, wherever they occur.
        let Some((front, body)) = rest.split_once("---") else { return broken("skill-front-open") };
        let body = body.trim().to_owned();
        let (tree, mut faults) = yaml::read(front);
        let fields = match tree {
            Some(Yaml::Map(fields)) => fields,
            Some(_) => {
                faults.push(Fault::broken(Message::new("skill-front-shape")));
                return Reading { front: None, body, faults };
            }
            None => {
                if faults.is_empty() {
                    faults.push(Fault::broken(Message::new("skill-front-shape")));
                }
                return Reading { front: None, body, faults };
            }
        };
        let fields = Fields(fields);
        fields.unknown(&mut faults);
        let name = fields.name(folder, &mut faults);
        let description = fields.description(&mut faults);
        fields.compatibility(&mut faults);
        let front = name.zip(description).map(|(name, description)| fields.front(name, description));
        Reading { front, body, faults }
    }
}

struct Fields(Vec<(String, Yaml)>);

impl Fields {
    fn get(&self, key: &str) -> Option<&Yaml> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The text of a field that must not be empty.
    fn text(&self, key: &'static str, faults: &mut Vec<Fault>) -> Option<&str> {
        match self.get(key) {
            Some(Yaml::Text(text)) if !name::trim(text).is_empty() => return Some(text),
            Some(_) => faults.push(Fault::broken(Message::new("skill-field-empty").with("field", key))),
            None => faults.push(Fault::broken(Message::new("skill-field-missing").with("field", key))),
        }
        None
    }

    fn unknown(&self, faults: &mut Vec<Fault>) {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| &**name).filter(|n| !FIELDS.contains(n)).collect();
        names.sort_unstable();
        if !names.is_empty() {
            let known = FIELDS.join(", ");
            let message = Message::new("skill-field-unknown").with("fields", names.join(", ")).with("known", known);
            faults.push(Fault::unfit(message));
        }
    }

    fn name(&self, folder: &str, faults: &mut Vec<Fault>) -> Option<String> {
        let given = self.text("name", faults)?;
        let (name, wrong) = name::judge(given);
        faults.extend(wrong.into_iter().map(Fault::broken));
        if name::normal(folder) != name {
            let message = Message::new("skill-name-folder").with("name", &name).with("folder", folder);
            faults.push(Fault::unfit(message));
        }
        SkillName::new(&name).ok().map(|name| name.to_string())
    }

    fn description(&self, faults: &mut Vec<Fault>) -> Option<String> {
        let text = self.text("description", faults)?;
        too_long(text, ("description", MAX_DESCRIPTION), faults);
        Some(name::trim(text).to_owned())
    }

    fn compatibility(&self, faults: &mut Vec<Fault>) {
        match self.get("compatibility") {
            None => {}
            Some(Yaml::Text(text)) => too_long(text, ("compatibility", MAX_COMPATIBILITY), faults),
            Some(_) => faults.push(Fault::unfit(Message::new("skill-field-text").with("field", "compatibility"))),
        }
    }

    fn front(&self, name: String, description: String) -> Front {
        let words = |key| self.get(key).map(|value| flat(value).join(" "));
        let metadata = match self.get("metadata") {
            Some(Yaml::Map(pairs)) => pairs.iter().map(|(key, value)| (key.clone(), flat(value).join(" "))).collect(),
            _ => Vec::new(),
        };
        Front {
            name,
            description,
            license: words("license"),
            compatibility: words("compatibility"),
            allowed_tools: words("allowed-tools"),
            metadata,
            globs: self.get("globs").map(flat).unwrap_or_default(),
        }
    }
}

fn too_long(text: &str, (field, most): (&'static str, usize), faults: &mut Vec<Fault>) {
    let length = text.chars().count();
    if length > most {
        let message = Message::new("skill-field-long").with("field", field).with("length", length).with("most", most);
        faults.push(Fault::unfit(message));
    }
}

/// The words of a value in any notation.
fn flat(value: &Yaml) -> Vec<String> {
    match value {
        Yaml::Text(text) => vec![text.clone()],
        Yaml::List(items) => items.iter().flat_map(flat).collect(),
        Yaml::Map(pairs) => pairs.iter().map(|(key, value)| format!("{key}: {}", flat(value).join(" "))).collect(),
    }
}
