//! Package managers and runners of packages.

use super::Row;
use super::fact::{Fact::*, Needs::*};

pub(super) const NODE: &str = "install|i|in|add|ci|clean-install|install-test|it|update|up|upgrade|publish|view|info|\
    show|search|outdated|audit|create|init|dlx|login|ping";
const PYTHON: &str = "install|download|wheel|index|search|add|update|lock|sync|publish|upgrade|inject|tool install|\
    python install|pip install|pip sync|pip compile|pip download|env create";

pub(super) const ROWS: &[Row] = &[
    (
        "npm",
        &[
            Needs(With(NODE)),
            RunsAnythingWith("exec x init create config set explore"),
            ExecutesText("-c --call --script-shell"),
            Version("-v"),
        ],
    ),
    (
        "pnpm",
        &[
            Needs(With(NODE)),
            RunsAnythingWith("exec dlx create config"),
            ExecutesText("-c --call --script-shell"),
            Version("-v"),
        ],
    ),
    (
        "yarn",
        &[
            Needs(WithOrBare(NODE)),
            RunsAnythingWith("exec dlx create config node"),
            ExecutesText("-c --call --script-shell"),
            Version("-v"),
        ],
    ),
    ("npx uvx", &[RunsAnything, Version("")]),
    ("bunx pnpx dlx nix", &[RunsAnything]),
    ("pip", &[Needs(With(PYTHON)), Version("-V")]),
    ("pip3 micromamba", &[Needs(With(PYTHON))]),
    ("pipx conda mamba", &[Needs(With(PYTHON)), RunsAnything, Version("")]),
    ("uv", &[Needs(With(PYTHON)), RunsAnythingWith("run tool x"), Version("-V version")]),
    ("poetry", &[Needs(With(PYTHON)), RunsAnythingWith("run shell config"), Version("")]),
    ("pipenv", &[Needs(With(PYTHON)), RunsAnythingWith("run shell"), Version("")]),
    ("pdm", &[Needs(With(PYTHON)), RunsAnythingWith("run config"), Version("")]),
    ("hatch", &[RunsAnythingWith("run shell"), Version("")]),
    ("rye", &[RunsAnythingWith("run")]),
    ("twine", &[Needs(With("upload"))]),
    ("huggingface-cli hf", &[Needs(With("download|upload|login"))]),
    (
        "cargo",
        &[
            Needs(With("fetch|install|add|update|search|publish|yank|login|owner|info")),
            RunsAnythingWith("run install config script"),
            Version("-V"),
        ],
    ),
    ("rustup", &[Needs(With("update|self update|toolchain install|target add|component add|install")), Version("-V")]),
    (
        "go",
        &[
            Needs(With("get|install|mod download|mod tidy")),
            RunsAnythingWith("run generate env"),
            ExecutesText("-exec -toolexec -vettool --exec --toolexec --vettool"),
            Version("version"),
        ],
    ),
    ("gem", &[Needs(With("install|update|fetch|push|search")), RunsAnythingWith("exec"), Version("")]),
    ("bundle", &[Needs(With("install|update|add|outdated")), RunsAnythingWith("exec config"), Version("")]),
    ("bundler", &[Needs(With("install|update|add|outdated")), RunsAnythingWith("exec config")]),
    (
        "composer",
        &[Needs(With("install|update|require|create-project|outdated")), RunsAnythingWith("exec config"), Version("")],
    ),
    (
        "dotnet",
        &[
            Needs(With("restore|add package|nuget push|tool install")),
            RunsAnythingWith("run tool exec script"),
            Version(""),
        ],
    ),
    ("mix", &[Needs(With("deps.get|deps.update|hex.publish")), RunsAnythingWith("run"), Version("")]),
    ("cabal opam", &[Needs(With("install|update|upgrade")), Version("")]),
];
