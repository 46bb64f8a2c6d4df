//! A process door for `--dry-run=commands`: commands see the workspace with the run's changes on top, and what they change
//! becomes one of them. Programs in the background, and those that are spoken to, are not rehearsed; where the kernel lays no
//! layer over the workspace, commands are described.

use crate::notices::Notices;
use crate::workspace::Workspace;
use crate::workspace::processes::Deferred;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, Shell};
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
    notices: Arc<dyn Notices>,
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
        self.sandbox.run(&launch, Run { by, limits, cancel: &Cancel::new(), tail: None, questions: None }).await
    }
}

impl Rehearsal {
    /// The door over a workspace; none, and a notice with the reason, where commands are only described.
    pub(super) fn open(place: &Workspace, overlay: &Arc<Overlay>, scope: &Scope) -> Option<Self> {
        let notices = place.host.notices();
        let mut reason = String::new();
        // A file system that is an overlay itself takes no layer: the first of them in most containers.
        for base in [std::env::temp_dir(), PathBuf::from("/dev/shm")] {
            let tried = Stage::open(&place.disk, &place.processes, &base).and_then(|stage| tried(stage, scope));
            match tried {
                Ok(stage) => {
                    let (notices, overlay) = (Arc::clone(notices), Arc::clone(overlay));
                    return Some(Self { notices, overlay, stage: Mutex::new(stage) });
                }
                Err(error) => reason = error.to_string(),
            }
        }
        notices.warn(&Message::new("dry-run-no-layer").with("reason", reason));
        None
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
            self.notices.warn(&message);
        }
        finished
    }
}

/// The stage, once a program has run on it. On a thread of its own: the caller may be inside a runtime.
fn tried(stage: Stage, scope: &Scope) -> Result<Stage, ProcessError> {
    let owner = Owner::of(scope);
    std::thread::scope(|threads| {
        let trial = threads.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
            runtime.block_on(stage.try_out(&owner)).map(|_| ())
        });
        trial.join().unwrap_or_else(|_| Err(failed("the trial panicked")))
    })?;
    Ok(stage)
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
