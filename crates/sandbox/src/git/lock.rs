//! What a git that only looks may start: git. Whatever a repository's configuration names, also that of a nested repository
//! into which git goes by itself, is refused by the kernel, so no list of keys has to be complete for it.
//!
//! Two means, the first that this kernel has: Landlock, under which git may start itself for a nested repository; or no
//! new process at all. The loader must be startable too, and would load a file of the workspace as a program when it is
//! named as one: only a program that gets arguments could, an external diff or a textconv. Those are switched off by
//! name, and the judge of commands calls no form safe in which git shows the changes of a nested repository.

use super::loader::loader;
use super::{CORE, OWN, REAL, USUAL};
use crate::enter::Failure;
use crate::isolation::rules::{self, Enforced};
use std::path::{Path, PathBuf};

/// What keeps a git from starting programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// In force, for this process and all that it starts.
    OnlyGit,
    /// To be applied to each git that is started.
    NoProcess,
}

/// From now on this process and all that it starts can start nothing but git; or the means is to be applied.
///
/// # Errors
/// This git is no program that can be locked.
pub(super) fn lock(real: &Path) -> Result<Means, Failure> {
    let loader = loader(real).map_err(Failure::at("git")).map_err(|failure| failure.on(real.display()))?;
    let own = Path::new(OWN);
    // Ours stands in the place of git, and starts the real one.
    let places = [own, real, Path::new(REAL)].into_iter().chain(USUAL.iter().chain(&CORE).map(Path::new));
    let mut programs: Vec<PathBuf> = places.map(Path::to_owned).chain(loader).collect();
    programs.extend(super::loader::loader(own).ok().flatten());
    Ok(match rules::start_only(&programs)? {
        Enforced::Yes => Means::OnlyGit,
        Enforced::No => Means::NoProcess,
    })
}
