/* Each attempt runs in a child of its own, so that one which is killed does not end the others. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRY(name, call)                                                            \
    do {                                                                           \
        fflush(stdout);                                                            \
        pid_t child = fork();                                                      \
        if (child == 0) {                                                          \
            errno = 0;                                                             \
            long result = (long)(call);                                            \
            printf("%s %s\n", name, result >= 0 ? "ok" : strerrorname_np(errno));  \
            fflush(stdout);                                                        \
            _exit(0);                                                              \
        }                                                                          \
        int status = 0;                                                            \
        waitpid(child, &status, 0);                                                \
        if (WIFSIGNALED(status))                                                   \
            printf("%s %s\n", name, WTERMSIG(status) == SIGSYS ? "SIGSYS" : "signal"); \
    } while (0)

#define CALL(name, ...) TRY(#name, syscall(__VA_ARGS__, 0, 0, 0, 0, 0, 0))
#define DENIED(number) TRY("denied/" #number, syscall(SYS_##number, 0, 0, 0, 0, 0, 0))

static int pty_push(unsigned long request) {
    int master, slave;
    char byte = 'x';
    if (openpty(&master, &slave, NULL, NULL, NULL) != 0) slave = 0;
    return ioctl(slave, request, &byte);
}

static int pair(void) {
    int both[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, both);
}

static void *thread(void *nothing) { return nothing; }

static int threads(void) {
    char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return clone((int (*)(void *))thread, stack + 65536, CLONE_VM | SIGCHLD, NULL);
}

int main(void) {
    DENIED(ptrace); DENIED(process_vm_readv); DENIED(process_vm_writev); DENIED(pidfd_getfd); DENIED(kcmp);
    DENIED(mount); DENIED(umount2); DENIED(pivot_root); DENIED(chroot); DENIED(move_mount); DENIED(open_tree);
    DENIED(fsopen); DENIED(fsmount); DENIED(fsconfig); DENIED(fspick); DENIED(mount_setattr);
    DENIED(unshare); DENIED(setns); DENIED(open_by_handle_at); DENIED(name_to_handle_at); DENIED(fanotify_init);
    DENIED(io_uring_setup); DENIED(io_uring_enter); DENIED(io_uring_register); DENIED(bpf); DENIED(perf_event_open);
    DENIED(userfaultfd); DENIED(keyctl); DENIED(add_key); DENIED(request_key); DENIED(kexec_load);
    DENIED(init_module); DENIED(finit_module); DENIED(delete_module); DENIED(reboot); DENIED(swapon); DENIED(swapoff);
    DENIED(acct); DENIED(quotactl); DENIED(syslog); DENIED(sethostname); DENIED(setdomainname);
    DENIED(clock_settime); DENIED(clock_adjtime); DENIED(settimeofday); DENIED(adjtimex); DENIED(kexec_file_load);
    int spaces[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (int i = 0; i < 7; i++) TRY("denied/clone", syscall(SYS_clone, spaces[i] | SIGCHLD, 0, 0, 0, 0));
    TRY("denied/clone+", syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0));
    TRY("denied/clone-high-bits", syscall(SYS_clone, (1UL << 40) | CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    int families[] = {AF_NETLINK, AF_PACKET, 40 /* vsock */, 38 /* alg */, 44 /* xdp */, AF_BLUETOOTH, AF_KEY};
    for (int i = 0; i < 7; i++) {
        TRY("denied/socket", socket(families[i], SOCK_STREAM, 0));
        TRY("denied/socket-raw", socket(families[i], SOCK_RAW, 0));
        TRY("denied/socket-datagram", socket(families[i], SOCK_DGRAM, 0));
    }
    for (int i = 0; i < 2; i++) {
        int family = i ? AF_INET6 : AF_INET;
        TRY("own/socket", socket(family, SOCK_STREAM, 0));
        TRY("own/socket-datagram", socket(family, SOCK_DGRAM, 0));
        TRY("own/family-high-bits", syscall(SYS_socket, (1UL << 32) | family, SOCK_STREAM, 0));
        TRY("denied/socket-raw", socket(family, SOCK_RAW, 0));
        TRY("denied/socket-ping", socket(family, SOCK_DGRAM, i ? IPPROTO_ICMPV6 : IPPROTO_ICMP));
        TRY("denied/mptcp", socket(family, SOCK_STREAM, 262));
    }
    TRY("denied/family-high-bits", syscall(SYS_socket, (1UL << 32) | AF_NETLINK, SOCK_RAW, 0));
    TRY("denied/TIOCSTI", pty_push(TIOCSTI));
    TRY("denied/TIOCLINUX", pty_push(TIOCLINUX));
    TRY("denied/TIOCSTI-high-bits", syscall(SYS_ioctl, 0, (1UL << 32) | TIOCSTI, 0));
    TRY("denied/personality", personality(READ_IMPLIES_EXEC));
    close(open("setuid", O_CREAT | O_WRONLY, 0755));
    TRY("denied/setuid-file", open("new", O_CREAT | O_WRONLY, 04755));
    TRY("denied/chmod", chmod("setuid", 04755));
    TRY("absent/fchmodat2", syscall(452, AT_FDCWD, "setuid", 06755, 0));
    TRY("absent/clone3", syscall(435, 0, 0));
    TRY("absent/openat2", syscall(437, AT_FDCWD, ".", 0, 0));
    TRY("allowed/fork", fork());
    TRY("allowed/thread", threads());
    TRY("allowed/pair", pair());
    TRY("allowed/unix", socket(AF_UNIX, SOCK_DGRAM, 0));
    TRY("allowed/memfd", syscall(SYS_memfd_create, "m", 0));
    TRY("allowed/personality", personality(0xffffffff));
    TRY("allowed/pty", posix_openpt(O_RDWR));
    TRY("allowed/kill-self", kill(getpid(), 0));
    TRY("denied/kill-parent-of-all", kill(1, SIGKILL));
#if defined(__x86_64__)
    TRY("killed/x32", syscall(0x40000000 | SYS_getpid));
    long result;
    TRY("killed/32-bit", ({ __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory"); result; }));
#endif
    return 0;
}
