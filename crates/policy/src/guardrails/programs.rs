//! What of a command's words a program would change, and which programs run text as code: by name, without a claim to be
//! complete. A program that is not known here changes nothing that this room could name; the kernel keeps protected files
//! closed all the same.

use palanca_core::call::Access;
use palanca_core::ports::{CommandPart, CommandWord};

/// Which operands a program changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Changes {
    Every,
    /// The last one, or what is put into it.
    Last,
    /// Every one, with one of these options.
    With(&'static [&'static str]),
    /// Every one after one of these words.
    After(&'static [&'static str]),
    /// What follows `of=`.
    Output,
}

const IN_PLACE: Changes = Changes::With(&["-i", "--in-place", "-w", "--write", "--fix", "-pi", "-L"]);

const PROGRAMS: &[(&[&str], Changes)] = &[
    (
        &[
            "tee", "sponge", "rm", "rmdir", "unlink", "shred", "truncate", "touch", "mv", "chmod", "chown", "chgrp",
            "chattr", "setfacl", "ed", "ex", "vi", "vim", "nvim", "nano", "emacs", "patch", "mkfifo", "mknod",
            "rename", "split", "csplit", "black", "isort", "autopep8", "rustfmt", "dos2unix", "unix2dos", "gzip",
            "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "ln", "link", "sqlite3",
        ],
        Changes::Every,
    ),
    (&["cp", "install", "rsync", "scp"], Changes::Last),
    (&["dd"], Changes::Output),
    (
        &[
            "sed",
            "gsed",
            "perl",
            "ruby",
            "awk",
            "gawk",
            "yq",
            "gofmt",
            "goimports",
            "shfmt",
            "prettier",
            "eslint",
            "ruff",
            "stylua",
            "clang-format",
            "biome",
            "xmlstarlet",
        ],
        IN_PLACE,
    ),
    (&["git"], Changes::After(&["checkout", "restore", "rm", "mv", "apply", "am", "clean"])),
];

/// Options of any program whose value is a file that it writes.
const OUTPUT_OPTIONS: &[&str] =
    &["-o", "-O", "-out", "--out", "--output", "--output-document", "--outfile", "--out-file"];

const INTERPRETERS: &[&str] = &[
    "python",
    "node",
    "nodejs",
    "deno",
    "bun",
    "ruby",
    "perl",
    "php",
    "lua",
    "luajit",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "sed",
    "gsed",
    "rscript",
    "julia",
    "tclsh",
    "osascript",
    "jq",
    "yq",
    "sqlite3",
    "psql",
    "ed",
    "ex",
    "vim",
    "gdb",
];

/// Places that are no file.
const NOWHERE: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"];

/// The program's own name: without folders and without a version.
pub(super) fn name(part: &CommandPart) -> String {
    let program = part.words.first().and_then(CommandWord::known).unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program).to_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.').to_owned()
}

/// Whether a part runs text of its command line as code that may open files.
pub(super) fn interprets(part: &CommandPart) -> bool {
    INTERPRETERS.contains(&name(part).as_str())
}

/// Whether a part puts its own text, or what it is given, into a file.
pub(super) fn writes(part: &CommandPart) -> bool {
    written_redirects(part).next().is_some() || !operands(part).is_empty()
}

/// The targets of redirections that write, as far as they are files.
pub(super) fn written_redirects(part: &CommandPart) -> impl Iterator<Item = &CommandWord> {
    let written = part.redirects.iter().filter(|(_, access)| *access == Access::Write);
    written.map(|(target, _)| target).filter(|target| target.known().is_none_or(|path| !NOWHERE.contains(&path)))
}

/// One operand that a program would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed<'p> {
    /// This file.
    It(&'p CommandWord),
    /// A file of that name in this folder.
    Into(&'p CommandWord, &'p CommandWord),
}

/// The operands that a program would change.
pub(super) fn operands(part: &CommandPart) -> Vec<Changed<'_>> {
    let program = name(part);
    let row = PROGRAMS.iter().find(|(names, _)| names.contains(&program.as_str()));
    let words = part.words.get(1..).unwrap_or_default();
    let plain = || words.iter().filter(|word| !is_option(word));
    let mut found: Vec<Changed<'_>> = match row.map(|(_, changes)| *changes) {
        None => Vec::new(),
        Some(Changes::Every) => plain().map(Changed::It).collect(),
        Some(Changes::With(options)) => {
            let given = words.iter().filter_map(CommandWord::known).any(|word| {
                let option = word.split('=').next().unwrap_or(word);
                options.contains(&option)
                    || (word.starts_with("-i") && !word.starts_with("--"))
                    || word.starts_with("-pi")
            });
            if given { plain().map(Changed::It).collect() } else { Vec::new() }
        }
        Some(Changes::After(verbs)) => {
            let mut rest = plain().skip_while(|word| !word.known().is_some_and(|word| verbs.contains(&word)));
            rest.next();
            rest.map(Changed::It).collect()
        }
        Some(Changes::Last) => last(plain().collect(), words),
        Some(Changes::Output) => words
            .iter()
            .filter(|word| word.known().is_some_and(|word| word.starts_with("of=")))
            .map(Changed::It)
            .collect(),
    };
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let value = pairs.find(|(option, _)| option.known().is_some_and(|option| OUTPUT_OPTIONS.contains(&option)));
    found.extend(value.map(|(_, file)| Changed::It(file)));
    let joined = |word: &&CommandWord| {
        word.known().and_then(|word| word.split_once('=')).is_some_and(|(option, _)| OUTPUT_OPTIONS.contains(&option))
    };
    found.extend(words.iter().filter(joined).map(Changed::It));
    found
}

/// Copies: the target, and where it may be a folder, each source's name in it.
fn last<'p>(mut plain: Vec<&'p CommandWord>, words: &'p [CommandWord]) -> Vec<Changed<'p>> {
    let folder = words.iter().zip(words.iter().skip(1)).find(|(option, _)| option.known() == Some("-t"));
    let Some(target) = folder.map(|(_, folder)| folder).or_else(|| plain.pop()) else { return Vec::new() };
    let inside = plain.into_iter().map(|source| Changed::Into(target, source));
    std::iter::once(Changed::It(target)).chain(inside).collect()
}

fn is_option(word: &CommandWord) -> bool {
    word.known().is_some_and(|word| word.starts_with('-') && word.len() > 1)
}
