// SPDX-License-Identifier: MIT
//
// The ground floor of the game: every struct and enum of a world, and of what comes into it. A world is plain data: it
// can be copied, compared, hashed, sent and stored. The other files of this room change it, each its own part; world.c
// calls them in order.
#ifndef GAME_STATE_H
#define GAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "map/map.h"

/// The last events that a world remembers. A tick that makes more overwrites the oldest.
#define EVENT_CAPACITY 64

/// No player: a machine of the map, the world.
#define EVENT_NOBODY 0xFFFFu

/// What happened. `subject` did it or suffers it, `other` is the counterpart.
enum event_kind {
    EVENT_NONE,
    EVENT_SPAWN,   ///< subject appears
    EVENT_JUMP,    ///< subject; detail: 0 ground, 1 wall, 2 wings, 3 ledge
    EVENT_LAND,    ///< subject; detail: fall speed, sub per tick
    EVENT_DASH,    ///< subject
    EVENT_SHOOT,   ///< subject; detail: enum arrow_kind
    EVENT_STICK,   ///< an arrow (other: its slot) sticks; subject: its owner
    EVENT_PICKUP,  ///< subject picks an arrow up; detail: enum arrow_kind
    EVENT_CATCH,   ///< subject dashes into an arrow and has it; detail: enum arrow_kind
    EVENT_KILL,    ///< subject dies; other killed them, or EVENT_NOBODY; detail: enum death_cause
    EVENT_WARN,    ///< a crusher (detail: its solid) is about to fall
    EVENT_FALL,    ///< it falls
    EVENT_SLAM,    ///< it has arrived
    EVENT_BOUNCE,  ///< a ball (detail) bounces
    EVENT_BREAK,   ///< something breaks at x, y; detail: 0 a block (subject: who did it), 1 an arrow, 2 a chest
    EVENT_JOIN,    ///< subject joins
    EVENT_LEAVE,   ///< subject leaves
    EVENT_ROUND,   ///< the round's phase changes; detail: enum round_phase; subject: the winner where there is one
    EVENT_SWITCH,  ///< a switch is turned, detail: 2 * its index + 1 on, + 0 off; subject: who did it
    EVENT_RETURN,  ///< something is there again at x, y; detail: 0 a block, 1 a chest
    EVENT_EXPLODE, ///< a bomb of subject explodes
    EVENT_DRILL,   ///< a drill arrow of subject enters a wall here, or comes out of it
    EVENT_KICK,    ///< subject sets a ball (detail) going: by a dash, an arrow or a bomb
    EVENT_OPEN,    ///< subject opens a chest; detail: enum map_gift
    EVENT_SHIELD,  ///< the shield of subject takes a hit of other and breaks; detail: enum death_cause
    EVENT_GRAB,    ///< subject takes hold of a ledge
    EVENT_CLOSING, ///< sudden death: the walls begin to close in
    EVENT_KINDS
};

/// How a player died.
enum death_cause {
    DEATH_ARROW,
    DEATH_STOMP,
    DEATH_SQUISH,
    DEATH_HAZARD,
    DEATH_FALL,
    DEATH_BALL,
    DEATH_BOMB,
    DEATH_CAUSES
};

/// One event: seven 32-bit fields without padding.
struct event {
    uint32_t kind;    ///< enum event_kind
    tick tick;        ///< when
    int32_t x, y;     ///< where, px
    uint32_t subject; ///< player slot or EVENT_NOBODY
    uint32_t other;   ///< the same
    uint32_t detail;  ///< by kind
};

/// Returns "spawn", "jump", ... for printing.
const char *event_kind_name(enum event_kind kind);

/// Returns "arrow", "stomp", ... for printing.
const char *event_death_cause_name(enum death_cause cause);

/// Players a world can hold.
#define PLAYER_CAPACITY 256
/// Bytes of a name, UTF-8, zero-padded, without final zero.
#define PLAYER_NAME_BYTES 16

/// The state of a slot.
enum player_state {
    PLAYER_ABSENT,    ///< nobody; all other fields are zero
    PLAYER_ALIVE,     ///< their actor is alive
    PLAYER_DEAD,      ///< waits for respawn_tick
    PLAYER_SPECTATOR, ///< watches
};

/// Bits of `player.flags`.
enum player_flags {
    PLAYER_BOT = 1u << 0,        ///< a bot of the server
    PLAYER_GROUNDED = 1u << 1,   ///< stood at the end of the tick
    PLAYER_WALL_LEFT = 1u << 2,  ///< slides on a wall at their left
    PLAYER_WALL_RIGHT = 1u << 3, ///< at their right
    PLAYER_HANGING = 1u << 4,    ///< hangs on a ledge at the side that they face
};

/// What evens out players of unequal skill.
enum handicap {
    HANDICAP_NONE,
    HANDICAP_SHIELD, ///< helps: a chest's shield at each spawn
    HANDICAP_ARROW,  ///< hinders: one arrow at each spawn
    HANDICAPS
};

