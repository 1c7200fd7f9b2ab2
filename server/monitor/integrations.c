// SPDX-License-Identifier: MIT
#include "integrations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS    1000000000u
#define PUBLISHED_NS (SECOND_NS / 10)

static int open_web(struct integrations *presence, const struct integrations_subject *subject)
{
    struct error error;
    const struct settings *settings = subject->settings;
    const struct status_server self = {subject->endpoint->fingerprint, subject->endpoint->port};
    if (strcmp(settings->metrics, "off") == 0)
        return EXIT_OK;
    presence->web = http_server_open(settings->metrics, &presence->published, &self, &error);
    if (!presence->web) {
        log_write(subject->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    log_write(subject->log, LOG_INFO, "metrics and a live page on port %u by HTTP", http_server_port(presence->web));
    return EXIT_OK;
}

// The sidecar's own variable says that there is one, and where.
static int open_agones(struct integrations *presence, const struct integrations_subject *subject)
{
    const char *given = getenv("AGONES_SDK_HTTP_PORT");
    unsigned long port = given ? strtoul(given, NULL, 10) : AGONES_PORT;
    if (subject->settings->agones == AGONES_OFF || (subject->settings->agones == AGONES_AUTO && !given))
        return EXIT_OK;
    if (port == 0 || port > 65535) {
        log_write(subject->log, LOG_ERROR, "AGONES_SDK_HTTP_PORT is \"%.40s\", not a port from 1 to 65535", given);
        return EXIT_CONFIG;
    }
    presence->agones = agones_open((uint16_t)port, &presence->published, subject->log);
    return presence->agones ? EXIT_OK : EXIT_UNAVAILABLE;
}

// A manager that cannot be reached is no reason not to play.
static void open_notify(struct integrations *presence, const struct integrations_subject *subject)
{
    struct error error;
    if (!systemd_notify_open(&presence->notify, getenv, getpid(), &error))
        log_write(subject->log, LOG_WARNING, "%s", error.text);
}

int integrations_open(struct integrations *presence, const struct integrations_subject *subject, uint64_t now_ns)
{
    presence->self = (struct a2s_server){.name = subject->settings->name,
                                         .port = subject->endpoint->port,
                                         .fingerprint = subject->endpoint->fingerprint};
    open_notify(presence, subject);
    status_snapshot_write(&presence->published, subject->settings->name, subject->match, subject->status,
                          subject->clock, now_ns);
    integrations_publish(presence, subject, now_ns);
    int code = open_web(presence, subject);
    return code == EXIT_OK ? open_agones(presence, subject) : code;
}

static void tell_manager(struct integrations *presence, const struct integrations_subject *subject, uint64_t now_ns)
{
    char status[160];
    const struct match *match = subject->match;
    snprintf(status, sizeof status, "%u of %u players, %u bots, on %s", roster_count(&match->roster, SEAT_PLAYER),
             match->players_max, roster_count(&match->roster, SEAT_BOT), match->map.name);
    systemd_notify_send(&presence->notify, subject->status->ticks, match_may_sleep(match), status, now_ns);
}

void integrations_publish(struct integrations *presence, const struct integrations_subject *subject, uint64_t now_ns)
{
    if (now_ns >= presence->replies_due_ns) {
        presence->replies_due_ns = now_ns + SECOND_NS;
        presence->self.has_password = subject->settings->password_file[0] != 0;
        a2s_write(&presence->a2s, &presence->self, subject->match, &presence->replies);
        transport_reply(subject->match->transport, &presence->replies);
    }
    if ((presence->web || presence->agones) && now_ns >= presence->published_due_ns) {
        presence->published_due_ns = now_ns + PUBLISHED_NS;
        status_snapshot_write(&presence->published, subject->settings->name, subject->match, subject->status,
                              subject->clock, now_ns);
    }
    if (presence->notify.socket >= 0)
        tell_manager(presence, subject, now_ns);
}

void integrations_publish_phase(struct integrations *presence, enum systemd_notify_phase phase, uint64_t now_ns)
{
    systemd_notify_phase(&presence->notify, phase, now_ns);
}

bool integrations_wants_shutdown(const struct integrations *presence)
{
    return agones_wants_shutdown(presence->agones);
}

void integrations_close(struct integrations *presence)
{
    http_server_close(presence->web);
    agones_close(presence->agones);
    systemd_notify_close(&presence->notify);
}
