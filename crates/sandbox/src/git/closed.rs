//! Closed files in what git prints: their content lies in the object store, where no mask hides it, so changes and matches
//! in them are left out.
//!
//! Git itself says which files a form would print: it is asked for their names with the same words first. Closed names
//! become pathspecs that exclude them, and git is asked once more; what still names one is refused, as is what git cannot
//! list. So no option has to be understood for it: one that is misread costs an answer, not a secret. An object that is
//! named by its id has no name to judge by, and its content is never printed.

use super::looking::{Looking, Prints};
use super::{Git, IsClosed, words};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::process::Stdio;

/// What git says instead of printing, and its exit code.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) text: Vec<u8>,
    pub(super) code: i32,
}

/// With these `git show` prints whatever a reference leads to.
const ALL_REFERENCES: [&str; 8] =
    ["--all", "--alternate-refs", "--branches", "--glob", "--reflog", "--remotes", "--stdin", "--tags"];
/// With these `git cat-file` prints no content, or reads the names of objects from its input.
const ABOUT_OBJECTS: [&str; 6] = ["-e", "-s", "-t", "--batch", "--batch-check", "--batch-command"];

/// One look at what a form would print.
struct Look<'g> {
    git: &'g Git,
    looking: Looking,
    judge: IsClosed,
    /// From the workspace to the repository.
    prefix: OnceCell<PathBuf>,
    /// The folders of commits that the words name (`HEAD:sub`): git prints what is in them by names that begin there.
    trees: Vec<PathBuf>,
}

/// The words of a form that prints no closed file: these, and pathspecs.
///
/// # Errors
/// It cannot be left out, or git fails.
pub(super) fn left_out(
    git: &Git,
    looking: Looking,
    rest: &[OsString],
    judge: IsClosed,
) -> Result<Vec<OsString>, Refused> {
    let trees = trees(git, &words::revisions(looking, rest))?;
    let look = Look { git, looking, judge, prefix: OnceCell::new(), trees };
    look.operands(rest)?;
    let done = match looking.prints {
        Prints::Names | Prints::Named => true,
        // It can be read only once. No such form is safe, but for the patterns of `git grep`.
        _ if words::read_input(looking, rest) && looking.prints == Prints::Matches => {
            return Err(refused("patterns are words or a file here, not what comes on stdin"));
        }
        _ if words::read_input(looking, rest) => true,
        Prints::Changes | Prints::ChangesIfAsked => words::print_no_content(looking, rest),
        Prints::Matches => false,
    };
    if done {
        return Ok(rest.to_vec());
    }
    let closed = look.closed(rest)?;
    if closed.is_empty() {
        return Ok(rest.to_vec());
    }
    let names = closed.iter().map(|name| String::from_utf8_lossy(name).escape_debug().to_string());
    let names = names.collect::<Vec<_>>().join(", ");
    let pathspec = |name: &Vec<u8>| OsString::from_vec([b":(top,exclude,literal)", name.as_slice()].concat());
    let words: Vec<OsString> = rest.iter().cloned().chain(closed.iter().map(pathspec)).collect();
    match look.closed(&words) {
        Ok(closed) if closed.is_empty() && !words::follow_lines(rest) => {
            // Files that do not match are not listed, so to name one would say that it does.
            if looking.prints != Prints::Matches {
                say(&format!("palanca: left out, because these files are closed: {names}\n"));
            }
            Ok(words)
        }
        _ => Err(refused(&format!(
            "this could print closed files ({names}), which cannot be left out here: show other files by name"
        ))),
    }
}

