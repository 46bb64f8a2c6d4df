/* Tries to get out, once in every way that is known here. Prints a line for each try: its name, whether the kernel
 * allowed it, and the error. Every call is one that works where nothing keeps it back, so "denied" means something;
 * none of them harms the machine when it is allowed: what is written is what was there already. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char *outside; /* a directory of the host that everybody may write */
static int port;            /* a listener on the host's loopback, TCP and UDP */
static pid_t victim;        /* a process of the host, of the same user */
static int segment;         /* shared memory of the host */
static char **self;

/* A try is a process of its own. */
#define TRY(name, call)                                                                       \
    do {                                                                                      \
        fflush(stdout);                                                                       \
        pid_t child = fork();                                                                 \
        if (child == 0) {                                                                     \
            errno = 0;                                                                        \
            long result = (long)(call);                                                       \
            if (result >= 0) printf("%s allowed -\n", name);                                  \
            else printf("%s denied %s\n", name, strerrorname_np(errno));                      \
            fflush(stdout);                                                                   \
            _exit(0);                                                                         \
        }                                                                                     \
        int status = 0;                                                                       \
        waitpid(child, &status, 0);                                                           \
        if (WIFSIGNALED(status))                                                              \
            printf("%s denied %s\n", name, WTERMSIG(status) == SIGSYS ? "SIGSYS" : "CRASH"); \
    } while (0)
#define CALL(name, ...) TRY(name, syscall(__VA_ARGS__, 0, 0, 0, 0, 0))

static const char *below(const char *prefix, const char *name) {
    static char path[4][4096];
    static int next;
    char *here = path[next++ % 4];
    snprintf(here, 4096, "%s%s/%s", prefix, outside, name);
    return here;
}

static int reads(const char *path) {
    char byte;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) return -1;
    ssize_t count = read(file, &byte, 1);
    if (count == 0) errno = ENOENT; /* it is there and shows nothing */
    return count > 0 ? 0 : -1;
}

static int lists(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return -1;
    struct dirent *entry;
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "someone") != 0) return 0; /* someone is us */
    errno = ENOENT;
    return -1;
}

static int opens(const char *path, int flags) { return open(path, flags | O_NONBLOCK | O_NOCTTY, 0644); }

/* Writes what is there already. */
static int rewrites(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY);
    ssize_t count = file < 0 ? 0 : read(file, text, sizeof text);
    file = open(path, O_WRONLY);
    if (file < 0) return -1;
    return write(file, text, count > 0 ? count : 0) < 0 ? -1 : 0;
}

static int connects(int family, int kind, int protocol, const void *address, socklen_t size) {
    int one = socket(family, kind, protocol);
    if (one < 0) return -1;
    return connect(one, address, size);
}

static struct sockaddr_in loopback(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return to;
}

static int tcp(int protocol) {
    struct sockaddr_in to = loopback();
    return connects(AF_INET, SOCK_STREAM, protocol, &to, sizeof to);
}

static int sends(int kind, int flags) {
    struct sockaddr_in to = loopback();
    int one = socket(AF_INET, kind, 0);
    if (one < 0) return -1;
    return sendto(one, "x", 1, flags, (struct sockaddr *)&to, sizeof to);
}

static int listens(int family) {
    int one = socket(family, SOCK_STREAM, 0);
    return one < 0 ? -1 : listen(one, 1);
}

static int vsock(void) {
    struct { unsigned short family, zero; unsigned port, cid; unsigned char more[4]; } to = {AF_VSOCK, 0, 22, 2, {0}};
    return connects(AF_VSOCK, SOCK_STREAM, 0, &to, sizeof to);
}

static int unix_path(const char *path) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path, path, sizeof to.sun_path - 1);
    return connects(AF_UNIX, SOCK_STREAM, 0, &to, sizeof to);
}

static int unix_abstract(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int length = snprintf(to.sun_path + 1, sizeof to.sun_path - 1, "palanca-escape-%d", port);
    return connects(AF_UNIX, SOCK_STREAM, 0, &to, offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

/* A socket that was made by socketpair can be sent elsewhere. */
static int unix_pair_datagram(void) {
    int both[2];
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path, below("", "datagram"), sizeof to.sun_path - 1);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, both)) return -1;
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &part, .msg_iovlen = 1};
    return sendmsg(both[0], &message, 0);
}

