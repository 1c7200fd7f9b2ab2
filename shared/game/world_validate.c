// SPDX-License-Identifier: MIT
//
// world_validate: checks what holds for every world that world_step makes, as far as that is cheap, so that world_step
// stays within bounds with a world that came from the wire. The tables of replication.c hold the ranges of the fields.
#include <stdlib.h>
#include <string.h>

#include "game/entities/entities.h"
#include "game/rules/team.h"
#include "sync/world.h"
#include "tuning.h"
#include "variant.h"

// How far outside the map anything may be, px.
#define BORDER_PX 1024

static bool is_zero(const void *words, size_t bytes)
{
    const unsigned char *byte = words;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != 0)
            return false;
    return true;
}

static bool fields_fit(const struct world *world)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        const uint32_t *word = replication_table_words_const(table, world);
        for (uint32_t n = replication_table_used(table, world); n > 0; n--)
            for (uint32_t f = 0; f < table->field_count; f++)
                if (!replication_field_fits(&table->fields[f], *word++))
                    return false;
    }
    return true;
}

static bool head_is_valid(const struct world *world, const struct map *map)
{
    const struct rules *rules = &world->rules;
    return rules->mode < MODES && rules->bot_skill < SKILLS && rules->variants >> VARIANTS == 0 &&
           rules->score_limit >= 0 && rules->score_limit <= TUNING.score_max &&
           world->round.phase <= ROUND_MATCH_OVER && world->round.winner <= PLAYER_CAPACITY &&
           world->round.winner_team <= TEAM_COUNT && abs(world->round.team_scores[0]) <= TUNING.score_max &&
           abs(world->round.team_scores[1]) <= TUNING.score_max && world->player_slots <= PLAYER_CAPACITY &&
           world->arrow_slots <= ARROW_CAPACITY &&
           world->solid_count == (uint32_t)map->solid_count + sudden_death_walls((enum mode)rules->mode) &&
           world->round.sudden_death_ticks <= TUNING.sudden_death_closing_ticks && world->round.paused < PAUSES &&
           world->ball_count == (uint32_t)map->ball_count && world->chest_count == (uint32_t)map->chest_count &&
           world->switch_count == (uint32_t)map->switch_count && world->rubble_slots <= RUBBLE_CAPACITY &&
           world->broken_words == ((uint32_t)(map->columns * map->rows) + 31) / 32 &&
           (world->player_slots == 0 || world->players[world->player_slots - 1].state != PLAYER_ABSENT) &&
           (world->arrow_slots == 0 || world->arrows[world->arrow_slots - 1].state != ARROW_ABSENT);
}

static bool is_near(const struct map *map, int32_t x, int32_t y)
{
    return x >= -BORDER_PX && y >= -BORDER_PX && x <= map->columns * MAP_EDGE_PX + BORDER_PX &&
           y <= map->rows * MAP_EDGE_PX + BORDER_PX;
}

static bool is_rem(int32_t rem)
{
    return rem >= -DF_SUB / 2 && rem <= DF_SUB / 2;
}

static bool is_slow(int32_t vx, int32_t vy)
{
    return abs(vx) <= TUNING.speed_max && abs(vy) <= TUNING.speed_max;
}

static bool is_direction(int32_t value)
{
    return value >= -1 && value <= 1;
}

// A reference is the slot + 1 of a player who is there, or 0.
static bool is_player(const struct world *world, uint32_t reference)
{
    return reference == 0 || (reference <= world->player_slots && world->players[reference - 1].state != PLAYER_ABSENT);
}

static bool actor_is_valid(const struct world *world, const struct map *map, const struct df_actor *actor, int32_t w,
                           int32_t h)
{
    return actor->w == w && actor->h == h && is_near(map, actor->x, actor->y) && is_rem(actor->rem_x) &&
           is_rem(actor->rem_y) && abs(actor->lift_x) <= DF_LIFT_X_MAX && actor->lift_y <= 0 &&
           actor->lift_y >= DF_LIFT_UP_MAX && actor->carrier <= world->solid_count && actor->ride <= DF_RIDE_NEVER;
}

static bool player_is_valid(const struct world *world, const struct map *map, uint32_t slot)
{
    const struct player *p = &world->players[slot];
    const struct df_actor *actor = &world->actors[slot];
    bool alive = (actor->flags & DF_ACTOR_ALIVE) != 0;
    if (p->state == PLAYER_ABSENT)
        return is_zero(p, sizeof *p) && is_zero(actor, sizeof *actor);
    if (alive != (p->state == PLAYER_ALIVE))
        return false;
    if (!team_is_valid(world, p) || p->handicap >= HANDICAPS)
        return false;
    if (!is_zero(actor, sizeof *actor) && !actor_is_valid(world, map, actor, TUNING.body_w_px, TUNING.body_h_px))
        return false;
    return is_slow(p->vx, p->vy) && abs(p->jump_vy) <= TUNING.speed_max && abs(p->facing) == 1 &&
           is_direction(p->aim_x) && is_direction(p->aim_y) && is_direction(p->forced_direction) &&
           is_direction(p->dash_x) && is_direction(p->dash_y) && p->fall_cap >= 0 &&
           p->fall_cap <= TUNING.fall_fast_max && p->flaps <= TUNING.wings_flaps && p->arrows <= TUNING.arrows_max &&
           p->bombs + p->drills <= p->arrows && is_player(world, p->shover) && abs(p->score) <= TUNING.score_max;
}

