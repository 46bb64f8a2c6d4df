//! The seam between what is done with programs and how it is offered: as [`crate::operation`], but awaited. A program may
//! run for minutes, and a thread that only waits for it would be wasted.

use crate::options::ToolOptions;
use palanca_core::call::{Claims, Scope};
use palanca_core::tool::{Annotations, Repetition};
use palanca_core::{Args, Output, Spec, Tool, ToolCx, ToolError};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// What a tool may take beyond the longest program: the program's own limit must be the one that ends it, because only
/// then is what it printed kept.
const MARGIN: Duration = Duration::from_secs(60);

/// Programs may do anything, also elsewhere, as far as they are not kept in.
const HINTS: Annotations = Annotations { read_only: false, destructive: true, idempotent: false, open_world: true };

/// One thing that can be done with programs.
pub(crate) trait Waits: Send + Sync {
    /// See [`Tool::effects`].
    fn claims(&self) -> Result<Claims, ToolError>;

    /// See [`Tool::run`].
    fn run(&self, cx: &ToolCx) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// One tool of one toolset.
pub(crate) trait Program: Send + Sync + 'static {
    /// What the model must say.
    type Args: Args;
    /// What that means.
    type Operation<'a>: Waits;

    /// The name.
    const NAME: &'static str;
    /// For the model.
    const DESCRIPTION: &'static str;

    /// Whether the same call over and over is what it is for.
    const REPETITION: Repetition = Repetition::Stuck;

    /// The longest that a call of this tool waits for a program.
    fn longest(options: &ToolOptions) -> Duration;

    /// The operation that these arguments mean.
    fn operation<'a>(args: &'a Self::Args, options: &'a ToolOptions) -> Self::Operation<'a>;
}

/// A [`Program`] with the operator's settings: a tool.
pub(crate) struct Awaited<P> {
    options: Arc<ToolOptions>,
    program: PhantomData<P>,
}

impl<P: Program> Awaited<P> {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options, program: PhantomData }
    }
}

impl<P: Program> Tool for Awaited<P> {
    type Args = P::Args;

    fn spec(&self) -> Spec {
        let limit = P::longest(&self.options).saturating_add(MARGIN);
        let spec = Spec::new(P::NAME, P::DESCRIPTION).annotated(HINTS).timeout(limit);
        Spec { repetition: P::REPETITION, ..spec }
    }

    fn effects(&self, args: &P::Args, _scope: &Scope) -> Result<Claims, ToolError> {
        P::operation(args, &self.options).claims()
    }

    async fn run(&self, args: P::Args, cx: ToolCx) -> Result<Output, ToolError> {
        P::operation(&args, &self.options).run(&cx).await
    }
}
