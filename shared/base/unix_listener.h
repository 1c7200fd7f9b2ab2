// SPDX-License-Identifier: MIT
//
// The file of a Unix socket on which a running program takes commands: only its owner may open it, from its first
// moment on. It replaces the socket of a program that has died and nothing else, and closing removes only what was
// opened.
#ifndef BASE_UNIX_LISTENER_H
#define BASE_UNIX_LISTENER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/un.h>

/// An open one has a file of at least 0. Initialise by UNIX_LISTENER_CLOSED.
struct unix_listener {
    int file;     ///< non-blocking, for accept4(); -1: closed
    dev_t device; ///< and inode: of the file, so that no other one is removed
    ino_t inode;
    char path[sizeof((struct sockaddr_un){0}).sun_path];
};

#define UNIX_LISTENER_CLOSED                                                                                           \
    {                                                                                                                  \
        .file = -1                                                                                                     \
    }

/// Opens a socket at a path; `backlog` connections may wait. Returns null, or why that fails.
const char *unix_listener_open(struct unix_listener *listener, const char *path, int backlog);
/// Takes the next connection, non-blocking, of a program of the same user or of root; others are hung up. Returns its
/// file, or -1 if none waits.
int unix_listener_accept(const struct unix_listener *listener);
/// Connects to the program of the same user, or of root, that listens at a path. Returns the file, or -1.
int unix_listener_connect(const char *path);
/// Closes the socket and removes its file. A closed one is allowed.
void unix_listener_close(struct unix_listener *listener);

#endif
