#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

use super::{obeyed, parse, place, refuse};
use crate::paths::PathRules;
use palanca_core::ports::{self, GitPart, GitPlace};
use proptest::prelude::*;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn files_that_decide_what_runs_are_known_by_name_and_by_structure() {
    use GitPart::*;
    for (path, part, depth) in [
        (".git", Repository, 1),
        ("a/.GIT", Repository, 2),
        (".git/config", Config, 1),
        (".git/config.worktree", Config, 1),
        (".git /CONFIG", Config, 1),
        (".git/modules/lib/config", Config, 3),
        (".git/modules/lib/hooks/pre-commit", Hook, 3),
        (".git/worktrees/w/config.worktree", Config, 3),
        (".git/worktrees/w/commondir", Other, 0),
        (".git/commondir", Fixed, 1),
        (".git/modules/lib/commondir", Fixed, 3),
        (".git/hooks", Hooks, 1),
        (".git/hooks/pre-commit", Hook, 1),
        (".git/hooks/pre-commit.sample", Sample, 1),
        (".git/hooks/pre-commit.sample/x", Hook, 1),
        (".git/hooks/.pre-commit.sample.Xy12", Sample, 1),
        (".git/hooks/.x/pre-commit", Hook, 1),
        (".git/hooks/hooks/a.sample", Hook, 1),
        (".git/hooks/.git", Hook, 1),
        (".git/info", Info, 1),
        (".git/info/attributes", Fixed, 1),
        (".git/info/exclude", Other, 0),
        (".git/refs/heads/config", Other, 0),
        (".git/logs/refs/heads/hooks/x", Other, 0),
        (".git/refs/.git/config", Config, 3),
        (".git/config.lock", Other, 0),
        (".git/index", Other, 0),
        ("src/config", Other, 0),
        ("src/hooks/use.ts", Other, 0),
        ("bare/config", Config, 1),
        ("bare/hooks/update", Hook, 1),
        ("bare/HOOKS/update", Hook, 1),
        ("bare/refs/heads/x", Other, 0),
        ("dist/.git/hooks/post-checkout", Hook, 2),
        ("node_modules/x/.git/config", Config, 3),
    ] {
        let structure = |folder: &Path| folder == Path::new("bare");
        assert_eq!(place(Path::new(path), &structure), GitPlace { part, depth }, "{path}");
    }
}

