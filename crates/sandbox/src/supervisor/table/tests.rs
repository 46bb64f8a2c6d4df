//! Every system call that this machine's header knows is asked for, refused, or known to change no file: a new one fails
//! here until somebody has said which.

use super::ASKED;
use crate::isolation::syscalls;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Newer than most headers; the numbers are the same on all architectures.
const NEW: [(&str, i64); 19] = [
    ("cachestat", 451),
    ("fchmodat2", 452),
    ("map_shadow_stack", 453),
    ("futex_wake", 454),
    ("futex_wait", 455),
    ("futex_requeue", 456),
    ("statmount", 457),
    ("listmount", 458),
    ("lsm_get_self_attr", 459),
    ("lsm_set_self_attr", 460),
    ("lsm_list_modules", 461),
    ("mseal", 462),
    ("setxattrat", 463),
    ("getxattrat", 464),
    ("listxattrat", 465),
    ("removexattrat", 466),
    ("open_tree_attr", 467),
    ("file_getattr", 468),
    ("file_setattr", 469),
];

/// Change no file and no name. Some write through a descriptor, which was asked for when it was opened for that.
const HARMLESS: &str = "
    // Through a descriptor that is open for it.
    read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 sendfile splice tee vmsplice copy_file_range
    ftruncate fallocate mmap mprotect pkey_mprotect mremap msync remap_file_pages io_setup io_destroy io_getevents io_submit
    io_cancel io_pgetevents fsync fdatasync sync syncfs sync_file_range flock fcntl fcntl64 close close_range dup dup2 dup3
    lseek fadvise64 readahead

    // Looking.
    stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd chdir fchdir
    getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr listxattrat statfs fstatfs ustat sysfs
    inotify_init inotify_init1 inotify_add_watch inotify_rm_watch fanotify_mark file_getattr cachestat statmount listmount
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 epoll_ctl_old
    epoll_wait_old lookup_dcookie

    // Descriptors of no file: pipes, sockets, counters, memory.
    pipe pipe2 accept accept4 listen sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown getsockname
    getpeername setsockopt getsockopt eventfd eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime
    memfd_create memfd_secret shmdt mq_timedsend mq_timedreceive mq_notify mq_getsetattr

    // Processes and their identity.
    execve execveat fork vfork exit exit_group wait4 waitid kill tkill tgkill pidfd_open pidfd_send_signal getpid getppid
    gettid getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid setresuid setresgid
    setgroups setfsuid setfsgid getpgrp getpgid setpgid getsid setsid capget capset prctl arch_prctl seccomp
    landlock_create_ruleset landlock_add_rule landlock_restrict_self process_mrelease lsm_get_self_attr lsm_set_self_attr
    lsm_list_modules set_tid_address set_robust_list get_robust_list rseq membarrier restart_syscall

    // Signals.
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo rt_sigsuspend
    sigaltstack pause alarm getitimer setitimer

    // Memory.
    munmap brk mincore madvise mlock mlock2 munlock mlockall munlockall mseal map_shadow_stack pkey_alloc pkey_free mbind
    set_mempolicy get_mempolicy set_mempolicy_home_node migrate_pages move_pages

    // Time, limits, scheduling.
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times timer_create timer_settime timer_gettime
    timer_getoverrun timer_delete getrlimit setrlimit getrusage sysinfo uname getpriority setpriority ioprio_get ioprio_set
    sched_yield sched_setparam sched_getparam sched_setscheduler sched_getscheduler sched_get_priority_max
    sched_get_priority_min sched_rr_get_interval sched_setaffinity sched_getaffinity sched_setattr sched_getattr getcpu futex
    futex_waitv futex_wake futex_wait futex_requeue getrandom set_thread_area get_thread_area

    // Numbers that no kernel answers any more.
    _sysctl create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg afs_syscall tuxcall security vserver
";

/// Names and numbers as the C compiler finds them.
fn known() -> BTreeMap<String, i64> {
    let mut compiler = Command::new("cc")
        .args(["-E", "-dM", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    compiler.stdin.take().expect("piped").write_all(b"#include <asm/unistd.h>\n").expect("it reads");
    let output = compiler.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = text.lines().filter_map(|line| {
        let (name, number) = line.strip_prefix("#define __NR_")?.split_once(' ')?;
        Some((name.to_owned(), number.parse().ok()?))
    });
    rows.chain(NEW.map(|(name, number)| (name.to_owned(), number))).collect()
}

#[test]
fn every_system_call_is_asked_for_refused_or_harmless() {
    let known = known();
    assert!(known.len() > 300, "the header was not read: {known:?}");
    let words = HARMLESS.lines().filter(|line| !line.trim_start().starts_with("//"));
    let harmless: BTreeSet<&str> = words.flat_map(str::split_whitespace).collect();
    let mut wrong = Vec::new();
    for (name, number) in &known {
        let classes = [
            ("asked for", ASKED.iter().any(|asked| asked.call == *number)),
            ("refused", syscalls::is_refused(*number)),
            ("harmless", harmless.contains(name.as_str())),
        ];
        let classes: Vec<_> = classes.iter().filter(|(_, is)| *is).map(|(class, _)| *class).collect();
        if classes.len() != 1 {
            wrong.push(format!("{name} ({number}): {classes:?}"));
        }
    }
    assert!(wrong.is_empty(), "each must be exactly one of asked for, refused, harmless: {wrong:#?}");
}

#[test]
fn a_call_is_asked_for_once() {
    let calls: BTreeSet<_> = ASKED.iter().map(|asked| asked.call).collect();
    assert_eq!(calls.len(), ASKED.len());
}
