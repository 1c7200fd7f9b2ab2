// SPDX-License-Identifier: MIT
//
// Any bytes as the moves of ten ticks of a match that runs, first from its baseline, then from a world in between.
#include <string.h>

#include "require.h"
#include "test_match.h"
#include "wire/moves.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { TICKS = 10 };

static struct test_match match;
static struct world baseline, made, middle;

static void play_once(void)
{
    if (match.world.tick > 0)
        return;
    test_match_play(&match, 3, 8, 300);
    world_copy(&baseline, &match.world);
    test_match_step(&match, TICKS / 2);
    world_copy(&middle, &match.world);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    play_once();
    tick until = baseline.tick + TICKS;
    world_copy(&made, &baseline);
    bool good = moves_decode(&made, &match.map, &baseline, until, bytes, byte_count);
    require(!good || (made.tick == until && world_is_sound(&made, &match.map)));
    world_copy(&made, &middle);
    moves_decode(&made, &match.map, &baseline, until, bytes, byte_count);
    require(world_is_sound(&made, &match.map));
    return 0;
}
