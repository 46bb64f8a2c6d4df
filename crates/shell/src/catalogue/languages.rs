//! Interpreters: shells, and programs that read programs.

use super::Row;
use super::fact::{Changes::*, Fact::*, Language::*, Needs::*};
use super::packages::NODE;

pub(super) const ROWS: &[Row] = &[
    (
        "sh dash ash ksh mksh pdksh lksh oksh loksh yash posh rbash rksh rzsh csh tcsh osh ysh oil hush sash bosh \
         bsh jsh ion murex nu elvish xonsh rsh-restricted git-shell",
        &[Speaks(Shell)],
    ),
    ("bash zsh fish", &[Speaks(Shell), Version("")]),
    ("python python2 python3", &[Speaks(Python), Filters, TakesCode, RunsAnything, Version("-V -VV")]),
    ("pypy", &[Speaks(Python), RunsAnything]),
    ("ipython runhaskell escript ts-node tsx bb clojure raku cmd", &[RunsAnything]),
    ("perl", &[Speaks(Perl), Filters, TakesCode, RunsAnything, Changes(InPlace), Version("-v")]),
    ("ruby", &[Speaks(Ruby), Filters, TakesCode, RunsAnything, Changes(InPlace), Version("-v")]),
    ("node", &[Speaks(Node), Filters, TakesCode, RunsAnything, Version("-v")]),
    ("nodejs", &[Speaks(Node), TakesCode, RunsAnything]),
    ("deno", &[Speaks(Other), TakesCode, RunsAnything, Version("-V")]),
    ("bun", &[Speaks(Other), TakesCode, RunsAnything, Needs(With(NODE)), Version("-v")]),
    ("php", &[Speaks(Php), Filters, TakesCode, RunsAnything, Version("-v")]),
    ("php-cgi", &[Speaks(Php), TakesCode, RunsAnything]),
    ("lua", &[Speaks(Lua), TakesCode, RunsAnything, Version("-v")]),
    ("luajit", &[Speaks(Lua), TakesCode, RunsAnything, Version("")]),
    ("R Rscript julia", &[Speaks(Other), TakesCode, RunsAnything, Version("")]),
    ("r rscript", &[TakesCode, RunsAnything]),
    ("tclsh osascript", &[Speaks(Other), TakesCode, RunsAnything]),
    ("ocaml elixir iex scala", &[Speaks(Other), RunsAnything, Version("")]),
    ("swift", &[Speaks(Other), RunsAnything, Version("-version")]),
    (
        "wish expect guile racket sbcl clisp ghci runghc pwsh powershell irb groovy jshell erl",
        &[Speaks(Other), RunsAnything],
    ),
    ("scheme groovysh at jjs batch", &[Speaks(Other)]),
    ("java", &[RunsAnything, Version("-version")]),
    ("kotlin lldb", &[RunsAnything, Version("")]),
    ("gdb", &[TakesCode, RunsAnything, Version("")]),
    ("vim", &[TakesCode, RunsAnything, Changes(Every), Version("")]),
    ("nvim emacs", &[RunsAnything, Changes(Every), Version("")]),
    ("vi", &[RunsAnything, Changes(Every)]),
    ("ex ed", &[TakesCode, RunsAnything, Changes(Every)]),
    ("nano", &[Changes(Every), Version("")]),
    ("code mongosh postgres mongod", &[Version("")]),
    ("psql", &[TakesCode, Version("-V")]),
    ("sqlite3", &[TakesCode, Changes(Every), Version("")]),
    ("mysql", &[ExecutesText("--pager"), Version("")]),
    ("nginx", &[Version("-v")]),
];
