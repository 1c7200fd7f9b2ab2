// SPDX-License-Identifier: MIT
#include "key_actions.h"

#include <SDL_scancode.h>
#include <stddef.h>

#include "app/config/preferences.h"

static const struct {
    SDL_Scancode key;
    uint32_t acts;
} KEYS[] = {
    {SDL_SCANCODE_RETURN, KEY_ACTION_CHAT},
    {SDL_SCANCODE_T, KEY_ACTION_CHAT},
    {SDL_SCANCODE_U, KEY_ACTION_TEAM_CHAT},
    {SDL_SCANCODE_Y, KEY_ACTION_YES},
    {SDL_SCANCODE_N, KEY_ACTION_NO},
    {SDL_SCANCODE_F3, KEY_ACTION_NET_GRAPH},
    {SDL_SCANCODE_P, KEY_ACTION_PAUSE},
    {SDL_SCANCODE_COMMA, KEY_ACTION_BACK},
    {SDL_SCANCODE_PERIOD, KEY_ACTION_FORWARD},
    {SDL_SCANCODE_PAGEUP, KEY_ACTION_FAR_BACK},
    {SDL_SCANCODE_PAGEDOWN, KEY_ACTION_FAR_FORWARD},
    {SDL_SCANCODE_MINUS, KEY_ACTION_SLOWER},
    {SDL_SCANCODE_KP_MINUS, KEY_ACTION_SLOWER},
    {SDL_SCANCODE_EQUALS, KEY_ACTION_FASTER},
    {SDL_SCANCODE_KP_PLUS, KEY_ACTION_FASTER},
    {SDL_SCANCODE_F, KEY_ACTION_FREE_CAMERA},
    {SDL_SCANCODE_1, KEY_ACTION_CHOICE << 0},
    {SDL_SCANCODE_2, KEY_ACTION_CHOICE << 1},
    {SDL_SCANCODE_3, KEY_ACTION_CHOICE << 2},
    {SDL_SCANCODE_4, KEY_ACTION_CHOICE << 3},
    {SDL_SCANCODE_5, KEY_ACTION_CHOICE << 4},
    {SDL_SCANCODE_6, KEY_ACTION_CHOICE << 5},
};

uint32_t key_actions_pressed(uint32_t scancode)
{
    uint32_t acts = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if ((uint32_t)KEYS[i].key == scancode)
            acts |= KEYS[i].acts;
    return acts;
}

uint32_t key_actions_gamepad_pressed(uint32_t button)
{
    return button == GAMEPAD_BUTTON_BACK             ? KEY_ACTION_PAUSE
           : button == GAMEPAD_BUTTON_LEFT_TRIGGER   ? KEY_ACTION_BACK
           : button == GAMEPAD_BUTTON_RIGHT_SHOULDER ? KEY_ACTION_FORWARD
                                                     : 0;
}
