//! Landlock: rights to read, write and signal, as a second mechanism beside the mounts. Where the
//! kernel has only some of its rights, those are used; the probe tells which version there is.

use super::devices::DEVICES;
use super::guards::{Guards, Hold};
use super::syscalls::Sockets;
use crate::enter::Failure;
use crate::git::REAL;
use crate::order::{Plan, Room};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use palanca_core::call::Network;
use std::path::{Path, PathBuf};

/// The newest version whose rights are used.
const VERSION: ABI = ABI::V7;

/// Private at the full level.
const PRIVATE: [&str; 5] = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/pts"];
/// What a program may read below the full level, beside the plan's directories.
const SYSTEM: [&str; 11] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix", "/gnu", "/proc"];

/// Inside the new root, where everything that can be seen may be read. Returns the sockets that the program may have.
pub(crate) fn restrict_inside(room: &Room) -> Result<Sockets, Failure> {
    let plan = &room.plan;
    let seen = if plan.only_reads() { looking() } else { reading() };
    let mut rules = rule(begin(Ports::Open)?, Path::new("/"), seen)?;
    if plan.only_reads() {
        rules = all(rules, executed(plan).chain([Path::new(REAL)]), AccessFs::Execute.into())?;
    }
    let rules = if plan.supervised {
        // The workspace, which is seen through descriptors of another mount, too; terminals are spoken to.
        let rules = all(rules, plan.writable.iter().map(PathBuf::as_path).chain(plan.home()), seen)?;
        rule(rules, Path::new("/dev/pts"), AccessFs::ReadFile | AccessFs::IoctlDev)?
    } else {
        let writable = plan.writable.iter().filter(|path| !plan.unexecuted.contains(path)).map(PathBuf::as_path);
        let access = if plan.only_reads() { everything() & !AccessFs::Execute } else { everything() };
        all(rules, writable.chain(PRIVATE.map(Path::new)).chain(room.home()).chain(plan.home()), access)?
    };
    let status = restrict(devices(rules)?)?;
    // With the host's network come the host's unix sockets that have no path, unless Landlock keeps them out.
    let scoped = matches!(status.landlock, LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V6);
    Ok(match room.network {
        Network::None => Sockets::UnixAndOwn,
        Network::Open if scoped => Sockets::UnixAndInternet,
        Network::Open => Sockets::Internet,
    })
}

/// On the host's own root: what is not granted cannot be opened. Returns the sockets that the program may have.
pub(crate) fn restrict_host(room: &Room) -> Result<Sockets, Failure> {
    let (plan, network) = (&room.plan, room.network);
    let hidden = Hidden::of(plan);
    let resolver = (network == Network::Open).then(|| Path::new("/etc/resolv.conf").canonicalize().ok()).flatten();
    let readable = plan.readable.iter().chain(&resolver).map(PathBuf::as_path).chain(SYSTEM.map(Path::new));
    let mut rules = begin(if network == Network::Open { Ports::Open } else { Ports::Closed })?;
    let seen = if plan.only_reads() { looking() } else { reading() };
    for root in readable.chain(plan.writable.iter().map(PathBuf::as_path)) {
        rules = read(rules, root, &hidden, seen)?;
    }
    rules = all(rules, plan.home(), seen)?;
    if plan.only_reads() {
        // What is data may lie in a folder of programs.
        let hidden = Hidden(hidden.0.iter().chain(&plan.unexecuted).cloned().collect());
        for root in executed(plan) {
            rules = read(rules, root, &hidden, AccessFs::Execute.into())?;
        }
    }
    if !plan.supervised {
        let guards = Guards::look(plan)?;
        for root in plan.writable.iter().filter(|path| !plan.unexecuted.contains(path)) {
            let free = free_parts(root, &guards, &hidden);
            let access = if plan.only_reads() { everything() & !AccessFs::Execute } else { everything() };
            rules = all(rules, free.iter().map(PathBuf::as_path), access)?;
        }
        rules = all(rules, plan.home(), everything())?;
    }
    match restrict(devices(rules)?)?.ruleset {
        RulesetStatus::NotEnforced => Err(Failure::new("landlock", "this kernel does not have it")),
        _ if network == Network::Open => Ok(Sockets::Internet),
        _ => Ok(Sockets::None),
    }
}

/// From now on this process, and all that it starts, can signal each other and nobody else. Other rights stay. Fails where
/// the kernel has no such rule: before version 6.
pub(crate) fn signal_each_other_only() -> Result<(), Failure> {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.scope(Scope::Signal).and_then(Ruleset::create).map_err(wrong)?;
    match restrict(rules)?.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        _ => Err(Failure::new("landlock", "signals are not kept in")),
    }
}

/// Whether the kernel took a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enforced {
    Yes,
    No,
}

