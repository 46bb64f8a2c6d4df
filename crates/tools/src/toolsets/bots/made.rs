//! `create_tool`.

use crate::made::Create;
use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::soul::Dated;
use palanca_dynamic::{Kind, Manifest, Parameters, Permissions, Status};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MadeKind {
    Typescript,
    Command,
}

#[derive(Args)]
pub(crate) struct PermissionArgs {
    /// Hosts that it may fetch from.
    hosts: Option<Vec<String>>,
    /// Files or folders of the workspace that it may read.
    reads: Option<Vec<String>>,
    /// Tools that it may call.
    tools: Option<Vec<String>>,
}

#[derive(Args)]
pub(crate) struct CreateTool {
    /// snake_case, not the name of another tool.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// `command`: a shell command with `{{parameter}}` where a value belongs. `typescript`: a script whose default export is `run(args)`.
    #[arg(rename = "type")]
    kind: MadeKind,
    /// The command, like `wc -w -- {{file}}`, or the script. Each {{parameter}} becomes one literal argument: no quotes are needed around it.
    source: String,
    /// The parameters by name: {"file": {"type": "string", "description": "…", "required": true}}. Types: string, number, integer, boolean;
    /// for scripts array and object, too.
    parameters: Option<BTreeMap<String, Value>>,
    /// Who has it: `all` bots, or the id of one.
    scope: Option<String>,
    /// What a script may ask for; leave out for nothing.
    permissions: Option<PermissionArgs>,
}

impl Dated<CreateTool> {
    fn manifest(&self, options: &ToolOptions) -> Result<Manifest, palanca_core::Message> {
        let CreateTool { name, description, kind, parameters, scope, permissions, .. } = &self.args;
        let given: Map<String, Value> =
            parameters.iter().flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
        let list = |named: &Option<Vec<String>>| named.clone().unwrap_or_default();
        let permissions = permissions.as_ref().map(|given| Permissions {
            hosts: list(&given.hosts),
            reads: list(&given.reads),
            tools: list(&given.tools),
        });
        let now = self.moment().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        let scope = scope.as_deref().map(str::trim).filter(|scope| !scope.is_empty());
        Ok(Manifest {
            id: name.clone(),
            name: name.clone(),
            description: description.clone(),
            kind: match kind {
                MadeKind::Typescript => Kind::Typescript,
                MadeKind::Command => Kind::Command,
            },
            status: Status::Pending,
            created_by: options.bots.own.clone(),
            scope: scope.unwrap_or("all").to_owned(),
            parameters: Parameters::read(&given.into())?,
            permissions: permissions.unwrap_or_default(),
            created_at: now.clone(),
            updated_at: now,
            rejection_note: None,
            rest: Map::new(),
        })
    }
}

impl Offer for Dated<CreateTool> {
    const NAME: &'static str = "create_tool";
    const DESCRIPTION: &'static str = "Propose a new tool: a shell command with parameters, or a TypeScript script. It is pending until a person approves it, and is among your tools from then on. For what comes again and again and no tool does yet.";
    const ANNOTATIONS: Annotations = Annotations::WRITES;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Create { manifest: self.manifest(options), source: &self.args.source, options }
    }
}
