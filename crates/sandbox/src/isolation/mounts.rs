//! Mounts, by handle and never by name twice: the examined file is the mounted one. It decides nothing.

use crate::enter::raw::set_mount_attributes;
use crate::settings::ProgramLimits;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, mkdirat, openat2, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create, fsconfig_set_flag,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

type Result<T> = std::result::Result<T, Errno>;

/// On every mount.
pub(super) const TAME: u64 = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
/// On mounts of what belongs to the host and is only to be read.
pub(super) const READ_ONLY: u64 = TAME | libc::MOUNT_ATTR_RDONLY;

/// On mounts of which nothing is started, and no library loaded.
pub(super) const DATA: u64 = READ_ONLY | libc::MOUNT_ATTR_NOEXEC;

/// A mount that is nowhere yet.
pub(super) struct Tree(OwnedFd);

impl Tree {
    /// What is behind a handle, with everything mounted below it.
    pub(super) fn copy(of: impl AsFd) -> Result<Self> {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let flags = flags | OpenTreeFlags::AT_EMPTY_PATH | OpenTreeFlags::AT_RECURSIVE;
        open_tree(of, "", flags).map(Self)
    }

    /// A new file system.
    pub(super) fn new(kind: &str, options: &[(&str, &str)], attributes: MountAttrFlags) -> Result<Self> {
        let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (key, value) in options {
            fsconfig_set_string(context.as_fd(), *key, *value)?;
        }
        fsconfig_create(context.as_fd())?;
        fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes).map(Self)
    }

    /// What `lower` holds, with changes kept in `upper`; the third is the kernel's to work in. By handle, so that no name
    /// can be read as an option. Folders that lie in `lower` alone cannot be renamed.
    pub(super) fn overlay([lower, upper, work]: [&OwnedFd; 3]) -> Result<Self> {
        let name = |handle: &OwnedFd| format!("/proc/self/fd/{}", handle.as_raw_fd());
        let (lower, upper, work) = (name(lower), name(upper), name(work));
        let context = fsopen("overlay", FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (key, value) in [("lowerdir", lower), ("upperdir", upper), ("workdir", work)] {
            fsconfig_set_string(context.as_fd(), key, value)?;
        }
        // What the kernel notes it notes in attributes that need no privilege.
        fsconfig_set_flag(context.as_fd(), "userxattr")?;
        fsconfig_create(context.as_fd())?;
        let tame = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, tame).map(Self)
    }

    /// Adds attributes (`MOUNT_ATTR_*`), below it too.
    pub(super) fn with(self, attributes: u64) -> std::io::Result<Self> {
        set_mount_attributes(self.0.as_fd(), attributes)?;
        Ok(self)
    }

    /// Mounts it over what is behind a handle, a symbolic link itself included.
    pub(super) fn attach(self, onto: impl AsFd) -> Result<OwnedFd> {
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
        move_mount(self.0.as_fd(), "", onto.as_fd(), "", flags)?;
        Ok(self.0)
    }
}

/// What is to become the root of the program, while the root is still the host's.
pub(super) struct Root(OwnedFd);

impl Root {
    /// An empty private file system, mounted over the host's root: everything that is looked up by its name is still
    /// the host's, because looking up begins below that mount.
    pub(super) fn new(limits: &ProgramLimits, attributes: MountAttrFlags) -> Result<Self> {
        // As much as the memory that it counts as.
        let size = limits.memory.to_string();
        let options = [("mode", "0755"), ("size", &*size)];
        let tree = Tree::new("tmpfs", &options, attributes)?;
        tree.attach(outside(Path::new("/"))?).map(Self)
    }

    /// The handle of what is there; links lead where they will lead inside.
    pub(super) fn open(&self, path: &Path) -> Result<OwnedFd> {
        self.resolve(path, OFlags::PATH, ResolveFlags::IN_ROOT)
    }

    /// The handle of exactly this; `ELOOP` when a link is on the way, but the last may be one.
    pub(super) fn open_exactly(&self, path: &Path) -> Result<OwnedFd> {
        self.resolve(path, OFlags::PATH | OFlags::NOFOLLOW, ResolveFlags::IN_ROOT | ResolveFlags::NO_SYMLINKS)
    }

    fn resolve(&self, path: &Path, flags: OFlags, resolve: ResolveFlags) -> Result<OwnedFd> {
        openat2(self.0.as_fd(), path, flags | OFlags::CLOEXEC, Mode::empty(), resolve)
    }

    /// Makes a directory, and those above it.
    pub(super) fn directory(&self, path: &Path, mode: u32) -> Result<OwnedFd> {
        match self.open(path) {
            Err(Errno::NOENT) => {}
            other => return other,
        }
        let (Some(parent), Some(Component::Normal(name))) = (path.parent(), path.components().next_back()) else {
            return Err(Errno::INVAL);
        };
        let parent = self.directory(parent, 0o755)?;
        mkdirat(&parent, name, Mode::from_raw_mode(mode))?;
        self.open(path)
    }

    /// Makes an empty file, and the directories above it.
    pub(super) fn file(&self, path: &Path) -> Result<OwnedFd> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(Errno::INVAL) };
        let parent = self.directory(parent, 0o755)?;
        let flags = OFlags::CREATE | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        drop(rustix::fs::openat(&parent, name, flags, Mode::from_raw_mode(0o444))?);
        self.open(path)
    }

    /// Makes a symbolic link in a directory that is there.
    pub(super) fn link(&self, path: &str, target: impl rustix::path::Arg) -> Result<()> {
        symlinkat(target, self.0.as_fd(), path.trim_start_matches('/'))
    }

    /// Makes a symbolic link, and the directories above it.
    pub(super) fn link_at(&self, path: &Path, target: &Path) -> Result<()> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(Errno::INVAL) };
        symlinkat(target, self.directory(parent, 0o755)?, name)
    }

    /// Removes an empty directory or a file made here.
    pub(super) fn remove(&self, path: &str, flags: rustix::fs::AtFlags) -> Result<()> {
        rustix::fs::unlinkat(self.0.as_fd(), path.trim_start_matches('/'), flags)
    }

    /// Now it is the root, and the host's is nowhere.
    pub(super) fn enter(self) -> Result<()> {
        rustix::process::fchdir(self.0.as_fd())?;
        rustix::process::pivot_root(".", ".")?;
        // The host's root is now mounted over the new one.
        rustix::mount::unmount(".", rustix::mount::UnmountFlags::DETACH)?;
        rustix::process::chdir("/")
    }
}

/// The handle of something on the host.
pub(super) fn outside(path: &Path) -> Result<OwnedFd> {
    rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
}

/// Whether a handle is a directory.
pub(super) fn is_directory(handle: BorrowedFd<'_>) -> Result<bool> {
    Ok(rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(handle)?.st_mode) == rustix::fs::FileType::Directory)
}
