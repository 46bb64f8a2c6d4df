//! Which paths a patch would touch, for judging a call before anything is read.

use serde::Serialize;

use super::error::PatchError;
use super::parse::parse;
use super::parsed::FileChange;

/// One path and what the patch would do with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touched {
    /// As the patch names it, without `a/` or `b/`; not checked for containment.
    pub path: String,
    /// What would happen there.
    pub access: Access,
}

/// What a patch does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Access {
    /// Only read: the original of a copy.
    Read,
    /// Created; nothing may be there yet.
    Create,
    /// Read and written.
    Modify,
    /// Read and removed: a deleted file, or the old name of a renamed one.
    Delete,
}

/// Lists every path that the patch names, in its order; a path that several sections touch is listed for each.
///
/// # Errors
/// Exactly when [`parse`] fails.
pub fn paths(text: &str, path: Option<&str>) -> Result<Vec<Touched>, PatchError> {
    let patch = parse(text, path)?;
    let mut all = Vec::with_capacity(patch.files.len());
    let mut push = |path, access| all.push(Touched { path, access });
    for file in patch.files {
        match file.change {
            FileChange::Create { path } => push(path, Access::Create),
            FileChange::Modify { path } => push(path, Access::Modify),
            FileChange::Delete { path } => push(path, Access::Delete),
            FileChange::Rename { from, to } => {
                push(from, Access::Delete);
                push(to, Access::Create);
            }
            FileChange::Copy { from, to } => {
                push(from, Access::Read);
                push(to, Access::Create);
            }
        }
    }
    Ok(all)
}
