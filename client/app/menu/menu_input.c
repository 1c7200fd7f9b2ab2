// SPDX-License-Identifier: MIT
#include "draw_menu.h"
#include "window/keyboard.h"

#include "window/keyboard.h"

#define WHEEL_ROWS 3 ///< that a long list moves

_Static_assert(MENU_PAD_CAPACITY == GAMEPAD_CAPACITY, "the menu knows every gamepad");

static const struct {
    uint32_t key; ///< enum key
    enum menu_press press;
    bool is_letter; ///< types a letter while a text is typed
} KEYS[] = {
    {KEY_UP, MENU_UP, false},           {KEY_W, MENU_UP, true},
    {KEY_DOWN, MENU_DOWN, false},       {KEY_S, MENU_DOWN, true},
    {KEY_TAB, MENU_DOWN, false},        {KEY_LEFT, MENU_LEFT, false},
    {KEY_A, MENU_LEFT, true},           {KEY_RIGHT, MENU_RIGHT, false},
    {KEY_D, MENU_RIGHT, true},          {KEY_RETURN, MENU_ACCEPT, false},
    {KEY_KP_ENTER, MENU_ACCEPT, false}, {KEY_SPACE, MENU_ACCEPT, true},
    {KEY_ESCAPE, MENU_BACK, false},     {KEY_BACKSPACE, MENU_ERASE, false},
    {KEY_DELETE, MENU_ERASE, false},    {KEY_F, MENU_EXTRA, true},
    {KEY_PAGE_UP, MENU_PAGE_UP, false}, {KEY_PAGE_DOWN, MENU_PAGE_DOWN, false},
    {KEY_HOME, MENU_FIRST, false},      {KEY_END, MENU_LAST, false},
};

static const struct {
    uint32_t button; ///< enum gamepad_button
    enum menu_press press;
} BUTTONS[] = {
    {GAMEPAD_BUTTON_UP, MENU_UP},
    {GAMEPAD_BUTTON_DOWN, MENU_DOWN},
    {GAMEPAD_BUTTON_LEFT, MENU_LEFT},
    {GAMEPAD_BUTTON_RIGHT, MENU_RIGHT},
    {GAMEPAD_BUTTON_A, MENU_ACCEPT},
    {GAMEPAD_BUTTON_START, MENU_ACCEPT},
    {GAMEPAD_BUTTON_B, MENU_BACK},
    {GAMEPAD_BUTTON_BACK, MENU_BACK},
    {GAMEPAD_BUTTON_X, MENU_EXTRA},
    {GAMEPAD_BUTTON_Y, MENU_ERASE},
    {GAMEPAD_BUTTON_LEFT_SHOULDER, MENU_PAGE_UP},
    {GAMEPAD_BUTTON_RIGHT_SHOULDER, MENU_PAGE_DOWN},
};

static void take_key(struct menu *menu, const struct window_event *event)
{
    menu->by_gamepad = false;
    if (event->code != KEY_ESCAPE && !event->repeated && menu_bind_key(menu, event->code))
        return;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        bool repeats = KEYS[i].press <= MENU_RIGHT || KEYS[i].press >= MENU_ERASE;
        if (KEYS[i].key == event->code && !(KEYS[i].is_letter && menu->typing) && (!event->repeated || repeats))
            menu_press(menu, KEYS[i].press);
    }
}

// A setting steps back if it is tapped left of the middle of its value.
static void tap(struct menu *menu, const struct window_event *event)
{
    enum menu_press press;
    if (draw_menu_button_at(menu, event->x, event->y, &press)) {
        menu_press(menu, press);
        return;
    }
    uint32_t item = draw_menu_item_at(menu, event->x, event->y);
    const struct item *focused = menu_focused(menu);
    bool steps = focused && focused->kind == ITEM_SETTING && menu->focus[menu->depth - 1] == item;
    if (steps && draw_menu_is_less(menu, event->x))
        menu_press(menu, MENU_LEFT);
    else
        menu_point(menu, item, true);
}

// A long list follows the finger, row by row.
static void drag(struct menu *menu, const struct window_event *event)
{
    int32_t row_px = draw_menu_row_px(menu);
    menu->dragged = event->code == 1 ? 0 : menu->dragged;
    menu->dragged += event->down;
    int32_t rows = menu->dragged / row_px;
    menu->dragged -= rows * row_px;
    if (rows && menu_count(menu) > menu_rows(menu))
        menu_scroll(menu, -rows);
}

void menu_input_take(struct menu *menu, const struct window_event *event)
{
    switch (event->kind) {
    case WINDOW_KEY:
        take_key(menu, event);
        break;
    case WINDOW_GAMEPAD:
        menu->by_gamepad = true;
        menu->gamepad = event->gamepad;
        if (menu_bind_gamepad(menu, event->code)) // any button is taken then; Escape on the keyboard cancels
            break;
        for (size_t i = 0; i < sizeof BUTTONS / sizeof *BUTTONS; i++)
            if (BUTTONS[i].button == event->code)
                menu_press(menu, BUTTONS[i].press);
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
        menu_scroll(menu, event->x > 0 ? -WHEEL_ROWS : WHEEL_ROWS);
        break;
    case WINDOW_TOUCH:
        break;
    case WINDOW_TAP:
        tap(menu, event);
        break;
    case WINDOW_DRAG:
        drag(menu, event);
        break;
    }
}
