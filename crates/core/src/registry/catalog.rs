//! The registry: tools come and go from many threads; turns work on snapshots.

use super::naming::{MAX_NAME, is_valid_name};
use super::schemas::{SchemaFormat, render_schema};
use super::toolset::{Absence, Absences, Registered, Tools, Toolset};
use crate::arguments::contradiction;
use crate::call::{Exposure, ToolsetName};
use crate::message::{Catalogue, Message, Words};
use crate::tool::{AnyTool, Args, Tool, Typed};
use parking_lot::RwLock;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// Whether a registration may replace a tool of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Override {
    /// A second tool of the same name is an error.
    Refuse,
    /// A second tool takes the first one's place.
    Allow,
}

/// Why the registry said no.
///
/// See the example of [`Registry`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// A tool of this name is registered and overriding was not asked for.
    #[error("tool '{name}' is already registered: give the new one another name, or register it with Override::Allow")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The name is not what every provider accepts.
    #[error("tool name '{name}' is not allowed: use 1 to {MAX_NAME} characters of A-Z, a-z, 0-9, '_' and '-'")]
    InvalidName {
        /// The name.
        name: String,
    },
    /// The schema of the arguments does not describe an object.
    #[error("tool '{name}': the schema of its arguments must have \"type\": \"object\"")]
    InvalidSchema {
        /// The tool's name.
        name: String,
    },
    /// The schema of the output's data does not describe an object.
    #[error("tool '{name}': the schema of its output must have \"type\": \"object\"")]
    InvalidOutputSchema {
        /// The tool's name.
        name: String,
    },
    /// No arguments can fit the schema.
    #[error("tool '{name}': the schema of its arguments contradicts itself, so no call could be valid; {reason}")]
    Contradiction {
        /// The tool's name.
        name: String,
        /// `place: what excludes what`.
        reason: String,
    },
    /// No tool of this name.
    #[error("tool '{name}' is not registered; available: {}", available.join(", "))]
    NotFound {
        /// The name.
        name: String,
        /// Every registered name, sorted.
        available: Vec<String>,
    },
}

/// Where tools come from that others may add, change or take away meanwhile, outside of this process.
pub trait Source: Send + Sync {
    /// Brings the registry up to date. It is called before each snapshot, so it must be quick, and must not take one.
    fn refresh(&self, registry: &Registry);
}

/// All registered tools. All methods may be called from many threads; a running turn keeps the snapshot it started
/// with.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{Registry, RegistryError};
///
/// let registry = Registry::new();
/// assert_eq!(registry.count(), 0);
/// assert!(matches!(registry.get("read_file"), Err(RegistryError::NotFound { .. })));
/// ```
///
/// With a tool: [`stateful_tool.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/stateful_tool.rs).
#[derive(Default)]
pub struct Registry {
    tools: RwLock<Arc<Tools>>,
    absent: RwLock<Arc<Absences>>,
    shape: ToolsetName,
    words: OnceLock<Arc<dyn Catalogue>>,
    source: OnceLock<Arc<dyn Source>>,
}

impl Registry {
    /// An empty registry whose results have the `palanca` shape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty registry whose snapshots give results in this shape.
    #[must_use]
    pub fn with_shape(shape: ToolsetName) -> Self {
        Self { shape, ..Self::default() }
    }

    pub(crate) const fn shape(&self) -> ToolsetName {
        self.shape
    }

    /// Registers a typed tool.
    ///
    /// # Errors
    /// See [`Registry::register_any`].
    pub fn register<T: Tool>(&self, tool: T) -> Result<(), RegistryError> {
        if let Some(words) = <T::Args as Args>::words() {
            self.speaks(words);
        }
        self.register_any(Arc::new(Typed::new(tool)), Override::Refuse)
    }

    /// Sets the default catalogue for gates over these tools. The first one counts; without any, a gate without a
    /// catalogue shows keys and arguments. The crate `palanca` sets English for every tool made through it.
    pub fn speaks(&self, words: Words) {
        self.words.get_or_init(words);
    }

    pub(crate) fn words(&self) -> Option<&Arc<dyn Catalogue>> {
        self.words.get()
    }

    /// Registers a tool of any kind.
    ///
    /// # Errors
    /// [`RegistryError::InvalidName`], [`RegistryError::InvalidSchema`], [`RegistryError::InvalidOutputSchema`],
    /// [`RegistryError::Contradiction`], and [`RegistryError::Duplicate`] unless overriding is allowed. Nothing is registered then.
    pub fn register_any(&self, tool: Arc<dyn AnyTool>, over: Override) -> Result<(), RegistryError> {
        let name = valid(&tool.spec().name)?;
        if tool.schema().get("type").and_then(Value::as_str) != Some("object") {
            return Err(RegistryError::InvalidSchema { name });
        }
        let output = tool.spec().output_schema.as_deref();
        if output.is_some_and(|schema| schema.get("type").and_then(Value::as_str) != Some("object")) {
            return Err(RegistryError::InvalidOutputSchema { name });
        }
        if let Some(reason) = contradiction(tool.schema()) {
            return Err(RegistryError::Contradiction { name, reason });
        }
        self.add(name, Registered::new(move || tool), over)
    }

    /// Registers a tool that is made when it is first looked at: of a long list, a call needs one. Its schema is not
    /// examined, so this is for tools whose schemas a test holds; `name` must be the tool's own.
    ///
    /// # Errors
    /// [`RegistryError::InvalidName`] and [`RegistryError::Duplicate`]. Nothing is registered then.
    pub fn register_later(
        &self,
        name: &str,
        make: impl FnOnce() -> Arc<dyn AnyTool> + Send + 'static,
    ) -> Result<(), RegistryError> {
        self.add(valid(name)?, Registered::new(make), Override::Refuse)
    }

