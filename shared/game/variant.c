// SPDX-License-Identifier: MIT
#include "variant.h"

#include <stddef.h>
#include <string.h>

const struct variant_row VARIANT_TABLE[VARIANTS] = {
    [VARIANT_ENDLESS_ARROWS] = {"endless-arrows", "Endless arrows", "a quiver never gets empty"},
    [VARIANT_ONE_ARROW] = {"one-arrow", "One arrow", "nobody carries more than one arrow"},
    [VARIANT_NO_ARROWS] = {"no-arrows", "No arrows", "stomps, balls and crushers decide"},
    [VARIANT_BOMBS] = {"bombs", "Bombs only", "every arrow is a bomb, and there are new ones every few seconds"},
    [VARIANT_DRILLS] = {"drills", "Drills only", "every arrow passes a wall"},
    [VARIANT_LOW_GRAVITY] = {"low-gravity", "Low gravity", "everything falls half as fast"},
    [VARIANT_HIGH_JUMPS] = {"high-jumps", "High jumps", "jumps start a quarter faster"},
    [VARIANT_FAST] = {"fast", "Fast", "players run, shoot and come back faster"},
    [VARIANT_ICE] = {"ice", "Ice", "the ground is slippery"},
    [VARIANT_MIRRORED] = {"mirrored", "Mirrored", "left is right, and right is left"},
    [VARIANT_NO_DASH] = {"no-dash", "No dash", "nobody can dash"},
    [VARIANT_EXPLOSIVE_DEATH] = {"explosive-death", "Explosive death", "who dies leaves a lit bomb"},
    [VARIANT_SHIELDS] = {"shields", "Shields", "everybody begins with a shield that takes one hit"},
    [VARIANT_WINGS] = {"wings", "Wings", "everybody has wings"},
    [VARIANT_HASTY_CRUSHERS] = {"hasty-crushers", "Hasty crushers", "crushers fall sooner and are soon back"},
};

// A change of one number: value * times / by + plus. Changes of several variants apply in the order of the table, so a
// number that one sets and another scales comes out the same everywhere.
struct change {
    enum variant variant;
    size_t word; // of struct tuning
    int32_t times, by, plus;
};

#define SCALE(variant, field, times, by)                                                                               \
    {                                                                                                                  \
        variant, offsetof(struct tuning, field) / sizeof(int32_t), times, by, 0                                        \
    }
#define SET(variant, field, value)                                                                                     \
    {                                                                                                                  \
        variant, offsetof(struct tuning, field) / sizeof(int32_t), 0, 1, value                                         \
    }

