// SPDX-License-Identifier: MIT
#include "brain.h"

#include "rng.h"
#include "trap.h"
#include "tuning.h"

/// What tells one skill from another; times in ticks, distances in px.
struct traits {
    uint32_t attention_ticks; ///< for how long a decision stands
    uint32_t shots_of_8;      ///< of eight chances to shoot, how many are taken
    uint32_t wander_of_8;     ///< of eight decisions, how many lead somewhere else
    uint32_t dodge_of_8;      ///< of eight arrows, how many are seen coming
    bool leads;               ///< aims where the enemy will be
};

static const struct traits TRAITS[SKILLS] = {
    [SKILL_EASY] = {.attention_ticks = 80, .shots_of_8 = 2, .wander_of_8 = 4, .dodge_of_8 = 0, .leads = false},
    [SKILL_NORMAL] = {.attention_ticks = 50, .shots_of_8 = 5, .wander_of_8 = 2, .dodge_of_8 = 4, .leads = true},
    [SKILL_HARD] = {.attention_ticks = 30, .shots_of_8 = 8, .wander_of_8 = 1, .dodge_of_8 = 8, .leads = true},
};

/// For how long it has the same place in mind to go to.
#define ERRAND_TICKS 150

/// How far it looks for an arrow that comes, ticks; for a wall, a gap or spikes, px; down a shaft, px.
#define DODGE_TICKS 8
#define LOOK_PX     10
#define SHAFT_PX    96
#define FIGHT_PX    96
/// How high a jump rises, how far it looks for something to jump on, and how near a goal above has to be for that, px.
#define JUMP_PX  24
#define CLIMB_PX 48
#define STEEP_PX 160
/// Out from beneath a crusher that warns, the way that it goes anyhow, in the time that is left, px.
#define RUN_THROUGH_PX  28
#define DASH_THROUGH_PX 56
#define SHOT_PX         200
#define SLACK_PX        6
#define SAME_HEIGHT     14
#define ARROW_PX        (TUNING.arrow_speed / DF_SUB)

/// What a bot knows in this tick.
struct mind {
    const struct world *world;
    const struct map *map;
    const struct player *player;
    const struct df_actor *body;
    const struct traits *traits;
    struct df_tiles tiles;
    uint32_t slot;
    int32_t x, y, feet; ///< middle of the body, and the first row below it, px
};

struct spot {
    int32_t x, y;
};

const char *skill_name(enum skill skill)
{
    switch (skill) {
    case SKILL_IDLE:
        return "idle";
    case SKILL_RANDOM:
        return "random";
    case SKILL_EASY:
        return "easy";
    case SKILL_NORMAL:
        return "normal";
    case SKILL_HARD:
        return "hard";
    case SKILLS:
        break;
    }
    return "unknown";
}

/// Dice that stay the same for `hold_ticks`: pure, of the seed, the slot and the time.
static uint32_t dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    uint32_t state = world->rules.seed ^ slot * 0x9E3779B9u ^ (world->tick + slot * 7) / hold_ticks * 0x85EBCA6Bu ^
                     salt * 0xC2B2AE35u;
    rng_next(&state);
    return rng_next(&state);
}

static uint32_t random_buttons(const struct world *world, uint32_t slot)
{
    uint32_t buttons = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++)
        if (dice(world, slot, 4 + bit * 3, bit) % 3 == 0)
            buttons |= 1u << bit;
    return buttons;
}

static int32_t sign(int32_t value)
{
    return (value > 0) - (value < 0);
}

static int32_t size(int32_t value)
{
    return value < 0 ? -value : value;
}

/// b - a; in a map that wraps, the short way round.
static int32_t way(const struct mind *mind, int32_t a, int32_t b, int32_t side_tiles)
{
    return map_distance(mind->map, a, b, side_tiles * MAP_EDGE_PX);
}

static struct spot way_to(const struct mind *mind, int32_t x, int32_t y)
{
    return (struct spot){way(mind, mind->x, x, mind->map->columns), way(mind, mind->y, y, mind->map->rows)};
}

static enum df_tile tile_at(const struct mind *mind, int32_t x, int32_t y)
{
    return df_tiles_at(&mind->tiles, df_floor_div(x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX));
}

/// The moving solid at a px, or null.
static const struct df_solid *solid_at(const struct mind *mind, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < mind->world->solid_count; i++) {
        const struct df_solid *s = &mind->world->solids[i];
        if (map_overlaps(mind->map, (struct df_box){x, y, 1, 1}, (struct df_box){s->x, s->y, s->w, s->h}))
            return s;
    }
    return NULL;
}

