// SPDX-License-Identifier: MIT
#include "controls.h"

#include <stdio.h>
#include <string.h>

#include "game/input.h"
#include "text/text.h"
#include "window/keyboard.h"

#define SAME(way, button) _Static_assert((int)(way) == (int)(button), #button " is a direction of the window")
SAME(BUTTON_WAY_LEFT, BUTTON_LEFT);
SAME(BUTTON_WAY_RIGHT, BUTTON_RIGHT);
SAME(BUTTON_WAY_UP, BUTTON_UP);
SAME(BUTTON_WAY_DOWN, BUTTON_DOWN);

void controls_key_name(uint32_t key, char *name, size_t name_bytes)
{
    const char *known = key ? keyboard_name(key) : TEXT_KEY("none"), *keypad = "Keypad ";
    if (!*known)
        snprintf(name, name_bytes, text_of("key %u"), key);
    else if (!strncmp(known, keypad, strlen(keypad)))
        snprintf(name, name_bytes, text_of("keypad %s"), text_of(known + strlen(keypad)));
    else
        snprintf(name, name_bytes, "%s", text_of(key == KEY_RETURN ? "Enter" : known));
}

static const struct {
    uint32_t key;     ///< enum key
    uint32_t actions; ///< enum hotkey
} REPLAY_KEYS[] = {
    {KEY_SPACE, HOTKEY_PAUSE},      {KEY_P, HOTKEY_PAUSE},
    {KEY_LEFT, HOTKEY_BACK},        {KEY_COMMA, HOTKEY_BACK},
    {KEY_RIGHT, HOTKEY_FORWARD},    {KEY_PERIOD, HOTKEY_FORWARD},
    {KEY_PAGE_UP, HOTKEY_FAR_BACK}, {KEY_PAGE_DOWN, HOTKEY_FAR_FORWARD},
    {KEY_MINUS, HOTKEY_SLOWER},     {KEY_KP_MINUS, HOTKEY_SLOWER},
    {KEY_EQUALS, HOTKEY_FASTER},    {KEY_KP_PLUS, HOTKEY_FASTER},
    {KEY_F, HOTKEY_FREE_CAMERA},    {KEY_E, HOTKEY_CLIP_WEBM},
    {KEY_G, HOTKEY_CLIP_GIF},       {KEY_H, HOTKEY_HELP},
};

uint32_t controls_match_actions(const struct controls *controls, uint32_t key)
{
    static const uint32_t ACTIONS[MATCH_ACTIONS] = {
        [MATCH_CHAT] = HOTKEY_CHAT,     [MATCH_TEAM_CHAT] = HOTKEY_TEAM_CHAT,
        [MATCH_PEOPLE] = HOTKEY_PEOPLE, [MATCH_YES] = HOTKEY_YES,
        [MATCH_NO] = HOTKEY_NO,         [MATCH_NET] = HOTKEY_NET};
    uint32_t actions = 0;
    bool is_bound = false;
    for (uint32_t action = 0; key && action < MATCH_ACTIONS; action++) {
        bool is_it = controls->match_keys[0][action] == key;
        is_bound |= is_it || controls->match_keys[1][action] == key;
        actions |= is_it ? ACTIONS[action] : 0;
    }
    if (is_bound)
        return actions;
    return key == KEY_RETURN              ? HOTKEY_CHAT
           : key >= KEY_1 && key <= KEY_6 ? (uint32_t)HOTKEY_CHOICE << (key - KEY_1)
                                          : 0;
}

uint32_t controls_replay_actions(uint32_t key)
{
    uint32_t actions = 0;
    for (size_t i = 0; i < sizeof REPLAY_KEYS / sizeof *REPLAY_KEYS; i++)
        if (REPLAY_KEYS[i].key == key)
            actions |= REPLAY_KEYS[i].actions;
    return actions;
}

uint32_t controls_gamepad_actions(uint32_t button)
{
    return button == GAMEPAD_BUTTON_BACK             ? HOTKEY_PAUSE
           : button == GAMEPAD_BUTTON_LEFT_TRIGGER   ? HOTKEY_BACK
           : button == GAMEPAD_BUTTON_RIGHT_SHOULDER ? HOTKEY_FORWARD
           : button == GAMEPAD_BUTTON_LEFT_STICK     ? HOTKEY_HELP
                                                     : 0;
}

#define PLAYS (1 << TOUCH_USE_COURSE | 1 << TOUCH_USE_PLAY)
// clang-format off
const struct touch_place CONTROLS_TOUCH[TOUCH_CONTROLS] = {
    [TOUCH_STICK] = {TOUCH_AT_BOTTOM, 150, 130, 85, .uses = PLAYS},
    [TOUCH_JUMP] = {TOUCH_AT_BOTTOM, 80, 85, 58, .uses = PLAYS, .buttons = BUTTON_JUMP, .art =
        "............."
        "......#......"
        ".....###....."
        "....#####...."
        "...#######..."
        "..#########.."
        "....#####...."
        "....#####...."
        "....#####...."
        "............."
        "....#####...."
        "....#####...."
        "............."},
    [TOUCH_SHOOT] = {TOUCH_AT_BOTTOM, 200, 70, 52, .uses = PLAYS, .buttons = BUTTON_SHOOT, .art =
        "............."
        "............."
        ".#.......#..."
        ".##......##.."
        "..##.....###."
        "..###########"
        "..###########"
        "..##.....###."
        ".##......##.."
        ".#.......#..."
        "............."
        "............."
        "............."},
    [TOUCH_DASH] = {TOUCH_AT_BOTTOM, 125, 190, 52, .uses = PLAYS, .buttons = BUTTON_DASH, .art =
        "............."
        "............."
        ".##...##....."
        "..##...##...."
        "...##...##..."
        "....##...##.."
        ".....##...##."
        "....##...##.."
        "...##...##..."
        "..##...##...."
        ".##...##....."
        "............."
        "............."},
    [TOUCH_PAUSE] = {TOUCH_AT_TOP, 42, 42, 32, .uses = PLAYS | 1 << TOUCH_USE_PAUSE, .art =
        "............."
        "............."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "...##...##..."
        "............."
        "............."},
    [TOUCH_CHAT] = {TOUCH_AT_TOP, 42, 122, 32, .uses = 1 << TOUCH_USE_PLAY, .art =
        "............."
        "............."
        "..#########.."
        ".###########."
        ".###########."
        ".##.##.##.##."
        ".###########."
        ".###########."
        "..#########.."
        "...##........"
        "...#........."
        "............."
        "............."},
    [TOUCH_EMOTES] = {TOUCH_AT_TOP, 42, 202, 32, .uses = 1 << TOUCH_USE_PLAY, .art =
        "............."
        "....#####...."
        "..##.....##.."
        "..#.......#.."
        ".#..#...#..#."
        ".#..#...#..#."
        ".#.........#."
        ".#.#.....#.#."
        ".#..#...#..#."
        "..#..###..#.."
        "..##.....##.."
        "....#####...."
        "............."},
    [TOUCH_SCORES] = {TOUCH_ON_PICTURE, .uses = 1 << TOUCH_USE_PLAY},
};
// clang-format on
