//! `--report` and `--report-file`: reports of a run, for programs, people and pull requests.

use super::course::Job;
use super::git;
use crate::args::run::{ReportForm, RunFlags};
use crate::exit::{Exit, Failure};
use crate::render::rehearsed::Rehearsed;
use crate::render::report::{Action, FileChange, GateLine, Report, Step};
use crate::render::stderr;
use crate::say::say;
use palanca_agent::{Event, RunReport, Sink, StopReason};
use palanca_core::{Catalogue as _, Message};
use palanca_files::{Picture, Side, StateError, is_directory, make_folders_for, write_report};
use palanca_hooks::Need;
use palanca_host::Session;
use palanca_text::FluentCatalogue;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The form that was asked for, or that the file's ending says; none where no report is wanted.
fn form(args: &RunFlags) -> Option<ReportForm> {
    let by_ending = |file: &Path| match file.extension().and_then(|ending| ending.to_str()) {
        Some("json") => ReportForm::Json,
        Some("html" | "htm") => ReportForm::Github,
        _ => ReportForm::Markdown,
    };
    args.report.or_else(|| args.report_file.as_deref().map(by_ending))
}

/// Whether the report can be written at all, told before the run and not after it.
///
/// # Errors
/// A folder in the file's place, or one that cannot be made: exit code 3.
pub fn check(args: &RunFlags) -> Result<(), Failure> {
    let Some(file) = &args.report_file else { return Ok(()) };
    make_folders_for(file).map_err(|error| Failure::said(&unwritten(&error)))?;
    if is_directory(file) || file.file_name().is_none() {
        let path = file.display().to_string();
        return Err(Failure::said(&Message::new("run-report-folder").with("path", path)));
    }
    Ok(())
}

fn unwritten(error: &StateError) -> Message {
    Message::new("run-report-unwritten").with("reason", say(&palanca_host::unusable(error)))
}

/// Remembers what happens in a run.
pub struct Chronicle {
    catalogue: Arc<FluentCatalogue>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    step: u32,
    timeline: Vec<Step>,
    /// The last try of each gate.
    gates: BTreeMap<String, GateLine>,
    errors: Vec<String>,
}

impl Chronicle {
    pub fn new(catalogue: Arc<FluentCatalogue>) -> Self {
        Self { catalogue, seen: Mutex::default() }
    }
}

impl Sink for Chronicle {
    fn event(&self, event: &Event<'_>) {
        let mut seen = self.seen.lock();
        match event {
            Event::StepStarted { step } => seen.step = *step,
            Event::Usage { dollars, .. } => {
                let step = seen.step;
                seen.timeline.push(Step { step, tool: None, duration: None, success: None, cost: *dollars });
            }
            Event::ToolEnded { result } => {
                let step = seen.step;
                seen.timeline.push(Step {
                    step,
                    tool: Some(result.tool.clone()),
                    duration: Some(result.duration.as_secs_f64()),
                    success: Some(result.success),
                    cost: None,
                });
                if let Some(error) = &result.error {
                    seen.errors.push(format!("{}: {}", result.tool, error.lines().next().unwrap_or_default()));
                }
            }
            Event::QualityGate { report } => {
                let line = GateLine {
                    name: report.name.clone(),
                    passed: report.failure.is_none(),
                    required: report.need == Need::Required,
                    output: report.said().to_owned(),
                    failure: report.failure.as_ref().map(|why| self.catalogue.render(why)),
                };
                seen.gates.insert(report.name.clone(), line);
            }
            _ => {}
        }
    }
}

