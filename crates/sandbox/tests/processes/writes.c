// Every system call that changes a file or a name, with every way to spell where, each on fresh files: one line for each
// says what came of it and what is there afterwards. The same program runs kept in and not kept in.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#define NEW(name, number) enum { name = number };
NEW(FCHMODAT2, 452) NEW(SETXATTRAT, 463) NEW(REMOVEXATTRAT, 466) NEW(FILE_SETATTR, 469) NEW(OPENAT2, 437)
#define HERE AT_FDCWD
enum { EXCHANGE = 2, NOREPLACE = 1, WHITEOUT = 4 };

// Where a call goes: a path, and what it is relative to.
struct at { int fd; const char *path; };
static char scratch[4096], spare[4200], fresh[4200];

#define S(name, ...) CALL(SYS_##name, __VA_ARGS__, 0, 0, 0, 0, 0)
#define NUMBER(...) CALL(__VA_ARGS__, 0, 0, 0, 0, 0)
#define CALL(number, a, b, c, d, e, f, ...) syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define AT at.fd, at.path
// Calls without a directory of their own.
#define PLAIN if (at.fd != HERE) { errno = ENOTSUP; return -2; }

static long wrote(long fd) {
    if (fd < 0) return fd;
    int failed = write(fd, "WROTE", 5) < 0 && errno != EBADF;
    int kept = errno;
    struct stat about;
    if (fstat(fd, &about) == 0) printf("[%o %o] ", about.st_mode, fcntl(fd, F_GETFL) & ~O_NOFOLLOW);
    close(fd);
    errno = kept;
    return failed ? -1 : 0;
}

