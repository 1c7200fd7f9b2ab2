// SPDX-License-Identifier: MIT
#include "gift.h"

#include <stdlib.h>

#include "game/entities/entities.h"
#include "player/player.h"
#include "step.h"
#include "tuning.h"
#include "variant.h"

static void give_arrows(const struct world *world, struct player *player, enum arrow_kind kind)
{
    struct tuning own;
    const struct tuning *tuning = variant_tuning(&world->rules, &own);
    player_add_arrows(player, tuning, kind, tuning->gift_arrows);
}

static void give_shield(const struct world *world, struct player *player, enum arrow_kind kind)
{
    (void)world, (void)kind;
    player->shield = 1;
}

static void give_wings(const struct world *world, struct player *player, enum arrow_kind kind)
{
    (void)kind;
    player->wings_until = world->tick + TUNING.wings_ticks;
    player->flaps = TUNING.wings_flaps;
}

static void give_magnet(const struct world *world, struct player *player, enum arrow_kind kind)
{
    (void)kind;
    player->magnet_until = world->tick + TUNING.magnet_ticks;
}

// An arrow at rest moves as an actor, so walls stop it, it slides along them, and a wall between keeps it. It stays at
// rest, so it hurts nobody, and the first player that it meets may have it: a magnet robs, but it can also feed an
// enemy. Two magnets pull against each other.
static void pull(struct step *step, uint32_t slot)
{
    const struct player *player = &step->world->players[slot];
    struct df_box to = step_hurt_box(step, slot);
    for (uint32_t i = 0; i < step->world->arrow_slots; i++) {
        const struct arrow *arrow = &step->world->arrows[i];
        struct df_box box = step_actor_box(step, PLAYER_CAPACITY + i);
        int32_t dx, dy;
        if (arrow->state != ARROW_STUCK || arrow->burnt_tick != 0 ||
            !player_has_room(player, step->tuning, (enum arrow_kind)arrow->kind) ||
            !step_is_within(step, to, step->tuning->magnet_px, box))
            continue;
        step_way_twice(step, box, to, &dx, &dy);
        int32_t speed = step->tuning->magnet_speed, longer = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
        if (longer > 0)
            arrow_pull(step, i, dx * speed / longer, dy * speed / longer);
    }
}

#define ONCE         .member = 0
#define KEPT(field)  .member = offsetof(struct player, field)
#define UNTIL(field) .member = offsetof(struct player, field), .is_timed = true

const struct gift GIFT_TABLE[MAP_GIFTS] = {
    [MAP_GIFT_ARROWS] = {"arrows", "arrows", 4, give_arrows, ARROW_NORMAL, ONCE},
    [MAP_GIFT_BOMB] = {"bomb", "bombs", 2, give_arrows, ARROW_BOMB, ONCE},
    [MAP_GIFT_DRILL] = {"drill", "drills", 2, give_arrows, ARROW_DRILL, ONCE},
    [MAP_GIFT_SHIELD] = {"shield", "a shield", 1, give_shield, 0, KEPT(shield)},
    [MAP_GIFT_WINGS] = {"wings", "wings", 1, give_wings, 0, UNTIL(wings_until)},
    [MAP_GIFT_MAGNET] = {"magnet", "a magnet", 1, give_magnet, 0, UNTIL(magnet_until), .step = pull},
};

void gift_give(const struct world *world, struct player *player, enum map_gift gift)
{
    GIFT_TABLE[gift].give(world, player, GIFT_TABLE[gift].kind);
}

uint32_t gift_left_ticks(const struct player *player, enum map_gift gift, tick now)
{
    const struct gift *row = &GIFT_TABLE[gift];
    uint32_t value = row->member != 0 ? *(const uint32_t *)((const char *)player + row->member) : 0;
    if (!row->is_timed)
        return value != 0 ? GIFT_UNTIL_USED : 0;
    return value > now ? value - now : 0;
}

void gift_step(struct step *step)
{
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++)
        for (uint32_t slot = 0; GIFT_TABLE[gift].step != NULL && slot < step->world->player_slots; slot++) {
            const struct player *player = &step->world->players[slot];
            if (player->state == PLAYER_ALIVE && gift_left_ticks(player, (enum map_gift)gift, step->world->tick) > 0)
                GIFT_TABLE[gift].step(step, slot);
        }
}
