// SPDX-License-Identifier: MIT
//
// Dots, a whole game for the engine: its rules, what of it is replicated, and its answers to sync/game.h, core/pose.h,
// core/view.h and load/load_game.h. There is nothing else to a game that is hosted, joined, predicted, recorded,
// replayed and load-tested.
#include <string.h>

#include "base/random.h"
#include "core/view.h"
#include "load/load_game.h"
#include "sync/game.h"
#include "sync/world.h"

#define RUN_PX      2
#define BULLET_PX   6
#define TOUCH_PX    8
#define AWAY_TICKS  60
#define SIDE_PX_MIN 64
#define SIDE_PX_MAX 4096
#define FIELD       REPLICATION_FIELD
#define TABLE       REPLICATION_TABLE
#define EVEN_CHANCE 32768

const uint16_t INPUT_LOG_MODEL[INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES] = {4096, EVEN_CHANCE};

// --- the map

size_t map_blob_encode(const struct map *map, uint8_t *bytes, size_t capacity)
{
    if (capacity < MAP_BLOB_BYTES_MAX)
        return 0;
    bytes[0] = (uint8_t)map->side_px;
    bytes[1] = (uint8_t)(map->side_px >> 8);
    return MAP_BLOB_BYTES_MAX;
}

bool map_blob_decode(struct map *map, const uint8_t *bytes, size_t count)
{
    map->side_px = count == MAP_BLOB_BYTES_MAX ? bytes[0] | (uint32_t)bytes[1] << 8 : 0;
    return map->side_px >= SIDE_PX_MIN && map->side_px <= SIDE_PX_MAX;
}

uint64_t map_hash(const struct map *map)
{
    return map->side_px;
}

// --- the rules

static int32_t draw(struct world *world, const struct map *map)
{
    return (int32_t)(random_next(&world->random) % map->side_px);
}

static void tell(struct world *world, enum event_kind kind, uint32_t subject, uint32_t other)
{
    const struct player *player = &world->players[subject];
    world->events[world->event_count++ % EVENT_CAPACITY] =
        (struct event){kind, world->tick, player->x, player->y, subject, other, 0};
}

static bool touches(int32_t x, int32_t y, int32_t to_x, int32_t to_y)
{
    int32_t dx = x - to_x, dy = y - to_y;
    return dx * dx + dy * dy <= TOUCH_PX * TOUCH_PX;
}

static void appear(struct world *world, const struct map *map, struct player *player)
{
    player->state = PLAYER_ALIVE;
    player->x = draw(world, map);
    player->y = draw(world, map);
    player->aim_x = 1;
    player->aim_y = 0;
}

static int32_t inside(const struct map *map, int32_t at_px)
{
    return at_px < 0 ? 0 : at_px >= (int32_t)map->side_px ? (int32_t)map->side_px - 1 : at_px;
}

static void shoot(struct world *world, uint32_t slot)
{
    const struct player *player = &world->players[slot];
    uint32_t i = 0;
    while (i < DOTS_BULLETS && world->bullets[i].owner != 0)
        i++;
    if (i == DOTS_BULLETS)
        return;
    world->bullets[i] =
        (struct bullet){slot + 1, player->x, player->y, player->aim_x * BULLET_PX, player->aim_y * BULLET_PX};
    tell(world, EVENT_SHOT, slot, EVENT_NOBODY);
}

static void step_player(struct world *world, const struct map *map, uint32_t slot)
{
    struct player *player = &world->players[slot];
    uint32_t buttons = player->buttons;
    int32_t x = ((buttons & BUTTON_RIGHT) != 0) - ((buttons & BUTTON_LEFT) != 0);
    int32_t y = ((buttons & BUTTON_DOWN) != 0) - ((buttons & BUTTON_UP) != 0);
    player->x = inside(map, player->x + x * RUN_PX);
    player->y = inside(map, player->y + y * RUN_PX);
    if (x != 0 || y != 0) {
        player->aim_x = x;
        player->aim_y = y;
    }
    if (buttons & ~player->buttons_before & BUTTON_SHOOT)
        shoot(world, slot);
    for (uint32_t i = 0; i < DOTS_COINS; i++) {
        struct coin *coin = &world->coins[i];
        if (!touches(player->x, player->y, coin->x, coin->y))
            continue;
        player->coins++;
        tell(world, EVENT_COIN, slot, EVENT_NOBODY);
        *coin = (struct coin){draw(world, map), draw(world, map)};
    }
}

