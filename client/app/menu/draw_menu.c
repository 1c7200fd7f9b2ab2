// SPDX-License-Identifier: MIT
#include "draw_menu.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/gfx/logo.h"
#include "app/gfx/palette.h"
#include "app/gfx/sprites.h"
#include "app/hud/keycap.h"
#include "app/render/draw_player.h"
#include "app/render/text_panel.h"
#include "base/utf8.h"
#include "screens.h"

#define RIM       RGB(0x54688A)
#define RIM_DARK  RGB(0x0A0812)
#define BRASS     RGB(0xD08A3C)
#define BRASS_LIT RGB(0xFFD98A)
#define BRASS_LOW RGB(0x7A4228)
#define INK_BRASS RGB(0x1C0F14)
#define EMBER     RGB(0xFF9A3C)

#define HINTS_Y   (CANVAS_HEIGHT - 15)
#define APART_PX  12                   ///< between two hints
#define HELP_Y    (CANVAS_HEIGHT - 33) ///< of the title
#define ROW_PX    14
#define LIST_TOP  34 ///< rows of the plate above the items
#define HELP_PX   38 ///< below them: two lines of help
#define LIST_ROWS 12
#define PLATE_X   40
#define LIST_X    60
#define LIST_W    360

// Where the items of the topmost screen stand.
struct layout {
    int32_t x, y, w, row;
    uint32_t first, shown; ///< items that are seen
};

static bool is_title(const struct menu *menu)
{
    return !menu_screen(menu)->title;
}

// The plate is as high as what stands on it, in the middle of the picture.
static int32_t plate_h(uint32_t shown)
{
    return LIST_TOP + (int32_t)shown * ROW_PX + HELP_PX;
}

static int32_t plate_y(uint32_t shown)
{
    return (HINTS_Y - 4 - plate_h(shown)) / 2;
}

static struct layout layout_of(const struct menu *menu)
{
    uint32_t focus = menu->focus[menu->depth - 1];
    struct layout layout = {.x = LIST_X, .y = LIST_TOP, .w = LIST_W, .row = ROW_PX};
    if (is_title(menu))
        layout = (struct layout){.x = 34, .y = 97, .w = 168, .row = 18};
    layout.shown = menu->count < LIST_ROWS ? menu->count : LIST_ROWS;
    if (menu->count > LIST_ROWS && focus >= LIST_ROWS / 2)
        layout.first = focus - LIST_ROWS / 2;
    if (layout.first + layout.shown > menu->count)
        layout.first = menu->count - layout.shown;
    if (!is_title(menu))
        layout.y = plate_y(layout.shown) + LIST_TOP;
    return layout;
}

uint32_t draw_menu_item_at(const struct menu *menu, int32_t x, int32_t y)
{
    if (!menu->depth)
        return MENU_ITEM_CAPACITY;
    struct layout layout = layout_of(menu);
    for (uint32_t i = layout.first; i < layout.first + layout.shown; i++) {
        int32_t top = layout.y + (int32_t)(i - layout.first) * layout.row;
        if (x >= layout.x && x < layout.x + layout.w && y >= top && y < top + layout.row)
            return i;
    }
    return MENU_ITEM_CAPACITY;
}

// As much of a text as has room, with dots behind what was cut.
static void cut(enum font_face face, const char *text, int32_t width, char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "%s", text);
    size_t length = strlen(out);
    while (length && font_width(face, out) > width) {
        length = utf8_previous(out, length);
        if (length + 3 < out_bytes)
            strcpy(out + length, "..");
    }
}

// Of a text that is typed the end is what matters.
static const char *tail(enum font_face face, const char *text, int32_t width)
{
    while (*text && font_width(face, text) > width)
        text += utf8_next(text);
    return text;
}

static void draw_focus(struct canvas *canvas, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t anim_tick)
{
    canvas_glow(canvas, x + 20, y + h / 2, 46, EMBER,
                40 + (int32_t)(anim_tick / 8 % 8 < 4 ? anim_tick / 8 % 4 : 4 - anim_tick / 8 % 4) * 5);
    canvas_box(canvas, (struct rect){x - 1, y - 1, w + 2, h + 2}, RIM_DARK);
    canvas_box(canvas, (struct rect){x, y, w, h}, BRASS);
    canvas_box(canvas, (struct rect){x, y, w, 1}, BRASS_LIT);
    canvas_box(canvas, (struct rect){x, y + h - 2, w, 2}, BRASS_LOW);
    for (int32_t side = 0; side < 2; side++) {
        int32_t rivet = side ? x + w - 5 : x + 3;
        canvas_box(canvas, (struct rect){rivet, y + h / 2 - 1, 2, 2}, BRASS_LOW);
        canvas_dot(canvas, rivet, y + h / 2 - 1, BRASS_LIT);
    }
}

