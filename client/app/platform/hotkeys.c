// SPDX-License-Identifier: MIT
#include "hotkeys.h"

#include <stddef.h>

#include "keyboard.h"

static const struct {
    uint32_t key;     ///< enum key
    uint32_t actions; ///< enum hotkey
} KEYS[] = {
    {KEY_RETURN, HOTKEY_CHAT},
    {KEY_T, HOTKEY_CHAT},
    {KEY_U, HOTKEY_TEAM_CHAT},
    {KEY_Y, HOTKEY_YES},
    {KEY_N, HOTKEY_NO},
    {KEY_SPACE, HOTKEY_PAUSE},
    {KEY_P, HOTKEY_PAUSE},
    {KEY_LEFT, HOTKEY_BACK},
    {KEY_COMMA, HOTKEY_BACK},
    {KEY_RIGHT, HOTKEY_FORWARD},
    {KEY_PERIOD, HOTKEY_FORWARD},
    {KEY_PAGE_UP, HOTKEY_FAR_BACK},
    {KEY_PAGE_DOWN, HOTKEY_FAR_FORWARD},
    {KEY_MINUS, HOTKEY_SLOWER},
    {KEY_KP_MINUS, HOTKEY_SLOWER},
    {KEY_EQUALS, HOTKEY_FASTER},
    {KEY_KP_PLUS, HOTKEY_FASTER},
    {KEY_F, HOTKEY_FREE_CAMERA},
    {KEY_E, HOTKEY_CLIP_WEBM},
    {KEY_G, HOTKEY_CLIP_GIF},
    {KEY_H, HOTKEY_HELP},
    {KEY_1, HOTKEY_CHOICE << 0},
    {KEY_2, HOTKEY_CHOICE << 1},
    {KEY_3, HOTKEY_CHOICE << 2},
    {KEY_4, HOTKEY_CHOICE << 3},
    {KEY_5, HOTKEY_CHOICE << 4},
    {KEY_6, HOTKEY_CHOICE << 5},
};

uint32_t hotkeys_pressed(uint32_t key)
{
    uint32_t actions = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (KEYS[i].key == key)
            actions |= KEYS[i].actions;
    return actions;
}

uint32_t hotkeys_gamepad_pressed(uint32_t button)
{
    return button == GAMEPAD_BUTTON_BACK             ? HOTKEY_PAUSE
           : button == GAMEPAD_BUTTON_LEFT_TRIGGER   ? HOTKEY_BACK
           : button == GAMEPAD_BUTTON_RIGHT_SHOULDER ? HOTKEY_FORWARD
           : button == GAMEPAD_BUTTON_LEFT_STICK     ? HOTKEY_HELP
                                                     : 0;
}
