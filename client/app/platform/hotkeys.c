// SPDX-License-Identifier: MIT
#include "hotkeys.h"

#include <stddef.h>

#include "keyboard.h"

static const struct {
    uint32_t key;     ///< enum key
    uint32_t actions; ///< enum hotkey
} KEYS[] = {
    {KEY_SPACE, HOTKEY_PAUSE},      {KEY_P, HOTKEY_PAUSE},
    {KEY_LEFT, HOTKEY_BACK},        {KEY_COMMA, HOTKEY_BACK},
    {KEY_RIGHT, HOTKEY_FORWARD},    {KEY_PERIOD, HOTKEY_FORWARD},
    {KEY_PAGE_UP, HOTKEY_FAR_BACK}, {KEY_PAGE_DOWN, HOTKEY_FAR_FORWARD},
    {KEY_MINUS, HOTKEY_SLOWER},     {KEY_KP_MINUS, HOTKEY_SLOWER},
    {KEY_EQUALS, HOTKEY_FASTER},    {KEY_KP_PLUS, HOTKEY_FASTER},
    {KEY_F, HOTKEY_FREE_CAMERA},    {KEY_E, HOTKEY_CLIP_WEBM},
    {KEY_G, HOTKEY_CLIP_GIF},       {KEY_H, HOTKEY_HELP},
};

uint32_t hotkeys_in_match(const struct preferences *preferences, uint32_t key)
{
    static const uint32_t ACTIONS[MATCH_ACTIONS] = {
        [MATCH_CHAT] = HOTKEY_CHAT,     [MATCH_TEAM_CHAT] = HOTKEY_TEAM_CHAT,
        [MATCH_PEOPLE] = HOTKEY_PEOPLE, [MATCH_YES] = HOTKEY_YES,
        [MATCH_NO] = HOTKEY_NO,         [MATCH_NET] = HOTKEY_NET};
    uint32_t actions = 0;
    bool is_bound = false;
    for (uint32_t action = 0; key && action < MATCH_ACTIONS; action++) {
        bool is_it = preferences->match_keys[0][action] == key;
        is_bound |= is_it || preferences->match_keys[1][action] == key;
        actions |= is_it ? ACTIONS[action] : 0;
    }
    if (is_bound)
        return actions;
    return key == KEY_RETURN              ? HOTKEY_CHAT
           : key >= KEY_1 && key <= KEY_6 ? (uint32_t)HOTKEY_CHOICE << (key - KEY_1)
                                          : 0;
}

uint32_t hotkeys_in_replay(uint32_t key)
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
