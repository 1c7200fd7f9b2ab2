// SPDX-License-Identifier: MIT
#include "golden.h"

#include <stdio.h>

#include "game/variant.h"
#include "sync/world.h"

// A short match of a variant, where there are crushers and chests.
#define VARIANT_MATCH(name_, bits)                                                                                     \
    {                                                                                                                  \
        .name = "variant-" name_, .map = "foundry", .players = 8, .ticks = 1200, .variants = bits                      \
    }

const struct golden GOLDENS[] = {
    {.name = "foundry", .map = "foundry", .players = 12, .ticks = 5400},
    {.name = "duel", .map = "duel", .players = 2, .ticks = 7200},
    {.name = "walled", .map_seed = 17, .columns = 56, .rows = 40, .players = 16, .ticks = 3600},
    {.name = "open", .map_seed = 29, .columns = 64, .rows = 40, .players = 24, .ticks = 3600, .restless = true},
    {.name = "wrapped", .map_seed = 12, .columns = 48, .rows = 36, .players = 16, .ticks = 3600, .restless = true},
    {.name = "machines", .map = "machines", .players = 16, .ticks = 5400, .restless = true},
    {.name = "arsenal", .map_seed = 47, .columns = 48, .rows = 30, .players = 12, .ticks = 3600},
    {.name = "lms",
     .map = "foundry",
     .players = 4,
     .ticks = 9240,
     .lazy = true,
     .mode = MODE_LMS,
     .event = EVENT_CLOSING},
    {.name = "teams", .map = "foundry", .players = 10, .ticks = 3600, .restless = true, .mode = MODE_TEAMS},
    {.name = "breakout", .players = 8, .ticks = 5400, .mode = MODE_BREAKOUT},
    {.name = "crowd", .map = "foundry", .players = 64, .ticks = 1200},
    VARIANT_MATCH("endless-arrows", 1u << VARIANT_ENDLESS_ARROWS),
    VARIANT_MATCH("one-arrow", 1u << VARIANT_ONE_ARROW),
    VARIANT_MATCH("no-arrows", 1u << VARIANT_NO_ARROWS),
    VARIANT_MATCH("bombs", 1u << VARIANT_BOMBS),
    VARIANT_MATCH("drills", 1u << VARIANT_DRILLS),
    VARIANT_MATCH("low-gravity", 1u << VARIANT_LOW_GRAVITY),
    VARIANT_MATCH("high-jumps", 1u << VARIANT_HIGH_JUMPS),
    VARIANT_MATCH("fast", 1u << VARIANT_FAST),
    VARIANT_MATCH("ice", 1u << VARIANT_ICE),
    VARIANT_MATCH("mirrored", 1u << VARIANT_MIRRORED),
    VARIANT_MATCH("no-dash", 1u << VARIANT_NO_DASH),
    VARIANT_MATCH("explosive-death", 1u << VARIANT_EXPLOSIVE_DEATH),
    VARIANT_MATCH("shields", 1u << VARIANT_SHIELDS),
    VARIANT_MATCH("wings", 1u << VARIANT_WINGS),
    VARIANT_MATCH("hasty-crushers", 1u << VARIANT_HASTY_CRUSHERS),
    VARIANT_MATCH("all", (1u << VARIANTS) - 1 - (1u << VARIANT_NO_ARROWS)),
};

const uint32_t GOLDEN_COUNT = sizeof GOLDENS / sizeof GOLDENS[0];

void golden_path(const struct golden *golden, const char *ending, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, "%s/tests/golden/%s%s", SOURCE_ROOT, golden->name, ending);
}

void golden_link(struct hash *chain, const struct world *world)
{
    uint64_t hash = world_hash(world);
    uint32_t words[] = {(uint32_t)hash, (uint32_t)(hash >> 32)};
    hash_words(chain, words, 2);
}
