// SPDX-License-Identifier: MIT
//
// A running match: the world, who plays in it, and what each client is told. It is the authority: it alone steps the
// world, from inputs. Driven by main.c (or a test, in virtual time) with two calls, match_receive and match_tick; time
// is their argument, messages go over any transport. Allocates once, when it is created.
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "ai/ai.h"
#include "ai/nav_graph.h"
#include "map/map_blob.h"
#include "net/content_hash.h"
#include "net/transport.h"
#include "options/log.h"
#include "peer.h"
#include "recorder.h"
#include "roster.h"
#include "vote.h"
#include "wire/input_log.h"
#include "wire/message.h"
#include "wire/snapshot.h"

/// Connections beyond the players, so that a full server can say that it is full.
#define MATCH_EXTRA_PEERS   16
#define MATCH_PEER_CAPACITY (PLAYER_CAPACITY + MATCH_EXTRA_PEERS)

/// Commands from outside that one tick takes.
#define MATCH_COMMAND_CAPACITY 32

/// The next match after this tick, 207 days, begins at tick 0 again. A tick's 32 bits are compared as signed
/// differences with others, and 0 means none, so that none may come to 2^31.
#define MATCH_TICKS_OLD 0x40000000u
/// A match that has come this far, 414 days, must end.
#define MATCH_TICKS_MAX 0x7FFF0000u

struct match_config {
    const struct map *map; ///< sound; copied
    struct rules rules;
    uint32_t players_max;   ///< 1 to PLAYER_CAPACITY
    uint32_t bots;          ///< fill up to this many
    enum skill bot_skill;   ///< how well they play
    uint32_t snapshot_rate; ///< a second: 60, 30 or 20
    const struct log *log;  ///< null: silent; must outlive the match
    struct command_listener listener;
};

/// Counted since the start.
struct match_statistics {
    uint64_t ticks, snapshots, snapshot_parts, snapshot_bytes, bodies_encoded;
    uint64_t joins, denials, malformed, inputs_late, inputs_missed, full_requests, unsent;
};

struct match {
    struct transport *transport; ///< the match's as long as it runs, the caller's afterwards
    struct recorder *recorder;   ///< null: not recorded; the caller's
    struct recorder *journal;    ///< null: lost with the server; the caller's
    uint32_t guests_noted;       ///< guests of all seats when the journal was last told of them
    tick return_tick;            ///< of a resumed match: who has not come back by then leaves; 0: nobody is awaited
    const struct log *log;
    struct command_listener listener;
    struct map map;
    bool ways_drawn;       ///< else bots that came later go by sight
    struct nav_graph ways; ///< of the map, for bots; drawn where there are any
    uint64_t map_hash;
    uint32_t map_blob_bytes;
    uint8_t map_address[CONTENT_HASH_BYTES];
    uint32_t players_max, bots, snapshot_ticks;
    enum skill bot_skill;
    uint64_t stepped_us; ///< when the last tick was stepped
    uint32_t peer_count; ///< connections
    struct world world;
    struct roster roster;
    struct peer peers[MATCH_PEER_CAPACITY];
    struct player_input inputs[PLAYER_CAPACITY]; ///< of the last tick
    struct match_statistics statistics;
    struct vote vote;
    uint8_t hats[PLAYER_CAPACITY]; ///< by slot, as clients were told
    uint32_t order_count;
    struct command orders[MATCH_COMMAND_CAPACITY]; ///< from outside, for the next tick
    struct world fresh;                            ///< of the map and rules, tick 0: the baseline of full snapshots
    struct input_log_log moves;                    ///< of the last ticks: what all other snapshots are made from
    uint8_t map_blob[MAP_BLOB_BYTES_MAX];
    uint8_t body[SNAPSHOT_BODY_BYTES_MAX];
};

/// Creates a match at tick 0. Null when memory is out.
struct match *match_create(const struct match_config *config, struct transport *transport);

/// Takes all that has arrived. `now_us`: any monotonic clock, the same for all calls.
void match_receive(struct match *match, uint64_t now_us);

/// One tick: who comes and goes, inputs, world_step, then what everybody is told.
void match_tick(struct match *match, uint64_t now_us);

/// True when nobody is connected, and the world shows it and all that was ordered: ticks may stop until something
/// arrives.
bool match_may_sleep(const struct match *match);

/// True when nobody is connected.
bool match_is_empty(const struct match *match);

/// Tells every client that the server closes, and ends their connections once they know. Goes on with match_receive
/// until match_is_empty or the caller's patience ends.
void match_close(struct match *match);

/// Begins another match in this one's place, for the same clients in the same seats: they are welcomed anew. Ticks go
/// on, so nothing of the old match can be taken for the new one's; past MATCH_TICKS_OLD they begin at 0, far from all
/// that was. The map is sound and copied. Recorder and journal belong to the old match: the caller has taken them, or
/// gives others afterwards.
void match_change(struct match *match, const struct map *map, const struct rules *rules, uint64_t now_us);

/// Has a command applied before the next tick, recorded and told like all others; one that makes no sense then is left
/// out. False: too many wait.
bool match_enqueue_command(struct match *match, const struct command *command);

/// Frees the match. Transport and recorder stay the caller's.
void match_destroy(struct match *match);

/// Ends a client's connection: he is told why, his seat becomes free at once. For peer.c and snapshot_sender.c, and for
/// kicks.
void match_drop(struct match *match, uint32_t peer, enum deny_reason reason);

/// Sends one message reliably. For peer.c and snapshot_sender.c.
bool match_send(struct match *match, uint32_t peer, const struct message *message);

#endif
