//! A process door that runs commands in a copy of the workspace: `--dry-run=commands`. Programs in the background are not
//! rehearsed, and neither is anything where nothing would keep a program in the copy.

use crate::wire::processes::Deferred;
use crate::wire::settings;
use crate::{exit::Failure, render::stderr};
use futures_util::future::BoxFuture;
use palanca_config::Config;
use palanca_core::call::{Launch, ProcessId, SessionId};
use palanca_core::ports::{
    By, Captured, ChangeOrigin, Finished, NoProcesses, Owner, Polled, ProcessError, ProcessErrorKind, ProcessStatus,
    Processes, Run,
};
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Disk, Mirror, Overlay, SnapshotLimits};
use palanca_sandbox::{Isolation, Sandbox, SandboxSettings};
use palanca_text::FluentCatalogue;
use std::sync::Arc;
use tokio::sync::Mutex;

/// Runs commands in a copy.
pub struct Rehearsal {
    disk: Arc<Disk>,
    overlay: Arc<Overlay>,
    settings: SandboxSettings,
    session: SessionId,
    catalogue: Arc<FluentCatalogue>,
    isolation: &'static str,
    /// Made with the first command. One command at a time: each sees what the one before it did.
    stage: Mutex<Option<Stage>>,
}

struct Stage {
    mirror: Mirror,
    sandbox: Sandbox,
}

/// The door for this configuration; none, and the reason on stderr, where commands are only described.
///
/// # Errors
/// A workspace that cannot be read, exit code 3.
pub fn rehearsal(
    config: &Config,
    (disk, overlay): (&Arc<Disk>, &Arc<Overlay>),
    (processes, session): (&Deferred, &SessionId),
) -> Result<Option<Rehearsal>, Failure> {
    let catalogue = settings::catalogue(config);
    let say = |message: &Message| stderr::warning(&catalogue.render(message));
    let limits = SnapshotLimits { files: config.undo.max_files, bytes: config.undo.max_bytes };
    if !Mirror::fits(disk, limits).map_err(Failure::usage)? {
        say(&Message::new("dry-run-too-large").with("files", limits.files).with("mebibytes", limits.bytes >> 20));
        return Ok(None);
    }
    let settings = processes.settings();
    let isolation = processes.isolation();
    if settings.isolation == Isolation::Unsandboxed || isolation == "none" {
        say(&Message::new("dry-run-not-kept-in"));
        return Ok(None);
    }
    let (disk, overlay, session) = (Arc::clone(disk), Arc::clone(overlay), session.clone());
    Ok(Some(Rehearsal { disk, overlay, settings, session, catalogue, isolation, stage: Mutex::default() }))
}

impl Rehearsal {
    fn stage(&self) -> Result<Stage, ProcessError> {
        let mirror = Mirror::create(Arc::clone(&self.disk)).map_err(failed)?;
        let mut settings = self.settings.clone();
        settings.workspace = mirror.path().to_owned();
        // The real one is out of reach, whatever a command calls it.
        settings.masked.push(self.disk.workspace().to_owned());
        settings.state_file = None;
        let sandbox = Sandbox::new(settings).map_err(failed)?;
        Ok(Stage { mirror, sandbox })
    }

    async fn rehearse(&self, launch: &Launch, input: Option<&[u8]>, run: Run<'_>) -> Result<Finished, ProcessError> {
        let mut place = self.stage.lock().await;
        let stage = match &mut *place {
            Some(stage) => stage,
            empty => empty.insert(self.stage()?),
        };
        let origin = ChangeOrigin { session: self.session.clone(), call: run.by.call.clone() };
        stage.mirror.bring_in(&self.overlay, &origin).map_err(failed)?;
        let finished = match input {
            Some(input) => stage.sandbox.run_fed(launch, input, run).await,
            None => stage.sandbox.run(launch, run).await,
        };
        let left = stage.mirror.bring_back(&self.overlay, &origin).map_err(failed)?;
        if !left.is_empty() {
            let message = Message::new("dry-run-not-brought-back").with("names", left.join(", "));
            stderr::warning(&self.catalogue.render(&message));
        }
        let mut finished = finished?;
        let (from, to) = (stage.mirror.path().display().to_string(), self.disk.workspace().display().to_string());
        for stream in [&mut finished.stdout, &mut finished.stderr] {
            rename(stream, from.as_bytes(), to.as_bytes());
        }
        Ok(finished)
    }
}

/// What a program printed names the workspace, not the copy.
fn rename(stream: &mut Captured, from: &[u8], to: &[u8]) {
    for kept in [&mut stream.head, &mut stream.tail] {
        let mut renamed = Vec::with_capacity(kept.len());
        let mut rest = kept.as_slice();
        while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
            let (before, found) = rest.split_at(at);
            renamed.extend_from_slice(before);
            renamed.extend_from_slice(to);
            rest = found.get(from.len()..).unwrap_or_default();
        }
        renamed.extend_from_slice(rest);
        *kept = renamed;
    }
}

fn failed(error: impl ToString) -> ProcessError {
    ProcessError::new(ProcessErrorKind::Io, "the copy of the workspace").detail(error.to_string())
}

impl Processes for Rehearsal {
    fn isolation(&self) -> &'static str {
        self.isolation
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

    fn changed<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, ()> {
        NoProcesses.changed(owner, id)
    }

    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        NoProcesses.start(launch, by)
    }

    fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        NoProcesses.list(owner)
    }

    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        NoProcesses.poll(owner, id)
    }

    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        NoProcesses.write(owner, id, input)
    }

    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        NoProcesses.kill(owner, id)
    }

    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        NoProcesses.clear(owner, id)
    }

    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)> {
        NoProcesses.spoken(owner, id)
    }
}
