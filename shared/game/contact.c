// SPDX-License-Identifier: MIT
#include "contact.h"

#include "arrow.h"
#include "crowd.h"
#include "quiver.h"
#include "tuning.h"

/// Who will die at the end of the phase, and by what.
struct contacts {
    struct step *step;
    struct crowd crowd;
    uint32_t causes[PLAYER_CAPACITY]; ///< enum death_cause + 1; 0: lives
    uint32_t killers[PLAYER_CAPACITY];
};

static struct player *player_of(struct contacts *contacts, uint32_t slot)
{
    return &contacts->step->world->players[slot];
}

static bool is_shielded(struct contacts *contacts, uint32_t slot)
{
    return contacts->step->world->tick < player_of(contacts, slot)->shield_until;
}

static bool is_dashing(struct contacts *contacts, uint32_t slot)
{
    return contacts->step->world->tick < player_of(contacts, slot)->dash_until;
}

static void condemn(struct contacts *contacts, uint32_t slot, enum death_cause cause, uint32_t killer)
{
    if (contacts->causes[slot] != 0)
        return;
    contacts->causes[slot] = (uint32_t)cause + 1;
    contacts->killers[slot] = killer;
}

/// The next of a set who lives and overlaps the box; PLAYER_CAPACITY when there is none.
static uint32_t next_touched(struct contacts *contacts, struct crowd_set *set, struct df_box box)
{
    uint32_t slot;
    while ((slot = crowd_take(set)) != PLAYER_CAPACITY)
        if (step_overlaps(contacts->step, box, step_hurt_box(contacts->step, slot)))
            return slot;
    return slot;
}

/// His feet came through the other's head line in this tick.
static bool is_stomp(struct contacts *contacts, uint32_t above, uint32_t below)
{
    const struct step *step = contacts->step;
    const int32_t fall = player_of(contacts, above)->vy - player_of(contacts, below)->vy;
    if (player_of(contacts, above)->vy <= 0 || fall <= 0)
        return false;
    const struct df_box feet = step_actor_box(step, above), head = step_hurt_box(step, below);
    const int32_t depth = step_distance(step, head.y, feet.y + feet.h, step->map->rows * MAP_EDGE_PX);
    return depth > 0 && depth <= TUNING.stomp_slack_px + fall / DF_SUB + 1;
}

static void stomp(struct contacts *contacts, uint32_t above, uint32_t below)
{
    if (is_shielded(contacts, below))
        player_shove(contacts->step->world, below, above);
    else
        condemn(contacts, below, DEATH_STOMP, above);
}

/// Once per dash: whoever was shoved by him since it began is left alone.
static void shove(struct contacts *contacts, uint32_t by, uint32_t whom)
{
    struct player *player = player_of(contacts, whom);
    const struct player *dasher = player_of(contacts, by);
    const tick began_tick = dasher->dash_until - TUNING.dash_ticks;
    if (is_dashing(contacts, whom) || (player->shover == by + 1 && player->shoved_tick >= began_tick))
        return;
    player->vx = dasher->vx;
    player->vy = dasher->vy + TUNING.dash_shove_vy;
    player_shove(contacts->step->world, whom, by);
}

static void meet_players(struct contacts *contacts, uint32_t slot)
{
    struct step *step = contacts->step;
    struct player *player = player_of(contacts, slot);
    const bool dashes = is_dashing(contacts, slot);
    if (!dashes && player->vy <= 0)
        return;
    // The head below him overlaps his whole box, not only the part that can be hit.
    const struct df_box box = step_actor_box(step, slot);
    struct crowd_set near = crowd_near(&contacts->crowd, step, box);
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
    player->dashes = 1;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
}

static void take_arrow(struct contacts *contacts, uint32_t slot, uint32_t arrow, enum event_kind kind)
{
    struct step *step = contacts->step;
    struct player *player = player_of(contacts, slot);
    const struct df_box box = step_actor_box(step, PLAYER_CAPACITY + arrow);
    const enum arrow_kind arrow_kind = (enum arrow_kind)step->world->arrows[arrow].kind;
    quiver_add(player, arrow_kind, 1);
    player->catches += kind == EVENT_CATCH;
    event_push(step->world, kind, box.x + box.w / 2, box.y + box.h / 2, slot, EVENT_NOBODY, arrow_kind);
    arrow_remove(step, arrow);
}

