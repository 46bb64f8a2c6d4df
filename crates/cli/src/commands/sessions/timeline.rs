//! A stored session from its first event to its last: for `show` and for pages.

use crate::commands::run::earlier::fault;
use crate::exit::{Exit, Failure};
use crate::render::report::{code, fenced};
use crate::render::{diff, stderr, time};
use palanca_agent::session::{Answered, CallEnded, Entry, Events, SubagentEnded, entry};
use palanca_agent::{arguments_line, headline};
use palanca_core::call::{OutcomeKind, Phase, SessionId, shown_time};
use palanca_core::ports::{EventNumber, Sessions, StoredSession, wait};
use palanca_core::{Catalogue, Message};
use palanca_models::Message as Said;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Characters of a result on a page.
const SHOWN: usize = 4000;
/// Characters of one line.
const LINE: usize = 200;

/// Something that happened, ready to be shown.
pub struct Moment {
    at_ms: u64,
    what: What,
}

// Most are rows.
#[allow(clippy::large_enum_variant)]
enum What {
    /// A row that says all by itself.
    Row(Entry),
    /// A call with its arguments.
    Call { ended: Box<CallEnded>, arguments: String },
    /// A call that began and never ended.
    Unended { call: String, tool: String, arguments: String },
}

/// Reads a session.
///
/// # Errors
/// What cannot be read, exit code 1.
pub fn read(store: &dyn Sessions, id: &SessionId) -> Result<Vec<Moment>, Failure> {
    let mut moments = Vec::new();
    let mut open: HashMap<String, (String, String, u64)> = HashMap::new();
    let mut events = Events::after(store, id, EventNumber::default());
    while let Some(event) = wait(events.next()).map_err(|error| fault(&error))? {
        let read = entry(id, &event).map_err(|error| Failure::saying(Exit::Failed, &error.message()))?;
        let Some(read) = read else { continue };
        let at_ms = event.at_ms;
        let mut push = |what| moments.push(Moment { at_ms, what });
        match read {
            Entry::Answered(answered) => {
                if let Some(Said::Assistant { calls, .. }) = &answered.message {
                    for call in calls {
                        open.insert(call.id.to_string(), (call.name.clone(), call.arguments.clone(), at_ms));
                    }
                }
                push(What::Row(Entry::Answered(answered)));
            }
            Entry::CallEnded(ended) => {
                let arguments = open.remove(ended.call.as_str()).map(|(_, arguments, _)| arguments).unwrap_or_default();
                push(What::Call { ended: Box::new(ended), arguments });
            }
            Entry::Began(_)
            | Entry::Appended(_)
            | Entry::Begun(_)
            | Entry::Delegated(_)
            | Entry::SubagentSpent(_)
            | Entry::Announced(_) => {}
            row => push(What::Row(row)),
        }
    }
    let mut unended: Vec<_> = open.into_iter().collect();
    unended.sort_by(|one, other| (one.1.2, &one.0).cmp(&(other.1.2, &other.0)));
    for (call, (tool, arguments, at_ms)) in unended {
        moments.push(Moment { at_ms, what: What::Unended { call, tool, arguments } });
    }
    Ok(moments)
}

impl Moment {
    /// For programs.
    pub fn json(&self, with_diff: bool) -> Value {
        let mut row = match &self.what {
            What::Call { ended, arguments } => json!({
                "kind": "call", "call": ended.call, "tool": ended.tool, "arguments": arguments,
                "success": ended.success, "outcome": ended.outcome, "code": ended.code, "error": ended.error,
                "verdicts": ended.verdicts, "duration_us": ended.duration_us, "timings": ended.timings,
                "files": ended.changes.files,
                "diff": ended.diff.as_deref().filter(|_| with_diff), "artifact": ended.artifact,
            }),
            What::Unended { call, tool, arguments } => json!({
                "kind": "call", "call": call, "tool": tool, "arguments": arguments, "success": false,
                "outcome": "open",
            }),
            What::Row(Entry::Prompt(prompt)) => json!({"kind": "prompt", "text": prompt.text}),
            What::Row(Entry::Resumed(_)) => json!({"kind": "resumed"}),
            What::Row(Entry::Answered(answered)) => json!({
                "kind": "answer", "step": answered.step, "text": text(answered), "input": answered.usage.input,
                "output": answered.usage.output, "cached": answered.usage.cached, "cost": answered.dollars,
                "cut": answered.cut,
            }),
            What::Row(Entry::SubagentEnded(SubagentEnded { task })) => json!({
                "kind": "subagent", "task": task.id, "label": task.task, "profile": task.profile,
                "state": task.state, "reason": task.reason, "answer": task.answer, "steps": task.steps,
                "tokens": task.tokens,
            }),
            What::Row(Entry::Notice(notice)) => {
                json!({"kind": "notice", "warning": notice.warning, "text": notice.text})
            }
            What::Row(Entry::GateTried(gate)) => {
                json!({"kind": "quality_gate", "name": gate.name, "passed": gate.passed, "duration_us": gate.duration_us})
            }
            What::Row(Entry::Compacted(snapshot)) => {
                json!({"kind": "compacted", "left_out": snapshot.conversation.left_out})
            }
            What::Row(Entry::Ended(ended)) => json!({
                "kind": "ended", "status": ended.status.name(), "stop_reason": ended.stop_reason,
                "output": ended.output,
            }),
            What::Row(_) => json!({}),
        };
        if let Some(row) = row.as_object_mut() {
            row.insert("at_ms".into(), self.at_ms.into());
        }
        row
    }

