// SPDX-License-Identifier: MIT
//
// Files: poll, select and epoll, and the calls that block. A blocking call waits here until it would not block. It
// remembers the inode: if another thread closes the descriptor meanwhile, its number may name another file, and the
// kernel would go on blocking on the old one.
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIGNAL_BYTES 8
#define PIPE_BYTES   (1 << 20) // so that who prints does not wait for who reads at the end
#define SEND_BURST   64        // then its receivers have a turn, as they had on another core

// What programs call that are built with _FORTIFY_SOURCE.
int __poll_chk(struct pollfd *files, nfds_t count, int ms, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *mask, size_t size);
ssize_t __read_chk(int file, void *bytes, size_t size, size_t room);
ssize_t __recv_chk(int file, void *bytes, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int file, void *restrict bytes, size_t size, size_t room, int flags,
                       struct sockaddr *restrict from, socklen_t *restrict length);

struct file_wait {
    struct wait wait;
    struct pollfd *files;
    nfds_t count;
    uint64_t inode; // 0: of any
};

static uint64_t inode_of(int file)
{
    struct stat what;
    return fstat(file, &what) ? 0 : what.st_ino;
}

static bool files_are_ready(const struct wait *wait)
{
    const struct file_wait *w = (const void *)wait;
    return (!w->inode || inode_of(w->files->fd) == w->inode) && kernel_look(w->files, w->count) != 0;
}

static int await_files(struct pollfd *files, nfds_t count, uint64_t inode, uint64_t deadline_ns, const char *call)
{
    if (deadline_ns <= stage->now_ns) {
        count_barren();
        return 0;
    }
    struct file_wait w = {{files_are_ready, call, deadline_ns, true}, files, count, inode};
    if (await(&w.wait) != EINTR)
        return 0;
    errno = EINTR;
    return -1;
}

static uint64_t after_ms(int ms)
{
    return ms < 0 ? NEVER_NS : after_ns((uint64_t)ms * 1000000);
}

static int poll_until(struct pollfd *files, nfds_t count, uint64_t deadline_ns, const sigset_t *mask)
{
    sigset_t old;
    uint32_t before = own_signals;
    if (mask)
        pthread_sigmask(SIG_SETMASK, mask, &old);
    int found = -1;
    if (own_signals != before)
        errno = EINTR;
    else
        found = kernel_look(files, count);
    if (found == 0 && await_files(files, count, 0, deadline_ns, "poll"))
        found = -1;
    if (found == 0)
        found = kernel_look(files, count);
    int error = errno;
    if (mask)
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return found;
}

int poll(struct pollfd *files, nfds_t count, int ms)
{
    return acts() ? poll_until(files, count, after_ms(ms), NULL) : REAL(poll)(files, count, ms);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *mask)
{
    if (!acts())
        return REAL(ppoll)(files, count, most, mask);
    return poll_until(files, count, most ? after_ns(timespec_ns(most)) : NEVER_NS, mask);
}

int __poll_chk(struct pollfd *files, nfds_t count, int ms, size_t size)
{
    (void)size;
    return poll(files, count, ms);
}

int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *mask, size_t size)
{
    (void)size;
    return ppoll(files, count, most, mask);
}

int pselect(int high, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
            const struct timespec *restrict most, const sigset_t *restrict mask)
{
    if (!acts())
        return REAL(pselect)(high, in, out, odd, most, mask);
    struct pollfd files[FD_SETSIZE];
    nfds_t count = 0;
    for (int file = 0; file < high && file < FD_SETSIZE; file++) {
        int events = (in && FD_ISSET(file, in) ? POLLIN : 0) | (out && FD_ISSET(file, out) ? POLLOUT : 0) |
                     (odd && FD_ISSET(file, odd) ? POLLPRI : 0);
        if (events)
            files[count++] = (struct pollfd){file, (short)events, 0};
    }
    if (poll_until(files, count, most ? after_ns(timespec_ns(most)) : NEVER_NS, mask) < 0)
        return -1;
    struct timespec none = {0, 0};
    return (int)syscall(SYS_pselect6, (long)high, in, out, odd, &none, NULL);
}

int select(int high, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd, struct timeval *restrict most)
{
    struct timespec time;
    if (most)
        time = (struct timespec){most->tv_sec, most->tv_usec * 1000};
    return pselect(high, in, out, odd, most ? &time : NULL, NULL);
}

