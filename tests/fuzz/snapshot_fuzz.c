// SPDX-License-Identifier: MIT
//
// Any bytes as the body of a snapshot against a match that runs. A world that is accepted can be stepped, and comes
// back from its own body.
#include <string.h>

#include "require.h"
#include "test_match.h"
#include "wire/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

static struct test_match match;
static struct world made, back;
static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];

static void play_once(void)
{
    if (match.world.tick > 0)
        return;
    test_match_play(&match, 3, 8, 300);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    play_once();
    if (!snapshot_body_decode(&made, &match.world, &match.map, bytes, byte_count))
        return 0;
    size_t again = snapshot_body_encode(&match.world, &made, body, sizeof body);
    require(again > 0 && snapshot_body_decode(&back, &match.world, &match.map, body, again));
    require(memcmp(&back, &made, sizeof made) == 0);
    world_step(&made, &match.map, match.inputs);
    return 0;
}
