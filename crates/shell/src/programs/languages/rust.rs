//! cargo and rustfmt.

use super::super::refusal::Refusal;
use super::super::row::{Answer, Family, Operands::*, Row, Seen};
use crate::command::Word;
use crate::verdict::Class;

const BUILD: &str = "-qvr -p= -F= -j= --quiet --verbose --release --workspace --all --exclude= --package= --lib \
    --bins --bin= --examples --example= --tests --test= --benches --bench= --all-targets --features= --all-features \
    --no-default-features --target= --target-dir=name --manifest-path=name --profile= --message-format= --jobs= \
    --keep-going --color= --locked --offline --frozen --timings[=] --ignore-rust-version --future-incompat-report \
    --help -h !--config !-Z !--artifact-dir !--out-dir !--lockfile-path";

const CARGO: &[Row] = &[
    Row::dev("build|b|check|c", BUILD).takes(Nothing),
    Row::dev("test|t|bench", "--no-run --no-fail-fast --doc").with(BUILD).check(arguments),
    Row::dev("clippy", "--no-deps --allow-no-vcs !--fix !--allow-dirty").with(BUILD).check(arguments),
    Row::dev("fmt", "-p= --check --all --package= --quiet -qv --verbose --manifest-path=name --message-format=")
        .check(arguments),
    Row::dev("doc|d", "--no-deps --document-private-items !--open").with(BUILD).takes(Nothing),
    Row::dev(
        "tree",
        "-e= -i= -d --edges= --invert= --prune= --depth= --prefix= --no-dedupe --duplicates --charset= --format= -f=",
    )
    .with(BUILD)
    .takes(Text),
    Row::dev("metadata", "--no-deps --format-version= --filter-platform=").with(BUILD).takes(Nothing),
    Row::dev(
        "nextest run|nextest list",
        "-E= --no-fail-fast --no-capture --nocapture --test-threads= --retries= --filterset= --run-ignored= \
         --partition=",
    )
    .with(BUILD)
    .check(arguments),
    Row::dev("audit|deny check", "-q --quiet --json").takes(Text),
    Row::safe("version", "-v --verbose").takes(Nothing),
    Row::dev("pkgid|locate-project|verify-project", "--workspace --message-format= --manifest-path=name -q")
        .takes(Text),
];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("cargo", &[CARGO])
        .globals("-qv --quiet --verbose --color= --locked --offline --frozen !--config !-Z !-C --list")
        .before(toolchain),
    Family::new("rustup", &[RUSTUP]),
];

const RUSTUP: &[Row] = &[Row::safe(
    "show|show active-toolchain|toolchain list|target list|component list",
    "-v --verbose --installed --toolchain= -q",
)
.takes(Nothing)];

/// Programs without.
pub(in super::super) const ROWS: &[Row] = &[Row::dev(
    "rustfmt",
    "-qvl --check --edition= --emit= --color= --quiet --verbose --files-with-diff !--config !--config-path \
     !--print-config",
)];

/// `+nightly` names a toolchain; a path would be a foreign compiler.
fn toolchain(words: &[Word]) -> Result<usize, Refusal> {
    match words.first().and_then(Word::literal).and_then(|first| first.strip_prefix('+')) {
        Some(name) if super::plain_value(name) => Ok(1),
        Some(name) => Err(Refusal::Operand("cargo".to_owned(), format!("+{name}"))),
        None => Ok(0),
    }
}

/// What stands behind `--` goes to the test binary, the compiler or the formatter.
fn arguments(seen: &Seen<'_>) -> Answer {
    const HARMFUL: &str = "linker --fix --logfile --config codegen -C -Z -o --emit --out-dir";
    let passed = seen.given.operands.iter().skip(seen.given.before_end).map(ToString::to_string);
    match passed.into_iter().find(|text| HARMFUL.split(' ').any(|harmful| text.contains(harmful))) {
        Some(text) => Err(Refusal::HarmfulOption(seen.program.to_owned(), text)),
        None => Ok(Class::Dev),
    }
}