#define OP(name) static long name(struct at at)
OP(open_w) { return wrote(S(openat, AT, O_WRONLY)); }
OP(open_rw) { return wrote(S(openat, AT, O_RDWR | O_CLOEXEC)); }
OP(open_trunc) { return wrote(S(openat, AT, O_WRONLY | O_TRUNC)); }
OP(open_read_trunc) { return wrote(S(openat, AT, O_RDONLY | O_TRUNC)); }
OP(open_append) { return wrote(S(openat, AT, O_WRONLY | O_APPEND)); }
OP(open_create) { return wrote(S(openat, AT, O_WRONLY | O_CREAT, 0640)); }
OP(open_create_read) { return wrote(S(openat, AT, O_RDONLY | O_CREAT, 0666)); }
OP(open_create_read_only) { return wrote(S(openat, AT, O_RDWR | O_CREAT, 0400)); }
OP(open_exclusive) { return wrote(S(openat, AT, O_WRONLY | O_CREAT | O_EXCL, 0600)); }
OP(open_no_follow) { return wrote(S(openat, AT, O_WRONLY | O_NOFOLLOW)); }
OP(open_create_no_follow) { return wrote(S(openat, AT, O_WRONLY | O_CREAT | O_NOFOLLOW, 0600)); }
OP(open_directory) { return wrote(S(openat, AT, O_WRONLY | O_DIRECTORY)); }
OP(open_create_directory) { return wrote(S(openat, AT, O_RDONLY | O_CREAT | O_DIRECTORY, 0600)); }
OP(open_neither) { return wrote(S(openat, AT, O_ACCMODE)); }
OP(open_path_write) { return wrote(S(openat, AT, O_PATH | O_WRONLY | O_CREAT, 0600)); }
OP(open_direct) { return wrote(S(openat, AT, O_WRONLY | O_SYNC | O_NOATIME)); }
OP(open_fifo) { return wrote(S(openat, AT, O_WRONLY | O_NONBLOCK)); }
OP(open_fifo_both) { return wrote(S(openat, AT, O_RDWR)); }
OP(open_struct) {
    struct { long flags, mode, resolve; } how = {O_WRONLY | O_CREAT, 0600, 0};
    long fd = NUMBER(OPENAT2, AT, &how, sizeof how, 0, 0);
    return fd < 0 && errno == ENOSYS ? wrote(S(openat, AT, O_WRONLY | O_CREAT, 0600)) : wrote(fd);
}
OP(tmpfile_unnamed) { return wrote(S(openat, AT, O_TMPFILE | O_RDWR, 0600)); }
OP(tmpfile_kept) {
    char name[64];
    int fd = S(openat, AT, O_TMPFILE | O_RDWR, 0640);
    if (fd < 0) return -1;
    write(fd, "TMP", 3);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int directory = openat(AT, O_PATH | O_DIRECTORY);
    return S(linkat, HERE, name, directory, "new", AT_SYMLINK_FOLLOW);
}
OP(tmpfile_exclusive) {
    char name[64];
    int fd = S(openat, AT, O_TMPFILE | O_WRONLY | O_EXCL, 0640);
    if (fd < 0) return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return S(linkat, HERE, name, openat(AT, O_PATH | O_DIRECTORY), "new", AT_SYMLINK_FOLLOW);
}
OP(handle_opened_again) {
    char name[64];
    int fd = openat(AT, O_PATH);
    if (fd < 0) return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return wrote(S(openat, HERE, name, O_WRONLY | O_TRUNC));
}
OP(handle_opened_by_dev) {
    char name[64];
    int fd = openat(AT, O_RDONLY);
    if (fd < 0) return -1;
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    return wrote(S(openat, HERE, name, O_WRONLY | O_APPEND));
}
OP(handle_opened_by_stdin) {
    int fd = openat(AT, O_RDONLY), kept = dup(0);
    if (fd < 0) return -1;
    dup2(fd, 0);
    long result = wrote(S(openat, HERE, "/dev/stdin", O_WRONLY));
    int error = errno;
    dup2(kept, 0);
    errno = error;
    return result;
}
OP(handle_truncated) {
    char name[64];
    int fd = openat(AT, O_PATH);
    if (fd < 0) return -1;
    snprintf(name, sizeof name, "/proc/thread-self/fd/%d", fd);
    return S(truncate, name, 1);
}
#define WITH(flags) int fd = openat(AT, flags); if (fd < 0) return -1;
OP(handle_mode) { char name[64]; WITH(O_PATH) snprintf(name, sizeof name, "/proc/self/fd/%d", fd); return S(fchmodat, HERE, name, 0600); }
OP(handle_mode_empty) { WITH(O_PATH) return NUMBER(FCHMODAT2, fd, "", 0600, AT_EMPTY_PATH, 0, 0); }
OP(handle_owner_empty) { WITH(O_PATH) return S(fchownat, fd, "", getuid(), getgid(), AT_EMPTY_PATH); }
OP(handle_times_empty) { struct timespec t[2] = {{7, 0}, {9, 0}}; WITH(O_PATH) return S(utimensat, fd, "", t, AT_EMPTY_PATH); }
OP(handle_linked_empty) { WITH(O_PATH) return S(linkat, fd, "", HERE, fresh, AT_EMPTY_PATH); }
OP(handle_linked_proc) {
    char name[64];
    WITH(O_PATH) snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return S(linkat, HERE, name, HERE, fresh, AT_SYMLINK_FOLLOW);
}
OP(read_mode) { WITH(O_RDONLY) return S(fchmod, fd, 0705); }
OP(read_owner) { WITH(O_RDONLY) return S(fchown, fd, getuid(), -1); }
OP(read_times) { struct timespec t[2] = {{7, 0}, {9, 0}}; WITH(O_RDONLY) return S(utimensat, fd, 0, t, 0); }
OP(read_xattr) { WITH(O_RDONLY) return S(fsetxattr, fd, "user.x", "x", 1, 0); }
OP(read_xattr_gone) { WITH(O_RDONLY) return S(fremovexattr, fd, "user.before"); }
OP(read_flags) { int flags = 0; WITH(O_RDONLY) if (ioctl(fd, FS_IOC_GETFLAGS, &flags)) return -1; flags |= FS_NODUMP_FL; return S(ioctl, fd, FS_IOC_SETFLAGS, &flags); }
OP(read_fsx) { struct fsxattr x; WITH(O_RDONLY) if (ioctl(fd, FS_IOC_FSGETXATTR, &x)) return -1; x.fsx_xflags |= FS_XFLAG_NODUMP; return S(ioctl, fd, FS_IOC_FSSETXATTR, &x); }
OP(read_version) { WITH(O_RDONLY) return S(ioctl, fd, 0x40086604, &(int){7}) ? S(ioctl, fd, FS_IOC_SETVERSION, &(int){7}) : 0; }
OP(read_cut) { WITH(O_RDONLY) return S(ftruncate, fd, 0); }
OP(read_allocate) { WITH(O_RDONLY) return S(fallocate, fd, 0, 0, 100); }
OP(read_clone) { WITH(O_RDONLY) int from = open(spare, O_RDONLY); return S(ioctl, fd, FICLONE, from); }
OP(read_range) { WITH(O_RDONLY) int from = open(spare, O_RDONLY); return S(copy_file_range, from, 0, fd, 0, 5); }
OP(read_map) { WITH(O_RDONLY) return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0; }
OP(read_map_later) { WITH(O_RDONLY) void *m = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0); return m == MAP_FAILED ? -1 : mprotect(m, 4096, PROT_READ | PROT_WRITE); }
OP(write_map) {
    WITH(O_RDWR)
    char *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED) return -1;
    m[0] = 'M';
    return munmap(m, 4096);
}
OP(write_range) { WITH(O_RDWR) int from = open(spare, O_RDONLY); return S(copy_file_range, from, 0, fd, 0, 5) < 0 ? -1 : 0; }
OP(write_cut) { WITH(O_RDWR) return S(ftruncate, fd, 2) ? -1 : S(fallocate, fd, 0, 0, 9); }
OP(write_clone) { WITH(O_RDWR) int from = open(spare, O_RDONLY); return S(ioctl, fd, FICLONE, from); }

