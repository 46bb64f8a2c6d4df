//! Paths that no read-only root shows: places of the machine and of the program itself that look like files and hold secrets
//! (the variables of running programs, keys, the program's own state); and the workspace, seen from a folder above it,
//! because its rules would there be matched against other names.

use palanca_core::call::Access;
use palanca_core::ports::{ClosedBy, FileErrorKind, PathRefusal, PathRules};
use std::path::{Path, PathBuf};

/// The rule's id.
const RULE: &str = "paths.sealed";
/// Of every machine: what the kernel makes up, and what lives as long as it runs.
const MACHINE: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// Sealed places, absolute and without links.
#[derive(Debug)]
pub(crate) struct Sealed {
    places: Vec<PathBuf>,
    workspace: PathBuf,
}

impl Sealed {
    /// Those of the machine, and these.
    pub(crate) fn with(workspace: &Path, places: &[PathBuf]) -> Self {
        let real = |place: PathBuf| std::fs::canonicalize(&place).unwrap_or(place);
        let places = MACHINE.iter().map(PathBuf::from).chain(places.iter().cloned()).map(real).collect();
        Self { places, workspace: workspace.to_owned() }
    }

    /// The path below the workspace, of one that was found below a read-only tree around it.
    pub(crate) fn in_workspace(&self, tree: &Path, relative: &Path) -> Option<PathBuf> {
        if tree.starts_with(&self.workspace) {
            return None;
        }
        tree.join(relative).strip_prefix(&self.workspace).ok().map(Path::to_owned)
    }

    /// The rules for one read-only tree.
    pub(crate) const fn below<'a>(&'a self, tree: &'a Path, rules: &'a dyn PathRules) -> OfTree<'a> {
        OfTree { sealed: self, tree, rules }
    }
}

/// The rules, and what is sealed, for paths relative to one tree.
pub(crate) struct OfTree<'a> {
    sealed: &'a Sealed,
    tree: &'a Path,
    rules: &'a dyn PathRules,
}

/// What the rules say of a name goes first: it is more exact.
impl PathRules for OfTree<'_> {
    fn refuse(&self, relative: &Path, access: Access) -> Option<PathRefusal> {
        self.rules.refuse(relative, access).or_else(|| {
            let path = self.tree.join(relative);
            // A root that was put inside such a place is the operator's word.
            let seals = |place: &&PathBuf| path.starts_with(place) && !self.tree.starts_with(place);
            let sealed = self.sealed.places.iter().any(|place| seals(&place));
            (sealed || self.sealed.in_workspace(self.tree, relative).is_some())
                .then(|| PathRefusal { kind: FileErrorKind::Secret(ClosedBy::Rule), rule: RULE.to_owned() })
        })
    }
}
