// Makes a name in every way that there is. Prints each call and the number of its error. Arguments: the names.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *call, const char *name, long result) {
    printf("%s %s %d\n", call, name, result < 0 ? errno : 0);
    fflush(stdout);
}

int main(int count, char **names) {
    close(open("own", O_CREAT | O_WRONLY, 0666));
    for (int at = 1; at < count; at++) {
        const char *name = names[at];
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strncpy(address.sun_path, name, sizeof address.sun_path - 1);
        tell("mkdir", name, mkdir(name, 0777));
        tell("mkfifo", name, mkfifo(name, 0666));
        tell("mknod", name, mknod(name, S_IFREG | 0666, 0));
        tell("symlink", name, symlink("own", name));
        tell("link", name, link("own", name));
        tell("rename", name, rename("own", name));
        tell("open", name, open(name, O_CREAT | O_WRONLY, 0666));
        tell("open_new", name, open(name, O_CREAT | O_EXCL | O_RDWR, 0666));
        tell("bind", name, bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof address));
        tell("unlink", name, unlink(name));
        tell("chmod", name, chmod(name, 0600));
        tell("truncate", name, truncate(name, 0));
    }
    return 0;
}
