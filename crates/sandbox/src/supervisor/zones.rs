//! Where a program may write: in the workspace, where writes are judged, and in its private folders.
//!
//! A name belongs to the zone whose top folder it lies below, found by handle and never by the text of its path: what lies
//! above the workspace is the program's own, and could be moved. So that paths go on to say what they say now, those folders
//! are not moved either.

use super::resolve::{FOLDER, Held, Spot, kind, path_of};
use crate::isolation::devices::DEVICES;
use crate::order::{Level, Room};
use palanca_core::call::Network;
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat, StatxAttributes, StatxFlags, openat, openat2, statx,
};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Private at the full level.
const PRIVATE: [&str; 5] = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/pts"];

/// The places of one program; absolute and canonical, as the program sees them.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// None where the program must not write it.
    workspace: Option<PathBuf>,
    /// It is there, and nothing in it may be changed.
    only_reads: bool,
    free: Vec<PathBuf>,
    masked: Vec<PathBuf>,
    /// The program's own folder, which may lie in what is masked.
    home: Option<PathBuf>,
    /// What else the room shows.
    shown: Vec<PathBuf>,
    level: Level,
    network: Network,
}

/// Whose a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// In the workspace, relative to it.
    Workspace(PathBuf),
    /// The program's own.
    Free,
}

/// The places as they stand in the program's root.
#[derive(Debug)]
pub(super) struct Zones {
    places: Places,
    tops: Vec<Top>,
    /// The folders that lead to the places through what is the program's own, by file system and number.
    fixed: BTreeSet<(u64, u64)>,
}

/// The top folder of a zone.
#[derive(Debug)]
struct Top {
    handle: OwnedFd,
    standing: Standing,
    whose: Whose,
    /// It is the top of its mount, so whatever else is in that mount lies below it.
    whole_mount: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Workspace,
    Program,
}

/// Which folder it is, and through which mount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    mount: u64,
    device: (u32, u32),
    inode: u64,
}

impl Standing {
    fn of(handle: BorrowedFd<'_>) -> Result<Self, Errno> {
        let wanted = StatxFlags::INO | StatxFlags::MNT_ID;
        let stat = statx(handle, "", AtFlags::EMPTY_PATH | AtFlags::NO_AUTOMOUNT, wanted)?;
        if !StatxFlags::from_bits_retain(stat.stx_mask).contains(wanted) {
            return Err(Errno::ACCESS);
        }
        let device = (stat.stx_dev_major, stat.stx_dev_minor);
        Ok(Self { mount: stat.stx_mnt_id, device, inode: stat.stx_ino })
    }
}

impl Places {
    /// Of the program in this room, over this workspace.
    pub(crate) fn of(room: &Room, workspace: &Path) -> Self {
        let plan = &room.plan;
        let (workspace, mut free): (Vec<_>, Vec<_>) =
            plan.writable.iter().cloned().partition(|writable| writable == workspace);
        if plan.level == Level::Full {
            free.extend(PRIVATE.map(PathBuf::from));
            free.extend(room.home().map(Path::to_owned));
        }
        let home = plan.home().map(Path::to_owned);
        free.extend(home.clone());
        let shown = plan.readable.iter().chain(&plan.read_only).cloned().collect();
        let workspace = workspace.into_iter().next();
        let (only_reads, masked) = (plan.only_reads(), plan.masked.clone());
        Self { workspace, only_reads, free, masked, home, shown, level: plan.level, network: room.network }
    }

    /// Every place, and every folder above one, that lies in what is the program's own.
    fn leading(&self) -> BTreeSet<&Path> {
        let all = self.workspace.iter().chain(&self.free).chain(&self.masked).chain(&self.shown);
        let own = |path: &&Path| {
            let in_workspace = |top: &PathBuf| path.starts_with(top) && path != top;
            self.free.iter().any(|free| path.starts_with(free)) && !self.workspace.as_ref().is_some_and(in_workspace)
        };
        all.flat_map(|place| place.ancestors()).filter(own).collect()
    }
}