static void draw_arrows(struct canvas *canvas, int32_t left, int32_t right, int32_t middle, argb ink)
{
    for (int32_t i = 0; i < 4; i++) {
        canvas_box(canvas, (struct rect){left - i, middle - 3 + i, 1, 7 - 2 * i}, ink);
        canvas_box(canvas, (struct rect){right + i, middle - 3 + i, 1, 7 - 2 * i}, ink);
    }
}

static bool is_colour(const struct item *item)
{
    const struct option *row = item->row ? preferences_row(item->row) : NULL;
    return row && row->offset == offsetof(struct preferences, colour);
}

// The sixteen colours of players are shown, not named.
static bool draw_swatch(struct canvas *canvas, const struct menu *menu, const struct item *item, int32_t right,
                        int32_t y)
{
    if (!is_colour(item) || menu->preferences->colour < 0)
        return false;
    uint32_t colour = (uint32_t)menu->preferences->colour;
    canvas_box(canvas, (struct rect){right - 31, y - 1, 32, 9}, RIM_DARK);
    canvas_box(canvas, (struct rect){right - 30, y, 30, 7}, palette_player(menu->preferences->colour_vision, colour));
    canvas_box(canvas, (struct rect){right - 30, y + 5, 30, 2},
               palette_player_dark(menu->preferences->colour_vision, colour));
    return true;
}

static bool is_volume(const struct item *item)
{
    const struct option *row = item->row ? preferences_row(item->row) : NULL;
    return row && row->kind == OPTION_NUMBER && row->most == PREFERENCES_VOLUME_MAX && !row->least;
}

static void draw_bars(struct canvas *canvas, int64_t level, int32_t right, int32_t y, argb full, argb empty)
{
    for (int32_t i = 0; i < PREFERENCES_VOLUME_MAX; i++)
        canvas_box(canvas, (struct rect){right - 60 + i * 6, y, 4, 7}, i < level ? full : empty);
}

static void draw_value(struct canvas *canvas, const struct menu *menu, const struct item *item, bool focused,
                       int32_t right, int32_t y, int32_t room, enum font_face face, argb ink, uint32_t anim_tick)
{
    char text[MENU_TYPED_BYTES + 8], shown[MENU_TYPED_BYTES + 8];
    bool typing = focused && menu->typing;
    menu_value(menu, item, text, sizeof text);
    if (focused && menu->binding)
        snprintf(text, sizeof text, "%s",
                 anim_tick / 20 % 2 ? item->kind == ITEM_PAD ? "press a button" : "press a key" : "");
    if (is_colour(item) && menu->preferences->colour < 0)
        snprintf(text, sizeof text, "automatic");
    int32_t inset = 10, w = 0;
    if (is_volume(item)) {
        draw_bars(canvas, strtol(text, NULL, 10), right - inset, y, ink, focused ? BRASS_LOW : RGB(0x34324A));
        w = 60;
    } else if (draw_swatch(canvas, menu, item, right - inset, y)) {
        w = 31;
    } else {
        cut(face, typing ? tail(face, text, room) : text, room, shown, sizeof shown);
        w = font_width(face, shown);
        font_draw(canvas, face, right - inset - w - (typing ? 5 : 0), y, ink, shown);
    }
    if (typing && anim_tick / 24 % 2 == 0)
        canvas_box(canvas, (struct rect){right - inset - 3, y - 1, 2, 9}, ink);
    if (item->kind == ITEM_SETTING && focused)
        draw_arrows(canvas, right - inset - w - 6, right - 4, y + 3, ink);
}