/// From now on this process, and all that it starts, can start these programs and no other. Other rights stay.
pub(crate) fn start_only(programs: &[PathBuf]) -> Result<Enforced, Failure> {
    let rules = Ruleset::default().handle_access(AccessFs::Execute).and_then(Ruleset::create).map_err(wrong)?;
    let rules = all(rules, programs.iter().map(PathBuf::as_path), AccessFs::Execute.into())?;
    match restrict(rules)?.ruleset {
        RulesetStatus::FullyEnforced => Ok(Enforced::Yes),
        _ => Ok(Enforced::No),
    }
}

/// Which version this kernel has, in words. The process can open nothing afterwards.
pub(crate) fn version() -> Result<String, Failure> {
    match restrict(begin(Ports::Closed)?)?.landlock {
        LandlockStatus::Available { effective_abi, kernel_abi } => {
            Ok(format!("version {}", kernel_abi.unwrap_or(effective_abi as i32)))
        }
        LandlockStatus::NotEnabled => Err(Failure::new("landlock", "it is switched off")),
        _ => Err(Failure::new("landlock", "this kernel does not have it")),
    }
}

/// Rules only ever add, so a path below a writable one cannot be taken out: instead everything beside it is granted.
/// Nothing new can be made in the directories on the way to a protected path then.
fn free_parts(directory: &Path, guards: &Guards, hidden: &Hidden) -> Vec<PathBuf> {
    let held = |path: &Path| guards.hold_of(path);
    if held(directory) == Some(Hold::Freeze) || hidden.is(directory) {
        return Vec::new();
    }
    if !guards.any_below(directory) && !hidden.any_below(directory) {
        return vec![directory.to_owned()];
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| match held(&path) {
            Some(Hold::Freeze | Hold::Link) => Vec::new(),
            None if path.is_symlink() => Vec::new(),
            Some(Hold::Pin) | None => free_parts(&path, guards, hidden),
        })
        .collect()
}

/// What is hidden, where it really is.
struct Hidden(Vec<PathBuf>);

impl Hidden {
    fn of(plan: &Plan) -> Self {
        Self(plan.masked.iter().filter_map(|path| path.canonicalize().ok()).collect())
    }

    fn is(&self, path: &Path) -> bool {
        self.0.iter().any(|hidden| hidden == path)
    }

    fn any_below(&self, directory: &Path) -> bool {
        self.0.iter().any(|hidden| hidden.starts_with(directory))
    }
}

/// Grants access to it, but for what is hidden in it. Names are shown: the right to list goes all the way down.
fn read(
    rules: RulesetCreated,
    path: &Path,
    hidden: &Hidden,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Failure> {
    let Ok(path) = path.canonicalize() else { return Ok(rules) };
    if hidden.is(&path) {
        return Ok(rules);
    }
    if !hidden.any_below(&path) {
        return rule(rules, &path, access);
    }
    let listing = access & AccessFs::ReadDir;
    let mut rules = if listing.is_empty() { rules } else { rule(rules, &path, listing)? };
    for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
        if !entry.path().is_symlink() {
            rules = read(rules, &entry.path(), hidden, access)?;
        }
    }
    Ok(rules)
}

/// From where a program that only reads starts others: the system's directories, and those of tools.
fn executed(plan: &Plan) -> impl Iterator<Item = &Path> {
    let tools = plan.readable.iter().filter(|path| !plan.unexecuted.contains(path)).map(PathBuf::as_path);
    tools.chain(SYSTEM.map(Path::new).into_iter().filter(|path| *path != Path::new("/proc")))
}

/// Whether a program may use TCP, as far as Landlock is concerned, which knows ports and no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ports {
    Open,
    Closed,
}

fn begin(ports: Ports) -> Result<RulesetCreated, Failure> {
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(VERSION))
        .and_then(|rules| match ports {
            Ports::Closed => rules.handle_access(AccessNet::from_all(VERSION)),
            Ports::Open => Ok(rules),
        })
        .and_then(|rules| rules.scope(Scope::from_all(VERSION)))
        .and_then(Ruleset::create);
    rules.map_err(wrong)
}

fn devices(rules: RulesetCreated) -> Result<RulesetCreated, Failure> {
    let access = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    all(rules, DEVICES.map(Path::new), access)
}

fn restrict(rules: RulesetCreated) -> Result<RestrictionStatus, Failure> {
    rules.restrict_self().map_err(wrong)
}

fn all<'a>(
    mut rules: RulesetCreated,
    paths: impl IntoIterator<Item = &'a Path>,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Failure> {
    for path in paths {
        rules = rule(rules, path, access)?;
    }
    Ok(rules)
}

/// What is not there needs no rule.
fn rule(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, Failure> {
    let Ok(there) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(VERSION) };
    rules.add_rule(PathBeneath::new(there, access)).map_err(|error| wrong(error).on(path.display()))
}

fn reading() -> BitFlags<AccessFs> {
    AccessFs::from_read(VERSION)
}

fn looking() -> BitFlags<AccessFs> {
    reading() & !AccessFs::Execute
}

/// All but making devices.
fn everything() -> BitFlags<AccessFs> {
    AccessFs::from_all(VERSION) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

fn wrong(error: impl std::fmt::Display) -> Failure {
    Failure::new("landlock", error.to_string())
}
