//! A run as a report: for programs as JSON, for people as Markdown, for a pull request as Markdown that folds.

use palanca_agent::Status;
use palanca_core::{Catalogue, Message};
use palanca_policy::marking::{shown_line, shown_lines};
use serde::{Deserialize, Serialize};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Created,
    Modified,
    Deleted,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    pub path: String,
    pub action: Action,
}

/// A model call or a tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub step: u32,
    /// None for the model's own part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// In seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// In dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateLine {
    pub name: String,
    pub passed: bool,
    pub required: bool,
    pub output: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub task: String,
    pub agent: String,
    pub model: Option<String>,
    pub status: Status,
    pub stop_reason: String,
    pub output: String,
    pub duration_seconds: f64,
    pub steps: u32,
    /// Dollars of the session so far.
    pub total_cost: Option<f64>,
    pub files_modified: Vec<FileChange>,
    pub quality_gates: Vec<GateLine>,
    pub errors: Vec<String>,
    pub timeline: Vec<Step>,
    pub git_diff: Option<String>,
}

impl Report {
    /// A page for people.
    pub fn markdown(&self, catalogue: &dyn Catalogue) -> String {
        let say = |key: &'static str| catalogue.render(&Message::new(key));
        let mut page = format!("# {}\n\n{}", say("report-title"), self.head(catalogue));
        self.sections(catalogue, &mut |title, body| page.push_str(&format!("\n## {title}\n\n{body}")));
        page
    }

    /// The same for a comment: what is long is folded.
    pub fn github(&self, catalogue: &dyn Catalogue) -> String {
        let mark = match self.status {
            Status::Success => "✅",
            Status::Partial => "⚠️",
            Status::Failed => "❌",
        };
        let title = catalogue.render(&Message::new("report-title"));
        let mut page = format!("## {mark} {title}\n\n{}", self.head(catalogue));
        self.sections(catalogue, &mut |title, body| {
            page.push_str(&format!("\n<details>\n<summary>{title}</summary>\n\n{body}\n</details>\n"));
        });
        page
    }

    fn head(&self, catalogue: &dyn Catalogue) -> String {
        let say = |key: &'static str| catalogue.render(&Message::new(key));
        let mut rows: Vec<(&str, String)> = vec![
            ("report-task", code(&self.task)),
            ("report-status", format!("{} ({})", self.status.name(), self.stop_reason)),
            ("report-agent", code(&self.agent)),
        ];
        rows.extend(self.model.as_ref().map(|model| ("report-model", code(model))));
        rows.push(("report-steps", self.steps.to_string()));
        rows.push(("report-duration", format!("{:.1} s", self.duration_seconds)));
        rows.extend(self.total_cost.map(|cost| ("report-cost", format!("${cost:.4}"))));
        rows.extend(self.session.as_ref().map(|session| ("report-session", code(session))));
        let mut head = String::from("| | |\n|---|---|\n");
        for (key, value) in rows {
            head.push_str(&format!("| {} | {value} |\n", say(key)));
        }
        head
    }

    fn sections(&self, catalogue: &dyn Catalogue, section: &mut dyn FnMut(&str, &str)) {
        let mut part = |key: &'static str, body: String| {
            if !body.is_empty() {
                section(&catalogue.render(&Message::new(key)), &body);
            }
        };
        part("report-output", if self.output.trim().is_empty() { String::new() } else { fenced("", &self.output) });
        let action = |action: Action| {
            catalogue.render(&Message::new(match action {
                Action::Created => "report-created",
                Action::Modified => "report-modified",
                Action::Deleted => "report-deleted",
            }))
        };
        let files = self.files_modified.iter().map(|file| format!("- {}: {}\n", code(&file.path), action(file.action)));
        part("report-files", files.collect());
        let gates = self.quality_gates.iter().map(|gate| {
            let why = gate.failure.as_deref().map(|why| format!(": {}", code(why))).unwrap_or_default();
            let said = if gate.passed || gate.output.is_empty() { String::new() } else { fenced("", &gate.output) };
            format!("- {} {}{why}\n{said}", if gate.passed { "✓" } else { "✗" }, code(&gate.name))
        });
        part("report-gates", gates.collect());
        part("report-errors", self.errors.iter().map(|error| format!("- {}\n", code(error))).collect());
        part("report-timeline", self.timeline(catalogue));
        part("report-diff", self.git_diff.as_deref().map(|diff| fenced("diff", diff)).unwrap_or_default());
    }

    fn timeline(&self, catalogue: &dyn Catalogue) -> String {
        let say = |key: &'static str| catalogue.render(&Message::new(key));
        if self.timeline.is_empty() {
            return String::new();
        }
        let mut table = format!(
            "| {} | {} | {} | {} |\n|---|---|---|---|\n",
            say("report-step"),
            say("report-tool"),
            say("report-duration"),
            say("report-cost")
        );
        for step in &self.timeline {
            let tool = step.tool.as_ref().map_or_else(|| say("report-model"), |tool| code(tool));
            let mark = if step.success == Some(false) { " ✗" } else { "" };
            let duration = step.duration.map(|seconds| format!("{seconds:.2} s")).unwrap_or_default();
            let cost = step.cost.map(|cost| format!("${cost:.4}")).unwrap_or_default();
            table.push_str(&format!("| {} | {tool}{mark} | {duration} | {cost} |\n", step.step));
        }
        table
    }
}

/// A piece of text on one line that Markdown, HTML and tables leave alone.
pub fn code(text: &str) -> String {
    let line = shown_line(text).replace('|', "¦");
    let fence = "`".repeat(longest_run(&line) + 1);
    let space = if line.starts_with('`') || line.ends_with('`') || line.is_empty() { " " } else { "" };
    format!("{fence}{space}{line}{space}{fence}")
}

/// A text of several lines; terminal control sequences are escaped, because the page may be printed.
pub fn fenced(kind: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{kind}\n{}\n{fence}\n", shown_lines(text.trim_end()))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn foreign_text_stays_in_its_place() {
        for (text, expected) in [
            ("a.rs", "`a.rs`"),
            ("a`b", "``a`b``"),
            ("`a", "`` `a ``"),
            ("a|b\nc", "`a¦b\\nc`"),
            ("", "`  `"),
            ("<details>", "`<details>`"),
        ] {
            assert_eq!(code(text), expected);
        }
        assert_eq!(fenced("diff", "+```\n"), "````diff\n+```\n````\n");
        assert_eq!(fenced("", "a\n\u{1b}[2J"), "```\na\n\\u{1b}[2J\n```\n");
    }
}