/// What a player did in a match.
struct player_stats {
    uint32_t kills, deaths;
    uint32_t squishes; ///< other players squished by a solid to their credit
    uint32_t catches;  ///< arrows caught by a dash
    uint32_t shots, hits;
    uint32_t jumps;
    uint32_t wall_shots; ///< own arrows that stuck in a wall or a machine
    uint32_t own_kills;  ///< deaths by an arrow, a bomb or a ball of their own
    uint32_t fallen_px;  ///< moved down by themselves, in the air
};

/// One player: 32-bit fields without padding. All times are ticks of the world; "until" means exclusive.
struct player {
    uint32_t state;                       ///< enum player_state
    uint32_t generation;                  ///< event_count after their join: no two players of a match have the same
    uint32_t flags;                       ///< enum player_flags
    uint32_t colour;                      ///< 0 to 15, index of the palette
    uint32_t team;                        ///< 1 or 2 in a mode with teams; 0 in others, and of a spectator
    uint32_t team_choice;                 ///< enum team_choice; with TEAM_AUTO a player may be moved for balance
    uint32_t handicap;                    ///< enum handicap
    uint32_t name[PLAYER_NAME_BYTES / 4]; ///< UTF-8, little-endian words, zero-padded
    uint32_t buttons;                     ///< held in the last step: enum button
    uint32_t buttons_before;              ///< held in the step before
    int32_t vx, vy;                       ///< speed, sub per tick
    int32_t facing;                       ///< -1 or +1
    int32_t aim_x, aim_y;                 ///< -1, 0, +1: one of eight directions
    tick coyote_until;                    ///< may still jump
    tick jump_buffered_until;             ///< a press of jump counts
    tick jump_held_until;                 ///< variable jump: vy stays at most jump_vy
    int32_t jump_vy;                      ///< of the present jump, sub per tick
    tick forced_until;                    ///< a wall jump forces the direction
    int32_t forced_direction;             ///< -1, 0, +1
    tick dash_until;                      ///< dashes
    int32_t dash_x, dash_y;               ///< direction of the dash
    tick dash_ready_tick;                 ///< may dash again
    uint32_t dashes;                      ///< dashes left in the air, 0 or 1
    int32_t fall_cap;                     ///< present cap of the fall speed, sub per tick
    tick shield_until;                    ///< cannot be killed
    tick respawn_tick;                    ///< when dead
    tick shoot_ready_tick;                ///< may shoot again
    uint32_t arrows;                      ///< carried in all, 0 to 6
    uint32_t bombs, drills;               ///< of these, bomb and drill arrows
    uint32_t shield;                      ///< 1: a chest's shield takes the next hit
    tick wings_until;                     ///< a chest's wings carry them
    uint32_t flaps;                       ///< jumps left to their wings before they land, 0 to 3
    tick magnet_until;                    ///< a chest's magnet pulls arrows to them
    uint32_t shover;                      ///< slot + 1 of who last hit or shoved them, 0 nobody
    tick shoved_tick;                     ///< when
    int32_t score;                        ///< points
    struct player_stats stats;
};

/// What a player keeps during a match, also when they leave and return: the fields of the same names.
struct player_record {
    uint32_t team;
    uint32_t handicap;
    int32_t score;
    struct player_stats stats;
};
#define PLAYER_RECORD_WORDS (sizeof(struct player_record) / sizeof(uint32_t))

/// Arrows a world can hold; the oldest stuck one makes room.
#define ARROW_CAPACITY 256
/// Actors: player p has actor p, arrow a has actor PLAYER_CAPACITY + a, chest c has actor CHEST_ACTORS + c.
#define CHEST_ACTORS   (PLAYER_CAPACITY + ARROW_CAPACITY)
#define ACTOR_CAPACITY (CHEST_ACTORS + MAP_CHEST_CAPACITY)

/// Walls of sudden death (entities/sudden_death.c); they come after the solids of the map.
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
struct ball_hit {
    uint32_t by;     ///< slot + 1, 0 nobody any more
    tick since_tick; ///< when
};

/// What a chest is.
enum chest_state {
    CHEST_AWAY, ///< was opened or broken; comes back
    CHEST_CLOSED,
    CHEST_OPENING, ///< was touched; a command says what is inside
};

/// One chest of the map; its box is the actor CHEST_ACTORS + its index.
struct chest {
    uint32_t state;    ///< enum chest_state
    int32_t vy;        ///< speed of its fall, sub per tick
    tick returns_tick; ///< away: when it comes back, if its place is free then
    uint32_t opener;   ///< opening: slot + 1 of who touched it, 0 nobody any more
};

/// Broken blocks that a world remembers to bring back; while all are taken, no further block breaks.
#define RUBBLE_CAPACITY 256

/// What a crusher does.
enum crusher_state { CRUSHER_ARMED, CRUSHER_WARNING, CRUSHER_FALLING, CRUSHER_RESTING, CRUSHER_RISING };

