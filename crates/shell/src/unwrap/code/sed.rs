//! sed scripts in operands: the command `e`, the flag `e`.

use super::Found;
use crate::command::{Command, Word};
use crate::options::{self, Options};
use crate::sed::{Step, steps};
use crate::unwrap::build::stdin;
use crate::unwrap::outputs::options;
use crate::unwrap::shells::is_stdin;
use std::sync::LazyLock;

/// What the words of `sed` say.
pub(in crate::unwrap) struct Given<'a> {
    pub(in crate::unwrap) options: options::Given<'a>,
    pub(in crate::unwrap) scripts: Vec<Word>,
    pub(in crate::unwrap) files: Vec<Word>,
}

static SED: LazyLock<Options> = LazyLock::new(|| {
    Options::listed(
        "-nErsuz -efl= -iI[=] --expression= --file= --quiet --silent --regexp-extended --in-place[=] --separate \
         --unbuffered --null-data --posix --debug --sandbox --line-length= --follow-symlinks",
    )
});

pub(in crate::unwrap) fn given(command: &Command) -> Given<'_> {
    let options = options(command, &SED);
    let mut scripts: Vec<Word> = options.values("-e --expression").cloned().collect();
    let mut files = options.operands.to_vec();
    if scripts.is_empty() && !options.has("-f --file") && !files.is_empty() {
        scripts.push(files.remove(0));
    }
    Given { options, scripts, files }
}

/// What a script starts.
pub(super) fn find(command: &Command, found: &mut Vec<Found>) {
    let given = given(command);
    let read = given.options.values("-f --file").any(is_stdin);
    let own = if read { stdin(&command.input) } else { None };
    for text in given.scripts.iter().chain(&own).filter_map(Word::literal) {
        for step in steps(text).0 {
            match step {
                Step::Run(text) if text.is_empty() || text.starts_with([';', '}']) => {
                    found.extend(stdin(&command.input).map(Found::Text));
                }
                Step::Run(text) => found.push(Found::text(text)),
                Step::Substitute { with, flags, .. }
                    if flags.split('w').next().is_some_and(|all| all.contains('e')) =>
                {
                    found.push(Found::text(with.replace("\\n", "\n").replace('\\', "")));
                }
                _ => {}
            }
        }
    }
}
