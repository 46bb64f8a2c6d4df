// Programs that are hard to serve: many threads, signals and ends in the middle of a call, pointers that lead nowhere, and
// other threads that change a path, a descriptor or a directory while somebody looks at it. What is printed is the same
// wherever it runs, unless it says that something was got that must not be had.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;
static char *word(int number) { static __thread char text[64]; sprintf(text, "f%d", number); return text; }
static void say(const char *what, long number) { printf("%s %ld\n", what, number); fflush(stdout); }
static void *thread(void *(*run)(void *), void *with) { pthread_t made; pthread_create(&made, 0, run, with); return (void *)made; }
static void join(void *made) { pthread_join((pthread_t)made, 0); }

// A call that a signal ended before it was looked at has done nothing, and is made again.
static int ends_early;
#define RETRY(call) ({ long r; do r = (call); while (r < 0 && ends_early && errno == EINTR); r; })

// Makes, writes, renames and removes files of its own; how often something went wrong.
static long busy(const char *prefix, int rounds) {
    long wrong = 0;
    char one[64], two[64];
    for (int i = 0; i < rounds; i++) {
        sprintf(one, "%s-%d", prefix, i), sprintf(two, "%s+%d", prefix, i);
        int fd = RETRY(open(one, O_WRONLY | O_CREAT | O_EXCL, 0644));
        wrong += fd < 0 || write(fd, "x", 1) != 1 || close(fd) || RETRY(rename(one, two)) || RETRY(mkdir(one, 0755)) || RETRY(rmdir(one)) || RETRY(unlink(two));
    }
    return wrong;
}

static void *busy_thread(void *name) { return (void *)busy(name, 80); }

static void many(void) {
    pthread_t threads[16];
    char names[16][8];
    long wrong = 0;
    for (int i = 0; i < 16; i++) sprintf(names[i], "t%d", i), pthread_create(&threads[i], 0, busy_thread, names[i]);
    for (int i = 0; i < 16; i++) { void *result; pthread_join(threads[i], &result); wrong += (long)result; }
    say("wrong", wrong);
}

static volatile long alarms;
static void count_alarm(int signal) { alarms++; }
static void signals(int flags) {
    struct sigaction action = {.sa_handler = count_alarm, .sa_flags = flags};
    struct itimerval each = {{0, 200}, {0, 200}}, none = {{0}};
    ends_early = !(flags & SA_RESTART);
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &each, 0);
    long wrong = busy("signal", 600);
    setitimer(ITIMER_REAL, &none, 0);
    say("wrong", wrong);
    say("alarms", alarms > 10);
}

static int in_child(void *how) {
    int fd = open("shared", O_WRONLY | O_CREAT, 0644);
    write(fd, "child", 5);
    long wrong = busy("child", 20);
    chdir("below");
    busy("below", 5);
    _exit(wrong ? 99 : fd);
}
static void shared(int flags) {
    static char stack[1 << 16];
    int status;
    close_range(3, ~0u, 0), mkdir("below", 0755);
    pid_t child = clone(in_child, stack + sizeof stack, flags | SIGCHLD, 0);
    waitpid(child, &status, __WALL);
    say("status", status);
    say("descriptor", fcntl(WEXITSTATUS(status), F_GETFD) >= 0);
    say("moved", access("shared", F_OK) != 0);
}

static void stopped(void) {
    pid_t child = fork();
    if (!child) _exit(busy("stopped", 600) ? 1 : 0);
    int status = 0, rounds = 0;
    while (waitpid(child, &status, WNOHANG) == 0 && rounds++ < 100000) kill(child, SIGSTOP), sched_yield(), kill(child, SIGCONT), usleep(50);
    say("status", status);
}

static void killed(void) {
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (!child) { char name[32]; sprintf(name, "dead%d", i); for (;;) busy(name, 100); }
        usleep(i * 7 % 900);
        kill(child, SIGKILL), waitpid(child, 0, 0);
    }
    say("wrong", busy("after", 50));
}

static void *forever(void *name) { for (;;) busy(name, 100); }
static void replaced(char *self) {
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (!child) { thread(forever, "one"), thread(forever, "two"), usleep(i * 29 % 700); execl(self, self, "replacement", NULL); _exit(1); }
        int status;
        waitpid(child, &status, 0);
        if (status) say("status", status);
    }
    say("wrong", busy("after", 50));
}

