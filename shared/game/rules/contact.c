// SPDX-License-Identifier: MIT
#include "rules.h"

#include "game/entities/entities.h"
#include "game/player/player.h"
#include "game/tuning.h"
#include "round.h"
#include "team.h"

// --- which players are near

// No column or row is smaller than the others, so a box is in at most two also around a seam.
static int32_t cell_of(const struct step *step, int32_t at_px, int32_t side_px)
{
    if (step->map->outside == DF_OUTSIDE_WRAP)
        at_px -= df_floor_div(at_px, side_px) * side_px;
    int32_t cell = at_px < 0 ? 0 : at_px / CONTACT_GRID_CELL_PX, last = side_px / CONTACT_GRID_CELL_PX - 1;
    return cell < last ? cell : last;
}

// The columns and rows in which a box begins and ends.
static void cells_of(const struct step *step, struct df_box box, int32_t cells[4])
{
    int32_t width_px = step->map->columns * MAP_EDGE_PX, height_px = step->map->rows * MAP_EDGE_PX;
    cells[0] = cell_of(step, box.x, width_px);
    cells[1] = cell_of(step, box.x + box.w - 1, width_px);
    cells[2] = cell_of(step, box.y, height_px);
    cells[3] = cell_of(step, box.y + box.h - 1, height_px);
}

void contact_grid_build(struct player_grid *grid, const struct step *step)
{
    *grid = (struct player_grid){0};
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        if (step->world->players[slot].state != PLAYER_ALIVE)
            continue;
        int32_t cells[4];
        uint64_t bit = UINT64_C(1) << slot % 64;
        cells_of(step, step_hurt_box(step, slot), cells);
        for (int i = 0; i < 2; i++) {
            grid->columns[cells[i]].words[slot / 64] |= bit;
            grid->rows[cells[2 + i]].words[slot / 64] |= bit;
        }
    }
}

struct player_set contact_grid_near(const struct player_grid *grid, const struct step *step, struct df_box box)
{
    int32_t cells[4];
    cells_of(step, box, cells);
    const struct player_set *left = &grid->columns[cells[0]], *right = &grid->columns[cells[1]];
    const struct player_set *top = &grid->rows[cells[2]], *bottom = &grid->rows[cells[3]];
    struct player_set set;
    for (int i = 0; i < CONTACT_GRID_WORDS; i++)
        set.words[i] = (left->words[i] | right->words[i]) & (top->words[i] | bottom->words[i]);
    return set;
}

uint32_t contact_grid_next(struct player_set *set)
{
    for (uint32_t i = 0; i < CONTACT_GRID_WORDS; i++) {
        if (set->words[i] == 0)
            continue;
        uint32_t slot = i * 64 + (uint32_t)__builtin_ctzll(set->words[i]);
        set->words[i] &= set->words[i] - 1;
        return slot;
    }
    return PLAYER_CAPACITY;
}

// --- what happens when they touch

struct contacts {
    struct step *step;
    struct player_grid grid;
};

static struct player *player_of(struct contacts *contacts, uint32_t slot)
{
    return &contacts->step->world->players[slot];
}

static bool is_dashing(struct contacts *contacts, uint32_t slot)
{
    return contacts->step->world->tick < player_of(contacts, slot)->dash_until;
}

// Takes the next living player who overlaps the box out of a set; PLAYER_CAPACITY if there is none.
static uint32_t next_touched(struct contacts *contacts, struct player_set *set, struct df_box box)
{
    uint32_t slot;
    while ((slot = contact_grid_next(set)) != PLAYER_CAPACITY)
        if (step_overlaps(contacts->step, box, step_hurt_box(contacts->step, slot)))
            return slot;
    return slot;
}