static void draw_item(struct canvas *canvas, const struct menu *menu, uint32_t index, struct layout layout,
                      uint32_t anim_tick)
{
    const struct item *item = &menu->items[index];
    bool focused = item == menu_focused(menu), large = is_title(menu) || menu->preferences->large_text;
    enum font_face face = large ? FONT_LARGE : FONT_SMALL;
    int32_t y = layout.y + (int32_t)(index - layout.first) * layout.row, text_y = y + (layout.row - 9) / 2;
    argb ink = focused ? INK_BRASS : item->kind == ITEM_NOTE ? INK_GOLD : INK;
    char shown[MENU_TYPED_BYTES];
    if (focused)
        draw_focus(canvas, layout.x, y, layout.w, layout.row - 2, anim_tick);
    else if (is_title(menu))
        text_panel_sheet(canvas, (struct rect){layout.x, y, layout.w, layout.row - 2}, 150);
    cut(face, item->label, item->value || item->row || item->text ? layout.w * 3 / 5 : layout.w - 24, shown,
        sizeof shown);
    int32_t x = layout.x + (item->kind == ITEM_NOTE ? 6 : 14);
    if (is_title(menu) && !focused)
        font_draw_outlined(canvas, face, x, text_y, ink, shown);
    else
        font_draw(canvas, face, x, text_y, ink, shown);
    int32_t room = layout.w - 60 - font_width(face, shown);
    draw_value(canvas, menu, item, focused, layout.x + layout.w - 12, text_y, room, face, focused ? INK_BRASS : INK_DIM,
               anim_tick);
}

static void draw_scroll(struct canvas *canvas, const struct menu *menu, struct layout layout)
{
    if (menu->count <= layout.shown)
        return;
    int32_t h = (int32_t)layout.shown * layout.row - 2, x = layout.x + layout.w + 5;
    int32_t knob = h * (int32_t)layout.shown / (int32_t)menu->count;
    canvas_box(canvas, (struct rect){x, layout.y, 3, h}, RGB(0x2A2A40));
    canvas_box(canvas,
               (struct rect){x, layout.y + (h - knob) * (int32_t)layout.first / (int32_t)(menu->count - layout.shown),
                             3, knob},
               RIM);
}

// Paper with a riveted rim.
static void draw_plate(struct canvas *canvas, int32_t x, int32_t y, int32_t w, int32_t h)
{
    canvas_veil(canvas, (struct rect){x, y, w, h}, TEXT_PANEL_COLOUR, 238);
    canvas_box(canvas, (struct rect){x, y, w, 1}, RIM);
    canvas_box(canvas, (struct rect){x, y + h - 1, w, 1}, RIM_DARK);
    canvas_box(canvas, (struct rect){x, y, 1, h}, RIM);
    canvas_box(canvas, (struct rect){x + w - 1, y, 1, h}, RIM_DARK);
    for (int32_t i = 0; i < 4; i++) {
        int32_t rivet_x = i % 2 ? x + w - 6 : x + 4, rivet_y = i / 2 ? y + h - 6 : y + 4;
        canvas_box(canvas, (struct rect){rivet_x, rivet_y, 2, 2}, RIM);
        canvas_dot(canvas, rivet_x, rivet_y, RGB(0x9DB8CC));
    }
}

// The players at this machine, in their colours and hats, on the rim of the plate; the one whose hat is being chosen
// stands out.
static void draw_players(struct canvas *canvas, const struct menu *menu, int32_t rim_y)
{
    const uint32_t *hats = menu->preferences->hats;
    const struct option *row =
        menu_focused(menu) && menu_focused(menu)->row ? preferences_row(menu_focused(menu)->row) : NULL;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        bool chosen = row && row->offset == offsetof(struct preferences, hats) + i * sizeof *hats;
        int32_t x = CANVAS_WIDTH - PLATE_X - (LOCAL_PLAYERS - (int32_t)i) * 42;
        argb colour = palette_player(menu->preferences->colour_vision, menu->facts.players[i].colour);
        if (chosen)
            canvas_glow(canvas, x + FIGURE_WIDTH, rim_y - FIGURE_HEIGHT, 34, EMBER, 70);
        draw_player_portrait(
            canvas, colour, (enum hat)hats[i],
            (struct placement){.x = x, .y = rim_y - 2 * FIGURE_HEIGHT, .w = 2 * FIGURE_WIDTH, .h = 2 * FIGURE_HEIGHT});
    }
}

static enum font_face face_of(const struct menu *menu)
{
    return menu->preferences->large_text ? FONT_LARGE : FONT_SMALL;
}

