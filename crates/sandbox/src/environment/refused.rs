//! Variables that a launch may not set, by what would read them. In the text of a command they stay possible: there the
//! shell's reader judges them.

use super::matches;

/// Harmless members of the families below.
const ALLOWED: &str = "\
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE \
    GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS CARGO_TERM_* CARGO_INCREMENTAL npm_config_loglevel";

/// Who would read them, in the words of the refusal; then the names, which may end or begin with a star.
const REFUSED: &[(&str, &str)] = &[
    (
        LOADER,
        "LD_* DYLD_* GCONV_PATH GETCONF_DIR GLIBC_TUNABLES HOSTALIASES LOCALDOMAIN LOCPATH MALLOC_* NLSPATH \
         RES_OPTIONS RESOLV_* TERMCAP TERMINFO TERMINFO_DIRS TZDIR",
    ),
    (FOUND, "PATH CDPATH FPATH HOME SHELL XDG_*"),
    (
        SHELL,
        "BASH_ENV BASH_FUNC_* BASH_LOADABLES_PATH BASH_XTRACEFD BASHOPTS ENV GLOBIGNORE IFS INPUTRC POSIXLY_CORRECT \
         PROMPT_COMMAND PS0 PS1 PS2 PS4 SHELLOPTS SSH2_CLIENT ZDOTDIR",
    ),
    (GIT, "GIT_* PALANCA_GIT_*"),
    (
        INTERPRETER,
        "_JAVA_OPTIONS AWKLIBPATH AWKPATH BUN_* BUNDLE_* CLASSPATH COMPLUS_* COR_* CORECLR_* DENO_* DOTNET_* \
         EMACSLOADPATH EXINIT GEM_* GUILE_* GVIMINIT JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS LUA_* \
         NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_PATH NODE_REPL_* OCAMLRUNPARAM PERL_* PERL5DB PERL5LIB PERL5OPT PERLLIB \
         PHP_INI_SCAN_DIR PHPRC PYTHONBREAKPOINT PYTHONEXECUTABLE PYTHONHOME PYTHONINSPECT PYTHONPATH PYTHONPLATLIBDIR \
         PYTHONSTARTUP PYTHONUSERBASE PYTHONWARNINGS R_ENVIRON* R_HOME R_LIBS* R_PROFILE* RUBYLIB RUBYOPT RUBYSHELL \
         TCLLIBPATH VIMINIT",
    ),
    (
        BUILD,
        "ANT_* AR CARGO CARGO_* CC CFLAGS CGO_* CMAKE_* COMPILER_PATH CONFIG_SHELL COREPACK_* CPATH CPP CXX CXXFLAGS \
         GCC_* GNUMAKEFLAGS GOCACHEPROG GOENV GOFLAGS GOPATH GOPROXY GOROOT GOTOOLCHAIN GOTOOLDIR GOWORK GRADLE_* LD \
         LDFLAGS LIBRARY_PATH MAKE MAKEFILES MAKEFLAGS MAVEN_* MFLAGS MVN_* NPM_* npm_* NVM_* PIP_* PKG_CONFIG* PNPM_* \
         POETRY_* PYTEST_* RUSTC RUSTC_* RUSTDOC RUSTDOC_* RUSTFLAGS RUSTUP_* SBT_* TOX_* UV_* YARN_*",
    ),
    (
        STARTS,
        "*_ASKPASS *_EDITOR *_PAGER BAT_* BROWSER CVS_RSH DBUS_* DOCKER_* EDITOR FCEDIT FZF_* GNUPGHOME GREP_OPTIONS \
         HGEDITOR HGMERGE HGRCPATH KUBECONFIG LESS LESSCLOSE LESSKEY* LESSOPEN MANPAGER MANPATH MORE OPENSSL_* PAGER \
         PSQLRC RIPGREP_CONFIG_PATH RSYNC_RSH SSH_* SUDO_* SVN_SSH TAR_OPTIONS TEXINPUTS VISUAL WGETRC CURL_HOME \
         XZ_DEFAULTS XZ_OPT UNZIP ZIPOPT",
    ),
    (TRAFFIC, "*_proxy *_PROXY SSLKEYLOGFILE"),
];

const LOADER: &str = "the system's loader or its C library reads it, and would load other code";
const FOUND: &str = "it decides which programs and which configuration are found";
const SHELL: &str = "a shell reads it before it reads the command";
const GIT: &str = "git starts programs by it, or reads another repository";
const INTERPRETER: &str = "an interpreter loads code by it";
const BUILD: &str = "a build tool starts other programs by it";
const STARTS: &str = "programs start other programs by it";
const TRAFFIC: &str = "it sends traffic somewhere else";

/// Why it may not be set; nothing when it may.
pub(super) fn reason(name: &str) -> Option<&'static str> {
    let listed = |patterns: &str| patterns.split(' ').any(|pattern| matches(pattern, name));
    let found = REFUSED.iter().find(|(_, names)| listed(names)).map(|(reason, _)| *reason)?;
    (!listed(ALLOWED)).then_some(found)
}
