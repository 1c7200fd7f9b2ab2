// SPDX-License-Identifier: MIT
//
// How a running server is seen from outside: by server browsers (A2S), by monitoring and browsers (HTTP), by its fleet
// (Agones), by the service manager (systemd). The main opens it once the match stands, and lets it look at the match in
// every round of its loop.
#ifndef OPERATIONS_PRESENCE_H
#define OPERATIONS_PRESENCE_H

#include "a2s.h"
#include "agones.h"
#include "notify.h"
#include "settings.h"
#include "web.h"

/// About 300 KB: keep it static. Initialise by PRESENCE_INITIAL.
struct presence {
    struct a2s a2s;
    struct a2s_server self;
    struct net_replies replies;
    struct published published;
    struct web *web;       ///< null: off
    struct agones *agones; ///< null: no fleet
    struct notify notify;
    uint64_t replies_due_ns, published_due_ns;
};

#define PRESENCE_INITIAL                                                                                               \
    {                                                                                                                  \
        .published = PUBLISHED_INITIAL, .notify = {.socket = -1 }                                                      \
    }

/// What a presence looks at.
struct presence_subject {
    const struct settings *settings;
    const struct net_endpoint *endpoint;
    const struct match *match;
    const struct status *status;
    const struct tick_clock *clock;
    const struct log *log;
};

/// Opens what the settings ask for. EXIT_OK, or the exit code of what has been logged.
int presence_open(struct presence *presence, const struct presence_subject *subject, uint64_t now_ns);
/// Looks at the match, and says what is due. Some microseconds at most.
void presence_tell(struct presence *presence, const struct presence_subject *subject, uint64_t now_ns);
/// Tells the service manager what the server goes through.
void presence_tell_phase(struct presence *presence, enum notify_phase phase, uint64_t now_ns);
/// True once the fleet has ordered the server to end.
bool presence_wants_end(const struct presence *presence);
/// Ends it. May take some seconds: after the match.
void presence_close(struct presence *presence);

#endif
