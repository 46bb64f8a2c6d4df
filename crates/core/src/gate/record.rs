//! Stage 9: the record of a call, and the one result made from its outcome.

use super::bound::{bound, floor};
use super::changed::Changed;
use super::engine::Gate;
use super::submit::Submitted;
use super::trail::Trail;
use crate::call::{ArtifactId, Effect, Extent, Outcome, Output, Part, ToolResult};
use crate::message::{Message, Text};
use crate::ports::{Artifacts, CheckedCall, NewArtifact, NewContent, Pending, Record, StoreFault, each_text};
use serde_json::Value;
use std::borrow::Cow;
use std::time::UNIX_EPOCH;

/// Strings of recorded arguments are cut at this length.
const KEPT_CHARS: usize = 200;
/// Changed files that a record names.
const KEPT_FILES: usize = 200;

type Kept = Pending<Result<ArtifactId, StoreFault>>;

/// A result on its way to the caller.
pub(super) struct Rendering {
    pub(super) result: ToolResult,
    /// Its full text on its way to the store, if it is long.
    spilled: Option<Kept>,
    /// The same of its parts, by their place.
    spilled_parts: Vec<(usize, Kept)>,
    /// Where its text is from, if it is foreign.
    foreign: Option<String>,
    /// None once they are part of the result.
    notes: Option<Vec<Message>>,
}

/// Renders the outcome in the reader's language.
pub(super) fn render(submitted: &Submitted<'_>, outcome: Outcome, trail: &Trail<'_>) -> Rendering {
    let (gate, call) = (trail.gate(), trail.call());
    let checked = submitted.ready.as_ref().map(|ready| &ready.call);
    let mut result = ToolResult {
        id: call.id.clone(),
        tool: call.tool.clone(),
        input: checked.map_or_else(|| submitted.raw.to_value(), |checked| checked.arguments().clone()),
        success: matches!(outcome, Outcome::Done(_)),
        outcome: outcome.kind(),
        output: String::new(),
        error: None,
        code: code(&outcome),
        data: None,
        parts: Vec::new(),
        notes: Vec::new(),
        diff: None,
        truncated: false,
        extent: Extent::default(),
        foreign: false,
        artifact: None,
        question: None,
        repairs: Vec::new(),
        duration: trail.took(),
        timings: Vec::new(),
    };
    let catalogue = &*gate.catalogue;
    let foreign = outcome.foreign(&call.tool).map(str::to_owned);
    let mut notes = Vec::new();
    match outcome {
        Outcome::Done(Output { text, data, parts, diff, truncated, extent, notes: of_tool, .. }) => {
            notes = of_tool;
            result.output = text.into_rendered(catalogue);
            result.data = data;
            result.parts = parts;
            result.diff = diff;
            result.truncated = truncated;
            result.extent = extent;
        }
        Outcome::Failed(error) | Outcome::Stopped(_, error) => {
            result.output = error.output().map(|text| text.render(catalogue)).unwrap_or_default();
            result.error = Some(catalogue.render(error.message()));
        }
        Outcome::Refused(refusal) => {
            let whole = refusal.others.into_iter().fold(refusal.message, Text::line);
            result.error = Some(whole.into_rendered(catalogue));
        }
        Outcome::Parked { question } => {
            let why = match &question {
                Some(question) => Message::new("call-parked").with("question", question.as_str()),
                None => Message::new("call-parked-behind"),
            };
            result.error = Some(catalogue.render(&why));
            result.question = question;
        }
    }
    if let Some(checked) = checked {
        result.repairs = checked.repairs().iter().map(|repair| catalogue.render(&repair.message())).collect();
    }
    let spilled = checked.and_then(|checked| spill(gate, checked, &result.output, foreign.as_deref()));
    notes.extend(checked.and_then(changed_line));
    let spilled_parts = spill_parts(gate, checked, &result.parts, foreign.as_deref());
    Rendering { result, spilled, spilled_parts, foreign, notes: Some(notes) }
}

impl Rendering {
    /// Waits until the full text and the parts are stored.
    pub(super) async fn spilled(&mut self) -> Option<ArtifactId> {
        for (at, kept) in &mut self.spilled_parts {
            let place = self.result.parts.get_mut(*at).and_then(Part::media_mut);
            // ignored: the part itself is in the result; storing it is optional.
            if let (Some(media), Ok(artifact)) = (place, kept.await) {
                media.kept_as(artifact);
            }
        }
        // ignored: the result itself says where it was cut; storing the full text is optional.
        self.spilled.as_mut()?.await.ok()
    }

