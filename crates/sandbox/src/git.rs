//! `git` as programs inside the sandbox find it: our own binary under that name, which switches off whatever the
//! repository's configuration would execute and then becomes the real one.
//!
//! Variables alone cannot do it: a filter, a textconv or a merge driver runs under a name that only the repository knows,
//! so the names must be asked for first. Asking (`git config --list`) runs nothing.

mod neutral;

use neutral::{ALWAYS, Pair, named};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where the real program is inside a root of our own. Nobody inside can write there.
pub(crate) const REAL: &str = "/.palanca/git";
/// Where it is otherwise; also where ours stands inside.
pub(crate) const USUAL: [&str; 4] = ["/usr/local/sbin/git", "/usr/local/bin/git", "/usr/bin/git", "/bin/git"];
/// Options before the subcommand that take the next word.
const WITH_VALUE: [&str; 8] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];
/// Subcommands that show changes, and so could start an external diff or a textconv.
const SHOWING: [&str; 8] = ["diff", "log", "show", "whatchanged", "reflog", "diff-index", "diff-tree", "diff-files"];

/// Becomes the real git when our binary was started as `git`; returns otherwise.
pub(crate) fn enter() {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    if Path::new(&name).file_name() != Some(OsStr::new("git")) {
        return;
    }
    let real = [REAL].into_iter().chain(USUAL).find(|place| Path::new(place).is_file()).unwrap_or(REAL);
    let words: Vec<OsString> = arguments.collect();
    let (global, rest) = words.split_at(subcommand(&words));
    let mut pairs: Vec<Pair> = ALWAYS.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    pairs.extend(configured(real, global).iter().filter_map(|key| named(key)));
    pairs.extend(safe_directories(|name| std::env::var(name).ok()));
    let mut command = Command::new(real);
    command.args(global).args(shown(rest));
    for (name, value) in variables(&pairs) {
        command.env(name, value);
    }
    command.env_remove("GIT_EXTERNAL_DIFF");
    let error = command.arg0("git").exec();
    // The program that asked for git reads this on its stderr.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("git cannot be started ({real}): {error}\n").as_bytes(),
    );
    std::process::exit(127)
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

/// The subcommand and its operands, with the options that keep it from starting programs of the repository.
fn shown(rest: &[OsString]) -> Vec<OsString> {
    let mut words = rest.to_vec();
    if words.first().and_then(|word| word.to_str()).is_some_and(|word| SHOWING.contains(&word)) {
        // First, so that who asks for the opposite by name is told apart by the classes of commands, not here.
        words.splice(1..1, ["--no-ext-diff", "--no-textconv"].map(OsString::from));
    }
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

/// The keys of every configuration that the real program would read. Empty where there is no repository.
fn configured(real: &str, global: &[OsString]) -> Vec<String> {
    let listed = Command::new(real)
        .args(global)
        .args(["config", "--list", "--name-only", "-z"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let Ok(listed) = listed else { return Vec::new() };
    listed.stdout.split(|byte| *byte == 0).filter_map(|key| String::from_utf8(key.to_vec()).ok()).collect()
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

/// What is switched off without knowing the repository.
pub(crate) fn always() -> Vec<(String, String)> {
    variables(&ALWAYS.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