/// State of the solid of the same index. Of a mover or conveyor all zero.
struct crusher {
    uint32_t state;       ///< enum crusher_state, of a crusher
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
enum mode {
    MODE_FFA,
    MODE_LMS,
    MODE_TEAMS,
    MODE_BREAKOUT,
    MODE_TRIAL, ///< a course, alone against the clock; the only one that servers do not offer
    MODES
};

/// The modes before this one are those that servers offer.
#define MODES_OFFERED MODE_TRIAL

/// Where the match stands.
enum round_phase {
    ROUND_WARMUP,     ///< everybody practises until enough are there
    ROUND_COUNTDOWN,  ///< everybody stands at their spawn and cannot move
    ROUND_PLAYING,    ///< what happens counts
    ROUND_OVER,       ///< somebody has won the round; the match goes on
    ROUND_MATCH_OVER, ///< somebody has won the match: the scoreboard
};

/// How well a computer player plays.
enum skill { SKILL_IDLE, SKILL_RANDOM, SKILL_EASY, SKILL_NORMAL, SKILL_HARD, SKILLS };

/// The rules of a match, set at its start.
struct rules {
    uint32_t mode;             ///< enum mode
    int32_t score_limit;       ///< points (lms, breakout: rounds won) that end it; 0: none
    uint32_t time_limit_ticks; ///< ticks that end it (lms, breakout: after the round); 0: none
    uint32_t seed;             ///< of the world's random numbers
    uint32_t friendly_fire;    ///< 1: team mates can kill one another
    uint32_t bot_skill;        ///< enum skill: of all bots
    uint32_t variants;         ///< bits, 1 << enum variant (variant.h); stay for the whole match
};

/// Whether a match stands still: all of it but the tick.
enum pause {
    PAUSE_NONE,
    PAUSE_ORDERED, ///< by an operator, until they end it
    PAUSE_STALLED, ///< by the server: for the ticks that it missed, or until players are back after a restart; not
                   ///< shown
    PAUSES
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
    uint32_t sudden_death_ticks;     ///< ticks for which the walls of sudden death have closed in; 0: they are absent
    uint32_t paused;                 ///< enum pause
    uint32_t paused_ticks;           ///< for which all has stood still, in the whole match
};

/// A match. Every field is 32 bits wide and replicated by the tables in replication.c. Slots beyond a count, and absent
/// slots, are zero, so two equal worlds are equal word for word.
struct world {
    tick tick; ///< the last tick stepped; 0 before the first
    struct rules rules;
    uint32_t random; ///< state of the random numbers, which everybody can foresee
    uint32_t rolls;  ///< gifts that have been rolled so far
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
    struct crusher crushers[SOLID_CAPACITY];
    struct switch_state switches[MAP_SWITCH_CAPACITY];
    struct df_ball balls[MAP_BALL_CAPACITY];
    struct ball_hit ball_hits[MAP_BALL_CAPACITY];
    struct chest chests[MAP_CHEST_CAPACITY];
    uint32_t broken[MAP_TILE_CAPACITY / 32]; ///< a bit a tile: the block is broken
    struct rubble rubble[RUBBLE_CAPACITY];
};

/// Adds one event of the world's present tick (event.c). Subject and other: a player's slot or EVENT_NOBODY.
void event_push(struct world *world, enum event_kind kind, int32_t x, int32_t y, uint32_t subject, uint32_t other,
                uint32_t detail);

/// What comes into a world from outside, other than inputs; applied between two steps, recorded in replays.
enum command_kind {
    COMMAND_JOIN,  ///< slot gets a player: name, colour, bot, and the record that they return with
    COMMAND_LEAVE, ///< slot becomes absent
    COMMAND_TEAM,  ///< slot changes sides: enum team_choice
    COMMAND_PAUSE, ///< the match stands still, or goes on
    COMMAND_RULES, ///< the limits, the friendly fire and the bots' skill of the match change
    COMMAND_ROLL,  ///< the opener of a chest that is opening gets its gift
    COMMAND_KINDS
};

/// What `command.team` and `player.team_choice` say. In a mode without teams 1 and 2 make no sense.
enum team_choice {
    TEAM_AUTO, ///< plays, in the smaller team where there are teams
    TEAM_ONE,
    TEAM_TWO,
    TEAM_SPECTATE, ///< watches
};

/// One such command: 32-bit fields.
struct command {
    uint32_t kind;   ///< enum command_kind
    uint32_t slot;   ///< 0 to PLAYER_CAPACITY - 1; of a roll: the chest
    uint32_t bot;    ///< 1: a bot
    uint32_t colour; ///< 0 to 15
    uint32_t name[PLAYER_NAME_BYTES / 4];
    struct player_record record; ///< all zero: they are new
    uint32_t team;               ///< enum team_choice
    uint32_t paused;             ///< enum pause
    int32_t score_limit;         ///< as in struct rules, as the next three
    uint32_t time_limit_ticks;
    uint32_t friendly_fire;
    uint32_t bot_skill;
    uint32_t gift; ///< of a roll: enum map_gift
};

#endif
