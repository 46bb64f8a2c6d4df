//! Variables that change what programs do: one table for `NAME=value` in a text and for the variables of a launch.
//!
//! The list is of what is known to matter: an unknown name belongs to the project, and only development tools
//! ever see it.

use crate::catalogue::has;

/// What setting a variable can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Language, clock, width and colours of what is printed.
    Display,
    /// What the project's own programs make of it.
    Project,
    /// Which programs, code, options or files are used.
    Programs,
}

/// What it changes to set this variable. `value`: none when it is not known.
pub(crate) fn change(name: &str, value: Option<&str>) -> Change {
    match value {
        Some(value) if is_display(name) && is_plain(value) => Change::Display,
        Some(value) if !changes_programs(name) && !names_a_file(value) => Change::Project,
        Some(_) if is_harmless(name) => Change::Project,
        _ => Change::Programs,
    }
}

/// Read by the C library, by terminals and by the conventions of no-color.org and clicolors; the sandbox passes most of
/// them on from our own environment.
fn is_display(name: &str) -> bool {
    const NAMES: &str = "LANG LANGUAGE TZ TERM COLORTERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE";
    has(NAMES, name) || name.strip_prefix("LC_").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_uppercase()))
}

/// A name such as `es_ES.UTF-8` or `Europe/Madrid`, a number, or nothing. The C library takes a path in some of these
/// variables for a file to load.
fn is_plain(value: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_+-.:,@/".contains(&byte);
    value.bytes().all(known) && !value.starts_with(['/', '.', ':']) && !value.contains("..") && !value.contains(":/")
}

/// A path, which may lead to a program. An address is none.
fn names_a_file(value: &str) -> bool {
    value.starts_with('~') || (value.contains('/') && !value.contains("://"))
}

fn is_harmless(name: &str) -> bool {
    const HARMLESS: &str = "CARGO_INCREMENTAL CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN CGO_ENABLED GOARCH GOMAXPROCS \
        GOOS NODE_ENV PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUNBUFFERED \
        PYTEST_DISABLE_PLUGIN_AUTOLOAD RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS RUST_TEST_NOCAPTURE";
    has(HARMLESS, name.to_ascii_uppercase().as_str())
}

/// Whether programs or loaders take a name, a path, options or code from this variable.
fn changes_programs(name: &str) -> bool {
    const NAMES: &str = "PATH IFS ENV CDPATH SHELL SHELLOPTS FPATH ZDOTDIR PS0 PS1 PS2 PS3 PS4 PAGER EDITOR VISUAL \
        BROWSER HOME PWD OLDPWD TMPDIR TMP TEMP CC CXX CPP LD AR AS NM RANLIB STRIP OBJCOPY FC MAKE \
        MFLAGS CLASSPATH LESS WGETRC HOSTALIASES LOCALDOMAIN MORE PYTHON RUBY PERL NODE JAVA AWK SED \
        SUDO HISTFILE INPUTRC MAIL TERM DISPLAY EXINIT VIMINIT MAVEN_ARGS RANDFILE BISON CPATH CVS_RSH \
        FCEDIT FLEX GIT GLOBIGNORE GVIMINIT HGMERGE INSTALL LEX LINKER M4 NASM NINJA OCAMLRUNPARAM \
        POSIXLY_CORRECT PSQLRC RSYNC_RSH SSLKEYLOGFILE SVN_SSH TAR TZDIR UNZIP XZ_DEFAULTS XZ_OPT YACC \
        ZIPOPT";
    const STARTS: &str = "LD_ DYLD_ BASH GIT_ SSH_ LESS NODE_ NPM_ YARN_ PNPM_ COREPACK_ PYTHON PERL RUBY GEM_ BUNDLE_ \
        JAVA_ _JAVA JDK_ MAVEN_ MVN_ GRADLE_ KOTLIN_ SBT_ MAKE GNUMAKE CMAKE CTEST_ NINJA_ RUSTC \
        RUSTUP_ RUSTFLAGS RUSTDOC CARGO GO CGO_ PYTEST_ PIP_ UV_ POETRY_ PIPENV_ CONDA_ VIRTUAL_ENV \
        MYPY RUFF_ COVERAGE_ TOX_ DOCKER_ COMPOSE_ KUBE HELM_ AWS_ SSL_ OPENSSL_ CURL_ XDG_ DBUS_ \
        GCONV_ GLIBC_ MALLOC_ NLSPATH LOCPATH RES_ GCC_ CCACHE_ DISTCC_ TSC_ TS_NODE ESLINT_ PRETTIER_ \
        JEST_ VITE BABEL_ PHP COMPOSER_ DOTNET_ MSBUILD NUGET_ ERL_ ELIXIR_ MIX_ LUA_ DENO_ BUN_ \
        PALANCA RIPGREP_ JQ_ FZF_ ASAN_ UBSAN_ LSAN_ TSAN_ MSAN_ LLVM_ ANSIBLE_ ANT_ AR_ ASDF_ \
        BINDGEN_ CC_ COMPLUS_ CORECLR_ COR_ CXX_ GROFF_ GUILE_ HOST_ MAN MISE_ NVM_ PKG_CONFIG \
        PLAYWRIGHT_ PROTOC PYENV_ RBENV_ RESOLV_ R_ SCCACHE_ TARGET_ TERMCAP TERMINFO TEX TF_ TROFF \
        VOLTA_";
    const ENDS: &str = "PAGER EDITOR _OPTIONS _OPTS OPTS OPTIONS FLAGS _PATH PATH _HOME _DIR _COMMAND _CMD _WRAPPER \
        _RUNNER _PRELOAD _STARTUP _PROXY _RC _CONFIG _SHELL _BIN _EXE _PROGRAM _ASKPASS _HOOK _HOOKS \
        _PLUGINS _AGENT";
    let upper = name.to_ascii_uppercase();
    !is_harmless(name)
        && (has(NAMES, upper.as_str())
            || STARTS.split(' ').any(|start| upper.starts_with(start))
            || ENDS.split(' ').any(|end| upper.ends_with(end)))
}
