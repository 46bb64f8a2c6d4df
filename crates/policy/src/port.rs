//! The path rules as the file door asks for them.

use crate::paths::{Access, PathRules, PathVerdict};
use palanca_core::ports::{self, FileErrorKind, PathRefusal};
use std::path::Path;

impl ports::PathRules for PathRules {
    fn refuse(&self, relative: &Path, access: palanca_core::Access) -> Option<PathRefusal> {
        let access = match access {
            palanca_core::Access::Read => Access::Read,
            palanca_core::Access::Write => Access::Write,
        };
        let (kind, rule) = match self.judge(relative, access) {
            PathVerdict::Allow => return None,
            PathVerdict::Secret(rule) => (FileErrorKind::Secret, rule),
            PathVerdict::Protected(rule) => (FileErrorKind::Protected, rule),
        };
        Some(PathRefusal { kind, rule: rule.id().to_owned() })
    }
}
