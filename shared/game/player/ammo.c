// SPDX-License-Identifier: MIT
#include "ammo.h"

#include "game/tuning.h"

enum arrow_kind ammo_draw(struct player *player)
{
    player->arrows--;
    if (player->bombs > 0) {
        player->bombs--;
        return ARROW_BOMB;
    }
    if (player->drills == 0)
        return ARROW_NORMAL;
    player->drills--;
    return ARROW_DRILL;
}

bool ammo_has_room(const struct player *player, enum arrow_kind kind)
{
    uint32_t taken = kind == ARROW_NORMAL ? player->arrows : player->bombs + player->drills;
    return taken < TUNING.arrows_max;
}

void ammo_add(struct player *player, enum arrow_kind kind, uint32_t count)
{
    for (; count > 0 && ammo_has_room(player, kind); count--) {
        player->bombs += kind == ARROW_BOMB;
        player->drills += kind == ARROW_DRILL;
        player->arrows += player->arrows < TUNING.arrows_max;
    }
}
