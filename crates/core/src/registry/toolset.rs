//! The tools of one turn: an immutable snapshot. Tools outside it cannot be executed, whatever a model names.

use super::naming;
use super::schemas::{SchemaFormat, render_schema};
use crate::arguments::{Checker, plainly_fits};
use crate::call::ToolsetName;
use crate::message::Message;
use crate::tool::AnyTool;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

type Make = Box<dyn FnOnce() -> Arc<dyn AnyTool> + Send>;

/// A registered tool, made when it is first looked at, with its argument checker, which is compiled for the first arguments
/// that do not plainly fit.
pub(crate) struct Registered {
    tool: LazyLock<Arc<dyn AnyTool>, Make>,
    checker: OnceLock<Checker>,
}

impl Registered {
    pub(crate) fn new(make: impl FnOnce() -> Arc<dyn AnyTool> + Send + 'static) -> Self {
        Self { tool: LazyLock::new(Box::new(make)), checker: OnceLock::new() }
    }

    pub(crate) fn tool(&self) -> &Arc<dyn AnyTool> {
        &self.tool
    }

    /// What is wrong with these arguments, by the tool's schema.
    pub(crate) fn errors(&self, arguments: &Value) -> Vec<String> {
        let schema = self.tool().schema();
        if plainly_fits(arguments, schema) {
            return Vec::new();
        }
        self.checker.get_or_init(|| Checker::new(schema)).errors(arguments)
    }
}

pub(crate) type Tools = BTreeMap<String, Arc<Registered>>;

/// Why a tool that exists is not offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// The operator has switched it off; this setting switches it on.
    SwitchedOff(&'static str),
    /// It is not on the current agent's list.
    NotListed,
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
    shape: ToolsetName,
}

impl std::fmt::Debug for Toolset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Toolset {
    pub(crate) const fn new(tools: Arc<Tools>, absent: Arc<Absences>, shape: ToolsetName) -> Self {
        Self { tools, absent, shape }
    }

    /// Why a tool is not offered, and what would change that; none for unknown names.
    #[must_use]
    pub fn why_absent(&self, name: &str) -> Option<Message> {
        Some(match self.absent.get(name)? {
            Absence::SwitchedOff(setting) => {
                Message::new("tool-switched-off").with("tool", name).with("setting", *setting)
            }
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

    /// The offered tools, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn AnyTool>> {
        self.tools.values().map(|registered| registered.tool())
    }

    /// The offered names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// How many tools are offered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether nothing is offered.
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
        (Self { tools: Arc::new(kept), absent: Arc::new(absent), shape: self.shape }, unknown)
    }

    /// Every offered tool in this format, sorted by name.
    #[must_use]
    pub fn schemas(&self, format: SchemaFormat) -> Vec<Value> {
        self.iter().map(|tool| render_schema(&**tool, format)).collect()
    }

    /// Offered names that are close to `name`, at most three.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        naming::nearest(name, self.names(), 3)
    }
}
