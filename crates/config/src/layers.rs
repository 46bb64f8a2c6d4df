//! Layers in, one configuration out. Sections merge key by key, lists of servers by name, other lists and
//! values replace those below, and every step is recorded. All mistakes of all layers are reported together.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::check::{Checker, Writing};
use crate::handed_out;
use crate::loaded::{Loaded, Said, Step, Steps};
use crate::node::{Kind, Node};
use crate::not_yet::is_not_yet;
use crate::origin::{Origin, Place, Trust};
use crate::problem::{ConfigErrors, Problem, Warning, WarningKind};
use crate::schema::{self, Shape, join};
use crate::tree::{Config, LlmRoute};
use crate::{environment, parse, trust};

/// The agents with their own instructions.
const WITH_OWN_PROMPT: [&str; 4] = ["build", "plan", "resume", "review"];

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// In the user's configuration directory.
    User,
    /// In the workspace; an untrusted one may only restrict.
    Project(Trust),
    /// Named with `-c`: trusted like the user's own, above the project's file.
    Named,
}

/// The layers of one start, in any order: they are ranked by origin, equal ones by the order in which they were added.
#[derive(Debug, Default)]
pub struct Layers {
    preset: Value,
    layers: Vec<Layer>,
    environment: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Layer {
    origin: Origin,
    content: Content,
}

#[derive(Debug)]
enum Content {
    File(String),
    Text(Node),
}

impl Layers {
    /// No layer but the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The environment: `PALANCA_*` variables become a layer, and `${NAME}` in files looks here.
    #[must_use]
    pub fn with_environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.environment.extend(variables);
        self
    }

    /// Built-in values that other crates own, such as the agent presets under `agents`. Without them an untrusted
    /// project file cannot restrict an agent, because its previous settings are unknown.
    /// They are not checked.
    #[must_use]
    pub fn preset(mut self, value: Value) -> Self {
        self.preset = value;
        self
    }

    /// A file; its format follows from the extension of `path`, which also names it in messages.
    #[must_use]
    pub fn file(self, source: Source, path: impl Into<String>, text: impl Into<String>) -> Self {
        let path = path.into();
        let origin = match source {
            Source::User => Origin::User(path),
            Source::Project(trust) => Origin::Project(path, trust),
            Source::Named => Origin::Named(path),
        };
        self.push(origin, Content::File(text.into()))
    }

    /// What the bot that acts has of its own: above every file, below the environment and flags. Not checked again.
    #[must_use]
    pub fn bot(self, id: &str, value: Value) -> Self {
        self.push(Origin::Bot(id.to_owned()), Content::Text(Node::from_value(value)))
    }

    /// A command-line flag: its name for messages, the dotted key it sets, and its text.
    #[must_use]
    pub fn flag(self, name: &str, key: &str, text: &str) -> Self {
        let path: Vec<_> = key.split('.').collect();
        let node = Node::new(0, Kind::Text(text.to_owned())).under(&path);
        self.push(Origin::Flag(name.to_owned()), Content::Text(node))
    }

    fn push(mut self, origin: Origin, content: Content) -> Self {
        self.layers.push(Layer { origin, content });
        self
    }

    /// Resolves everything.
    ///
    /// # Errors
    /// All syntax errors, unknown keys, wrong types, values out of range, undefined placeholders and contradictions of
    /// all layers, each with its place.
    pub fn resolve(self) -> Result<Loaded, ConfigErrors> {
        let mut layers = self.layers;
        let (variables, unknown) = environment::layers(&self.environment);
        layers.extend(variables.into_iter().map(|(origin, node)| Layer { origin, content: Content::Text(node) }));
        layers.sort_by_key(|layer| layer.origin.rank());

        let mut checker = Checker { environment: &self.environment, problems: Vec::new(), warnings: unknown };
        let mut merged = Merged::new(self.preset);
        for layer in layers {
            merged.layer(layer, &mut checker);
        }
        let Checker { mut problems, mut warnings, .. } = checker;
        warnings.extend(merged.not_yet());
        let config = merged.config(&mut problems);
        match config {
            Some(config) if problems.is_empty() => Ok(Loaded::new(config, merged.said, merged.steps, warnings)),
            _ => Err(ConfigErrors(problems)),
        }
    }
}

