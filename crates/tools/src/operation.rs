//! The seam between what a tool does and how it is offered.
//!
//! An [`Operation`] is written once and knows nothing of argument names. An [`Offer`] is the arguments of one tool of one
//! toolset, with a name, a description, and which operation they mean. [`Offered`] makes a [`Tool`] of it. The surprising decision:
//! an operation borrows the arguments, so that a file's content is not copied for judging, showing and writing it.
//!
//! What works on files blocks a thread of its own. What waits for programs or hosts is awaited: they may take minutes, and a
//! thread that only waits would be wasted.

pub(crate) use crate::options::ToolOptions;
pub(crate) use palanca_core::Args;
use palanca_core::call::{Claims, Scope};
use palanca_core::ports::FilesHandle;
pub(crate) use palanca_core::tool::Annotations;
pub(crate) use palanca_core::tool::Lane;
use palanca_core::tool::{PreviewCx, Repetition};
use palanca_core::{Output, Preview, Spec, Tool, ToolCx, ToolError};
pub(crate) use palanca_derive::Args;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// What a tool may take beyond the longest that it waits: the door's own limit must be the one that ends the wait, because
/// only then is what came until then kept.
const MARGIN: Duration = Duration::from_secs(60);

/// One thing that can be done.
pub(crate) trait Operation: Send + Sync {
    /// See [`Tool::effects`].
    fn claims(&self) -> Result<Claims, ToolError>;

    /// See [`Tool::preview`].
    fn preview(&self, files: &FilesHandle) -> Result<Option<Preview>, ToolError> {
        let _ = files;
        Ok(None)
    }

    /// See [`Tool::run`].
    fn run(&self, cx: &ToolCx) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// One tool of one toolset: what the model must say, and what that means.
pub(crate) trait Offer: Args {
    /// The name.
    const NAME: &'static str;
    /// For the model.
    const DESCRIPTION: &'static str;
    /// Hints.
    const ANNOTATIONS: Annotations;
    /// Whether the same call over and over is what it is for.
    const REPETITION: Repetition = Repetition::Stuck;

    /// Where it runs, when it waits for no program or host.
    const LANE: Lane = Lane::Blocking;

    /// The longest that a call waits for programs or hosts; nothing, where it blocks instead.
    fn longest(options: &ToolOptions) -> Option<Duration> {
        let _ = options;
        None
    }

    /// Where the call was made: told once, before anything else is asked.
    fn made_in(&self, scope: &Scope) {
        let _ = scope;
    }

    /// The operation that these arguments mean.
    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation;
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
    type Args = O;

    fn spec(&self) -> Spec {
        let spec = Spec::new(O::NAME, O::DESCRIPTION).annotated(O::ANNOTATIONS);
        let spec = match O::longest(&self.options) {
            Some(longest) => spec.timeout(longest.saturating_add(MARGIN)),
            None => Spec { lane: O::LANE, ..spec },
        };
        Spec { repetition: O::REPETITION, ..spec }
    }

    fn effects(&self, args: &O, scope: &Scope) -> Result<Claims, ToolError> {
        args.made_in(scope);
        args.operation(&self.options).claims()
    }

    fn preview(&self, args: &O, cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        args.operation(&self.options).preview(cx.files())
    }

    async fn run(&self, args: O, cx: ToolCx) -> Result<Output, ToolError> {
        args.operation(&self.options).run(&cx).await
    }
}
