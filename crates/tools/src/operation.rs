//! The seam between what a tool does and how it is offered.
//!
//! An [`Operation`] is written once and knows nothing of argument names. An [`Offer`] is one tool of one toolset: a name,
//! a description, arguments, and which operation they mean. [`Offered`] makes a [`Tool`] of it. The surprising decision:
//! an operation borrows the arguments, so that a file's content is not copied for judging, showing and writing it.

use crate::options::ToolOptions;
use palanca_core::call::{Claims, Scope};
use palanca_core::ports::FilesHandle;
use palanca_core::tool::{Annotations, PreviewCx};
use palanca_core::{Args, Output, Preview, Spec, Tool, ToolCx, ToolError};
use std::marker::PhantomData;
use std::sync::Arc;

/// One thing that can be done to the workspace.
pub(crate) trait Operation {
    /// See [`Tool::effects`].
    fn claims(&self) -> Result<Claims, ToolError>;

    /// See [`Tool::preview`].
    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        let _ = files;
        Ok(None)
    }

    /// See [`Tool::run`]. Blocks.
    fn run(&self, cx: &ToolCx) -> Result<Output, ToolError>;
}

/// One tool of one toolset.
pub(crate) trait Offer: Send + Sync + 'static {
    /// What the model must say.
    type Args: Args;
    /// What that means.
    type Operation<'a>: Operation;

    /// The name.
    const NAME: &'static str;
    /// For the model.
    const DESCRIPTION: &'static str;
    /// Hints.
    const ANNOTATIONS: Annotations;

    /// The operation that these arguments mean.
    fn operation<'a>(args: &'a Self::Args, options: &'a ToolOptions) -> Self::Operation<'a>;
}

/// An [`Offer`] with the operator's settings: a tool.
pub(crate) struct Offered<O> {
    options: Arc<ToolOptions>,
    offer: PhantomData<O>,
}

impl<O: Offer> Offered<O> {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options, offer: PhantomData }
    }
}

impl<O: Offer> Tool for Offered<O> {
    type Args = O::Args;

    fn spec(&self) -> Spec {
        Spec::new(O::NAME, O::DESCRIPTION).annotated(O::ANNOTATIONS).blocking()
    }

    fn effects(&self, args: &O::Args, _scope: &Scope) -> Result<Claims, ToolError> {
        O::operation(args, &self.options).claims()
    }

    fn preview(&self, args: &O::Args, cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        O::operation(args, &self.options).preview(cx.files())
    }

    async fn run(&self, args: O::Args, cx: ToolCx) -> Result<Output, ToolError> {
        O::operation(&args, &self.options).run(&cx)
    }
}