static int namespace_of(const char *path) {
    int file = open(path, O_RDONLY);
    return file < 0 ? -1 : setns(file, 0);
}

struct clone3_arguments { unsigned long long flags, pidfd, child, parent, exit_signal, more[6]; };

static long clone3_user(void) {
    struct clone3_arguments arguments = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0) _exit(0);
    return pid;
}

static long clone_new(unsigned long flags) {
    long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    return pid;
}

static long vm_read(pid_t pid) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
    long count = process_vm_readv(pid, &here, 1, &there, 1, 0);
    return count < 0 && errno == EFAULT ? 0 : count; /* allowed, and nothing is mapped there */
}

static int moves(const char *from, const char *to) { return rename(from, to); }

static int through_link(const char *target) {
    unlink("link-out");
    if (symlink(target, "link-out")) return -1;
    return open("link-out", O_RDWR);
}

static int handle(void) {
    struct { struct file_handle head; unsigned char bytes[128]; } room = {.head = {.handle_bytes = 128}};
    int mount;
    if (name_to_handle_at(AT_FDCWD, "/", &room.head, &mount, 0)) return -1;
    return open_by_handle_at(AT_FDCWD, &room.head, O_RDONLY);
}

static int limits(pid_t pid) {
    struct rlimit now;
    if (prlimit(pid, RLIMIT_MSGQUEUE, NULL, &now)) return -1;
    return prlimit(pid, RLIMIT_MSGQUEUE, &now, NULL);
}

static int makes_new(const char *path, mode_t mode, dev_t device) {
    unlink(path);
    return mknod(path, mode | 0600, device);
}

static int memfd_runs(void) {
    int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("m", 0);
    char bytes[65536];
    for (ssize_t count; (count = read(from, bytes, sizeof bytes)) > 0;)
        if (write(to, bytes, count) != count) return -1;
    int none = open("/dev/null", O_WRONLY);
    pid_t child = fork();
    if (child == 0) {
        dup2(none, 1);
        fexecve(to, (char *[]){"probes", "nothing", NULL}, (char *[]){NULL});
        _exit(9);
    }
    int status;
    waitpid(child, &status, 0);
    return status == 0 ? 0 : (errno = EACCES, -1);
}

static long int80(void) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return result;
#else
    errno = ENOSYS;
    return -1;
#endif
}

static void terminal(void) {
    char byte = 2; /* TIOCLINUX: the foreground console's number */
    char letter = '\n';
    int number = 0;
    struct winsize size;
    TRY("tty-TIOCSTI", ioctl(0, TIOCSTI, &letter));
    TRY("tty-TIOCSTI-high-bits", syscall(SYS_ioctl, 0, (1UL << 32) | TIOCSTI, &letter));
    TRY("tty-TIOCLINUX", ioctl(0, TIOCLINUX, &byte));
    TRY("tty-TIOCCONS", ioctl(0, TIOCCONS, 0));
    TRY("tty-steal", ioctl(0, TIOCSCTTY, 1));
    TRY("tty-size", ioctl(0, TIOCGWINSZ, &size));
    TRY("tty-process-group", tcgetpgrp(0));
    TRY("tty-waiting", ioctl(0, FIONREAD, &number));
}

