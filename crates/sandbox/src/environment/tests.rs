#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::Environment;
use crate::isolation::Isolation;
use crate::settings::SandboxSettings;
use palanca_core::call::{CanonicalPath, Launch, Root, Shell, TerminalSize};
use palanca_core::ports::{ProcessError, ProcessErrorKind};
use std::ffi::OsString;
use std::path::PathBuf;

fn launch(variables: &[(&str, &str)]) -> Launch {
    let mut launch = Launch::script(Shell::Sh, "true", CanonicalPath::new(Root::Workspace, PathBuf::new()));
    launch.environment = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    launch
}

fn environment(own: &[(&str, &str)], extra: &[&str]) -> Environment {
    let mut settings = SandboxSettings::new("/ws", Isolation::Full);
    settings.environment = extra.iter().map(|name| (*name).into()).collect();
    settings.path = vec!["/opt/tools/bin".into()];
    Environment::new(own.iter().map(|(name, value)| (name.into(), value.into())), &settings)
}

fn value(variables: &[(OsString, OsString)], name: &str) -> Option<String> {
    let found: Vec<_> = variables.iter().filter(|(one, _)| one == name).collect();
    assert!(found.len() < 2, "{name} twice");
    found.first().map(|(_, value)| value.to_str().unwrap().into())
}

#[test]
fn only_the_list_passes() {
    let own = [
        ("HOME", "/home/me"),
        ("PATH", "/evil:."),
        ("LC_ALL", "C"),
        ("OPENAI_API_KEY", "k"),
        ("MY_TOKEN", "t"),
        ("LD_PRELOAD", "x"),
        ("SSH_AUTH_SOCK", "s"),
        ("RUST_LOG", "debug"),
        ("TERM", "weird"),
        ("MY_FLAG", "1"),
        ("BASH_FUNC_ls%%", "() { x; }"),
        ("GIT_SSH_COMMAND", "x"),
        ("lc_all", "x"),
        ("TMPDIR", "/elsewhere"),
    ];
    let got = environment(&own, &["MY_FLAG", "RUST_*", "LD_*"]).of(&launch(&[("MINE", "1"), ("LANG", "es")])).unwrap();
    let check = |name: &str, expected: Option<&str>| assert_eq!(value(&got, name).as_deref(), expected, "{name}");
    check("HOME", Some("/home/me"));
    check("PATH", Some("/opt/tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
    check("LC_ALL", Some("C"));
    check("MINE", Some("1"));
    check("LANG", Some("es"));
    check("TERM", Some("dumb"));
    check("TMPDIR", Some("/tmp"));
    check("GIT_PAGER", Some("cat"));
    check("MY_FLAG", Some("1"));
    check("RUST_LOG", Some("debug"));
    for name in
        ["OPENAI_API_KEY", "MY_TOKEN", "LD_PRELOAD", "SSH_AUTH_SOCK", "BASH_FUNC_ls%%", "GIT_SSH_COMMAND", "lc_all"]
    {
        check(name, None);
    }
    let mut terminal = launch(&[]);
    terminal.terminal = Some(TerminalSize::default());
    assert_eq!(value(&environment(&[], &[]).of(&terminal).unwrap(), "TERM").as_deref(), Some("xterm"));
}

#[test]
fn git_reads_its_pairs() {
    let got = environment(&[], &[]).of(&launch(&[])).unwrap();
    let count: usize = value(&got, "GIT_CONFIG_COUNT").unwrap().parse().unwrap();
    let keys: Vec<String> =
        (0..count).map(|number| value(&got, &format!("GIT_CONFIG_KEY_{number}")).unwrap()).collect();
    assert_eq!(keys, ["safe.directory"], "the rest is switched off where git is started");
    assert!((0..count).all(|number| value(&got, &format!("GIT_CONFIG_VALUE_{number}")).is_some()));
    assert_eq!(value(&got, &format!("GIT_CONFIG_KEY_{count}")), None);
}

#[test]
fn what_changes_the_program_is_refused_by_name() {
    let refused = [
        "",
        "A=B",
        "A\0B",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "PATH",
        "BASH_ENV",
        "ENV",
        "SSH2_CLIENT",
        "PROMPT_COMMAND",
        "IFS",
        "SHELLOPTS",
        "BASHOPTS",
        "PS4",
        "BASH_FUNC_ls%%",
        "GIT_SSH_COMMAND",
        "GIT_DIR",
        "GIT_CONFIG_COUNT",
        "GIT_EXTERNAL_DIFF",
        "GIT_EXEC_PATH",
        "PYTHONSTARTUP",
        "PYTHONPATH",
        "PYTHONHOME",
        "PERL5OPT",
        "PERL5LIB",
        "RUBYOPT",
        "NODE_OPTIONS",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "GCONV_PATH",
        "LOCPATH",
        "NLSPATH",
        "HOSTALIASES",
        "RESOLV_HOST_CONF",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "MANPAGER",
        "BROWSER",
        "RUSTC_WRAPPER",
        "SUDO_ASKPASS",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        "MAKEFLAGS",
        "HTTPS_PROXY",
        "http_proxy",
        "LESSOPEN",
        "HOME",
        "GIT_EDITOR",
        "GIT_PAGER",
        "npm_config_script_shell",
        "ZDOTDIR",
        "GLIBC_TUNABLES",
        "PALANCA_GIT_INNER",
        "GOFLAGS",
    ];
    for name in refused {
        let error: ProcessError = environment(&[], &[]).of(&launch(&[(name, "x")])).unwrap_err();
        assert_eq!((error.kind, error.what), (ProcessErrorKind::Environment, name.escape_debug().to_string()));
        assert!(!error.detail.is_empty());
    }
    let allowed = [
        "FOO",
        "DEBUG",
        "RUST_LOG",
        "RUST_BACKTRACE",
        "PORT",
        "DATABASE_URL",
        "NODE_ENV",
        "CI",
        "LC_ALL",
        "TZ",
        "TERM",
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_DATE",
        "GOOS",
        "GOARCH",
        "CARGO_TERM_COLOR",
        "PYTHONUNBUFFERED",
        "PYTHONDONTWRITEBYTECODE",
        "ENVIRONMENT",
        "APP_ENV",
        "MY_PATH",
        "NO_COLOR",
        "PALANCA_EVENT",
        "GOOD",
        "path",
        "TMPDIR",
    ];
    for name in allowed {
        let got = environment(&[], &[]).of(&launch(&[(name, "x")])).unwrap();
        assert_eq!(value(&got, name).as_deref(), Some("x"), "{name}");
    }
    for (name, value) in [("FOO", "a\0b".to_owned()), ("FOO", "x".repeat(200 << 10))] {
        let error = environment(&[], &[]).of(&launch(&[(name, &value)])).unwrap_err();
        assert_eq!(error.kind, ProcessErrorKind::Environment);
    }
}
