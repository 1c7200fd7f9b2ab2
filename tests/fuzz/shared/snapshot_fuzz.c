// SPDX-License-Identifier: MIT
//
// Fuzzes the body of a snapshot of a running match: by the first byte of the input, any bytes or a damaged real body.
// An accepted world can be stepped, and is restored from its own body.
#include <string.h>

#include "damage.h"
#include "require.h"
#include "small_match.h"
#include "sync/world.h"
#include "wire/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { LATER_TICKS = 64 };

static struct test_match match;
static struct world made, back;
static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];
static struct {
    size_t byte_count;
    uint8_t bytes[4096];
} later[LATER_TICKS]; // real bodies of the next ticks

static void play_once(void)
{
    if (!small_match_play_once(&match))
        return;
    world_copy(&made, &match.world);
    for (int i = 0; i < LATER_TICKS; i++) {
        later[i].byte_count = snapshot_body_encode(&match.world, &made, later[i].bytes, sizeof later[i].bytes);
        require(later[i].byte_count > 0);
        world_step(&made, &match.map, match.inputs);
    }
}

static bool takes(const uint8_t *bytes, size_t byte_count)
{
    if (!snapshot_body_decode(&made, &match.world, &match.map, bytes, byte_count))
        return false;
    size_t again = snapshot_body_encode(&match.world, &made, body, sizeof body);
    require(again > 0 && snapshot_body_decode(&back, &match.world, &match.map, body, again));
    require(memcmp(&back, &made, sizeof made) == 0);
    world_step(&made, &match.map, match.inputs);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static uint8_t damaged[sizeof later[0].bytes];
    play_once();
    if (byte_count == 0)
        return 0;
    if (bytes[0] >= LATER_TICKS) {
        takes(bytes + 1, byte_count - 1);
        return 0;
    }
    size_t number = bytes[0], size = later[number].byte_count;
    memcpy(damaged, later[number].bytes, size);
    damage(damaged, size, bytes + 1, byte_count - 1);
    bool taken = takes(damaged, size);
    require(taken || byte_count > 3); // undamaged
    return 0;
}
