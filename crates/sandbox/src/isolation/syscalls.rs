//! The system calls denied to every sandboxed program: kernel interfaces with a history,
//! everything that could undo the isolation, and every socket but unix ones, TCP and UDP.
//!
//! A deny list, not an allow list: programs are compilers and browsers, and a call missing from an allow list breaks them on
//! the next kernel. A second filter answers calls whose pointer arguments would need a check with "not implemented".

use crate::enter::Failure;
use crate::order::{Level, Plan};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;

/// Denied whatever the arguments are.
const DENIED: &[libc::c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files without a path.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    // Large interfaces of the kernel.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
];

/// The sockets that a program may make. Without a network namespace a unix socket reaches every service of the host, so
/// then there are none, nor datagram pairs: one end of such a pair can be sent to any other socket, which one of a connected
/// pair cannot. Where connecting is asked for there are no datagrams between unix sockets, either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sockets {
    None,
    Internet,
    UnixAndInternet,
    /// In a network of the program's own, where it may be called, too: only itself is there.
    UnixAndOwn,
}

impl Sockets {
    const fn unix(self) -> bool {
        matches!(self, Self::UnixAndInternet | Self::UnixAndOwn)
    }

    /// Whether its network is the host's.
    const fn shared(self) -> bool {
        matches!(self, Self::Internet | Self::UnixAndInternet)
    }

    /// Each rule denies what it matches.
    fn denied(self) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
        let domain = |family: libc::c_int| (0, SeccompCmpOp::Ne, family.unsigned_abs().into());
        let rule = |tests: &[Test]| SeccompRule::new(tests.iter().cloned().map(condition).collect::<Result<_, _>>()?);
        let unix = domain(libc::AF_UNIX);
        let mut rules = match self {
            Self::None => return Ok(Vec::new()),
            Self::Internet => vec![rule(&[domain(libc::AF_INET), domain(libc::AF_INET6)])?],
            Self::UnixAndInternet | Self::UnixAndOwn => {
                vec![rule(&[unix.clone(), domain(libc::AF_INET), domain(libc::AF_INET6)])?]
            }
        };
        // Of the internet's, TCP and UDP alone.
        for kind in OTHER_KINDS {
            rules.push(rule(&[unix.clone(), (1, SeccompCmpOp::MaskedEq(0xf), kind.unsigned_abs().into())])?);
        }
        let others = [libc::IPPROTO_IP, libc::IPPROTO_TCP, libc::IPPROTO_UDP];
        let protocols = others.map(|protocol| (2, SeccompCmpOp::Ne, protocol.unsigned_abs().into()));
        rules.push(rule(&[&[unix][..], &protocols].concat())?);
        Ok(rules)
    }
}

/// Kinds of sockets that are neither streams nor datagrams.
const OTHER_KINDS: [libc::c_int; 4] = [libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET, libc::SOCK_DCCP];

/// Denied as well where nothing but this keeps a program from what the host's other processes share: without an IPC
/// namespace names and numbers reach them.
const SHARED: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// New namespaces by `clone`.
const NEW: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Typing into a terminal for somebody else, and giving it a line discipline, which loads whatever driver has one.
const TYPING: [libc::Ioctl; 3] = [libc::TIOCSTI, libc::TIOCLINUX, libc::TIOCSETD];

/// Changes through a descriptor that was opened for reading: a file's flags, generation, verity and encryption
/// (`linux/fs.h`, `linux/fsverity.h`, `linux/fscrypt.h`; ext4 has a number of its own for a generation), the attributes of FAT
/// (`linux/msdos_fs.h`), subvolumes made and removed by name (`linux/btrfs.h`, bcachefs) and copies made by name (ocfs2).
/// Programs get along without any of them.
const CHANGING: [libc::Ioctl; 19] = [
    0x4008_6602,
    0x4004_6602,
    0x401c_5820,
    0x4008_7602,
    0x4080_6685,
    0x800c_6613,
    0x4004_7211,
    0x5000_9401,
    0x5000_940e,
    0x5000_940f,
    0x5000_9417,
    0x5000_9418,
    0x4008_941a,
    0x5000_943f,
    0x4008_6604,
    0x4020_bc10,
    0x4020_bc11,
    0x8008_bc40,
    0x4018_6f04,
];