static void step_bullet(struct world *world, const struct map *map, struct bullet *bullet)
{
    bullet->x += bullet->vx;
    bullet->y += bullet->vy;
    bool gone = bullet->x != inside(map, bullet->x) || bullet->y != inside(map, bullet->y);
    for (uint32_t slot = 0; slot < world->player_slots && !gone; slot++) {
        struct player *player = &world->players[slot];
        if (player->state != PLAYER_ALIVE || slot + 1 == bullet->owner ||
            !touches(bullet->x, bullet->y, player->x, player->y))
            continue;
        player->state = PLAYER_DEAD;
        player->deaths++;
        player->returns_tick = world->tick + AWAY_TICKS;
        tell(world, EVENT_HIT, slot, bullet->owner - 1);
        gone = true;
    }
    if (gone)
        *bullet = (struct bullet){0};
}

void world_init(struct world *world, const struct map *map, const struct rules *rules)
{
    world_begin(world, map, rules, 0);
}

void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick)
{
    *world = (struct world){.tick = first_tick,
                            .rules = *rules,
                            .random = rules->seed,
                            .bullet_count = DOTS_BULLETS,
                            .coin_count = DOTS_COINS};
    for (uint32_t i = 0; i < DOTS_COINS; i++)
        world->coins[i] = (struct coin){draw(world, map), draw(world, map)};
}

void world_step(struct world *world, const struct map *map, const struct player_input *inputs)
{
    world->tick++;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        player->buttons_before = player->buttons;
        player->buttons = inputs[slot].buttons & ((1u << BUTTON_BITS) - 1);
    }
    if (world->round.paused != PAUSE_NONE) {
        world->round.paused_ticks++;
        return;
    }
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        struct player *player = &world->players[slot];
        if (player->state == PLAYER_DEAD && world->tick >= player->returns_tick)
            appear(world, map, player);
        else if (player->state == PLAYER_ALIVE)
            step_player(world, map, slot);
    }
    for (uint32_t i = 0; i < DOTS_BULLETS; i++)
        if (world->bullets[i].owner != 0)
            step_bullet(world, map, &world->bullets[i]);
}

bool world_command(struct world *world, const struct map *map, const struct command *command)
{
    if (command->slot >= PLAYER_CAPACITY)
        return false;
    struct player *player = &world->players[command->slot];
    if (!game_command_is_possible(command, player->state != PLAYER_ABSENT))
        return false;
    if (command->kind == COMMAND_PAUSE) {
        bool changes = (world->round.paused == PAUSE_NONE) != (command->paused == PAUSE_NONE);
        world->round.paused = command->paused;
        return changes;
    }
    *player = (struct player){.generation = player->generation + 1};
    if (command->kind == COMMAND_JOIN) {
        appear(world, map, player);
        player->flags = command->bot ? PLAYER_BOT : 0;
        player->colour = command->colour;
        memcpy(player->name, command->name, sizeof player->name);
        player->coins = command->record.coins;
        player->deaths = command->record.deaths;
        if (world->player_slots <= command->slot)
            world->player_slots = command->slot + 1;
        return true;
    }
    player->generation = 0; // an absent player is all zero
    while (world->player_slots > 0 && world->players[world->player_slots - 1].state == PLAYER_ABSENT)
        world->player_slots--;
    return true;
}