static bool arrow_is_valid(const struct world *world, const struct map *map, uint32_t slot)
{
    const struct arrow *arrow = &world->arrows[slot];
    const struct df_actor *actor = &world->actors[PLAYER_CAPACITY + slot];
    if (arrow->state == ARROW_ABSENT)
        return is_zero(arrow, sizeof *arrow) && is_zero(actor, sizeof *actor);
    return arrow->state <= ARROW_STUCK && arrow->kind < ARROW_KINDS &&
           (arrow->spent == 0 || arrow->kind == ARROW_DRILL) && (arrow->burnt_tick == 0 || arrow->kind == ARROW_BOMB) &&
           is_player(world, arrow->owner) && is_slow(arrow->vx, arrow->vy) && arrow->stuck_in <= world->solid_count &&
           (actor->flags & DF_ACTOR_ALIVE) != 0 &&
           actor_is_valid(world, map, actor, TUNING.arrow_edge_px, TUNING.arrow_edge_px);
}

// A solid is exactly where its path and the tick put it, or its crusher.
static bool solid_is_valid(const struct world *world, const struct map *map, uint32_t i)
{
    const struct map_solid *solid = &map->solids[i];
    const struct df_solid *s = &world->solids[i];
    const struct crusher *crusher = &world->crushers[i];
    int32_t x_sub = solid->box.x * DF_SUB, y_sub = solid->box.y * DF_SUB + crusher->fallen;
    if (crusher->clock_ticks > (solid->channel != 0 ? mover_clock_max(solid) : 0))
        return false;
    if (solid->kind != MAP_SOLID_CRUSHER) {
        struct crusher driven = {.clock_ticks = crusher->clock_ticks};
        if (memcmp(crusher, &driven, sizeof driven) != 0)
            return false;
        mover_place(map, i, mover_clock_ticks(world, map, i), &x_sub, &y_sub);
    }
    return s->w == solid->box.w && s->h == solid->box.h && is_rem(s->rem_x) && is_rem(s->rem_y) &&
           mover_way(map, s->x, s->rem_x, x_sub, map->columns) == 0 &&
           mover_way(map, s->y, s->rem_y, y_sub, map->rows) == 0 && crusher->state <= CRUSHER_RISING &&
           crusher->fallen >= 0 && crusher->fallen <= solid->drop_px * DF_SUB && crusher->vy >= 0 &&
           crusher->vy <= TUNING.crusher_fall_max &&
           s->flags == (DF_SOLID_PRESENT | (solid->oneway ? DF_SOLID_ONEWAY : 0u));
}

static bool ball_is_valid(const struct world *world, const struct map *map, uint32_t i)
{
    const struct df_ball *ball = &world->balls[i];
    return ball->radius_px == map->balls[i].radius_px && abs(ball->vx) <= 64 * DF_SUB && abs(ball->vy) <= 64 * DF_SUB &&
           is_near(map, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB)) &&
           is_player(world, world->ball_hits[i].by);
}

static bool switch_is_valid(const struct world *world, const struct map *map, uint32_t i)
{
    const struct switch_state *state = &world->switches[i];
    bool lasts = map->switches[i].kind == MAP_SWITCH_LEVER && map->switches[i].hold_ticks == 0;
    return state->off_tick == 0 || (state->on && !lasts);
}

// Only a block can come back.
static bool rubble_is_valid(const struct world *world, const struct map *map, uint32_t slot)
{
    const struct rubble *rubble = &world->rubble[slot];
    if (rubble->tile == 0)
        return rubble->return_tick == 0 && slot + 1 < world->rubble_slots;
    uint32_t tile = rubble->tile - 1;
    return tile < (uint32_t)(map->columns * map->rows) && map->tiles[tile] == DF_TILE_BLOCK;
}

static bool chest_is_valid(const struct world *world, const struct map *map, uint32_t i)
{
    const struct chest *chest = &world->chests[i];
    const struct df_actor *actor = &world->actors[CHEST_ACTORS + i];
    if (chest->state == CHEST_AWAY)
        return chest->vy == 0 && chest->opener == 0 && is_zero(actor, sizeof *actor);
    bool opens = chest->state == CHEST_OPENING && is_player(world, chest->opener);
    return (opens || (chest->state == CHEST_CLOSED && chest->opener == 0)) && chest->returns_tick == 0 &&
           chest->vy >= 0 && chest->vy <= TUNING.fall_max && (actor->flags & DF_ACTOR_ALIVE) != 0 &&
           actor_is_valid(world, map, actor, TUNING.chest_w_px, TUNING.chest_h_px);
}

static bool events_are_valid(const struct world *world)
{
    for (uint32_t i = 0; i < EVENT_CAPACITY && i < world->event_count; i++)
        if (world->events[i].kind >= EVENT_KINDS)
            return false;
    return true;
}

bool world_validate(const struct world *world, const struct map *map)
{
    if (!head_is_valid(world, map) || !fields_fit(world) || !events_are_valid(world))
        return false;
    for (uint32_t i = 0; i < world->player_slots; i++)
        if (!player_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        if (!arrow_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->solid_count; i++)
        if (i < (uint32_t)map->solid_count ? !solid_is_valid(world, map, i) : !sudden_death_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->ball_count; i++)
        if (!ball_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->switch_count; i++)
        if (!switch_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->rubble_slots; i++)
        if (!rubble_is_valid(world, map, i))
            return false;
    for (uint32_t i = 0; i < world->chest_count; i++)
        if (!chest_is_valid(world, map, i))
            return false;
    return true;
}
