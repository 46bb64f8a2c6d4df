//! The root that the program sees: the system's directories to read, the plan's directories to write, and private
//! everything else. Anything not named here is absent: homes, other users' files, sockets, devices, `/sys`.

use super::covers::Covers;
use super::devices::DEVICES;
use super::guards::{Guards, Hold};
use super::mounts::{DATA, READ_ONLY, Root, TAME, Tree, is_directory, outside};
use crate::enter::Failure;
use crate::git::{CORE, REAL, USUAL};
use crate::order::{Plan, Room, Standing};
use crate::settings::WriteLayer;
use palanca_core::call::Network;
use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;
use rustix::mount::{MountAttrFlags, MountPropagationFlags, mount_change};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The system's own, read-only. The last two are where two distributions keep everything.
const SYSTEM: [&str; 10] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix", "/gnu"];

/// Whether every program sees what is at this canonical path.
pub(crate) fn is_shown(path: &Path) -> bool {
    SYSTEM.iter().any(|shown| path.starts_with(shown))
}

/// Names in `/dev` that lead elsewhere.
const LINKS: [(&str, &str); 7] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/ptmx", "pts/ptmx"),
    ("/var/run", "/run"),
    ("/var/lock", "/run/lock"),
];
/// Private, and writable by the program's user.
const PRIVATE: [&str; 5] = ["/tmp", "/var/tmp", "/run", "/run/lock", "/dev/shm"];

/// What programs add to folders that grow. No program can write there by this name.
const LAYERS: &str = "/.palanca/layers";

/// The folders that lead to a program's own one.
const WAY: &str = "/.palanca/way";

/// What is shown instead of a hidden directory and of a hidden file, while the root is being built.
const NOTHING: [&str; 2] = ["/.directory", "/.file"];

/// Builds it and makes it the root. The process is init of fresh namespaces and has every capability in them.
pub(crate) fn build(room: &Room, guards: &Guards) -> Result<Covers, Failure> {
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE).map_err(Failure::at("mounts"))?;
    // Whatever is private lies in it.
    let attributes = if room.plan.only_reads() { TAME_NEW | MountAttrFlags::MOUNT_ATTR_NOEXEC } else { TAME_NEW };
    let root = Root::new(&room.plan.limits, attributes).map_err(Failure::at("root"))?;
    let umask = rustix::process::umask(Mode::empty());
    let furnished = furnish(&root, room, guards);
    rustix::process::umask(umask);
    let covers = furnished?;
    root.enter().map_err(Failure::at("pivot"))?;
    Ok(covers)
}

fn furnish(root: &Root, room: &Room, guards: &Guards) -> Result<Covers, Failure> {
    system(root)?;
    devices(root)?;
    for path in PRIVATE {
        root.directory(Path::new(path), 0o1777).map_err(Failure::at("private"))?;
    }
    for (from, to) in LINKS {
        root.link(from, to).map_err(Failure::at("links"))?;
    }
    home(root, room);
    links(root, &room.plan);
    if room.network == Network::Open {
        resolver(root)?;
    }
    places(root, room)?;
    let mut covers = Covers::default();
    git(root, room, &mut covers)?;
    hold(root, guards)?;
    hide(root, &room.plan, &mut covers)?;
    if let Some(home) = room.plan.home() {
        let source = outside(home).map_err(|error| Failure::at("home")(error).on(home.display()))?;
        mount(root, home, source, TAME).map_err(|failure| failure.on(home.display()))?;
    }
    Ok(covers)
}

fn system(root: &Root) -> Result<(), Failure> {
    for name in SYSTEM {
        let path = Path::new(name);
        match std::fs::read_link(path) {
            Ok(target) => root.link(name, target.as_path()).map_err(Failure::at("system"))?,
            Err(_) => match outside(path) {
                Ok(source) => mount(root, path, source, READ_ONLY).map_err(|failure| failure.on(name))?,
                Err(Errno::NOENT) => {}
                Err(error) => return Err(Failure::at("system")(error).on(name)),
            },
        }
    }
    root.directory(Path::new("/sys"), 0o555).map_err(Failure::at("system"))?;
    let sealed = MountAttrFlags::MOUNT_ATTR_RDONLY | TAME_NEW | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let tree = Tree::new("proc", &[], sealed).map_err(Failure::at("proc"))?;
    attach(root.directory(Path::new("/proc"), 0o555), tree, "proc")
}

/// Our own binary wherever a program finds `git`, and the real one where only ours looks. When our own file is gone,
/// because it was replaced while we run, there is no `git`: that is better than one that obeys the repository.
fn git(root: &Root, room: &Room, covers: &mut Covers) -> Result<(), Failure> {
    let wrong = Failure::at::<Errno>;
    let ours = std::fs::read_link("/proc/self/exe").ok().and_then(|path| outside(&path).ok());
    let ours = match ours {
        Some(ours) => ours,
        None => root.file(Path::new("/.palanca/nothing")).map_err(wrong("git"))?,
    };
    covers.with(&ours).map_err(wrong("git"))?;
    let mut real = None;
    for place in USUAL.iter().chain(&CORE).map(Path::new).chain(room.gits.iter().map(PathBuf::as_path)) {
        covers.cover(place);
        let Ok(there) = root.open(place) else { continue };
        // Another name of a place that is ours already.
        if Standing::of(&ours) == Standing::of(&there) {
            continue;
        }
        if real.is_none() {
            mount_onto(root.file(Path::new(REAL)), &there, READ_ONLY)?;
        }
        mount_onto(Ok(there), &ours, READ_ONLY)?;
        real = Some(place);
    }
    Ok(())
}