static void *write_fifo(void *name) {
    int fd = open(name, O_WRONLY);
    return (void *)(long)(fd >= 0 && write(fd, "through", 7) == 7 && close(fd) == 0);
}
static void fifos(void) {
    char text[16] = "";
    void *result;
    mkfifo("fifo", 0600);
    pthread_t writer = (pthread_t)thread(write_fifo, "fifo");
    usleep(20000);
    say("wrong while a fifo waits", busy("beside", 50));
    int fd = open("fifo", O_RDONLY);
    pthread_join(writer, &result);
    say("written", (long)result);
    say("read", read(fd, text, 16));
    close(fd);
    say("nobody reads", open("fifo", O_WRONLY | O_NONBLOCK) < 0 && errno == ENXIO);
    pid_t child = fork();
    if (!child) { open("fifo", O_WRONLY); _exit(0); }
    usleep(20000), kill(child, SIGKILL), waitpid(child, 0, 0);
    child = fork();
    if (!child) { write_fifo("fifo"); _exit(0); }
    fd = open("fifo", O_RDONLY);
    say("read", read(fd, text, 16));
    waitpid(child, 0, 0);
}

// What has no name but its number in /proc.
static void numbers(void) {
    char name[64];
    int pipes[2], got, memory = memfd_create("memory", 0);
    const char *const FORMS[] = {"/proc/self/fd/%d", "/proc/%2$d/fd/%1$d", "/proc/%2$d/task/%2$d/fd/%1$d", "/proc/thread-self/fd/%d", "/dev/fd/%d"};
    pipe(pipes);
    for (int i = 0; i < 5; i++) {
        sprintf(name, FORMS[i], pipes[1], getpid()), got = open(name, O_WRONLY), say("pipe", got >= 0), close(got);
        sprintf(name, FORMS[i], memory, getpid()), got = open(name, O_RDWR), say("memory", got >= 0), close(got);
    }
    chdir("/proc/self/fd"), sprintf(name, "%d", pipes[1]);
    say("from there", open(name, O_WRONLY) >= 0);
}

// Whoever waits for another's lease holds nobody up.
static void leases(void) {
    int *opened = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), status;
    signal(SIGIO, SIG_IGN);
    close(open("leased", O_WRONLY | O_CREAT, 0644));
    int fd = open("leased", O_RDONLY);
    // Not every file system has them.
    while (fcntl(fd, F_SETLEASE, F_RDLCK)) { if (errno != EAGAIN) return; sched_yield(); }
    pid_t child = fork();
    if (!child) { close(fd), fd = open("leased", O_WRONLY), *opened = 1; _exit(fd < 0); }
    while (fcntl(fd, F_GETLEASE) == F_RDLCK) sched_yield();
    say("wrong while a lease is asked back", busy("beside", 20));
    say("opened", *opened);
    fcntl(fd, F_SETLEASE, F_UNLCK), waitpid(child, &status, 0);
    say("status", status), say("opened", *opened);
}

// Nobody else has a program open for writing any more when its writer has closed it.
static void started(const char *self) {
    static char bytes[1 << 20];
    int fd = open(self, O_RDONLY), length = read(fd, bytes, sizeof bytes), status;
    long wrong = 0;
    for (int i = 0; i < 100; i++) {
        close(fd), fd = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0755);
        write(fd, bytes, length), close(fd), fd = -1;
        pid_t child = vfork();
        if (!child) execl("copy", "copy", "nothing", NULL), _exit(1);
        waitpid(child, &status, 0), wrong += status != 0;
        if (i % 2) unlink("copy");
    }
    say("wrong", wrong);
}

// Becomes another program where the kernel asks nobody about system calls, as before Linux 5.0.
static void unasked(char **words) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) exit(1);
    execv(words[0], words), exit(1);
}

