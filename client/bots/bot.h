// SPDX-License-Identifier: MIT
//
// One bot: a client, what it does, and what it measures. Some are whole clients that decode, predict and compare hashes
// and play by brain; the others answer on the wire as clients do and walk at random.
#ifndef BOTS_BOT_H
#define BOTS_BOT_H

#include "ai/ai.h"
#include "behaviour.h"
#include "core/client.h"
#include "sample.h"

/// Opens a connection of a bot, by its number, to the server under test. Null: it cannot be; counted as a lost bot.
typedef struct transport *bot_connect(void *context, uint32_t bot);

/// What all bots of a swarm share.
struct bot_settings {
    uint32_t verify;  ///< how many are whole clients: the first
    uint32_t seed;    ///< of the random walks
    enum skill skill; ///< of the whole clients
    struct mix mix;   ///< of what they do
    bool reconnect;   ///< who is cut off comes back by himself; else he counts as lost
    const char *name; ///< prefix of their names
    const char *say;  ///< what each says when it comes into the match; "": nothing
    bot_connect *connect;
    void *context;
};

enum bot_state {
    BOT_OUT,   ///< not wanted yet, or not any more
    BOT_IN,    ///< has a client
    BOT_AWAY,  ///< has left, and comes back
    BOT_ENDED, ///< refused, lost, or never answered
};

/// Zero-initialise.
struct bot {
    enum bot_state state;
    const struct bot_settings *settings;
    uint32_t index;
    enum behaviour behaviour;
    bool whole;
    bool played;                 ///< this client has been in the match
    bool joined;                 ///< any of its clients has
    uint32_t tries;              ///< to come back, in vain, one after the other
    struct client *client;       ///< null unless BOT_IN
    struct transport *transport; ///< the client's, for what no client would send
    uint32_t random;
    struct player_input walk;
    uint32_t walk_ticks;
    uint64_t opened_us;
    uint64_t turn_us;        ///< when a churning bot leaves; one that is away comes back
    uint64_t read_us;        ///< when it has read last
    uint64_t pulse_us;       ///< of the last pulse in the match
    uint64_t snapshot_us;    ///< when the newest came
    int32_t overdue;         ///< snapshots lost since then, already counted
    int32_t found;           ///< snapshots counted as lost that came after all, to be made good
    uint64_t play_us;        ///< in the match
    uint64_t snapshots;      ///< that came in that time
    uint64_t sampled_rtt_us; ///< when the round trip was sampled last
    struct client_statistics seen;
};

/// Opens its connection. One that fails ends it, counted in `sample`.
void bot_open(struct bot *bot, const struct bot_settings *settings, uint32_t index, struct sample *sample,
              uint64_t now_us);
/// Leaves and frees its client: BOT_OUT.
void bot_leave(struct bot *bot);
/// Comes back if it is time, receives, ticks if it is due, measures. Returns why it ended when it ends, else null;
/// valid until the next call.
const char *bot_pulse(struct bot *bot, struct sample *sample, uint64_t now_us);

#endif
