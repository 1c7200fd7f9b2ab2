// SPDX-License-Identifier: MIT
#include "keyboard.h"

#include <SDL.h>

static bool is_of_second(const struct preferences *preferences, uint32_t scancode)
{
    return scancode && keyboard_pressed(preferences, KEYBOARD_SECOND, scancode);
}

uint32_t keyboard_pressed(const struct preferences *preferences, enum keyboard_set set, uint32_t scancode)
{
    uint32_t buttons = 0;
    int first = set == KEYBOARD_SECOND ? 2 : 0, end = set == KEYBOARD_SECOND ? 3 : 2;
    for (int column = first; scancode && column < end; column++)
        for (uint32_t action = 0; action < PREFERENCES_ACTIONS; action++)
            if (preferences->keys[column][action] == scancode)
                buttons |= 1u << action;
    return set == KEYBOARD_WITHOUT_SECOND && is_of_second(preferences, scancode) ? 0 : buttons;
}

uint32_t keyboard_held(const struct preferences *preferences, enum keyboard_set set)
{
    int count;
    const Uint8 *held = SDL_GetKeyboardState(&count);
    uint32_t buttons = 0;
    for (uint32_t scancode = 1; (int)scancode < count; scancode++)
        if (held[scancode])
            buttons |= keyboard_pressed(preferences, set, scancode);
    return buttons;
}

// What the faces of the game can show: UTF-8 up to U+00FF.
static bool is_latin(const char *words)
{
    for (; *words; words++)
        if ((uint8_t)*words > 0xC3)
            return false;
    return true;
}

void keyboard_name(uint32_t scancode, char *name, size_t name_bytes)
{
    const char *words = SDL_GetKeyName(SDL_GetKeyFromScancode((SDL_Scancode)scancode));
    if (!scancode || !*words || !is_latin(words))
        words = scancode ? SDL_GetScancodeName((SDL_Scancode)scancode) : "none";
    SDL_snprintf(name, name_bytes, "%s", words);
    if (!*words)
        SDL_snprintf(name, name_bytes, "key %u", scancode);
}