/// Writes the report that was asked for: to its file, or to stderr.
///
/// # Errors
/// When the file cannot be written.
pub async fn write(
    job: &Job,
    run: &RunReport,
    chronicle: &Chronicle,
    rehearsed: Option<&Rehearsed>,
) -> Result<(), Failure> {
    let Some(form) = form(&job.args) else { return Ok(()) };
    let report = report(job, run, chronicle, rehearsed).await;
    let mut value = serde_json::to_value(&report)?;
    job.app.words().redactor.redact_json(&mut value);
    // The pages are written from what is clean, too.
    let report: Report = serde_json::from_value(value.clone())?;
    let text = match form {
        ReportForm::Json => format!("{}\n", serde_json::to_string_pretty(&value)?),
        ReportForm::Markdown => report.markdown(&**job.app.catalogue()),
        ReportForm::Github => report.github(&**job.app.catalogue()),
    };
    let Some(file) = &job.args.report_file else {
        stderr::line(text.trim_end());
        return Ok(());
    };
    write_report(file, &text).map_err(|error| {
        // The run is over and paid for: its report is not lost with the file.
        stderr::line(text.trim_end());
        Failure::saying(Exit::Failed, &unwritten(&error))
    })
}

async fn report(job: &Job, run: &RunReport, chronicle: &Chronicle, rehearsed: Option<&Rehearsed>) -> Report {
    let app = &job.app;
    let git_diff = match rehearsed {
        Some(rehearsed) => Some(rehearsed.diff.chars().take(git::MOST).collect()),
        // ignored: most workspaces without a repository want a report, too.
        None => git::diff(app, None).await.ok(),
    };
    let seen = chronicle.seen.lock();
    let mut errors = seen.errors.clone();
    if run.stop_reason != StopReason::LlmDone {
        errors.push(app.catalogue().render(&run.stop_reason.message()));
    }
    let task = job.prompt.clone().or_else(|| job.earlier.as_ref().map(|earlier| earlier.task().to_owned()));
    Report {
        session: app.kept().as_ref().map(|kept| kept.id().to_string()),
        task: task.unwrap_or_default(),
        agent: job.agent.name.clone(),
        model: run.model.clone(),
        status: run.status,
        stop_reason: run.stop_reason.name().to_owned(),
        output: run.output.clone(),
        duration_seconds: run.duration_seconds,
        steps: run.steps,
        total_cost: run.cost,
        files_modified: files(app),
        quality_gates: seen.gates.values().cloned().collect(),
        errors,
        timeline: seen.timeline.clone(),
        git_diff: git_diff.filter(|diff: &String| !diff.trim().is_empty()),
    }
}

/// What became of each file, from before the session to now.
fn files(app: &Session) -> Vec<FileChange> {
    let mut sides: BTreeMap<String, (bool, bool)> = BTreeMap::new();
    let mut saw = |path: String, before: bool, after: bool| sides.entry(path).or_insert((before, after)).1 = after;
    if let Some(overlay) = &app.overlay() {
        for changed in overlay.changes().unwrap_or_default() {
            saw(changed.path.to_string(), changed.before.is_some(), changed.after.is_some());
        }
    } else if let Some((journal, disk)) = app.undo() {
        for step in journal.list(&app.scope().session).unwrap_or_default() {
            for picture in journal.pictures(disk, &app.scope().session, step.number).unwrap_or_default() {
                let Picture { path, moved_from, before, after } = picture;
                if let Some(from) = moved_from {
                    saw(from.to_string(), true, false);
                }
                saw(path.to_string(), before != Side::Absent, after != Side::Absent);
            }
        }
    }
    let action = |sides: (bool, bool)| match sides {
        (false, true) => Some(Action::Created),
        (true, true) => Some(Action::Modified),
        (true, false) => Some(Action::Deleted),
        (false, false) => None,
    };
    sides.into_iter().filter_map(|(path, sides)| Some(FileChange { path, action: action(sides)? })).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_form_is_asked_for_or_said_by_the_ending() {
        for (report, file, expected) in [
            (None, None, None),
            (Some(ReportForm::Github), None, Some(ReportForm::Github)),
            (Some(ReportForm::Json), Some("a.md"), Some(ReportForm::Json)),
            (None, Some("a.json"), Some(ReportForm::Json)),
            (None, Some("a.md"), Some(ReportForm::Markdown)),
            (None, Some("a.markdown"), Some(ReportForm::Markdown)),
            (None, Some("a.html"), Some(ReportForm::Github)),
            (None, Some("report"), Some(ReportForm::Markdown)),
        ] {
            let args = RunFlags { report, report_file: file.map(Into::into), ..RunFlags::default() };
            assert_eq!(form(&args), expected, "{file:?}");
        }
    }
}