// A set of epoll is itself a file that becomes readable.
static int epoll_until(int file, struct epoll_event *events, int count, uint64_t deadline_ns, const sigset_t *mask)
{
    struct pollfd set = {file, POLLIN, 0};
    if (poll_until(&set, 1, deadline_ns, mask) < 0)
        return -1;
    return (int)syscall(SYS_epoll_pwait, (long)file, events, (long)count, 0L, NULL, (long)SIGNAL_BYTES);
}

int epoll_pwait(int file, struct epoll_event *events, int count, int ms, const sigset_t *mask)
{
    return acts() ? epoll_until(file, events, count, after_ms(ms), mask)
                  : REAL(epoll_pwait)(file, events, count, ms, mask);
}

int epoll_pwait2(int file, struct epoll_event *events, int count, const struct timespec *most, const sigset_t *mask)
{
    if (!acts())
        return REAL(epoll_pwait2)(file, events, count, most, mask);
    return epoll_until(file, events, count, most ? after_ns(timespec_ns(most)) : NEVER_NS, mask);
}

int epoll_wait(int file, struct epoll_event *events, int count, int ms)
{
    return epoll_pwait(file, events, count, ms, NULL);
}

static uint64_t socket_deadline_ns(int file, int option)
{
    struct timeval most = {0, 0};
    socklen_t size = sizeof most;
    int error = errno;
    getsockopt(file, SOL_SOCKET, option, &most, &size);
    errno = error;
    uint64_t ns = (uint64_t)most.tv_sec * NS_PER_S + (uint64_t)most.tv_usec * 1000;
    return ns ? after_ns(ns) : NEVER_NS;
}

static bool blocks(int file)
{
    long flags = syscall(SYS_fcntl, (long)file, (long)F_GETFL, 0L);
    return flags >= 0 && !(flags & O_NONBLOCK);
}

// Waits until a call would not block any more: a blocking call on a file that is not ready. -1: errno says why it ends.
static int await_event(int file, short event, uint64_t deadline_ns, const char *call)
{
    struct pollfd wanted = {file, event, 0};
    uint64_t inode = inode_of(file);
    while (1) {
        int result = await_files(&wanted, 1, inode, deadline_ns, call);
        if (result && errno == EINTR && own_restarts)
            continue;
        if (!result && deadline_ns <= stage->now_ns && kernel_look(&wanted, 1) == 0) {
            errno = EAGAIN;
            return -1;
        }
        return result;
    }
}

// Files on a disk are always ready, files that do not block are not waited for.
int await_input(int file, int flags, const char *call)
{
    struct pollfd wanted = {file, POLLIN, 0};
    if ((flags & MSG_DONTWAIT) || !acts())
        return 0;
    int error = errno;
    if (kernel_look(&wanted, 1) != 0)
        return 0;
    errno = error;
    if (blocks(file))
        return await_event(file, POLLIN, socket_deadline_ns(file, SO_RCVTIMEO), call);
    count_barren();
    return 0;
}

ssize_t read(int file, void *bytes, size_t size)
{
    return await_input(file, 0, "read") ? -1 : REAL(read)(file, bytes, size);
}

ssize_t __read_chk(int file, void *bytes, size_t size, size_t room)
{
    (void)room;
    return read(file, bytes, size);
}

ssize_t readv(int file, const struct iovec *parts, int count)
{
    return await_input(file, 0, "readv") ? -1 : REAL(readv)(file, parts, count);
}

ssize_t recv(int file, void *bytes, size_t size, int flags)
{
    return await_input(file, flags, "recv") ? -1 : REAL(recv)(file, bytes, size, flags);
}

ssize_t __recv_chk(int file, void *bytes, size_t size, size_t room, int flags)
{
    (void)room;
    return recv(file, bytes, size, flags);
}

ssize_t recvfrom(int file, void *restrict bytes, size_t size, int flags, struct sockaddr *restrict from,
                 socklen_t *restrict length)
{
    return await_input(file, flags, "recvfrom") ? -1 : REAL(recvfrom)(file, bytes, size, flags, from, length);
}

ssize_t __recvfrom_chk(int file, void *restrict bytes, size_t size, size_t room, int flags,
                       struct sockaddr *restrict from, socklen_t *restrict length)
{
    (void)room;
    return recvfrom(file, bytes, size, flags, from, length);
}

int accept4(int file, struct sockaddr *restrict from, socklen_t *restrict length, int flags)
{
    return await_input(file, 0, "accept") ? -1 : REAL(accept4)(file, from, length, flags);
}

int accept(int file, struct sockaddr *restrict from, socklen_t *restrict length)
{
    return accept4(file, from, length, 0);
}