static bool is_wall(const struct mind *mind, int32_t x, int32_t y)
{
    const enum df_tile tile = tile_at(mind, x, y);
    if (tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK)
        return true;
    const struct df_solid *s = solid_at(mind, x, y);
    return s != NULL && (s->flags & DF_SOLID_ONEWAY) == 0;
}

/// Whether a fall along x from y on ends on something one can stand on.
static bool has_floor(const struct mind *mind, int32_t x, int32_t y)
{
    for (int32_t depth = 0; depth <= SHAFT_PX; depth += MAP_EDGE_PX) {
        const enum df_tile tile = tile_at(mind, x, y + depth);
        if (tile == DF_TILE_HAZARD)
            return false;
        if (tile != DF_TILE_EMPTY || solid_at(mind, x, y + depth) != NULL)
            return true;
    }
    return mind->map->outside != DF_OUTSIDE_EMPTY || y + SHAFT_PX < mind->map->rows * MAP_EDGE_PX;
}

static bool stands_on_oneway(const struct mind *mind)
{
    for (int32_t x = mind->body->x; x < mind->body->x + mind->body->w + 7; x += 7) {
        const int32_t at = x < mind->body->x + mind->body->w ? x : mind->body->x + mind->body->w - 1;
        if (is_wall(mind, at, mind->feet))
            return false;
    }
    return true;
}

static bool is_pressed_before(const struct mind *mind, uint32_t button)
{
    return (mind->player->buttons & button) != 0;
}

/// Takes the way to an actor into `at` if it is shorter than the best so far; true if it is.
static bool is_nearer(const struct mind *mind, uint32_t actor, int32_t *best, struct spot *at)
{
    const struct df_actor *a = &mind->world->actors[actor];
    const struct spot to = way_to(mind, a->x + a->w / 2, a->y + a->h / 2);
    const int32_t distance = size(to.x) + 2 * size(to.y);
    if (distance >= *best)
        return false;
    *best = distance;
    *at = to;
    return true;
}

static bool is_enemy(const struct mind *mind, uint32_t slot)
{
    const struct player *other = &mind->world->players[slot];
    return slot != mind->slot && other->state == PLAYER_ALIVE &&
           (other->team == 0 || other->team != mind->player->team);
}

/// The nearest living enemy, or null; `at` is the way to him.
static const struct player *nearest_enemy(const struct mind *mind, struct spot *at)
{
    const struct player *nearest = NULL;
    int32_t best = INT32_MAX;
    for (uint32_t slot = 0; slot < mind->world->player_slots; slot++)
        if (is_enemy(mind, slot) && is_nearer(mind, slot, &best, at))
            nearest = &mind->world->players[slot];
    return nearest;
}

static bool nearest_arrow(const struct mind *mind, struct spot *at)
{
    int32_t best = INT32_MAX;
    for (uint32_t i = 0; i < mind->world->arrow_slots; i++)
        if (mind->world->arrows[i].state == ARROW_STUCK)
            is_nearer(mind, PLAYER_CAPACITY + i, &best, at);
    return best != INT32_MAX;
}

static bool nearest_chest(const struct mind *mind, struct spot *at)
{
    int32_t best = INT32_MAX;
    for (uint32_t i = 0; i < mind->world->chest_count; i++)
        if (mind->world->chests[i].state == CHEST_CLOSED)
            is_nearer(mind, CHEST_ACTORS + i, &best, at);
    return best != INT32_MAX;
}

/// The way out from beneath a crusher that will fall, or is about to be walked under: -1, 0 (none), +1.
static int32_t flee(const struct mind *mind)
{
    for (uint32_t i = 0; i < (uint32_t)mind->map->solid_count; i++) {
        const uint32_t state = mind->world->traps[i].state;
        if (state != TRAP_WARNING && state != TRAP_FALLING)
            continue;
        const struct df_box reach = trap_reach(&mind->map->solids[i]);
        const struct df_box near = {reach.x - LOOK_PX, reach.y, reach.w + 2 * LOOK_PX, reach.h};
        if (!map_overlaps(mind->map, near, (struct df_box){mind->x, mind->y, 1, 1}))
            continue;
        const bool left = way(mind, mind->x, reach.x + reach.w / 2, mind->map->columns) > 0;
        int32_t out = left ? -1 : 1;
        const int32_t far_px = size(way(mind, mind->x, left ? reach.x + reach.w : reach.x, mind->map->columns));
        if (state == TRAP_WARNING && sign(mind->player->vx) == -out &&
            far_px <= (mind->player->dashes > 0 ? DASH_THROUGH_PX : RUN_THROUGH_PX))
            out = -out;
        return is_wall(mind, out < 0 ? reach.x - 4 : reach.x + reach.w + 3, mind->y) ? -out : out;
    }
    return 0;
}

