//! Where per-user tools install their programs, and what those need besides.

/// A folder that a tool keeps below the home.
#[derive(Debug)]
pub(super) struct Row {
    /// Rows of one name belong together: where one is used, all are shown.
    pub(super) name: &'static str,
    /// The variable that names the folder; programs get it. Empty: there is none.
    pub(super) variable: &'static str,
    /// Where it is otherwise, relative to the home or absolute.
    pub(super) folder: &'static str,
    /// What of it is shown, without what is secret by name; `""` is all of it. Settings, logins and logs are not named here.
    pub(super) shown: &'static [&'static str],
    /// What of it is shown as it is: published packages, as the tool unpacked them. A certificate or a test key there is no
    /// secret, and its programs would break without it.
    pub(super) packages: &'static [&'static str],
    /// Packages to which the tool itself adds when it builds. What a command adds is gone when it ends.
    pub(super) growing: &'static [&'static str],
}

impl Row {
    const fn growing(self, growing: &'static [&'static str]) -> Self {
        Self { growing, ..self }
    }

    /// All that is shown of it.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.shown.iter().chain(self.packages).chain(self.growing).copied()
    }
}

const fn row(
    name: &'static str,
    (variable, folder): (&'static str, &'static str),
    shown: &'static [&'static str],
    packages: &'static [&'static str],
) -> Row {
    Row { name, variable, folder, shown, packages, growing: &[] }
}

/// Version managers that are laid out like `rbenv`.
const ENV: &[&str] = &["bin", "libexec", "lib", "shims", "plugins", "pyenv.d", "rbenv.d", "version", "versions"];

pub(super) const ROWS: &[Row] = &[
    row("asdf", ("ASDF_DATA_DIR", ".asdf"), &["asdf.sh", "bin", "lib", "libexec", "plugins", "shims"], &["installs"]),
    row("asdf", ("", ".tool-versions"), &[""], &[]),
    row("bun", ("BUN_INSTALL", ".bun"), &["bin"], &["install/global"]),
    row("cabal", ("", ".cabal"), &["bin"], &["packages", "store"]),
    row("composer", ("", ".composer"), &[], &["vendor"]),
    row("composer", ("COMPOSER_HOME", ".config/composer"), &[], &["vendor"]),
    row("deno", ("", ".deno"), &["bin"], &[]),
    row("dotnet", ("DOTNET_ROOT", ".dotnet"), &["dotnet", "tools"], &["host", "packs", "sdk", "shared"]),
    row("elan", ("ELAN_HOME", ".elan"), &["bin", "settings.toml"], &["toolchains"]),
    row("fnm", ("FNM_DIR", ".local/share/fnm"), &["aliases"], &["node-versions"]),
    row("foundry", ("", ".foundry"), &["bin", "versions"], &[]),
    row("gem", ("", ".gem/ruby"), &[], &[""]),
    row("gem", ("", ".local/share/gem/ruby"), &[], &[""]),
    row("ghcup", ("", ".ghcup"), &["bin"], &["ghc", "hls"]),
    row("go", ("GOPATH", "go"), &["bin"], &[]).growing(&["pkg"]),
    row("goenv", ("GOENV_ROOT", ".goenv"), ENV, &[]),
    row(
        "homebrew",
        ("HOMEBREW_PREFIX", "/home/linuxbrew/.linuxbrew"),
        &["bin", "sbin", "etc", "opt"],
        &["Caskroom", "Cellar", "include", "lib", "libexec", "share"],
    ),
    row("jenv", ("JENV_ROOT", ".jenv"), ENV, &[]),
    row("juliaup", ("", ".juliaup"), &[], &[""]),
    row("krew", ("KREW_ROOT", ".krew"), &["bin"], &["store"]),
    row("local", ("", ".local"), &["bin"], &["lib"]),
    row("mise", ("MISE_DATA_DIR", ".local/share/mise"), &["bin", "plugins", "shims"], &["installs"]),
    row("nodenv", ("NODENV_ROOT", ".nodenv"), ENV, &[]),
    row("npm", ("", ".npm-global"), &["bin"], &["lib"]),
    row("npm", ("", ".npm-packages"), &["bin"], &["lib"]),
    row("nvm", ("NVM_DIR", ".nvm"), &["alias", "nvm-exec", "nvm.sh", "versions"], &[]),
    row("opam", ("OPAMROOT", ".opam"), &[], &[""]),
    row("phpenv", ("PHPENV_ROOT", ".phpenv"), ENV, &[]),
    row("pipx", ("", ".local/pipx"), &[], &["shared", "venvs"]),
    row("pipx", ("PIPX_HOME", ".local/share/pipx"), &[], &["shared", "venvs"]),
    row("pixi", ("PIXI_HOME", ".pixi"), &["bin"], &["envs"]),
    row("plenv", ("PLENV_ROOT", ".plenv"), ENV, &[]),
    row("pnpm", ("PNPM_HOME", ".local/share/pnpm"), &[], &[""]),
    row("poetry", ("", ".local/share/pypoetry"), &[], &["venv"]),
    row("pyenv", ("PYENV_ROOT", ".pyenv"), ENV, &[]),
    row("rbenv", ("RBENV_ROOT", ".rbenv"), ENV, &[]),
    row("rust", ("CARGO_HOME", ".cargo"), &["bin"], &[]).growing(&["git", "registry"]),
    row("rust", ("RUSTUP_HOME", ".rustup"), &["settings.toml"], &["toolchains"]),
    row("rye", ("RYE_HOME", ".rye"), &["shims"], &["py", "self", "tools"]),
    row("sdkman", ("SDKMAN_DIR", ".sdkman"), &["bin", "src"], &["candidates"]),
    row("tfenv", ("", ".tfenv"), ENV, &[]),
    row("uv", ("", ".local/share/uv"), &[], &["python", "tools"]),
    row("volta", ("VOLTA_HOME", ".volta"), &["bin", "layout.v3", "layout.v4"], &["tools"]),
    row("yarn", ("", ".yarn"), &["bin"], &[]),
    row("yarn", ("", ".config/yarn/global"), &[], &["node_modules"]),
];

/// What is shown of an installation that no row names: of a Python or Conda environment, and of the Python that it is made
/// from. What else lies in its folder, such as the project that it was made for, stays out.
pub(super) const INSTALLATION: &[&str] =
    &["bin", "conda-meta", "etc", "include", "lib", "lib64", "libexec", "pyvenv.cfg", "share", "ssl"];

/// Variables that name a folder. Passed on where programs can see it and the workspace does not hold it.
pub(super) const FOLDERS: &[&str] = &["CONDA_PREFIX", "GOROOT", "JAVA_HOME", "NVM_BIN", "VIRTUAL_ENV"];
/// Those of them that may lie in the workspace: an environment that the person made active.
pub(super) const OF_THE_WORKSPACE: &[&str] = &["CONDA_PREFIX", "VIRTUAL_ENV"];
/// Variables that choose a version. Passed on when their value is a plain name.
pub(super) const VERSIONS: &[&str] = &[
    "CONDA_DEFAULT_ENV",
    "GOENV_VERSION",
    "NODENV_VERSION",
    "PYENV_VERSION",
    "RBENV_VERSION",
    "RUSTUP_AUTO_INSTALL",
    "RUSTUP_TOOLCHAIN",
];
