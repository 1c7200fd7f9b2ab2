// SPDX-License-Identifier: MIT
#include "accuracy.h"

// Follows whether a player dies only in the prediction. Returns the life to draw; 0: none.
static uint64_t drawn_life(struct accuracy *accuracy, const struct world *present, const struct world *confirmed,
                           uint32_t slot, bool own)
{
    const struct player *now = &present->players[slot], *sure = &confirmed->players[slot];
    uint64_t life = pose_life(sure), dying = accuracy->dying[slot];
    bool dies = pose_is_dying(now, sure);
    accuracy->counts.deaths_guessed += dies && dying != life;
    accuracy->counts.deaths_refuted += !dies && dying != 0 && dying == life;
    accuracy->dying[slot] = dies ? life : 0;
    if (now->state != PLAYER_ALIVE)
        return dies ? life : 0;
    return own || pose_is_same_life(now, sure) ? pose_life(now) : 0;
}

void accuracy_draw(struct accuracy *accuracy, const struct map *map, const struct world *present,
                   const struct world *confirmed, const struct smoothing *smoothing, uint32_t slot)
{
    struct accuracy_tick *now = &accuracy->ticks[present->tick % ACCURACY_TICKS];
    const struct accuracy_tick *before = &accuracy->ticks[(present->tick - 1) % ACCURACY_TICKS];
    bool follows = before->tick == present->tick - 1;
    now->tick = present->tick;
    for (uint32_t i = 0; i < PLAYER_CAPACITY; i++) {
        struct pose *figure = &now->figures[i];
        figure->identity = i < present->player_slots ? drawn_life(accuracy, present, confirmed, i, i == slot) : 0;
        if (!figure->identity)
            continue;
        figure->x = pose_of_player(present, i).x;
        figure->y = pose_of_player(present, i).y;
        figure->x += smoothing->now[i].x;
        figure->y += smoothing->now[i].y;
        if (accuracy->dying[i])
            *figure = (struct pose){smoothing->held[i].x, smoothing->held[i].y, figure->identity};
        bool same = follows && i != slot && before->figures[i].identity == figure->identity &&
                    pose_is_continuous(map, smoothing->poses_before[i], smoothing->poses_now[i]);
        accuracy->counts.jumps += same && pose_distance(map, before->figures[i], *figure) > ACCURACY_JUMP_PX * 256;
    }
}

void accuracy_confirm(struct accuracy *accuracy, const struct map *map, const struct world *confirmed, uint32_t slot)
{
    const struct accuracy_tick *drawn = &accuracy->ticks[confirmed->tick % ACCURACY_TICKS];
    uint64_t sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; drawn->tick == confirmed->tick && i < confirmed->player_slots; i++) {
        const struct player *player = &confirmed->players[i];
        if (i == slot || player->state != PLAYER_ALIVE || drawn->figures[i].identity != pose_life(player))
            continue;
        sum += pose_distance(map, drawn->figures[i], pose_of_player(confirmed, i));
        count++;
    }
    accuracy->counts.error_subpx = count ? (uint32_t)(sum / count) : 0;
}