/// True if an arrow of somebody else comes here within a few ticks.
static bool is_shot_at(const struct mind *mind)
{
    for (uint32_t i = 0; i < mind->world->arrow_slots; i++) {
        const struct arrow *arrow = &mind->world->arrows[i];
        const struct df_actor *a = &mind->world->actors[PLAYER_CAPACITY + i];
        if (arrow->state != ARROW_FLYING || arrow->owner == mind->slot + 1)
            continue;
        const struct spot to = way_to(mind, a->x + a->w / 2, a->y + a->h / 2);
        if (size(to.x) > DODGE_TICKS * ARROW_PX || size(to.y) > DODGE_TICKS * ARROW_PX)
            continue;
        const int32_t then_x = to.x + arrow->vx * DODGE_TICKS / DF_SUB,
                      then_y = to.y + arrow->vy * DODGE_TICKS / DF_SUB;
        const bool passes_x = size(to.x) < SLACK_PX || sign(to.x) != sign(then_x);
        const bool passes_y = size(to.y) < 2 * SLACK_PX || sign(to.y) != sign(then_y);
        if (passes_x && passes_y)
            return true;
    }
    return false;
}

static bool sees(const struct mind *mind, struct spot to)
{
    const int32_t steps = (size(to.x) > size(to.y) ? size(to.x) : size(to.y)) / MAP_EDGE_PX;
    for (int32_t i = 1; i < steps; i++)
        if (is_wall(mind, mind->x + to.x * i / steps, mind->y + to.y * i / steps))
            return false;
    return true;
}

/// The buttons of a shot at the enemy if one of the eight directions hits, else 0.
static uint32_t shot(const struct mind *mind, const struct player *enemy, struct spot to)
{
    const int32_t far = size(to.x) > size(to.y) ? size(to.x) : size(to.y);
    if (mind->player->arrows == 0 || mind->world->tick < mind->player->shoot_ready_tick ||
        is_pressed_before(mind, BUTTON_SHOOT) || far > SHOT_PX)
        return 0;
    const int32_t flight_ticks = far / ARROW_PX;
    if (mind->traits->leads) {
        to.x += enemy->vx * flight_ticks / DF_SUB;
        to.y += (enemy->flags & PLAYER_GROUNDED) != 0 ? 0 : enemy->vy * flight_ticks / (2 * DF_SUB);
        const int32_t fall_ticks = flight_ticks - (int32_t)TUNING.arrow_straight_ticks;
        if (fall_ticks > 0)
            to.y -= TUNING.arrow_gravity * fall_ticks * fall_ticks / (2 * DF_SUB);
    }
    const bool flat = size(to.y) <= SLACK_PX, steep = size(to.x) <= SLACK_PX;
    const bool diagonal = size(size(to.x) - size(to.y)) <= 2 * SLACK_PX;
    if ((!flat && !steep && !diagonal) || !sees(mind, to))
        return 0;
    uint32_t buttons = BUTTON_SHOOT;
    if (!steep)
        buttons |= to.x < 0 ? BUTTON_LEFT : BUTTON_RIGHT;
    if (!flat)
        buttons |= to.y < 0 ? BUTTON_UP : BUTTON_DOWN;
    return buttons;
}

/// A chest close by, or any if it is out for one.
static bool wants_chest(const struct mind *mind, uint32_t errand, struct spot *at)
{
    return nearest_chest(mind, at) && (errand % 8 < 3 || size(at->x) + 2 * size(at->y) < 64);
}

/// Now and then it strolls, so that it never wants for long what it cannot reach; not with an enemy close by.
static bool strolls(const struct mind *mind, const struct player *enemy, struct spot enemy_at)
{
    const bool fights = enemy != NULL && size(enemy_at.x) < FIGHT_PX && size(enemy_at.y) < SAME_HEIGHT;
    return !fights && (mind->world->tick / ERRAND_TICKS + mind->slot) % 4 == 3;
}

