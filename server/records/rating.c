// SPDX-License-Identifier: MIT
#include "rating.h"

#include <math.h>

static double expected(double rating, double other)
{
    return 1 / (1 + pow(10, (other - rating) / RATING_SCALE));
}

void rating_match(struct rating_player *players, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        players[i].change = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            struct rating_player *a = &players[i], *b = &players[j];
            if (a->team != 0 && a->team == b->team)
                continue;
            double won = a->standing > b->standing ? 1 : a->standing == b->standing ? 0.5 : 0;
            double moved = RATING_STEP / (count - 1) * (won - expected(a->rating, b->rating));
            a->change += moved;
            b->change -= moved;
        }
    }
}