static const char *accept_hint(const struct menu *menu, const struct item *item)
{
    switch (item->kind) {
    case ITEM_TEXT:
        return menu->typing ? "done" : "type";
    case ITEM_KEY:
    case ITEM_PAD:
        return "change";
    case ITEM_SETTING:
    case ITEM_NOTE:
    case ITEM_ACTION:
    case ITEM_SCREEN:
        break;
    }
    return "choose";
}

static void draw_hints(struct canvas *canvas, const struct menu *menu)
{
    const struct item *item = menu_focused(menu);
    const struct screen *screen = menu_screen(menu);
    bool pad = menu->by_pad;
    enum font_face face = face_of(menu);
    int32_t x = 12;
    canvas_veil(canvas, (struct rect){0, HINTS_Y - 6, CANVAS_WIDTH, CANVAS_HEIGHT - HINTS_Y + 6}, TEXT_PANEL_COLOUR,
                190);
    if (menu->binding) {
        keycap_hint(canvas, face, x, HINTS_Y, pad ? "B" : "Esc", "cancel");
        return;
    }
    if (item && item->kind == ITEM_SETTING)
        x = keycap_hint(canvas, face, x, HINTS_Y, pad ? "cross" : "\xC2\xAB \xC2\xBB", "change") + APART_PX;
    else if (item)
        x = keycap_hint(canvas, face, x, HINTS_Y, pad ? "A" : "Enter", accept_hint(menu, item)) + APART_PX;
    if (item && (item->kind == ITEM_KEY || item->kind == ITEM_PAD))
        x = keycap_hint(canvas, face, x, HINTS_Y, pad ? "Y" : "Backspace", "clear") + APART_PX;
    if (screen->extra && screen->extra_hint && item && item->argument != UINT32_MAX)
        x = keycap_hint(canvas, face, x, HINTS_Y, pad ? "X" : "F", screen->extra_hint) + APART_PX;
    if (menu->depth > 1 || screen->left)
        keycap_hint(canvas, face, x, HINTS_Y, pad ? "B" : "Esc", "back");
}

static void draw_help(struct canvas *canvas, const struct menu *menu, const struct layout *layout)
{
    const struct item *item = menu_focused(menu);
    const char *text = menu->facts.message[0] ? menu->facts.message : item ? item->help : NULL;
    if (text && is_title(menu))
        text_panel_sheet(canvas,
                         (struct rect){layout->x, HELP_Y - 4, font_width(face_of(menu), text) + 12, FONT_LINE_PX + 5},
                         TEXT_PANEL_PART);
    if (text)
        text_panel_wrapped(canvas, face_of(menu), layout->x + 6,
                           is_title(menu) ? HELP_Y : layout->y + (int32_t)layout->shown * layout->row + 6,
                           is_title(menu) ? 400 : layout->w - 12, menu->facts.message[0] ? EMBER : INK_DIM, text);
}

void draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    if (!menu->depth)
        return;
    struct layout layout = layout_of(menu);
    uint32_t still = menu->preferences->reduced_motion ? 100000 : anim_tick;
    if (is_title(menu)) {
        for (int32_t x = 0; x < 230; x++)
            canvas_veil(canvas, (struct rect){x, 0, 1, CANVAS_HEIGHT}, TEXT_PANEL_COLOUR,
                        x < 120 ? 140 : 140 - (x - 120) * 140 / 110);
        logo_draw(canvas, 30, 22, still);
    } else {
        int32_t top = plate_y(layout.shown);
        canvas_veil(canvas, (struct rect){0, 0, CANVAS_WIDTH, CANVAS_HEIGHT}, TEXT_PANEL_COLOUR, 80);
        draw_plate(canvas, PLATE_X, top, CANVAS_WIDTH - 2 * PLATE_X, plate_h(layout.shown));
        font_draw_outlined(canvas, FONT_LARGE, LIST_X + 2, top + 10, INK_GOLD, menu_screen(menu)->title);
        canvas_box(canvas, (struct rect){LIST_X, top + 23, LIST_W, 1}, BRASS_LOW);
        canvas_box(canvas, (struct rect){LIST_X, top + 24, LIST_W, 1}, RIM_DARK);
        if (menu_screen(menu) == &SCREEN_PLAYER)
            draw_players(canvas, menu, top);
    }
    for (uint32_t i = layout.first; i < layout.first + layout.shown; i++)
        draw_item(canvas, menu, i, layout, still);
    draw_scroll(canvas, menu, layout);
    draw_help(canvas, menu, &layout);
    draw_hints(canvas, menu);
}