/// Where it wants to be, relative to where it is: an arrow it needs, a chest, else the enemy, and now and then
/// somewhere else.
static struct spot choose_goal(const struct mind *mind, const struct player *enemy, struct spot enemy_at)
{
    const uint32_t mood = dice(mind->world, mind->slot, mind->traits->attention_ticks, 1);
    const uint32_t errand = dice(mind->world, mind->slot, ERRAND_TICKS, 5);
    const struct map_spawn *spawn = &mind->map->spawns[errand / 8 % (uint32_t)mind->map->spawn_count];
    struct spot at = way_to(mind, spawn->x, spawn->y);
    if (mood % 8 < mind->traits->wander_of_8 || strolls(mind, enemy, enemy_at))
        return at;
    if (mind->player->arrows < 3 && nearest_arrow(mind, &at) &&
        (mind->player->arrows == 0 || size(at.x) + size(at.y) < 64))
        return at;
    if (wants_chest(mind, errand, &at))
        return at;
    if (enemy == NULL)
        return way_to(mind, spawn->x, spawn->y);
    if (mind->player->arrows == 0 && enemy_at.y < -SAME_HEIGHT)
        enemy_at.x = -enemy_at.x; // nothing to shoot with, and he is above: run
    return enemy_at;
}

static uint32_t walk_buttons(int32_t direction)
{
    return direction < 0 ? BUTTON_LEFT : direction > 0 ? BUTTON_RIGHT : 0;
}

/// A jump pressed anew, or held on while it rises.
static uint32_t jump_buttons(const struct mind *mind, bool wanted)
{
    const bool rises = mind->player->vy < 0;
    if (is_pressed_before(mind, BUTTON_JUMP))
        return rises ? BUTTON_JUMP : 0;
    return wanted ? BUTTON_JUMP : 0;
}

/// Spikes, a wall or an abyss ahead ask for a jump.
static bool is_blocked(const struct mind *mind, int32_t direction)
{
    const int32_t ahead = mind->x + direction * LOOK_PX, far = mind->x + direction * 2 * LOOK_PX;
    return is_wall(mind, ahead, mind->feet - 2) || is_wall(mind, ahead, mind->y) ||
           tile_at(mind, ahead, mind->feet - 2) == DF_TILE_HAZARD ||
           tile_at(mind, far, mind->feet - 2) == DF_TILE_HAZARD || !has_floor(mind, ahead, mind->feet);
}

static uint32_t on_ground(const struct mind *mind, struct spot goal, int32_t direction)
{
    uint32_t buttons = walk_buttons(direction);
    const bool above = goal.y<-SAME_HEIGHT, below = goal.y> SAME_HEIGHT;
    if (below && stands_on_oneway(mind) && has_floor(mind, mind->x, mind->feet + MAP_EDGE_PX) &&
        !is_pressed_before(mind, BUTTON_JUMP))
        return BUTTON_DOWN | BUTTON_JUMP;
    const bool hop = above && (size(goal.x) < 64 || dice(mind->world, mind->slot, 16, 2) % 4 == 0);
    return buttons | jump_buttons(mind, hop || (direction != 0 && is_blocked(mind, direction)));
}

static uint32_t in_air(const struct mind *mind, struct spot goal, int32_t direction)
{
    const bool at_wall =
        is_wall(mind, mind->body->x - 2, mind->y) || is_wall(mind, mind->body->x + mind->body->w + 1, mind->y);
    const bool climbs = at_wall && goal.y < 0 && mind->player->vy > -128;
    if (mind->player->vy > 256 && mind->player->dashes > 0 && !has_floor(mind, mind->x, mind->feet) &&
        !is_pressed_before(mind, BUTTON_DASH))
        return walk_buttons(direction != 0 ? direction : mind->player->facing) | BUTTON_UP | BUTTON_DASH;
    if ((mind->player->flags & PLAYER_HANGING) != 0)
        return goal.y > SAME_HEIGHT ? BUTTON_DOWN : walk_buttons(mind->player->facing) | jump_buttons(mind, true);
    return walk_buttons(direction) | jump_buttons(mind, climbs);
}

/// Whether a jump from here comes to stand on this place: the top of something, with room above.
static bool is_step(const struct mind *mind, int32_t x, int32_t y)
{
    const enum df_tile tile = tile_at(mind, x, y), above = tile_at(mind, x, y - MAP_EDGE_PX);
    const bool bears = tile == DF_TILE_ONEWAY || tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK;
    return bears && (above == DF_TILE_EMPTY || above == DF_TILE_ONEWAY) &&
           (tile == DF_TILE_ONEWAY || size(x - mind->x) > MAP_EDGE_PX) && !is_wall(mind, x, y - MAP_EDGE_PX / 2);
}

static bool is_shorter(int32_t way_px, int32_t best_px, int32_t toward)
{
    return size(way_px) < size(best_px) || (way_px == -best_px && sign(way_px) == toward);
}