const TAME_NEW: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV);

/// Single nodes, read-only: a device can be written through such a mount, but its mode and owner cannot be changed.
fn devices(root: &Root) -> Result<(), Failure> {
    let attributes = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC;
    for name in DEVICES {
        let path = Path::new(name);
        let source = outside(path).map_err(Failure::at("devices"))?;
        mount_onto(root.file(path), source, attributes).map_err(|failure| failure.on(name))?;
    }
    let options = [("ptmxmode", "0666"), ("mode", "0620")];
    let tame = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let tree = Tree::new("devpts", &options, tame).map_err(Failure::at("devpts"))?;
    attach(root.directory(Path::new("/dev/pts"), 0o755), tree, "devpts")
}

/// An empty one. Where it cannot be made the program has none, which is no danger.
fn home(root: &Root, room: &Room) {
    if let Some(home) = room.home() {
        let _ = root.directory(home, 0o700);
    }
}

/// Further names of the workspace. Before anything of the host's is there to be written; where one cannot be made, the program
/// has the other name.
fn links(root: &Root, plan: &Plan) {
    let Some(workspace) = plan.writable.first() else { return };
    for link in &plan.links {
        let _ = root.link_at(link, workspace);
    }
}

/// Where names are looked up: `/etc/resolv.conf` is often a link to what is not there, such as `/run`.
fn resolver(root: &Root) -> Result<(), Failure> {
    let path = Path::new("/etc/resolv.conf");
    let Ok(target) = std::fs::read_link(path) else { return Ok(()) };
    if root.open(path).is_ok() {
        return Ok(());
    }
    // A machine that has no resolver has none inside.
    let Ok(source) = outside(path) else { return Ok(()) };
    let there = normal(&Path::new("/etc").join(target));
    mount_onto(root.file(&there), source, READ_ONLY).map_err(|failure| failure.on(there.display()))
}

/// The path without `..`, by its words.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut folded, component| {
        match component {
            Component::ParentDir => _ = folded.pop(),
            other => folded.push(other),
        }
        folded
    })
}

/// What the plan names, the outer before the inner, so that neither covers the other.
fn places(root: &Root, room: &Room) -> Result<(), Failure> {
    let plan = &room.plan;
    let attributes = |path, usual| if plan.unexecuted.contains(path) { DATA } else { usual };
    let writable = plan.writable.iter().map(|path| (path, attributes(path, TAME)));
    let readable = plan.readable.iter().map(|path| (path, attributes(path, READ_ONLY)));
    let expected = room.places.iter().map(Some).chain(std::iter::repeat(None));
    let mut places: Vec<_> = writable.chain(readable).zip(expected).collect();
    places.sort_by_key(|((path, _), _)| path.components().count());
    for ((path, attributes), expected) in places {
        if !path.is_absolute() || path.parent().is_none() {
            return Err(Failure::new("plan", "not a place below the root").on(path.display()));
        }
        match outside(path) {
            Ok(source) if expected.is_some_and(|expected| *expected != Standing::of(&source)) => {
                return Err(Failure::new("plan", "something else stands in its place").on(path.display()));
            }
            Ok(source) => {
                let layer = plan.layer.as_ref().filter(|_| plan.writable.first() == Some(path));
                let done = match layer {
                    Some(layer) => under(root, path, (source, layer), attributes),
                    None if plan.growing.contains(path) && grow(root, path, &source).is_ok() => Ok(()),
                    None => mount(root, path, source, attributes),
                };
                done.map_err(|failure| failure.on(path.display()))?;
            }
            Err(Errno::NOENT) if !plan.writable.contains(path) => {}
            Err(error) => return Err(Failure::at("plan")(error).on(path.display())),
        }
    }
    Ok(())
}

/// Shows a folder with a private one laid over it, which takes what is added. Not every file system can.
fn grow(root: &Root, path: &Path, lower: &OwnedFd) -> Result<(), Failure> {
    let wrong = Failure::at::<Errno>;
    let below = |name: &str| Path::new(LAYERS).join(name).join(path.strip_prefix("/").unwrap_or(path));
    let upper = root.directory(&below("upper"), 0o755).map_err(wrong("layer"))?;
    let work = root.directory(&below("work"), 0o755).map_err(wrong("layer"))?;
    let tree = Tree::overlay([lower, &upper, &work]).map_err(wrong("layer"))?;
    attach(root.directory(path, 0o755), tree, "layer")
}

