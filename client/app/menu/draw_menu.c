// SPDX-License-Identifier: MIT
#include "draw_menu.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "hud/hints.h"
#include "looks/palette.h"
#include "looks/sprites.h"
#include "menu_parts.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "screens.h"
#include "text/text.h"

#define ROW_PX    16
#define LIST_TOP  34 ///< rows of the plate above the items
#define HELP_PX   38 ///< below them: two lines of help
#define LABEL_PX  14 ///< from the left of an item to its label
#define NOTE_PX   6  ///< to a note
#define VALUE_PX  22 ///< from an item's value to its right
#define CODE_PX   (9 * ROW_PX)
#define GAP_PX    24      ///< between label and value
#define REST_TICK 100000u ///< when everything that falls or turns has come to rest

// Where the parts of a menu stand. Fingers need larger ones than keys and the mouse.
struct places {
    int32_t w, h; ///< of the picture
    int32_t plate_x, list_x, list_w, row_px;
    int32_t title_x, title_y, title_w, title_row_px;
    int32_t hints_y, help_y;
};
static const struct places PLACES[2][2] = {
    {{CANVAS_WIDTH, CANVAS_HEIGHT, 80, 104, 432, ROW_PX, 48, 132, 200, 22, CANVAS_HEIGHT - 15, CANVAS_HEIGHT - 33},
     {CANVAS_WIDTH, CANVAS_HEIGHT, 60, 76, 488, 28, 48, 110, 200, 27, CANVAS_HEIGHT - 27, CANVAS_HEIGHT - 53}},
    {{CANVAS_TALL_WIDTH, CANVAS_TALL_HEIGHT, 4, 14, 332, ROW_PX, 60, 190, 240, 24, CANVAS_TALL_HEIGHT - 15,
      CANVAS_TALL_HEIGHT - 33},
     {CANVAS_TALL_WIDTH, CANVAS_TALL_HEIGHT, 4, 14, 332, 32, 50, 190, 260, 40, CANVAS_TALL_HEIGHT - 27,
      CANVAS_TALL_HEIGHT - 53}}};

// One drawing of a menu, and where the items of its topmost screen stand.
struct painting {
    struct canvas *canvas;
    const struct menu *menu;
    const struct places *at;
    uint32_t anim_tick;
    bool is_title;
    int32_t x, y, w, row_px;
    uint32_t first, shown; ///< items that are seen
    uint32_t pinned;       ///< item that is seen in the place of the first; MENU_NOTHING: none
};

// One item on the canvas.
struct row {
    const struct item *item;
    bool focused;
    struct rect rect;
    enum font_face face, value_face;
};

static const struct places *places_of(const struct menu *menu)
{
    return &PLACES[menu->is_tall][menu->by_touch];
}

// The plate is as high as what stands on it, in the middle of the picture. A tall picture has what stands beside the
// items below them.
static struct rect plate_of(const struct menu *menu, uint32_t shown)
{
    const struct places *at = places_of(menu);
    bool is_bare = menu_screen(menu) == &SCREEN_REPLAYS && !menu->facts.replay_count;
    int32_t aside = is_bare ? 0 : (int32_t)menu_screen(menu)->least_rows * ROW_PX, list = (int32_t)shown * at->row_px;
    aside = menu->is_tall && aside > 0 && aside < CODE_PX + ROW_PX ? CODE_PX + ROW_PX : aside; // the help is below it
    int32_t h = LIST_TOP + HELP_PX + (menu->is_tall ? list + aside : aside > list ? aside : list);
    return (struct rect){at->plate_x, (at->hints_y - 4 - h) / 2, at->w - 2 * at->plate_x, h};
}

// Returns the row at which that stands.
static int32_t aside_y(const struct painting *painting, struct rect plate)
{
    return plate.y + LIST_TOP + (painting->menu->is_tall ? (int32_t)painting->shown * painting->row_px + 8 : 0);
}

