// SPDX-License-Identifier: MIT
#include "../stream.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int stream_open(bool is_ipv6)
{
    return socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

bool stream_bind(int socket, const struct net_address *own)
{
    struct sockaddr_storage address;
    socklen_t size = ip_address_to_socket(own, &address);
    return bind(socket, (const struct sockaddr *)&address, size) == 0;
}

bool stream_connect(int socket, const struct net_address *to)
{
    struct sockaddr_storage address;
    socklen_t size = ip_address_to_socket(to, &address);
    return connect(socket, (const struct sockaddr *)&address, size) == 0 || errno == EINPROGRESS;
}

int64_t stream_send(int socket, const void *bytes, size_t byte_count)
{
    return send(socket, bytes, byte_count, MSG_NOSIGNAL);
}

int64_t stream_receive(int socket, void *bytes, size_t capacity)
{
    return recv(socket, bytes, capacity, 0);
}

void stream_wait(int socket, bool to_send, int timeout_ms)
{
    struct pollfd connection = {.fd = socket, .events = to_send ? POLLOUT : POLLIN};
    poll(&connection, 1, timeout_ms);
}

void stream_end(int socket)
{
    shutdown(socket, SHUT_RDWR);
}

void stream_close(int socket)
{
    close(socket);
}

struct local_socket {
    int file;
    dev_t device; // and inode: of the file, so that no other one is removed
    ino_t inode;
    struct sockaddr_un address;
};

static int open_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static bool write_address(const char *path, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address->sun_path)
        return false;
    strcpy(address->sun_path, path);
    return true;
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

static bool bind_file(struct local_socket *listener)
{
    struct stat facts;
    mode_t others = umask(0177);
    bool is_bound = bind(listener->file, (const struct sockaddr *)&listener->address, sizeof listener->address) == 0;
    umask(others);
    if (!is_bound || lstat(listener->address.sun_path, &facts) != 0)
        return false;
    listener->device = facts.st_dev;
    listener->inode = facts.st_ino;
    return true;
}

struct local_socket *stream_local_open(const char *path, unsigned capacity, const char **fault)
{
    struct local_socket *listener = calloc(1, sizeof *listener);
    *fault = "out of memory";
    if (!listener)
        return NULL;
    listener->file = -1;
    bool has_address = write_address(path, &listener->address);
    *fault = has_address ? clear(&listener->address) : "the path is too long for a socket";
    if (!*fault) {
        listener->file = open_socket();
        if (listener->file >= 0 && bind_file(listener) && listen(listener->file, (int)capacity) == 0)
            return listener;
        *fault = strerror(errno);
    }
    stream_local_close(listener);
    return NULL;
}

// Returns the file if the kernel says that the program at its other end may be trusted; else closes it.
static int keep_trusted(int file, bool trusts_all)
{
    struct ucred peer;
    socklen_t peer_bytes = sizeof peer;
    if (trusts_all || (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &peer_bytes) == 0 &&
                       (peer.uid == geteuid() || peer.uid == 0)))
        return file;
    close(file);
    errno = EACCES;
    return -1;
}

int stream_local_accept(struct local_socket *listener)
{
    int file = accept4(listener->file, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return file < 0 ? -1 : keep_trusted(file, false);
}

void stream_local_close(struct local_socket *listener)
{
    struct stat facts;
    if (!listener)
        return;
    if (listener->inode && lstat(listener->address.sun_path, &facts) == 0 && facts.st_dev == listener->device &&
        facts.st_ino == listener->inode)
        unlink(listener->address.sun_path);
    if (listener->file >= 0)
        close(listener->file);
    free(listener);
}

int stream_local_connect(const char *path)
{
    struct sockaddr_un address;
    int file = write_address(path, &address) ? open_socket() : -1;
    if (file < 0)
        return -1;
    if (connect(file, (const struct sockaddr *)&address, sizeof address) == 0)
        return keep_trusted(file, geteuid() == 0);
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

int64_t stream_local_send(int connection, const void *bytes, size_t byte_count)
{
    ssize_t count;
    do
        count = send(connection, bytes, byte_count, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count;
}

int64_t stream_local_receive(int connection, void *bytes, size_t capacity)
{
    ssize_t count;
    do
        count = recv(connection, bytes, capacity, 0);
    while (count < 0 && errno == EINTR);
    return count;
}

bool stream_local_wait(int connection, int timeout_ms)
{
    struct pollfd ready = {.fd = connection, .events = POLLIN};
    return poll(&ready, 1, timeout_ms) > 0;
}

void stream_local_hang_up(int connection)
{
    close(connection);
}
