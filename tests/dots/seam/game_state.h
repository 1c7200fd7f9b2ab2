// SPDX-License-Identifier: MIT
//
// Dots: from above, players run over a plain, pick up coins, and shoot each other. The smallest game that the engine
// hosts, and the proof that it knows no other.
#ifndef DOTS_GAME_STATE_H
#define DOTS_GAME_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Number of a tick, at 60 Hz.
typedef uint32_t tick;
#define TICKS_PER_SECOND 60

// --- inputs

enum button { BUTTON_LEFT = 1, BUTTON_RIGHT = 2, BUTTON_UP = 4, BUTTON_DOWN = 8, BUTTON_SHOOT = 16 };
#define BUTTON_BITS       5
#define GAME_EDGE_BUTTONS ((uint32_t)BUTTON_SHOOT)

struct player_input {
    uint32_t buttons; ///< enum button
};

/// One context each for "the buttons change" and "this button toggles".
#define INPUT_LOG_CHANGES 1
#define INPUT_LOG_TOGGLES 1
extern const uint16_t INPUT_LOG_MODEL[INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES];

static inline uint32_t input_log_change_context(uint32_t buttons, uint32_t before)
{
    (void)buttons, (void)before;
    return 0;
}

static inline uint32_t input_log_toggle_context(uint32_t button, uint32_t buttons, uint32_t toggles)
{
    (void)button, (void)buttons, (void)toggles;
    return 1;
}

// --- the map: a square plain

struct map {
    uint32_t side_px; ///< 64 to 4096
};
#define MAP_BLOB_BYTES_MAX  2
#define GAME_MAP_NAME_BYTES 6

/// As bytes, for the wire and replays.
size_t map_blob_encode(const struct map *map, uint8_t *bytes, size_t capacity);
bool map_blob_decode(struct map *map, const uint8_t *bytes, size_t count);
uint64_t map_hash(const struct map *map);

// --- the world: 32-bit words

#define PLAYER_CAPACITY   256
#define PLAYER_NAME_BYTES 16
enum player_state { PLAYER_ABSENT, PLAYER_ALIVE, PLAYER_DEAD, PLAYER_SPECTATOR };
enum player_flags { PLAYER_BOT = 1 };

struct player {
    uint32_t state;      ///< enum player_state
    uint32_t generation; ///< differs for each who has had this slot
    uint32_t flags;      ///< enum player_flags
    uint32_t colour;
    uint32_t name[PLAYER_NAME_BYTES / 4];
    uint32_t buttons, buttons_before;
    int32_t x, y;         ///< px
    int32_t aim_x, aim_y; ///< -1, 0, +1
    uint32_t coins, deaths;
    tick returns_tick; ///< when dead
};

/// What players wear.
enum hat { HAT_NONE, HATS };

/// What a player keeps when they leave.
struct player_record {
    uint32_t coins, deaths;
};
#define PLAYER_RECORD_WORDS 2
#define GAME_HANDICAPS      1

#define DOTS_BULLETS 64
struct bullet {
    uint32_t owner; ///< slot + 1; 0: there is none
    int32_t x, y;   ///< px
    int32_t vx, vy; ///< px per tick
};

#define DOTS_COINS 8
struct coin {
    int32_t x, y; ///< px
};

#define EVENT_CAPACITY 16
#define EVENT_NOBODY   0xFFFFu
enum event_kind { EVENT_NONE, EVENT_SHOT, EVENT_COIN, EVENT_HIT, EVENT_KINDS };
struct event {
    uint32_t kind; ///< enum event_kind
    tick tick;
    int32_t x, y;            ///< px
    uint32_t subject, other; ///< slots, or EVENT_NOBODY
    uint32_t detail;
};

enum pause { PAUSE_NONE, PAUSE_ORDERED, PAUSE_STALLED, PAUSES };

struct rules {
    uint32_t seed;
};

struct round {
    uint32_t paused; ///< enum pause
    uint32_t paused_ticks;
};

struct world {
    tick tick;
    struct rules rules;
    uint32_t random;
    struct round round;
    uint32_t player_slots;             ///< 1 + the highest in use
    uint32_t bullet_count, coin_count; ///< all of them
    uint32_t event_count;
    struct event events[EVENT_CAPACITY];
    struct player players[PLAYER_CAPACITY];
    struct bullet bullets[DOTS_BULLETS];
    struct coin coins[DOTS_COINS];
};

enum command_kind { COMMAND_JOIN, COMMAND_LEAVE, COMMAND_PAUSE, COMMAND_KINDS };
#define GAME_COMMAND_FREQUENT COMMAND_PAUSE
#define GAME_ROLL_CAPACITY    1

struct command {
    uint32_t kind, slot;
    uint32_t bot, colour;
    uint32_t name[PLAYER_NAME_BYTES / 4];
    struct player_record record;
    uint32_t paused;
};

/// Bots need to know nothing of a plain.
struct nav_graph {
    uint32_t none;
};

#endif