impl Zones {
    /// Looks for the places in a root, with the program's rights.
    ///
    /// # Errors
    /// What cannot be found out; nothing may be written then.
    pub(super) fn new(places: Places, root: BorrowedFd<'_>) -> Result<Self, Errno> {
        let open = |path: &Path| {
            let below = path.strip_prefix("/").unwrap_or(path);
            match openat2(root, below, FOLDER - OFlags::DIRECTORY, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                // A place that is not there is nobody's, nor is one behind a link.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
                opened => opened.map(Some),
            }
        };
        let workspace = places.workspace.iter().map(|path| (path, Whose::Workspace));
        let mut tops: Vec<Top> = Vec::new();
        for (path, whose) in workspace.chain(places.free.iter().map(|path| (path, Whose::Program))) {
            let Some(handle) = open(path)? else { continue };
            let standing = Standing::of(handle.as_fd())?;
            if tops.iter().all(|top| top.standing != standing) {
                let above = openat(&handle, "..", FOLDER, Mode::empty())?;
                let whole_mount = Standing::of(above.as_fd())?.mount != standing.mount;
                tops.push(Top { handle, standing, whose, whole_mount });
            }
        }
        let mut fixed = BTreeSet::new();
        for path in places.leading() {
            if let Some(handle) = open(path)? {
                let stat = rustix::fs::fstat(handle)?;
                fixed.insert((stat.st_dev, stat.st_ino));
            }
        }
        Ok(Self { places, tops, fixed })
    }

    /// Whose a name is.
    ///
    /// # Errors
    /// What a program is told that may not change anything there.
    pub(super) fn of_name(&self, spot: &Spot) -> Result<Zone, Errno> {
        self.zone(self.above(spot.parent.as_fd())?, &spot.path())
    }

    /// Whose it is, which stands at this name: the top of a zone lies in it itself.
    ///
    /// # Errors
    /// As [`Self::of_name`].
    pub(super) fn of_held(&self, held: &Held, spot: &Spot) -> Result<Zone, Errno> {
        let top = match kind(&held.stat) {
            FileType::Directory => self.known(Standing::of(held.handle.as_fd())?),
            _ => None,
        };
        match top {
            Some(top) => self.zone(Some(top), &spot.path()),
            None => self.of_name(spot),
        }
    }

    fn zone(&self, top: Option<&Top>, path: &Path) -> Result<Zone, Errno> {
        match top {
            Some(top) if top.whose == Whose::Workspace && !self.places.only_reads => {
                let relative = path.strip_prefix(path_of(top.handle.as_fd())?).map_err(|_| Errno::ACCESS)?;
                Ok(Zone::Workspace(relative.to_owned()))
            }
            Some(top) if top.whose == Whose::Program && !self.is_masked(path) => Ok(Zone::Free),
            _ => Err(if self.places.level == Level::Full { Errno::ROFS } else { Errno::ACCESS }),
        }
    }

    /// The innermost top that a folder is or lies below.
    fn above(&self, folder: BorrowedFd<'_>) -> Result<Option<&Top>, Errno> {
        let mut standing = Standing::of(folder)?;
        let mut held: Option<OwnedFd> = None;
        loop {
            if let Some(top) = self.known(standing) {
                return Ok(Some(top));
            }
            let above = openat(held.as_ref().map_or(folder, AsFd::as_fd), "..", FOLDER, Mode::empty())?;
            let next = Standing::of(above.as_fd())?;
            if next == standing {
                return Ok(None);
            }
            (standing, held) = (next, Some(above));
        }
    }

    fn known(&self, standing: Standing) -> Option<&Top> {
        self.tops
            .iter()
            .find(|top| top.standing == standing || (top.whole_mount && top.standing.mount == standing.mount))
    }

    /// Refuses to take a name away, or to give it to something else, that leads to a place or has something mounted on it:
    /// this thread lives among other mounts, where the kernel would let it go.
    pub(super) fn may_go(&self, spot: &Spot, stat: Option<&Stat>) -> Result<(), Errno> {
        let Some(stat) = stat else { return Ok(()) };
        let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
        let about = statx(&spot.parent, &*spot.name, flags, StatxFlags::empty())?;
        let mounted = about.stx_attributes.contains(StatxAttributes::MOUNT_ROOT);
        if mounted || self.fixed.contains(&(stat.st_dev, stat.st_ino)) { Err(Errno::BUSY) } else { Ok(()) }
    }

    /// Whether the program is in the host's network.
    pub(super) fn shares_network(&self) -> bool {
        self.places.network == Network::Open
    }

    /// Whether nothing there may be read.
    pub(super) fn is_masked(&self, path: &Path) -> bool {
        let Places { masked, home, .. } = &self.places;
        let own = home.as_ref().filter(|home| path.starts_with(home));
        masked.iter().any(|masked| path.starts_with(masked) && !own.is_some_and(|home| home.starts_with(masked)))
    }

    /// One of the harmless devices.
    pub(super) fn is_device(&self, path: &Path) -> bool {
        DEVICES.iter().any(|device| path == Path::new(device))
    }
}