bool world_validate(const struct world *world, const struct map *map)
{
    bool good = world->round.paused < PAUSES && world->player_slots <= PLAYER_CAPACITY &&
                world->bullet_count == DOTS_BULLETS && world->coin_count == DOTS_COINS;
    for (uint32_t i = 0; i < EVENT_CAPACITY; i++)
        good &= world->events[i].kind < EVENT_KINDS;
    for (uint32_t i = 0; i < DOTS_BULLETS; i++)
        good &= world->bullets[i].owner <= PLAYER_CAPACITY;
    for (uint32_t i = 0; good && i < world->player_slots; i++) {
        const struct player *player = &world->players[i];
        good &= inside(map, player->x) == player->x && inside(map, player->y) == player->y;
    }
    return good;
}

// --- what is replicated: each field once

struct head {
    tick tick;
    struct rules rules;
    uint32_t random;
    struct round round;
    uint32_t player_slots, bullet_count, coin_count, event_count;
};
_Static_assert(sizeof(struct head) == offsetof(struct world, events), "the head ends where the events begin");

static const struct replication_field HEAD[] = {
    FIELD(head, tick, TICK, 32, 2),
    FIELD(head, rules.seed, UNSIGNED, 32, 0),
    FIELD(head, random, UNSIGNED, 32, 0),
    FIELD(head, round.paused, UNSIGNED, 2, 0),
    FIELD(head, round.paused_ticks, UNSIGNED, 32, 2),
    FIELD(head, player_slots, UNSIGNED, 9, 0),
    FIELD(head, bullet_count, UNSIGNED, 7, 0),
    FIELD(head, coin_count, UNSIGNED, 4, 0),
    FIELD(head, event_count, UNSIGNED, 32, 4),
};
static const struct replication_field EVENT[] = {
    FIELD(event, kind, UNSIGNED, 3, 0),   FIELD(event, tick, TICK, 32, 3),        FIELD(event, x, SIGNED, 14, 8),
    FIELD(event, y, SIGNED, 14, 8),       FIELD(event, subject, UNSIGNED, 16, 4), FIELD(event, other, UNSIGNED, 16, 0),
    FIELD(event, detail, UNSIGNED, 1, 0),
};
static const struct replication_field PLAYER[] = {
    FIELD(player, state, UNSIGNED, 2, 0),
    FIELD(player, generation, UNSIGNED, 32, 0),
    FIELD(player, flags, UNSIGNED, 1, 0),
    FIELD(player, colour, UNSIGNED, 4, 0),
    FIELD(player, name[0], UNSIGNED, 32, 0),
    FIELD(player, name[1], UNSIGNED, 32, 0),
    FIELD(player, name[2], UNSIGNED, 32, 0),
    FIELD(player, name[3], UNSIGNED, 32, 0),
    FIELD(player, buttons, UNSIGNED, BUTTON_BITS, 0),
    FIELD(player, buttons_before, UNSIGNED, BUTTON_BITS, 0),
    FIELD(player, x, SIGNED, 14, 4),
    FIELD(player, y, SIGNED, 14, 4),
    FIELD(player, aim_x, SIGNED, 2, 0),
    FIELD(player, aim_y, SIGNED, 2, 0),
    FIELD(player, coins, UNSIGNED, 32, 2),
    FIELD(player, deaths, UNSIGNED, 32, 2),
    FIELD(player, returns_tick, TICK, 32, 7),
};
static const struct replication_field BULLET[] = {
    FIELD(bullet, owner, UNSIGNED, 9, 0), FIELD(bullet, x, SIGNED, 14, 5), FIELD(bullet, y, SIGNED, 14, 5),
    FIELD(bullet, vx, SIGNED, 5, 0),      FIELD(bullet, vy, SIGNED, 5, 0),
};
static const struct replication_field COIN[] = {FIELD(coin, x, SIGNED, 14, 0), FIELD(coin, y, SIGNED, 14, 0)};

