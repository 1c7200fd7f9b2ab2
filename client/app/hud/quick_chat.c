// SPDX-License-Identifier: MIT
#include "quick_chat.h"

#include <stddef.h>
#include <string.h>

#include "app/gfx/emotes.h"
#include "app/text/text.h"
#include "game/input.h"

_Static_assert(EMOTES == QUICK_CHAT_CHOICES, "each emote has a place on the wheel");

static const struct {
    const char *line, *label;
} EMOTE_ROWS[EMOTES] = {
    {":hello:", TEXT_KEY("Hello")}, {":laugh:", TEXT_KEY("Haha")}, {":love:", TEXT_KEY("Love it")},
    {":wow:", TEXT_KEY("Wow")},     {":sleep:", TEXT_KEY("Yawn")}, {":cry:", TEXT_KEY("Oh no")},
    {":angry:", TEXT_KEY("Grr")},   {":what:", TEXT_KEY("What?")},
};

static const char *const PHRASES[QUICK_CHAT_CHOICES] = {
    TEXT_KEY("Good luck!"), TEXT_KEY("Nice shot!"), TEXT_KEY("Thank you!"),      TEXT_KEY("Watch out!"),
    TEXT_KEY("Good game!"), TEXT_KEY("Sorry!"),     TEXT_KEY("That was close!"), TEXT_KEY("Once more?"),
};

// Opposite directions cancel each other.
static uint32_t choice_of(uint32_t ways)
{
    static const uint32_t CHOICES[3][3] = {{8, 1, 2}, {7, 0, 3}, {6, 5, 4}}; // rows from the top
    int column = 1 + !!(ways & BUTTON_RIGHT) - !!(ways & BUTTON_LEFT);
    int row = 1 + !!(ways & BUTTON_DOWN) - !!(ways & BUTTON_UP);
    return CHOICES[row][column];
}

const char *quick_chat_step(struct quick_chat_wheel *wheel, enum quick_chat_kind held, uint32_t ways)
{
    struct quick_chat_wheel before = *wheel;
    wheel->kind = held;
    wheel->choice = held ? choice_of(ways) : 0;
    if (held || !before.kind || !before.choice)
        return NULL;
    return before.kind == QUICK_CHAT_EMOTES ? EMOTE_ROWS[before.choice - 1].line : PHRASES[before.choice - 1];
}

const char *quick_chat_label(enum quick_chat_kind kind, uint32_t choice)
{
    return text_of(kind == QUICK_CHAT_EMOTES ? EMOTE_ROWS[choice].label : PHRASES[choice]);
}

uint32_t quick_chat_emote(const char *line)
{
    for (uint32_t i = 0; i < EMOTES; i++)
        if (!strcmp(line, EMOTE_ROWS[i].line))
            return i + 1;
    return 0;
}

const char *quick_chat_text(const char *line)
{
    uint32_t emote = quick_chat_emote(line);
    for (size_t i = 0; i < QUICK_CHAT_CHOICES; i++)
        if (!strcmp(line, PHRASES[i]))
            return text_of(line);
    return emote ? text_of(EMOTE_ROWS[emote - 1].label) : line;
}