static char *edge(int which) {
    char *pages = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = pages + 8192;
    mprotect(end, 4096, PROT_NONE);
    switch (which) {
    case 0: return 0;
    case 1: return (char *)1;
    case 2: return (char *)0xffff800000000000ull;
    case 3: return end;
    case 4: memset(end - 8, 'a', 8); return end - 8;
    case 5: return memcpy(end - 5, "edge", 5);
    case 6: return memcpy(end - 4096 - 2, "over", 5);
    case 7: return memset(pages, 'x', 4095), pages[4095] = 0, pages;
    case 8: return memset(pages, 'x', 4096), pages[4096] = 0, pages;
    case 9: return memset(pages, 'x', 255), pages;
    case 10: return memset(pages, 'x', 256), pages;
    case 11: for (int i = 0; i < 4094; i += 2) pages[i] = '.', pages[i + 1] = '/'; return strcpy(pages + 4090, "dots"), pages;
    case 12: return strcpy(pages, "");
    case 13: return strcpy(pages, "\xff\xfe\n\t");
    case 14: return strcpy(pages, ".");
    case 15: return strcpy(pages, "edge/..");
    case 16: return strcpy(pages, ".//");
    case 17: return strcpy(pages, "loop");
    case 18: return strcpy(pages, "./edge/../edge");
    default: return strcpy(pages, "/proc/self/fd/999/x");
    }
}
static void edges(void) {
    static const struct { const char *name; long number; int path; long rest[4]; } CALLS[] = {
        {"openat", SYS_openat, 1, {O_WRONLY | O_CREAT, 0644}}, {"openat-odd", SYS_openat, 1, {0x7fffffff, 0644}}, {"openat-high", SYS_openat, 1, {O_WRONLY | O_CREAT | (1L << 40), 0171777}},
        {"mkdirat", SYS_mkdirat, 1, {0771777}}, {"mknodat", SYS_mknodat, 1, {0100644, 0}}, {"unlinkat", SYS_unlinkat, 1, {0}}, {"unlinkat-odd", SYS_unlinkat, 1, {77}},
        {"fchmodat", SYS_fchmodat, 1, {0171777}}, {"fchownat", SYS_fchownat, 1, {-1, -1, 0}}, {"fchownat-odd", SYS_fchownat, 1, {-1, -1, 7}}, {"utimensat", SYS_utimensat, 1, {0, 0}}, {"utimensat-far", SYS_utimensat, 1, {1, 0}},
        {"truncate", SYS_truncate, 0, {0}}, {"setxattr", SYS_setxattr, 0, {(long)"user.x", (long)"x", 1, 0}}, {"setxattr-far", SYS_setxattr, 0, {1, (long)"x", 1, 0}}, {"setxattr-odd", SYS_setxattr, 0, {(long)"user.x", (long)"x", 1, 99}}, {"removexattr-far", SYS_removexattr, 0, {8}},
    };
    symlink("loop", "loop");
    for (unsigned call = 0; call < sizeof CALLS / sizeof *CALLS; call++)
        for (int which = 0; which < 20; which++)
            for (int fd = -101; fd < 1000; fd += 1100 / 2) {
                long a[6] = {fd == -101 ? AT_FDCWD : fd}, at = CALLS[call].path;
                a[at] = (long)edge(which);
                memcpy(a + at + 1, CALLS[call].rest, sizeof CALLS[call].rest - (at ? 8 : 0));
                errno = 0;
                long result = syscall(CALLS[call].number, a[0], a[1], a[2], a[3], a[4], a[5]);
                printf("%s %d %d %s\n", CALLS[call].name, which, fd, result < 0 ? strerrorname_np(errno) : "ok");
                close_range(3, ~0u, 0);
            }
    for (int one = 0; one < 20; one++)
        for (int two = 0; two < 20; two += 1 + (one != 5)) {
            // A folder without a name of its own is refused before the other name is read.
            if (one == 14 || one == 16) continue;
            printf("two %d %d", one, two);
            printf(" %s", syscall(SYS_renameat2, AT_FDCWD, edge(one), AT_FDCWD, edge(two), 0) ? strerrorname_np(errno) : "ok");
            printf(" %s", syscall(SYS_linkat, AT_FDCWD, edge(one), AT_FDCWD, edge(two), 0) ? strerrorname_np(errno) : "ok");
            printf(" %s\n", syscall(SYS_symlinkat, edge(one), AT_FDCWD, edge(two)) ? strerrorname_np(errno) : "ok");
        }
}

