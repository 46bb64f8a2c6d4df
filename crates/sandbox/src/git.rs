//! `git` as programs inside the sandbox find it: our own binary under that name, which switches off whatever the
//! repository's configuration would execute and then becomes the real one.
//!
//! Variables alone cannot do it: a filter, a textconv or a merge driver runs under a name that only the repository knows,
//! so the names must be asked for first. Asking (`git config --list`) runs nothing. A form that only looks is locked as well
//! ([`lock`]), and leaves out closed files ([`closed`]).

mod closed;
mod loader;
mod lock;
mod looking;
mod masked;
mod neutral;
mod rules;
mod words;

use crate::enter::raw::start_nothing;
use closed::{Refused, left_out};
use lock::{Means, lock};
use looking::{Looking, Prints, looking};
use masked::Masked;
use neutral::{ALWAYS, Pair, named};
pub(crate) use rules::RULES;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where the real program is inside our own root. No program inside can write there.
pub(crate) const REAL: &str = "/.palanca/git";
/// Where it is otherwise; also where ours stands inside.
pub(crate) const USUAL: [&str; 4] = ["/usr/local/sbin/git", "/usr/local/bin/git", "/usr/bin/git", "/bin/git"];
/// Where git starts itself, for a nested repository among others; ours stands there inside, too.
pub(crate) const CORE: [&str; 4] = [
    "/usr/lib/git-core/git",
    "/usr/libexec/git-core/git",
    "/usr/local/lib/git-core/git",
    "/usr/local/libexec/git-core/git",
];
/// Ours.
const OWN: &str = "/proc/self/exe";
/// Options before the subcommand that take the next word.
const WITH_VALUE: [&str; 8] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Set for all that the real git starts: what a git does for its own work leaves nothing out.
const INNER: &str = "PALANCA_GIT_INNER";
/// What the judge of closed names is told.
pub(crate) const CLOSED: &str = "PALANCA_GIT_CLOSED";

/// Whether a path, relative to the workspace, is closed.
pub type IsClosed = Box<dyn Fn(&Path) -> bool>;
/// Compiles what [`SandboxSettings::closed`](crate::SandboxSettings::closed) says; none when it cannot be read.
pub type ClosedNames = fn(&str) -> Option<IsClosed>;

/// Becomes the real git when our binary was started as `git`; returns otherwise.
pub(crate) fn enter(closed: Option<ClosedNames>) {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    let name = Path::new(&name).file_name().and_then(OsStr::to_str).unwrap_or_default();
    // A link like `git-upload-pack` leads to git, and so to us where we stand in its place.
    let in_place = || std::fs::read_link(OWN).is_ok_and(|own| own.file_name().is_some_and(|name| name == "git"));
    let form = name.strip_prefix("git-").filter(|_| in_place()).map(OsString::from);
    if name != "git" && form.is_none() {
        return;
    }
    let words: Vec<OsString> = form.into_iter().chain(arguments).collect();
    if std::env::var_os(INNER).is_some() && rules::is_signer(&words) {
        rules::refuse_to_sign();
    }
    let Refused { text, code } = run(&words, closed);
    // ignored: the program that asked for git reads this on its stderr, if it reads.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), &text);
    std::process::exit(code)
}