static struct painting lay_out(const struct menu *menu)
{
    const struct places *at = places_of(menu);
    uint32_t total = menu_count(menu), most = menu_rows(menu), shown = total < most ? total : most;
    struct painting painting = {.menu = menu, .at = at, .shown = shown, .is_title = !menu_screen(menu)->title};
    painting.first = menu->first[menu->depth - 1];
    painting.pinned = menu_pinned(menu);
    painting.x = painting.is_title ? at->title_x : at->list_x;
    painting.y = painting.is_title ? at->title_y : plate_of(menu, shown).y + LIST_TOP;
    painting.w = painting.is_title ? at->title_w : at->list_w - (menu->is_tall ? 0 : menu_screen(menu)->aside_px);
    painting.row_px = painting.is_title ? at->title_row_px : at->row_px;
    return painting;
}

// The live match of the title stands at the right, level with the last of the other items.
static struct rect rect_of(const struct painting *painting, uint32_t index)
{
    if (painting->is_title && index >= SCREEN_TITLE_COUNT && !painting->menu->is_tall)
        return (struct rect){CANVAS_WIDTH - painting->x - painting->w,
                             painting->y + (SCREEN_TITLE_COUNT - 1) * painting->row_px, painting->w, painting->row_px};
    uint32_t place = index == painting->pinned ? 0 : index - painting->first;
    int32_t y = painting->y + (int32_t)place * painting->row_px;
    return (struct rect){painting->x, y, painting->w, painting->row_px};
}

int32_t draw_menu_row_px(const struct menu *menu)
{
    return places_of(menu)->row_px;
}

bool draw_menu_is_less(const struct menu *menu, int32_t x)
{
    struct painting painting = lay_out(menu);
    return x < painting.x + painting.w * 3 / 4;
}

uint32_t draw_menu_item_at(const struct menu *menu, int32_t x, int32_t y)
{
    if (!menu->depth)
        return MENU_NOTHING;
    struct painting painting = lay_out(menu);
    for (uint32_t i = painting.first; i < painting.first + painting.shown; i++) {
        struct rect rect = rect_of(&painting, i);
        if (x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h)
            return i;
    }
    return MENU_NOTHING;
}

// Texts of items, with room for the end of one that is cut.
#define ITEM_TEXT_BYTES (MENU_TEXT_BYTES + FONT_CUT_BYTES)

static bool is_row(const struct item *item, size_t offset)
{
    const struct option *option = preferences_option(item->row);
    return option && option->offset == offset;
}

// Returns the colour that an item sets, -1 to 15; NULL for another item.
static const int64_t *colour_of(const struct menu *menu, const struct item *item)
{
    for (uint32_t number = 0; number < LOCAL_PLAYERS; number++) {
        const int64_t *colour = preferences_player_colour(menu->preferences, number);
        if (is_row(item, (size_t)((const char *)colour - (const char *)menu->preferences)))
            return colour;
    }
    return NULL;
}

static bool is_typed_into(const struct painting *painting, const struct row *row)
{
    return row->focused && painting->menu->typing;
}

static void value_text(const struct painting *painting, const struct row *row, char text[ITEM_TEXT_BYTES])
{
    const struct menu *menu = painting->menu;
    menu_value(menu, row->item, text, ITEM_TEXT_BYTES - FONT_CUT_BYTES);
    for (uint32_t number = 1; number < LOCAL_PLAYERS && !is_typed_into(painting, row); number++) {
        const char *own = menu->preferences->friend_names[number - 1];
        if (!*own && is_row(row->item, (size_t)(own - (const char *)menu->preferences)))
            preferences_player_name(menu->preferences, number, text); // who has none of their own
    }
    if (row->focused && menu->binding)
        snprintf(text, ITEM_TEXT_BYTES, "%s",
                 painting->anim_tick / 20 % 2 == 0 ? ""
                 : row->item->kind == ITEM_GAMEPAD ? text_of("press a button")
                                                   : text_of("press a key"));
    const int64_t *player_colour = colour_of(menu, row->item);
    if (player_colour && *player_colour < 0)
        snprintf(text, ITEM_TEXT_BYTES, "%s", text_of("automatic"));
    if (is_row(row->item, offsetof(struct preferences, window.screen)) && menu->preferences->window.screen == 0)
        snprintf(text, ITEM_TEXT_BYTES, "%s", text_of("automatic"));
}

