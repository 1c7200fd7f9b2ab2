// SPDX-License-Identifier: MIT
// Compares every sound with its golden measurements: its length, and how loud and how bright it is.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sounds.h"
#include "test.h"

// A tolerance of half a percent: far more than machines round differently, far less than any change of a patch.
static int is_near(uint32_t a, uint32_t b)
{
    uint32_t larger = a > b ? a : b;
    return (uint32_t)abs((int)a - (int)b) <= 2 + larger / 200;
}

static void expect(FILE *kept, const struct sound_patch *patch)
{
    char word[32], found[32] = "";
    struct sound_measure now, old = {0};
    int read = fscanf(kept, "%31s %" SCNu32, found, &old.samples);
    for (uint32_t part = 0; part < SOUND_PARTS; part++)
        read += fscanf(kept, "%" SCNu32 " %" SCNu32, &old.loud[part], &old.bright[part]);
    sound_word(patch, word);
    sound_measure(patch, &now);
    int same = read == 2 + 2 * SOUND_PARTS && !strcmp(word, found) && now.samples == old.samples && now.samples > 0;
    for (uint32_t part = 0; part < SOUND_PARTS; part++)
        same &= is_near(now.loud[part], old.loud[part]) && is_near(now.bright[part], old.bright[part]);
    if (!same)
        fail_msg("the sound %s differs from %s; if that is intended, run %s", word, SOUNDS_PATH, SOUNDS_RENEW);
}

TEST(every_sound_equals_its_golden_measurements)
{
    char more[2];
    FILE *kept = fopen(SOUNDS_PATH, "r");
    assert_non_null(kept);
    for (uint32_t sound = 0; sound < SOUND_SAY_FIRST; sound++)
        expect(kept, &SOUND_SET.patches[sound]);
    assert_int_equal(fscanf(kept, " %1s", more), EOF);
    fclose(kept);
}

TEST(a_slightly_louder_or_higher_sound_differs)
{
    struct sound_patch patch = SOUND_SET.patches[SOUND_COUNT];
    struct sound_measure before, after;
    sound_measure(&patch, &before);
    patch.layers[0].gain += 0.01f;
    sound_measure(&patch, &after);
    assert_false(is_near(before.loud[0], after.loud[0]));
    patch = SOUND_SET.patches[SOUND_JOIN];
    sound_measure(&patch, &before);
    patch.layers[0].from_hz += 10;
    sound_measure(&patch, &after);
    assert_false(is_near(before.bright[0], after.bright[0]));
}
