//! make, cmake, ninja and their kin.

use crate::catalogue::has;

use super::super::refusal::Refusal;
use super::super::row::{Answer, Operands::*, Row, Seen};
use super::{plain_value, text_of};
use crate::verdict::Class;

/// The table.
pub(in super::super) const ROWS: &[Row] = &[
    Row::dev(
        "make gmake",
        "-ksBnqwSit -j[=] -l[=] -C=name -O[=] --jobs[=] --load-average[=] --keep-going --silent --quiet \
         --always-make --dry-run --just-print --recon --question --print-directory --no-print-directory \
         --directory=name --output-sync[=] --no-keep-going --stop --trace --warn-undefined-variables \
         --no-builtin-rules --no-builtin-variables -rR -p --print-data-base --debug[=] -d --version --help !-f \
         !--file !--makefile !-I !--include-dir !-E !--eval !-e !--environment-overrides !-o !--old-file !-W \
         !--what-if",
    )
    .check(make),
    Row::dev(
        "cmake",
        "-v -t= -j[=] --build=name --target= --config= --parallel[=] --clean-first --verbose -S=name -B=name \
         --fresh -D[=] -L -N -A= -W[=] --list-presets[=] --no-warn-unused-cli !-P !-E !-C !-G !--install !--open \
         !-i !--preset !--toolchain !--graphviz !--trace-redirect !-U !--workflow",
    )
    .check(cmake),
    Row::dev("ninja", "-nv -d= -C=name -j= -k= -l= --verbose --quiet --version !-f !-t"),
    Row::dev(
        "ctest",
        "-VNQ -j= -R= -E= -L= -j= -C= --output-on-failure --test-dir=name --parallel= --tests-regex= \
         --exclude-regex= --rerun-failed --stop-on-failure --timeout= --verbose --progress --show-only[=] \
         --no-tests= !-S !-D !--script !--build-and-test !-T !-M !-O !--output-log !--build-makeprogram",
    ),
    Row::dev(
        "shellcheck",
        "-ax -s= -e= -f= -S= -i= -C[=] -W= --shell= --exclude= --format= --severity= --include= --color[=] \
         --external-sources",
    )
    .takes(Files),
    Row::dev("shfmt", "-dlsp -i= --diff --list --simplify --indent="),
    Row::dev("hadolint yamllint actionlint jsonlint typos", "-s -f= --strict --format= --no-color").takes(Files),
    Row::dev("clang-format", "-n --dry-run --Werror --style= --verbose !--files").takes(Files),
    Row::dev("pkg-config", "--exists --modversion --cflags --libs --list-all --print-errors --static").takes(Text),
];

/// Targets by name; a variable must not name a program, a path or flags.
fn make(seen: &Seen<'_>) -> Answer {
    const PROGRAMS: &str = "SHELL CC CXX CPP LD AR AS MAKE MAKEFLAGS MAKEFILES PYTHON NODE RM INSTALL CARGO GO RUSTC \
        DOCKER NPM CMD COMMAND EXEC RUN RUNNER PREFIX DESTDIR VPATH";
    for word in &seen.given.operands {
        let Some((name, value)) = text_of(Some(word)).split_once('=') else { continue };
        let name = name.trim_end_matches([':', '?', '+']);
        let harmful = has(PROGRAMS, name) || name.ends_with("FLAGS") || name.starts_with('.') || !plain_value(value);
        if harmful || !plain_value(name) {
            return Err(Refusal::Operand(seen.program.to_owned(), word.to_string()));
        }
    }
    Ok(Class::Dev)
}

/// A cache entry must not name a program or flags.
fn cmake(seen: &Seen<'_>) -> Answer {
    for word in seen.given.values("-D") {
        let text = text_of(Some(word));
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let named = name.split(':').next().unwrap_or(name);
        let known = matches!(
            named,
            "CMAKE_BUILD_TYPE"
                | "BUILD_TESTING"
                | "BUILD_SHARED_LIBS"
                | "CMAKE_EXPORT_COMPILE_COMMANDS"
                | "CMAKE_CXX_STANDARD"
        );
        if !known || !plain_value(value) {
            return Err(Refusal::HarmfulOption(seen.program.to_owned(), format!("-D{text}")));
        }
    }
    Ok(Class::Dev)
}
