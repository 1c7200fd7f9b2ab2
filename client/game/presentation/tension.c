// SPDX-License-Identifier: MIT
#include "presenter.h"

#include "game/rules/standing.h"

#define PLAYING     96
#define WAITING     48
#define HALF_ALIVE  48
#define TWO_ALIVE   112
#define HALF_MINUTE 64
#define LAST_TEN    112
#define MATCH_POINT 64

struct tension_players tension_players(const struct world *confirmed)
{
    struct tension_players players = {0};
    for (uint32_t slot = 0; mode_of(confirmed)->one_life && slot < confirmed->player_slots; slot++) {
        uint32_t state = confirmed->players[slot].state;
        players.all += state == PLAYER_ALIVE || state == PLAYER_DEAD;
        players.alive += state == PLAYER_ALIVE;
    }
    return players;
}

uint32_t tension_of(const struct world *confirmed)
{
    switch ((enum round_phase)confirmed->round.phase) {
    case ROUND_WARMUP:
    case ROUND_MATCH_OVER:
        return 0;
    case ROUND_COUNTDOWN:
    case ROUND_OVER:
        return WAITING;
    case ROUND_PLAYING:
        break;
    }
    if (confirmed->round.sudden_death_ticks)
        return TENSION_MAX;
    uint32_t sum = PLAYING + (standing_is_match_point(confirmed) ? MATCH_POINT : 0);
    struct tension_players players = tension_players(confirmed);
    if (players.all >= 3)
        sum += players.alive <= 2 ? TWO_ALIVE : 2 * players.alive <= players.all ? HALF_ALIVE : 0;
    // A mode of rounds ends after the round, however much time it takes: there the clock does not press.
    uint32_t limit = confirmed->rules.time_limit_ticks, passed = confirmed->tick - confirmed->round.since_tick;
    uint32_t left = limit > passed ? limit - passed : 0;
    if (limit && !mode_of(confirmed)->decided)
        sum += left <= 10 * TICKS_PER_SECOND ? LAST_TEN : left <= 30 * TICKS_PER_SECOND ? HALF_MINUTE : 0;
    return sum < TENSION_MAX ? sum : TENSION_MAX;
}