OP(make_folder) { return S(mkdirat, AT, 0750); }
OP(make_file) { return S(mknodat, AT, S_IFREG | 0640, 0); }
OP(make_fifo) { return S(mknodat, AT, S_IFIFO | 0640, 0); }
OP(make_socket) { return S(mknodat, AT, S_IFSOCK | 0640, 0); }
OP(make_device) { return S(mknodat, AT, S_IFCHR | 0666, 0x103); }
OP(make_whiteout) { return S(mknodat, AT, S_IFCHR, 0); }
OP(make_setuid) { return S(mknodat, AT, S_IFREG | 04755, 0); }
OP(remove_file) { return S(unlinkat, AT, 0); }
OP(remove_folder) { return S(unlinkat, AT, AT_REMOVEDIR); }
OP(move_from) { return S(renameat, AT, HERE, fresh); }
OP(move_to) { return S(renameat, HERE, spare, AT); }
OP(move_2) { return S(renameat2, AT, HERE, fresh, 0); }
OP(move_no_replace) { return S(renameat2, HERE, spare, AT, NOREPLACE); }
OP(move_exchange) { return S(renameat2, HERE, spare, AT, EXCHANGE); }
OP(move_exchange_back) { return S(renameat2, AT, HERE, spare, EXCHANGE); }
OP(move_whiteout) { return S(renameat2, AT, HERE, fresh, WHITEOUT); }
OP(move_odd) { return S(renameat2, AT, HERE, fresh, 64); }
OP(link_from) { return S(linkat, AT, HERE, fresh, 0); }
OP(link_from_follow) { return S(linkat, AT, HERE, fresh, AT_SYMLINK_FOLLOW); }
OP(link_to) { return S(linkat, HERE, spare, AT, 0); }
OP(soft_link) { return S(symlinkat, "to/where", AT); }
OP(soft_link_empty) { return S(symlinkat, "", AT); }
OP(set_mode) { return S(fchmodat, AT, 0705); }
OP(set_mode_group) { return S(fchmodat, AT, 02755); }
OP(set_mode_group_odd) { return S(fchmodat, AT, 02644); }
OP(set_mode_user) { return S(fchmodat, AT, 04755); }
OP(read_mode_group) { WITH(O_RDONLY) return S(fchmod, fd, 02750); }
OP(set_mode_2) { return NUMBER(FCHMODAT2, AT, 0604, 0, 0, 0); }
OP(set_mode_link) { return NUMBER(FCHMODAT2, AT, 0604, AT_SYMLINK_NOFOLLOW, 0, 0); }
OP(set_owner) { return S(fchownat, AT, getuid(), getgid(), 0); }
OP(set_owner_link) { return S(fchownat, AT, getuid(), getgid(), AT_SYMLINK_NOFOLLOW); }
OP(set_owner_other) { return S(fchownat, AT, 12345, -1, 0); }
OP(set_times) { struct timespec t[2] = {{7, 0}, {9, 0}}; return S(utimensat, AT, t, 0); }
OP(set_times_now) { return S(utimensat, AT, 0, 0) ? -1 : S(utimensat, AT, (&(struct timespec[2]){{9, 0}, {9, 0}}), 0); }
OP(set_times_omit) { struct timespec t[2] = {{0, UTIME_OMIT}, {9, 0}}; return S(utimensat, AT, t, 0); }
OP(set_times_odd) { struct timespec t[2] = {{0, -5}, {9, 0}}; return S(utimensat, AT, t, 0); }
OP(set_times_link) { struct timespec t[2] = {{7, 0}, {9, 0}}; return S(utimensat, AT, t, AT_SYMLINK_NOFOLLOW); }
OP(set_xattr_at) { struct { long value; int size, flags; } x = {(long)"x", 1, 0}; return NUMBER(SETXATTRAT, AT, 0, "user.x", &x, sizeof x); }
OP(remove_xattr_at) { return NUMBER(REMOVEXATTRAT, AT, 0, "user.before", 0, 0); }
OP(set_attr) { struct { long xflags; int extsize, nextents, project, cow; } x = {FS_XFLAG_NODUMP}; return NUMBER(FILE_SETATTR, AT, &x, sizeof x, 0); }
// Without a directory.
OP(xattr_set) { PLAIN return S(setxattr, at.path, "user.x", "x", 1, 0); }
OP(xattr_set_link) { PLAIN return S(lsetxattr, at.path, "user.x", "x", 1, 0); }
OP(xattr_gone) { PLAIN return S(removexattr, at.path, "user.before"); }
OP(xattr_gone_link) { PLAIN return S(lremovexattr, at.path, "user.before"); }
OP(xattr_huge) { PLAIN return S(setxattr, at.path, "user.x", "x", 1L << 40, 0); }
OP(xattr_acl) { PLAIN return S(setxattr, at.path, "system.posix_acl_access", "\2\0\0\0\1\0\6\0\377\377\377\377\4\0\4\0\377\377\377\377\40\0\4\0\377\377\377\377", 28, 0); }
OP(xattr_capability) { PLAIN return S(setxattr, at.path, "security.capability", "\1\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, 0); }
OP(plain_truncate) { PLAIN return S(truncate, at.path, 3); }
OP(plain_truncate_wrong) { PLAIN return S(truncate, at.path, -3); }
OP(unix_bind) {
    PLAIN
    struct sockaddr_un name = {AF_UNIX};
    if (strlen(at.path) > 100) { errno = ENOTSUP; return -2; }
    strcpy(name.sun_path, at.path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd < 0 ? -1 : S(bind, fd, &name, sizeof name);
}
#ifdef SYS_open
OP(plain_open) { PLAIN return wrote(S(open, at.path, O_WRONLY)); }
OP(plain_open_create) { PLAIN return wrote(S(open, at.path, O_RDWR | O_CREAT, 0666)); }
OP(plain_creat) { PLAIN return wrote(S(creat, at.path, 0644)); }
OP(plain_mkdir) { PLAIN return S(mkdir, at.path, 0777); }
OP(plain_rmdir) { PLAIN return S(rmdir, at.path); }
OP(plain_unlink) { PLAIN return S(unlink, at.path); }
OP(plain_rename) { PLAIN return S(rename, at.path, fresh); }
OP(plain_rename_to) { PLAIN return S(rename, spare, at.path); }
OP(plain_link) { PLAIN return S(link, at.path, fresh); }
OP(plain_link_to) { PLAIN return S(link, spare, at.path); }
OP(plain_symlink) { PLAIN return S(symlink, "x", at.path); }
OP(plain_chmod) { PLAIN return S(chmod, at.path, 0604); }
OP(plain_chown) { PLAIN return S(chown, at.path, getuid(), getgid()); }
OP(plain_lchown) { PLAIN return S(lchown, at.path, getuid(), getgid()); }
OP(plain_mknod) { PLAIN return S(mknod, at.path, S_IFIFO | 0666, 0); }
OP(plain_utime) { PLAIN struct utimbuf t = {7, 9}; return S(utime, at.path, &t); }
OP(plain_utimes) { PLAIN struct timeval t[2] = {{7, 0}, {9, 0}}; return S(utimes, at.path, t); }
OP(plain_futimesat) { struct timeval t[2] = {{7, 0}, {9, 0}}; return S(futimesat, AT, t); }
#endif

#define F(op) {#op, op, "file"}
#define N(op) {#op, op, "new"}
#define D(op) {#op, op, "folder"}
#define L(op) {#op, op, "link"}
#define Q(op) {#op, op, "fifo"}
#define X(op) {#op, op, "full"}
#define G(op) {#op, op, "dangling"}
static const struct { const char *name; long (*run)(struct at); const char *leaf; } OPS[] = {
    F(open_w), L(open_w), D(open_w), N(open_w), G(open_w), F(open_rw), F(open_trunc), L(open_trunc), F(open_read_trunc), L(open_read_trunc),
    D(open_read_trunc), F(open_append), F(open_create), N(open_create), L(open_create), G(open_create), D(open_create), N(open_create_read),
    F(open_create_read), D(open_create_read), N(open_create_read_only), F(open_exclusive), N(open_exclusive), L(open_exclusive), G(open_exclusive),
    F(open_no_follow), L(open_no_follow), N(open_create_no_follow), L(open_create_no_follow), G(open_create_no_follow), F(open_directory),
    D(open_directory), N(open_create_directory), F(open_neither), D(open_neither), F(open_path_write), N(open_path_write), F(open_direct),
    Q(open_fifo), Q(open_fifo_both), F(open_struct), N(open_struct), D(tmpfile_unnamed), F(tmpfile_unnamed), D(tmpfile_kept), D(tmpfile_exclusive),
    F(handle_opened_again), L(handle_opened_again), F(handle_opened_by_dev), F(handle_opened_by_stdin), F(handle_truncated), F(handle_mode),
    F(handle_mode_empty), F(handle_owner_empty), F(handle_times_empty), F(handle_linked_empty), F(handle_linked_proc), F(read_mode), D(read_mode),
    F(read_owner), F(read_times), F(read_xattr), F(read_xattr_gone), F(read_flags), F(read_fsx), F(read_version), F(read_cut), F(read_allocate), F(read_clone),
    F(read_range), F(read_map), F(read_map_later), F(write_map), F(write_range), F(write_cut), F(write_clone), N(make_folder), F(make_folder),
    D(make_folder), L(make_folder), G(make_folder), N(make_file), F(make_file), N(make_fifo), N(make_socket), N(make_device), N(make_whiteout),
    N(make_setuid), F(remove_file), D(remove_file), L(remove_file), N(remove_file), Q(remove_file), F(remove_folder), D(remove_folder), L(remove_folder),
    X(remove_folder), F(move_from), D(move_from), X(move_from), L(move_from), N(move_from), Q(move_from), F(move_to), N(move_to), D(move_to), L(move_to),
    F(move_2), F(move_no_replace), N(move_no_replace), F(move_exchange), L(move_exchange), D(move_exchange), N(move_exchange), F(move_exchange_back),
    X(move_exchange_back), F(move_whiteout), F(move_odd), F(link_from), D(link_from), L(link_from), N(link_from), Q(link_from), L(link_from_follow),
    G(link_from_follow), N(link_to), F(link_to), L(link_to), N(soft_link), F(soft_link), G(soft_link), N(soft_link_empty), F(set_mode), D(set_mode),
    L(set_mode), N(set_mode), F(set_mode_group), D(set_mode_group), L(set_mode_group), F(set_mode_group_odd), F(set_mode_user), F(read_mode_group),
    D(read_mode_group), F(set_mode_2), L(set_mode_link), F(set_mode_link), F(set_owner), L(set_owner_link), F(set_owner_other), F(set_times), L(set_times),
    D(set_times), F(set_times_now), F(set_times_omit), F(set_times_odd), L(set_times_link), F(set_xattr_at), F(remove_xattr_at), F(set_attr), F(xattr_set),
    D(xattr_set), L(xattr_set), L(xattr_set_link), F(xattr_set_link), F(xattr_gone), N(xattr_set), F(xattr_gone_link), F(xattr_huge), F(xattr_acl),
    F(xattr_capability), F(plain_truncate), L(plain_truncate), D(plain_truncate), N(plain_truncate), F(plain_truncate_wrong), N(unix_bind), F(unix_bind),
#ifdef SYS_open
    F(plain_open), L(plain_open), N(plain_open_create), F(plain_creat), N(plain_creat), L(plain_creat), G(plain_creat), N(plain_mkdir), D(plain_rmdir),
    F(plain_rmdir), F(plain_unlink), D(plain_unlink), F(plain_rename), X(plain_rename), F(plain_rename_to), N(plain_rename_to), F(plain_link),
    N(plain_link_to), N(plain_symlink), F(plain_chmod), L(plain_chmod), F(plain_chown), L(plain_lchown), N(plain_mknod), F(plain_utime), F(plain_utimes),
    F(plain_futimesat),
#endif
};

static const char *const SPELLINGS[] = {"absolute", "relative", "dots", "slashes", "linked", "linked-outside", "handle", "handle-dots", "proc-fd", "dev-fd",
    "proc-cwd", "proc-root", "parent-root", "parent-cwd", "thread", "task", "trailing", "trailing-dot", "wrong-handle", "no-handle"};

// The spelling of a name in a folder; what it stands on is opened, and the process goes there.
static struct at spell(int how, const char *folder, const char *leaf) {
    static char path[8400];
    struct at at = {HERE, path};
    char base[8192];
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    switch (how) {
    case 0: sprintf(path, "%s/%s", folder, leaf); break;
    case 1: strcpy(path, chdir(folder) ? "/absent/x" : leaf); break;
    case 2: sprintf(path, "%s/folder/../full/.././%s", folder, leaf); break;
    case 3: sprintf(path, "/./%s//.///%s", folder, leaf); break;
    case 4: case 5: sprintf(path, "%s/to-%s/%s", scratch, strrchr(folder, '/') + 1, leaf); break;
    case 6: at.fd = fd; strcpy(path, leaf); break;
    case 7: at.fd = fd; sprintf(path, "folder/../%s", leaf); break;
    case 8: sprintf(path, "/proc/self/fd/%d/%s", fd, leaf); break;
    case 9: sprintf(path, "/dev/fd/%d/%s", fd, leaf); break;
    case 10: sprintf(path, "/proc/self/cwd%s/%s", chdir(folder) ? "/absent" : "", leaf); break;
    case 11: sprintf(path, "/proc/self/root%s/%s", folder, leaf); break;
    case 12: sprintf(path, "/proc/%d/root%s/%s", getppid(), folder, leaf); break;
    case 13: sprintf(path, "/proc/%d/cwd%s/%s", getppid(), strstr(folder, "/m/") ? strstr(folder, "/m/") + 2 : "/absent", leaf); break;
    case 14: sprintf(path, "/proc/thread-self/fd/%d/%s", fd, leaf); break;
    case 15: sprintf(path, "/proc/%d/task/%d/fd/%d/%s", getpid(), getpid(), fd, leaf); break;
    case 16: sprintf(path, "%s/%s/", folder, leaf); break;
    case 17: sprintf(path, "%s/%s/.", folder, leaf); break;
    case 18: sprintf(base, "%s/file", folder); at.fd = open(base, O_RDONLY); strcpy(path, leaf); break;
    case 19: at.fd = 900; strcpy(path, leaf); break;
    }
    if (how == 5) { // The link is in a folder of its own, and leads out by `..`.
        sprintf(path, "%s/up/to-%s/%s", scratch, strrchr(folder, '/') + 1, leaf);
    }
    return at;
}

static void file(const char *folder, const char *name, const char *text) {
    char path[4200];
    sprintf(path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(fd, text, strlen(text));
    syscall(SYS_fsetxattr, fd, "user.before", "x", 1, 0);
    close(fd);
}

// What every case finds.
static void fill(const char *folder) {
    char path[4200];
    mkdir(folder, 0755);
    file(folder, "file", "content\n");
    sprintf(path, "%s/folder", folder), mkdir(path, 0755);
    sprintf(path, "%s/full", folder), mkdir(path, 0755);
    file(path, "inner", "inner\n");
    sprintf(path, "%s/link", folder), symlink("file", path);
    sprintf(path, "%s/dangling", folder), symlink("nowhere", path);
    sprintf(path, "%s/fifo", folder), mkfifo(path, 0644);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static FILE *shown;
static void show(const char *folder, int depth) {
    char *names[64], path[4400], text[64];
    int count = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder)) && count < 64;)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) names[count++] = strdup(entry->d_name);
    if (open_folder) closedir(open_folder);
    qsort(names, count, sizeof *names, compare);
    for (int i = 0; i < count; i++) {
        struct stat about;
        sprintf(path, "%s/%s", folder, names[i]);
        if (lstat(path, &about)) continue;
        fprintf(shown, " %s:%o", names[i], about.st_mode);
        if (!S_ISDIR(about.st_mode)) fprintf(shown, "*%ld", (long)about.st_nlink);
        if (about.st_mtime == 9) fprintf(shown, "@9");
        memset(text, 0, sizeof text);
        if (S_ISLNK(about.st_mode)) readlink(path, text, 40);
        if (S_ISREG(about.st_mode)) {
            int fd = open(path, O_RDONLY);
            if (fd >= 0) read(fd, text, 40), close(fd);
            char list[200] = "";
            int got = syscall(SYS_listxattr, path, list, sizeof list);
            for (int at = 0; at < got; at += strlen(list + at) + 1)
                if (!strncmp(list + at, "user.", 5)) fprintf(shown, "+%s", list + at);
        }
        for (char *at = text; *at; at++) if (*at == '\n') *at = '~';
        if (*text) fprintf(shown, "=%s", text);
        if (S_ISDIR(about.st_mode) && depth < 2) show(path, depth + 1);
        free(names[i]);
    }
}

// What there is in the folder, where it is the program's own, and beside it.
static char *state(const char *folder, int own) {
    char *text;
    size_t length;
    shown = open_memstream(&text, &length);
    if (own) show(folder, 0);
    fprintf(shown, " |"), show(scratch, 0);
    fclose(shown);
    return text;
}

static void gone(const char *folder) {
    char path[4400];
    DIR *open_folder = opendir(folder);
    if (!open_folder) return;
    for (struct dirent *entry; (entry = readdir(open_folder));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        sprintf(path, "%s/%s", folder, entry->d_name);
        if (unlink(path)) chmod(path, 0755), gone(path), rmdir(path);
    }
    closedir(open_folder);
}

// A folder, where it is the program's own, and what is beside it, as every case finds them.
static void begin(const char *folder, int own) {
    char path[4200], target[4200];
    const char *name = strrchr(folder, '/') + 1;
    if (own) fill(folder);
    fill(scratch);
    sprintf(spare, "%s/file", scratch);
    sprintf(fresh, "%s/fresh", scratch);
    sprintf(path, "%s/to-%s", scratch, name), symlink(folder, path);
    sprintf(path, "%s/up", scratch), mkdir(path, 0755);
    sprintf(path, "%s/up/to-%s", scratch, name), sprintf(target, "../to-%s", name), symlink(target, path);
}

static void end(const char *folder, int own) {
    if (own) gone(folder);
    gone(scratch);
}

// Each call in one folder, made anew after each that succeeded or changed something; with each n-th spelling
// and those that matter most.
static void all(const char *kind, const char *folder, int own, int each) {
    char here[4096], *before = 0;
    getcwd(here, sizeof here);
    for (unsigned op = 0; op < sizeof OPS / sizeof *OPS; op++)
        for (unsigned how = 0; how < sizeof SPELLINGS / sizeof *SPELLINGS; how++) {
            if (how && how != 6 && how != 16 && (op + how) % each) continue;
            if (!before) begin(folder, own), before = state(folder, own);
            printf("%s %s/%s %s ", kind, OPS[op].name, OPS[op].leaf, SPELLINGS[how]);
            struct at at = spell(how, folder, OPS[op].leaf);
            errno = 0;
            long result = OPS[op].run(at);
            int error = errno;
            chdir(here);
            char *after = state(folder, own);
            printf("%s%s\n", result < 0 ? strerrorname_np(error) : "ok", after);
            close_range(3, ~0u, 0);
            if (result >= 0 || strcmp(before, after)) end(folder, own), free(before), before = 0;
            free(after);
        }
    if (before) end(folder, own);
}

int main(int count, char **words) {
    static char buffer[1 << 20];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    umask(022);
    sprintf(scratch, "%s/m/scratch", words[1]);
    if (chdir(words[1]) || chdir("m")) return 1;
    // In a child, so that there is a parent to go through.
    pid_t child = fork();
    if (child) {
        int status;
        waitpid(child, &status, 0);
        return status ? 2 : 0;
    }
    all(words[2], words[3], words[2][0] == '+', atoi(words[4]));
    fflush(stdout);
    _exit(0);
}