/// What `personality` may be: asked, as it is, without address randomisation (debuggers), and 32-bit names.
const PERSONALITIES: [u64; 4] = [0xffff_ffff, 0, 0x4_0000, 0x8];

/// With these a program could leave a file in the workspace that runs as its owner for whoever starts it outside. The
/// number is the position of the mode.
const NEW_MODES: &[(libc::c_long, u8)] = &[
    (libc::SYS_openat, 3),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];
/// The same of what is there already. A folder that passes its group on is no danger, and only the supervisor can tell it
/// from a file.
const MODES: &[(libc::c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
];

/// The same numbers on every architecture.
const SYS_CLONE3: u32 = 435;
const SYS_OPENAT2: u32 = 437;
const SYS_FCHMODAT2: u32 = 452;
const SYS_SETXATTRAT: u32 = 463;
const SYS_REMOVEXATTRAT: u32 = 466;
const SYS_OPEN_TREE_ATTR: u32 = 467;
const SYS_FILE_SETATTR: u32 = 469;

/// Calls of the x32 interface have this bit; other architectures have no such number.
const FOREIGN: u32 = 0x4000_0000;

/// Applies both programs to this process, for ever. Below the full level more is denied, and where writes are asked for a
/// little less.
pub(crate) fn filter(plan: &Plan, sockets: Sockets) -> Result<(), Failure> {
    let wrong = |error: seccompiler::Error| Failure::new("seccomp", error.to_string());
    let denied = denied(plan, sockets).map_err(|error| wrong(error.into()))?;
    apply_filter(&unimplemented()).map_err(wrong)?;
    apply_filter(&denied).map_err(wrong)
}

/// From now on this process can start threads, and become another program, but start no process.
pub(crate) fn start_nothing() -> Result<(), Failure> {
    let wrong = |error: seccompiler::Error| Failure::new("seccomp", error.to_string());
    let program = || -> Result<BpfProgram, seccompiler::BackendError> {
        let thread = libc::CLONE_THREAD.unsigned_abs().into();
        let mut rules = BTreeMap::from([(libc::SYS_clone, any([(0, SeccompCmpOp::MaskedEq(thread), 0)])?)]);
        #[cfg(target_arch = "x86_64")]
        rules.extend([(libc::SYS_fork, Vec::new()), (libc::SYS_vfork, Vec::new())]);
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        SeccompFilter::new(rules, SeccompAction::Allow, refused, ARCHITECTURE)?.try_into()
    };
    // `clone3` hides its flags behind a pointer; whoever finds it missing takes `clone`.
    apply_filter(&unimplemented()).map_err(wrong)?;
    apply_filter(&program().map_err(|error| wrong(error.into()))?).map_err(wrong)
}

/// Whether no program may make this call, or not with every argument.
#[cfg(test)]
pub(crate) fn is_refused(call: i64) -> bool {
    const BY_ARGUMENT: [libc::c_long; 6] = [
        libc::SYS_clone,
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_ioctl,
        libc::SYS_personality,
        libc::SYS_prlimit64,
    ];
    let absent = UNIMPLEMENTED.iter().any(|absent| i64::from(*absent) == call);
    absent || DENIED.contains(&call) || SHARED.contains(&call) || BY_ARGUMENT.contains(&call)
}

fn denied(plan: &Plan, sockets: Sockets) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = DENIED.iter().map(|call| (*call, Vec::new())).collect();
    let new = NEW.map(|flag| flag.unsigned_abs().into());
    rules.insert(libc::SYS_clone, any(new.map(|flag| (0, SeccompCmpOp::MaskedEq(flag), flag)))?);
    let foreign = [(0, SeccompCmpOp::Ne, libc::AF_UNIX.unsigned_abs().into())];
    rules.insert(libc::SYS_socket, sockets.denied()?);
    rules.insert(libc::SYS_socketpair, any(foreign)?);
    if plan.supervised && sockets.unix() {
        // A datagram may name any path behind a pointer, so where connecting is asked for there are none.
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            let unix = condition((0, SeccompCmpOp::Eq, libc::AF_UNIX.unsigned_abs().into()))?;
            let datagram = condition((1, SeccompCmpOp::MaskedEq(0xf), kind.unsigned_abs().into()))?;
            let rule = SeccompRule::new(vec![unix, datagram])?;
            for call in [libc::SYS_socket, libc::SYS_socketpair] {
                rules.entry(call).or_default().push(rule.clone());
            }
        }
    }
    rules.insert(
        libc::SYS_ioctl,
        any(TYPING.into_iter().chain(CHANGING).map(|request| (1, SeccompCmpOp::Eq, request)))?,
    );
    let others = PERSONALITIES.map(|personality| condition((0, SeccompCmpOp::Ne, personality)));
    let others = others.into_iter().collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_personality, vec![SeccompRule::new(others)?]);
    let both = &[libc::S_ISUID, libc::S_ISGID][..];
    let unasked = if plan.supervised { &[libc::S_ISUID][..] } else { both };
    for (calls, bits) in [(NEW_MODES, both), (MODES, unasked)] {
        for (call, argument) in calls {
            let bits = bits.iter().copied().map(u64::from);
            rules.insert(*call, any(bits.map(|bit| (*argument, SeccompCmpOp::MaskedEq(bit), bit)))?);
        }
    }
    rules.insert(libc::SYS_prlimit64, limits_of_others()?);
    if plan.level < Level::Full {
        rules.extend(SHARED.iter().map(|call| (*call, Vec::new())));
    }
    // On the host's network a program calls others and is not called. A socket need not be bound to listen.
    if sockets.shared() {
        rules.insert(libc::SYS_listen, Vec::new());
    }
    if !sockets.unix() {
        let datagram = condition((1, SeccompCmpOp::MaskedEq(0xf), libc::SOCK_DGRAM.unsigned_abs().into()))?;
        rules.entry(libc::SYS_socketpair).or_default().push(SeccompRule::new(vec![datagram])?);
    }
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refused, ARCHITECTURE)?.try_into()
}

