// SPDX-License-Identifier: MIT
//
// One load-test client: a client, its behaviour, and what it measures. Full clients decode, predict, compare hashes and
// play as the game says. The others answer on the wire as clients do and walk at random.
#ifndef LOAD_LOAD_CLIENT_H
#define LOAD_LOAD_CLIENT_H

#include "core/client.h"
#include "metric.h"
#include "workload.h"

// --- what interrupts a client. An outage: it should get snapshots and gets none, because the server, the line or the
// connection is gone. Time in which the load test itself did not run does not count, so that it blames nobody else for
// its own stalls. And how long a stall lasts on after its end: the time until inputs are again acknowledged as fast as
// before. A stall of the server, the line or the client is what leaves no input acknowledged for a tenth of a second.

/// Without a snapshot for so long, a client has an outage; at low snapshot rates, for OUTAGE_INTERVALS_MIN of them.
#define OUTAGE_US_MIN        200000u
#define OUTAGE_INTERVALS_MIN 6u
/// Of the time between two pulses at most so much counts: the rest is a stall of the load test itself.
#define OUTAGE_PULSE_US_MAX 25000u

/// Zero-initialise.
struct outage {
    bool is_open;
    uint64_t silent_us; ///< since the newest snapshot
    uint64_t pulsed_us; ///< the last pulse; 0: none yet
};

/// One pulse of a client.
struct outage_pulse {
    bool heard;             ///< a snapshot has come since the last pulse
    bool expects;           ///< snapshots should come
    uint32_t snapshot_rate; ///< a second
    uint64_t now_us;
};

/// Takes a pulse. True when an outage is over: `*lasted_us` is how long it was.
bool load_client_outage_pulse(struct outage *outage, const struct outage_pulse *pulse, uint64_t *lasted_us);
/// Ends an outage because its client leaves or the run ends. False if there was none.
bool load_client_outage_end(struct outage *outage, uint64_t *lasted_us);

/// A client that has not recovered after so long has another delay from then on.
#define RECOVERY_US_MAX 10000000u

/// Zero-initialise.
struct recovery {
    uint32_t usual_us;   ///< what an acknowledgement takes, averaged over about 32; 0: none yet
    uint32_t recent_us;  ///< since the stall, averaged over about 4
    uint64_t acked_us;   ///< when the newest came
    uint64_t resumed_us; ///< when the first after a stall came; 0: recovered
};

/// Takes an acknowledgement, which took `ack_us`. Returns true when the client has recovered from a stall, or never
/// will: `took_us`, up to RECOVERY_US_MAX, after its end.
bool load_client_recovery_ack(struct recovery *recovery, uint32_t ack_us, uint64_t now_us, uint64_t *took_us);

// --- the client

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
