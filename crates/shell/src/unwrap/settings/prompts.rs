//! Programs with a prompt of their own that can start a shell: debuggers, databases, editors. Their prompt lines stand in
//! options, in operands and on stdin.

use super::{How, Value};
use crate::catalogue::{ByName, by_name, has};
use crate::command::{Command, Word};
use crate::unwrap::words::{values, without};
use std::sync::LazyLock;

/// Programs, the options whose values are prompt lines, and what such a line begins with before a shell text; blanks, `:`,
/// `+` and `%` before that do not count.
const ROWS: &[(&str, &str, &[&str])] = &[
    (
        "gdb cgdb rust-gdb gdb-multiarch",
        "-ex --ex -eval-command --eval-command -iex --init-eval-command",
        &["shell ", "make ", "!", "| "],
    ),
    ("lldb rust-lldb", "-o -O -k --one-line --one-line-before-file", &["platform shell ", "plat shell ", "shell "]),
    ("sqlite3 sqlite litecli", "-cmd", &[".shell ", ".system ", ".once |", ".output |", ".import |", ".import \"|"]),
    ("psql pgcli", "-c --command -v", &["\\! ", "\\!", "\\o |", "\\g |", "\\setenv PAGER "]),
    ("mysql mariadb mycli", "-e --execute --init-command", &["system ", "\\! ", "\\!", "pager "]),
    (
        "vim vi nvim ex view gvim rvim vimdiff elvis nvi",
        "-c --cmd -S",
        &["!", "r!", "r !", "w !", "silent !", "silent! !", "sil!", "terminal "],
    ),
    ("ed red", "", &["!", "r !", "w !", "e !"]),
    ("dc", "-e --expression", &["!"]),
    ("ftp lftp sftp telnet tnftp smbclient", "-c -e", &["!", "local ", "shell "]),
    ("mail mailx Mail", "", &["~!", "!", "~|", "~r !"]),
    ("less more most", "", &["!", "|"]),
    ("gnuplot", "-e", &["!"]),
    ("ipython ipython3 jupyter", "-c", &["!", "sx ", "system "]),
];

static BY_NAME: ByName<(&str, &[&str])> =
    LazyLock::new(|| by_name(ROWS.iter().map(|(names, options, marks)| (*names, (*options, *marks)))));

/// Programs whose operands are prompt lines, too.
const IN_OPERANDS: &str = "sqlite3 sqlite litecli vim vi nvim ex view gvim rvim vimdiff elvis nvi less more most";

/// Programs whose prompts know languages, and the words before a text in one.
const SPOKEN: &str = "gdb cgdb rust-gdb gdb-multiarch lldb rust-lldb vim vi nvim ex view gvim rvim vimdiff elvis nvi";
const LANGUAGES: &[(&str, &[&str])] = &[
    ("python python3 py py3 script", &["python3", "-c"]),
    ("lua luado", &["lua", "-e"]),
    ("perl", &["perl", "-e"]),
    ("ruby", &["ruby", "-e"]),
];

/// Prompt lines that start a shell text.
pub(super) fn find(command: &Command, name: &str, found: &mut Vec<Value>) {
    let Some((options, marks)) = BY_NAME.get(name) else { return };
    let mut lines: Vec<Word> = options.split(' ').flat_map(|option| values(command.operands(), option)).collect();
    lines.extend(command.operands().iter().filter(|_| has(IN_OPERANDS, name)).cloned());
    lines.extend(command.input.text.iter().flat_map(|text| text.lines()).map(Word::text));
    for line in lines {
        match line.literal() {
            Some(text) => text.split('\n').for_each(|line| started(name, marks, &Word::text(line), found)),
            None => started(name, marks, &line, found),
        }
    }
}

fn started(name: &str, marks: &[&str], line: &Word, found: &mut Vec<Value>) {
    let text = line.prefix();
    let own = text.trim_start_matches([' ', '\t', ':', '+', '%']);
    let behind = |mark: &str| without(line, text.len() - own.len() + mark.len());
    if let Some(mark) = marks.iter().filter(|mark| own.starts_with(**mark)).max_by_key(|mark| mark.len()) {
        let value = behind(mark);
        let quoted = value.literal().filter(|_| mark.contains('"')).and_then(|text| text.split('"').next());
        found.push(Value::text(name, quoted.map_or_else(|| value.clone(), Word::text)));
        return;
    }
    let spoken = |word: &str| LANGUAGES.iter().find(|(words, _)| has(SPOKEN, name) && has(words, word));
    if let Some((word, program)) = own.split_once(' ').and_then(|(word, _)| Some((word, spoken(word)?.1))) {
        found.push(Value { name: name.to_owned(), value: behind(word), how: How::Code(program) });
        return;
    }
    // `:call system("text")`, and of psql `COPY t FROM PROGRAM 'text'`
    let program = own.to_ascii_uppercase().find("PROGRAM").filter(|_| has("psql pgcli", name));
    if let Some(at) = own.find("system(").or(program)
        && let Some(own) = own.get(at..).and_then(|after| after.split(['"', '\'']).nth(1))
    {
        found.push(Value::text(name, Word::text(own)));
    }
}
