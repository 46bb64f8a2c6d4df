//! The tools of one turn: an immutable snapshot. Tools outside it cannot be executed, whatever a model names.

use super::naming;
use super::schemas::{SchemaFormat, render_schema};
use crate::arguments::{Checker, plainly_fits};
use crate::call::{Exposure, ToolsetName};
use crate::message::Message;
use crate::tool::AnyTool;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, OnceLock};
use tokio::task::JoinError;

type Make = Box<dyn FnOnce() -> Arc<dyn AnyTool> + Send>;

/// A registered tool, made when it is first looked at, with its argument checker, which is compiled once, for the first
/// arguments that do not plainly fit.
pub(crate) struct Registered {
    tool: LazyLock<Arc<dyn AnyTool>, Make>,
    checker: OnceLock<Checker>,
    data_checker: OnceLock<Checker>,
}

impl Registered {
    pub(crate) fn new(make: impl FnOnce() -> Arc<dyn AnyTool> + Send + 'static) -> Self {
        Self { tool: LazyLock::new(Box::new(make)), checker: OnceLock::new(), data_checker: OnceLock::new() }
    }

    pub(crate) fn tool(&self) -> &Arc<dyn AnyTool> {
        &self.tool
    }

    /// What is wrong with these arguments, by the tool's schema, and the arguments again. Where compiling or checking may
    /// take time, another thread does it.
    ///
    /// # Errors
    /// That thread panicked.
    pub(crate) async fn errors(self: &Arc<Self>, arguments: Value) -> Result<(Vec<String>, Value), JoinError> {
        if plainly_fits(&arguments, self.tool().schema()) {
            return Ok((Vec::new(), arguments));
        }
        if let Some(checker) = self.checker.get().filter(|checker| checker.is_quick(&arguments)) {
            return Ok((checker.errors(&arguments), arguments));
        }
        let this = Arc::clone(self);
        let check = move || {
            let checker = this.checker.get_or_init(|| Checker::new(this.tool().schema()));
            (checker.errors(&arguments), arguments)
        };
        tokio::task::spawn_blocking(check).await
    }

    /// What is wrong with the data of an output, by the schema that the tool gives for it.
    pub(crate) fn data_errors(&self, data: &Value) -> Vec<String> {
        match &self.tool().spec().output_schema {
            Some(schema) if !plainly_fits(data, schema) => {
                self.data_checker.get_or_init(|| Checker::new(schema)).errors(data)
            }
            _ => Vec::new(),
        }
    }
}

pub(crate) type Tools = BTreeMap<String, Arc<Registered>>;

/// Why a tool that exists is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The operator has switched it off; this setting switches it on.
    SwitchedOff(&'static str),
    /// Where it comes from says why.
    Said(Message),
    /// It is not on the current agent's list.
    NotListed,
    /// Models are not told of it.
    Hidden,
}

pub(crate) type Absences = BTreeMap<String, Absence>;

/// A named vocabulary of tools, as offered for one turn. Cheap to clone.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{Registry, SchemaFormat};
///
/// let toolset = Registry::new().snapshot();
/// let (only, unknown) = toolset.restrict(["read_file"]);
/// assert!(only.is_empty() && unknown == ["read_file"]);
/// assert!(only.schemas(SchemaFormat::Anthropic).is_empty());
/// ```
#[derive(Clone)]
pub struct Toolset {
    tools: Arc<Tools>,
    absent: Arc<Absences>,
    /// Deferred tools that were asked for; none of them costs nothing.
    asked_for: Option<Arc<BTreeSet<String>>>,
    shape: ToolsetName,
}

impl std::fmt::Debug for Toolset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Toolset {
    pub(crate) const fn new(tools: Arc<Tools>, absent: Arc<Absences>, shape: ToolsetName) -> Self {
        Self { tools, absent, asked_for: None, shape }
    }

