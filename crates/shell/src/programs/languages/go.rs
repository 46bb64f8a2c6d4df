//! go, gofmt and golangci-lint.

use super::super::options::Style;
use super::super::refusal::Refusal;
use super::super::row::{Answer, Family, Operands::*, Row, Seen};
use super::all;
use crate::verdict::Class;

const BUILD: &str = "-a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -x -trimpath -tags= -mod= \
    -modcacherw -buildvcs[=] -buildmode= -installsuffix= -ldflags= -o=name -C=name -json !-exec !-toolexec !-overlay \
    !-modfile !-work !-pkgdir !-gccgoflags !-gcflags !-asmflags !-pgo !-compiler !-vettool";

const TEST: &str = "-run= -skip= -bench= -benchmem -benchtime= -count= -coverprofile=name -cpu= -failfast -fullpath \
    -list= -parallel= -short -shuffle= -timeout= -vet= -fuzztime= -c !-fuzz !-cpuprofile !-memprofile !-trace \
    !-outputdir !-args !-blockprofile !-mutexprofile";

const GO: &[Row] = &[
    Row::dev("build", BUILD).style(Style::Words).check(linker),
    Row::dev("test", BUILD).with(TEST).style(Style::Words).check(linker),
    Row::dev("vet", BUILD).style(Style::Words).check(linker),
    Row::dev("fmt", "-n -x -mod=").style(Style::Words),
    Row::dev("list", "-m -u -f= -deps -e -find -test -versions -retracted -compiled -export")
        .with(BUILD)
        .style(Style::Words),
    Row::dev("mod tidy", "-v -e -x -go= -compat= -diff").style(Style::Words).takes(Nothing),
    Row::dev("mod download|mod verify|mod graph|mod why", "-json -x -m -vendor").style(Style::Words).takes(Text),
    Row::dev("doc", "-all -c -cmd -short -src -u").style(Style::Words).takes(Text),
    Row::safe("env", "-json -changed !-w !-u").style(Style::Words).takes(Text).check(env),
    Row::safe("version", "-m -v").style(Style::Words),
];

const LINT: &[Row] = &[
    Row::dev(
        "run",
        "-v -j= -c=read -E= -D= -p= -e= --timeout= --enable= --disable= --enable-all --disable-all --enable-only= \
         --fast --fast-only --config=read --no-config --out-format= --tests[=] --build-tags= --new \
         --new-from-rev= --verbose --max-issues-per-linter= --max-same-issues= --concurrency= --sort-results \
         --color= --issues-exit-code= --presets= --modules-download-mode= --allow-parallel-runners --show-stats \
         --skip-dirs= --exclude= --default= --path-mode= !--fix !--output.*",
    ),
    Row::dev("linters|version|help|cache status|config path|config verify", "-v --json -c=read --config=read")
        .takes(Text),
    Row::dev("fmt", "-dv --diff -c=read --config=read -E= --enable="),
];

/// Programs with subcommands.
pub(in super::super) const FAMILIES: &[Family] = &[
    Family::new("go", &[GO]).style(Style::Words).globals("-C=name").enters("-C"),
    Family::new("golangci-lint", &[LINT]).globals("-v --color= --verbose"),
];

/// Programs without.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev("gofmt goimports gofumpt", "-l -d -w -s -e -r= -local= -extra !-cpuprofile !-memprofile !-trace")
        .style(Style::Words),
    Row::dev("staticcheck govulncheck gotestsum errcheck revive", "-json -v -tests -checks= -f= -test -short")
        .style(Style::Words),
];

/// Flags for the linker may name another linker.
fn linker(seen: &Seen<'_>) -> Answer {
    let flags = seen.given.values("-ldflags").find(|word| word.to_string().contains("ext"));
    match flags {
        Some(word) => Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("-ldflags={word}"))),
        None => Ok(Class::Dev),
    }
}

fn env(seen: &Seen<'_>) -> Answer {
    all(seen, |text| !text.contains('=')).map(|_| Class::Safe)
}
