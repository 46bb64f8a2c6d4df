//! A process door for `--dry-run=commands`: commands see the workspace with the run's changes on top, and what they change
//! becomes one of them. Programs in the background are not rehearsed; where the kernel lays no layer over the workspace,
//! commands are described.

use crate::say::say;
use crate::wire::processes::Deferred;
use crate::wire::runtime::{Threads, block_on};
use crate::{exit::Failure, render::stderr};
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell};
use palanca_core::ports::{By, Finished, Keep, Owner, ProcessError, ProcessErrorKind, Processes, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_files::{Disk, DiskLayer, Overlay};
use palanca_sandbox::{Sandbox, WriteLayer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// For a program that does nothing.
const TRIAL: Duration = Duration::from_secs(10);
/// Names that are told at once.
const TOLD: usize = 10;

/// Runs commands under a layer.
pub struct Rehearsal {
    overlay: Arc<Overlay>,
    /// One command at a time: each sees what the one before it did.
    stage: Mutex<Stage>,
}

struct Stage {
    layer: DiskLayer,
    sandbox: Sandbox,
}

impl Stage {
    fn open(disk: &Arc<Disk>, processes: &Deferred, base: &Path) -> Result<Self, ProcessError> {
        let layer = DiskLayer::create(Arc::clone(disk), base).map_err(failed)?;
        let sandbox = processes.under(WriteLayer { upper: layer.upper(), work: layer.work() })?;
        Ok(Self { layer, sandbox })
    }

    /// Starts a program that does nothing: the kernel says no sooner to no other question.
    async fn try_out(&self, owner: &Owner) -> Result<Finished, ProcessError> {
        let launch = Launch::script(Shell::Sh, "true", CanonicalPath::new(Root::Workspace, PathBuf::new()));
        let by = By { owner, call: &CallId::new("dry_run"), session: None };
        let limits = RunLimits { time: TRIAL, keep: Keep::default() };
        self.sandbox.run(&launch, Run { by, limits, cancel: &Cancel::new(), tail: None }).await
    }
}

impl Rehearsal {
    /// The door over a disk; none, and the reason on stderr, where commands are only described.
    ///
    /// # Errors
    /// No runtime.
    pub fn open(
        disk: &Arc<Disk>,
        overlay: &Arc<Overlay>,
        processes: &Deferred,
        session: &SessionId,
    ) -> Result<Option<Self>, Failure> {
        let mut reason = String::new();
        // A file system that is an overlay itself takes no layer: the first of them in most containers.
        for base in [std::env::temp_dir(), PathBuf::from("/dev/shm")] {
            let stage = match Stage::open(disk, processes, &base) {
                Ok(stage) => stage,
                Err(error) => {
                    reason = error.to_string();
                    continue;
                }
            };
            let owner = Owner::of(&Scope::session(session.clone()));
            let (stage, tried) = block_on(Threads::One, async move {
                let tried = stage.try_out(&owner).await;
                Ok((stage, tried))
            })?;
            match tried {
                Ok(_) => return Ok(Some(Self { overlay: Arc::clone(overlay), stage: Mutex::new(stage) })),
                Err(error) => reason = error.to_string(),
            }
        }
        stderr::warning(&say(&Message::new("dry-run-no-layer").with("reason", reason)));
        Ok(None)
    }

    async fn rehearse(&self, launch: &Launch, input: Option<&[u8]>, run: Run<'_>) -> Result<Finished, ProcessError> {
        let mut stage = self.stage.lock().await;
        stage.layer.bring_in(&self.overlay).map_err(failed)?;
        // Nothing is kept for undo.
        let run = Run { by: By { session: None, ..run.by }, ..run };
        let finished = match input {
            Some(input) => stage.sandbox.run_fed(launch, input, run).await,
            None => stage.sandbox.run(launch, run).await,
        };
        let left = stage.layer.bring_back(&self.overlay).map_err(failed)?;
        if !left.is_empty() {
            let mut names: Vec<String> = left.iter().take(TOLD).map(|name| name.escape_debug().to_string()).collect();
            if left.len() > TOLD {
                names.push("…".to_owned());
            }
            let message = Message::new("dry-run-not-brought-back").with("names", names.join(", "));
            stderr::warning(&say(&message));
        }
        finished
    }
}

fn failed(error: impl ToString) -> ProcessError {
    ProcessError::new(ProcessErrorKind::Io, "the changes of the dry run").detail(error.to_string())
}

impl Processes for Rehearsal {
    fn isolation(&self) -> &'static str {
        "full"
    }

    fn check(&self, launch: &Launch) -> Result<(), ProcessError> {
        Sandbox::check_variables(launch)
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(self.rehearse(launch, None, run))
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(self.rehearse(launch, Some(input), run))
    }
}
