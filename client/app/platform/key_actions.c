// SPDX-License-Identifier: MIT
#include "key_actions.h"

#include <stddef.h>

#include "keyboard.h"

static const struct {
    uint32_t key;     ///< enum key
    uint32_t actions; ///< enum key_action
} KEYS[] = {
    {KEY_RETURN, KEY_ACTION_CHAT},
    {KEY_T, KEY_ACTION_CHAT},
    {KEY_U, KEY_ACTION_TEAM_CHAT},
    {KEY_Y, KEY_ACTION_YES},
    {KEY_N, KEY_ACTION_NO},
    {KEY_F3, KEY_ACTION_NET_GRAPH},
    {KEY_P, KEY_ACTION_PAUSE},
    {KEY_COMMA, KEY_ACTION_BACK},
    {KEY_PERIOD, KEY_ACTION_FORWARD},
    {KEY_PAGE_UP, KEY_ACTION_FAR_BACK},
    {KEY_PAGE_DOWN, KEY_ACTION_FAR_FORWARD},
    {KEY_MINUS, KEY_ACTION_SLOWER},
    {KEY_KP_MINUS, KEY_ACTION_SLOWER},
    {KEY_EQUALS, KEY_ACTION_FASTER},
    {KEY_KP_PLUS, KEY_ACTION_FASTER},
    {KEY_F, KEY_ACTION_FREE_CAMERA},
    {KEY_1, KEY_ACTION_CHOICE << 0},
    {KEY_2, KEY_ACTION_CHOICE << 1},
    {KEY_3, KEY_ACTION_CHOICE << 2},
    {KEY_4, KEY_ACTION_CHOICE << 3},
    {KEY_5, KEY_ACTION_CHOICE << 4},
    {KEY_6, KEY_ACTION_CHOICE << 5},
};

uint32_t key_actions_pressed(uint32_t key)
{
    uint32_t actions = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (KEYS[i].key == key)
            actions |= KEYS[i].actions;
    return actions;
}

uint32_t key_actions_gamepad_pressed(uint32_t button)
{
    return button == GAMEPAD_BUTTON_BACK             ? KEY_ACTION_PAUSE
           : button == GAMEPAD_BUTTON_LEFT_TRIGGER   ? KEY_ACTION_BACK
           : button == GAMEPAD_BUTTON_RIGHT_SHOULDER ? KEY_ACTION_FORWARD
                                                     : 0;
}