const struct replication_table REPLICATION_TABLES[] = {
    REPLICATION_HEAD(HEAD, struct head),
    TABLE("event", EVENT, struct event, events, EVENT_CAPACITY, event_count),
    TABLE("player", PLAYER, struct player, players, PLAYER_CAPACITY, player_slots),
    TABLE("bullet", BULLET, struct bullet, bullets, DOTS_BULLETS, bullet_count),
    TABLE("coin", COIN, struct coin, coins, DOTS_COINS, coin_count),
};
const uint32_t REPLICATION_TABLE_COUNT = sizeof REPLICATION_TABLES / sizeof REPLICATION_TABLES[0];

// --- what the engine asks (sync/game.h)

void game_walk_command(struct walk *walk, struct command *command)
{
    walk->number(walk, &command->slot, 8);
    if (walk->whole || command->kind == COMMAND_JOIN) {
        walk->number(walk, &command->bot, 1);
        walk->number(walk, &command->colour, 4);
        walk->words(walk, command->name, PLAYER_NAME_BYTES / 4);
        walk->words(walk, (uint32_t *)&command->record, PLAYER_RECORD_WORDS);
    }
    if (walk->whole || command->kind == COMMAND_PAUSE)
        walk->number(walk, &command->paused, 2);
}

bool game_command_is_possible(const struct command *command, bool is_there)
{
    switch ((enum command_kind)command->kind) {
    case COMMAND_JOIN:
        return !is_there;
    case COMMAND_LEAVE:
        return is_there;
    case COMMAND_PAUSE:
        return command->paused < PAUSES;
    case COMMAND_KINDS:
        break;
    }
    return false;
}

void game_walk_rules(struct walk *walk, struct rules *rules)
{
    walk->number(walk, &rules->seed, 32);
}

bool game_rules_are_valid(const struct rules *rules)
{
    (void)rules;
    return true;
}

uint32_t game_roll(struct world *world, const struct map *map, game_dice *dice, void *context, struct command *commands)
{
    (void)world, (void)map, (void)dice, (void)context, (void)commands;
    return 0;
}

enum game_stage game_stage(const struct world *world)
{
    (void)world;
    return GAME_PLAYS;
}

bool game_round_begins(const struct world *world)
{
    (void)world;
    return false;
}

struct player_record game_record(const struct player *player)
{
    return (struct player_record){player->coins, player->deaths};
}

void game_record_new_round(struct player_record *record)
{
    *record = (struct player_record){0};
}

void game_record_handicap(struct player_record *record, uint32_t handicap, bool allows_help)
{
    (void)record, (void)handicap, (void)allows_help;
}

bool game_is_team_mate(const struct world *world, uint32_t slot, uint32_t other)
{
    (void)world, (void)slot, (void)other;
    return true;
}

const char *game_mode_name(const struct rules *rules)
{
    (void)rules;
    return "dots";
}

const char *game_map_name(const struct map *map)
{
    (void)map;
    return "plain";
}

struct player_input game_guess_input(const struct player *player, tick ticks)
{
    return (struct player_input){ticks < TICKS_PER_SECOND / 2 ? player->buttons & ~GAME_EDGE_BUTTONS : 0};
}

uint32_t game_variant(const char *word)
{
    (void)word;
    return 0;
}

void game_prepare_bots(struct nav_graph *graph, const struct map *map)
{
    (void)map;
    graph->none = 0;
}

// A bot runs in circles and shoots now and then.
void game_think_bots(const struct world *world, const struct map *map, const struct nav_graph *graph,
                     struct player_input *inputs)
{
    static const uint32_t ways[] = {BUTTON_RIGHT, BUTTON_DOWN, BUTTON_LEFT, BUTTON_UP};
    (void)map, (void)graph;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].flags & PLAYER_BOT)
            inputs[slot].buttons =
                ways[(world->tick / 40 + slot) % 4] | (world->tick % 50 == slot ? (uint32_t)BUTTON_SHOOT : 0);
}

void game_keep_bots(struct rules *next, const struct rules *before)
{
    (void)next, (void)before;
}

