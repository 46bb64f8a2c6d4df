//! What is other now than what was agreed to, as a person reads it.

use rmcp::model::Tool;
use similar::TextDiff;
use std::time::Duration;

/// After this a correct, coarser diff is shown.
const BUDGET: Duration = Duration::from_millis(250);
/// Lines and characters of a line that are shown of one change.
const SHOWN: (usize, usize) = (200, 1_000);

/// Something of a server that is off until somebody agrees to it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The tool, by the server's own name; None where the way to the server itself is another.
    pub tool: Option<String>,
    /// A unified diff of what was agreed to and what there is now, without secrets; empty where they differ in secrets alone.
    pub diff: String,
    /// The tool as it is now.
    pub(crate) now: Option<Tool>,
}

impl Change {
    pub(crate) fn of_reach(before: &str, after: &str) -> Self {
        Self { tool: None, diff: diff(before, after), now: None }
    }

    pub(crate) fn of_tool(before: Option<&Tool>, now: Tool) -> Self {
        let diff = diff(&before.map(words).unwrap_or_default(), &words(&now));
        Self { tool: Some(plain(&now.name, SHOWN.1)), diff, now: Some(now) }
    }
}

/// All that models and people are told of a tool.
fn words(tool: &Tool) -> String {
    let title = tool.title.iter().map(|title| format!("title: {title}\n"));
    let description = tool.description.as_deref().unwrap_or_default().lines().map(|line| format!("{line}\n"));
    // It was JSON, and is again.
    let schema = serde_json::to_string_pretty(&*tool.input_schema).unwrap_or_default() + "\n";
    title.chain(description).chain([schema]).collect()
}

fn diff(before: &str, after: &str) -> String {
    let diff = TextDiff::configure().timeout(BUDGET).diff_lines(before, after);
    let text = diff.unified_diff().context_radius(1).missing_newline_hint(false).to_string();
    let (lines, characters) = SHOWN;
    let mut shown: String =
        text.lines().take(lines).flat_map(|line| [plain(line, characters), "\n".to_owned()]).collect();
    if let Some(more) = text.lines().count().checked_sub(lines).filter(|more| *more > 0) {
        shown.push_str(&format!("… (+{more})\n"));
    }
    shown
}

/// Without characters that hide something from people.
pub(crate) fn plain(text: &str, longest: usize) -> String {
    let shown = |character: &char| *character == '\n' || !character.is_control();
    text.chars().filter(shown).take(longest).collect()
}
