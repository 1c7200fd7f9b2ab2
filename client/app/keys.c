// SPDX-License-Identifier: MIT
#include "keys.h"

#include <SDL.h>

#include "game/input.h"

static const struct {
    SDL_Scancode key;
    uint32_t button;
} KEYS[] = {
    {SDL_SCANCODE_LEFT, BUTTON_LEFT},   {SDL_SCANCODE_A, BUTTON_LEFT}, {SDL_SCANCODE_RIGHT, BUTTON_RIGHT},
    {SDL_SCANCODE_D, BUTTON_RIGHT},     {SDL_SCANCODE_UP, BUTTON_UP},  {SDL_SCANCODE_W, BUTTON_UP},
    {SDL_SCANCODE_DOWN, BUTTON_DOWN},   {SDL_SCANCODE_S, BUTTON_DOWN}, {SDL_SCANCODE_SPACE, BUTTON_JUMP},
    {SDL_SCANCODE_Z, BUTTON_JUMP},      {SDL_SCANCODE_K, BUTTON_JUMP}, {SDL_SCANCODE_X, BUTTON_SHOOT},
    {SDL_SCANCODE_J, BUTTON_SHOOT},     {SDL_SCANCODE_C, BUTTON_DASH}, {SDL_SCANCODE_L, BUTTON_DASH},
    {SDL_SCANCODE_LSHIFT, BUTTON_DASH},
};

uint32_t keys_pressed(SDL_Scancode key)
{
    uint32_t buttons = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (KEYS[i].key == key)
            buttons |= KEYS[i].button;
    return buttons;
}

uint32_t keys_sample(void)
{
    int count;
    const Uint8 *held = SDL_GetKeyboardState(&count);
    uint32_t buttons = 0;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if ((int)KEYS[i].key < count && held[KEYS[i].key])
            buttons |= KEYS[i].button;
    return buttons;
}
