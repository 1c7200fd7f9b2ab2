// SPDX-License-Identifier: MIT
#include "player.h"

#include "game/entities/entities.h"
#include "game/event.h"
#include "game/rules/round.h"

void player_step_take_inputs(struct world *world, const struct player_input *inputs)
{
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        player->buttons_before = player->buttons;
        player->buttons = inputs[slot].buttons & ((1u << BUTTON_BITS) - 1);
    }
}

static void aim(const struct movement *move)
{
    struct player *player = move->player;
    player->aim_x = move->move_x != 0 || move->move_y != 0 ? move->move_x : player->facing;
    player->aim_y = move->move_y;
}

static void refill(struct step *step, struct player *player)
{
    uint32_t ticks = step->tuning->arrow_refill_ticks;
    if (ticks > 0 && step->world->tick % ticks == 0 && player->arrows < step->tuning->arrows_start)
        player_add_arrows(player, step->tuning, ARROW_NORMAL, 1);
}

static void shoot(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    if (player->arrows == 0 || step->world->tick < player->shoot_ready_tick)
        return;
    enum arrow_kind kind = player_draw_arrow(player);
    if (step->tuning->arrows_endless)
        player_add_arrows(player, step->tuning, kind, 1);
    player->stats.shots += round_keeps_count(step->world);
    player->shoot_ready_tick = step->world->tick + step->tuning->shoot_cooldown_ticks;
    arrow_shoot(step, kind, slot, step_hurt_box(step, slot), player->aim_x, player->aim_y);
    const struct df_actor *a = &step->world->actors[slot];
    event_push(step->world, EVENT_SHOOT, a->x + a->w / 2, a->y + a->h / 2, slot, EVENT_NOBODY, kind);
}

static void step_player(struct step *step, uint32_t slot)
{
    struct player *player = &step->world->players[slot];
    struct movement move = {.space = &step->space,
                            .actor = (int32_t)slot,
                            .body = &step->world->actors[slot],
                            .player = player,
                            .tuning = step->tuning,
                            .world = step->world,
                            .now = step->world->tick};
    movement_begin(&move, round_is_frozen(step->world) ? 0 : player->buttons);
    aim(&move);
    refill(step, player);
    if (move.pressed & BUTTON_SHOOT)
        shoot(step, slot);
    int32_t y = move.body->y;
    movement_step(&move);
    int32_t down_px = step_distance(step, y, move.body->y, step->map->rows * MAP_EDGE_PX);
    if (down_px > 0 && round_counts(step->world))
        player->stats.fallen_px += (uint32_t)down_px;
}

void player_step(struct step *step)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (step->world->players[slot].state == PLAYER_ALIVE)
            step_player(step, slot);
}