/// Returns only when the real git was not started.
fn run(words: &[OsString], closed: Option<ClosedNames>) -> Refused {
    let real = [REAL].into_iter().chain(USUAL).find(|place| Path::new(place).is_file()).unwrap_or(REAL);
    let broken = |reason: &dyn std::fmt::Display| Refused {
        text: format!("git cannot be started ({real}): {reason}\n").into_bytes(),
        code: 127,
    };
    let (global, rest) = words.split_at(subcommand(words));
    let looking = looking(rest);
    let means = match looking.map(|_| lock(Path::new(real))).transpose() {
        Ok(means) => means,
        Err(failure) => return broken(&failure),
    };
    let mut git = Git { real, global: global.to_vec(), pairs: Vec::new(), looking: looking.is_some(), means };
    let personal = (looking.is_none() || rules::may_sign(rest)).then(rules::told).flatten();
    let off = ALWAYS.iter().filter(|(key, _)| personal.is_none() || !rules::lifts(key));
    git.pairs.extend(off.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    if means == Some(Means::NoProcess) {
        git.pairs.push(("diff.ignoreSubmodules".to_owned(), "dirty".to_owned()));
    }
    let configured = git.configured();
    let off = configured.iter().filter(|(key, _)| personal.is_none() || !rules::lifts_named(key));
    git.pairs.extend(off.filter_map(|(key, _)| named(key)));
    if let Some(personal) = &personal {
        match rules::pairs(&git, rest, &configured, personal) {
            Ok(pairs) => git.pairs.extend(pairs),
            Err(refused) => return refused,
        }
        if looking.is_some() {
            git.pairs.push(("core.hooksPath".to_owned(), "/dev/null".to_owned()));
        }
    }
    git.pairs.extend(safe_directories(|name| std::env::var(name).ok()));
    let outer = std::env::var_os(INNER).is_none();
    let mut shown = Ok(rest.to_vec());
    // Open until git has become this process.
    let mut _held = Vec::new();
    if looking.is_none() {
        let masked = Masked::of(&git);
        git.pairs.extend(masked.other_filters(&git));
        let own = personal.as_ref().map_or("", |personal| personal.attributes.as_str());
        let own = if configured.iter().any(|(key, _)| key == "core.attributesfile") { "" } else { own };
        match masked.pairs(real, own) {
            Ok((pairs, files)) => {
                git.pairs.extend(pairs);
                _held = files;
            }
            Err(error) => return broken(&error),
        }
        shown = masked.without_folders(&git, rest);
    }
    if let (Some(looking), Some(closed), true) = (looking, closed, outer) {
        let judge = std::env::var(CLOSED).ok().and_then(|told| closed(&told));
        shown = match judge {
            Some(judge) => left_out(&git, looking, rest, judge),
            None => {
                return broken(&format!("the variable {CLOSED} says which files are closed, and must not be removed"));
            }
        };
    }
    match shown {
        Ok(words) => broken(&git.command(&words).arg0("git").exec()),
        Err(refused) => refused,
    }
}

/// The real git, and what it must not start.
struct Git {
    real: &'static str,
    /// Options before the subcommand.
    global: Vec<OsString>,
    pairs: Vec<Pair>,
    looking: bool,
    means: Option<Means>,
}

impl Git {
    /// It with a subcommand and its words, reading nothing.
    fn command(&self, words: &[OsString]) -> Command {
        let mut command = Command::new(self.real);
        command.args(&self.global).args(shown(words)).env(INNER, "1").env_remove("GIT_EXTERNAL_DIFF");
        command.envs(variables(&self.pairs));
        if self.looking {
            command.env("GIT_NO_LAZY_FETCH", "1");
        }
        if self.means == Some(Means::NoProcess) {
            start_nothing(&mut command);
        }
        command
    }

    /// Every setting that it would read. Empty where there is no repository.
    fn configured(&self) -> Vec<Pair> {
        let words = ["config", "--list", "-z"].map(OsString::from);
        let listed = self.command(&words).stdin(Stdio::null()).stderr(Stdio::null()).output();
        let Ok(listed) = listed else { return Vec::new() };
        let pair = |setting: &[u8]| {
            let end = setting.iter().position(|byte| *byte == b'\n');
            let (key, value) = setting.split_at(end.unwrap_or(setting.len()));
            // A key without a value is a yes.
            let value = value.get(1..).map_or_else(|| "true".into(), String::from_utf8_lossy);
            Some((String::from_utf8(key.to_vec()).ok().filter(|key| !key.is_empty())?, value.into_owned()))
        };
        listed.stdout.split(|byte| *byte == 0).filter_map(pair).collect()
    }
}

/// Where the subcommand stands.
fn subcommand(words: &[OsString]) -> usize {
    let mut place = 0;
    while let Some(word) = words.get(place).and_then(|word| word.to_str()) {
        match word {
            _ if WITH_VALUE.contains(&word) => place += 2,
            _ if word.starts_with('-') => place += 1,
            _ => break,
        }
    }
    place.min(words.len())
}

/// The subcommand and its words, with the options that keep it from starting programs of the repository. They come first, so
/// that who asks for the opposite by name is told apart by the classes of commands, not here.
fn shown(rest: &[OsString]) -> Vec<OsString> {
    let mut words = rest.to_vec();
    let options: &[&str] = match looking(rest) {
        // Any option makes it show changes.
        Some(form) if words::is_stat_of_stash(form, rest) => &[],
        Some(Looking { prints: Prints::Changes | Prints::ChangesIfAsked, .. }) => &["--no-ext-diff", "--no-textconv"],
        _ if matches!(rest.first().and_then(|word| word.to_str()), Some("blame" | "annotate")) => &["--no-textconv"],
        _ => &[],
    };
    let at = looking(rest).map_or(0, |form| form.words);
    words.splice(at..at, options.iter().map(OsString::from));
    words
}

/// The directories that whoever started us lets git read although they may be another user's. Nothing else of the variables
/// is taken over: what executes nothing has no need to be there.
fn safe_directories(variable: impl Fn(&str) -> Option<String>) -> Vec<Pair> {
    let count: usize = variable("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0);
    let pair = |number: usize| {
        let key = variable(&format!("GIT_CONFIG_KEY_{number}"))?;
        Some((key, variable(&format!("GIT_CONFIG_VALUE_{number}"))?))
    };
    (0..count.min(1024)).filter_map(pair).filter(|(key, _)| key.eq_ignore_ascii_case("safe.directory")).collect()
}

/// The pairs as git reads them from its environment: over every file, under `-c`.
pub(crate) fn variables(pairs: &[Pair]) -> Vec<(String, String)> {
    let mut variables = vec![("GIT_CONFIG_COUNT".to_owned(), pairs.len().to_string())];
    for (number, (key, value)) in pairs.iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{number}"), key.clone()));
        variables.push((format!("GIT_CONFIG_VALUE_{number}"), value.clone()));
    }
    variables
}

/// Whether the repository's rules run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obeys {
    Rules,
    Nothing,
}

/// What is switched off without knowing the repository: git's own templates, too, since its configuration may name others.
pub(crate) fn always(obeys: Obeys) -> Vec<Pair> {
    let pairs = ALWAYS.iter().filter(|(key, _)| obeys == Obeys::Nothing || !rules::lifts(key));
    pairs.chain(&[("init.templateDir", "")]).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[cfg(test)]
mod tests;
