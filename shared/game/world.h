// SPDX-License-Identifier: MIT
//
// The whole truth of a match, and the one function that moves it. A world is plain data: it can be
// copied, compared, hashed, sent and stored; all else in the tree carries it, compares it or draws it.
#ifndef GAME_WORLD_H
#define GAME_WORLD_H

#include "event.h"
#include "input.h"
#include "map.h"
#include "player.h"

/// Arrows a world can hold; the oldest stuck one makes room.
#define ARROW_CAPACITY 256
/// Actors: player p has actor p, arrow a has actor PLAYER_CAPACITY + a, chest c has actor CHEST_ACTORS + c.
#define CHEST_ACTORS   (PLAYER_CAPACITY + ARROW_CAPACITY)
#define ACTOR_CAPACITY (CHEST_ACTORS + MAP_CHEST_CAPACITY)

/// Walls of sudden death (closing.h); they come after the solids of the map.
#define WALL_COUNT     2
#define SOLID_CAPACITY (MAP_SOLID_CAPACITY + WALL_COUNT)

/// What an arrow does.
enum arrow_state {
    ARROW_ABSENT, ///< all fields zero
    ARROW_FLYING,
    ARROW_STUCK, ///< rides what it stuck in; can be picked up
};

/// What an arrow does where it hits.
enum arrow_kind {
    ARROW_NORMAL, ///< sticks
    ARROW_BOMB,   ///< explodes: at once on a player or a ball, in anything else when its fuse has burnt down
    ARROW_DRILL,  ///< passes one wall of tiles, then sticks
    ARROW_KINDS
};

/// One arrow; its box is the actor PLAYER_CAPACITY + its slot.
struct arrow {
    uint32_t state;    ///< enum arrow_state
    uint32_t owner;    ///< slot + 1 of who shot it, 0 nobody any more
    int32_t vx, vy;    ///< sub per tick; when stuck: the direction it points
    uint32_t stuck_in; ///< solid + 1 it stuck in, 0: in a tile
    tick since_tick;   ///< when it was shot, or stuck
    uint32_t kind;     ///< enum arrow_kind
    uint32_t spent;    ///< 1: a drill arrow that has passed its wall
    tick burnt_tick;   ///< when the fuse of a bomb arrow has burnt down; 0: it does not burn
};

/// Who set ball of the same index going: by a kick, an arrow or a bomb. All zero: nobody, it goes as the map says.
struct strike {
    uint32_t by;     ///< slot + 1, 0 nobody any more
    tick since_tick; ///< when
};

/// What a chest is.
enum chest_state {
    CHEST_AWAY, ///< was opened or broken; comes back
    CHEST_CLOSED,
};

/// One chest of the map; its box is the actor CHEST_ACTORS + its index.
struct chest {
    uint32_t state;    ///< enum chest_state
    int32_t vy;        ///< speed of its fall, sub per tick
    tick returns_tick; ///< away: when it comes back, if its place is free then
};

/// Broken blocks that a world remembers to bring back; while all are taken, no further block breaks.
#define RUBBLE_CAPACITY 256

/// What a crusher does.
enum trap_state { TRAP_ARMED, TRAP_WARNING, TRAP_FALLING, TRAP_RESTING, TRAP_RISING };

/// State of the solid of the same index. Of a mover or conveyor all zero.
struct trap {
    uint32_t state;       ///< enum trap_state, of a crusher
    tick since_tick;      ///< when it entered the state
    int32_t fallen;       ///< distance below its rest place, sub
    int32_t vy;           ///< sub per tick
    uint32_t clock_ticks; ///< where on its path a door or lift is: below its period; a call's: half of it at the end
};

/// State of the map's switch of the same index.
struct switch_state {
    uint32_t on;      ///< 1: its channel is on
    uint32_t touched; ///< 1: it was touched in the last tick
    tick off_tick;    ///< when it goes off by itself; of a lever 0: never
};

/// A broken block that will come back; a free slot is all zero.
struct rubble {
    uint32_t tile;    ///< row * columns + column, + 1
    tick return_tick; ///< from when it comes back, as soon as nobody is inside
};

/// What the match plays.
enum mode { MODE_FFA, MODE_LMS, MODE_TEAMS, MODE_BREAKOUT, MODES };

/// Where the match stands.
enum round_phase {
    ROUND_WARMUP,     ///< everybody practises until enough are there
    ROUND_COUNTDOWN,  ///< everybody stands at his spawn and cannot move
    ROUND_PLAYING,    ///< what happens counts
    ROUND_OVER,       ///< somebody has won the round; the match goes on
    ROUND_MATCH_OVER, ///< somebody has won the match: the scoreboard
};

/// The rules of a match, set at its start.
struct rules {
    uint32_t mode;             ///< enum mode
    int32_t score_limit;       ///< points (lms, breakout: rounds won) that end it; 0: none
    uint32_t time_limit_ticks; ///< ticks that end it (lms, breakout: after the round); 0: none
    uint32_t seed;             ///< of the world's random numbers
    uint32_t friendly_fire;    ///< 1: team mates can kill one another
};

/// Teams of a world are numbered from 1.
#define TEAM_COUNT 2

