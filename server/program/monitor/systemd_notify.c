// SPDX-License-Identifier: MIT
#include "systemd_notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define STATUS_NS 1000000000u

bool systemd_notify_open(struct systemd_notify *notify, char *(*environment)(const char *), long self,
                         struct error *error)
{
    const char *name = environment("NOTIFY_SOCKET");
    const char *period = environment("WATCHDOG_USEC"), *process = environment("WATCHDOG_PID");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *notify = (struct systemd_notify){.socket = -1};
    if (!name || !name[0])
        return true;
    size_t length = strlen(name);
    if ((name[0] != '/' && name[0] != '@') || length < 2 || length >= sizeof address.sun_path)
        return error_set(
            error, "NOTIFY_SOCKET is \"%.100s\", not a path or '@' and a name: the service manager is not notified",
            name);
    memcpy(address.sun_path, name, length);
    if (name[0] == '@') // a name outside of the file system begins with a zero in its place
        address.sun_path[0] = '\0';
    notify->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (notify->socket < 0 || connect(notify->socket, (struct sockaddr *)&address,
                                      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) != 0) {
        error_set(error, "the service manager at %.100s cannot be notified: %s", name, strerror(errno));
        systemd_notify_close(notify);
        return false;
    }
    if (!period || (process && strtol(process, NULL, 10) != self))
        return true;
    char *end;
    unsigned long long period_us = strtoull(period, &end, 10);
    if (*end == 0 && period[0] >= '0' && period[0] <= '9' && period_us <= UINT64_MAX / 1000)
        notify->watchdog_ns = period_us * 1000 / 2;
    return true;
}

static void say(const struct systemd_notify *notify, const char *words)
{
    if (notify->socket >= 0)
        send(notify->socket, words, strlen(words), MSG_NOSIGNAL);
}

void systemd_notify_phase(struct systemd_notify *notify, enum systemd_notify_phase phase, uint64_t now_ns)
{
    char words[80];
    switch (phase) {
    case SYSTEMD_NOTIFY_READY:
        notify->ready = true;
        say(notify, "READY=1");
        break;
    case SYSTEMD_NOTIFY_RELOADING: // the time is for managers that wait for the end of the reload: Type=notify-reload
        snprintf(words, sizeof words, "RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)now_ns / 1000);
        say(notify, words);
        break;
    case SYSTEMD_NOTIFY_STOPPING:
        notify->ready = false;
        say(notify, "STOPPING=1");
        break;
    }
}

void systemd_notify_send(struct systemd_notify *notify, uint64_t ticks, bool sleeps, const char *status,
                         uint64_t now_ns)
{
    if (notify->socket < 0 || !notify->ready)
        return;
    if (notify->watchdog_ns && now_ns >= notify->alive_due_ns && (sleeps || ticks != notify->ticks)) {
        notify->alive_due_ns = now_ns + notify->watchdog_ns;
        notify->ticks = ticks;
        say(notify, "WATCHDOG=1");
    }
    if (now_ns < notify->status_due_ns || strcmp(status, notify->status) == 0)
        return;
    char words[sizeof notify->status + 8];
    notify->status_due_ns = now_ns + STATUS_NS;
    snprintf(notify->status, sizeof notify->status, "%s", status);
    snprintf(words, sizeof words, "STATUS=%s", notify->status);
    say(notify, words);
}

void systemd_notify_extend(const struct systemd_notify *notify, uint64_t duration_us)
{
    char words[60];
    snprintf(words, sizeof words, "EXTEND_TIMEOUT_USEC=%llu", (unsigned long long)duration_us);
    say(notify, words);
}

// Without FDPOLL=0 an error that the network reports on a socket would remove it from the store.
void systemd_notify_keep(const struct systemd_notify *notify, const int sockets[2], bool replaces)
{
    static const char words[] = "FDSTORE=1\nFDNAME=game\nFDPOLL=0";
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {0};
    int files[2];
    size_t count = 0;
    for (size_t i = 0; i < 2; i++)
        if (sockets[i] >= 0)
            files[count++] = sockets[i];
    if (notify->socket < 0 || count == 0)
        return;
    if (replaces)
        say(notify, "FDSTOREREMOVE=1\nFDNAME=game");
    struct msghdr message = {.msg_iov = &(struct iovec){(void *)(uintptr_t)words, sizeof words - 1},
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = (socklen_t)CMSG_SPACE(count * sizeof *files)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = (socklen_t)CMSG_LEN(count * sizeof *files)};
    memcpy(CMSG_DATA(head), files, count * sizeof *files);
    sendmsg(notify->socket, &message, MSG_NOSIGNAL);
}

void systemd_notify_close(struct systemd_notify *notify)
{
    if (notify->socket >= 0)
        close(notify->socket);
    notify->socket = -1;
}