// The kernel stamps datagrams with its own clock. What arrived between two jumps arrived at the virtual time of the
// first.
static void set_stamps(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        struct timespec *stamp = (void *)CMSG_DATA(part);
        uint64_t real_ns = timespec_ns(stamp), ns = stage->now_ns, last = stage->jumps;
        for (uint64_t k = 0; k < last && k < JUMPS; k++) { // nearly always the newest
            ns = stage->jump[(last - 1 - k) % JUMPS].now_ns;
            if (stage->jump[(last - 1 - k) % JUMPS].real_ns <= real_ns)
                break;
        }
        *stamp = (struct timespec){(time_t)(ns / NS_PER_S + DATE_S), (long)(ns % NS_PER_S)};
    }
}

ssize_t recvmsg(int file, struct msghdr *message, int flags)
{
    if (await_input(file, flags, "recvmsg"))
        return -1;
    ssize_t count = REAL(recvmsg)(file, message, flags);
    if (count >= 0 && stage && message->msg_control)
        set_stamps(message);
    return count;
}

int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *most)
{
    if (await_input(file, flags, "recvmmsg"))
        return -1;
    int found = REAL(recvmmsg)(file, messages, count, stage ? flags | MSG_WAITFORONE : flags, most);
    for (int i = 0; i < found && stage; i++)
        if (messages[i].msg_hdr.msg_control)
            set_stamps(&messages[i].msg_hdr);
    return found;
}

// ---- what sends ----

static int type_of(int socket)
{
    int type = 0;
    socklen_t size = sizeof type;
    return own_cage || getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) ? 0 : type;
}

// Who only sends would fill the queues of those who wait.
static void count_send(void)
{
    static OWN uint32_t sends;
    if (++sends % SEND_BURST == 0)
        give_way();
}

static ssize_t send_datagram(int file, const struct msghdr *message, int flags)
{
    size_t bytes;
    ssize_t count = line_takes(file, message, &bytes) ? (ssize_t)bytes : REAL(sendmsg)(file, message, flags);
    int error = errno;
    count_send();
    errno = error;
    return count;
}

// Sends all of it, as a blocking call does, by calls that do not block.
static ssize_t send_stream(int file, const uint8_t *bytes, size_t size, int flags)
{
    size_t done = 0;
    bool waits = !(flags & MSG_DONTWAIT) && blocks(file);
    while (1) {
        ssize_t count = REAL(send)(file, bytes + done, size - done, flags | MSG_DONTWAIT);
        if (count >= 0)
            done += (size_t)count;
        if (!waits || (count >= 0 && done == size) || (count < 0 && errno != EAGAIN))
            return done ? (ssize_t)done : count;
        if (await_event(file, POLLOUT, socket_deadline_ns(file, SO_SNDTIMEO), "send"))
            return done ? (ssize_t)done : -1;
    }
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    int type = acts() ? type_of(file) : 0;
    if (type == SOCK_DGRAM)
        return send_datagram(file, message, flags);
    struct pollfd wanted = {file, POLLOUT, 0};
    if (type == SOCK_STREAM && !(flags & MSG_DONTWAIT) && blocks(file) && kernel_look(&wanted, 1) == 0 &&
        await_event(file, POLLOUT, socket_deadline_ns(file, SO_SNDTIMEO), "sendmsg"))
        return -1;
    return REAL(sendmsg)(file, message, flags);
}

ssize_t sendto(int file, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t length)
{
    int type = acts() ? type_of(file) : 0;
    if (type == SOCK_STREAM)
        return send_stream(file, bytes, size, flags);
    if (type != SOCK_DGRAM)
        return REAL(sendto)(file, bytes, size, flags, to, length);
    give_port(file);
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {
        .msg_name = (void *)(uintptr_t)to, .msg_namelen = to ? length : 0, .msg_iov = &part, .msg_iovlen = 1};
    return send_datagram(file, &message, flags);
}

ssize_t send(int file, const void *bytes, size_t size, int flags)
{
    return sendto(file, bytes, size, flags, NULL, 0);
}

int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags)
{
    if (!acts())
        return REAL(sendmmsg)(file, messages, count, flags);
    for (unsigned i = 0; i < count; i++) {
        ssize_t size = sendmsg(file, &messages[i].msg_hdr, flags);
        if (size < 0)
            return i ? (int)i : -1;
        messages[i].msg_len = (unsigned)size;
    }
    return (int)count;
}

