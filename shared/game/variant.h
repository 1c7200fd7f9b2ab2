// SPDX-License-Identifier: MIT
//
// Variants: rules that change what a match feels like, and that combine. A variant is one row of VARIANT_TABLE and some
// changes of tuning numbers (variant.c); the bits of `rules.variants` say which a match has, so every server, every
// prediction and every replay has them. Code of the game that a variant may change reads its numbers through the step.
#ifndef GAME_VARIANT_H
#define GAME_VARIANT_H

#include "state.h"
#include "tuning.h"

/// The bits of `rules.variants`, by number. New ones come last: replays and settings keep their meaning.
enum variant {
    VARIANT_ENDLESS_ARROWS,
    VARIANT_ONE_ARROW,
    VARIANT_NO_ARROWS,
    VARIANT_BOMBS,
    VARIANT_DRILLS,
    VARIANT_LOW_GRAVITY,
    VARIANT_HIGH_JUMPS,
    VARIANT_FAST,
    VARIANT_ICE,
    VARIANT_MIRRORED,
    VARIANT_NO_DASH,
    VARIANT_EXPLOSIVE_DEATH,
    VARIANT_SHIELDS,
    VARIANT_WINGS,
    VARIANT_HASTY_CRUSHERS,
    VARIANTS
};

/// What people read of a variant.
struct variant_row {
    const char *name;  ///< in options, commands and votes
    const char *title; ///< in menus
    const char *help;  ///< what it does
};

extern const struct variant_row VARIANT_TABLE[VARIANTS];

/// Returns true if a match with these rules has the variant.
static inline bool variant_is_on(const struct rules *rules, enum variant variant)
{
    return (rules->variants >> variant & 1u) != 0;
}

/// Returns the numbers of a match with these rules: TUNING, or `own` filled with TUNING as the variants change it.
const struct tuning *variant_tuning(const struct rules *rules, struct tuning *own);

/// Returns the variant of that name, or VARIANTS if there is none.
enum variant variant_find(const char *name);

/// Bytes of the names of all variants with commas between and the final zero.
#define VARIANT_NAMES_BYTES 192

/// Writes the names of the variants of these bits as "bombs,ice"; none: "". Ignores higher bits.
void variant_names(uint32_t variants, char text[VARIANT_NAMES_BYTES]);

/// Changes bits by words with blanks, commas or + between: NAME adds a variant, -NAME removes one, "none" removes all.
/// Returns false, and changes nothing, if a word is none of these or if there is no word.
bool variant_change(uint32_t *variants, const char *words);

#endif
