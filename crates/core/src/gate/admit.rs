//! What a tool returned, as the gate passes it on: data that fits the tool's schema, parts within their number and bytes.
//!
//! Whatever does not fit is left out and a note says so. It is no failure: the tool has done its work, and a model that is told
//! of a failure does it again.

use crate::call::{Output, Part};
use crate::message::Message;
use crate::registry::Registered;

pub(super) fn admit(mut output: Output, tool: &Registered) -> Output {
    fit_data(&mut output, tool);
    if !output.parts.is_empty() {
        fit_parts(&mut output);
    }
    output
}

fn fit_data(output: &mut Output, tool: &Registered) {
    let spec = tool.tool().spec();
    if spec.output_schema.is_none() {
        return;
    }
    let note = match &output.data {
        None => Message::new("data-missing").with("tool", &*spec.name),
        Some(data) => match tool.data_errors(data) {
            errors if errors.is_empty() => return,
            errors => Message::new("data-does-not-fit").with("tool", &*spec.name).with("reasons", errors.join("; ")),
        },
    };
    output.data = None;
    output.notes.push(note);
}

fn fit_parts(output: &mut Output) {
    let whole = output.parts.len();
    let (mut count, mut bytes) = (0, 0);
    output.parts.retain(|part| {
        let fits = count < Part::MOST && bytes + part.size() <= Part::MAX_ALL;
        if fits {
            count += 1;
            bytes += part.size();
        }
        fits
    });
    let left_out = whole - output.parts.len();
    if left_out > 0 {
        output.truncated = true;
        let note = Message::new("parts-left-out")
            .with("count", left_out)
            .with("most", Part::MOST)
            .with("limit", Part::MAX_ALL);
        output.notes.push(note);
    }
}