    /// For a terminal.
    pub fn lines(&self, with_diff: bool, catalogue: &dyn Catalogue) -> String {
        let say = |message: Message| catalogue.render(&message);
        let line = match &self.what {
            What::Call { ended, arguments } => return call(ended, arguments, with_diff, catalogue),
            What::Unended { tool, arguments, .. } => format!(
                "     … {} {}  {}",
                stderr::shown_line(tool),
                stderr::shown_line(&arguments_line(arguments)),
                say(Message::new("session-line-open"))
            ),
            What::Row(Entry::Prompt(prompt)) => format!("> {}", short(&prompt.text)),
            What::Row(Entry::Resumed(_)) => format!("~ {}", say(Message::new("session-line-resumed"))),
            What::Row(Entry::Answered(answered)) => {
                let Answered { step, usage, dollars, .. } = answered;
                let cost = dollars.map(|dollars| format!("${dollars:.4} ")).unwrap_or_default();
                let tokens = say(Message::new("run-tokens").with("input", usage.input).with("output", usage.output));
                format!("{step:>3}. {cost}({tokens})  {}", short(text(answered))).trim_end().to_owned()
            }
            What::Row(Entry::SubagentEnded(SubagentEnded { task })) => {
                format!("     ↳ {} {}: {}", task.id, task.profile, short(&say(headline(task))))
            }
            What::Row(Entry::Notice(notice)) => {
                format!("     {} {}", if notice.warning { "!" } else { "·" }, short(&notice.text))
            }
            What::Row(Entry::GateTried(gate)) => {
                let (mark, time) = (if gate.passed { "✓" } else { "✗" }, shown_time(gate.duration_us));
                format!("     {mark} {}  {time}", stderr::shown_line(&gate.name))
            }
            What::Row(Entry::Compacted(snapshot)) => {
                let count = snapshot.conversation.left_out;
                format!("~ {}", say(Message::new("session-line-compacted").with("count", count)))
            }
            What::Row(Entry::Ended(ended)) => {
                let reason = stderr::shown_line(&ended.stop_reason);
                format!("= {} ({reason}): {}", ended.status.name(), short(&ended.output))
            }
            What::Row(_) => String::new(),
        };
        format!("{}  {line}\n", clock(self.at_ms))
    }
}

fn call(ended: &CallEnded, arguments: &str, with_diff: bool, catalogue: &dyn Catalogue) -> String {
    let mark = match (ended.success, ended.outcome) {
        (true, _) => "✓",
        (false, OutcomeKind::Refused) => "⊘",
        (false, _) => "✗",
    };
    let arguments = stderr::shown_line(&arguments_line(arguments));
    let tool = stderr::shown_line(&ended.tool);
    let millis = ended.duration_us as f64 / 1000.0;
    let mut text = format!("                     {mark} {tool} {arguments}  {millis:.1} ms\n");
    let mut under = |line: String| text.push_str(&format!("                       {}\n", stderr::shown_line(&line)));
    if let Some(error) = &ended.error {
        let rule = ended.code.as_deref().map(|code| format!("{}, {code}: ", ended.outcome)).unwrap_or_default();
        under(format!("{rule}{}", short(error)));
    }
    for judged in &ended.verdicts {
        let rule = judged.rule.as_deref().unwrap_or_default();
        under(format!("{} {} {rule}", judged.stage.name(), judged.verdict.name()).trim_end().to_owned());
    }
    // A run alone is the time above.
    if ended.timings.iter().any(|timing| timing.phase != Phase::Run) {
        let times = ended.timings.iter().map(|timing| catalogue.render(&timing.message()));
        under(times.collect::<Vec<_>>().join(" · "));
    }
    if let Some(artifact) = &ended.artifact {
        under(catalogue.render(&Message::new("session-line-artifact").with("id", artifact.as_str())));
    }
    if let (Some(change), true) = (&ended.diff, with_diff) {
        text.push_str(&diff::plain(change));
    }
    text
}