/// True if the arrow is gone.
static bool hit_player(struct contacts *contacts, uint32_t slot, uint32_t arrow_slot)
{
    struct world *world = contacts->step->world;
    const struct arrow *arrow = &world->arrows[arrow_slot];
    const bool own = arrow->owner == slot + 1;
    if (own && world->tick < arrow->since_tick + TUNING.arrow_owner_safe_ticks)
        return false;
    if (is_dashing(contacts, slot)) {
        take_arrow(contacts, slot, arrow_slot, EVENT_CATCH);
        return true;
    }
    const uint32_t shooter = arrow->owner != 0 ? arrow->owner - 1 : EVENT_NOBODY;
    if (shooter != EVENT_NOBODY && !own) {
        player_of(contacts, shooter)->hits++;
        player_shove(world, slot, shooter);
    }
    if (!is_shielded(contacts, slot))
        condemn(contacts, slot, DEATH_ARROW, shooter);
    arrow_break(contacts->step, arrow_slot);
    return true;
}

static void meet_arrow(struct contacts *contacts, uint32_t arrow)
{
    const struct step *step = contacts->step;
    const enum arrow_kind kind = (enum arrow_kind)step->world->arrows[arrow].kind;
    const uint32_t state = step->world->arrows[arrow].state;
    const struct df_box box = step_actor_box(step, PLAYER_CAPACITY + arrow);
    struct crowd_set near = crowd_near(&contacts->crowd, step, box);
    for (uint32_t slot; (slot = next_touched(contacts, &near, box)) != PLAYER_CAPACITY;) {
        if (state == ARROW_FLYING) {
            if (hit_player(contacts, slot, arrow))
                return;
        } else if (quiver_has_room(player_of(contacts, slot), kind)) {
            take_arrow(contacts, slot, arrow, EVENT_PICKUP);
            return;
        }
    }
}

static void meet_ball(struct contacts *contacts, uint32_t ball_slot)
{
    const struct step *step = contacts->step;
    const struct df_ball *ball = &step->world->balls[ball_slot];
    const int64_t speed = (int64_t)ball->vx * ball->vx + (int64_t)ball->vy * ball->vy;
    if ((ball->flags & DF_BALL_ALIVE) == 0 || speed < (int64_t)TUNING.ball_lethal_speed * TUNING.ball_lethal_speed)
        return;
    const int32_t x = df_floor_div(ball->cx, DF_SUB), y = df_floor_div(ball->cy, DF_SUB), r = ball->radius_px;
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        if (player_of(contacts, slot)->state != PLAYER_ALIVE || is_shielded(contacts, slot))
            continue;
        const struct df_box box = step_hurt_box(step, slot);
        const int32_t dx = step_distance(step, x, box.x + box.w / 2, step->map->columns * MAP_EDGE_PX);
        const int32_t dy = step_distance(step, y, box.y + box.h / 2, step->map->rows * MAP_EDGE_PX);
        const int32_t gap_x = (dx < 0 ? -dx : dx) - box.w / 2, gap_y = (dy < 0 ? -dy : dy) - box.h / 2;
        const int32_t gx = gap_x > 0 ? gap_x : 0, gy = gap_y > 0 ? gap_y : 0;
        if (gx * gx + gy * gy < r * r)
            condemn(contacts, slot, DEATH_BALL, EVENT_NOBODY);
    }
}

static void meet_map(struct contacts *contacts, uint32_t slot)
{
    const struct step *step = contacts->step;
    if (step_is_lost(step, step_actor_box(step, slot)))
        condemn(contacts, slot, DEATH_FALL, EVENT_NOBODY);
    else if (!is_shielded(contacts, slot) &&
             df_tiles_touch(&step->space.tiles, step_hurt_box(step, slot), DF_TILE_HAZARD))
        condemn(contacts, slot, DEATH_HAZARD, EVENT_NOBODY);
}

void contacts_step(struct step *step)
{
    struct world *world = step->world;
    struct contacts contacts = {.step = step};
    crowd_build(&contacts.crowd, step);
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        if (world->players[slot].state != PLAYER_ALIVE)
            continue;
        meet_players(&contacts, slot);
        meet_map(&contacts, slot);
    }
    for (uint32_t arrow = 0; arrow < world->arrow_slots; arrow++)
        if (world->arrows[arrow].state != ARROW_ABSENT)
            meet_arrow(&contacts, arrow);
    for (uint32_t ball = 0; ball < world->ball_count; ball++)
        meet_ball(&contacts, ball);
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (contacts.causes[slot] != 0)
            player_kill(step, slot, (enum death_cause)(contacts.causes[slot] - 1), contacts.killers[slot]);
}