const char *game_adapt_bots(const struct world *world, struct command *command)
{
    (void)world, (void)command;
    return NULL;
}

// --- what is drawn (core/pose.h, core/view.h)

const int32_t POSE_TELEPORT_SUB = 24 * 256;

uint64_t pose_life(const struct player *player)
{
    return player->state == PLAYER_ALIVE ? 1 + ((uint64_t)player->generation << 32 | player->deaths) : 0;
}

struct pose pose_of_player(const struct world *world, uint32_t slot)
{
    return (struct pose){world->players[slot].x * 256, world->players[slot].y * 256, 1};
}

void pose_all(struct pose *poses, const struct map *map, const struct world *world)
{
    (void)map;
    for (uint32_t slot = 0; slot < POSE_CAPACITY; slot++) {
        poses[slot] = pose_of_player(world, slot);
        poses[slot].identity = pose_life(&world->players[slot]);
    }
}

struct view_point pose_offset(const struct map *map, struct pose from, struct pose to)
{
    (void)map;
    return (struct view_point){to.x - from.x, to.y - from.y};
}

void view_fill(struct view *view, const struct map *map, const struct world *before, const struct world *present,
               uint32_t between, const struct smoothing *smoothing)
{
    struct pose from[POSE_CAPACITY], to[POSE_CAPACITY];
    pose_all(from, map, before);
    pose_all(to, map, present);
    view->map = map;
    view->world = view->confirmed = present;
    view->between = between;
    for (uint32_t i = 0; i < POSE_CAPACITY; i++)
        view->players[i] = view_point_smoothed(map, from, to, i, between, smoothing);
}

void view_fill_confirmed(struct view *view, struct world *shown, const struct world *from, const struct world *to,
                         uint32_t between)
{
    struct view_point own = view->players[view->slot];
    *shown = *to;
    view_fill(view, view->map, from, shown, between, NULL);
    view->players[view->slot] = own;
}

void view_hold(struct view *view, const struct world *before, const struct world *after)
{
    (void)view, (void)before, (void)after;
}

bool view_shows_early(const struct event *event, const struct world *confirmed, const struct local_seats *own)
{
    (void)confirmed;
    return event->kind == EVENT_SHOT && local_seats_have(own, event->subject);
}

bool view_is_same_event(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->subject == b->subject && a->other == b->other;
}

// --- what a load test asks (load/load_game.h)

const char LOAD_GAME_PROGRAM[] = "dots-bots";
const char LOAD_GAME_SERVER[] = "127.0.0.1:27450";
const char *const LOAD_GAME_SKILLS[] = {"blind", "greedy", NULL};
const char LOAD_GAME_SKILL[] = "greedy";

// The greedy run to the first coin; the blind walk into the corner.
struct player_input load_game_think(const struct world *world, const struct map *map, uint32_t slot, uint32_t skill)
{
    const struct player *player = &world->players[slot];
    const struct coin *coin = &world->coins[slot % DOTS_COINS];
    (void)map;
    if (skill == 0)
        return (struct player_input){BUTTON_LEFT | BUTTON_UP};
    return (struct player_input){(coin->x < player->x ? BUTTON_LEFT : BUTTON_RIGHT) |
                                 (coin->y < player->y ? BUTTON_UP : BUTTON_DOWN)};
}

struct player_input load_game_walk(uint32_t random)
{
    return (struct player_input){random & ((1u << BUTTON_BITS) - 1)};
}

const char *load_game_event(uint32_t kind)
{
    static const char *const names[EVENT_KINDS] = {[EVENT_SHOT] = "shot", [EVENT_COIN] = "coin", [EVENT_HIT] = "hit"};
    return names[kind];
}

void load_game_print_scores(const struct world *world, const struct map *map, bool redraw, FILE *out)
{
    (void)map, (void)redraw;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        fprintf(out, "%u: %u coins\n", slot, world->players[slot].coins);
}
