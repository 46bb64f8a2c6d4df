//! `--context-git-diff REF`: what changed since then, shown to the agent. Git is started by the process door like any
//! program, so nothing that the repository configures runs.

use crate::exit::Failure;
use palanca_agent::Section;
use palanca_core::call::{CommandLine, Launch, Lifetime, Network, Root};
use palanca_core::ports::{By, Exit, Finished, Keep, Owner, ProcessError, Run, RunLimits};
use palanca_core::tool::Cancel;
use palanca_core::{CallId, CanonicalPath, Catalogue as _, Message};
use palanca_host::Session;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of a diff that are shown.
pub const MOST: usize = 50_000;
const TIME: Duration = Duration::from_secs(60);

/// The diff as a piece of the prompt.
///
/// # Errors
/// A reference that is none here, no git, or no repository: exit code 3.
pub async fn section(app: &Session, reference: &str) -> Result<Section, Failure> {
    let bad = |reason: String| {
        let reference = reference.escape_debug().to_string();
        let message = Message::new("cli-git-diff").with("reference", reference).with("reason", reason.trim());
        Failure::usage(app.catalogue().render(&message))
    };
    if reference.is_empty() || reference.starts_with('-') || reference.chars().any(char::is_control) {
        return Err(bad(String::new()));
    }
    let commit = format!("{reference}^{{commit}}");
    let known = git(app, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).await;
    let known = known.map_err(|error| bad(said(app, error)))?;
    if known.exit != Exit::Code(0) {
        return Err(bad(text(&known.stderr)));
    }
    let diff = diff(app, Some(reference)).await.map_err(bad)?;
    let title = format!("Changes since {reference}");
    Ok(Section { title, text: if diff.trim().is_empty() { "None.".to_owned() } else { diff } })
}

/// What changed in the workspace since a commit, or since the last one; cut, and without secrets.
///
/// # Errors
/// What git says.
pub async fn diff(app: &Session, reference: Option<&str>) -> Result<String, String> {
    let words = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", reference.unwrap_or("HEAD"), "--"];
    let finished = git(app, &words).await.map_err(|error| said(app, error))?;
    if finished.exit != Exit::Code(0) {
        return Err(text(&finished.stderr));
    }
    let mut shown = text(&finished.stdout);
    if finished.stdout.omitted_bytes > 0 {
        shown.push_str(&format!("\n… ({} bytes)\n", finished.stdout.total_bytes()));
    }
    Ok(app.words().redactor.redact(&shown).into_owned())
}

async fn git(app: &Session, words: &[&str]) -> Result<Finished, ProcessError> {
    let launch = Launch {
        command: CommandLine::Program(std::iter::once("git").chain(words.iter().copied()).map(str::to_owned).collect()),
        directory: CanonicalPath::new(Root::Workspace, PathBuf::new()),
        environment: Vec::new(),
        terminal: None,
        lifetime: Lifetime::Call,
        network: Network::None,
        writes: Vec::new(),
    };
    let owner = Owner::of(&app.scope().clone());
    let limits = RunLimits { time: TIME, keep: Keep { head: MOST, tail: 0 } };
    let run = Run {
        by: By { owner: &owner, call: &CallId::new("git_diff"), session: None },
        limits,
        cancel: &Cancel::new(),
        tail: None,
        questions: None,
    };
    app.processes().run(&launch, run).await
}

fn said(app: &Session, error: ProcessError) -> String {
    app.catalogue().render(error.into_tool_error().message())
}

fn text(captured: &palanca_core::ports::Captured) -> String {
    String::from_utf8_lossy(&captured.head).into_owned()
}
