//! A git that changes something obeys the repository's own rules for it, as the person's git would: hooks, and filters of
//! content. It runs them inside, with all that its command may do.
//!
//! What cannot run here stops git instead of being left out: a filter whose program is out of sight, hooks that are, and
//! signing, since no key is within reach. Content that a filter should have changed is never stored as it is.

use super::Git;
use super::closed::{Refused, refused};
use super::neutral::Pair;
use crate::settings::PersonalGit;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Told to programs that were approved, or need no approval: what the person's own settings say. Others never run a rule.
pub(crate) const RULES: &str = "PALANCA_GIT_RULES";

/// Keys that are switched off where no rule runs.
const LIFTED: [&str; 8] = [
    "core.hooksPath",
    "gpg.program",
    "gpg.openpgp.program",
    "gpg.x509.program",
    "gpg.ssh.program",
    "commit.gpgSign",
    "tag.gpgSign",
    "tag.forceSignAnnotated",
];
/// What stands for every program that signs: ourselves, told apart by the options that only such a program gets.
const SIGNER: &str = "git";
/// What a shell does by itself in a filter.
const BUILTIN: [&str; 10] = ["cd", "command", "eval", "exec", "exit", "false", "printf", "read", "test", "true"];
/// Forms whose hooks may refuse or change what is stored, or sent.
const HOOKED: [&str; 8] = ["am", "cherry-pick", "commit", "merge", "pull", "push", "rebase", "revert"];

/// Whether a key that [`super::neutral::ALWAYS`] switches off stays as it is set.
pub(super) fn lifts(key: &str) -> bool {
    LIFTED.iter().any(|lifted| key.eq_ignore_ascii_case(lifted))
}

/// Whether a key that [`super::neutral::named`] switches off stays as it is set.
pub(super) fn lifts_named(key: &str) -> bool {
    let (section, variable) = ends(key);
    matches!((section, variable), ("filter", _) | ("hook", "command") | ("gpg", "program"))
}

/// Section and variable of a key.
fn ends(key: &str) -> (&str, &str) {
    (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default())
}

/// The person's settings, if this git may run rules.
pub(super) fn told() -> Option<PersonalGit> {
    serde_json::from_str(&std::env::var(RULES).ok()?).ok()
}

/// Whether it may make something that is to be signed although it is locked like a form that only looks.
pub(super) fn may_sign(rest: &[OsString]) -> bool {
    rest.first().is_some_and(|form| form == "tag")
}

/// Whether git started us to sign something.
pub(super) fn is_signer(words: &[OsString]) -> bool {
    let first = words.first().and_then(|word| word.to_str()).unwrap_or_default();
    first.starts_with("--status-fd") || first == "-Y"
}

pub(super) const UNSIGNED: &str = "nothing can be signed here, because commands reach no signing key; ask the user to \
    make this commit, or to let you leave the signature out (--no-gpg-sign)";

/// What a git that changes something is told beside what is always switched off.
///
/// # Errors
/// Hooks that the form would go past.
pub(super) fn pairs(
    git: &Git,
    rest: &[OsString],
    configured: &[Pair],
    personal: &PersonalGit,
) -> Result<Vec<Pair>, Refused> {
    if let Some(why) = &personal.unreadable {
        return Err(refused(&format!(
            "the user's own settings of git, which may have filters and hooks for this, are not known ({why}): ask the user \
             to do this"
        )));
    }
    let is_set = |key: &str| configured.iter().any(|(known, _)| known == key);
    let own = personal.settings.iter().filter(|(key, _)| !is_set(key)).cloned();
    let mut pairs: Vec<Pair> = own.collect();
    let all: Vec<Pair> = pairs.iter().chain(configured).cloned().collect();
    pairs.extend(filters(git, &all));
    let programs = ["gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program"];
    pairs.extend(programs.map(|key| (key.to_owned(), SIGNER.to_owned())));
    let form = rest.first().and_then(|word| word.to_str()).unwrap_or_default();
    if HOOKED.contains(&form) {
        hooks(git, &pairs, all.iter().rev().find(|(key, _)| key == "core.hookspath").map(|(_, value)| &**value))?;
    }
    Ok(pairs)
}

