// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <string.h>

#include "app/text/text.h"

#define F11 68 ///< its USB HID usage, as all keys are numbered

#define PLAYS(suffix, set_, alternative)                                                                               \
    {"key-left" suffix, TEXT_KEY("Left"), set_, true, alternative},                                                    \
        {"key-right" suffix, TEXT_KEY("Right"), set_, true, alternative},                                              \
        {"key-up" suffix, TEXT_KEY("Up, aim up"), set_, true, alternative},                                            \
        {"key-down" suffix, TEXT_KEY("Down, drop"), set_, true, alternative},                                          \
        {"key-jump" suffix, TEXT_KEY("Jump"), set_, true, alternative},                                                \
        {"key-dash" suffix, TEXT_KEY("Dash"), set_, true, alternative},                                                \
    {                                                                                                                  \
        "key-shoot" suffix, TEXT_KEY("Shoot"), set_, true, alternative                                                 \
    }
#define PLAYS_BY_BUTTON(suffix, alternative)                                                                           \
    {"pad-left" suffix, TEXT_KEY("Left"), BINDING_BUTTONS, true, alternative},                                         \
        {"pad-right" suffix, TEXT_KEY("Right"), BINDING_BUTTONS, true, alternative},                                   \
        {"pad-up" suffix, TEXT_KEY("Up, aim up"), BINDING_BUTTONS, true, alternative},                                 \
        {"pad-down" suffix, TEXT_KEY("Down, drop"), BINDING_BUTTONS, true, alternative},                               \
        {"pad-jump" suffix, TEXT_KEY("Jump"), BINDING_BUTTONS, true, alternative},                                     \
        {"pad-dash" suffix, TEXT_KEY("Dash"), BINDING_BUTTONS, true, alternative},                                     \
    {                                                                                                                  \
        "pad-shoot" suffix, TEXT_KEY("Shoot"), BINDING_BUTTONS, true, alternative                                      \
    }

const struct binding BINDINGS[] = {
    PLAYS("", BINDING_KEYS, false),
    {"key-chat", TEXT_KEY("Chat"), BINDING_KEYS, false, false},
    {"key-team-chat", TEXT_KEY("Chat with your team"), BINDING_KEYS, false, false},
    {"key-emotes", TEXT_KEY("Emotes"), BINDING_KEYS, false, false},
    {"key-phrases", TEXT_KEY("Quick sentences"), BINDING_KEYS, false, false},
    {"key-scoreboard", TEXT_KEY("Scoreboard"), BINDING_KEYS, false, false},
    {"key-people", TEXT_KEY("Everybody in this match"), BINDING_KEYS, false, false},
    {"key-yes", TEXT_KEY("Vote yes"), BINDING_KEYS, false, false},
    {"key-no", TEXT_KEY("Vote no"), BINDING_KEYS, false, false},
    {"key-net", TEXT_KEY("Net graph"), BINDING_KEYS, false, false},
    PLAYS("-other", BINDING_KEYS, true),
    PLAYS("-second", BINDING_KEYS_SECOND, false),
    {"key-emotes-second", TEXT_KEY("Emotes"), BINDING_KEYS_SECOND, false, false},
    {"key-phrases-second", TEXT_KEY("Quick sentences"), BINDING_KEYS_SECOND, false, false},
    PLAYS_BY_BUTTON("", false),
    {"pad-emotes", TEXT_KEY("Emotes"), BINDING_BUTTONS, false, false},
    {"pad-phrases", TEXT_KEY("Quick sentences"), BINDING_BUTTONS, false, false},
    {"pad-scoreboard", TEXT_KEY("Scoreboard"), BINDING_BUTTONS, false, false},
    {"pad-vote", TEXT_KEY("Next choice of a vote"), BINDING_BUTTONS, false, false},
    PLAYS_BY_BUTTON("-other", true),
};
const uint32_t BINDING_COUNT = sizeof BINDINGS / sizeof *BINDINGS;

const struct binding *bindings_find(const char *row)
{
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        if (!strcmp(BINDINGS[i].row, row))
            return &BINDINGS[i];
    return NULL;
}

// Keys are numbers of the preferences, buttons are choices.
uint32_t bindings_get(const struct preferences *preferences, const struct binding *binding)
{
    const char *value = (const char *)preferences + preferences_row(binding->row)->offset;
    return binding->set == BINDING_BUTTONS ? *(const uint32_t *)(const void *)value
                                           : (uint32_t) * (const int64_t *)(const void *)value;
}

static void put(struct preferences *preferences, const struct binding *binding, uint32_t code)
{
    char *value = (char *)preferences + preferences_row(binding->row)->offset;
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