/// The way along x, px, to the nearest step that a jump from the ground here reaches; CLIMB_PX + 1: there is none.
static int32_t way_to_step(const struct mind *mind, int32_t toward)
{
    int32_t best = CLIMB_PX + 1;
    const int32_t feet = df_floor_div(mind->feet, MAP_EDGE_PX) * MAP_EDGE_PX;
    for (int32_t dx = -CLIMB_PX; dx <= CLIMB_PX; dx += MAP_EDGE_PX)
        for (int32_t rise = MAP_EDGE_PX; rise <= JUMP_PX; rise += MAP_EDGE_PX)
            if (is_shorter(dx, best, toward) && is_step(mind, mind->x + dx, feet - rise))
                best = dx;
    for (uint32_t i = 0; i < mind->world->solid_count; i++) {
        const struct df_solid *s = &mind->world->solids[i];
        const struct spot to = way_to(mind, s->x + s->w / 2, s->y);
        const int32_t rise = mind->feet - mind->y - to.y, beside = size(to.x) - s->w / 2;
        const int32_t dx = beside > 0 ? sign(to.x) * beside : 0;
        if (rise >= 4 && rise <= JUMP_PX && ((s->flags & DF_SOLID_ONEWAY) != 0 || beside > 0) &&
            is_shorter(dx, best, toward))
            best = dx;
    }
    return best;
}

/// Up from step to step.
static uint32_t climb(const struct mind *mind, int32_t dx)
{
    const int32_t direction = size(dx) > 3 ? sign(dx) : 0;
    return walk_buttons(direction) | jump_buttons(mind, size(dx) <= JUMP_PX);
}

static uint32_t steer(const struct mind *mind, struct spot goal)
{
    int32_t direction = size(goal.x) > 3 ? sign(goal.x) : 0;
    // Right above or below the goal with a floor between: go on to where there is a way.
    if (size(goal.y) > SAME_HEIGHT && size(goal.x) < 24)
        direction = dice(mind->world, mind->slot, 64, 3) % 2 == 0 ? -1 : 1;
    const int32_t away = flee(mind);
    if (away != 0)
        return walk_buttons(away) |
               ((mind->player->dashes > 0 && !is_pressed_before(mind, BUTTON_DASH)) ? BUTTON_DASH : 0);
    const bool grounded = (mind->player->flags & PLAYER_GROUNDED) != 0;
    const int32_t step = goal.y < -SAME_HEIGHT && size(goal.x) < STEEP_PX ? way_to_step(mind, direction) : CLIMB_PX + 1;
    if (step <= CLIMB_PX && (grounded || mind->player->vy < 0))
        return climb(mind, step);
    return grounded ? on_ground(mind, goal, direction) : in_air(mind, goal, direction);
}

static uint32_t play(const struct mind *mind)
{
    struct spot enemy_at = {0, 0};
    const struct player *enemy = nearest_enemy(mind, &enemy_at);
    const struct traits *traits = mind->traits;
    const uint32_t chance = dice(mind->world, mind->slot, 12, 4);
    if (chance % 8 < traits->dodge_of_8 && mind->player->dashes > 0 && !is_pressed_before(mind, BUTTON_DASH) &&
        mind->world->tick >= mind->player->dash_ready_tick && is_shot_at(mind))
        return walk_buttons(enemy != NULL && enemy_at.x < 0 ? -1 : 1) | BUTTON_DASH;
    if (enemy != NULL && chance / 8 % 8 < traits->shots_of_8) {
        const uint32_t buttons = shot(mind, enemy, enemy_at);
        if (buttons != 0)
            return buttons | (mind->player->buttons & BUTTON_JUMP);
    }
    return steer(mind, choose_goal(mind, enemy, enemy_at));
}

struct player_input brain_think(const struct world *world, const struct map *map, uint32_t slot, enum skill skill)
{
    struct player_input input = {0};
    if (slot >= world->player_slots || world->players[slot].state != PLAYER_ALIVE || skill == SKILL_IDLE)
        return input;
    if (skill == SKILL_RANDOM) {
        input.buttons = random_buttons(world, slot);
        return input;
    }
    const struct df_actor *body = &world->actors[slot];
    const struct mind mind = {.world = world,
                              .map = map,
                              .player = &world->players[slot],
                              .body = body,
                              .traits = &TRAITS[skill < SKILLS ? skill : SKILL_NORMAL],
                              .tiles = {.kinds = map->tiles,
                                        .broken = world->broken,
                                        .columns = map->columns,
                                        .rows = map->rows,
                                        .edge_px = MAP_EDGE_PX,
                                        .outside = (enum df_outside)map->outside},
                              .slot = slot,
                              .x = body->x + body->w / 2,
                              .y = body->y + body->h / 2,
                              .feet = body->y + body->h};
    input.buttons = play(&mind);
    return input;
}
