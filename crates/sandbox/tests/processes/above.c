// Takes folders away, or puts something in their place, in every way that a name can be given to something else. Prints
// what succeeded. Arguments: a folder of its own, then the names to try.
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char away[4200], empty[4200], file[4200];

static void tell(const char *call, const char *name, long result) {
    if (result == 0) printf("%s %s\n", call, name);
    fflush(stdout);
}

static void try(const char *name) {
    char above[4200], last[4200];
    strcpy(above, name), strcpy(last, name);
    int folder = open(dirname(above), O_PATH | O_DIRECTORY), own = open(empty, O_PATH | O_DIRECTORY);
    const char *base = basename(last);
    tell("rename", name, rename(name, away));
    tell("rename_below", name, renameat(folder, base, own, "away"));
    tell("rename_free", name, syscall(SYS_renameat2, folder, base, own, "away", 1));
    tell("exchange", name, syscall(SYS_renameat2, AT_FDCWD, name, AT_FDCWD, empty, 2));
    tell("exchange_back", name, syscall(SYS_renameat2, AT_FDCWD, empty, folder, base, 2));
    tell("replace", name, rename(empty, name));
    tell("replace_below", name, renameat(AT_FDCWD, empty, folder, base));
    tell("replace_by_file", name, rename(file, name));
    tell("rmdir", name, rmdir(name));
    tell("unlink", name, unlink(name));
    tell("rmdir_below", name, unlinkat(folder, base, AT_REMOVEDIR));
    tell("link", name, link(file, name));
    tell("symlink", name, symlink(empty, name));
    tell("mkdir", name, mkdir(name, 0777));
    tell("mknod", name, mknod(name, S_IFIFO | 0666, 0));
    tell("mount", name, mount(empty, name, "", MS_BIND, ""));
    tell("umount", name, umount2(name, MNT_DETACH));
    close(folder), close(own);
}

int main(int count, char **words) {
    sprintf(away, "%s/away", words[1]), sprintf(empty, "%s/empty", words[1]), sprintf(file, "%s/file", words[1]);
    if (mkdir(words[1], 0777) || mkdir(empty, 0777) || mknod(file, S_IFREG | 0666, 0)) return perror(words[1]), 1;
    // Its own folders may go wherever it likes.
    if (rename(empty, away) || rename(away, empty)) return perror("rename"), 1;
    for (int at = 2; at < count; at++) try(words[at]);
    printf("tried\n");
    return 0;
}
