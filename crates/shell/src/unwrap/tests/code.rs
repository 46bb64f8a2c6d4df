#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::super::outputs::printed;
use super::{command, fed, inner, place};
use crate::command::Command;

fn given(program: &str, option: &str, code: &str) -> Vec<String> {
    inner(&Command::plain([program, option, code], &place()))
}

#[test]
fn calls_that_start_something_are_found() {
    let rows: &[(&str, &str, &str)] = &[
        ("python3", "-c", "import os; os.system('rm -rf /x')"),
        ("python3.12", "-c", "__import__('os').system(\"rm -rf /x\")"),
        ("python", "-c", "import subprocess; subprocess.run(['rm','-rf','/x'])"),
        ("python", "-c", "import subprocess as sp; sp.call('rm -rf /x', shell=True)"),
        ("python", "-c", "from subprocess import *; Popen(args=['rm', '-rf', '/x'])"),
        ("python", "-c", "import os; os.execvp('rm', ['rm','-rf','/x'])"),
        ("python", "-c", "import os; os.execlp('rm', 'rm','-rf','/x')"),
        ("python", "-c", "import os; getattr(os,'system')('rm -rf /x')"),
        ("python", "-c", "import os; os.popen('''rm -rf /x''').read()"),
        ("python", "-c", "import os; os.system('\\x72m -rf /x')"),
        ("python", "-c", "import shutil; shutil.rmtree('/x')"),
        ("perl", "-e", "system('rm -rf /x')"),
        ("perl", "-e", "system 'rm', '-rf', '/x'"),
        ("perl", "-E", "exec \"rm -rf /x\";"),
        ("perl", "-e", "`rm -rf /x`"),
        ("perl", "-e", "print qx{rm -rf /x}"),
        ("perl", "-e", "system(qw(rm -rf /x))"),
        ("perl", "-e", "open(F,'rm -rf /x|')"),
        ("perl", "-e", "open(my $f,'-|','rm -rf /x')"),
        ("perl", "-e", "use File::Path; rmtree('/x')"),
        ("ruby", "-e", "system('rm -rf /x')"),
        ("ruby", "-e", "system %w[rm -rf /x]"),
        ("ruby", "-e", "puts %x(rm -rf /x)"),
        ("ruby", "-e", "`rm -rf /x`"),
        ("ruby", "-e", "require 'fileutils'; FileUtils.rm_rf('/x')"),
        ("ruby", "-e", "IO.popen(['rm','-rf','/x'])"),
        ("node", "-e", "require('child_process').execSync('rm -rf /x')"),
        ("node", "-e", "require(\"child_process\").exec(\"rm -rf /x\", ()=>{})"),
        ("node", "--eval", "const {spawn}=require('child_process'); spawn('rm',['-rf','/x'])"),
        ("node", "-p", "require('node:child_process').spawnSync('rm', ['-rf', '/x'], {stdio:'inherit'})"),
        ("node", "-e", "fs.rmSync('/x',{recursive:true,force:true})"),
        ("bun", "-e", "Bun.spawn(['rm','-rf','/x'])"),
        ("deno", "eval", "new Deno.Command('rm',{args:['-rf','/x']}).outputSync()"),
        ("php", "-r", "system('rm -rf /x');"),
        ("php", "-r", "shell_exec(\"rm -rf /x\");"),
        ("php", "-r", "echo `rm -rf /x`;"),
        ("lua", "-e", "os.execute('rm -rf /x')"),
        ("lua5.4", "-e", "io.popen([[rm -rf /x]])"),
        ("Rscript", "-e", "system('rm -rf /x')"),
        ("R", "-e", "system2('rm', c('-rf','/x'))"),
        ("julia", "-e", "run(`rm -rf /x`)"),
        ("guile", "-c", "(system \"rm -rf /x\")"),
        ("groovy", "-e", "'rm -rf /x'.execute()"),
        ("elixir", "-e", "System.cmd('rm', ['-rf', '/x'])"),
        ("gnuplot", "-e", "system('rm -rf /x')"),
        ("raku", "-e", "shell 'rm -rf /x'"),
        ("perl", "-le", "system('rm -rf /x')"),
        ("python3", "-Sc", "import os; os.system('rm -rf /x')"),
        ("awk", "BEGIN{system(\"rm -rf /x\")}", ""),
        ("awk", "BEGIN{print | \"rm -rf /x\"}", ""),
        ("mawk", "BEGIN{\"rm -rf /x\" | getline y}", ""),
        ("awk", "BEGIN{while((\"rm -rf /x\" | getline l)>0) print l}", ""),
        ("sed", "1e rm -rf /x", "f"),
        ("sed", "$e rm -rf /x", "f"),
        ("sed", "/a/,/b/e rm -rf /x", "f"),
        ("sed", "s/a/b/;e rm -rf /x", "f"),
        ("sed", "s/.*/rm -rf \\/x/e", "f"),
        ("sed", "s|.*|rm -rf /x|ge", "f"),
    ];
    for (program, option, code) in rows {
        let found = given(program, option, code);
        let hit = found.iter().any(|one| one.trim_start_matches("sh: ") == "rm -rf /x");
        assert!(hit, "{program} {option} {code}: {found:?}");
    }
}

#[test]
fn code_on_stdin_is_read() {
    for (program, code) in [
        ("python3", "import os\nos.system('rm -rf /x')\n"),
        ("perl", "system('rm -rf /x');"),
        ("python3 -", "import os; os.system('rm -rf /x')"),
        ("node", "require('child_process').execSync('rm -rf /x')"),
        ("php", "<?php system('rm -rf /x');"),
    ] {
        let found = inner(&fed(program, code));
        assert!(found.iter().any(|one| one.ends_with("rm -rf /x")), "{program}: {found:?}");
    }
}

#[test]
fn literals_that_are_only_printed_are_left_alone() {
    let rows: &[(&str, &str, &str)] = &[
        ("python", "-c", "print('rm -rf /')"),
        ("python", "-c", "x = 'os.system(\"rm -rf /\")'\nprint(x)"),
        ("python", "-c", "# os.system('rm -rf /')\nprint(1)"),
        ("node", "-e", "console.log('rm -rf /')"),
        ("node", "-e", "/rm/.exec('rm -rf /')"),
        ("perl", "-e", "print 'sudo id'"),
        ("ruby", "-e", "puts 'rm -rf /'"),
        ("awk", "{print \"rm -rf /\"}", "f"),
        ("awk", "/a|b/{print $1}", "f"),
        ("awk", "$1 || $2", "f"),
        ("sed", "s/e/rm -rf \\//", "f"),
        ("sed", "s/rm/ls/g", "f"),
        ("sed", "-n", "/e/p"),
        ("php", "-r", "echo 'rm -rf /';"),
    ];
    for (program, option, code) in rows {
        assert_eq!(given(program, option, code), [""; 0], "{program} {code}");
    }
}

#[test]
fn what_code_prints_is_known() {
    let rows: &[(&str, &str)] = &[
        ("awk 'BEGIN{print \"rm -rf /\"}'", "rm -rf /\n"),
        ("python3 -c 'print(\"rm -rf /\")'", "rm -rf /\n"),
        ("perl -e 'print \"rm -rf /\"'", "rm -rf /\n"),
        ("ruby -e 'puts \"ab\"'", "ab\n"),
    ];
    for (text, expected) in rows {
        assert_eq!(printed(&command(text)).text.as_deref(), Some(*expected), "{text}");
    }
}
