//! `manage_goals`: checkboxes in two sections. Only the lines that are meant change: what people wrote beside them stays.

use super::{missing, one_line};
use crate::operation::Args;
use jiff::civil::Date;
use palanca_core::call::ErrorKind;
use palanca_core::{Message, ToolError};
use serde::Serialize;
use std::ops::Range;

const ACTIVE: &str = "## Active Goals";
const COMPLETED: &str = "## Completed";
const NO_ACTIVE: &str = "(no active goals)";
const NO_COMPLETED: &str = "(none yet)";
/// Completed goals that are kept.
const KEPT: usize = 10;

#[derive(Args, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalAction {
    List,
    Add,
    Update,
    Complete,
}

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Pending,
    InProgress,
    Blocked,
    Completed,
}

#[derive(Args, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Priority {
    High,
    Medium,
    Low,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Blocked => "blocked",
            Self::Completed => "completed",
        }
    }
}

impl Priority {
    const fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// What is to be done with which goal.
#[derive(Clone)]
pub(crate) struct GoalChange {
    pub(crate) action: GoalAction,
    pub(crate) goal: Option<String>,
    pub(crate) status: Option<Status>,
    pub(crate) priority: Option<Priority>,
    pub(crate) notes: Option<String>,
    pub(crate) outcome: Option<String>,
}

impl GoalChange {
    /// The file after it, and what is said of it.
    pub(crate) fn of(&self, before: Option<&str>, today: Date) -> Result<(String, Message), ToolError> {
        let goal =
            self.goal.as_deref().map(str::trim).filter(|goal| !goal.is_empty()).ok_or_else(|| missing("goal"))?;
        let mut goals = Goals::of(before.unwrap_or_default());
        let key = match (self.action, self.status) {
            (GoalAction::Add, _) => {
                goals.add(&self.added(one_line("goal", goal)?)?);
                return Ok((goals.text(), Message::new("goals-added").with("goal", goal)));
            }
            (GoalAction::Complete, _) | (_, Some(Status::Completed)) => "goals-completed",
            _ => "goals-updated",
        };
        let at = goals.find(goal)?;
        let name = goals.name(&at).to_owned();
        if key == "goals-completed" {
            let outcome = self.outcome.as_deref().map(|outcome| one_line("outcome", outcome)).transpose()?;
            goals.complete(at, today, outcome);
        } else {
            let fields = self.fields()?;
            if fields.is_empty() {
                return Err(missing("status, priority or notes"));
            }
            goals.set(at, &fields);
        }
        Ok((goals.text(), Message::new(key).with("goal", name)))
    }

    fn fields(&self) -> Result<Vec<(&'static str, String)>, ToolError> {
        let notes = self.notes.as_deref().map(|notes| one_line("notes", notes)).transpose()?;
        let all = [
            ("status", self.status.map(|status| status.word().to_owned())),
            ("priority", self.priority.map(|priority| priority.word().to_owned())),
            ("notes", notes.filter(|notes| !notes.is_empty()).map(str::to_owned)),
        ];
        Ok(all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
    }

    fn added(&self, goal: &str) -> Result<Vec<String>, ToolError> {
        let with = Self {
            status: self.status.filter(|status| *status != Status::Completed).or(Some(Status::Pending)),
            priority: self.priority.or(Some(Priority::Medium)),
            ..self.clone()
        };
        let fields = with.fields()?.into_iter().map(|(key, value)| format!("  - {key}: {value}"));
        Ok(std::iter::once(format!("- [ ] {goal}")).chain(fields).collect())
    }
}

/// The lines of a file of goals.
struct Goals(Vec<String>);

impl Goals {
    /// With both sections, whether they were there or not.
    fn of(text: &str) -> Self {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (heading, nothing) in [(ACTIVE, NO_ACTIVE), (COMPLETED, NO_COMPLETED)] {
            if !lines.iter().any(|line| is_heading(line, heading)) {
                if lines.last().is_some_and(|line| !line.is_empty()) {
                    lines.push(String::new());
                }
                lines.extend([heading.to_owned(), nothing.to_owned()]);
            }
        }
        Self(lines)
    }

    fn text(&self) -> String {
        self.0.join("\n") + "\n"
    }

    /// The lines below a heading, up to the next one.
    fn section(&self, heading: &str) -> Range<usize> {
        let start = self.0.iter().position(|line| is_heading(line, heading)).map_or(self.0.len(), |at| at + 1);
        let rest = self.0.iter().enumerate().skip(start);
        let end = rest.clone().find(|(_, line)| line.starts_with("## ")).map_or(self.0.len(), |(at, _)| at);
        start..end
    }

