//! Programs whose operand is a program text: sed, awk, jq. Safe only when the whole text is understood and reads
//! nothing but its operands; a text that is not understood is refused, even a correct one.

mod awk;
mod jq;
mod sed;

use super::refusal::Refusal;
use super::row::{Answer, Operands::*, Row, Seen};
use crate::command::Word;
use crate::verdict::Class;

const SED_SCRIPT: &str = "-e --expression";

/// The table.
pub(super) const ROWS: &[Row] = &[
    Row::safe(
        "sed gsed",
        "-nErsuz -e= -l= --quiet --silent --expression= --regexp-extended --null-data --separate --unbuffered \
         --sandbox --line-length= --posix --debug --zero-terminated --help --version !-i !--in-place !-f !--file \
         !-I !--follow-symlinks",
    )
    .takes(PatternThenFiles(SED_SCRIPT))
    .guarded()
    .check(sed_row),
    Row::safe(
        "awk gawk mawk nawk",
        "-F= -v= --field-separator= --assign= --posix --traditional --re-interval --version --help !-f !--file \
         !-i !--include !-l !--load !-e !--source !-E !--exec !-p !--profile !-d !--dump-variables !-o \
         !--pretty-print !-D !--debug !-W",
    )
    .takes(PatternThenFiles(""))
    .check(awk_row),
    Row::safe(
        "jq",
        "-rcsneSjaRMC --raw-output --compact-output --slurp --null-input --exit-status --sort-keys --join-output \
         --tab --ascii-output --raw-input --monochrome-output --color-output --indent+ --arg=2 --argjson=2 --seq \
         --unbuffered --stream --args --jsonargs --raw-output0 --help --version -h !-f !--from-file !-L \
         !--rawfile !--slurpfile !--argfile !--run-tests",
    )
    .takes(PatternThenFiles(""))
    .guarded()
    .check(jq_row),
];

fn read_only(seen: &Seen<'_>, script: Option<&Word>, harmless: fn(&str) -> bool) -> Answer {
    match script.and_then(Word::literal) {
        Some(text) if harmless(text) => Ok(Class::Safe),
        _ => Err(Refusal::Script(seen.program.to_owned())),
    }
}

fn sed_row(seen: &Seen<'_>) -> Answer {
    let mut given: Vec<&Word> = seen.given.values(SED_SCRIPT).collect();
    if given.is_empty() {
        given.extend(seen.given.operands.first());
    }
    if given.is_empty() {
        return Err(Refusal::Script(seen.program.to_owned()));
    }
    // Parts are joined by new lines, so that one may continue what another began.
    let whole: Option<Vec<&str>> = given.into_iter().map(Word::literal).collect();
    let whole = whole.map(|parts| Word::text(parts.join("\n")));
    read_only(seen, whole.as_ref(), sed::only_reads)
}

fn awk_row(seen: &Seen<'_>) -> Answer {
    read_only(seen, seen.given.operands.first(), awk::only_reads)
}

fn jq_row(seen: &Seen<'_>) -> Answer {
    read_only(seen, seen.given.operands.first(), jq::only_reads)
}
