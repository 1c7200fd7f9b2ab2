// SPDX-License-Identifier: MIT
//
// A system without what Unix has: what a server lacks there, and says so.
#include "lifecycle/successor.h"
#include "monitor/systemd_notify.h"
#include "monitor/webrtc_process.h"

// Where a program cannot take the place of another one in its process: no socket is left by an earlier server.

static bool refuse(struct error *error)
{
    return error_set(error, "on this system a server cannot restart itself: stop it, and start it again");
}

unsigned successor_take(char *(*environment)(const char *name), long self, int sockets[SUCCESSOR_SOCKETS])
{
    (void)environment, (void)self, (void)sockets;
    return 0;
}

bool successor_find(char *path, size_t path_bytes, struct error *error)
{
    (void)path, (void)path_bytes;
    return refuse(error);
}

void successor_keep(const int sockets[SUCCESSOR_SOCKETS], int kept[SUCCESSOR_SOCKETS])
{
    (void)sockets;
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++)
        kept[i] = -1;
}

void successor_run(const char *path, char **arguments, const int sockets[SUCCESSOR_SOCKETS], struct error *error)
{
    (void)path, (void)arguments, (void)sockets;
    refuse(error);
}
bool successor_check(struct successor_check *check, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error)
{
    (void)check, (void)path, (void)arguments, (void)now_ns;
    return error_set(error, "on this system a server cannot restart itself");
}

enum successor_outcome successor_poll(struct successor_check *check, uint64_t now_ns, struct error *error)
{
    (void)check, (void)now_ns, (void)error;
    return SUCCESSOR_CHECKING;
}

// Where there is no systemd.

bool systemd_notify_open(struct systemd_notify *notify, char *(*environment)(const char *name), long self,
                         struct error *error)
{
    (void)environment, (void)self, (void)error;
    *notify = (struct systemd_notify){.socket = -1};
    return true;
}

void systemd_notify_phase(struct systemd_notify *notify, enum systemd_notify_phase phase, uint64_t now_ns)
{
    (void)notify, (void)phase, (void)now_ns;
}

void systemd_notify_send(struct systemd_notify *notify, uint64_t ticks, bool sleeps, const char *status,
                         uint64_t now_ns)
{
    (void)notify, (void)ticks, (void)sleeps, (void)status, (void)now_ns;
}

void systemd_notify_extend(const struct systemd_notify *notify, uint64_t duration_us)
{
    (void)notify, (void)duration_us;
}

void systemd_notify_keep(const struct systemd_notify *notify, const int sockets[2], bool replaces)
{
    (void)notify, (void)sockets, (void)replaces;
}

void systemd_notify_close(struct systemd_notify *notify)
{
    (void)notify;
}

// Where deadfall-webrtc does not run.

bool webrtc_process_open(struct webrtc_process *webrtc, const char *certificate, const struct log *log, uint64_t now_ns,
                         struct error *error)
{
    (void)webrtc, (void)certificate, (void)log, (void)now_ns;
    return error_set(error, "on this system browsers cannot join a server: leave --web off");
}

void webrtc_process_update(struct webrtc_process *webrtc, uint64_t now_ns)
{
    (void)webrtc, (void)now_ns;
}

void webrtc_process_report(const struct webrtc_process *webrtc, struct webrtc_health *health)
{
    (void)webrtc, (void)health;
}

void webrtc_process_close(struct webrtc_process *webrtc)
{
    (void)webrtc;
}