/// Setting, not asking: a process of the host, or of ours, that gets no more time ends.
fn limits_of_others() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let other = condition((0, SeccompCmpOp::Ne, 0))?;
    let setting = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    Ok(vec![SeccompRule::new(vec![other, setting])?])
}

type Test = (u8, SeccompCmpOp, u64);

fn any(tests: impl IntoIterator<Item = Test>) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    tests.into_iter().map(|test| SeccompRule::new(vec![condition(test)?])).collect()
}

fn condition((argument, operator, value): Test) -> Result<SeccompCondition, seccompiler::BackendError> {
    // The kernel reads 32 bits of all of these.
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

/// Answered as if this kernel were older: everybody has another way for these. The first two hide behind a pointer what must
/// be looked at; the others are newer names of what is asked for or denied.
const UNIMPLEMENTED: [u32; 7] =
    [SYS_CLONE3, SYS_OPENAT2, SYS_FCHMODAT2, SYS_SETXATTRAT, SYS_REMOVEXATTRAT, SYS_OPEN_TREE_ATTR, SYS_FILE_SETATTR];

/// The first number that nobody has looked at: those from here on are answered in the same way.
const UNKNOWN: u32 = SYS_FILE_SETATTR + 1;

/// The instructions are those of `linux/bpf_common.h`; the answers are those of `linux/seccomp.h`.
fn unimplemented() -> BpfProgram {
    let one = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let mut program = vec![one(0x20, 0, 0, 0), one(0x35, 0, 1, FOREIGN), one(0x06, 0, 0, 0x8000_0000)];
    let absent = one(0x06, 0, 0, 0x0005_0000 | libc::ENOSYS.unsigned_abs());
    program.extend([one(0x35, 0, 1, UNKNOWN), absent.clone()]);
    for call in UNIMPLEMENTED {
        program.extend([one(0x15, 0, 1, call), absent.clone()]);
    }
    program.push(one(0x06, 0, 0, 0x7fff_0000));
    program
}
