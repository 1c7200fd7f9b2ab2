// SPDX-License-Identifier: MIT
#include "rules.h"

#include <stdlib.h>

#include "game/entities/chest.h"
#include "game/entities/entities.h"
#include "game/player/player.h"
#include "game/tuning.h"

// Distance between two places that are searched for a wall, and radius in the middle without a search, half px.
#define LOOK_TWICE 8

// The pixel at a doubled coordinate, or the two pixels that it lies between.
static struct df_box point(int32_t x_twice, int32_t y_twice)
{
    int32_t x = df_floor_div(x_twice - 1, 2), y = df_floor_div(y_twice - 1, 2);
    return (struct df_box){x, y, df_floor_div(x_twice, 2) - x + 1, df_floor_div(y_twice, 2) - y + 1};
}

// Returns true if no wall and no solid is between the explosion and the middle of the box.
static bool reaches(const struct step *step, const struct explosion *explosion, struct df_box box)
{
    int32_t dx, dy;
    step_way_twice(step, explosion->from, box, &dx, &dy);
    int32_t x = 2 * explosion->from.x + explosion->from.w, y = 2 * explosion->from.y + explosion->from.h;
    int32_t longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy), looks = longer / LOOK_TWICE;
    for (int32_t i = 1; i < looks; i++)
        if (df_space_blocked(&step->space, point(x + dx * i / looks, y + dy * i / looks)))
            return false;
    return true;
}

static bool hits(const struct step *step, const struct explosion *explosion, int32_t radius_px, struct df_box box)
{
    return step_is_within(step, explosion->from, radius_px, box) && reaches(step, explosion, box);
}

// The part of a speed on each axis that leads away from the explosion.
static void away(const struct step *step, const struct explosion *explosion, struct df_box box, int32_t speed,
                 int32_t *vx, int32_t *vy)
{
    int32_t dx, dy;
    step_way_twice(step, explosion->from, box, &dx, &dy);
    int32_t longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    *vx = longer > 0 ? dx * speed / longer : 0;
    *vy = longer > 0 ? dy * speed / longer : -speed;
}

static void shove(struct step *step, const struct explosion *explosion, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    away(step, explosion, step_hurt_box(step, slot), TUNING.bomb_shove_speed, &player->vx, &player->vy);
    player->jump_held_until = 0;
    player->dash_until = 0;
    player->dash_x = player->dash_y = 0;
    if (explosion->owner != 0 && explosion->owner != slot + 1)
        player_shove(step->world, slot, explosion->owner - 1);
}

static void meet_players(struct step *step, const struct explosion *explosion)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        struct df_box box = step_hurt_box(step, slot);
        if (step->world->players[slot].state != PLAYER_ALIVE || !hits(step, explosion, TUNING.bomb_shove_px, box))
            continue;
        shove(step, explosion, slot);
        if (step_is_within(step, explosion->from, TUNING.bomb_kill_px, box))
            damage_apply(step, slot, DEATH_BOMB, step_slot_of(explosion->owner));
    }
}

static void meet_balls(struct step *step, const struct explosion *explosion)
{
    for (uint32_t ball = 0; ball < step->world->ball_count; ball++) {
        const struct df_ball *body = &step->world->balls[ball];
        // Only the middle counts: a wall that the ball touches is no cover.
        struct df_box middle = {df_floor_div(body->cx, DF_SUB), df_floor_div(body->cy, DF_SUB), 1, 1};
        int32_t vx, vy;
        if ((body->flags & DF_BALL_ALIVE) == 0 ||
            !hits(step, explosion, TUNING.bomb_shove_px + body->radius_px, middle))
            continue;
        away(step, explosion, middle, TUNING.bomb_throw_speed, &vx, &vy);
        ball_throw(step, ball, explosion->owner, vx, vy);
    }
}

static void meet_bombs(struct step *step, const struct explosion *explosion)
{
    tick soon = step->world->tick + TUNING.bomb_chain_ticks;
    for (uint32_t slot = 0; slot < step->world->arrow_slots; slot++) {
        struct arrow *arrow = &step->world->arrows[slot];
        bool sooner = arrow->burnt_tick == 0 || arrow->burnt_tick > soon;
        if (arrow->state != ARROW_ABSENT && arrow->kind == ARROW_BOMB && sooner &&
            hits(step, explosion, TUNING.bomb_kill_px, step_actor_box(step, PLAYER_CAPACITY + slot)))
            arrow->burnt_tick = soon;
    }
}

static void meet_chests(struct step *step, const struct explosion *explosion)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++)
        if (step->world->chests[chest].state == CHEST_CLOSED &&
            hits(step, explosion, TUNING.bomb_kill_px, step_actor_box(step, CHEST_ACTORS + chest)))
            chest_break(step, chest);
}

static void break_blocks(struct step *step, const struct explosion *explosion)
{
    int32_t r = TUNING.bomb_break_px;
    struct df_box from = explosion->from;
    int32_t left = df_floor_div(from.x - r, MAP_EDGE_PX), right = df_floor_div(from.x + from.w + r, MAP_EDGE_PX);
    int32_t top = df_floor_div(from.y - r, MAP_EDGE_PX), bottom = df_floor_div(from.y + from.h + r, MAP_EDGE_PX);
    for (int32_t row = top; row <= bottom; row++)
        for (int32_t column = left; column <= right; column++) {
            struct df_box tile = {column * MAP_EDGE_PX, row * MAP_EDGE_PX, MAP_EDGE_PX, MAP_EDGE_PX};
            if (step_is_within(step, from, r, tile))
                block_break(step, column, row, step_slot_of(explosion->owner));
        }
}

void explosion_step(struct step *step)
{
    for (uint32_t i = 0; i < step->explosion_count; i++)
        break_blocks(step, &step->explosions[i]);
    for (uint32_t i = 0; i < step->explosion_count; i++) {
        meet_players(step, &step->explosions[i]);
        meet_balls(step, &step->explosions[i]);
        meet_bombs(step, &step->explosions[i]);
        meet_chests(step, &step->explosions[i]);
    }
}