    fn add(&self, name: String, tool: Registered, over: Override) -> Result<(), RegistryError> {
        self.change(|tools| {
            if over == Override::Refuse && tools.contains_key(&name) {
                return Err(RegistryError::Duplicate { name });
            }
            tools.insert(name, Arc::new(tool));
            Ok(())
        })
    }

    /// Records which setting (`key: value`) of the configuration switches an unregistered tool on.
    pub fn switch_off(&self, name: &str, setting: &'static str) {
        let mut absent = self.absent.write();
        Arc::make_mut(&mut absent).insert(name.to_owned(), Absence::SwitchedOff(setting));
    }

    /// Records why a tool that there is cannot be called, or that there is nothing to say any more.
    pub fn explain_absence(&self, name: &str, why: Option<Message>) {
        let mut absent = self.absent.write();
        let why = why.map(Absence::Said);
        if absent.get(name) == why.as_ref() {
            return;
        }
        match why {
            Some(why) => drop(Arc::make_mut(&mut absent).insert(name.to_owned(), why)),
            None => drop(Arc::make_mut(&mut absent).remove(name)),
        }
    }

    /// Keeps up with a source from now on. The first one counts.
    pub fn follow(&self, source: Arc<dyn Source>) {
        self.source.get_or_init(|| source);
    }

    /// Removes a tool; running turns keep it. Returns whether it existed.
    pub fn remove(&self, name: &str) -> bool {
        self.change(|tools| tools.remove(name).is_some())
    }

    /// The tool of this name.
    ///
    /// # Errors
    /// [`RegistryError::NotFound`] with every registered name.
    pub fn get(&self, name: &str) -> Result<Arc<dyn AnyTool>, RegistryError> {
        let tools = self.current();
        let found = tools.get(name).map(|registered| Arc::clone(registered.tool()));
        found.ok_or_else(|| not_found(name, &tools))
    }

    /// Every tool, sorted by name.
    #[must_use]
    pub fn list_all(&self) -> Vec<Arc<dyn AnyTool>> {
        self.current().values().map(|registered| Arc::clone(registered.tool())).collect()
    }

    /// Every name, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.current().keys().cloned().collect()
    }

    /// Schemas in `OpenAI` form, for models. An empty list means every tool that is [offered](Toolset::offered), sorted by name;
    /// otherwise the named ones in the given order, whereby deferred ones are asked for. Names that are not registered, or
    /// hidden, are returned separately so that the caller can warn.
    #[must_use]
    pub fn get_schemas<'n>(&self, allowed: &[&'n str]) -> (Vec<Value>, Vec<&'n str>) {
        let tools = self.current();
        let render = |registered: &Arc<Registered>| render_schema(&**registered.tool(), SchemaFormat::OpenAi);
        if allowed.is_empty() {
            return (self.snapshot().schemas(SchemaFormat::OpenAi), Vec::new());
        }
        let mut unknown = Vec::new();
        let mut schemas = Vec::with_capacity(allowed.len());
        for &name in allowed {
            match tools.get(name) {
                Some(registered) if registered.tool().spec().exposure != Exposure::Hidden => {
                    schemas.push(render(registered))
                }
                _ => unknown.push(name),
            }
        }
        (schemas, unknown)
    }

    /// As [`Registry::get_schemas`], but an unknown name is an error.
    ///
    /// # Errors
    /// [`RegistryError::NotFound`] for the first unknown name.
    pub fn get_schemas_strict(&self, allowed: &[&str]) -> Result<Vec<Value>, RegistryError> {
        match self.get_schemas(allowed) {
            (schemas, unknown) if unknown.is_empty() => Ok(schemas),
            (_, unknown) => Err(not_found(unknown.first().copied().unwrap_or_default(), &self.current())),
        }
    }

    /// The definitions of every offered tool in `OpenAI` form.
    #[must_use]
    pub fn get_definitions(&self) -> Vec<Value> {
        self.get_schemas(&[]).0
    }

    /// The named tools in the given order; an empty list gives none.
    ///
    /// # Errors
    /// [`RegistryError::NotFound`] for the first unknown name.
    pub fn filter_by_names(&self, names: &[&str]) -> Result<Vec<Arc<dyn AnyTool>>, RegistryError> {
        let tools = self.current();
        names
            .iter()
            .map(|name| tools.get(*name).map(|found| Arc::clone(found.tool())).ok_or_else(|| not_found(name, &tools)))
            .collect()
    }

    /// Whether a tool of this name is registered.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        self.current().contains_key(name)
    }

    /// How many tools are registered.
    #[must_use]
    pub fn count(&self) -> usize {
        self.current().len()
    }

    /// Removes every tool.
    pub fn clear(&self) {
        self.change(Tools::clear);
    }

    /// A snapshot of all tools, for one turn.
    #[must_use]
    pub fn snapshot(&self) -> Toolset {
        if let Some(source) = self.source.get() {
            source.refresh(self);
        }
        let absent = Arc::clone(&self.absent.read());
        Toolset::new(self.current(), absent, self.shape)
    }

    fn current(&self) -> Arc<Tools> {
        Arc::clone(&self.tools.read())
    }

    fn change<R>(&self, change: impl FnOnce(&mut Tools) -> R) -> R {
        let mut tools = self.tools.write();
        change(Arc::make_mut(&mut tools))
    }
}

fn valid(name: &str) -> Result<String, RegistryError> {
    let name = name.to_owned();
    if is_valid_name(&name) { Ok(name) } else { Err(RegistryError::InvalidName { name }) }
}

fn not_found(name: &str, tools: &Tools) -> RegistryError {
    RegistryError::NotFound { name: name.to_owned(), available: tools.keys().cloned().collect() }
}
