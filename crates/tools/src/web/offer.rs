//! The seam between what is looked up and how it is offered: as [`crate::operation`], but awaited.

use crate::options::ToolOptions;
use palanca_core::call::{Claims, HttpAccess, Scope};
use palanca_core::ports::http::Header;
use palanca_core::ports::{WebAnswer, WebError, WebHandle, WebLimits};
use palanca_core::tool::Annotations;
use palanca_core::{Args, Output, Spec, Tool, ToolCx, ToolError};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// What a tool may take beyond the door's own limits: the door's must be the ones that end it, because only then is what
/// came until then shown.
const MARGIN: Duration = Duration::from_secs(60);

/// Looking something up changes nothing, here or there.
const HINTS: Annotations = Annotations { read_only: true, destructive: false, idempotent: true, open_world: true };

/// One thing that can be looked up.
pub(crate) trait Lookup: Send + Sync {
    /// See [`Tool::effects`].
    fn claims(&self) -> Result<Claims, ToolError>;

    /// See [`Tool::run`].
    fn run(&self, cx: &ToolCx) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// One tool of one toolset.
pub(crate) trait Online: Send + Sync + 'static {
    /// What the model must say.
    type Args: Args;
    /// What that means.
    type Operation<'a>: Lookup;

    /// The name.
    const NAME: &'static str;
    /// For the model.
    const DESCRIPTION: &'static str;

    /// The longest that a call of this tool waits for hosts.
    fn longest(options: &ToolOptions) -> Duration;

    /// The operation that these arguments mean.
    fn operation<'a>(args: &'a Self::Args, options: &'a ToolOptions) -> Self::Operation<'a>;
}

/// An [`Online`] with the operator's settings: a tool.
pub(crate) struct Looked<O> {
    options: Arc<ToolOptions>,
    offer: PhantomData<O>,
}

impl<O: Online> Looked<O> {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options, offer: PhantomData }
    }
}

impl<O: Online> Tool for Looked<O> {
    type Args = O::Args;

    fn spec(&self) -> Spec {
        let limit = O::longest(&self.options).saturating_add(MARGIN);
        Spec::new(O::NAME, O::DESCRIPTION).annotated(HINTS).timeout(limit)
    }

    fn effects(&self, args: &O::Args, _scope: &Scope) -> Result<Claims, ToolError> {
        O::operation(args, &self.options).claims()
    }

    async fn run(&self, args: O::Args, cx: ToolCx) -> Result<Output, ToolError> {
        O::operation(&args, &self.options).run(&cx).await
    }
}

/// One request as an operation makes it.
pub(super) struct Ask<'a> {
    pub(super) headers: &'a [Header],
    pub(super) limits: WebLimits,
    /// The oldest answer that will do.
    pub(super) fresh: Duration,
}

impl Ask<'_> {
    /// Sends it. What is kept in memory counts only if `worth` says so: nobody is told of an old failure.
    pub(super) async fn send(
        &self,
        web: &WebHandle,
        reach: &HttpAccess,
        worth: impl Fn(&WebAnswer) -> bool + Send,
    ) -> Result<WebAnswer, WebError> {
        let answer = web.open(reach, self.headers, self.limits, self.fresh).await?;
        if answer.age.is_none() || worth(&answer) {
            return Ok(answer);
        }
        web.open(reach, self.headers, self.limits, Duration::ZERO).await
    }
}
