//! Compilers, builds, tests, linters and formatters.

use super::Row;
use super::fact::{Changes::*, Fact::*};

pub(super) const ROWS: &[Row] = &[
    ("make mvn gradle", &[RunsTargets, Version("-v")]),
    ("bazel", &[RunsTargets, ExecutesText("--run_under"), Version("")]),
    ("gmake ninja rake tox nox just task", &[RunsTargets, Version("")]),
    ("invoke gradlew buck", &[RunsTargets]),
    ("rustfmt black isort", &[Changes(Every), Version("")]),
    ("autopep8", &[Changes(Every)]),
    ("eslint prettier clang-format ruff shfmt biome", &[Changes(InPlace), Version("")]),
    ("gofmt goimports stylua", &[Changes(InPlace)]),
    ("tsc gcc clang", &[Version("-v")]),
    ("rustc", &[Version("-V -vV -Vv")]),
    ("javac", &[Version("-version")]),
    ("zig", &[Version("version")]),
    (
        "jest vitest mocha kotlinc sbt ant rustdoc clippy-driver cargo-clippy g++ cc c++ clang++ clang-tidy ld \
         lld valgrind cmake ctest meson buck2 autoconf automake pkg-config rails stack dart nim dune \
         pytest mypy flake8 pylint coverage pre-commit golangci-lint shellcheck hadolint turbo nx lerna ng vue \
         vite webpack rollup esbuild playwright cypress protoc buf act nasm strace ltrace flutter",
        &[Version("")],
    ),
];
