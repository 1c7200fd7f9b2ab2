// SPDX-License-Identifier: MIT
#include "menu_input.h"

#include <SDL_gamecontroller.h>
#include <SDL_scancode.h>

#include "draw_menu.h"

static const struct {
    uint32_t key;
    enum menu_press press;
    bool is_letter; ///< types something while one types
} KEYS[] = {
    {SDL_SCANCODE_UP, MENU_UP, false},           {SDL_SCANCODE_W, MENU_UP, true},
    {SDL_SCANCODE_DOWN, MENU_DOWN, false},       {SDL_SCANCODE_S, MENU_DOWN, true},
    {SDL_SCANCODE_TAB, MENU_DOWN, false},        {SDL_SCANCODE_LEFT, MENU_LEFT, false},
    {SDL_SCANCODE_A, MENU_LEFT, true},           {SDL_SCANCODE_RIGHT, MENU_RIGHT, false},
    {SDL_SCANCODE_D, MENU_RIGHT, true},          {SDL_SCANCODE_RETURN, MENU_ACCEPT, false},
    {SDL_SCANCODE_KP_ENTER, MENU_ACCEPT, false}, {SDL_SCANCODE_SPACE, MENU_ACCEPT, true},
    {SDL_SCANCODE_ESCAPE, MENU_BACK, false},     {SDL_SCANCODE_BACKSPACE, MENU_ERASE, false},
    {SDL_SCANCODE_DELETE, MENU_ERASE, false},    {SDL_SCANCODE_F, MENU_EXTRA, true},
};

static const struct {
    int pad; ///< SDL's number of the button
    enum menu_press press;
} PADS[] = {
    {SDL_CONTROLLER_BUTTON_DPAD_UP, MENU_UP},     {SDL_CONTROLLER_BUTTON_DPAD_DOWN, MENU_DOWN},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, MENU_LEFT}, {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, MENU_RIGHT},
    {SDL_CONTROLLER_BUTTON_A, MENU_ACCEPT},       {SDL_CONTROLLER_BUTTON_START, MENU_ACCEPT},
    {SDL_CONTROLLER_BUTTON_B, MENU_BACK},         {SDL_CONTROLLER_BUTTON_BACK, MENU_BACK},
    {SDL_CONTROLLER_BUTTON_X, MENU_EXTRA},        {SDL_CONTROLLER_BUTTON_Y, MENU_ERASE},
};

static bool repeats(enum menu_press press)
{
    return press <= MENU_RIGHT || press == MENU_ERASE;
}

static void take_key(struct menu *menu, const struct window_event *event)
{
    menu->by_pad = false;
    if (event->code != SDL_SCANCODE_ESCAPE && !event->repeated && menu_bind_key(menu, event->code))
        return;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (KEYS[i].key == event->code && !(KEYS[i].is_letter && menu->typing) &&
            (!event->repeated || repeats(KEYS[i].press)))
            menu_press(menu, KEYS[i].press);
}

// While a button is waited for, each one is taken; Escape on the keyboard gives up.
static void take_pad(struct menu *menu, uint32_t name)
{
    menu->by_pad = true;
    if (menu_bind_pad(menu, name))
        return;
    for (size_t i = 0; i < sizeof PADS / sizeof *PADS; i++)
        if (1 + (uint32_t)PADS[i].pad == name)
            menu_press(menu, PADS[i].press);
}

void menu_input_take(struct menu *menu, const struct window_event *event)
{
    switch (event->kind) {
    case WINDOW_KEY:
        take_key(menu, event);
        break;
    case WINDOW_GAMEPAD:
        take_pad(menu, event->code);
        break;
    case WINDOW_TEXT:
        menu_type(menu, event->text);
        break;
    case WINDOW_POINTER:
        menu_point(menu, draw_menu_item_at(menu, event->x, event->y), false);
        break;
    case WINDOW_CLICK:
        if (event->code == 2)
            menu_press(menu, MENU_BACK);
        else
            menu_point(menu, draw_menu_item_at(menu, event->x, event->y), true);
        break;
    case WINDOW_RELEASE:
        break;
    case WINDOW_WHEEL:
        menu_press(menu, event->x > 0 ? MENU_UP : MENU_DOWN);
        break;
    }
}
