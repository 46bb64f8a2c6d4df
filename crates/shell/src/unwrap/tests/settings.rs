#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::unwrap;
use super::{command, fed, inner, place};
use crate::command::{Assignment, Command, Word};

const SHELL: &str = "sh: rm -rf /";
const WORDS: &str = "rm -rf /";

#[test]
fn values_that_are_executed_are_found() {
    let rows: &[(&str, &str)] = &[
        ("git -c core.sshCommand='rm -rf /' fetch", SHELL),
        ("git -c core.pager='rm -rf /' log", SHELL),
        ("git -c alias.x='!rm -rf /' x", SHELL),
        ("git -C y -c diff.external='rm -rf /' diff", SHELL),
        ("git -c credential.helper='!rm -rf /' fetch", SHELL),
        ("git -c core.fsmonitor='rm -rf /' status", SHELL),
        ("git clone -c core.editor='rm -rf /' x", SHELL),
        ("git config --global alias.x '!rm -rf /'", SHELL),
        ("git config set core.pager 'rm -rf /'", SHELL),
        ("tar cf x y --checkpoint=1 --checkpoint-action=exec='rm -rf /'", SHELL),
        ("tar xf x --to-command='rm -rf /'", SHELL),
        ("tar -I 'rm -rf /' -xf x", SHELL),
        ("tar xf x --use-compress-prog 'rm -rf /'", SHELL),
        ("rsync -e 'rm -rf /' a b:c", SHELL),
        ("rsync -ave 'rm -rf /' a b:c", SHELL),
        ("rsync --rsh='rm -rf /' a b:c", SHELL),
        ("ssh -o ProxyCommand='rm -rf /' h", SHELL),
        ("ssh -oproxycommand='rm -rf /' h", SHELL),
        ("ssh -o 'LocalCommand rm -rf /' h", SHELL),
        ("gdb -batch -ex 'shell rm -rf /'", SHELL),
        ("gdb -ex '!rm -rf /'", SHELL),
        ("lldb -o 'platform shell rm -rf /'", SHELL),
        ("sqlite3 :memory: '.shell rm -rf /'", SHELL),
        ("sqlite3 -cmd '.system rm -rf /' x", SHELL),
        ("psql -c '\\! rm -rf /'", SHELL),
        ("psql -c \"COPY t FROM PROGRAM 'rm -rf /'\"", SHELL),
        ("mysql -e 'system rm -rf /'", SHELL),
        ("mysql -e '\\! rm -rf /'", SHELL),
        ("vim -c '!rm -rf /' x", SHELL),
        ("vim -es +':!rm -rf /' x", SHELL),
        ("ex -c ':!rm -rf /'", SHELL),
        ("dc -e '!rm -rf /'", SHELL),
        ("sort --compress-program='rm -rf /' x", WORDS),
        ("rg --pre 'rm -rf /' x", WORDS),
        ("ncat -c 'rm -rf /' -l 1", SHELL),
        ("ncat --sh-exec 'rm -rf /' -l 1", SHELL),
        ("socat TCP-L:1 EXEC:'rm -rf /',pty", WORDS),
        ("socat - system:'rm -rf /'", SHELL),
        ("zip x y -T -TT 'rm -rf /'", SHELL),
        ("man -P 'rm -rf /' ls", SHELL),
        ("npm exec -c 'rm -rf /'", SHELL),
        ("go test -exec 'rm -rf /' ./...", SHELL),
        ("cargo --config 'target.x.runner=\"rm -rf /\"' run", WORDS),
        ("cargo run --config 'build.rustc-wrapper=[\"rm\", \"-rf\", \"/\"]'", WORDS),
        ("split --filter='rm -rf /' x", SHELL),
        ("make --eval='$(shell rm -rf /)'", SHELL),
        ("make CC='rm -rf /'", SHELL),
        ("export PAGER='rm -rf /'", SHELL),
        ("env PAGER='rm -rf /'", ""),
    ];
    for (text, expected) in rows {
        let found = inner(&command(text));
        assert!(expected.is_empty() || found.contains(&(*expected).to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn prompts_and_recipes_on_stdin_are_read() {
    let rows = [
        ("make -f -", "a:;rm -rf /"),
        ("make -f - a", "a:\n\t@rm -rf /\n"),
        ("make -f/dev/stdin", "x := $(shell rm -rf /)"),
        ("crontab -", "* * * * * rm -rf /\n"),
        ("crontab", "@daily rm -rf /\n"),
        ("at now", "rm -rf /"),
        ("batch", "rm -rf /"),
        ("sqlite3 x", "select 1;\n.shell rm -rf /\n"),
        ("ed -s x", "!rm -rf /\n"),
        ("gdb -q", "shell rm -rf /\n"),
        ("psql", "\\! rm -rf /\n"),
    ];
    for (text, input) in rows {
        let found = inner(&fed(text, input));
        assert!(found.contains(&SHELL.to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn variables_that_are_executed_are_found() {
    for name in ["GIT_SSH_COMMAND", "PAGER", "LESSOPEN", "PROMPT_COMMAND", "EDITOR", "GIT_EXTERNAL_DIFF"] {
        let one = Assignment { name: name.to_owned(), value: Word::text("rm -rf /") };
        let git = Command { assignments: vec![one], ..command("git fetch") };
        assert_eq!(inner(&git), [SHELL], "{name}");
    }
    let one = Assignment { name: "BASH_ENV".to_owned(), value: Word::text("$(rm -rf /)") };
    assert_eq!(inner(&Command { assignments: vec![one], ..command("bash x") }), ["sh: : \"$(rm -rf /)\""]);
}

#[test]
fn ordinary_values_are_left_alone() {
    let rows = [
        "git -c user.name='rm -rf /' commit -m x",
        "git commit -m 'rm -rf /'",
        "git push -u origin main",
        "git -c color.ui=always log",
        "git config user.email x@y",
        "tar czf x.tgz y",
        "rsync -av a b",
        "sqlite3 x 'select 1'",
        "psql -c 'select 1'",
        "make -f Makefile all",
        "make test",
        "crontab -l",
        "cargo test",
        "sort -o x y",
        "vim x",
        "cargo --config net.offline=true build",
    ];
    for text in rows {
        assert_eq!(unwrap(&command(text), &place()), None, "{text}");
    }
}
