// SPDX-License-Identifier: MIT
//
// Runs a match: the world, the players in it, and what each client receives. The match is the authority: it alone steps
// the world, from inputs. main.c (or a test, in virtual time) drives it with two calls, match_receive and match_tick.
// Time is an argument of both; messages go over any transport. All memory is allocated when the match is created.
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "match_state.h"

/// Prepares a valid map (copied): everything but the graph. Takes less than a millisecond.
void match_map_begin(struct match_map *prepared, const struct map *map);

/// Computes the graph, unless there is one. Takes 35 to 90 ms. Matches on this map may run on another thread.
void match_map_build_nav_graph(struct match_map *prepared);

/// Returns the graph; null: it is not complete yet.
const struct nav_graph *match_map_nav_graph(const struct match_map *prepared);

struct match_config {
    const struct match_map *prepared; ///< the map; must outlive the match. Null: the match prepares `map` itself
    const struct map *map;            ///< valid; copied; not used with `prepared`
    struct rules rules;
    uint32_t players_max;   ///< 1 to PLAYER_CAPACITY
    uint32_t bots;          ///< fill up to this many players with bots
    bool adapts_bots;       ///< their skill follows the score (game_adapt_bots)
    bool allows_help;       ///< players may have a handicap that helps them
    uint32_t snapshot_rate; ///< per second: 60, 30 or 20
    const struct log *log;  ///< null: silent; must outlive the match
    struct command_listener listener;
    uint8_t dice_key[DICE_BYTES]; ///< of the dice of this match and of those that follow; all zero: for tests
};

/// Creates a match at tick 0. Returns null when out of memory.
struct match *match_create(const struct match_config *config, struct transport *transport);

/// Handles everything that has arrived. `now_us`: any monotonic clock, the same for all calls.
void match_receive(struct match *match, uint64_t now_us);

/// Runs one tick: joins and leaves, inputs, world_step, then recording and sending.
void match_tick(struct match *match, uint64_t now_us);

/// Lets the match stand still for ticks that the server was too late for: a pause, recorded like any other, but over
/// before a client sees it. Nobody presses or releases a button in it, and no input is missed. Call it before
/// match_receive(), which then takes what arrived meanwhile for what it is.
void match_stand_still(struct match *match, uint32_t ticks);

/// Returns true when no client is connected, no command waits, and the world shows the roster: ticks may stop until
/// something arrives.
bool match_may_sleep(const struct match *match);

/// Returns true when no client is connected.
bool match_is_empty(const struct match *match);

/// Informs every client that the server closes, and ends their connections once they have received that. Call
/// match_receive until match_is_empty() or until you have waited long enough.
void match_close(struct match *match);

/// Informs every client that the server restarts, and ends their connections at once: they join the next server. No
/// other call on the match or its transport may follow but match_destroy() and transport_close().
void match_announce_restart(struct match *match);

/// Replaces the match by another one on a prepared map (used until the next change), for the same clients in the same
/// seats: each is welcomed again. Ticks go on, so that no message of the old match can be taken for one of the new;
/// past MATCH_TICKS_OLD they begin at 0, far from all ticks before. Recorder and journal belong to the old match: take
/// them before this call and set others after it.
void match_change(struct match *match, const struct match_map *map, const struct rules *rules, uint64_t now_us);

/// Queues a command for the next tick, recorded and sent like all others; it is skipped if the world rejects it then.
/// Returns false if the queue is full.
bool match_enqueue_command(struct match *match, const struct command *command);

/// Returns whether all clients have the account of a peer that plays: they are alone with bots, as on the server that
/// the window starts. Players at one machine have one account.
bool match_may_pause_alone(const struct match *match, uint32_t peer);
/// Notes that the pause which a command orders is one of this peer alone, or that no such pause is left. It ends by
/// itself as soon as somebody else is connected, so nobody waits for another person's menu.
void match_pause_alone(struct match *match, uint32_t peer);
void match_end_lone_pause(struct match *match);

/// Sets what a household may have from now on: seats and votes here, sessions in the transport.
void match_limit_households(struct match *match, const struct household_rules *rules);

/// Gives other names to players with a name that is kept for somebody else by now (roster_names), and then those names
/// to their owners, if they asked for them. Call it when that has changed.
void match_refresh_names(struct match *match);

/// Frees the match. Transport, recorder and journal stay the caller's.
void match_destroy(struct match *match);

#endif
