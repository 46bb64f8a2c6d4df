//! Whether a program may put a configuration of git in place.
//!
//! A value that starts something is compared with the file that is replaced, key by key: where the list of values of that
//! key is the same as before, it was chosen elsewhere.

use palanca_core::ports::lexical;
use palanca_shell::git::{Role, Setting, Unreadable, is_boolean, parse, role};
use std::path::Path;

/// The first key that must not be written; none when `new` may replace `old` in the folder `repository`, which is relative
/// to the workspace.
///
/// # Errors
/// `new` is no configuration. An unreadable `old` counts as empty.
pub fn refuse(new: &[u8], old: Option<&[u8]>, repository: &Path) -> Result<Option<String>, Unreadable> {
    let new = parse(new)?;
    let old = old.and_then(|old| parse(old).ok()).unwrap_or_default();
    let values = |settings: &[Setting], key: &[u8]| -> Vec<Option<Vec<u8>>> {
        settings.iter().filter(|one| one.key == key).map(|one| one.value.clone()).collect()
    };
    let refused =
        new.iter().find(|one| !is_harmless(one, repository) && values(&new, &one.key) != values(&old, &one.key));
    Ok(refused.map(Setting::shown))
}

fn is_harmless(setting: &Setting, repository: &Path) -> bool {
    let (section, subsection, variable) = setting.parts();
    let (Ok(section), Ok(variable)) = (std::str::from_utf8(section), std::str::from_utf8(variable)) else {
        return false;
    };
    let text = String::from_utf8_lossy(setting.value.as_deref().unwrap_or(b"true"));
    // Names of remotes are handed to another git as words, where a dash makes an option of them.
    if runs_a_transport(text.as_bytes()) || runs_a_transport(subsection) || subsection.starts_with(b"-") {
        return false;
    }
    match role(section, variable) {
        None => !text.starts_with('!'),
        Some(Role::Runs | Role::Marked | Role::Leads) => text.is_empty(),
        Some(Role::Switch) => is_boolean(&text),
        Some(Role::Mode) => !text.starts_with('!'),
        Some(Role::File) => stays_below(Path::new(""), &text),
        Some(Role::Tree) => stays_below(repository, &text),
        Some(Role::Transport) => text == "never",
        Some(Role::Words) => text.split_whitespace().all(|word| !word.starts_with('-')),
    }
}

/// `ext::COMMAND` as an address.
fn runs_a_transport(value: &[u8]) -> bool {
    value.trim_ascii_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"ext::"))
}

/// Whether a path, taken from a folder of the workspace, ends in the workspace.
fn stays_below(from: &Path, path: &str) -> bool {
    !path.starts_with(['~', '%', '/']) && lexical(&format!("./{}/{path}", from.display())).is_ok()
}

/// What a configuration makes git run or obey: key and value. Nothing of one that git cannot read.
#[must_use]
pub fn obeyed(content: &[u8]) -> Vec<(String, String)> {
    let settings = parse(content).unwrap_or_default();
    let named = settings.iter().filter_map(|one| {
        let (section, _, variable) = one.parts();
        let role = role(std::str::from_utf8(section).ok()?, std::str::from_utf8(variable).ok()?)?;
        let value = String::from_utf8_lossy(one.value.as_deref()?).into_owned();
        let runs = match role {
            Role::Runs | Role::Marked | Role::Leads => !value.is_empty(),
            Role::Switch => !is_boolean(&value),
            Role::Mode => value.starts_with('!'),
            Role::File => variable == b"attributesfile",
            Role::Tree | Role::Transport | Role::Words => false,
        };
        runs.then(|| (one.shown(), value))
    });
    named.collect()
}
