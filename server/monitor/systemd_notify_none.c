// SPDX-License-Identifier: MIT
//
// Where there is no systemd.
#include "systemd_notify.h"

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
