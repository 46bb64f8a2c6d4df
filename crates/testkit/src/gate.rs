//! A real gate on a temporary workspace, with fakes around it.

use crate::fakes::{Answers, Recorded};
use crate::workspace::TempWorkspace;
use palanca_core::gate::{CallOrder, GateBuilder, Limits};
use palanca_core::ports::{Answer, CommandReader, Guard, Hook, Processes};
use palanca_core::{
    Call, CallId, ConfirmMode, Gate, Origin, Registry, RunMode, Scope, ToolResult, Toolset, ToolsetName,
};
use palanca_text::{FluentCatalogue, Locale};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A gate, and what its fakes received.
pub struct TestGate {
    /// The gate.
    pub gate: Arc<Gate>,
    /// The offered tools.
    pub toolset: Toolset,
    /// Every record.
    pub recorded: Arc<Recorded>,
    /// Every question.
    pub answers: Arc<Answers>,
    calls: AtomicUsize,
}

/// Builds a [`TestGate`]. Defaults: English, real effects, a person who says yes, `confirm-sensitive`.
pub struct TestGateBuilder {
    builder: GateBuilder,
    registry: Arc<Registry>,
    answers: Arc<Answers>,
    locale: Locale,
}

impl TestGate {
    /// A gate over these tools on this workspace.
    #[must_use]
    pub fn builder(workspace: &TempWorkspace, registry: Registry) -> TestGateBuilder {
        let registry = Arc::new(registry);
        TestGateBuilder {
            builder: Gate::builder(Arc::clone(&registry)).files(workspace.door()),
            registry,
            answers: Arc::new(Answers::always(Answer::Yes)),
            locale: Locale::En,
        }
    }

    /// One call by a person, with a new id.
    pub async fn call(&self, tool: &str, arguments: impl Into<palanca_core::call::RawArguments>) -> ToolResult {
        self.gate.submit(&self.toolset, self.submission(tool, arguments)).await
    }

    /// Submits the calls of one turn, all at once. Results come in call order.
    pub async fn turn(&self, calls: Vec<Call>) -> Vec<ToolResult> {
        let order = CallOrder::new();
        let submit = |call| self.gate.submit_in_order(order.ticket(), &self.toolset, call);
        futures_util::future::join_all(calls.into_iter().map(submit)).await
    }

    /// The call that [`TestGate::call`] would submit.
    pub fn submission(&self, tool: &str, arguments: impl Into<palanca_core::call::RawArguments>) -> Call {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        Call {
            id: CallId::new(format!("call-{number}")),
            tool: tool.to_owned(),
            arguments: arguments.into(),
            origin: Origin::Person,
            scope: Scope::session("test".into()),
        }
    }

    /// One call, its result in the toolset's shape.
    pub async fn json(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.to_json(self.toolset.shape())
    }

    /// The same offered tools with results in another shape.
    #[must_use]
    pub fn shaped(&self, shape: ToolsetName) -> Toolset {
        self.toolset.clone().with_shape(shape)
    }
}

impl TestGateBuilder {
    /// In this language.
    #[must_use]
    pub fn locale(mut self, locale: Locale) -> Self {
        self.locale = locale;
        self
    }

    /// With this person.
    #[must_use]
    pub fn answers(mut self, answers: Answers) -> Self {
        self.answers = Arc::new(answers);
        self
    }

    /// With this process door.
    #[must_use]
    pub fn processes(mut self, processes: Arc<dyn Processes>) -> Self {
        self.builder = self.builder.processes(processes);
        self
    }

    /// With this command reader. Without one, every command is dangerous.
    #[must_use]
    pub fn reader(mut self, reader: impl CommandReader + 'static) -> Self {
        self.builder = self.builder.reader(Arc::new(reader));
        self
    }

    /// In this mode.
    #[must_use]
    pub fn mode(mut self, mode: ConfirmMode) -> Self {
        self.builder = self.builder.mode(mode);
        self
    }

    /// With one more guard.
    #[must_use]
    pub fn guard(mut self, guard: impl Guard + 'static) -> Self {
        self.builder = self.builder.guard(Arc::new(guard));
        self
    }

    /// With one more hook.
    #[must_use]
    pub fn hook(mut self, hook: Arc<dyn Hook>) -> Self {
        self.builder = self.builder.hook(hook);
        self
    }

    /// Within these limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.builder = self.builder.limits(limits);
        self
    }

    /// A dry run: an overlay over this workspace.
    #[must_use]
    pub fn dry_run(mut self, workspace: &TempWorkspace) -> Self {
        self.builder = self.builder.files(workspace.overlay()).run_mode(RunMode::DryRun);
        self
    }

    /// Any other setting of the gate.
    #[must_use]
    pub fn with(mut self, more: impl FnOnce(GateBuilder) -> GateBuilder) -> Self {
        self.builder = more(self.builder);
        self
    }

    /// The gate.
    #[must_use]
    pub fn build(self) -> TestGate {
        let recorded = Arc::new(Recorded::default());
        let gate = self
            .builder
            .asker(Arc::clone(&self.answers) as _)
            .recorder(Arc::clone(&recorded) as _)
            .catalogue(Arc::new(FluentCatalogue::new(self.locale)))
            .build();
        TestGate {
            gate: Arc::new(gate),
            toolset: self.registry.snapshot(),
            recorded,
            answers: self.answers,
            calls: AtomicUsize::new(0),
        }
    }
}