/// Shows a folder with a layer on top, which takes every change.
fn under(root: &Root, path: &Path, (lower, layer): (OwnedFd, &WriteLayer), attributes: u64) -> Result<(), Failure> {
    let open = |path: &Path| outside(path).map_err(|error| Failure::at("layer")(error).on(path.display()));
    let tree = Tree::overlay([&lower, &open(&layer.upper)?, &open(&layer.work)?]).map_err(Failure::at("layer"))?;
    let tree = tree.with(attributes).map_err(Failure::at("layer"))?;
    attach(root.directory(path, 0o755), tree, "layer")
}

/// Protected paths: read-only where they stand, and nothing on the way to them can be moved aside.
fn hold(root: &Root, guards: &Guards) -> Result<(), Failure> {
    for (path, hold) in guards.outermost() {
        let wrong = |error: io::Error| Failure::at("protect")(error).on(path.display());
        let there = root.open_exactly(path).map_err(|error| wrong(error.into()))?;
        let tree = match hold {
            Hold::Pin => Tree::copy(&there),
            Hold::Freeze => Tree::copy(&there),
            Hold::Link => Tree::copy(behind(root, path).map_err(Failure::at("protect"))?),
        };
        let tree = tree.map_err(|error| wrong(error.into()))?;
        let tree = if *hold == Hold::Pin { tree } else { tree.with(READ_ONLY).map_err(wrong)? };
        tree.attach(there).map_err(|error| wrong(error.into()))?;
    }
    Ok(())
}

/// What covers a link: the file that it leads to. A directory cannot be mounted over a link, so nothing is seen there.
fn behind(root: &Root, link: &Path) -> Result<OwnedFd, Errno> {
    match root.open(link) {
        Ok(target) if !is_directory(target.as_fd())? => Ok(target),
        _ => root.file(Path::new(NOTHING[1])),
    }
}

fn hide(root: &Root, plan: &Plan, covers: &mut Covers) -> Result<(), Failure> {
    let wrong = Failure::at::<Errno>;
    let directory = root.directory(Path::new(NOTHING[0]), 0o555).map_err(wrong("mask"))?;
    let file = root.file(Path::new(NOTHING[1])).map_err(wrong("mask"))?;
    covers.with(&directory).and_then(|()| covers.with(&file)).map_err(wrong("mask"))?;
    let leads = |path: &&PathBuf| plan.home().is_some_and(|home| home.starts_with(path));
    let outermost = plan.masked.iter().filter(leads).min_by_key(|path| path.as_os_str().len());
    for path in &plan.masked {
        covers.cover(path);
        // What covers the outermost leads through the others.
        if leads(&path) && Some(path) != outermost {
            continue;
        }
        let there = match root.open(path) {
            Ok(there) => there,
            Err(Errno::NOENT | Errno::NOTDIR) => continue,
            Err(error) => return Err(wrong("mask")(error).on(path.display())),
        };
        let below = plan.home().and_then(|home| home.strip_prefix(path).ok());
        let way = below.map(|below| way(root, below, covers)).transpose().map_err(wrong("mask"))?;
        let nothing = match &way {
            Some(way) => way,
            None if is_directory(there.as_fd()).map_err(wrong("mask"))? => &directory,
            None => &file,
        };
        match mount_onto(Ok(there), nothing, READ_ONLY) {
            // Another file has its name by now: whether that one is covered is checked last of all.
            Err(failure) if failure.is_of_what_is_gone() => {}
            covered => covered.map_err(|failure| failure.on(path.display()))?,
        }
    }
    // Once mounted they need no name any more.
    root.remove(NOTHING[0], AtFlags::REMOVEDIR).map_err(wrong("mask"))?;
    root.remove(NOTHING[1], AtFlags::empty()).map_err(wrong("mask"))
}

/// What covers a masked folder in which the program has its own: folders that hold nothing but the way to that.
fn way(root: &Root, below: &Path, covers: &mut Covers) -> Result<OwnedFd, Errno> {
    let mut folder = PathBuf::from(WAY);
    let way = root.directory(&folder, 0o755)?;
    covers.with(&way)?;
    for name in below {
        folder.push(name);
        covers.with(root.directory(&folder, 0o755)?)?;
    }
    Ok(way)
}

fn mount(root: &Root, path: &Path, source: OwnedFd, attributes: u64) -> Result<(), Failure> {
    let onto = match is_directory(source.as_fd()) {
        Ok(true) => root.directory(path, 0o755),
        Ok(false) => root.open(path).or_else(|_| root.file(path)),
        Err(error) => Err(error),
    };
    mount_onto(onto, source, attributes)
}

fn mount_onto(onto: Result<OwnedFd, Errno>, source: impl AsFd, attributes: u64) -> Result<(), Failure> {
    let tree = Tree::copy(source).map_err(Failure::at("bind"))?.with(attributes).map_err(Failure::at("bind"))?;
    attach(onto, tree, "bind")
}

fn attach(onto: Result<OwnedFd, Errno>, tree: Tree, step: &'static str) -> Result<(), Failure> {
    tree.attach(onto.map_err(Failure::at(step))?).map_err(Failure::at(step))?;
    Ok(())
}
