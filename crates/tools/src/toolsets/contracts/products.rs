//! The tools of the contracts document bound to a product: `createListFilesTool(ctx, productId) -> ToolDefinition`, in Rust.
//!
//! A product is a door on its files, and each product has a gate of its own over that door. A [`ToolDefinition`] only
//! submits calls there: there is no way to a tool around the gate. An unconnected product has a door that says so.

use crate::list::registry;
use crate::options::ToolOptions;
use crate::toolsets::ToolsetName;
use palanca_core::call::RawArguments;
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{Files, NoFiles};
use palanca_core::{Call, CallId, Gate, Origin, RegistryError, Scope, Toolset};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The id of a product.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProductId(Arc<str>);

impl ProductId {
    /// Takes the text as it is.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProductId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Finishes each product's gate: guards, rules, asker, recorder, redactor, catalogue.
pub type Finish = dyn Fn(GateBuilder) -> GateBuilder + Send + Sync;

/// The context of the factories: which product has which files, and on whose behalf its tools are called.
pub struct Products {
    options: ToolOptions,
    finish: Box<Finish>,
    origin: Origin,
    scope: Scope,
    connected: BTreeMap<ProductId, Bound>,
    unconnected: Bound,
}

/// A product's gate, and the tools that are offered there.
#[derive(Clone)]
struct Bound {
    gate: Arc<Gate>,
    toolset: Toolset,
}

impl Products {
    /// No product yet. Calls come from `origin`, within `scope`.
    ///
    /// # Errors
    /// None in practice: the names in the list of tools are different and valid.
    pub fn new(
        options: ToolOptions,
        (origin, scope): (Origin, Scope),
        finish: impl Fn(GateBuilder) -> GateBuilder + Send + Sync + 'static,
    ) -> Result<Self, RegistryError> {
        let finish: Box<Finish> = Box::new(finish);
        let unconnected = bind(&options, &*finish, Arc::new(NoFiles::NotConnected))?;
        Ok(Self { options, finish, origin, scope, connected: BTreeMap::new(), unconnected })
    }

    /// Connects a product with its files; a workspace and a remote repository are doors of one kind. Tools that were made
    /// for it before keep the files that they have.
    ///
    /// # Errors
    /// As [`Products::new`].
    pub fn connect(&mut self, product: ProductId, files: Arc<dyn Files>) -> Result<(), RegistryError> {
        let bound = bind(&self.options, &*self.finish, files)?;
        self.connected.insert(product, bound);
        Ok(())
    }

    fn tool(&self, product: &ProductId, name: &'static str) -> ToolDefinition {
        let Bound { gate, toolset } = self.connected.get(product).unwrap_or(&self.unconnected).clone();
        let description = toolset.get(name).map(|tool| tool.spec().description.to_string()).unwrap_or_default();
        ToolDefinition { name, description, gate, toolset, origin: self.origin.clone(), scope: self.scope.clone() }
    }
}

impl fmt::Debug for Products {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Products").field("connected", &self.connected.keys()).finish_non_exhaustive()
    }
}

fn bind(options: &ToolOptions, finish: &Finish, files: Arc<dyn Files>) -> Result<Bound, RegistryError> {
    let tools = Arc::new(registry(ToolsetName::Contracts, options)?);
    let gate = finish(Gate::builder(Arc::clone(&tools)).files(files)).build();
    Ok(Bound { gate: Arc::new(gate), toolset: tools.snapshot() })
}

/// One tool of one product.
pub struct ToolDefinition {
    name: &'static str,
    description: String,
    gate: Arc<Gate>,
    toolset: Toolset,
    origin: Origin,
    scope: Scope,
}

impl ToolDefinition {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What it does, for the model.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Calls it: `{name, input, output?, error?}`. A failure is a result with its `error`, never anything else.
    pub async fn execute(&self, input: Value) -> Value {
        static CALLS: AtomicU64 = AtomicU64::new(1);
        let call = Call {
            id: CallId::new(format!("product-{}", CALLS.fetch_add(1, Ordering::Relaxed))),
            tool: self.name.to_owned(),
            arguments: RawArguments::from(input),
            origin: self.origin.clone(),
            scope: self.scope.clone(),
        };
        self.gate.submit(&self.toolset, call).await.to_json(self.toolset.shape())
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition").field("name", &self.name).finish_non_exhaustive()
    }
}

macro_rules! factories {
    ($($(#[$doc:meta])* $factory:ident = $name:literal;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $factory(products: &Products, product: &ProductId) -> ToolDefinition {
            products.tool(product, $name)
        }
    )*};
}

factories! {
    /// `createListDirsTool(ctx, productId)`.
    create_list_dirs_tool = "list_dirs";
    /// `createListFilesTool(ctx, productId)`.
    create_list_files_tool = "list_files";
    /// `createReadFileTool(ctx, productId)`.
    create_read_file_tool = "read_file";
    /// `createSearchCodeTool(ctx, productId)`.
    create_search_code_tool = "search_code";
    /// `createTodoManagerTool(ctx, productId)`.
    create_todo_manager_tool = "todo_manager";
    /// `createValidateOutputTool(ctx, productId)`.
    create_validate_output_tool = "validate_output";
}
