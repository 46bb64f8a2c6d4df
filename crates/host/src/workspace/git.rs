//! What the person's own settings of git say about filters, hooks and signatures: programs in the sandbox do not see them, and
//! a commit has to go by them all the same.
//!
//! Conditions are decided only where that is plain (`gitdir:` and a folder); anything else counts as met, because too many
//! rules stop a commit with a reason, and too few would pass one over in silence.

use palanca_files::{places as places_of, read_regular};
use palanca_policy::git::{Setting, parse};
use palanca_sandbox::PersonalGit;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Files that include each other are followed this far.
const MOST_FILES: usize = 20;
/// Bytes of one of them.
const MOST_BYTES: u64 = 1 << 20;
/// Bytes of the file of attributes: it travels in a variable.
const MOST_ATTRIBUTES: u64 = 48 << 10;

/// Where the person's settings are, and the repository that they are read for.
pub struct Personal<'a> {
    pub home: Option<&'a Path>,
    pub workspace: &'a Path,
}

impl Personal<'_> {
    /// By the files that git reads before those of a repository.
    pub fn read(&self, variable: impl Fn(&str) -> Option<PathBuf>) -> PersonalGit {
        let base = variable("XDG_CONFIG_HOME").or_else(|| Some(self.home?.join(".config")));
        let base = base.map(|base| base.join("git"));
        let global = match variable("GIT_CONFIG_GLOBAL") {
            Some(global) => vec![global],
            None => {
                let of_home = self.home.map(|home| home.join(".gitconfig"));
                base.iter().map(|base| base.join("config")).chain(of_home).collect()
            }
        };
        let system = variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
        let mut found = PersonalGit::default();
        let mut left = MOST_FILES;
        for file in std::iter::once(system).chain(global) {
            self.gather(&file, &mut found, &mut left);
        }
        let named = found.settings.iter().rev().find(|(key, _)| key == "core.attributesfile");
        let named = named.map(|(_, path)| PathBuf::from(path)).or_else(|| Some(base?.join("attributes")));
        if let Some(file) = named {
            found.attributes = text(&file, MOST_ATTRIBUTES, &mut found.unreadable);
        }
        found.settings.retain(|(key, _)| key != "core.attributesfile");
        found
    }

    fn gather(&self, file: &Path, found: &mut PersonalGit, left: &mut usize) {
        let Some(less) = left.checked_sub(1) else {
            found.unreadable.get_or_insert_with(|| format!("more than {MOST_FILES} files"));
            return;
        };
        *left = less;
        let settings = parse(text(file, MOST_BYTES, &mut found.unreadable).as_bytes()).unwrap_or_else(|error| {
            found.unreadable.get_or_insert_with(|| format!("{}: {error}", file.display()));
            Vec::new()
        });
        for setting in settings {
            let (section, middle, variable) = setting.parts();
            match (section, variable) {
                (b"include", b"path") => self.include(file, &setting, found, left),
                (b"includeif", b"path") if self.may_hold(&String::from_utf8_lossy(middle)) => {
                    self.include(file, &setting, found, left);
                }
                _ => found.settings.extend(self.kept(&setting)),
            }
        }
    }

    fn include(&self, from: &Path, setting: &Setting, found: &mut PersonalGit, left: &mut usize) {
        let path = self.expanded(&value(setting));
        self.gather(&from.parent().unwrap_or(from).join(path), found, left);
    }

    /// What decides how content is stored, and whether it may be.
    fn kept(&self, setting: &Setting) -> Option<(String, String)> {
        let (section, middle, variable) = setting.parts();
        let path = matches!((section, variable), (b"core", b"hookspath" | b"attributesfile"));
        let counts = path
            || matches!(
                (section, variable),
                (b"filter", b"clean" | b"smudge" | b"process" | b"required")
                    | (b"commit" | b"tag" | b"push", b"gpgsign")
                    | (b"tag", b"forcesignannotated")
                    | (b"gpg", b"format")
                    | (b"user", b"signingkey")
            );
        let value = if path { self.expanded(&value(setting)).display().to_string() } else { value(setting) };
        // A filter has a name, nothing else here has.
        let named = middle.is_empty() == (section != b"filter");
        (counts && named).then(|| Some((String::from_utf8(setting.key.clone()).ok()?, value)))?
    }

    fn expanded(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(path),
        }
    }

    fn may_hold(&self, condition: &str) -> bool {
        let Some(folder) = condition.strip_prefix("gitdir:").filter(|folder| folder.ends_with('/')) else {
            return true;
        };
        let folder = self.expanded(folder);
        if !folder.is_absolute() || folder.to_string_lossy().contains(['*', '?', '[']) {
            return true;
        }
        let real = |path: &Path| places_of(path).ok().and_then(|mut places| places.pop());
        let here = real(self.workspace).unwrap_or_else(|| self.workspace.to_owned());
        // The repository may lie above the workspace, never outside a folder that both lie in.
        here.starts_with(real(&folder).unwrap_or(folder))
    }
}

/// The text of a file; empty where git could not read one either.
fn text(file: &Path, limit: u64, unreadable: &mut Option<String>) -> String {
    read_regular(file, limit).unwrap_or_else(|error| {
        if matches!(error.source.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidData) {
            unreadable.get_or_insert_with(|| error.to_string());
        }
        String::new()
    })
}

fn value(setting: &Setting) -> String {
    setting.value.as_deref().map_or_else(|| "true".into(), String::from_utf8_lossy).into_owned()
}

#[cfg(test)]
mod tests;