    /// Whether both are snapshots of a registry that was not changed between them, and offer the same of it.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.tools, &other.tools) && Arc::ptr_eq(&self.absent, &other.absent);
        same && self.asked_for == other.asked_for
    }

    /// Why a tool is not offered, and what would change that; none for unknown names.
    #[must_use]
    pub fn why_absent(&self, name: &str) -> Option<Message> {
        Some(match self.absent.get(name)? {
            Absence::SwitchedOff(setting) => {
                Message::new("tool-switched-off").with("tool", name).with("setting", *setting)
            }
            Absence::Said(why) => why.clone(),
            Absence::Hidden => return None,
            Absence::NotListed => Message::new("tool-not-listed").with("tool", name).with("tools", self.listed()),
        })
    }

    fn listed(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }

    /// The tool of this name, if it is offered.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn AnyTool>> {
        self.tools.get(name).map(|registered| registered.tool())
    }

    pub(crate) fn registered(&self, name: &str) -> Option<&Arc<Registered>> {
        self.tools.get(name)
    }

    /// The tools that can be called, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn AnyTool>> {
        self.tools.values().map(|registered| registered.tool())
    }

    /// The names that can be called, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// How many tools can be called.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether nothing can be called.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The shape of this toolset's results.
    #[must_use]
    pub const fn shape(&self) -> ToolsetName {
        self.shape
    }

    /// The same tools, with results in another shape.
    #[must_use]
    pub fn with_shape(mut self, shape: ToolsetName) -> Self {
        self.shape = shape;
        self
    }

    /// Only the tools of these names; unknown names are returned separately.
    #[must_use]
    pub fn restrict<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> (Self, Vec<&'n str>) {
        let mut kept = Tools::new();
        let mut unknown = Vec::new();
        for name in names {
            match self.tools.get(name) {
                Some(registered) => drop(kept.insert(name.to_owned(), Arc::clone(registered))),
                None => unknown.push(name),
            }
        }
        let mut absent = Absences::clone(&self.absent);
        let left_out = self.tools.keys().filter(|name| !kept.contains_key(*name));
        absent.extend(left_out.map(|name| (name.clone(), Absence::NotListed)));
        (Self { tools: Arc::new(kept), absent: Arc::new(absent), ..self.clone() }, unknown)
    }

    /// The same tools without [hidden](Exposure::Hidden) ones: those that a model's calls reach. Makes every tool.
    #[must_use]
    pub fn for_models(&self) -> Self {
        let hidden = |tool: &Arc<Registered>| tool.tool().spec().exposure == Exposure::Hidden;
        if !self.tools.values().any(hidden) {
            return self.clone();
        }
        let (mut tools, mut absent) = (Tools::clone(&self.tools), Absences::clone(&self.absent));
        tools.retain(|name, tool| {
            let hides = hidden(tool);
            if hides {
                absent.insert(name.clone(), Absence::Hidden);
            }
            !hides
        });
        Self { tools: Arc::new(tools), absent: Arc::new(absent), ..self.clone() }
    }

    /// The same tools, of which these [deferred](Exposure::Deferred) ones are offered from here on, with those asked for before.
    #[must_use]
    pub fn asked_for<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let asked_for = Arc::make_mut(self.asked_for.get_or_insert_default());
        asked_for.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// The tools that models are told of, sorted by name: see [`Exposure`].
    pub fn offered(&self) -> impl Iterator<Item = &Arc<dyn AnyTool>> {
        self.iter().filter(|tool| self.tells_of(&***tool))
    }

    /// Whether models are told of the tool of this name.
    #[must_use]
    pub fn offers(&self, name: &str) -> bool {
        self.get(name).is_some_and(|tool| self.tells_of(&**tool))
    }

    fn tells_of(&self, tool: &dyn AnyTool) -> bool {
        let spec = tool.spec();
        match spec.exposure {
            Exposure::Direct => true,
            Exposure::Deferred => self.asked_for.as_ref().is_some_and(|names| names.contains(&*spec.name)),
            Exposure::Hidden => false,
        }
    }

    /// Every offered tool in this format, sorted by name.
    #[must_use]
    pub fn schemas(&self, format: SchemaFormat) -> Vec<Value> {
        self.offered().map(|tool| render_schema(&**tool, format)).collect()
    }

    /// Names that can be called and are close to `name`, at most three.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        naming::nearest(name, self.names(), 3)
    }
}