/// The layers so far.
struct Merged {
    said: Said,
    steps: Steps,
    unvouched: BTreeSet<String>,
}

impl Merged {
    fn new(preset: Value) -> Self {
        let preset = if preset.is_object() { preset } else { Value::Object(Map::new()) };
        let said = Said { preset, layers: Value::Object(Map::new()) };
        Self { said, steps: Steps::new(), unvouched: BTreeSet::new() }
    }

    fn layer(&mut self, layer: Layer, checker: &mut Checker<'_>) {
        let (node, writing) = match layer.content {
            Content::File(text) => match parse::parse(&layer.origin.to_string(), &text) {
                Ok(node) => (node, Writing::Typed),
                Err(error) => {
                    checker.problems.push(Problem {
                        place: Place::new(layer.origin, error.line),
                        key: String::new(),
                        message: error.message,
                    });
                    return;
                }
            },
            Content::Text(node) => (node, Writing::Text),
        };
        let Some(mut node) = checker.layer(&layer.origin, node, writing) else {
            return;
        };
        if let Some(problem) = self.bots_twice(&layer.origin, &node) {
            checker.problems.push(problem);
            return;
        }
        if layer.origin.is_project() {
            let below = self.said.whole();
            let (kept, mut refused) = trust::without_outside_only(node, &below, &layer.origin);
            node = kept;
            if layer.origin.is_untrusted() {
                let (kept, more) = trust::restrict(node, &below, &layer.origin);
                node = kept;
                refused.extend(more);
                self.unvouched.extend(trust::unvouched(&node, &below));
            }
            for refusal in refused {
                self.steps.entry(refusal.key).or_default().push(Step {
                    place: refusal.warning.place.clone(),
                    value: refusal.value,
                    not_applied: Some(refusal.warning.message.clone()),
                });
                checker.warnings.push(refusal.warning);
            }
        }
        merge(
            &mut self.said.layers,
            node,
            &mut Recorder {
                steps: &mut self.steps,
                origin: &layer.origin,
                key: String::new(),
                shape: Some(schema::root()),
            },
        );
    }

    fn not_yet(&self) -> Vec<Warning> {
        let standard = LazyCell::new(|| serde_json::to_value(Config::default()).unwrap_or_default());
        // A value equal to the default needs no warning.
        let is_other = |key: &str, value: &Value| {
            is_not_yet(key) && standard.pointer(&format!("/{}", key.replace('.', "/"))) != Some(value)
        };
        let warning = |key: &str, step: &Step| Warning {
            place: step.place.clone(),
            key: key.to_owned(),
            kind: WarningKind::NotYet,
            message: "not implemented yet; ignored".to_owned(),
        };
        let mut warnings = Vec::new();
        for (key, steps) in &self.steps {
            let Some(step) = steps.iter().rfind(|step| step.not_applied.is_none()) else { continue };
            if is_other(key, &step.value) {
                warnings.push(warning(key, step));
            }
            let items = step.value.as_array().into_iter().flatten().enumerate();
            for (name, value, at) in items.flat_map(|(at, item)| {
                item.as_object().into_iter().flatten().map(move |(name, value)| (name, value, at))
            }) {
                let key = format!("{key}[{at}].{name}");
                if is_other(&key, value) {
                    warnings.push(warning(&key, step));
                }
            }
        }
        warnings.sort_by_key(|warning| (warning.place.origin.rank(), warning.place.line));
        warnings
    }

    fn config(&self, problems: &mut Vec<Problem>) -> Option<Config> {
        // Consequences of a wrong key need no second message.
        if !problems.is_empty() {
            return None;
        }
        match serde_path_to_error::deserialize::<_, Config>(self.said.own()) {
            Ok(config) => {
                self.contradictions(&config, problems);
                let secret_values = handed_out::secrets(&self.said.layers);
                Some(Config { unvouched: self.unvouched.clone(), secret_values, ..config })
            }
            Err(error) => {
                let key = error.path().to_string();
                problems.push(self.problem(&key, error.into_inner().to_string()));
                None
            }
        }
    }