    /// Brings the result within the limit, now that it is known where its full text is, and adds what is to be said with it.
    pub(super) fn finish(&mut self, artifact: Option<ArtifactId>, trail: &mut Trail<'_>) -> &mut ToolResult {
        let (gate, result) = (trail.gate(), &mut self.result);
        if let Some(notes) = self.notes.take() {
            result.artifact = artifact;
            bound(result, gate);
            result.foreign = self.foreign.is_some();
            if let Some(source) = &self.foreign {
                mark(gate, result, source);
            }
            for note in notes.into_iter().map(Text::from).chain(trail.take_notes()) {
                result.add_line(&note.into_rendered(&*gate.catalogue));
            }
        }
        result
    }
}

/// Names the files that programs changed.
fn changed_line(checked: &CheckedCall) -> Option<Message> {
    Changed::of(checked.changed_by_programs()).message("command-changed")
}

/// Hands in a long output in full, without secrets, before it is truncated. A page of such a text is not stored again.
fn spill(gate: &Gate, checked: &CheckedCall, output: &str, foreign: Option<&str>) -> Option<Kept> {
    let artifacts = gate.doors.get::<dyn Artifacts>().filter(|_| output.len() > gate.limits.artifact_bytes)?;
    if is_stored(checked) {
        return None;
    }
    let text = &gate.redactor.redact(output);
    Some(artifacts.keep(&NewArtifact {
        scope: checked.scope(),
        call: checked.id(),
        content: NewContent::Text(text),
        foreign,
    }))
}

/// Hands in large parts.
fn spill_parts(
    gate: &Gate,
    checked: Option<&CheckedCall>,
    parts: &[Part],
    foreign: Option<&str>,
) -> Vec<(usize, Kept)> {
    let Some(checked) = checked.filter(|checked| !parts.is_empty() && !is_stored(checked)) else { return Vec::new() };
    let Some(artifacts) = gate.doors.get::<dyn Artifacts>() else { return Vec::new() };
    let (scope, call) = (checked.scope(), checked.id());
    let media = parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.media()?)));
    let large = media.filter(|(_, media)| media.bytes().len() > gate.limits.artifact_bytes);
    let kept = |media| artifacts.keep(&NewArtifact { scope, call, content: NewContent::Media(media), foreign });
    large.map(|(at, media)| (at, kept(media))).collect()
}

/// Whether the call reads what is stored already.
fn is_stored(checked: &CheckedCall) -> bool {
    checked.effects().iter().any(|effect| matches!(effect, Effect::ReadArtifact(_)))
}

/// Puts marks that only this call knows around foreign text, which is already within the limit.
fn mark(gate: &Gate, result: &mut ToolResult, source: &str) {
    result.output = gate.marker.mark(&result.output, source);
    if let Some(data) = &mut result.data {
        each_text(data, &|text| *text = gate.marker.tame(text));
    }
    for part in &mut result.parts {
        let own = part.text_mut().map(std::mem::take);
        part.each_text(&|text| *text = gate.marker.tame(text));
        if let (Some(place), Some(text)) = (part.text_mut(), own) {
            *place = gate.marker.mark(&text, source);
        }
    }
}

/// Removes secrets from all of the result.
fn clean(gate: &Gate, result: &mut ToolResult) {
    let clean = |text: &mut String| clean_text(gate, text);
    clean(&mut result.output);
    let lines = result.repairs.iter_mut().chain(&mut result.notes);
    result.error.iter_mut().chain(&mut result.diff).chain(lines).for_each(clean);
    result.parts.iter_mut().for_each(|part| part.each_text(&clean));
    result.data.iter_mut().chain([&mut result.input]).for_each(|value| gate.redactor.redact_json(value));
}

fn clean_text(gate: &Gate, text: &mut String) {
    if let Cow::Owned(redacted) = gate.redactor.redact(text) {
        *text = redacted;
    }
}

fn code(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Done(_) => None,
        Outcome::Failed(error) | Outcome::Stopped(_, error) => Some(error.kind().facts().code.to_owned()),
        Outcome::Refused(refusal) => Some(refusal.rule.clone()),
        Outcome::Parked { .. } => Some("parked".to_owned()),
    }
}