#[test]
fn a_configuration_may_not_start_programs_or_lead_elsewhere() {
    for (content, key) in [
        ("[core]\n\tfsmonitor = \"touch x; false\"", "core.fsmonitor"),
        ("[core] fsmonitor = ./x", "core.fsmonitor"),
        ("[CORE]FsMonitor=.git/x", "core.fsmonitor"),
        ("[core]\nhooksPath = h", "core.hookspath"),
        ("[core]\n  sshCommand = x", "core.sshcommand"),
        ("[core]\nworktree = /home/ana", "core.worktree"),
        ("[core]\nworktree = ../..", "core.worktree"),
        ("[core]\nworktree = ~", "core.worktree"),
        ("[core]\nattributesFile = /tmp/a", "core.attributesfile"),
        ("[core]\nexcludesFile = ../../x", "core.excludesfile"),
        ("[alias]\nst = !x", "alias.st"),
        ("[alias]\nst = reset --hard", "alias.st"),
        ("[alias \"st\"]\ncommand = !x", "alias.*.command"),
        ("[filter \"a\"]\nclean = x", "filter.*.clean"),
        ("[filter \"a\"]\nprocess = x", "filter.*.process"),
        ("[filter.a]\nsmudge = x", "filter.*.smudge"),
        ("[diff \"a.b\"]\ntextconv = x", "diff.*.textconv"),
        ("[diff]\nexternal = x", "diff.external"),
        ("[merge \"a\"]\ndriver = x", "merge.*.driver"),
        ("[merge]\ntool = ../../x", "merge.tool"),
        ("[credential]\nhelper = store", "credential.helper"),
        ("[credential \"https://a\"]\nhelper = !x", "credential.*.helper"),
        ("[include]\npath = x", "include.path"),
        ("[includeIf \"gitdir:/\"]\npath = x", "includeif.*.path"),
        ("[remote \"o\"]\nuploadpack = x", "remote.*.uploadpack"),
        ("[remote \"o\"]\nurl = ext::sh -c x", "remote.*.url"),
        ("[remote \"o\"]\npushurl = \" EXT::x\"", "remote.*.pushurl"),
        ("[url \"ext::x \"]\ninsteadOf = https://", "url.*.insteadof"),
        ("[branch \"m\"]\nremote = ext::x", "branch.*.remote"),
        ("[protocol \"ext\"]\nallow = always", "protocol.*.allow"),
        ("[submodule \"a\"]\nupdate = !x", "submodule.*.update"),
        ("[pager]\nlog = x", "pager.log"),
        ("[sequence]\neditor = x", "sequence.editor"),
        ("[gpg \"ssh\"]\nprogram = x", "gpg.*.program"),
        ("[gpg \"ssh\"]\ndefaultKeyCommand = x", "gpg.*.defaultkeycommand"),
        ("[init]\ntemplateDir = t", "init.templatedir"),
        ("[rebase]\ninstructionFormat = %s%nexec x", "rebase.instructionformat"),
        ("[remote \"--upload-pack=x\"]\nurl = ../o", "remote.*.url"),
        ("[remotes]\ndefault = origin --upload-pack=x", "remotes.default"),
        ("[branch \"m\"]\nremote = --upload-pack=x", "branch.*.remote"),
        ("[remote]\npushDefault = --receive-pack=x", "remote.pushdefault"),
        ("[hook \"a\"]\ncommand = x", "hook.*.command"),
        ("[gc]\nrecentObjectsHook = x", "gc.recentobjectshook"),
        ("[http]\ncookieFile = /home/ana/.bashrc", "http.cookiefile"),
        ("[lfs \"customtransfer.a\"]\npath = x", "lfs.*.path"),
        ("[annex]\nsecure-erase-command = x", "annex.secure-erase-command"),
        ("[trailer \"a\"]\ncmd = x", "trailer.*.cmd"),
        ("[x]\ny = !z", "x.y"),
        ("\u{feff}[core]\r\nfsmonitor = \\\r\nx\r\n", "core.fsmonitor"),
        ("[core] # x\n fsmonitor =\"a\"b ; c", "core.fsmonitor"),
        ("[user]\nname = a\\\n[core] x = y\n[core]\nfsmonitor = x", "core.fsmonitor"),
    ] {
        assert_eq!(refuse(content.as_bytes(), None, Path::new(".git")).unwrap().as_deref(), Some(key), "{content}");
    }
}

#[test]
fn what_git_writes_every_day_passes() {
    for (content, folder) in [
        (
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
            ".git",
        ),
        ("[remote \"origin\"]\n\turl = /srv/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n", ".git"),
        ("[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n", ".git"),
        ("[user]\n\tname = Ana\n\temail = a@b\n\tsigningkey = X\n", ".git"),
        ("[remotes]\n\tall = origin up-stream\n[remote]\n\tpushDefault = origin\n", ".git"),
        ("[remote \"o\"]\n\ttagOpt = --no-tags\n[branch \"m\"]\n\tmergeOptions = --no-ff\n", ".git"),
        ("[submodule]\n\tactive = .\n[submodule \"lib\"]\n\turl = ../lib\n\tupdate = rebase\n", ".git"),
        ("[core]\n\tworktree = ../../../lib\n", ".git/modules/lib"),
        ("[extensions]\n\tworktreeConfig = true\n[core]\n\tsparseCheckout = true\n", ".git"),
        ("[core]\n\tfsmonitor = true\n\tautocrlf = input\n[pager]\n\tlog = false\n[color]\n\tpager = false\n", ".git"),
        ("[commit]\n\tgpgsign = true\n[pull]\n\trebase = true\n[credential]\n\thelper =\n", ".git"),
        (
            "[url \"https://github.com/\"]\n\tinsteadOf = gh:\n[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n",
            ".git",
        ),
        ("[advice]\n\tignoredHook = false\n[protocol]\n\tversion = 2\n[protocol \"ext\"]\n\tallow = never\n", ".git"),
        ("", ".git"),
    ] {
        assert_eq!(refuse(content.as_bytes(), None, Path::new(folder)), Ok(None), "{content}");
    }
}