// Draws a key as a keycap with an arrow or its name, a button of a gamepad as its glyph. Returns its width, px.
static int32_t draw_cap(const struct painting *painting, const struct row *row)
{
    const struct menu *menu = painting->menu;
    uint32_t bound = menu_bound(menu, row->item);
    char name[ITEM_TEXT_BYTES];
    if (row->item->kind == ITEM_GAMEPAD)
        snprintf(name, sizeof name, "%s", pad_glyphs_name(menu_pad_family(menu), bound));
    else
        hints_key_name(bound, name, sizeof name);
    int32_t w = keycap_width(FONT_SMALL, name), y = row->rect.y + (painting->row_px - 8) / 2;
    struct keycap_pen pen = {painting->canvas, FONT_SMALL, row->rect.x + row->rect.w - VALUE_PX - w, y};
    keycap_draw(&pen, name);
    return w;
}

// Draws what stands at the right of an item, in at most `room` px.
static void draw_value(const struct painting *painting, const struct row *row, char text[ITEM_TEXT_BYTES], int32_t room)
{
    const struct preferences *preferences = painting->menu->preferences;
    struct canvas *canvas = painting->canvas;
    const int64_t *player_colour = colour_of(painting->menu, row->item);
    bool typing = is_typed_into(painting, row);
    int32_t right = row->rect.x + row->rect.w - VALUE_PX, y = row->rect.y + (painting->row_px - 9) / 2, w;
    argb ink = row->focused ? MENU_PARTS_ON_BRASS : row->item->lit ? INK_GOLD : INK_DIM;
    const struct option *option = preferences_option(row->item->row);
    if (option && option->kind == OPTION_NUMBER && option->most == PREFERENCES_VOLUME_MAX && !option->least) {
        w = MENU_PARTS_BARS_PX;
        menu_parts_bars(canvas, right, y, strtol(text, NULL, 10), row->focused);
    } else if (player_colour && *player_colour >= 0) {
        uint32_t vision = preferences->display.colour_vision, colour = (uint32_t)*player_colour;
        w = MENU_PARTS_SWATCH_PX;
        menu_parts_swatch(canvas, right, y, palette_player(vision, colour), palette_player_dark(vision, colour));
    } else if (menu_bound(painting->menu, row->item) && !(row->focused && painting->menu->binding)) {
        w = draw_cap(painting, row);
    } else {
        enum font_face face = typing ? row->value_face : font_that_fits(row->value_face, text, room);
        const char *shown = typing ? text_panel_tail(face, text, room) : text;
        if (!typing)
            font_cut(face, text, room);
        w = font_width(face, shown);
        font_draw(canvas, face, right - w - (typing ? 5 : 0), y, ink, shown);
    }
    if (typing && painting->anim_tick / 24 % 2 == 0)
        canvas_box(canvas, (struct rect){right - 3, y - 1, 2, 9}, ink);
    if (row->item->kind == ITEM_SETTING && row->focused)
        menu_parts_arrows(canvas, (struct rect){right - w - 6, y, w + 12, 7}, ink);
}

static void draw_item(const struct painting *painting, uint32_t index)
{
    struct canvas *canvas = painting->canvas;
    const struct item *item = &painting->menu->items[index];
    struct row row = {.item = item,
                      .focused = item == menu_focused(painting->menu),
                      .rect = rect_of(painting, index),
                      .face = painting->is_title ? FONT_LARGE : menu_face(painting->menu)};
    row.value_face = row.face;
    char label[ITEM_TEXT_BYTES], value[ITEM_TEXT_BYTES];
    row.rect.h -= 2;
    if (row.focused)
        menu_parts_focus(canvas, row.rect, painting->anim_tick);
    else if (painting->is_title)
        text_panel_sheet(canvas, row.rect, 150);
    value_text(painting, &row, value);
    int32_t w = row.rect.w, room = w - LABEL_PX - VALUE_PX - GAP_PX;
    int32_t label_px = item->value || item->row || item->text ? w * 3 / 5 : w - 24;
    if (item->value) { // it says more than the end of a long label, and is small rather than cut
        if (font_width(row.face, value) > room - w / 4)
            row.value_face = FONT_SMALL;
        label_px = number_clamp(room - font_width(row.value_face, value), w / 4, room);
    }
    utf8_copy(label, sizeof label - FONT_CUT_BYTES, item->label);
    row.face = font_that_fits(row.face, label, label_px);
    font_cut(row.face, label, label_px);
    int32_t x = row.rect.x + (item->kind == ITEM_NOTE ? NOTE_PX : LABEL_PX),
            y = row.rect.y + (painting->row_px - 9) / 2;
    if (item->swatch) {
        uint32_t vision = painting->menu->preferences->display.colour_vision;
        canvas_box(canvas, (struct rect){x, y, 7, 7}, palette_player_dark(vision, item->swatch - 1));
        canvas_box(canvas, (struct rect){x, y, 7, 5}, palette_player(vision, item->swatch - 1));
        x += 12;
    }
    argb ink = row.focused ? MENU_PARTS_ON_BRASS : item->kind == ITEM_NOTE ? INK_GOLD : INK;
    if (painting->is_title && !row.focused)
        font_draw_outlined(canvas, row.face, x, y, ink, label);
    else
        font_draw(canvas, row.face, x, y, ink, label);
    draw_value(painting, &row, value, room - font_width(row.face, label));
}