// Returns true if the feet of one player passed the head line of the other in this tick.
static bool is_stomp(struct contacts *contacts, uint32_t above, uint32_t below)
{
    const struct step *step = contacts->step;
    int32_t fall = player_of(contacts, above)->vy - player_of(contacts, below)->vy;
    if (player_of(contacts, above)->vy <= 0 || fall <= 0)
        return false;
    struct df_box feet = step_actor_box(step, above), head = step_hurt_box(step, below);
    int32_t depth = step_distance(step, head.y, feet.y + feet.h, step->map->rows * MAP_EDGE_PX);
    return depth > 0 && depth <= TUNING.stomp_slack_px + fall / DF_SUB + 1;
}

static void meet_players(struct contacts *contacts, uint32_t slot)
{
    struct step *step = contacts->step;
    struct player *player = player_of(contacts, slot);
    bool dashes = is_dashing(contacts, slot);
    if (!dashes && player->vy <= 0)
        return;
    // A head counts if it overlaps the whole box, not only the part that can be hit.
    struct df_box box = step_actor_box(step, slot);
    struct player_set near = contact_grid_near(&contacts->grid, step, box);
    bool bounced = false;
    for (uint32_t other; (other = next_touched(contacts, &near, box)) != PLAYER_CAPACITY;) {
        if (other == slot)
            continue;
        if (is_stomp(contacts, slot, other)) {
            if (damage_is_shielded(step, other) || team_spares(step->world, slot, other))
                player_shove(step->world, other, slot);
            else
                damage_apply(step, other, DEATH_STOMP, slot);
            bounced = true;
            continue;
        }
        // A dash shoves once: somebody who was shoved since it began is left alone.
        struct player *shoved = player_of(contacts, other);
        if (!dashes || is_dashing(contacts, other) ||
            (shoved->shover == slot + 1 && shoved->shoved_tick >= player->dash_until - TUNING.dash_ticks))
            continue;
        shoved->vx = player->vx;
        shoved->vy = player->vy + TUNING.dash_shove_vy;
        player_shove(step->world, other, slot);
    }
    if (!bounced)
        return;
    player->vy = player->jump_vy = TUNING.stomp_vy;
    player->jump_held_until = step->world->tick + TUNING.jump_hold_ticks;
    player->dashes = step->tuning->dashes;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
}

static void take_arrow(struct contacts *contacts, uint32_t slot, uint32_t arrow, enum event_kind kind)
{
    struct step *step = contacts->step;
    struct player *player = player_of(contacts, slot);
    struct df_box box = step_actor_box(step, PLAYER_CAPACITY + arrow);
    enum arrow_kind arrow_kind = (enum arrow_kind)step->world->arrows[arrow].kind;
    player_add_arrows(player, step->tuning, arrow_kind, 1);
    player->stats.catches += kind == EVENT_CATCH && round_keeps_count(step->world);
    event_push(step->world, kind, box.x + box.w / 2, box.y + box.h / 2, slot, EVENT_NOBODY, arrow_kind);
    arrow_remove(step, arrow);
}

// Returns true if the arrow is gone.
static bool hit_player(struct contacts *contacts, uint32_t slot, uint32_t arrow_slot)
{
    struct world *world = contacts->step->world;
    const struct arrow *arrow = &world->arrows[arrow_slot];
    bool own = arrow->owner == slot + 1;
    if (own && world->tick < arrow->since_tick + TUNING.arrow_owner_safe_ticks)
        return false;
    if (is_dashing(contacts, slot)) {
        take_arrow(contacts, slot, arrow_slot, EVENT_CATCH);
        return true;
    }
    uint32_t shooter = step_slot_of(arrow->owner);
    if (team_spares(world, shooter, slot))
        return false;
    if (shooter != EVENT_NOBODY && !own) {
        player_of(contacts, shooter)->stats.hits += round_keeps_count(world);
        player_shove(world, slot, shooter);
    }
    damage_apply(contacts->step, slot, ARROW_KIND_TABLE[arrow->kind].cause, shooter);
    arrow_break(contacts->step, arrow_slot);
    return true;
}

