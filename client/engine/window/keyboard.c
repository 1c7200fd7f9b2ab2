// SPDX-License-Identifier: MIT
#include "keyboard.h"

#include <SDL.h>

#define SAME(key, scancode) _Static_assert((int)(key) == (int)(scancode), #key " is not SDL's code of that key")
SAME(KEY_A, SDL_SCANCODE_A);
SAME(KEY_B, SDL_SCANCODE_B);
SAME(KEY_D, SDL_SCANCODE_D);
SAME(KEY_F, SDL_SCANCODE_F);
SAME(KEY_H, SDL_SCANCODE_H);
SAME(KEY_M, SDL_SCANCODE_M);
SAME(KEY_N, SDL_SCANCODE_N);
SAME(KEY_P, SDL_SCANCODE_P);
SAME(KEY_Q, SDL_SCANCODE_Q);
SAME(KEY_S, SDL_SCANCODE_S);
SAME(KEY_T, SDL_SCANCODE_T);
SAME(KEY_U, SDL_SCANCODE_U);
SAME(KEY_W, SDL_SCANCODE_W);
SAME(KEY_Y, SDL_SCANCODE_Y);
SAME(KEY_1, SDL_SCANCODE_1);
SAME(KEY_2, SDL_SCANCODE_2);
SAME(KEY_3, SDL_SCANCODE_3);
SAME(KEY_4, SDL_SCANCODE_4);
SAME(KEY_5, SDL_SCANCODE_5);
SAME(KEY_6, SDL_SCANCODE_6);
SAME(KEY_RETURN, SDL_SCANCODE_RETURN);
SAME(KEY_ESCAPE, SDL_SCANCODE_ESCAPE);
SAME(KEY_BACKSPACE, SDL_SCANCODE_BACKSPACE);
SAME(KEY_TAB, SDL_SCANCODE_TAB);
SAME(KEY_SPACE, SDL_SCANCODE_SPACE);
SAME(KEY_MINUS, SDL_SCANCODE_MINUS);
SAME(KEY_EQUALS, SDL_SCANCODE_EQUALS);
SAME(KEY_COMMA, SDL_SCANCODE_COMMA);
SAME(KEY_PERIOD, SDL_SCANCODE_PERIOD);
SAME(KEY_F2, SDL_SCANCODE_F2);
SAME(KEY_F3, SDL_SCANCODE_F3);
SAME(KEY_F11, SDL_SCANCODE_F11);
SAME(KEY_HOME, SDL_SCANCODE_HOME);
SAME(KEY_PAGE_UP, SDL_SCANCODE_PAGEUP);
SAME(KEY_DELETE, SDL_SCANCODE_DELETE);
SAME(KEY_END, SDL_SCANCODE_END);
SAME(KEY_PAGE_DOWN, SDL_SCANCODE_PAGEDOWN);
SAME(KEY_RIGHT, SDL_SCANCODE_RIGHT);
SAME(KEY_LEFT, SDL_SCANCODE_LEFT);
SAME(KEY_DOWN, SDL_SCANCODE_DOWN);
SAME(KEY_UP, SDL_SCANCODE_UP);
SAME(KEY_KP_MINUS, SDL_SCANCODE_KP_MINUS);
SAME(KEY_KP_PLUS, SDL_SCANCODE_KP_PLUS);
SAME(KEY_KP_ENTER, SDL_SCANCODE_KP_ENTER);

uint32_t keyboard_pressed(const struct button_bindings *bindings, enum keyboard_set set, uint32_t key)
{
    uint32_t buttons = 0;
    int first = set == KEYBOARD_SECOND ? 2 : 0, end = set == KEYBOARD_SECOND ? 3 : 2;
    for (int column = first; key && column < end; column++)
        for (uint32_t action = 0; action < BUTTONS_CAPACITY; action++)
            if (bindings->keys[column][action] == key)
                buttons |= 1u << action;
    return set == KEYBOARD_WITHOUT_SECOND && keyboard_pressed(bindings, KEYBOARD_SECOND, key) ? 0 : buttons;
}

uint32_t keyboard_held(const struct button_bindings *bindings, enum keyboard_set set)
{
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    uint32_t buttons = 0;
    for (size_t column = 0; column < BUTTONS_KEYS; column++)
        for (size_t action = 0; action < BUTTONS_CAPACITY; action++)
            if (held[bindings->keys[column][action]])
                buttons |= keyboard_pressed(bindings, set, (uint32_t)bindings->keys[column][action]);
    return buttons;
}

// Returns whether the fonts of the game have every letter: UTF-8 up to U+00FF.
static bool is_latin(const char *text)
{
    for (; *text; text++)
        if ((uint8_t)*text > 0xC3)
            return false;
    return true;
}

bool keyboard_is_held(uint32_t key)
{
    return SDL_GetKeyboardState(NULL)[key];
}

const char *keyboard_name(uint32_t key)
{
    const char *known = SDL_GetKeyName(SDL_GetKeyFromScancode((SDL_Scancode)key));
    return *known && is_latin(known) ? known : SDL_GetScancodeName((SDL_Scancode)key);
}
