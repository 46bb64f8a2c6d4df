//! Programs whose operand is a program text: sed, awk, jq. Safe only when the whole text is understood and reads
//! nothing but its operands; a text that is not understood is refused, even a correct one.

mod awk;
mod jq;

use super::refusal::Refusal;
use super::row::{Answer, Seen};
use crate::command::Word;

pub(super) fn sed(seen: &Seen<'_>) -> Answer {
    let mut given: Vec<&Word> = seen.given.values("-e --expression").collect();
    if given.is_empty() {
        given.extend(seen.given.operands.first());
    }
    // Parts are joined by new lines, so that one may continue what another began.
    let parts: Option<Vec<&str>> = given.into_iter().map(Word::literal).collect();
    let whole = parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("\n"));
    read_only(seen, whole.as_deref(), crate::sed::only_reads)
}

pub(super) fn awk(seen: &Seen<'_>) -> Answer {
    read_only(seen, seen.given.operands.first().and_then(Word::literal), awk::only_reads)
}

pub(super) fn jq(seen: &Seen<'_>) -> Answer {
    read_only(seen, seen.given.operands.first().and_then(Word::literal), jq::only_reads)
}

fn read_only(seen: &Seen<'_>, script: Option<&str>, harmless: fn(&str) -> bool) -> Answer {
    match script {
        Some(text) if harmless(text) => Ok(seen.class),
        _ => Err(Refusal::Script(seen.program.to_owned())),
    }
}
