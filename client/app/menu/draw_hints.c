// SPDX-License-Identifier: MIT
#include "draw_menu.h"

#include "hud/hints.h"
#include "menu_parts.h"
#include "scene/text_panel.h"
#include "screens.h"
#include "text/text.h"

#define BUTTON_W 76 ///< least width of a button for fingers
#define BUTTON_H 30

static int32_t height_of(const struct menu *menu)
{
    return menu->is_tall ? CANVAS_TALL_HEIGHT : CANVAS_HEIGHT;
}

// Returns what a hint shows for a key, or for a gamepad's button.
static const char *cap(const struct menu *menu, const char *key, uint32_t button)
{
    return menu->by_gamepad ? pad_glyphs_name(menu_pad_family(menu), button) : text_of(key);
}

static const char *accept_hint(const struct menu *menu, const struct item *item)
{
    switch (item->kind) {
    case ITEM_TEXT:
        return menu->typing ? text_of("done") : text_of("type");
    case ITEM_KEY:
    case ITEM_GAMEPAD:
        return text_of("change");
    case ITEM_SETTING:
    case ITEM_NOTE:
    case ITEM_ACTION:
    case ITEM_SCREEN:
        break;
    }
    return text_of("choose");
}

// What fingers tap in place of keys.
struct finger_button {
    enum menu_press press;
    const char *text;
    struct rect rect;
};

#define BUTTONS_MAX 3

static void add_button(const struct menu *menu, struct finger_button buttons[BUTTONS_MAX], uint32_t *count,
                       enum menu_press press, const char *text)
{
    const struct rect *before = *count ? &buttons[*count - 1].rect : NULL;
    int32_t w = font_width(FONT_LARGE, text) + 24, x = before ? before->x + before->w + 8 : 8;
    buttons[(*count)++] =
        (struct finger_button){press, text, {x, height_of(menu) - BUTTON_H - 3, w < BUTTON_W ? BUTTON_W : w, BUTTON_H}};
}

// Lists them, from the left. Returns how many there are.
static uint32_t list_buttons(const struct menu *menu, struct finger_button buttons[BUTTONS_MAX])
{
    const struct item *item = menu_focused(menu);
    const struct screen *screen = menu_screen(menu);
    uint32_t count = 0;
    if (menu->depth > 1 || screen->left || menu->binding)
        add_button(menu, buttons, &count, MENU_BACK, menu->binding ? text_of("cancel") : text_of("back"));
    if (!menu->binding && item && (item->kind == ITEM_KEY || item->kind == ITEM_GAMEPAD))
        add_button(menu, buttons, &count, MENU_ERASE, text_of("clear"));
    if (!menu->binding && screen->extra && screen->extra_hint && item && !item->plain)
        add_button(menu, buttons, &count, MENU_EXTRA, text_of(screen->extra_hint));
    return count;
}

bool draw_menu_button_at(const struct menu *menu, int32_t x, int32_t y, enum menu_press *press)
{
    struct finger_button buttons[BUTTONS_MAX];
    uint32_t count = menu->depth && menu->by_touch ? list_buttons(menu, buttons) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rect *rect = &buttons[i].rect;
        if (x < rect->x || x >= rect->x + rect->w || y < rect->y - 3)
            continue;
        *press = buttons[i].press;
        return true;
    }
    return false;
}

static void draw_buttons(struct canvas *canvas, const struct menu *menu)
{
    struct finger_button buttons[BUTTONS_MAX];
    uint32_t count = list_buttons(menu, buttons);
    for (uint32_t i = 0; i < count; i++) {
        const struct rect *rect = &buttons[i].rect;
        menu_parts_plate(canvas, *rect);
        font_draw(canvas, FONT_LARGE, rect->x + (rect->w - font_width(FONT_LARGE, buttons[i].text)) / 2,
                  rect->y + (rect->h - 7) / 2, INK, buttons[i].text);
    }
}

void draw_menu_hints(struct canvas *canvas, const struct menu *menu)
{
    const struct item *item = menu_focused(menu);
    const struct screen *screen = menu_screen(menu);
    int32_t w = menu->is_tall ? CANVAS_TALL_WIDTH : CANVAS_WIDTH, h = height_of(menu);
    struct keycap_pen pen = {canvas, menu_face(menu), 12, h - 15};
    if (menu->by_touch) {
        draw_buttons(canvas, menu);
        return;
    }
    canvas_veil(canvas, (struct rect){0, h - MENU_PARTS_HINTS_PX, w, MENU_PARTS_HINTS_PX}, TEXT_PANEL_COLOUR, 190);
    if (menu->binding) {
        keycap_hint(&pen, cap(menu, "Esc", GAMEPAD_BUTTON_B), text_of("cancel"));
        return;
    }
    if (item && item->kind == ITEM_SETTING) {
        if (!menu->by_gamepad) {
            keycap_draw(&pen, KEYCAP_LEFT);
            pen.x++;
        }
        keycap_hint(&pen, cap(menu, KEYCAP_RIGHT, PAD_GLYPH_DPAD), text_of("change"));
    } else if (item)
        keycap_hint(&pen, cap(menu, "Enter", GAMEPAD_BUTTON_A), accept_hint(menu, item));
    if (item && (item->kind == ITEM_KEY || item->kind == ITEM_GAMEPAD))
        keycap_hint(&pen, cap(menu, "Backspace", GAMEPAD_BUTTON_Y), text_of("clear"));
    if (screen->extra && screen->extra_hint && item && !item->plain)
        keycap_hint(&pen, cap(menu, "F", GAMEPAD_BUTTON_X), text_of(screen->extra_hint));
    if (menu->depth > 1 || screen->left)
        keycap_hint(&pen, cap(menu, "Esc", GAMEPAD_BUTTON_B), text_of("back"));
}