// Draws a server, a replay, or the titles of the columns. Returns false if it is neither.
static bool draw_in_table(const struct painting *painting, uint32_t index)
{
    const struct menu *menu = painting->menu;
    bool is_row = index >= menu->count, focused = index == menu->focus[menu->depth - 1];
    struct draw_rows_pen pen = {painting->canvas, menu_face(menu), rect_of(painting, index), focused, 0};
    pen.rect.h -= 2;
    if (!is_row && !menu->items[index].is_table_head)
        return false;
    if (focused)
        menu_parts_focus(painting->canvas, pen.rect, painting->anim_tick);
    if (is_row && menu_screen(menu) == &SCREEN_REPLAYS)
        draw_rows_replay(&pen, &menu->facts.replays[index - menu->count]);
    else if (is_row)
        draw_rows_server(&pen, server_rows_at(menu->facts.servers, index - menu->count));
    else
        draw_rows_server_head(&pen, (enum servers_sort)menu->preferences->servers_sort);
    return true;
}

// The players at this machine, in their colours and hats, on the rim of the plate; the one whose hat is being chosen
// stands out.
static void draw_players(const struct painting *painting, int32_t rim_y)
{
    const struct menu *menu = painting->menu;
    const struct item *item = menu_focused(menu);
    const uint32_t *hats = menu->preferences->hats;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        bool chosen = item && is_row(item, offsetof(struct preferences, hats) + i * sizeof *hats);
        int32_t x = painting->at->w - painting->at->plate_x - (LOCAL_PLAYERS - (int32_t)i) * 42;
        const struct lobby *lobby = menu->facts.lobby;
        argb colour = palette_player(menu->preferences->display.colour_vision, lobby ? lobby->players[i].colour : 0);
        if (chosen)
            canvas_glow(painting->canvas, x + FIGURE_WIDTH, rim_y - FIGURE_HEIGHT, 34, MENU_PARTS_EMBER, 70);
        draw_player_portrait(
            painting->canvas, &(struct portrait){.colour = colour, .main = colour, .hat = (enum hat)hats[i]},
            (struct placement){.x = x, .y = rim_y - 2 * FIGURE_HEIGHT, .w = 2 * FIGURE_WIDTH, .h = 2 * FIGURE_HEIGHT});
    }
}

