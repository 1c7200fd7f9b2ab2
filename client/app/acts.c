// SPDX-License-Identifier: MIT
#include "acts.h"

#include <SDL_scancode.h>
#include <stddef.h>

#include "preferences.h"

static const struct {
    SDL_Scancode key;
    uint32_t acts;
} KEYS[] = {
    {SDL_SCANCODE_RETURN, ACT_TALK},
    {SDL_SCANCODE_T, ACT_TALK},
    {SDL_SCANCODE_U, ACT_TEAM_TALK},
    {SDL_SCANCODE_Y, ACT_YES},
    {SDL_SCANCODE_N, ACT_NO},
    {SDL_SCANCODE_F3, ACT_NET},
    {SDL_SCANCODE_P, ACT_PAUSE},
    {SDL_SCANCODE_COMMA, ACT_BACK},
    {SDL_SCANCODE_PERIOD, ACT_FORWARD},
    {SDL_SCANCODE_PAGEUP, ACT_FAR_BACK},
    {SDL_SCANCODE_PAGEDOWN, ACT_FAR_FORWARD},
    {SDL_SCANCODE_MINUS, ACT_SLOWER},
    {SDL_SCANCODE_KP_MINUS, ACT_SLOWER},
    {SDL_SCANCODE_EQUALS, ACT_FASTER},
    {SDL_SCANCODE_KP_PLUS, ACT_FASTER},
    {SDL_SCANCODE_F, ACT_FREE},
    {SDL_SCANCODE_1, ACT_CHOICE << 0},
    {SDL_SCANCODE_2, ACT_CHOICE << 1},
    {SDL_SCANCODE_3, ACT_CHOICE << 2},
    {SDL_SCANCODE_4, ACT_CHOICE << 3},
    {SDL_SCANCODE_5, ACT_CHOICE << 4},
    {SDL_SCANCODE_6, ACT_CHOICE << 5},
};

uint32_t acts_pressed(uint32_t scancode)
{
    uint32_t acts = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if ((uint32_t)KEYS[i].key == scancode)
            acts |= KEYS[i].acts;
    return acts;
}

uint32_t acts_of_pad(uint32_t button)
{
    return button == PREFERENCES_PAD_BACK             ? ACT_PAUSE
           : button == PREFERENCES_PAD_TRIGGER_LEFT   ? ACT_BACK
           : button == PREFERENCES_PAD_SHOULDER_RIGHT ? ACT_FORWARD
                                                      : 0;
}