fn say(text: &str) {
    // ignored: if git's messages are not read, this one is lost, too.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

pub(super) fn refused(text: &str) -> Refused {
    Refused { text: format!("palanca: {text}\n").into_bytes(), code: 128 }
}

/// The top of the working tree; none without one.
pub(super) fn top(git: &Git) -> Option<PathBuf> {
    let top = git.command(&["rev-parse", "--show-toplevel"].map(OsString::from)).stderr(Stdio::null()).output();
    let top = top.ok()?.stdout;
    Some(PathBuf::from(OsString::from_vec(top.strip_suffix(b"\n")?.to_vec())))
}

/// The paths behind commits among these words, from the top.
fn trees(git: &Git, words: &[&[u8]]) -> Result<Vec<PathBuf>, Refused> {
    let paths = words.iter().filter_map(|word| word.get(colon(word)? + 1..)).filter(|path| !path.is_empty());
    paths.map(|path| from_top(git, path)).collect()
}

/// A path behind a commit, from the top: with a dot in front it begins in the working folder.
fn from_top(git: &Git, path: &[u8]) -> Result<PathBuf, Refused> {
    let relative = Path::new(OsStr::from_bytes(path));
    if !matches!(path.split(|byte| *byte == b'/').next(), Some(b"." | b"..")) {
        return Ok(relative.to_owned());
    }
    let asked = git.command(&["rev-parse", "--show-prefix"].map(OsString::from)).stderr(Stdio::null()).output();
    let asked = asked.ok().filter(|asked| asked.status.success());
    let asked = asked.ok_or_else(|| refused("git does not tell where in the repository this is"))?;
    let prefix = asked.stdout.strip_suffix(b"\n").unwrap_or(&asked.stdout).to_vec();
    Ok(PathBuf::from(OsString::from_vec(prefix)).join(relative))
}

/// Where the repository lies in the workspace; nowhere without a working tree.
fn prefix(git: &Git) -> PathBuf {
    let top = top(git).unwrap_or_default();
    let workspaces = git.pairs.iter().filter(|(key, _)| key.eq_ignore_ascii_case("safe.directory"));
    workspaces.filter_map(|(_, path)| top.strip_prefix(path).ok()).next().map(Path::to_owned).unwrap_or_default()
}

impl Look<'_> {
    fn is_closed(&self, path: &[u8]) -> bool {
        let mut folded = PathBuf::new();
        for part in Path::new(OsStr::from_bytes(path)).components() {
            match part {
                Component::Normal(part) => folded.push(part),
                Component::ParentDir => drop(folded.pop()),
                _ => {}
            }
        }
        (self.judge)(&folded) || (self.judge)(&self.prefix.get_or_init(|| prefix(self.git)).join(&folded))
    }

    /// The closed file that a listed name is. Of a match in a commit it stands behind the commit, and behind the folder of it
    /// that was named; both may hold a colon, so whatever follows one could be the file, the
    /// shortest first.
    fn closed_file<'n>(&self, name: &'n [u8]) -> Option<&'n [u8]> {
        let colons = name.iter().enumerate().rev().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
        let behind = colons.filter(|_| self.looking.prints == Prints::Matches).filter_map(|at| name.get(at + 1..));
        let in_a_tree = |path: &[u8]| {
            self.trees.iter().any(|tree| self.is_closed(tree.join(OsStr::from_bytes(path)).as_os_str().as_bytes()))
        };
        behind.chain([name]).find(|path| self.is_closed(path) || in_a_tree(path))
    }

    /// The closed files of which these words would print something.
    fn closed(&self, rest: &[OsString]) -> Result<BTreeSet<Vec<u8>>, Refused> {
        let failed = |error: std::io::Error| refused(&format!("git cannot be started: {error}"));
        let mut command = self.git.command(&words::listing(self.looking, rest));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        let mut stderr = child.stderr.take();
        let said = std::thread::spawn(move || {
            let mut text = Vec::new();
            // ignored: what was read until then is said.
            let _ = stderr.as_mut().map(|stderr| stderr.read_to_end(&mut text));
            text
        });
        let mut closed = BTreeSet::new();
        let (mut before, mut status) = (Vec::new(), Status::None);
        for name in BufReader::new(child.stdout.take().ok_or_else(|| refused("git prints nothing"))?).split(0) {
            let name = name.map_err(failed)?;
            status = status.then(&before);
            let is_name = self.looking.prints == Prints::Matches || status != Status::None;
            if is_name && let Some(file) = self.closed_file(&name) {
                closed.insert(file.to_vec());
            }
            before = name;
        }
        let code = child.wait().map_err(failed)?.code().unwrap_or(128);
        // 1: there are changes, or no matches.
        if code > 1 {
            return Err(Refused { text: said.join().unwrap_or_default(), code });
        }
        Ok(closed)
    }

    /// Refuses objects that are named by their ids, and closed files in commits.
    fn operands(&self, rest: &[OsString]) -> Result<(), Refused> {
        let has = |options: &[&str]| {
            rest.iter().any(|word| {
                let word = word.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default();
                options.iter().any(|option| option.as_bytes() == word)
            })
        };
        let command = rest.first().and_then(|word| word.to_str()).unwrap_or_default();
        if self.looking.prints == Prints::Names || (command == "cat-file" && has(&ABOUT_OBJECTS)) {
            return Ok(());
        }
        if command == "show" && has(&ALL_REFERENCES) {
            return Err(refused("git show takes the names of commits here, no option for all references"));
        }
        let mut asked = Vec::new();
        for word in words::revisions(self.looking, rest) {
            match colon(word) {
                _ if command == "blame" || command == "annotate" => {
                    if self.is_closed(word) {
                        return Err(self.shut(word));
                    }
                }
                // Magic of pathspecs, and a search for a commit.
                Some(0) if matches!(word.get(1), None | Some(b'/' | b'(' | b'!' | b'^')) => {}
                Some(at) => {
                    let path = word.get(at + 1..).unwrap_or_default();
                    let path = match path {
                        // A stage of the index.
                        [b'0'..=b'3', b':', path @ ..] if at == 0 => path,
                        path => path,
                    };
                    if self.is_closed(from_top(self.git, path)?.as_os_str().as_bytes()) {
                        return Err(self.shut(word));
                    }
                }
                None => {
                    asked.extend_from_slice(word);
                    asked.extend_from_slice(b"^{}\n");
                }
            }
        }
        if !asked.is_empty() && self.any_content(&asked)? {
            return Err(refused(
                "an object is shown by the name of a file, as COMMIT:PATH, and not by its id: what is in it is not known",
            ));
        }
        Ok(())
    }

    fn shut(&self, word: &[u8]) -> Refused {
        refused(&format!("{} is closed", String::from_utf8_lossy(word).escape_debug()))
    }

    /// Whether one of these names, a line each, is the content of a file.
    fn any_content(&self, names: &[u8]) -> Result<bool, Refused> {
        let failed = |error: std::io::Error| refused(&format!("git cannot be started: {error}"));
        let mut command = self.git.command(&["cat-file", "--batch-check"].map(OsString::from));
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let stdin = child.stdin.take();
        let names = names.to_vec();
        let fed = std::thread::spawn(move || {
            // ignored: a git that ends early, outside of a repository, has said why by its silence.
            let _ = stdin.map(|mut stdin| stdin.write_all(&names));
        });
        let output = child.wait_with_output().map_err(failed)?;
        drop(fed.join());
        let mut lines = output.stdout.split(|byte| *byte == b'\n');
        Ok(lines.any(|line| {
            let mut fields = line.split(|byte| *byte == b' ');
            let (_, kind, size, end) = (fields.next(), fields.next(), fields.next(), fields.next());
            kind == Some(b"blob") && end.is_none() && size.is_some_and(|size| size.iter().all(u8::is_ascii_digit))
        }))
    }
}

/// What a list of names is at: a name stands after its status, `M`, and two stand after that of a rename, `R100`. Behind a
/// status that stands at the end of other text there may be one as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    None,
    One,
    /// The first of two.
    Two,
}

impl Status {
    /// Behind this text.
    fn then(self, before: &[u8]) -> Self {
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        match before.iter().rev().nth(digits) {
            Some(b'R' | b'C') => Self::Two,
            Some(b'A' | b'B' | b'D' | b'M' | b'T' | b'U' | b'X') => Self::One,
            _ if self == Self::Two => Self::One,
            _ => Self::None,
        }
    }
}

/// The colon between a commit and a path: the first one outside of braces.
fn colon(word: &[u8]) -> Option<usize> {
    let mut depth = 0_i32;
    word.iter().position(|byte| {
        depth += match byte {
            b'{' => 1,
            b'}' => -1,
            _ => 0,
        };
        depth == 0 && *byte == b':'
    })
}