static void draw_plate(const struct painting *painting)
{
    struct canvas *canvas = painting->canvas;
    const struct screen *screen = menu_screen(painting->menu);
    const struct menu_facts *facts = &painting->menu->facts;
    struct rect plate = plate_of(painting->menu, painting->shown);
    const struct places *at = painting->at;
    int32_t code_x = painting->menu->is_tall ? (at->w - CODE_PX) / 2 : at->list_x + at->list_w - CODE_PX;
    canvas_veil(canvas, (struct rect){0, 0, at->w, at->h}, TEXT_PANEL_COLOUR, 80);
    menu_parts_plate(canvas, plate);
    font_draw_outlined(canvas, FONT_LARGE, at->list_x + 2, plate.y + 10, INK_GOLD, text_of(screen->title));
    menu_parts_rule(canvas, at->list_x, plate.y + 23, at->list_w);
    if (screen == &SCREEN_INVITE)
        menu_parts_qr_code(canvas, &facts->invitation.code, code_x, aside_y(painting, plate), CODE_PX);
    uint32_t replay = painting->menu->focus[painting->menu->depth - 1] - painting->menu->count;
    if (screen == &SCREEN_REPLAYS && replay < facts->replay_count) {
        struct rect rect = {at->list_x + at->list_w - MENU_CARD_WIDTH, aside_y(painting, plate), MENU_CARD_WIDTH,
                            10 * ROW_PX};
        struct draw_rows_pen pen = {canvas, menu_face(painting->menu), rect, false,
                                    painting->menu->preferences->display.colour_vision};
        draw_rows_replay_card(&pen, &facts->replays[replay], facts->replay_card);
    }
    if (screen == &SCREEN_FRIENDS)
        menu_parts_qr_code(canvas, &facts->friend_code, code_x, aside_y(painting, plate), CODE_PX);
    if (screen == &SCREEN_PLAYER)
        draw_players(painting, plate.y);
    if (menu_count(painting->menu) > painting->shown) {
        struct rect bar = {at->list_x + at->list_w + 5, painting->y, 3, (int32_t)painting->shown * at->row_px - 2};
        menu_parts_scroll_bar(canvas, bar, painting->first, painting->shown, menu_count(painting->menu));
    }
}

static void draw_help(const struct painting *painting)
{
    const struct menu *menu = painting->menu;
    const struct item *item = menu_focused(menu);
    const char *message = menu->facts.message, *text = message[0] ? message : item ? item->help : NULL;
    char line[TEXT_PANEL_LINE_BYTES];
    enum font_face face = menu_face(menu);
    const struct places *at = painting->at;
    int32_t y = painting->is_title ? at->help_y : painting->y + (int32_t)painting->shown * painting->row_px + 6;
    if (!text || (painting->is_title && menu->by_touch && !message[0]))
        return;
    if (menu->is_tall && !painting->is_title)
        y += plate_of(menu, painting->shown).h - LIST_TOP - HELP_PX - (int32_t)painting->shown * painting->row_px;
    if (painting->is_title)
        text_panel_sheet(painting->canvas,
                         (struct rect){painting->x, y - 4, font_width(face, text) + 12, FONT_LINE_PX + 5},
                         TEXT_PANEL_PART);
    for (int32_t w = painting->is_title ? at->w - 2 * painting->x : painting->w - 12;
         text_panel_take_line(&text, face, w, line); y += FONT_LINE_PX + 2)
        font_draw_outlined(painting->canvas, face, painting->x + 6, y, message[0] ? MENU_PARTS_EMBER : INK_DIM, line);
}

void draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    if (!menu->depth)
        return;
    struct painting painting = lay_out(menu);
    painting.canvas = canvas;
    painting.anim_tick = menu->preferences->display.reduced_motion ? REST_TICK : anim_tick;
    if (menu_screen(menu) == &SCREEN_LOBBY) {
        draw_lobby(canvas, menu, painting.anim_tick);
        return;
    }
    if (painting.is_title) {
        const struct places *at = painting.at;
        int32_t dark = menu->is_tall ? at->w : 160, logo_y = at->title_y > 150 ? 80 : at->title_y > 120 ? 38 : 16;
        canvas_veil(canvas, (struct rect){0, 0, dark, at->h}, TEXT_PANEL_COLOUR, 140);
        canvas_fade(canvas, (struct rect){dark, 0, 130, at->h}, TEXT_PANEL_COLOUR, 140);
        logo_draw(canvas, at->title_x - 4, logo_y, painting.anim_tick);
    } else {
        draw_plate(&painting);
    }
    for (uint32_t i = painting.first; i < painting.first + painting.shown; i++) {
        uint32_t item = i == painting.first && painting.pinned != MENU_NOTHING ? painting.pinned : i;
        if (!draw_in_table(&painting, item))
            draw_item(&painting, item);
    }
    draw_help(&painting);
    draw_menu_hints(canvas, menu);
}
