// SPDX-License-Identifier: MIT
//
// One bot: a client, its behaviour, and what it measures. Some bots are whole clients, which decode, predict, compare
// hashes and play as the AI does. The others answer on the wire as clients do and walk at random.
#ifndef BOTS_BOT_H
#define BOTS_BOT_H

#include "ai/ai.h"
#include "behaviour.h"
#include "core/client.h"
#include "sample.h"

/// Connects a bot, by its number, to the server under test. Null if it fails; the bot then counts as lost.
typedef struct transport *bot_connect(void *context, uint32_t bot);

/// Settings that all bots of a swarm share.
struct bot_settings {
    uint32_t verify;  ///< the first so many are whole clients
    uint32_t seed;    ///< of the random walks
    enum skill skill; ///< of the whole clients
    struct behaviour_mix mix;
    bool reconnect;   ///< a bot that loses its connection comes back; otherwise it counts as lost
    const char *name; ///< prefix of their names
    const char *say;  ///< chat line of each bot when it joins; "": none
    bot_connect *connect;
    void *context;
};

/// Where a bot is.
enum bot_state {
    BOT_OUT,   ///< not needed yet, or not any more
    BOT_IN,    ///< has a client
    BOT_AWAY,  ///< has left and will come back
    BOT_ENDED, ///< refused, lost, or never answered
};

/// One bot. Zero-initialise.
struct bot {
    enum bot_state state;
    const struct bot_settings *settings;
    uint32_t index;
    enum behaviour behaviour;
    bool whole;
    bool played;                 ///< this client has been in the match
    bool joined;                 ///< any of its clients has been
    uint32_t tries;              ///< to come back, failed in a row
    struct client *client;       ///< null unless BOT_IN
    struct transport *transport; ///< of the client, for messages that no client sends
    uint32_t random;
    struct player_input walk;
    uint32_t walk_ticks;
    uint64_t opened_us;
    uint64_t change_us;            ///< when a churning bot leaves, or one that is away comes back
    uint64_t read_us;              ///< when it last read
    uint64_t measured_us;          ///< until when it was measured
    uint64_t snapshot_us;          ///< when the newest came
    int32_t overdue;               ///< snapshots that did not come since then, already counted as lost
    int32_t late_arrivals;         ///< snapshots counted as lost that came after all, still to be subtracted
    uint64_t play_us;              ///< in the match
    uint64_t snapshots;            ///< received in that time
    uint64_t sampled_rtt_us;       ///< when the round trip was last sampled
    struct client_statistics seen; ///< of its client, as last measured
};

/// Connects a bot. A failure ends it, and is counted in `sample`.
void bot_open(struct bot *bot, const struct bot_settings *settings, uint32_t index, struct sample *sample,
              uint64_t now_us);
/// Leaves and frees the client: BOT_OUT.
void bot_leave(struct bot *bot);
/// Comes back if it is time, receives, ticks if due, measures. False, with the reason, when the bot ends.
bool bot_pulse(struct bot *bot, struct sample *sample, uint64_t now_us, struct error *error);

#endif