    /// The goals of a section, each with the lines that belong to it.
    fn goals(&self, heading: &str) -> Vec<Range<usize>> {
        let section = self.section(heading);
        let mut goals: Vec<Range<usize>> = Vec::new();
        for (at, line) in self.0.iter().enumerate().take(section.end).skip(section.start) {
            if goal(line).is_some() {
                goals.push(at..at + 1);
            } else if let Some(last) = goals.last_mut().filter(|last| last.end == at && is_part(line)) {
                last.end = at + 1;
            }
        }
        goals
    }

    fn name(&self, at: &Range<usize>) -> &str {
        self.0.get(at.start).and_then(|line| goal(line)).unwrap_or_default()
    }

    /// The one active goal that is meant: by its whole name, its number in the list, or a part of its name.
    fn find(&self, wanted: &str) -> Result<Range<usize>, ToolError> {
        let all = self.goals(ACTIVE);
        let folded = wanted.to_lowercase();
        let named = |test: &dyn Fn(&str) -> bool| -> Vec<Range<usize>> {
            all.iter().filter(|at| test(&self.name(at).to_lowercase())).cloned().collect()
        };
        let number = wanted.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?).cloned());
        let mut found = named(&|name| name == folded);
        if found.is_empty() {
            found = number.map_or_else(|| named(&|name| name.contains(&folded)), |at| vec![at]);
        }
        let names = |goals: &[Range<usize>]| goals.iter().map(|at| self.name(at)).collect::<Vec<_>>().join("; ");
        match &found[..] {
            [one] => Ok(one.clone()),
            [] => {
                let none = Message::new("goals-none").with("goal", wanted).with("active", names(&all));
                Err(ToolError::new(ErrorKind::NotFound, none))
            }
            several => {
                let message = Message::new("goals-several").with("goal", wanted).with("found", names(several));
                Err(ToolError::new(ErrorKind::Conflict, message))
            }
        }
    }

    fn add(&mut self, lines: &[String]) {
        self.put(ACTIVE, NO_ACTIVE, lines);
    }

    /// After the last goal of a section, in place of the words that there is none.
    fn put(&mut self, heading: &str, nothing: &str, lines: &[String]) {
        let section = self.section(heading);
        let empty = self.0.iter().take(section.end).skip(section.start).position(|line| line.trim() == nothing);
        if let Some(at) = empty {
            self.0.remove(section.start + at);
        }
        let at = self.goals(heading).last().map_or(section.start, |last| last.end);
        self.0.splice(at..at, lines.iter().cloned());
    }

    fn set(&mut self, at: Range<usize>, fields: &[(&'static str, String)]) {
        let mut end = at.end;
        for (key, value) in fields {
            let prefix = format!("- {key}:");
            let mut lines = self.0.iter_mut().take(end).skip(at.start + 1);
            match lines.find(|line| line.trim_start().starts_with(&prefix)) {
                Some(line) => *line = format!("  - {key}: {value}"),
                None => {
                    self.0.insert(end, format!("  - {key}: {value}"));
                    end += 1;
                }
            }
        }
    }

    fn complete(&mut self, at: Range<usize>, today: Date, outcome: Option<&str>) {
        let name = self.name(&at).to_owned();
        self.0.drain(at);
        if self.goals(ACTIVE).is_empty() {
            let start = self.section(ACTIVE).start;
            self.0.insert(start, NO_ACTIVE.to_owned());
        }
        let outcome = outcome.filter(|outcome| !outcome.is_empty()).map(|outcome| format!("  - outcome: {outcome}"));
        let done = [format!("- [x] {name}"), format!("  - completed: {today}")];
        self.put(COMPLETED, NO_COMPLETED, &done.into_iter().chain(outcome).collect::<Vec<_>>());
        let completed = self.goals(COMPLETED);
        for old in completed.iter().take(completed.len().saturating_sub(KEPT)).rev() {
            self.0.drain(old.clone());
        }
    }
}

fn is_heading(line: &str, heading: &str) -> bool {
    line.trim_end().eq_ignore_ascii_case(heading)
}

/// The goal of a line with a checkbox.
fn goal(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("- [ ] ").or_else(|| line.strip_prefix("- [x] "));
    rest.or_else(|| line.strip_prefix("- [X] ")).map(str::trim)
}

/// Whether a line belongs to the goal above it.
fn is_part(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

#[cfg(test)]
mod tests;
