//! Programs with a prompt of their own that can start a shell: debuggers, databases, editors.

use super::{How, Value};
use crate::catalogue::has;
use crate::command::{Command, Word};
use crate::unwrap::scan::values;
use crate::unwrap::words::without;

/// Where a program takes prompt lines from, and how one of them starts a shell text.
struct Row {
    programs: &'static str,
    options: &'static str,
    /// Operands are prompt lines, too.
    operands: bool,
    /// Lines of stdin are prompt lines, too.
    stdin: bool,
    /// What a line begins with before the text.
    marks: &'static [&'static str],
}

static ROWS: &[Row] = &[
    Row {
        programs: "gdb cgdb rust-gdb gdb-multiarch",
        options: "-ex --ex -eval-command --eval-command -iex --init-eval-command",
        operands: false,
        stdin: true,
        marks: &["shell ", "make ", "!", "| "],
    },
    Row {
        programs: "lldb rust-lldb",
        options: "-o -O -k --one-line --one-line-before-file",
        operands: false,
        stdin: true,
        marks: &["platform shell ", "plat shell ", "shell "],
    },
    Row {
        programs: "sqlite3 sqlite litecli",
        options: "-cmd",
        operands: true,
        stdin: true,
        marks: &[".shell ", ".system ", ".once |", ".output |", ".import |", ".import \"|"],
    },
    Row {
        programs: "psql pgcli",
        options: "-c --command -v",
        operands: false,
        stdin: true,
        marks: &["\\! ", "\\!", "\\o |", "\\g |", "\\setenv PAGER "],
    },
    Row {
        programs: "mysql mariadb mycli",
        options: "-e --execute --init-command",
        operands: false,
        stdin: true,
        marks: &["system ", "\\! ", "\\!", "pager "],
    },
    Row {
        programs: "vim vi nvim ex view gvim rvim vimdiff elvis nvi",
        options: "-c --cmd -S",
        operands: true,
        stdin: true,
        marks: &[
            "+!",
            "+:!",
            "!",
            ":!",
            "%!",
            ":%!",
            "r!",
            "r !",
            ":r!",
            ":r !",
            "silent !",
            "silent! !",
            ":silent !",
            "sil!",
            "w !",
            ":w !",
            "terminal ",
            ":terminal ",
            "+terminal ",
        ],
    },
    Row { programs: "ed red", options: "", operands: false, stdin: true, marks: &["!", "r !", "w !", "e !"] },
    Row { programs: "dc", options: "-e --expression", operands: false, stdin: true, marks: &["!"] },
    Row {
        programs: "ftp lftp sftp telnet tnftp smbclient",
        options: "-c -e",
        operands: false,
        stdin: true,
        marks: &["!", "local ", "shell "],
    },
    Row { programs: "mail mailx Mail", options: "", operands: false, stdin: true, marks: &["~!", "!", "~|", "~r !"] },
    Row { programs: "less more most", options: "", operands: true, stdin: false, marks: &["+!", "+|"] },
    Row { programs: "gnuplot", options: "-e", operands: false, stdin: true, marks: &["!"] },
    Row {
        programs: "ipython ipython3 jupyter",
        options: "-c",
        operands: false,
        stdin: true,
        marks: &["!", "%sx ", "%system "],
    },
];

/// Prompt lines that start a shell text.
pub(super) fn find(command: &Command, name: &str, found: &mut Vec<Value>) {
    let Some(row) = ROWS.iter().find(|row| has(row.programs, name)) else { return };
    let mut lines: Vec<Word> = Vec::new();
    for option in row.options.split(' ').filter(|option| !option.is_empty()) {
        lines.extend(values(command.operands(), option));
    }
    if row.operands {
        lines.extend(command.operands().iter().cloned());
    }
    if row.stdin
        && let Some(text) = &command.input.text
    {
        lines.extend(text.lines().map(Word::text));
    }
    for line in lines {
        let texts = match line.literal() {
            Some(text) if text.contains('\n') || text.contains(';') => text.split('\n').map(Word::text).collect(),
            _ => vec![line],
        };
        for line in texts {
            started(row, name, &line, found);
        }
    }
}

fn started(row: &Row, name: &str, line: &Word, found: &mut Vec<Value>) {
    let text = line.prefix();
    let blanks = text.len() - text.trim_start().len();
    let text = text.trim_start();
    let mark = row.marks.iter().filter(|mark| text.starts_with(**mark)).max_by_key(|mark| mark.len());
    if let Some(mark) = mark.filter(|mark| mark.ends_with("\"|")) {
        let own = text.get(mark.len()..).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        found.push(Value::text(name, Word::text(own)));
        return;
    }
    if let Some(mark) = mark {
        found.push(Value::text(name, without(line, blanks + mark.len())));
        return;
    }
    // `:call system("text")`, gdb's `python os.system("text")`
    if let Some((_, after)) = text.split_once("system(").filter(|_| !matches!(name, "psql" | "mysql" | "sqlite3"))
        && let Some(own) = after.split(['"', '\'']).nth(1)
    {
        found.push(Value::text(name, Word::text(own)));
    }
    const CODE: [(&str, &[&str]); 9] = [
        ("python ", &["python3", "-c"]),
        ("python3 ", &["python3", "-c"]),
        ("py ", &["python3", "-c"]),
        ("py3 ", &["python3", "-c"]),
        ("script ", &["python3", "-c"]),
        ("lua ", &["lua", "-e"]),
        ("luado ", &["lua", "-e"]),
        ("perl ", &["perl", "-e"]),
        ("ruby ", &["ruby", "-e"]),
    ];
    let code = text.trim_start_matches([':', '+']);
    let spoken = matches!(row.programs.split(' ').next(), Some("gdb" | "lldb" | "vim"));
    if let Some((mark, program)) = CODE.iter().find(|(mark, _)| spoken && code.starts_with(mark)) {
        let value = without(line, blanks + text.len() - code.len() + mark.len());
        found.push(Value { name: name.to_owned(), value, how: How::Code(program) });
        return;
    }
    // `call system("…")`
    if spoken && code.contains("system(") {
        found.push(Value { name: name.to_owned(), value: Word::text(code), how: How::Code(&["octave", "--eval"]) });
        return;
    }
    // `COPY t FROM PROGRAM 'text'`
    if matches!(name, "psql" | "pgcli")
        && let Some((_, after)) = text.to_ascii_uppercase().find("PROGRAM").and_then(|at| text.split_at_checked(at))
        && let Some(own) = after.split('\'').nth(1)
    {
        found.push(Value::text(name, Word::text(own)));
    }
}
