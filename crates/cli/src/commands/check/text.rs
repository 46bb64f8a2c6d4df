//! Text as a model would get it from elsewhere: secrets out, marks around it.

use super::{Case, Verdict};
use palanca_core::ports::{Marker, Redactor};
use palanca_policy::marking::{ExternalMarker, imitates_mark};
use palanca_policy::secrets::Secrets;

/// Where a text comes from when the case does not say.
const SOURCE: &str = "check";

/// `redact` when a secret was found, `pass` otherwise; where `contained` is expected, that, when the marks hold.
pub(super) fn judge(secrets: &Secrets, marker: &ExternalMarker, case: &Case) -> (Verdict, String) {
    let redacted = match case.chunk {
        Some(size) => in_pieces(secrets, &case.input, size.max(1)),
        None => secrets.redact(&case.input).into_owned(),
    };
    let output = marker.mark(&redacted, case.via.as_deref().unwrap_or(SOURCE));
    let label = if case.expect.as_deref() == Some("contained") {
        if is_contained(&output) { "contained" } else { "broken" }
    } else if redacted == case.input {
        "pass"
    } else {
        "redact"
    };
    (Verdict { label, why: None }, output)
}

fn in_pieces(secrets: &Secrets, text: &str, size: usize) -> String {
    let mut stream = secrets.stream();
    let characters: Vec<char> = text.chars().collect();
    let mut out: String = characters.chunks(size).map(|piece| stream.push(&piece.iter().collect::<String>())).collect();
    out.push_str(&stream.finish());
    out
}

/// Whether the marks are the first and last line, and nothing between could be taken for one.
fn is_contained(output: &str) -> bool {
    let inside = output.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n')).map(|(inside, _)| inside);
    inside.is_some_and(|inside| !imitates_mark(inside))
}