// Nobody else runs between both changes of the flag.
static ssize_t write_some(int file, const void *bytes, size_t size)
{
    long flags = syscall(SYS_fcntl, (long)file, (long)F_GETFL, 0L);
    syscall(SYS_fcntl, (long)file, (long)F_SETFL, flags | O_NONBLOCK);
    ssize_t count = REAL(write)(file, bytes, size);
    int error = errno;
    syscall(SYS_fcntl, (long)file, (long)F_SETFL, flags);
    errno = error;
    return count;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    struct stat what;
    if (own_cage || !acts() || fstat(file, &what) || !blocks(file))
        return REAL(write)(file, bytes, size);
    if (S_ISSOCK(what.st_mode))
        return send(file, bytes, size, 0);
    if (!S_ISFIFO(what.st_mode))
        return REAL(write)(file, bytes, size);
    size_t done = 0;
    while (1) {
        ssize_t count = write_some(file, (const char *)bytes + done, size - done);
        if (count >= 0)
            done += (size_t)count;
        if ((count >= 0 && done == size) || (count < 0 && errno != EAGAIN))
            return done ? (ssize_t)done : count;
        if (await_event(file, POLLOUT, NEVER_NS, "write"))
            return done ? (ssize_t)done : -1;
    }
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    struct pollfd wanted = {file, POLLOUT, 0};
    if (acts() && !own_cage && kernel_look(&wanted, 1) == 0 && blocks(file) &&
        await_event(file, POLLOUT, NEVER_NS, "writev"))
        return -1;
    return REAL(writev)(file, parts, count);
}

int connect(int file, const struct sockaddr *to, socklen_t length)
{
    if (!acts() || own_cage)
        return REAL(connect)(file, to, length);
    int type = type_of(file);
    if (type == SOCK_STREAM || type == SOCK_DGRAM)
        give_port(file);
    if (type == SOCK_STREAM)
        send_at_once(file);
    if (!blocks(file) || type != SOCK_STREAM)
        return REAL(connect)(file, to, length);
    long flags = syscall(SYS_fcntl, (long)file, (long)F_GETFL, 0L);
    syscall(SYS_fcntl, (long)file, (long)F_SETFL, flags | O_NONBLOCK);
    int result = REAL(connect)(file, to, length), error = errno;
    syscall(SYS_fcntl, (long)file, (long)F_SETFL, flags);
    errno = error;
    if (result == 0 || (error != EINPROGRESS && error != EAGAIN))
        return result;
    if (error == EAGAIN) { // the queue of a Unix socket is full
        sleep_until(stage->now_ns + 1000000, "connect");
        return connect(file, to, length);
    }
    if (await_event(file, POLLOUT, socket_deadline_ns(file, SO_SNDTIMEO), "connect"))
        return -1;
    socklen_t size = sizeof error;
    getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error ? -1 : 0;
}

int pipe2(int ends[2], int flags)
{
    int result = REAL(pipe2)(ends, flags);
    if (!result && acts())
        syscall(SYS_fcntl, (long)ends[0], (long)F_SETPIPE_SZ, (long)PIPE_BYTES);
    return result;
}

int pipe(int ends[2])
{
    return pipe2(ends, 0);
}

// ---- locks of files: they are tried again when somebody has run ----

struct lock_wait {
    struct wait wait;
    int file;
    long call, operation;
    const void *what;
    long *result;
};

static bool lock_is_taken(const struct wait *wait)
{
    const struct lock_wait *w = (const void *)wait;
    *w->result = syscall(w->call, (long)w->file, w->operation, w->what);
    return *w->result == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EACCES);
}

// A lock belongs to the open file or to the process, so that a sibling may take it for the thread that waits.
static int await_lock(int file, long call, long operation, const void *what)
{
    long result = -1;
    struct lock_wait w = {{lock_is_taken, "lock of a file", NEVER_NS, true}, file, call, operation, what, &result};
    if (await(&w.wait) == EINTR) {
        errno = EINTR;
        return -1;
    }
    return (int)result;
}

int flock(int file, int operation)
{
    if ((operation & LOCK_NB) || operation == LOCK_UN || !acts())
        return REAL(flock)(file, operation);
    return await_lock(file, SYS_flock, operation | LOCK_NB, NULL);
}

int fcntl64(int file, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    if ((command != F_SETLKW && command != F_OFD_SETLKW) || !acts())
        return REAL(fcntl)(file, command, argument);
    return await_lock(file, SYS_fcntl, command == F_SETLKW ? F_SETLK : F_OFD_SETLK, argument);
}

int fcntl(int file, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return fcntl64(file, command, argument);
}