static void meet_arrow(struct contacts *contacts, uint32_t arrow_slot)
{
    const struct step *step = contacts->step;
    const struct arrow *arrow = &step->world->arrows[arrow_slot];
    bool flies = arrow->state == ARROW_FLYING, burns = arrow->burnt_tick != 0;
    enum arrow_kind kind = (enum arrow_kind)arrow->kind;
    struct df_box box = step_actor_box(step, PLAYER_CAPACITY + arrow_slot);
    struct player_set near = contact_grid_near(&contacts->grid, step, box);
    for (uint32_t slot; (slot = next_touched(contacts, &near, box)) != PLAYER_CAPACITY;) {
        if (flies) {
            if (hit_player(contacts, slot, arrow_slot))
                return;
        } else if (burns) {
            if (!is_dashing(contacts, slot))
                continue;
            take_arrow(contacts, slot, arrow_slot, EVENT_CATCH); // caught before it explodes
            return;
        } else if (player_has_room(player_of(contacts, slot), step->tuning, kind)) {
            take_arrow(contacts, slot, arrow_slot, EVENT_PICKUP);
            return;
        }
    }
}

// A dash kicks a ball. A fast ball kills, but not the player who has just kicked it.
static void meet_ball(struct contacts *contacts, uint32_t ball, uint32_t slot)
{
    struct step *step = contacts->step;
    const struct ball_hit *hit = &step->world->ball_hits[ball];
    bool own = hit->since_tick != 0 && hit->by == slot + 1;
    const struct player *player = player_of(contacts, slot);
    if (is_dashing(contacts, slot)) {
        if (!own || hit->since_tick < player->dash_until - TUNING.dash_ticks)
            ball_kick(step, ball, slot);
        return;
    }
    if (own && step->world->tick < hit->since_tick + TUNING.ball_owner_safe_ticks)
        return;
    if (ball_kills(&step->world->balls[ball]) && ball_touches(step, ball, step_hurt_box(step, slot)))
        damage_apply(step, slot, DEATH_BALL, step_slot_of(hit->by));
}

static void meet_balls(struct contacts *contacts)
{
    struct step *step = contacts->step;
    for (uint32_t ball = 0; ball < step->world->ball_count; ball++) {
        struct df_box around = step_ball_box(&step->world->balls[ball]);
        for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
            struct df_box box = step_actor_box(step, slot);
            if (player_of(contacts, slot)->state == PLAYER_ALIVE && step_overlaps(step, around, box) &&
                ball_touches(step, ball, box))
                meet_ball(contacts, ball, slot);
        }
        for (uint32_t arrow = 0; arrow < step->world->arrow_slots; arrow++) {
            struct df_box box = step_actor_box(step, PLAYER_CAPACITY + arrow);
            if (step->world->arrows[arrow].state == ARROW_FLYING && step_overlaps(step, around, box) &&
                ball_touches(step, ball, box))
                ball_meet_arrow(step, ball, arrow);
        }
    }
}

void contact_step(struct step *step)
{
    struct world *world = step->world;
    struct contacts contacts;
    contacts.step = step;
    contact_grid_build(&contacts.grid, step);
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (world->players[slot].state != PLAYER_ALIVE)
            continue;
        meet_players(&contacts, slot);
        if (step_is_lost(step, step_actor_box(step, slot)))
            damage_apply_unshielded(step, slot, DEATH_FALL, EVENT_NOBODY);
        else if (df_tiles_touch(&step->space.tiles, step_hurt_box(step, slot), DF_TILE_HAZARD))
            damage_apply(step, slot, DEATH_HAZARD, EVENT_NOBODY);
    }
    for (uint32_t arrow = 0; arrow < world->arrow_slots; arrow++)
        if (world->arrows[arrow].state != ARROW_ABSENT)
            meet_arrow(&contacts, arrow);
    meet_balls(&contacts);
    damage_explode(step);
    damage_resolve(step);
    damage_leave_bombs(step);
}
