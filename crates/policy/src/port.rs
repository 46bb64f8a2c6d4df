//! The path rules as the file door asks for them.

use crate::git;
use crate::paths::{Access, PathRules, PathVerdict, folded_path};
use palanca_core::ports::{self, ClosedBy, FileErrorKind, GitPlace, GitRules, PathRefusal};
use std::ffi::OsStr;
use std::path::Path;

impl ports::PathRules for PathRules {
    fn refuse(&self, relative: &Path, access: Access) -> Option<PathRefusal> {
        refusal(self.judge(relative, access))
    }

    fn refuse_program(&self, relative: &Path) -> Option<PathRefusal> {
        refusal(self.judge_program(relative))
    }

    fn git(&self) -> &dyn GitRules {
        self
    }
}

fn refusal(verdict: PathVerdict<'_>) -> Option<PathRefusal> {
    let (kind, rule) = match verdict {
        PathVerdict::Allow => return None,
        PathVerdict::Secret(rule) => (FileErrorKind::Secret(rule.by()), rule),
        PathVerdict::Protected(rule) => (FileErrorKind::Protected(rule.by()), rule),
    };
    Some(PathRefusal { kind, rule: rule.id().to_owned() })
}

impl GitRules for PathRules {
    fn place(&self, relative: &Path, is_repository: &dyn Fn(&Path) -> bool) -> GitPlace {
        git::place(relative, is_repository)
    }

    fn completes(&self, name: &OsStr) -> bool {
        git::completes(name)
    }

    fn refuse_config(&self, new: &[u8], old: Option<&[u8]>, repository: &Path) -> Option<PathRefusal> {
        let (by, rule) = match git::refuse(new, old, repository) {
            Ok(None) => return None,
            Ok(Some(key)) => (ClosedBy::GitKey, key),
            Err(unreadable) => (ClosedBy::GitUnreadable, unreadable.line.to_string()),
        };
        Some(PathRefusal { kind: FileErrorKind::Protected(by), rule })
    }

    fn obeyed(&self, config: &[u8]) -> Vec<(String, String)> {
        git::obeyed(config)
    }

    fn lies_below(&self, path: &Path, top: &Path) -> bool {
        let [path, top] = [path, top].map(|path| folded_path(path.as_os_str().as_encoded_bytes()));
        path.strip_prefix(&top).is_some_and(|rest| top.is_empty() || rest.is_empty() || rest.starts_with('/'))
    }
}
