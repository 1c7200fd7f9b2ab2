// SPDX-License-Identifier: MIT
//
// Publishes a running server to other programs: server browsers (A2S), monitoring and web browsers (HTTP), its fleet
// (Agones) and the service manager (systemd). main.c opens it once there is a match and calls it in its loop.
#ifndef MONITOR_INTEGRATIONS_H
#define MONITOR_INTEGRATIONS_H

#include "a2s.h"
#include "agones.h"
#include "http_server.h"
#include "lifecycle/settings.h"
#include "net/transport.h"
#include "page/page_server.h"
#include "reach/announcer.h"
#include "reach/inviter.h"
#include "systemd_notify.h"

/// About 300 KB: keep it static. Initialise by INTEGRATIONS_INITIAL.
struct integrations {
    struct a2s a2s;
    struct a2s_server self;
    struct net_replies replies;
    struct status_publisher publisher;
    struct http_server *http;     ///< null: off
    struct page_server *page;     ///< null: off
    struct agones *agones;        ///< null: no fleet
    struct announcer *announcer;  ///< null: the server is in no list
    struct port_mapping *mapping; ///< null: the router is not asked
    struct invitation invitation; ///< as reported last
    bool invites;                 ///< once the server is ready
    bool ends;                    ///< for good, or until a service manager starts the next one
    struct systemd_notify notify;
    uint64_t replies_due_ns, snapshot_due_ns;
    char state_path[2 * OPTION_TEXT_BYTES]; ///< of the state directory
};

#define INTEGRATIONS_INITIAL                                                                                           \
    {                                                                                                                  \
        .publisher = STATUS_PUBLISHER_INITIAL, .notify = {.socket = -1 }                                               \
    }

/// What is published. The pointers must stay valid.
struct integrations_subject {
    const struct settings *settings;
    const struct net_endpoint *endpoint;
    const struct match *match;
    const struct tick_stats *status;
    const struct tick_clock *clock;
    const struct server_health *health;
    const struct log *log;
};

/// Opens what the settings ask for. EXIT_OK, or the exit code of a logged error.
int integrations_open(struct integrations *integrations, const struct integrations_subject *subject, uint64_t now_ns);
/// Publishes what is due. Takes some microseconds at most.
void integrations_publish(struct integrations *integrations, const struct integrations_subject *subject,
                          uint64_t now_ns);
/// Reports the server's phase to the service manager.
void integrations_publish_phase(struct integrations *integrations, enum systemd_notify_phase phase, uint64_t now_ns);
/// Lets the service manager wait for a drain of this length before it kills the server.
void integrations_extend_stop(struct integrations *integrations, uint64_t drain_ms);
/// Returns whether a service manager starts the next server when this one ends.
bool integrations_have_manager(const struct integrations *integrations);
/// Lets the service manager keep the game's sockets for the next server; `replaces`: in place of those that it keeps.
void integrations_keep_sockets(const struct integrations *integrations, const int sockets[2], bool replaces);
/// Returns true once the fleet has asked the server to shut down.
bool integrations_wants_shutdown(const struct integrations *integrations);
/// Closes everything. May take some seconds, so call it after the match.
void integrations_close(struct integrations *integrations);

#endif