// Nonsense of all kinds, from many threads at once; some of it is almost right.
static void *nonsense(void *seed) {
    static const int NUMBERS[] = {SYS_openat, SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmodat, SYS_fchmod,
        SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_truncate, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_fremovexattr, SYS_bind, SYS_ioctl, 452, 463, 466, 469, 437, SYS_openat, SYS_openat, SYS_umask, SYS_lremovexattr,
#ifdef SYS_open
        SYS_open, SYS_unlink, SYS_rmdir, SYS_mkdir, SYS_rename, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    };
    static const char *const PATHS[] = {"a", "b", "d/a", "d/b", "d", "l", "d/../d/a", "protected/f", "secret/f", "/etc/passwd", "../x", "/proc/self/fd/3", "/proc/self/fd/4", "/dev/null",
        "/proc/self/cwd/a", "/proc/self/root/tmp/x", "", ".", "/", "l/a", "/dev/fd/5", "/proc/self/mem", "/proc/thread-self/attr/current", "/tmp/x"};
    unsigned long state = (unsigned long)seed * 0x9e3779b97f4a7c15ul + 1;
#define NEXT (state ^= state << 13, state ^= state >> 7, state ^= state << 17)
    static char changing[64];
    for (int i = 0; i < 400; i++) {
        long arguments[6];
        // Others look at it meanwhile.
        strcpy(changing, PATHS[NEXT % (sizeof PATHS / sizeof *PATHS)]);
        int number = NUMBERS[NEXT % (sizeof NUMBERS / sizeof *NUMBERS)];
        for (int k = 0; k < 6; k++)
            switch (NEXT % 8) {
            case 0: arguments[k] = NEXT; break;
            case 1: arguments[k] = (int)(NEXT % 12); break;
            case 2: arguments[k] = AT_FDCWD; break;
            case 3: arguments[k] = (long)edge(NEXT % 20); break;
            case 4: arguments[k] = O_NONBLOCK | (NEXT & 0x3fffff); break;
            case 5: arguments[k] = 1l << NEXT % 64; break;
            case 6: arguments[k] = (long)changing; break;
            default: arguments[k] = (long)PATHS[NEXT % (sizeof PATHS / sizeof *PATHS)];
            }
        // Nobody would ever come to the other end of a FIFO.
        if (number == SYS_openat) arguments[2] |= O_NONBLOCK;
        if (NEXT % 4) arguments[0] = AT_FDCWD, arguments[1] = (long)PATHS[NEXT % (sizeof PATHS / sizeof *PATHS)];
#ifdef SYS_open
        if (number == SYS_open) arguments[0] = arguments[1], arguments[1] = O_NONBLOCK | (NEXT & 0x3fffff);
#endif
        if (number == SYS_ioctl && NEXT % 2) arguments[1] = 0x40086602; // FS_IOC_SETFLAGS
        syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    }
    return 0;
}
#ifdef __x86_64__
static void foreign(int which) {
    long result = 39;
    if (which) syscall(0x40000000 | SYS_mkdir, "foreign", 0755);
    else __asm__ volatile("int $0x80" : "+a"(result) : "b"("foreign"), "c"(0755) : "memory");
}
#endif
static void nonsenses(long seed) {
    mkdir("d", 0755), symlink("d", "l");
    int status, children = 6;
#ifdef __x86_64__
    for (int which = 0; which < 2; which++) {
        pid_t child = fork();
        if (!child) foreign(which), _exit(0);
        waitpid(child, &status, 0);
        if (!WIFSIGNALED(status) || !access("foreign", F_OK)) say("a system call of another kind got through", which);
    }
#endif
    for (int i = 0; i < children; i++)
        if (!fork()) {
            void *threads[8];
            for (long k = 0; k < 8; k++) threads[k] = thread(nonsense, (void *)(seed * 1000 + i * 8 + k));
            for (int k = 0; k < 8; k++) join(threads[k]);
            _exit(0);
        }
    while (children-- && wait(&status) > 0) {}
    say("ended", children);
}

// Two folders with names of one length; only one may be written.
static char path[64] = "aaaaaaaaa/f";
static int folders[2];
static void *rewrite(void *_) { for (unsigned i = 0; !stop; i++) memcpy(path, i & 1 ? "protected" : "aaaaaaaaa", 9); return 0; }
static void *go_about(void *_) { for (unsigned i = 0; !stop; i++) fchdir(folders[i & 1]); return 0; }
static void *redirect(void *_) { for (unsigned i = 0; !stop; i++) dup2(folders[i & 1], 50); return 0; }
static void *exchange(void *with) { while (!stop) rename("swap", "aside"), rename(with, "swap"), rename("aside", with); return 0; }
static void *wait_for_it(void *_) { while (!stop) usleep(1000); return 0; }