static const struct change CHANGES[] = {
    SET(VARIANT_ENDLESS_ARROWS, arrows_endless, 1),
    SET(VARIANT_ONE_ARROW, arrows_start, 1),
    SET(VARIANT_ONE_ARROW, arrows_max, 1),
    SET(VARIANT_NO_ARROWS, arrows_start, 0),
    SET(VARIANT_NO_ARROWS, arrows_max, 0),
    SET(VARIANT_DRILLS, arrow_kind, ARROW_DRILL),
    SET(VARIANT_BOMBS, arrow_kind, ARROW_BOMB),
    SET(VARIANT_BOMBS, arrow_refill_ticks, 150),
    SCALE(VARIANT_LOW_GRAVITY, gravity, 1, 2),
    SCALE(VARIANT_LOW_GRAVITY, gravity_apex, 1, 2),
    SCALE(VARIANT_LOW_GRAVITY, fall_max, 1, 2),
    SCALE(VARIANT_LOW_GRAVITY, fall_fast_max, 1, 2),
    SCALE(VARIANT_LOW_GRAVITY, arrow_gravity, 1, 2),
    SCALE(VARIANT_HIGH_JUMPS, jump_vy, 5, 4),
    SCALE(VARIANT_HIGH_JUMPS, wall_jump_vy, 5, 4),
    SCALE(VARIANT_HIGH_JUMPS, ledge_hop_vy, 5, 4),
    SCALE(VARIANT_FAST, run_max, 3, 2),
    SCALE(VARIANT_FAST, run_accel_ground, 3, 2),
    SCALE(VARIANT_FAST, run_accel_air, 3, 2),
    SCALE(VARIANT_FAST, arrow_speed, 5, 4),
    SCALE(VARIANT_FAST, arrow_diagonal, 5, 4),
    SCALE(VARIANT_FAST, shoot_cooldown_ticks, 1, 2),
    SCALE(VARIANT_FAST, respawn_ticks, 1, 2),
    SCALE(VARIANT_ICE, run_accel_ground, 1, 6),
    SCALE(VARIANT_ICE, run_reduce_ground, 1, 6),
    SET(VARIANT_MIRRORED, steering, -1),
    SET(VARIANT_NO_DASH, dashes, 0),
    SET(VARIANT_EXPLOSIVE_DEATH, death_fuse_ticks, 24),
    SET(VARIANT_SHIELDS, spawn_shield, 1),
    SET(VARIANT_WINGS, spawn_wings_ticks, 36000),
    SCALE(VARIANT_HASTY_CRUSHERS, crusher_warn_ticks, 1, 2),
    SCALE(VARIANT_HASTY_CRUSHERS, crusher_rest_ticks, 1, 4),
    SCALE(VARIANT_HASTY_CRUSHERS, crusher_rise, 4, 1),
};

const struct tuning *variant_tuning(const struct rules *rules, struct tuning *own)
{
    if (rules->variants == 0)
        return &TUNING;
    int32_t words[sizeof(struct tuning) / sizeof(int32_t)];
    memcpy(words, &TUNING, sizeof words);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        const struct change *change = &CHANGES[i];
        if (variant_is_on(rules, change->variant))
            words[change->word] = words[change->word] * change->times / change->by + change->plus;
    }
    memcpy(own, words, sizeof words);
    return own;
}

static enum variant find(const char *name, size_t length)
{
    enum variant variant = VARIANT_ENDLESS_ARROWS;
    while (variant < VARIANTS &&
           (strlen(VARIANT_TABLE[variant].name) != length || memcmp(VARIANT_TABLE[variant].name, name, length) != 0))
        variant++;
    return variant;
}

enum variant variant_find(const char *name)
{
    return find(name, strlen(name));
}

void variant_names(uint32_t variants, char text[VARIANT_NAMES_BYTES])
{
    char *end = text;
    for (enum variant variant = VARIANT_ENDLESS_ARROWS; variant < VARIANTS; variant++) {
        size_t length = strlen(VARIANT_TABLE[variant].name);
        if (!(variants >> variant & 1u))
            continue;
        if (end > text)
            *end++ = ',';
        memcpy(end, VARIANT_TABLE[variant].name, length);
        end += length;
    }
    *end = '\0';
}

// Returns the length of the part at the front of which all characters stand between words, or none does.
static size_t span(const char *text, bool between)
{
    size_t length = 0;
    while (text[length] != '\0' && (text[length] == ' ' || text[length] == ',' || text[length] == '+') == between)
        length++;
    return length;
}

bool variant_change(uint32_t *variants, const char *words)
{
    static const char NONE[] = "none";
    uint32_t changed = *variants, word_count = 0;
    for (const char *at = words + span(words, true); *at != '\0'; at += span(at, true)) {
        bool removes = *at == '-';
        const char *name = at + removes;
        size_t length = span(name, false);
        enum variant variant = find(name, length);
        if (!removes && length == strlen(NONE) && memcmp(name, NONE, length) == 0)
            changed = 0;
        else if (variant == VARIANTS)
            return false;
        else
            changed = removes ? changed & ~(1u << variant) : changed | 1u << variant;
        at = name + length;
        word_count++;
    }
    if (word_count > 0)
        *variants = changed;
    return word_count > 0;
}