static void sockets(void) {
    TRY("tcp", tcp(0));
    TRY("mptcp", tcp(262));
    TRY("fast-open", sends(SOCK_STREAM, MSG_FASTOPEN));
    TRY("udp", sends(SOCK_DGRAM, 0));
    TRY("listen", listens(AF_INET));
    TRY("listen-6", listens(AF_INET6));
    TRY("vsock", vsock());
    TRY("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    TRY("packet", socket(AF_PACKET, SOCK_RAW, htons(3)));
    TRY("raw", socket(AF_INET, SOCK_RAW, 1));
    TRY("raw-6", socket(AF_INET6, SOCK_RAW, 58));
    TRY("ping", socket(AF_INET, SOCK_DGRAM, 1));
    TRY("alg", socket(38, SOCK_SEQPACKET, 0));
    TRY("bluetooth", socket(AF_BLUETOOTH, SOCK_RAW, 0));
    TRY("xdp", socket(44, SOCK_RAW, 0));
    TRY("smc", socket(43, SOCK_STREAM, 0));
    TRY("unix-path", unix_path(below("", "socket")));
    TRY("unix-path-through-root", unix_path(below("/proc/self/root", "socket")));
    TRY("unix-path-in-workspace", unix_path("given-socket"));
    TRY("unix-abstract", unix_abstract());
    TRY("unix-pair-datagram", unix_pair_datagram());
    int both[2];
    TRY("unix-pair", socketpair(AF_UNIX, SOCK_STREAM, 0, both));
}

static void mounts(void) {
    TRY("remount-root", mount("none", "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    TRY("remount-usr", mount("none", "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
    TRY("remount-proc", mount("none", "/proc", NULL, MS_REMOUNT | MS_BIND, NULL));
    TRY("remount-program", system("mount -o remount,rw,bind / 2>/dev/null") == 0 ? 0 : (errno = EPERM, -1));
    TRY("umount-mask", umount2("masked", MNT_DETACH));
    TRY("umount-protected", umount2(".git", MNT_DETACH));
    TRY("umount-proc", umount2("/proc", MNT_DETACH));
    TRY("mount-over-protected", mount("/etc", ".git/config", NULL, MS_BIND, NULL));
    TRY("mount-bind", mount("/etc", "/tmp", NULL, MS_BIND | MS_REC, NULL));
    TRY("mount-tmpfs", mount("none", "/tmp", "tmpfs", 0, NULL));
    TRY("mount-proc", mount("none", "/tmp", "proc", 0, NULL));
    TRY("mount-cgroup", mount("none", "/tmp", "cgroup", 0, "memory"));
    TRY("mount-cgroup2", mount("none", "/tmp", "cgroup2", 0, NULL));
    CALL("fsopen", SYS_fsopen, "cgroup2", 0L);
    CALL("open_tree", SYS_open_tree, AT_FDCWD, "/", 1L);
    CALL("open_tree_attr", 467, AT_FDCWD, "/", 1L, 0L, 0L);
    CALL("mount_setattr", SYS_mount_setattr, AT_FDCWD, "/", 0L, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32L);
    TRY("chroot", chroot("."));
    CALL("pivot_root", SYS_pivot_root, ".", ".");
    TRY("unshare-user", unshare(CLONE_NEWUSER));
    TRY("unshare-mount", unshare(CLONE_NEWNS));
    TRY("unshare-net", unshare(CLONE_NEWNET));
    TRY("unshare-program", system("unshare -Urm true 2>/dev/null") == 0 ? 0 : (errno = EPERM, -1));
    TRY("clone-user", clone_new(CLONE_NEWUSER));
    TRY("clone-user-mount", clone_new(CLONE_NEWUSER | CLONE_NEWNS));
    TRY("clone3-user", clone3_user());
    TRY("setns-1-mnt", namespace_of("/proc/1/ns/mnt"));
    TRY("setns-1-user", namespace_of("/proc/1/ns/user"));
    TRY("setns-own-net", namespace_of("/proc/self/ns/net"));
    TRY("setns-parent-pid", namespace_of("/proc/self/ns/pid_for_children"));
}

static void kernel(void) {
    char parameters[256] = {0};
    struct timeval now;
    struct timespec precise;
    gettimeofday(&now, NULL);
    clock_gettime(CLOCK_REALTIME, &precise);
    CALL("io_uring", SYS_io_uring_setup, 4L, parameters);
    CALL("bpf", SYS_bpf, 0L, "\2\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 48L);
    CALL("userfaultfd", SYS_userfaultfd, 1L);
    CALL("perf", SYS_perf_event_open, "\1\0\0\0\x70\0\0", 0L, -1L, -1L, 0L);
    CALL("keyctl", SYS_keyctl, 0L, -3L, 1L);
    CALL("add_key", SYS_add_key, "user", "palanca", "x", 1L, -1L);
    CALL("request_key", SYS_request_key, "user", "palanca", 0L, -1L);
    CALL("kexec", SYS_kexec_load, 0L, 0L, 0L, 0L);
    CALL("init_module", SYS_init_module, "", 0L, "");
    CALL("finit_module", SYS_finit_module, 0L, "", 0L);
    CALL("reboot", SYS_reboot, 0L, 0L, 0L);
    CALL("swapon", SYS_swapon, "/nothing", 0L);
    CALL("acct", SYS_acct, 0L);
    CALL("syslog", SYS_syslog, 3L, parameters, 10L);
    TRY("settimeofday", settimeofday(&now, NULL));
    TRY("clock_settime", clock_settime(CLOCK_REALTIME, &precise));
    TRY("hostname", sethostname("x", 1));
    TRY("by-handle", handle());
    TRY("personality", personality(READ_IMPLIES_EXEC));
    TRY("personality-32", personality(PER_LINUX32) >= 0 ? 0 : -1);
#if defined(__x86_64__)
    CALL("iopl", SYS_iopl, 3L);
    TRY("x32", syscall(0x40000000 | SYS_getpid));
#endif
    TRY("i386", int80());
    TRY("setuid-0", setuid(getuid() == 0 ? 1 : 0));
    TRY("setgroups", syscall(SYS_setgroups, 1L, (int[]){27}));
    TRY("memfd-exec", memfd_runs());
}

static void processes(void) {
    char path[64];
    TRY("ptrace-1", ptrace(PTRACE_SEIZE, 1, 0, 0));
    TRY("ptrace-host", ptrace(PTRACE_SEIZE, victim, 0, 0));
    TRY("vm-read-1", vm_read(1));
    TRY("vm-read-host", vm_read(victim));
    TRY("signal-1", kill(1, SIGCONT));
    TRY("signal-host", kill(victim, 0));
    CALL("pidfd-host", SYS_pidfd_open, victim, 0L);
    TRY("limits-host", limits(victim));
    TRY("nice-host", setpriority(PRIO_PROCESS, victim, getpriority(PRIO_PROCESS, victim)));
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    TRY("affinity-host", sched_setaffinity(victim, sizeof all, &all));
    TRY("shared-memory-host", shmat(segment, NULL, SHM_RDONLY) == (void *)-1 ? -1 : 0);
    const char *names[] = {"environ", "mem", "root", "cwd", "fd/0", "exe", "maps", "ns/mnt"};
    for (int i = 0; i < 8; i++) {
        for (int whose = 0; whose < 2; whose++) {
            char name[64];
            snprintf(path, sizeof path, "/proc/%d/%s", whose ? (int)victim : 1, names[i]);
            snprintf(name, sizeof name, "proc-%s-%s", whose ? "host" : "1", names[i]);
            char target[256];
            TRY(name, i == 2 || i == 3   ? lists(path)
                      : i == 4 || i == 5 ? readlink(path, target, sizeof target)
                                         : opens(path, O_RDONLY));
        }
    }
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)victim);
    TRY("proc-host-cmdline", reads(path));
}

static void files(void) {
    TRY("read-outside", reads(below("", "secret")));
    TRY("read-outside-root", reads(below("/proc/self/root", "secret")));
    TRY("read-outside-root-1", reads(below("/proc/1/root", "secret")));
    TRY("read-outside-dots", reads(below("../../../../../../..", "secret")));
    TRY("stat-outside", access(below("", "secret"), F_OK));
    TRY("list-outside", lists(below("", "")));
    TRY("write-outside", opens(below("", "secret"), O_WRONLY));
    TRY("create-outside", opens(below("", "created"), O_WRONLY | O_CREAT));
    TRY("truncate-outside", truncate(below("", "secret"), 6));
    TRY("chmod-outside", chmod(below("", "secret"), 0666));
    TRY("utime-outside", utimes(below("", "secret"), NULL));
    TRY("unlink-outside", unlink(below("", "gone")));
    TRY("link-outside", through_link(below("", "secret")));
    TRY("rename-in", moves(below("", "moved"), "moved-in"));
    close(open("inner", O_CREAT | O_WRONLY, 0644));
    TRY("rename-out", moves("inner", below("", "moved-out")));
    close(open("inner", O_CREAT | O_WRONLY, 0644));
    TRY("hard-link-in", link(below("", "secret"), "linked-in"));
    TRY("hard-link-out", link("inner", below("", "linked-out")));
    TRY("exchange", renameat2(AT_FDCWD, "inner", AT_FDCWD, below("", "secret"), RENAME_EXCHANGE));
    TRY("write-etc", opens("/etc/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-usr", opens("/usr/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-root", opens("/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-root-home", opens("/root/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-home", opens("/home/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-var", opens("/var/lib/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-boot", opens("/boot/palanca-escape", O_WRONLY | O_CREAT));
    TRY("write-passwd", opens("/etc/passwd", O_WRONLY | O_APPEND));
    TRY("read-shadow", reads("/etc/shadow"));
    TRY("read-masked", reads("masked"));
    TRY("masked-gone", unlink("masked"));
    TRY("masked-renamed", moves("masked", "unmasked"));
    TRY("masked-linked", link("masked", "unmasked"));
    TRY("masked-exchanged", renameat2(AT_FDCWD, "inner", AT_FDCWD, "masked", RENAME_EXCHANGE));
    TRY("list-home", lists("/home"));
    TRY("list-root", lists("/root"));
    TRY("core-pattern", rewrites("/proc/sys/kernel/core_pattern"));
    TRY("modprobe-path", rewrites("/proc/sys/kernel/modprobe"));
    TRY("binfmt", opens("/proc/sys/fs/binfmt_misc/register", O_WRONLY));
    TRY("sysrq", opens("/proc/sysrq-trigger", O_WRONLY));
    TRY("kcore", reads("/proc/kcore"));
    TRY("kmsg", opens("/proc/kmsg", O_RDONLY));
    TRY("timens", opens("/proc/self/timens_offsets", O_WRONLY));
    TRY("uid-map", opens("/proc/self/uid_map", O_WRONLY));
    TRY("max-namespaces", rewrites("/proc/sys/user/max_user_namespaces"));
    TRY("uevent", opens("/sys/kernel/uevent_helper", O_WRONLY));
    TRY("cgroup-release", opens("/sys/fs/cgroup/release_agent", O_WRONLY));
    const char *devices[] = {"vda", "sda", "nvme0n1", "kvm", "mem", "port", "kmsg", "loop-control", "fuse", "vsock",
                             "console", "tty0", "userfaultfd", "net/tun", "vhost-vsock", "mapper/control", "input/event0"};
    for (int i = 0; i < 17; i++) {
        char path[64], name[64];
        snprintf(path, sizeof path, "/dev/%s", devices[i]);
        snprintf(name, sizeof name, "device-%s", devices[i]);
        TRY(name, opens(path, O_RDONLY));
    }
    TRY("mknod-block", makes_new("block", S_IFBLK, makedev(254, 0)));
    TRY("mknod-memory", makes_new("memory", S_IFCHR, makedev(1, 1)));
    TRY("mknod-null", makes_new("null", S_IFCHR, makedev(1, 3)));
    TRY("mknod-tmp", makes_new("/tmp/block", S_IFBLK, makedev(254, 0)));
    TRY("mknod-shm", makes_new("/dev/shm/block", S_IFBLK, makedev(254, 0)));
    TRY("setuid-file", chmod("inner", 04755));
    TRY("setuid-fd", ({ int inner = open("inner", O_RDONLY); fchmod(inner, 06755); }));
    TRY("setuid-new", open("new-setuid", O_CREAT | O_WRONLY, 04755));
    TRY("chmod-device", chmod("/dev/null", 0666));
    TRY("chmod-input", fchmod(0, 0666));
    TRY("chmod-input-path", chmod("/proc/self/fd/0", 0666));
    TRY("chmod-usr", chmod("/usr/bin/env", 0755));
}

static void protected(void) {
    const char *absent[] = {".git/hooks", ".mcp.json", ".vscode", ".vscode/tasks.json", ".claude", ".claude/settings.json",
                            ".codex/config.toml", "sub/.git/config", "sub/deep/.mcp.json"};
    for (int i = 0; i < 9; i++) {
        char name[64];
        snprintf(name, sizeof name, "make-%s", absent[i]);
        TRY(name, open(absent[i], O_CREAT | O_EXCL | O_WRONLY, 0644));
        snprintf(name, sizeof name, "directory-%s", absent[i]);
        TRY(name, mkdir(absent[i], 0755));
        snprintf(name, sizeof name, "place-%s", absent[i]);
        TRY(name, moves("inner", absent[i]));
        snprintf(name, sizeof name, "link-%s", absent[i]);
        TRY(name, symlink("/etc", absent[i]));
    }
    TRY("write-.git/config", open(".git/config", O_WRONLY));
    TRY("replace-.git/config", moves("inner", ".git/config"));
    TRY("remove-.git/config", unlink(".git/config"));
    TRY("move-.git/config", moves(".git/config", "config"));
    TRY("exchange-.git/config", renameat2(AT_FDCWD, "inner", AT_FDCWD, ".git/config", RENAME_EXCHANGE));
    TRY("chmod-.git/config", chmod(".git/config", 0777));
    TRY("hard-link-.git/config", link(".git/config", "config"));
    TRY("move-.git", moves(".git", "g"));
    TRY("move-sub", moves("sub", "x"));
    TRY("move-sub/deep", moves("sub/deep", "x"));
    mkdir("empty", 0755);
    TRY("exchange-sub", renameat2(AT_FDCWD, "empty", AT_FDCWD, "sub", RENAME_EXCHANGE));
    TRY("replace-.vscode", moves("empty", ".vscode"));
    rmdir("empty");
    TRY("remove-.vscode", rmdir(".vscode"));
    char here[4096];
    TRY("move-workspace", moves(getcwd(here, sizeof here), "/tmp/elsewhere"));
    TRY("write-beside", ({ close(open("sub/new", O_CREAT | O_WRONLY, 0644)); unlink("sub/new"); }));
    TRY("write-in-.git", ({ close(open(".git/index", O_CREAT | O_WRONLY, 0644)); unlink(".git/index"); }));
}

/* A signal that the kernel sends in our name when something can be read. Stopping is seen and can be undone. */
static int asynchronous(pid_t whom) {
    int ends[2];
    char path[64], stat[512] = "";
    if (pipe(ends) < 0 || fcntl(ends[0], F_SETOWN, whom) < 0 || fcntl(ends[0], F_SETSIG, SIGSTOP) < 0) return -1;
    if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0 || write(ends[1], "x", 1) < 0) return -1;
    usleep(20000);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)whom);
    int file = open(path, O_RDONLY);
    if (file < 0 || read(file, stat, sizeof stat - 1) < 0) return -1;
    char *end = strrchr(stat, ')');
    fcntl(ends[0], F_SETFL, O_NONBLOCK); /* or the end of this process would send another */
    kill(whom, SIGCONT);
    errno = EPERM;
    return end && (end[2] == 'T') ? 0 : -1;
}

/* The processes of the sandbox itself: the one that started this one, and whoever else that one started. */
static void keepers(pid_t keeper) {
    char path[64], name[64], text[256] = "";
    struct iovec here = {text, 1}, there = {&port, 1};
    TRY("keeper-signal", kill(keeper, 0));
    TRY("keeper-thread-signal", syscall(SYS_tgkill, keeper, keeper, 0));
    TRY("keeper-queued-signal", sigqueue(keeper, 0, (union sigval){0}));
    TRY("keeper-pidfd-signal", ({ int fd = syscall(SYS_pidfd_open, keeper, 0); fd < 0 ? -1 : syscall(SYS_pidfd_send_signal, fd, 0, 0, 0); }));
    TRY("keeper-descriptor", ({ int fd = syscall(SYS_pidfd_open, keeper, 0); fd < 0 ? -1 : syscall(SYS_pidfd_getfd, fd, 0, 0); }));
    TRY("host-async-signal", asynchronous(victim));
    TRY("keeper-vm-write", process_vm_writev(keeper, &here, 1, &there, 1, 0));
    TRY("keeper-ptrace", ptrace(PTRACE_SEIZE, keeper, 0, 0));
    TRY("keeper-limits", prlimit(keeper, RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}, NULL));
    TRY("keeper-robust-list", ({ void *head; size_t size; syscall(SYS_get_robust_list, keeper, &head, &size); }));
    TRY("keeper-move-pages", syscall(SYS_move_pages, keeper, 0UL, 0, 0, 0, 0));
    const char *files[] = {"mem", "environ", "clear_refs", "oom_score_adj", "coredump_filter", "sched", "comm"};
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)keeper, files[i]);
        snprintf(name, sizeof name, "keeper-write-%s", files[i]);
        TRY(name, opens(path, i == 1 ? O_RDONLY : O_WRONLY));
    }
    TRY("own-oom-score", ({ int fd = open("/proc/self/oom_score_adj", O_WRONLY); fd < 0 ? -1 : write(fd, "0", 1); }));
}

/* What came to the kernel lately, and what is rarely thought of. */
static void rare(void) {
    char list[4096];
    struct { unsigned long set, clear, propagation, user; } tree = {0};
    struct { unsigned long flags; unsigned extent, next, project, cow; unsigned long more; } attributes = {0x40}; /* no dump */
    const char *secret = below("", "secret");
    TRY("open-tree-attr", syscall(467, AT_FDCWD, "/", 1 /* clone */, &tree, sizeof tree));
    TRY("file-attr-outside", syscall(469, AT_FDCWD, secret, &attributes, sizeof attributes, 0));
    TRY("xattr-outside", setxattr(secret, "user.palanca", "x", 1, 0));
    TRY("acl-outside", removexattr(secret, "system.posix_acl_access"));
    TRY("owner-outside", chown(secret, getuid(), getgid()));
    TRY("watch-outside", inotify_add_watch(inotify_init(), outside, IN_CREATE));
    TRY("watch-mount", syscall(SYS_fanotify_init, 0x200 /* report ids */, 0));
    TRY("swap-off", swapoff("/dev/null"));
    TRY("kallsyms", ({ FILE *file = fopen("/proc/kallsyms", "r"); !file || !fgets(list, 64, file) || strncmp(list, "0000000000000000", 16) == 0 ? (errno = EPERM, -1) : 0; }));
    TRY("pagemap", ({ unsigned long entry = 0; int fd = open("/proc/self/pagemap", O_RDONLY); pread(fd, &entry, 8, (unsigned long)&port / 4096 * 8) != 8 || (entry & 0x7fffffffffffff) == 0 ? (errno = EPERM, -1) : 0; }));
    TRY("irq", opens("/proc/irq/default_smp_affinity", O_WRONLY));
    TRY("pci", opens("/proc/bus/pci/00/00.0", O_WRONLY));
    TRY("cgroup-root", mkdir("/sys/fs/cgroup/palanca-escape", 0755));
    TRY("docker", reads("/run/docker.sock"));
    TRY("line-discipline", ({ int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY), mouse = 2; terminal < 0 ? -1 : ioctl(terminal, TIOCSETD, &mouse); }));
    TRY("alarm-clock", ({ timer_t timer; timer_create(CLOCK_REALTIME_ALARM, NULL, &timer); }));
    TRY("real-time", sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){1}));
    TRY("deadline", ({ struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long run, deadline, period; } wish = {48, 6, 0, 0, 0, 1000000, 10000000, 10000000}; syscall(SYS_sched_setattr, 0, &wish, 0); }));
    TRY("nice-up", setpriority(PRIO_PROCESS, 0, -10));
    TRY("io-priority", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    TRY("lock-memory", mlock2(mmap(NULL, 256 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 256 << 20, MLOCK_ONFAULT));
}

static void allowed(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "own-socket"};
    TRY("own-socket", ({ int own = socket(AF_UNIX, SOCK_STREAM, 0); own < 0 ? -1 : bind(own, (void *)&name, sizeof name); }));
    unlink("own-socket");
    TRY("workspace-file", unlink("inner"));
    TRY("private-tmp", open("/tmp/palanca-escape-tmp", O_CREAT | O_WRONLY, 0644));
    TRY("private-var-tmp", open("/var/tmp/palanca-escape-tmp", O_CREAT | O_WRONLY, 0644));
    TRY("read-passwd", reads("/etc/passwd"));
    TRY("null", opens("/dev/null", O_RDWR));
    TRY("random", reads("/dev/urandom"));
    TRY("fork", ({ pid_t pid = fork(); if (pid == 0) _exit(0); pid; }));
}

int main(int count, char **arguments) {
    self = arguments;
    if (count == 2 && strcmp(arguments[1], "nothing") == 0) return 0;
    if (count == 2 && strcmp(arguments[1], "terminal") == 0) {
        terminal();
        return 0;
    }
    if (count != 5) return 2;
    outside = arguments[1];
    port = atoi(arguments[2]);
    victim = atoi(arguments[3]);
    segment = atoi(arguments[4]);
    signal(SIGPIPE, SIG_IGN);
    sockets();
    mounts();
    kernel();
    processes();
    files();
    protected();
    keepers(getppid());
    rare();
    allowed();
    return 0;
}
