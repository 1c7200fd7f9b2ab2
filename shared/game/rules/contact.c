// SPDX-License-Identifier: MIT
#include "rules.h"

#include "game/entities/entities.h"
#include "game/event.h"
#include "game/player/player.h"
#include "game/tuning.h"
#include "round.h"
#include "team.h"

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
    while ((slot = player_grid_take(set)) != PLAYER_CAPACITY)
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

static void stomp(struct contacts *contacts, uint32_t above, uint32_t below)
{
    if (damage_is_shielded(contacts->step, below) || team_spares(contacts->step->world, above, below))
        player_shove(contacts->step->world, below, above);
    else
        damage_apply(contacts->step, below, DEATH_STOMP, above);
}

// Shoves a player once per dash: somebody who was shoved since it began is left alone.
static void shove(struct contacts *contacts, uint32_t by, uint32_t other)
{
    struct player *player = player_of(contacts, other);
    const struct player *dasher = player_of(contacts, by);
    tick began_tick = dasher->dash_until - TUNING.dash_ticks;
    if (is_dashing(contacts, other) || (player->shover == by + 1 && player->shoved_tick >= began_tick))
        return;
    player->vx = dasher->vx;
    player->vy = dasher->vy + TUNING.dash_shove_vy;
    player_shove(contacts->step->world, other, by);
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
    struct player_set near = player_grid_near(&contacts->grid, step, box);
    bool bounced = false;
    for (uint32_t other; (other = next_touched(contacts, &near, box)) != PLAYER_CAPACITY;) {
        if (other == slot)
            continue;
        if (is_stomp(contacts, slot, other)) {
            stomp(contacts, slot, other);
            bounced = true;
        } else if (dashes) {
            shove(contacts, slot, other);
        }
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
    damage_apply(contacts->step, slot, arrow->kind == ARROW_BOMB ? DEATH_BOMB : DEATH_ARROW, shooter);
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
    struct player_set near = player_grid_near(&contacts->grid, step, box);
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

static void meet_map(struct contacts *contacts, uint32_t slot)
{
    struct step *step = contacts->step;
    if (step_is_lost(step, step_actor_box(step, slot)))
        damage_apply_unshielded(step, slot, DEATH_FALL, EVENT_NOBODY);
    else if (df_tiles_touch(&step->space.tiles, step_hurt_box(step, slot), DF_TILE_HAZARD))
        damage_apply(step, slot, DEATH_HAZARD, EVENT_NOBODY);
}

void contact_step(struct step *step)
{
    struct world *world = step->world;
    struct contacts contacts;
    contacts.step = step;
    player_grid_build(&contacts.grid, step);
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (world->players[slot].state != PLAYER_ALIVE)
            continue;
        meet_players(&contacts, slot);
        meet_map(&contacts, slot);
    }
    for (uint32_t arrow = 0; arrow < world->arrow_slots; arrow++)
        if (world->arrows[arrow].state != ARROW_ABSENT)
            meet_arrow(&contacts, arrow);
    meet_balls(&contacts);
    explosion_step(step);
    damage_resolve(step);
    damage_leave_bombs(step);
}