/// The present round, and the match that it belongs to.
struct round {
    uint32_t phase;                  ///< enum round_phase
    tick since_tick;                 ///< when the phase began
    uint32_t number;                 ///< rounds of this match before this one
    uint32_t winner;                 ///< slot + 1 when over; 0: a team, or a draw
    uint32_t winner_team;            ///< 1 or 2 when over; 0: a player, or a draw
    uint32_t matches;                ///< matches before this one
    tick match_since_tick;           ///< when the first round of the match began to count
    int32_t team_scores[TEAM_COUNT]; ///< of the match: [0] of team 1
    uint32_t closing_ticks;          ///< for which the walls of sudden death have come closer; 0: they are not there
    uint32_t paused;                 ///< 1: all stands still but the tick
    uint32_t paused_ticks;           ///< for which all has stood still, in the whole match
};

/// A match. Every field is 32 bits wide and replicated by the table in field.h. Slots beyond a count, and absent
/// slots, are zero, so two equal worlds are equal word for word.
struct world {
    tick tick; ///< the last tick stepped; 0 before the first
    struct rules rules;
    uint32_t random; ///< state of the random numbers
    struct round round;
    uint32_t player_slots; ///< 1 + the highest slot in use
    uint32_t arrow_slots;  ///< the same for arrows
    uint32_t solid_count;  ///< as the map has them, and in lms the walls of sudden death
    uint32_t ball_count;   ///< as the map has them
    uint32_t chest_count;  ///< as the map has them
    uint32_t switch_count; ///< as the map has them
    uint32_t rubble_slots; ///< 1 + the highest slot in use
    uint32_t broken_words; ///< words of `broken` in use: the map's tiles / 32, rounded up
    uint32_t event_count;  ///< events ever made; event n is events[n % EVENT_CAPACITY]
    struct event events[EVENT_CAPACITY];
    struct player players[PLAYER_CAPACITY];
    struct df_actor actors[ACTOR_CAPACITY];
    struct arrow arrows[ARROW_CAPACITY];
    struct df_solid solids[SOLID_CAPACITY];
    struct trap traps[SOLID_CAPACITY];
    struct switch_state switches[MAP_SWITCH_CAPACITY];
    struct df_ball balls[MAP_BALL_CAPACITY];
    struct strike strikes[MAP_BALL_CAPACITY];
    struct chest chests[MAP_CHEST_CAPACITY];
    uint32_t broken[MAP_TILE_CAPACITY / 32]; ///< a bit a tile: the block is broken
    struct rubble rubble[RUBBLE_CAPACITY];
};

/// What comes into a world from outside, other than inputs; applied between two steps, recorded in replays.
enum command_kind {
    COMMAND_JOIN,  ///< slot gets a player: name, colour, bot, and the record that he comes back with
    COMMAND_LEAVE, ///< slot becomes absent
    COMMAND_TEAM,  ///< slot changes sides: enum team_wish
    COMMAND_PAUSE, ///< the match stands still, or goes on
    COMMAND_RULES, ///< the limits and the friendly fire of the match change
    COMMAND_KINDS
};

/// What `command.team` and `player.team_wish` say. In a mode without teams 1 and 2 make no sense.
enum team_wish {
    TEAM_AUTO, ///< plays, in the smaller team where there are teams
    TEAM_ONE,
    TEAM_TWO,
    TEAM_SPECTATE, ///< watches
};

/// One such command: 32-bit fields.
struct command {
    uint32_t kind;   ///< enum command_kind
    uint32_t slot;   ///< 0 to PLAYER_CAPACITY - 1
    uint32_t bot;    ///< 1: a bot
    uint32_t colour; ///< 0 to 15
    uint32_t name[PLAYER_NAME_BYTES / 4];
    struct player_record record; ///< all zero: he is new
    uint32_t team;               ///< enum team_wish
    uint32_t paused;             ///< 1: it stands still
    int32_t score_limit;         ///< as in struct rules, as the next two
    uint32_t time_limit_ticks;
    uint32_t friendly_fire;
};

/// Begins a match on a sound map: tick 0, nobody there, solids at their places.
void world_init(struct world *world, const struct map *map, const struct rules *rules);

/// The same at another tick: a match that follows another goes on with its ticks.
void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick);

/// Moves the match by one tick. `inputs` has PLAYER_CAPACITY entries; those of absent players are ignored.
/// Pure: same world, map and inputs give the same world on every machine. Reads as its table of phases.
void world_step(struct world *world, const struct map *map, const struct player_input *inputs);

/// Applies a command. False, and nothing changed, if it makes no sense (slot out of range, taken, or empty).
bool world_command(struct world *world, const struct map *map, const struct command *command);

/// Copies what is in use, and clears the rest of the target's used part: save and restore.
void world_copy(struct world *target, const struct world *source);

/// 64-bit field-wise hash of what is in use, the same on every machine (hash.h says how).
uint64_t world_hash(const struct world *world);

/// True if a decoded world cannot make world_step read or write out of bounds: every count, index and size is sound
/// for this map. Decoders call it before anything else sees the world.
bool world_is_sound(const struct world *world, const struct map *map);

/// "ffa", "lms", "teams", "breakout".
const char *mode_name(enum mode mode);

/// "warm-up", "countdown", "playing", "over", "match over".
const char *round_phase_name(enum round_phase phase);

/// The same of a world's phase, or "paused".
const char *round_state_name(const struct world *world);

#endif