static void race(const char *kind, long tries) {
    struct stat granted, about;
    long opened = 0, wrong = 0, refused = 0;
    const char *name = "f";
    int at = AT_FDCWD;
    void *(*other)(void *) = wait_for_it;
    folders[0] = open("aaaaaaaaa", O_RDONLY | O_DIRECTORY), folders[1] = open("protected", O_RDONLY | O_DIRECTORY);
    if (!strcmp(kind, "memory")) other = rewrite, name = path;
    if (!strcmp(kind, "directory")) other = go_about;
    if (!strcmp(kind, "descriptor")) other = redirect, at = 50, dup2(folders[0], 50);
    if (!strcmp(kind, "descriptor-path")) other = redirect, name = "/proc/self/fd/50/f", dup2(folders[0], 50);
    if (!strcmp(kind, "names")) other = exchange, name = "swap/f";
    if (!strcmp(kind, "names-outside")) name = "swap/f";
    // The folder that is held, whatever its name is by now.
    if (!strncmp(kind, "handle", 6)) at = folders[0] = open("swap", O_RDONLY | O_DIRECTORY);
    if (!strncmp(kind, "names", 5)) folders[0] = open("swap", O_RDONLY | O_DIRECTORY);
    if (!strcmp(kind, "handle")) other = exchange;
    fstatat(folders[0], "f", &granted, 0);
    if (other == go_about) fchdir(folders[0]);
    void *mutator = thread(other, at == AT_FDCWD ? "other" : "twin");
    for (long i = 0; i < tries; i++) {
        int fd = openat(at, name, O_WRONLY | (i % 3 ? 0 : O_TRUNC) | (i % 5 ? 0 : O_CREAT), 0644);
        if (fd < 0) {
            refused++;
        } else {
            opened++, fstat(fd, &about);
            wrong += about.st_ino != granted.st_ino && strcmp(kind, "names-outside"), write(fd, "W", 1), close(fd);
        }
        if (i % 7 == 0) fchmodat(at, name, 0640 + i % 8, 0);
        if (i % 11 == 0) utimensat(at, name, 0, 0);
        if (i % 13 == 0) syscall(SYS_setxattr, name, "user.race", "x", 1, 0);
        if (i % 17 == 0) linkat(at, name, folders[0], "hard", 0), unlinkat(folders[0], "hard", 0);
        if (i % 19 == 0) truncate(name, 1);
        if (i % 23 == 0) renameat(at, name, folders[0], "moved"), renameat(folders[0], "moved", folders[0], "f"), fstatat(folders[0], "f", &granted, 0);
    }
    stop = 1, join(mutator);
    say("wrong", wrong);
    fprintf(stderr, "%s: opened %ld refused %ld\n", kind, opened, refused);
    say("opened", opened > 0);
}

int main(int count, char **words) {
    const char *what = words[1];
    if (!strcmp(what, "many")) many();
    if (!strcmp(what, "signals")) signals(0);
    if (!strcmp(what, "signals-restart")) signals(SA_RESTART);
    if (!strcmp(what, "vfork")) shared(CLONE_VM | CLONE_VFORK);
    if (!strcmp(what, "memory-shared")) shared(CLONE_VM);
    if (!strcmp(what, "descriptors-shared")) shared(CLONE_FILES);
    if (!strcmp(what, "all-shared")) shared(CLONE_VM | CLONE_FILES | CLONE_FS);
    if (!strcmp(what, "stopped")) stopped();
    if (!strcmp(what, "killed")) killed();
    if (!strcmp(what, "replaced")) replaced(words[0]);
    if (!strcmp(what, "replacement")) return busy("replacement", 3) ? 1 : 0;
    if (!strcmp(what, "fifos")) fifos();
    if (!strcmp(what, "numbers")) numbers();
    if (!strcmp(what, "leases")) leases();
    if (!strcmp(what, "started")) started(words[0]);
    if (!strcmp(what, "unasked")) unasked(words + 2);
    if (!strcmp(what, "edges")) edges();
    if (!strcmp(what, "nonsense")) nonsenses(atol(words[2]));
    if (!strcmp(what, "race")) race(words[2], atol(words[3]));
    return 0;
}
