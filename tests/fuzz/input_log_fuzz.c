// SPDX-License-Identifier: MIT
//
// Fuzzes the input log of ten ticks of a running match, with any bytes and with a damaged real body; each from its
// baseline and from a later world.
#include <string.h>

#include "ai/ai.h"
#include "damage.h"
#include "require.h"
#include "test_match.h"
#include "wire/input_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { TICKS = 10 };

static struct test_match match;
static struct world baseline, made, middle;
static struct input_log log_of_ticks;
static uint8_t body[1024]; // the real one
static size_t body_bytes;

static void play_once(void)
{
    if (match.world.tick > 0)
        return;
    test_match_play(&match, 3, 8, 300);
    world_copy(&baseline, &match.world);
    input_log_add(&log_of_ticks, NULL, 0, &match.world);
    for (int i = 1; i <= TICKS; i++) {
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
        input_log_add(&log_of_ticks, match.rolls, match.roll_count, &match.world);
        if (i == TICKS / 2)
            world_copy(&middle, &match.world);
    }
    body_bytes = input_log_encode(&log_of_ticks, baseline.tick, match.world.tick, body, sizeof body);
    require(body_bytes > 0);
}

static bool takes(const uint8_t *bytes, size_t byte_count)
{
    tick until = baseline.tick + TICKS;
    world_copy(&made, &baseline);
    bool good =
        input_log_decode((struct input_log_target){&made, &match.map, NULL}, &baseline, until, bytes, byte_count);
    require(!good || (made.tick == until && world_validate(&made, &match.map)));
    world_copy(&made, &middle);
    input_log_decode((struct input_log_target){&made, &match.map, NULL}, &baseline, until, bytes, byte_count);
    require(world_validate(&made, &match.map));
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static uint8_t damaged[sizeof body];
    play_once();
    takes(bytes, byte_count);
    memcpy(damaged, body, body_bytes);
    damage(damaged, body_bytes, bytes, byte_count);
    bool taken = takes(damaged, body_bytes);
    require(taken || byte_count >= 3); // undamaged
    return 0;
}
