//! Which programs obey files of the folder that they are started in, even when they are only asked for their version or for a
//! list: such a file names code, so whoever brought the folder would choose what runs.
//!
//! A program that is not here was found to read no such file by its documentation. Programs behind the shims of version
//! managers (`.tool-versions`, `.python-version`) are not listed one by one: a shim starts another program, which
//! [`Held::Sandbox`] describes.

use super::ByName;
use super::by_name;
use std::sync::LazyLock;

/// What keeps such code from running in a command that nobody is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Nothing: a person is asked.
    Person,
    /// Any of these options, which have blanks between them.
    Flag(&'static str),
    /// This variable with this value, which every command that only reads gets.
    Variable(&'static str, &'static str),
    /// The code is a program or a library, and a command that only reads starts and loads nothing of the workspace.
    Sandbox,
}

/// One program's file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obeyed {
    /// The file, and what in it.
    pub(crate) file: &'static str,
    /// Where its documentation says so.
    #[cfg_attr(not(test), allow(dead_code, reason = "for whoever changes the row"))]
    pub(crate) source: &'static str,
    pub(crate) held: Held,
}

const fn row(file: &'static str, source: &'static str, held: Held) -> Obeyed {
    Obeyed { file, source, held }
}

use Held::{Flag, Person, Sandbox, Variable};

/// Names with blanks between them, and the file.
pub(super) const ROWS: &[(&str, Obeyed)] = &[
    // Rust.
    (
        "rustc cargo rustdoc rustfmt rustup clippy-driver cargo-clippy",
        row("rust-toolchain.toml (path)", "The rustup book, Overrides: The toolchain file", Sandbox),
    ),
    // Go.
    ("go", row("go.mod (toolchain)", "Go Toolchains: Go toolchain selection", Sandbox)),
    // Java.
    ("mvn", row(".mvn/jvm.config", "Configuring Apache Maven: .mvn folder", Variable("MAVEN_BASEDIR", "/"))),
    ("gradle", row("gradle.properties (org.gradle.java.home)", "Gradle, Build environment: Gradle properties", Person)),
    ("sbt", row(".sbtopts, .jvmopts", "sbt Reference Manual, Command line reference", Person)),
    // Python.
    ("python python2 python3", row("the module behind -m", "Python, Command line and environment: -m", Flag("-I -P"))),
    ("pytest py.test", row("conftest.py, pytest.ini (addopts)", "pytest, Configuration: initialization", Person)),
    ("flake8", row(".flake8, setup.cfg, tox.ini (local-plugins)", "Flake8, Configuring: local plugins", Person)),
    ("pylint", row(".pylintrc, pyproject.toml (init-hook)", "Pylint, All options: init-hook", Person)),
    ("tox", row("toxfile.py", "tox, Extending tox: plugins by toxfile.py", Person)),
    ("pdm", row(".pdm-plugins", "PDM, Write a plugin: manage plugins in project", Person)),
    ("poetry", row("pyproject.toml (requires-plugins)", "Poetry, Plugins: project plugins", Person)),
    ("uv", row(".venv (its Python is asked)", "uv, Using environments: discovery", Person)),
    ("ansible", row("ansible.cfg (plugins)", "Ansible Configuration Settings: the configuration file", Person)),
    ("hg", row(".hg/hgrc (extensions)", "hg help config: extensions", Person)),
    // Node. With a copy of their own below the folder (`import-local`) these become it.
    (
        "yarn yarnpkg",
        row(".yarnrc (yarn-path), .yarnrc.yml (yarnPath, plugins)", "Yarn, Configuration: yarnPath", Person),
    ),
    (
        "pnpm",
        row("package.json (packageManager), .pnpmfile.cjs", "pnpm, Settings: managePackageManagerVersions", Person),
    ),
    ("jest", row("node_modules/jest", "import-local, as jest-cli uses it", Person)),
    ("webpack", row("node_modules/webpack-cli, webpack.config.js", "import-local, as webpack-cli uses it", Person)),
    ("lerna", row("node_modules/lerna", "import-local, as lerna uses it", Person)),
    ("nx", row("node_modules/nx", "Nx, Installation: global and local installation", Person)),
    ("ng", row("node_modules/@angular/cli", "Angular, CLI: local and global versions", Person)),
    ("turbo", row("node_modules/turbo", "Turborepo, Installation: global installation", Person)),
    ("vue vite vitest rollup", row("vite.config, rollup.config", "their Configuring pages", Person)),
    ("mocha", row(".mocharc.js", "Mocha, Configuring Mocha", Person)),
    ("cypress playwright", row("their configuration in the folder", "their Configuration pages", Person)),
    // Ruby.
    ("bundle bundler", row("Gemfile, .bundle/config (path)", "Bundler, bundle-config and Gemfile", Person)),
    ("rails", row("bin/rails", "Ruby on Rails, The command line", Person)),
    // Others.
    ("composer", row("composer.json (plugins in vendor)", "Composer, Setting up and using plugins", Person)),
    ("dotnet", row("global.json (sdk.paths)", ".NET, global.json overview: paths", Person)),
    ("elixir iex mix", row(".erlang, mix.exs", "Erlang, erl; Mix", Person)),
    ("bazel", row("tools/bazel, .bazelversion", "Bazelisk, README: how it works", Person)),
    ("buck2", row(".buckconfig", "Buck2, .buckconfig", Person)),
    ("act", row(".actrc", "act, Usage: configuration", Person)),
];

static OBEYED: ByName<Obeyed> = LazyLock::new(|| by_name(ROWS.iter().copied()));

/// What a program of this name obeys.
pub(crate) fn obeyed(name: &str) -> Option<Obeyed> {
    OBEYED.get(name).copied()
}

/// The variables by which programs do not obey the folder that they are started in, with their values.
pub fn neutral_variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROWS.iter().filter_map(|(_, obeyed)| match obeyed.held {
        Variable(name, value) => Some((name, value)),
        _ => None,
    })
}
