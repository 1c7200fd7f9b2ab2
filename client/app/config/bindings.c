// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <string.h>

#include "text/text.h"

#define F11 68 ///< its USB HID usage, as all keys are numbered

#define PLAYS(SUFFIX, set_, alternative)                                                                               \
    {ROW_KEY_LEFT##SUFFIX, TEXT_KEY("Left"), set_, true, alternative},                                                 \
        {ROW_KEY_RIGHT##SUFFIX, TEXT_KEY("Right"), set_, true, alternative},                                           \
        {ROW_KEY_UP##SUFFIX, TEXT_KEY("Up, aim up"), set_, true, alternative},                                         \
        {ROW_KEY_DOWN##SUFFIX, TEXT_KEY("Down, drop"), set_, true, alternative},                                       \
        {ROW_KEY_JUMP##SUFFIX, TEXT_KEY("Jump"), set_, true, alternative},                                             \
        {ROW_KEY_DASH##SUFFIX, TEXT_KEY("Dash"), set_, true, alternative},                                             \
    {                                                                                                                  \
        ROW_KEY_SHOOT##SUFFIX, TEXT_KEY("Shoot"), set_, true, alternative                                              \
    }
#define PLAYS_BY_BUTTON(SUFFIX, alternative)                                                                           \
    {ROW_PAD_LEFT##SUFFIX, TEXT_KEY("Left"), BINDING_BUTTONS, true, alternative},                                      \
        {ROW_PAD_RIGHT##SUFFIX, TEXT_KEY("Right"), BINDING_BUTTONS, true, alternative},                                \
        {ROW_PAD_UP##SUFFIX, TEXT_KEY("Up, aim up"), BINDING_BUTTONS, true, alternative},                              \
        {ROW_PAD_DOWN##SUFFIX, TEXT_KEY("Down, drop"), BINDING_BUTTONS, true, alternative},                            \
        {ROW_PAD_JUMP##SUFFIX, TEXT_KEY("Jump"), BINDING_BUTTONS, true, alternative},                                  \
        {ROW_PAD_DASH##SUFFIX, TEXT_KEY("Dash"), BINDING_BUTTONS, true, alternative},                                  \
    {                                                                                                                  \
        ROW_PAD_SHOOT##SUFFIX, TEXT_KEY("Shoot"), BINDING_BUTTONS, true, alternative                                   \
    }

const struct binding BINDINGS[] = {
    PLAYS(, BINDING_KEYS, false),
    {ROW_KEY_CHAT, TEXT_KEY("Chat"), BINDING_KEYS, false, false},
    {ROW_KEY_TEAM_CHAT, TEXT_KEY("Chat with your team"), BINDING_KEYS, false, false},
    {ROW_KEY_EMOTES, TEXT_KEY("Emotes"), BINDING_KEYS, false, false},
    {ROW_KEY_PHRASES, TEXT_KEY("Quick sentences"), BINDING_KEYS, false, false},
    {ROW_KEY_SCOREBOARD, TEXT_KEY("Scoreboard"), BINDING_KEYS, false, false},
    {ROW_KEY_PEOPLE, TEXT_KEY("Everybody in this match"), BINDING_KEYS, false, false},
    {ROW_KEY_YES, TEXT_KEY("Vote yes"), BINDING_KEYS, false, false},
    {ROW_KEY_NO, TEXT_KEY("Vote no"), BINDING_KEYS, false, false},
    {ROW_KEY_NET, TEXT_KEY("Net graph"), BINDING_KEYS, false, false},
    PLAYS(_OTHER, BINDING_KEYS, true),
    PLAYS(_SECOND, BINDING_KEYS_SECOND, false),
    {ROW_KEY_EMOTES_SECOND, TEXT_KEY("Emotes"), BINDING_KEYS_SECOND, false, false},
    {ROW_KEY_PHRASES_SECOND, TEXT_KEY("Quick sentences"), BINDING_KEYS_SECOND, false, false},
    PLAYS_BY_BUTTON(, false),
    {ROW_PAD_EMOTES, TEXT_KEY("Emotes"), BINDING_BUTTONS, false, false},
    {ROW_PAD_PHRASES, TEXT_KEY("Quick sentences"), BINDING_BUTTONS, false, false},
    {ROW_PAD_SCOREBOARD, TEXT_KEY("Scoreboard"), BINDING_BUTTONS, false, false},
    {ROW_PAD_VOTE, TEXT_KEY("Next choice of a vote"), BINDING_BUTTONS, false, false},
    PLAYS_BY_BUTTON(_OTHER, true),
};
const uint32_t BINDING_COUNT = sizeof BINDINGS / sizeof *BINDINGS;

const struct binding *bindings_find(enum preferences_row row)
{
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        if (BINDINGS[i].row == row)
            return &BINDINGS[i];
    return NULL;
}

// Keys are numbers of the preferences, buttons are choices.
uint32_t bindings_get(const struct preferences *preferences, const struct binding *binding)
{
    const char *value = (const char *)preferences + preferences_option(binding->row)->offset;
    return binding->set == BINDING_BUTTONS ? *(const uint32_t *)(const void *)value
                                           : (uint32_t) * (const int64_t *)(const void *)value;
}

static void put(struct preferences *preferences, const struct binding *binding, uint32_t code)
{
    char *value = (char *)preferences + preferences_option(binding->row)->offset;
    if (binding->set == BINDING_BUTTONS)
        *(uint32_t *)(void *)value = code;
    else
        *(int64_t *)(void *)value = code;
}

bool bindings_is_fixed(const struct binding *binding, uint32_t code)
{
    return binding->set == BINDING_BUTTONS ? code == GAMEPAD_BUTTON_START : code == F11;
}

// Whether two rows cannot have the same key or button.
static bool are_used_together(const struct binding *one, const struct binding *other)
{
    if (one == other || (one->set == BINDING_BUTTONS) != (other->set == BINDING_BUTTONS))
        return false;
    return one->set == other->set || !one->plays || !other->plays;
}

static bool is_taken(const struct preferences *preferences, const struct binding *binding, uint32_t code)
{
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        if (are_used_together(&BINDINGS[i], binding) && bindings_get(preferences, &BINDINGS[i]) == code)
            return true;
    return false;
}

const struct binding *bindings_set(struct preferences *preferences, const struct binding *binding, uint32_t code)
{
    uint32_t old = bindings_get(preferences, binding);
    const struct binding *loser = NULL;
    put(preferences, binding, code);
    for (uint32_t i = 0; code && i < BINDING_COUNT; i++) {
        if (!are_used_together(&BINDINGS[i], binding) || bindings_get(preferences, &BINDINGS[i]) != code)
            continue;
        loser = &BINDINGS[i];
        put(preferences, loser, is_taken(preferences, loser, old) ? 0 : old);
    }
    return loser;
}

void bindings_reset(struct preferences *preferences, const struct binding *binding)
{
    put(preferences, binding, 0); // which nobody gets
    preferences_reset(preferences, binding->row);
    uint32_t code = bindings_get(preferences, binding);
    put(preferences, binding, 0);
    bindings_set(preferences, binding, code);
}