#[test]
fn values_that_were_there_before_stay_and_nothing_joins_them() {
    let old = "[core]\n\tfsmonitor = x\n[alias]\n\ta = !b\n[credential]\n\thelper =\n\thelper = store\n";
    for (new, refused) in [
        (old.to_owned(), None),
        (format!("{old}[user]\n\tname = a\n"), None),
        ("[alias]\n\ta = !b\n".to_owned(), None),
        (format!("{old}[alias]\n\ta = !c\n"), Some("alias.a")),
        ("[core]\n\tfsmonitor = y\n".to_owned(), Some("core.fsmonitor")),
        ("[credential]\n\thelper = store\n".to_owned(), Some("credential.helper")),
        ("[credential]\n\thelper = store\n\thelper =\n".to_owned(), Some("credential.helper")),
    ] {
        let found = refuse(new.as_bytes(), Some(old.as_bytes()), Path::new(".git")).unwrap();
        assert_eq!(found.as_deref(), refused, "{new}");
    }
}

#[test]
fn what_is_obeyed_is_told_with_its_value() {
    let config = b"[core]\n\thooksPath = scripts/hooks\n\tpager = less\n\tbare = true\n[include]\n\tpath = ../x\n";
    let expected = [("core.hookspath", "scripts/hooks"), ("core.pager", "less"), ("include.path", "../x")];
    assert_eq!(obeyed(config), expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn programs_may_do_in_git_what_tools_may_not() {
    let rules = PathRules::new(&[".git/mine".to_owned()], &[], None).unwrap();
    let rules: &dyn ports::PathRules = &rules;
    for (path, rule) in [
        (".git/index", None),
        (".git/refs/heads/prod.env", None),
        (".git/config", None),
        (".gitmodules", None),
        (".venv/pyvenv.cfg", None),
        (".git/.env", Some("secret.dotenv")),
        (".git/mine", Some("secrets.deny(.git/mine)")),
        (".gitconfig", Some("protected.git")),
        (".hg/hgrc", Some("protected.git")),
        ("git~1/config", Some("protected.git")),
        (".vscode/.git/x", Some("protected.editor")),
        ("AGENTS.md", Some("protected.agent")),
        ("node_modules/a/.vscode/settings.json", None),
        ("venv/lib/site-packages/a/test/key.pem", None),
        ("node_modules/.git/mine", None),
        ("node_modules/a/.hg/hgrc", Some("protected.git")),
        ("node_modules", None),
        ("a/.env", Some("secret.dotenv")),
    ] {
        assert_eq!(rules.refuse_program(Path::new(path)).map(|no| no.rule).as_deref(), rule, "{path}");
    }
}

/// What git itself reads, or none.
fn read_by_git(content: &[u8]) -> Option<Vec<u8>> {
    let mut git = Command::new("git");
    git.args(["config", "--list", "-z", "--no-includes", "--file", "-"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH")?);
    let mut git =
        git.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    // ignored: git may end at the first line that it rejects.
    let _ = git.stdin.take()?.write_all(content);
    let output = git.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn as_git_lists(content: &[u8]) -> Option<Vec<u8>> {
    let mut listed = Vec::new();
    for one in parse(content).ok()? {
        listed.extend(&one.key);
        if let Some(value) = &one.value {
            listed.push(b'\n');
            listed.extend(value);
        }
        listed.push(0);
    }
    Some(listed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn configurations_are_read_as_git_reads_them(pieces in proptest::collection::vec(proptest::sample::select(vec![
        "[core]", "[a \"b\"]", "[a.B]", "[a \"b\\\"c\\x\"]", "[A-b", "]", "\n", "\r\n", "\r", " ", "\t", "=", "\"", "\\",
        "\\\n", "\\n", "\\t", "\\b", "\\\"", "\\\\", "\\q", "#", ";", "key", "Other-1", "x", "1", "-", ".", "[", "\u{feff}",
        "\u{e9}", "!", "[include]\npath = x\n", "fsmonitor = y\n", "[ \"x\"]", "[a  \"b\"]", "[a\n\"b\"]",
    ]), 0..14)) {
        let content = pieces.concat();
        // A key before any section has no name that git could list.
        prop_assume!(!parse(content.as_bytes()).is_ok_and(|all| all.iter().any(|one| !one.key.contains(&b'.'))));
        prop_assert_eq!(as_git_lists(content.as_bytes()), read_by_git(content.as_bytes()), "{:?}", content);
    }
}
