// SPDX-License-Identifier: MIT
//
// One load-test client: a client, its behaviour, and what it measures. Full clients decode, predict, compare hashes and
// play as the game says. The others answer on the wire as clients do and walk at random.
#ifndef LOAD_LOAD_CLIENT_H
#define LOAD_LOAD_CLIENT_H

#include "core/client.h"
#include "metric.h"
#include "outage.h"
#include "workload.h"

/// Connects a client, by its number, to the server under test. Null if it fails; the client then counts as lost.
typedef struct transport *load_client_connect(void *context, uint32_t client);

/// Settings that all clients of a swarm share.
struct load_client_settings {
    uint32_t verify; ///< the first so many are full clients
    uint32_t seed;   ///< of the random walks
    uint32_t skill;  ///< of the full clients, index into LOAD_GAME_SKILLS
    struct behaviour_mix mix;
    bool reconnect;   ///< a client that loses its connection comes back; otherwise it counts as lost
    const char *name; ///< prefix of their names
    const char *say;  ///< chat line of each client when it joins; "": none
    load_client_connect *connect;
    void *context;
};

/// Where a client is.
enum load_client_state {
    LOAD_CLIENT_OUT,   ///< not needed yet, or not any more
    LOAD_CLIENT_IN,    ///< connects, or is connected
    LOAD_CLIENT_AWAY,  ///< has left and will come back
    LOAD_CLIENT_ENDED, ///< refused, lost, or never answered
};

/// A load-test client. Zero-initialise.
struct load_client {
    enum load_client_state state;
    const struct load_client_settings *settings;
    uint32_t index;
    enum behaviour behaviour;
    bool full;
    bool played;                 ///< `core` has been in the match
    bool joined;                 ///< this one or one before it has been
    uint32_t tries;              ///< to come back, failed in a row
    struct client *core;         ///< null unless LOAD_CLIENT_IN
    struct transport *transport; ///< of the client, for messages that no client sends
    uint32_t random;
    struct player_input walk;
    uint32_t walk_ticks;
    uint64_t opened_us;
    uint64_t change_us;            ///< when a churning client leaves, or one that is away comes back
    uint64_t read_us;              ///< when it last read
    uint64_t measured_us;          ///< until when it was measured
    uint64_t snapshot_us;          ///< when the newest came
    int32_t overdue;               ///< snapshots that did not come since then, already counted as lost
    int32_t late_arrivals;         ///< snapshots counted as lost that came after all, still to be subtracted
    uint64_t play_us;              ///< in the match
    uint64_t snapshots;            ///< received in that time
    uint64_t lost_us;              ///< when the newest snapshot of a lost connection came; 0: none is lost
    bool settled;                  ///< gets snapshots one after the other
    struct outage outage;          ///< the present one
    struct recovery recovery;      ///< from a stall
    struct client_statistics seen; ///< of its client, as last measured
    uint32_t seen_events;          ///< events of the confirmed world, as last counted
    struct load_client_traffic {
        uint64_t bytes_in, bytes_out, packets_in, packets_out;
    } counted; ///< of the present connection, joins included
};

/// Connects a client. A failure ends it, and is counted in `sample`.
void load_client_open(struct load_client *client, const struct load_client_settings *settings, uint32_t index,
                      struct sample *sample, uint64_t now_us);
/// Leaves: LOAD_CLIENT_OUT.
void load_client_leave(struct load_client *client, struct sample *sample);
/// Counts an outage that is still open. For the end of a run. False if there was none.
bool load_client_end_outage(struct load_client *client, struct sample *sample);
/// Comes back if it is time, receives, ticks if due, measures. False, with the reason, when the client ends.
bool load_client_pulse(struct load_client *client, struct sample *sample, uint64_t now_us, struct error *error);

#endif