/// What stands above the timeline.
pub fn head(kept: &StoredSession, catalogue: &dyn Catalogue) -> String {
    let (began, summary) = (&kept.began, &kept.summary);
    let mut lines = format!("{}\n", short(&began.task));
    let say = |key: &'static str| catalogue.render(&Message::new(key));
    let reason = summary.stop_reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let cost = summary.dollars.map(|dollars| format!(", ${dollars:.4}")).unwrap_or_default();
    lines.push_str(&format!(
        "{}: {}{reason}; {}: {}; {}: {}; {}: {}{cost}\n",
        say("report-status"),
        summary.status.name(),
        say("report-agent"),
        stderr::shown_line(&began.agent),
        say("report-model"),
        stderr::shown_line(began.model.as_deref().unwrap_or("-")),
        say("report-steps"),
        summary.steps,
    ));
    lines
}

/// A page to read.
pub fn markdown(kept: &StoredSession, moments: &[Moment], catalogue: &dyn Catalogue) -> String {
    let (began, summary) = (&kept.began, &kept.summary);
    let say = |key: &'static str| catalogue.render(&Message::new(key));
    let mut page = format!("# {}\n\n| | |\n|---|---|\n", code(&began.task));
    let mut row = |key: &'static str, value: String| page.push_str(&format!("| {} | {value} |\n", say(key)));
    row("report-session", code(began.scope.session.as_str()));
    row("report-status", format!("{} {}", summary.status.name(), summary.stop_reason.as_deref().unwrap_or_default()));
    row("report-agent", code(&began.agent));
    row("report-model", code(began.model.as_deref().unwrap_or("-")));
    row("report-steps", summary.steps.to_string());
    if let Some(dollars) = summary.dollars {
        row("report-cost", format!("${dollars:.4}"));
    }
    for Moment { at_ms, what } in moments {
        let at = time::utc(*at_ms);
        let piece = match what {
            What::Call { ended, arguments } => {
                let state = format!("{} {:.1} ms", ended.outcome, ended.duration_us as f64 / 1000.0);
                let diff = ended.diff.as_deref().map(|diff| fenced("diff", diff)).unwrap_or_default();
                let shown: String = ended.content.chars().take(SHOWN).collect();
                let more = if shown.len() < ended.content.len() { "…" } else { "" };
                format!(
                    "**{}** {state}\n\n{}{}{diff}",
                    code(&ended.tool),
                    fenced("json", arguments),
                    fenced("", &format!("{shown}{more}"))
                )
            }
            What::Unended { tool, arguments, .. } => {
                format!("**{}** {}\n\n{}", code(tool), say("session-line-open"), fenced("json", arguments))
            }
            What::Row(Entry::Prompt(prompt)) => {
                format!("## {} ({at})\n\n{}", say("report-task"), fenced("", &prompt.text))
            }
            What::Row(Entry::Answered(answered)) => {
                let text = text(answered);
                let text = if text.trim().is_empty() { String::new() } else { fenced("", text) };
                format!("### {} {} ({at})\n\n{text}", say("report-step"), answered.step)
            }
            What::Row(Entry::SubagentEnded(SubagentEnded { task })) => {
                let answer = fenced("", task.answer.as_deref().unwrap_or_default());
                format!("**{} {}** {}\n\n{answer}", task.id, task.profile, code(&catalogue.render(&headline(task))))
            }
            What::Row(Entry::Notice(notice)) => format!("> {}\n", code(&notice.text)),
            What::Row(Entry::GateTried(gate)) => {
                format!("{} {}\n", if gate.passed { "✓" } else { "✗" }, code(&gate.name))
            }
            What::Row(Entry::Resumed(_)) => format!("_{} ({at})_\n", say("session-line-resumed")),
            What::Row(Entry::Compacted(snapshot)) => {
                let compacted = Message::new("session-line-compacted").with("count", snapshot.conversation.left_out);
                format!("_{}_\n", catalogue.render(&compacted))
            }
            What::Row(Entry::Ended(ended)) => {
                format!("**{}** ({}, {at})\n", ended.status.name(), code(&ended.stop_reason))
            }
            What::Row(_) => String::new(),
        };
        page.push('\n');
        page.push_str(&piece);
    }
    page
}

fn text(answered: &Answered) -> &str {
    match &answered.message {
        Some(Said::Assistant { text, .. }) => text,
        _ => "",
    }
}

/// The beginning of a text on one line, harmless.
fn short(text: &str) -> String {
    let line: String = text.chars().take(LINE).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let more = if line.len() < text.len() { "…" } else { "" };
    format!("{}{more}", stderr::shown_line(&line))
}

fn clock(at_ms: u64) -> String {
    let text = time::utc(at_ms);
    text.get(11..19).unwrap_or_default().to_owned()
}