/// Passes the call to the recorder, with its last stage verdicts. Neither the record nor the result contains a secret.
pub(super) fn record(submitted: &Submitted<'_>, result: &mut ToolResult, detail: Option<&str>, trail: &Trail<'_>) {
    let (gate, call) = (trail.gate(), trail.call());
    clean(gate, result);
    let checked = submitted.ready.as_ref().map(|ready| &ready.call);
    let judged;
    let (effects, digest) = match (trail.begun(), checked) {
        (Some((effects, digest)), _) => (effects, Some(digest.to_owned())),
        (None, Some(checked)) => {
            judged = effects(gate, checked);
            (judged.as_slice(), Some(checked.digest().to_hex()))
        }
        (None, None) => (&[] as &[String], None),
    };
    // The result's arguments, because they are redacted.
    let arguments = if is_short(&result.input) {
        Cow::Borrowed(&result.input)
    } else {
        Cow::Owned(shortened(&result.input, KEPT_CHARS))
    };
    let detail = detail.map(|detail| gate.redactor.redact(detail));
    let at_ms = now_ms(gate);
    let changed = checked.map_or(&[] as &[_], CheckedCall::changed_by_programs);
    let more = changed.len().saturating_sub(KEPT_FILES);
    let named = changed.iter().take(KEPT_FILES).map(|delta| gate.redactor.redact(&delta.to_string()).into_owned());
    let changed: Vec<String> = named.chain((more > 0).then(|| format!("… (+{more})"))).collect();
    let record = Record {
        at_ms,
        call: call.id.as_str(),
        tool: &call.tool,
        origin: &call.origin,
        scope: &call.scope,
        arguments: &arguments,
        effects,
        changed: &changed,
        digest,
        outcome: result.outcome,
        code: result.code.as_deref(),
        detail: detail.as_deref(),
        output_bytes: result.output.len(),
        artifact: result.artifact.as_ref().map(ArtifactId::as_str),
        dry_run: gate.run_mode.is_dry(),
        read_only: checked.is_none_or(|checked| checked.effects().is_read_only()),
        duration_us: u64::try_from(result.duration.as_micros()).unwrap_or(u64::MAX),
    };
    gate.recorder.ended(&trail.records(at_ms), &record);
}

/// Milliseconds since 1970.
pub(super) fn now_ms(gate: &Gate) -> u64 {
    let at = gate.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

/// A call's effects, as recorded.
pub(super) fn effects(gate: &Gate, checked: &CheckedCall) -> Vec<String> {
    checked.effects().iter().map(|effect| shortly(gate, effect)).collect()
}

/// Cut after redaction: half a secret would not be recognized.
fn shortly(gate: &Gate, effect: &Effect) -> String {
    let words = effect.to_string();
    let mut words = gate.redactor.redact(&words).into_owned();
    if words.len() > KEPT_CHARS {
        let whole = words.len();
        words.truncate(floor(&words, KEPT_CHARS));
        words.push_str(&format!("… ({whole} bytes)"));
    }
    words
}

/// The arguments of a call as shown and recorded: redacted, then long strings cut.
pub(super) fn kept(gate: &Gate, arguments: &Value) -> Value {
    match arguments {
        Value::String(text) => Value::String(cut(&gate.redactor.redact(text), KEPT_CHARS)),
        Value::Array(items) => items.iter().map(|item| kept(gate, item)).collect(),
        Value::Object(map) => Value::Object(map.iter().map(|(key, item)| (key.clone(), kept(gate, item))).collect()),
        other => other.clone(),
    }
}

/// Whether nothing in the value would be cut.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= KEPT_CHARS,
        Value::Array(items) => items.iter().all(is_short),
        Value::Object(map) => map.values().all(is_short),
        _ => true,
    }
}

/// The value with long strings cut, each with its full length.
fn shortened(value: &Value, chars: usize) -> Value {
    match value {
        Value::String(text) => Value::String(cut(text, chars)),
        Value::Array(items) => Value::Array(items.iter().map(|item| shortened(item, chars)).collect()),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, item)| (key.clone(), shortened(item, chars))).collect())
        }
        other => other.clone(),
    }
}

/// The text, or its beginning with the full length.
fn cut(text: &str, chars: usize) -> String {
    if text.len() <= chars {
        return text.to_owned();
    }
    let kept = text.get(..floor(text, chars)).unwrap_or_default();
    format!("{kept}… ({} bytes)", text.len())
}