/// Filters must succeed: git itself would store the content as it is when an unrequired one fails. A side without a program
/// changes nothing, which a required filter has to say.
fn filters(git: &Git, all: &[Pair]) -> Vec<Pair> {
    let name = |key: &str| match ends(key) {
        ("filter", variable @ ("clean" | "smudge" | "process")) => {
            key.strip_prefix("filter.")?.strip_suffix(variable)?.strip_suffix('.').map(str::to_owned)
        }
        _ => None,
    };
    let names: BTreeSet<String> = all.iter().filter_map(|(key, _)| name(key)).collect();
    let mut pairs = Vec::new();
    for name in names {
        let key = |variable: &str| format!("filter.{name}.{variable}");
        let program = |variable: &str| {
            let value = all.iter().rev().find(|(known, _)| *known == key(variable)).map(|(_, value)| value.as_str());
            value.filter(|value| !value.is_empty())
        };
        let (clean, smudge, process) = (program("clean"), program("smudge"), program("process"));
        let absent = [clean, smudge, process].into_iter().flatten().find_map(|command| absent(git, command));
        if let Some(absent) = absent {
            let said = format!(
                "palanca: the filter {name} needs {absent}, which commands cannot see: ask the user to do this, or to show \
                 it (commands.readable)"
            );
            let refusal = format!("echo {} >&2; exit 1", quoted(&said));
            // Git asks the process, if there is one, and no other.
            let variables: &[&str] = if process.is_some() { &["process"] } else { &["clean", "smudge"] };
            pairs.extend(variables.iter().map(|variable| (key(variable), refusal.clone())));
        } else if process.is_none() {
            let missing = [("clean", clean), ("smudge", smudge)].into_iter().filter(|(_, command)| command.is_none());
            pairs.extend(missing.map(|(variable, _)| (key(variable), "cat".to_owned())));
        }
        pairs.push((key("required"), "true".to_owned()));
    }
    pairs
}

/// The program that a command begins with, when it is plainly named and not there.
fn absent<'c>(git: &Git, command: &'c str) -> Option<&'c str> {
    let program = command.split_ascii_whitespace().next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    if !program.bytes().all(plain) {
        return None;
    }
    let there = if program.contains('/') {
        // Git runs filters at the top of the working tree.
        super::closed::top(git).unwrap_or_default().join(program).is_file()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let lies_in = |folder: PathBuf| folder.join(program).is_file();
        // Git's own folder of programs is searched first.
        BUILTIN.contains(&program)
            || std::env::split_paths(&path).any(lies_in)
            || answer(git, &["--exec-path"]).is_some_and(lies_in)
    };
    (!there).then_some(program)
}

fn quoted(text: &str) -> String {
    // A percent sign would begin a placeholder.
    format!("'{}'", text.replace('\'', "'\\''").replace('%', "%%"))
}

/// Hooks that are there and cannot run: git goes past those without a word.
fn hooks(git: &Git, pairs: &[Pair], set: Option<&str>) -> Result<(), Refused> {
    let past = |what: &Path| {
        Err(refused(&format!(
            "{} belongs to this repository's hooks, and commands cannot see it: ask the user to do this, or to show it \
             (commands.readable)",
            what.display()
        )))
    };
    let asking = Git { global: git.global.clone(), pairs: [&git.pairs, pairs].concat(), ..*git };
    let Some(folder) = answer(&asking, &["rev-parse", "--path-format=absolute", "--git-path", "hooks"]) else {
        return Ok(());
    };
    let elsewhere = set.is_some_and(|set| set.starts_with(['/', '~'])) || folder.is_symlink();
    if !folder.exists() {
        return if elsewhere { past(&folder) } else { Ok(()) };
    }
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(()) };
    let hooks = entries.filter_map(Result::ok).map(|entry| entry.path());
    let is_sample = |path: &Path| path.extension().is_some_and(|end| end == OsStr::new("sample"));
    match hooks.into_iter().find(|path| path.is_symlink() && !path.exists() && !is_sample(path)) {
        Some(hook) => past(&hook),
        None => Ok(()),
    }
}

/// A path that git tells.
fn answer(git: &Git, words: &[&str]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let told = git.command(&words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let told = told.status.success().then_some(told.stdout)?;
    Some(PathBuf::from(OsString::from_vec(told.strip_suffix(b"\n")?.to_vec())))
}

/// Git gets no signature, and shows why.
pub(super) fn refuse_to_sign() -> ! {
    // ignored: git shows what it can read, and fails all the same.
    let _ = writeln!(std::io::stderr(), "palanca: {UNSIGNED}");
    std::process::exit(1)
}
