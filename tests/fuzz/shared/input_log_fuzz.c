// SPDX-License-Identifier: MIT
//
// Fuzzes the input log of four ticks of a running match: by the first byte of the input, any bytes or a damaged real
// body, from its baseline or from a later world.
#include <string.h>

#include "damage.h"
#include "require.h"
#include "small_match.h"
#include "sync/world.h"
#include "wire/input_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { TICKS = 4 };

static struct test_match match;
static struct world baseline, made, middle;
static struct input_log log_of_ticks;
static uint8_t body[1024]; // the real one
static size_t body_bytes;

static void play_once(void)
{
    if (!small_match_play_once(&match))
        return;
    world_copy(&baseline, &match.world);
    input_log_add(&log_of_ticks, NULL, 0, &match.world);
    for (int i = 1; i <= TICKS; i++) {
        small_match_step(&match);
        input_log_add(&log_of_ticks, match.rolls, match.roll_count, &match.world);
        if (i == TICKS / 2)
            world_copy(&middle, &match.world);
    }
    body_bytes = input_log_encode(&log_of_ticks, baseline.tick, match.world.tick, body, sizeof body);
    require(body_bytes > 0);
}

static bool takes(const struct world *from, const uint8_t *bytes, size_t byte_count)
{
    tick until = baseline.tick + TICKS;
    world_copy(&made, from);
    bool good =
        input_log_decode((struct input_log_target){&made, &match.map, NULL, NULL}, &baseline, until, bytes, byte_count);
    require(world_validate(&made, &match.map));
    require(!good || from != &baseline || made.tick == until);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static uint8_t damaged[sizeof body];
    play_once();
    if (byte_count == 0)
        return 0;
    const struct world *from = bytes[0] & 1 ? &middle : &baseline;
    if (bytes[0] & 2) {
        takes(from, bytes + 1, byte_count - 1);
        return 0;
    }
    memcpy(damaged, body, body_bytes);
    damage(damaged, body_bytes, bytes + 1, byte_count - 1);
    bool taken = takes(from, damaged, body_bytes);
    require(taken || from != &baseline || byte_count > 3); // undamaged
    return 0;
}