    /// A second list of bots from the same workspace.
    fn bots_twice(&self, origin: &Origin, node: &Node) -> Option<Problem> {
        let Kind::Map(entries) = &node.kind else { return None };
        let (_, bots) = entries.iter().find(|(name, _)| name == "bots").filter(|_| origin.is_project())?;
        let other = &self.steps.get("bots")?.iter().find(|step| step.place.origin.is_project())?.place;
        let message = format!("is in {other}, too; keep one of the two lists");
        Some(Problem { place: Place::new(origin.clone(), bots.line), key: "bots".to_owned(), message })
    }

    /// Bots that could not be told apart, also where file systems know no letter case.
    fn bots(&self, config: &Config, problems: &mut Vec<Problem>) {
        let mut known = BTreeSet::new();
        for (at, bot) in config.bots.iter().enumerate() {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            let why = if bot.id.is_empty() || bot.id.len() > 64 || !bot.id.bytes().all(is_plain) {
                "is no id; use up to 64 of A-Z, a-z, 0-9, - and _"
            } else if !known.insert(bot.id.to_ascii_lowercase()) {
                "is the id of another bot, too; every bot needs its own"
            } else {
                continue;
            };
            let Problem { place, .. } = self.problem("bots", String::new());
            problems.push(Problem { place, key: format!("bots[{at}].id"), message: format!("\"{}\" {why}", bot.id) });
        }
    }

    fn contradictions(&self, config: &Config, problems: &mut Vec<Problem>) {
        self.bots(config, problems);
        if config.llm.mode == LlmRoute::Proxy && config.llm.api_base.is_none() {
            problems.push(
                self.problem("llm.mode", "is proxy, which needs the proxy's address; set llm.api_base".to_owned()),
            );
        }
        if let (Some(budget), Some(warn)) = (config.costs.budget_usd, config.costs.warn_at_usd)
            && warn > budget
        {
            problems.push(self.problem(
                "costs.warn_at_usd",
                format!("is {warn}, above costs.budget_usd ({budget}), so it would never be reached"),
            ));
        }
        for (name, agent) in &config.agents {
            if agent.system_prompt.as_deref().is_some_and(|prompt| prompt.trim().is_empty()) {
                problems.push(self.problem(
                    &format!("agents.{name}.system_prompt"),
                    "is empty; leave it out to keep the agent's own, or write instructions".to_owned(),
                ));
            }
            if agent.system_prompt.is_none() && !WITH_OWN_PROMPT.contains(&name.as_str()) {
                let built_in = WITH_OWN_PROMPT.join(", ");
                problems.push(self.problem(
                    &format!("agents.{name}"),
                    format!(
                        "has no system_prompt; only {built_in} have instructions of their own, a new agent needs them"
                    ),
                ));
            }
        }
    }

    fn problem(&self, key: &str, message: String) -> Problem {
        let place = self
            .steps
            .get(key)
            .and_then(|steps| steps.iter().rfind(|step| step.not_applied.is_none()))
            .map_or_else(|| Place::new(Origin::Default, 0), |step| step.place.clone());
        Problem { place, key: key.to_owned(), message }
    }
}

struct Recorder<'m> {
    steps: &'m mut Steps,
    origin: &'m Origin,
    key: String,
    shape: Option<Shape>,
}

/// Maps of the tree merge, and lists that join by name, item by item as a whole; anything else replaces. Each value leaves a step.
fn merge(value: &mut Value, node: Node, at: &mut Recorder<'_>) {
    let mergeable = at.shape.is_some_and(|shape| !matches!(shape.expected(), schema::Type::Free));
    match node.kind {
        Kind::Map(entries) if mergeable => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            let Value::Object(map) = value else { return };
            for (name, child) in entries {
                let key = join(&at.key, &name);
                let shape = at.shape.and_then(|shape| shape.key(&name));
                let slot = map.entry(name).or_insert(Value::Null);
                merge(slot, child, &mut Recorder { steps: at.steps, origin: at.origin, key, shape });
            }
        }
        kind => {
            let node = Node::new(node.line, kind);
            let said = node.to_value();
            at.steps.entry(at.key.clone()).or_default().push(Step {
                place: Place::new(at.origin.clone(), node.line),
                value: said.clone(),
                not_applied: None,
            });
            match (value, said) {
                (Value::Array(below), Value::Array(items)) if at.shape.is_some_and(Shape::joins_by_name) => {
                    below.retain(|old| items.iter().all(|new| new.get("name") != old.get("name")));
                    below.extend(items);
                }
                (value, said) => *value = said,
            }
        }
    }
}
