//! A made command as a tool: its arguments fill the template, and the command that comes out is judged and run like any other.

use super::Vouched;
use crate::operation::{Operation, ToolOptions};
use crate::shell::{Counted, Exec, Form, HINTS, Manner, Order, Status};
use futures_util::future::BoxFuture;
use palanca_core::call::{Claims, ErrorKind, Network, Scope, Shell, Spec};
use palanca_core::tool::{AnyTool, Prepared, PreviewCx};
use palanca_core::{Message, Output, Preview, ToolCx, ToolError};
use palanca_dynamic::{Manifest, Template};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// By the document.
pub(super) const TIME: Duration = Duration::from_secs(30);
/// Until the door has ended what took too long.
pub(super) const MARGIN: Duration = Duration::from_secs(60);

/// What it prints, or its stderr and exit code where it fails.
const FORM: Exec = Exec {
    status: Status::OfFailure,
    stderr: "--- stderr ---",
    counted: Counted::Total,
    timeout: "exec-timeout-fixed",
};

struct MadeCommand {
    spec: Spec,
    schema: Value,
    template: Template,
    vouched: Arc<dyn Vouched>,
    options: Arc<ToolOptions>,
}

/// The tool.
///
/// # Errors
/// A source that is no template.
pub fn made_command(
    manifest: &Manifest,
    source: &str,
    vouched: Arc<dyn Vouched>,
    options: &Arc<ToolOptions>,
) -> Result<Arc<dyn AnyTool>, Message> {
    let template = Template::read(source, &manifest.parameters)?;
    let needed: Vec<&str> = template.names().collect();
    let schema = manifest.parameters.schema(&needed);
    let spec = Spec::new(manifest.name.clone(), manifest.description.trim().to_owned());
    let spec = Spec { annotations: HINTS, timeout: TIME + MARGIN, joins_lists: true, ..spec };
    Ok(Arc::new(MadeCommand { spec, schema, template, vouched, options: Arc::clone(options) }))
}

impl AnyTool for MadeCommand {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let none = Map::new();
        let command = self.template.render(arguments.as_object().unwrap_or(&none));
        let command = command.map_err(|why| ToolError::new(ErrorKind::InvalidArguments, why))?;
        let (vouched, options) = (Arc::clone(&self.vouched), Arc::clone(&self.options));
        Ok(Box::new(MadeCall { name: self.spec.name.clone().into_owned(), command, vouched, options }))
    }
}

/// One call: the command as it is judged, and as it runs.
struct MadeCall {
    name: String,
    command: String,
    vouched: Arc<dyn Vouched>,
    options: Arc<ToolOptions>,
}

impl MadeCall {
    fn order(&self) -> Order<'_> {
        Order {
            shell: Shell::Sh,
            command: &self.command,
            directory: self.options.exec.workdir.as_deref().unwrap_or_default(),
            environment: None,
            terminal: None,
            manner: Manner::Wait(TIME),
            network: Network::None,
            writes: &[],
            form: Form::Exec(FORM),
            options: &self.options,
        }
    }
}

pub(super) fn vouched_for(vouched: &dyn Vouched) -> Result<(), ToolError> {
    vouched.holds().map_err(|why| ToolError::new(ErrorKind::Disabled, why))
}

impl Prepared for MadeCall {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        vouched_for(&*self.vouched)?;
        self.order().claims()
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move {
            vouched_for(&*self.vouched)?;
            match self.order().run(&cx).await {
                Ok(output) => Ok(output.foreign(self.name.as_str())),
                Err(error) => Err(match error.output().cloned() {
                    Some(output) => error.with_foreign_output(output, self.name.as_str()),
                    None => error,
                }),
            }
        })
    }
}
