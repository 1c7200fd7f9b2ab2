// SPDX-License-Identifier: MIT
#include "rules.h"

#include "base/random.h"
#include "game/entities/entities.h"
#include "game/player/player.h"
#include "game/tuning.h"
#include "mode.h"
#include "round.h"

// Where the living enemies of a player stand.
struct enemies {
    uint32_t count;
    struct {
        int32_t x, y;
    } feet[PLAYER_CAPACITY];
};

static void find_enemies(struct enemies *enemies, const struct world *world, uint32_t of)
{
    uint32_t team = world->players[of].team;
    enemies->count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        const struct df_actor *a = &world->actors[slot];
        if (player->state != PLAYER_ALIVE || (player->team != 0 && player->team == team))
            continue;
        enemies->feet[enemies->count].x = a->x + a->w / 2;
        enemies->feet[enemies->count++].y = a->y + a->h;
    }
}

// Distance from a spawn to the nearest enemy, px: the larger of x and y, at most TUNING.spawn_far_px. Not exact below
// `enough`.
static int32_t solitude(const struct step *step, const struct map_spawn *spawn, const struct enemies *enemies,
                        int32_t enough)
{
    int32_t nearest = TUNING.spawn_far_px;
    for (uint32_t i = 0; i < enemies->count && nearest >= enough; i++) {
        int32_t dx = step_distance(step, spawn->x, enemies->feet[i].x, step->map->columns * MAP_EDGE_PX);
        int32_t dy = step_distance(step, spawn->y, enemies->feet[i].y, step->map->rows * MAP_EDGE_PX);
        dx = dx < 0 ? -dx : dx;
        dy = dy < 0 ? -dy : dy;
        int32_t distance = dx > dy ? dx : dy;
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

// The usable spawn that is farthest from enemies, a random one of equals; NULL if none is usable.
static const struct map_spawn *choose(struct step *step, uint32_t slot)
{
    const struct map_spawn *best = NULL;
    int32_t best_solitude = -1;
    uint32_t equals = 0;
    struct enemies enemies;
    uint32_t team = mode_spawn_team(step->world, slot);
    find_enemies(&enemies, step->world, slot);
    for (int32_t i = 0; i < step->map->spawn_count; i++) {
        const struct map_spawn *spawn = &step->map->spawns[i];
        struct df_box box = map_spawn_box(spawn);
        if ((team != 0 && spawn->team != 0 && spawn->team != (int32_t)team) || df_space_blocked(&step->space, box) ||
            crusher_threatens(step->world, step->map, box))
            continue;
        int32_t here = solitude(step, spawn, &enemies, best_solitude);
        if (here < best_solitude)
            continue;
        equals = here > best_solitude ? 1 : equals + 1;
        if (equals > 1 && random_below(&step->world->random, equals) != 0)
            continue;
        best = spawn;
        best_solitude = here;
    }
    return best;
}

void spawn_step(struct step *step)
{
    struct world *world = step->world;
    uint32_t left = TUNING.spawns_per_tick;
    if (!round_spawns(world))
        return;
    for (uint32_t slot = 0; slot < world->player_slots && left > 0; slot++) {
        const struct player *player = &world->players[slot];
        if (player->state != PLAYER_DEAD || world->tick < player->respawn_tick || !mode_revives(world, slot))
            continue;
        const struct map_spawn *spawn = choose(step, slot);
        if (spawn == NULL)
            continue;
        player_spawn(step, slot, spawn->x, spawn->y, world->tick + round_countdown_ticks(world) + TUNING.shield_ticks);
        left--;
    }
}
