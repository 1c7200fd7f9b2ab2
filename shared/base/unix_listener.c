// SPDX-License-Identifier: MIT
#include "unix_listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

// Removes the socket of a program that has died, and nothing else. Returns null, or what is in the way.
static const char *clear(const struct sockaddr_un *address)
{
    struct stat facts;
    if (lstat(address->sun_path, &facts) != 0)
        return NULL;
    if (!S_ISSOCK(facts.st_mode))
        return "another file is there";
    int probe = open_socket();
    bool is_dead =
        probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    if (!is_dead)
        return "another server answers there";
    return unlink(address->sun_path) == 0 ? NULL : strerror(errno);
}

static bool bind_file(struct unix_listener *listener, const struct sockaddr_un *address)
{
    struct stat facts;
    mode_t others = umask(0177);
    bool is_bound = bind(listener->file, (const struct sockaddr *)address, sizeof *address) == 0;
    umask(others);
    if (!is_bound || lstat(address->sun_path, &facts) != 0)
        return false;
    listener->device = facts.st_dev;
    listener->inode = facts.st_ino;
    strcpy(listener->path, address->sun_path);
    return true;
}

const char *unix_listener_open(struct unix_listener *listener, const char *path, int backlog)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *listener = (struct unix_listener)UNIX_LISTENER_CLOSED;
    if (strlen(path) >= sizeof address.sun_path)
        return "the path is too long for a socket";
    strcpy(address.sun_path, path);
    const char *fault = clear(&address);
    if (fault)
        return fault;
    listener->file = open_socket();
    if (listener->file >= 0 && bind_file(listener, &address) && listen(listener->file, backlog) == 0)
        return NULL;
    fault = strerror(errno);
    unix_listener_close(listener);
    return fault;
}

// Returns the file if the kernel says that the program at its other end may be trusted; else closes it.
static int keep_trusted(int file)
{
    struct ucred peer;
    socklen_t peer_bytes = sizeof peer;
    if (file < 0 || (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &peer_bytes) == 0 &&
                     (peer.uid == geteuid() || peer.uid == 0)))
        return file;
    close(file);
    return -1;
}

int unix_listener_accept(const struct unix_listener *listener)
{
    return keep_trusted(accept4(listener->file, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

int unix_listener_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    int file = open_socket();
    if (file < 0 || connect(file, (const struct sockaddr *)&address, sizeof address) == 0)
        return keep_trusted(file);
    close(file);
    return -1;
}

void unix_listener_close(struct unix_listener *listener)
{
    struct stat facts;
    if (listener->path[0] && lstat(listener->path, &facts) == 0 && facts.st_dev == listener->device &&
        facts.st_ino == listener->inode)
        unlink(listener->path);
    if (listener->file >= 0)
        close(listener->file);
    *listener = (struct unix_listener)UNIX_LISTENER_CLOSED;
}
