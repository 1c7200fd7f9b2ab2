// SPDX-License-Identifier: MIT
#include "draw_menu.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "hud/mode_text.h"
#include "looks/palette.h"
#include "menu_parts.h"
#include "scene/text_panel.h"
#include "screens.h"
#include "text/text.h"

#define CELL_BYTES 96
#define LOCK_X     9 ///< of the marks, from the left of a row
#define STAR_X     2
#define SLOW_MS    120 ///< from here on a ping is no longer good

// A column: its title, where it begins in the row, and its width, px; in small text, in large text, and in a tall
// picture. 0: not shown.
static const struct {
    const char *title;
    enum servers_sort sort;
    bool ends; ///< its texts end at its right
    struct {
        int32_t x, w;
    } at[3];
} COLUMNS[] = {
    {TEXT_KEY("Name"), SERVERS_SORT_NAME, false, {{19, 104}, {19, 142}, {19, 120}}},
    {TEXT_KEY("Players"), SERVERS_SORT_PLAYERS, true, {{123, 54}, {164, 80}, {141, 66}}},
    {TEXT_KEY("Mode"), SERVERS_SORT_MODE, false, {{187, 64}, {0, 0}, {0, 0}}},
    {TEXT_KEY("Map"), SERVERS_SORT_MAP, false, {{254, 79}, {250, 122}, {214, 74}}},
    {TEXT_KEY("Region"), SERVERS_SORT_REGION, false, {{336, 43}, {0, 0}, {0, 0}}},
    {TEXT_KEY("Ping"), SERVERS_SORT_PING, true, {{380, 38}, {374, 44}, {290, 38}}},
};
#define COLUMN_COUNT (sizeof COLUMNS / sizeof *COLUMNS)

static const char LOCK[] = ".###."
                           "#...#"
                           "#...#"
                           "#####"
                           "##.##"
                           "##.##"
                           "#####";
static const char STAR[] = "..#.."
                           "..#.."
                           "#####"
                           ".###."
                           ".###."
                           "#...#"
                           ".....";

static const char FRIEND[] = ".###."
                             ".###."
                             "..#.."
                             ".###."
                             "#.#.#"
                             "..#.."
                             ".#.#.";

static size_t layout_of(const struct draw_rows_pen *pen)
{
    return pen->canvas->shape == CANVAS_WIDE ? pen->face : 2;
}

// Returns the row of texts.
static int32_t text_y(const struct draw_rows_pen *pen)
{
    return pen->rect.y + (pen->rect.h - 8) / 2;
}

static void draw_mark(const struct draw_rows_pen *pen, const char *art, int32_t x, argb ink)
{
    struct sprite sprite = {5, 7, art};
    canvas_sprite(pen->canvas, &sprite, (struct placement){.x = pen->rect.x + x, .y = text_y(pen)},
                  &(struct inks){.of = {['#'] = ink}});
}

// Draws a text in a column, cut to its width.
static void draw_cell(const struct draw_rows_pen *pen, size_t column, argb ink, const char *text)
{
    int32_t x = pen->rect.x + COLUMNS[column].at[layout_of(pen)].x, w = COLUMNS[column].at[layout_of(pen)].w;
    char shown[CELL_BYTES + FONT_CUT_BYTES];
    utf8_copy(shown, CELL_BYTES, text);
    font_cut(pen->face, shown, w);
    if (COLUMNS[column].ends)
        x += w - font_width(pen->face, shown);
    if (w)
        font_draw(pen->canvas, pen->face, x, text_y(pen), ink, shown);
}

// In place of the ping of a server that cannot be joined stands why.
static argb write_ping(const struct server_row *row, char text[CELL_BYTES])
{
    if (row->takes_no_browsers) {
        snprintf(text, CELL_BYTES, "-");
        return INK_ALARM;
    }
    if (!server_rows_fits(row)) {
        snprintf(text, CELL_BYTES, "%s", row->facts.version);
        return INK_ALARM;
    }
    switch (row->ping) {
    case SERVER_PING_NONE:
        text[0] = 0;
        break;
    case SERVER_PING_WAITS:
        snprintf(text, CELL_BYTES, "...");
        break;
    case SERVER_PING_SILENT:
        snprintf(text, CELL_BYTES, "-");
        break;
    case SERVER_PING_KNOWN:
        snprintf(text, CELL_BYTES, "%u", row->rtt_ms);
        return row->rtt_ms < SLOW_MS ? RGB(0x8FD06A) : INK_GOLD;
    }
    return INK_DIM;
}

void draw_rows_server(const struct draw_rows_pen *pen, const struct server_row *row)
{
    const struct server_facts *facts = &row->facts;
    bool is_dim =
        !server_rows_fits(row) || row->takes_no_browsers || row->ping == SERVER_PING_SILENT || facts->is_closing;
    argb ink = pen->focused ? MENU_PARTS_ON_BRASS : is_dim ? INK_DIM : INK;
    argb dim = pen->focused ? MENU_PARTS_ON_BRASS : INK_DIM;
    char players[CELL_BYTES] = "", ping[CELL_BYTES];
    argb ping_ink = write_ping(row, ping);
    if (facts->name[0] && facts->bots)
        snprintf(players, CELL_BYTES, "%u+%u/%u", facts->players, facts->bots, facts->places);
    else if (facts->name[0])
        snprintf(players, CELL_BYTES, "%u/%u", facts->players, facts->places);
    if (row->sources & SERVER_SOURCE_FRIEND)
        draw_mark(pen, FRIEND, STAR_X, pen->focused ? MENU_PARTS_ON_BRASS : INK_GOLD);
    else if (row->sources & SERVER_SOURCE_FAVOURITE)
        draw_mark(pen, STAR, STAR_X, pen->focused ? MENU_PARTS_ON_BRASS : INK_GOLD);
    if (facts->has_password)
        draw_mark(pen, LOCK, LOCK_X, dim);
    draw_cell(pen, 0, ink, facts->name[0] ? facts->name : row->address);
    draw_cell(pen, 1, facts->players && !is_dim ? ink : dim, players);
    draw_cell(pen, 2, dim, mode_text_word_of(facts->mode));
    draw_cell(pen, 3, dim, text_map_title(facts->map));
    draw_cell(pen, 4, dim, facts->region);
    draw_cell(pen, 5, pen->focused ? MENU_PARTS_ON_BRASS : ping_ink, ping);
}

void draw_rows_server_head(const struct draw_rows_pen *pen, enum servers_sort sort)
{
    int32_t bottom = pen->rect.y + pen->rect.h;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        argb ink = pen->focused ? MENU_PARTS_ON_BRASS : COLUMNS[i].sort == sort ? INK_GOLD : INK_DIM;
        int32_t x = pen->rect.x + COLUMNS[i].at[layout_of(pen)].x, w = COLUMNS[i].at[layout_of(pen)].w;
        draw_cell(pen, i, ink, text_of(COLUMNS[i].title));
        if (COLUMNS[i].sort == sort && w)
            canvas_box(pen->canvas, (struct rect){x, bottom - 2, w, 1}, ink);
    }
    if (pen->focused)
        menu_parts_arrows(pen->canvas, (struct rect){pen->rect.x + 8, text_y(pen), pen->rect.w - 16, 7},
                          MENU_PARTS_ON_BRASS);
}

#define LEFT_PX     14 ///< from the left of a row to its date, as to the label of an item
#define RIGHT_PX    6  ///< from its length to its right
#define GAP_PX      8  ///< between two columns
#define FRAME_PX    2  ///< of brass around the picture
#define LINE_PX     13 ///< of the players
#define TEXT_ROOM   96
#define WIDEST_DATE "0000-00-00 00:00"

// Draws a text cut to a width, px; `ends`: at the right of it.
static void draw_cut(const struct draw_rows_pen *pen, struct rect rect, argb ink, const char *text, bool ends)
{
    char shown[TEXT_ROOM + FONT_CUT_BYTES];
    utf8_copy(shown, TEXT_ROOM, text);
    enum font_face face = font_that_fits(pen->face, shown, rect.w);
    font_cut(face, shown, rect.w);
    font_draw(pen->canvas, face, ends ? rect.x + rect.w - font_width(face, shown) : rect.x, rect.y, ink, shown);
}

void draw_rows_replay(const struct draw_rows_pen *pen, const struct menu_replay *replay)
{
    argb ink = pen->focused ? MENU_PARTS_ON_BRASS : INK, dim = pen->focused ? MENU_PARTS_ON_BRASS : INK_DIM;
    int32_t y = pen->rect.y + (pen->rect.h - 8) / 2, x = pen->rect.x + LEFT_PX,
            right = pen->rect.x + pen->rect.w - RIGHT_PX;
    int32_t date_px = font_width(pen->face, WIDEST_DATE), length_px = font_width(pen->face, replay->length);
    int32_t map_x = x + date_px + GAP_PX;
    draw_cut(pen, (struct rect){x, y, date_px, 0}, ink, replay->name, false);
    draw_cut(pen, (struct rect){map_x, y, right - length_px - GAP_PX - map_x, 0}, dim, text_map_title(replay->map),
             false);
    draw_cut(pen, (struct rect){right - length_px, y, length_px, 0}, dim, replay->length, true);
}

static void draw_player(const struct draw_rows_pen *pen, int32_t y, const struct menu_card_player *player)
{
    char score[16];
    argb ink = player->won ? INK_GOLD : INK;
    snprintf(score, sizeof score, "%d", player->score);
    int32_t score_px = font_width(pen->face, score);
    canvas_box(pen->canvas, (struct rect){pen->rect.x, y, 7, 7},
               palette_player_dark(pen->colour_vision, player->colour));
    canvas_box(pen->canvas, (struct rect){pen->rect.x, y, 7, 5}, palette_player(pen->colour_vision, player->colour));
    draw_cut(pen, (struct rect){pen->rect.x + 12, y, pen->rect.w - 12 - score_px - GAP_PX, 0}, ink, player->name,
             false);
    draw_cut(pen, (struct rect){pen->rect.x + pen->rect.w - score_px, y, score_px, 0}, ink, score, true);
}

void draw_rows_replay_card(const struct draw_rows_pen *pen, const struct menu_replay *replay,
                           const struct menu_card *card)
{
    struct canvas *canvas = pen->canvas;
    int32_t x = pen->rect.x, y = pen->rect.y;
    char more[24];
    struct rect picture = {x, y, MENU_CARD_WIDTH, MENU_CARD_HEIGHT};
    canvas_box(canvas, (struct rect){x - FRAME_PX, y - FRAME_PX, picture.w + 2 * FRAME_PX, picture.h + 2 * FRAME_PX},
               RGB(0x8A5A2B));
    canvas_box(canvas, picture, RGB(0x17121C));
    for (int32_t i = 0; card && i < MENU_CARD_WIDTH * MENU_CARD_HEIGHT; i++)
        canvas_dot(canvas, x + i % MENU_CARD_WIDTH, y + i / MENU_CARD_WIDTH, card->pixels[i]);
    y += MENU_CARD_HEIGHT + 8;
    draw_cut(pen, (struct rect){pen->rect.x, y, pen->rect.w, 0}, INK_GOLD, mode_text_title(replay->mode), false);
    for (uint32_t i = 0; card && i < card->player_count && i < MENU_CARD_PLAYERS; i++)
        draw_player(pen, y += LINE_PX, &card->players[i]);
    if (!card || card->player_count <= MENU_CARD_PLAYERS)
        return;
    snprintf(more, sizeof more, "+%u", card->player_count - MENU_CARD_PLAYERS);
    draw_cut(pen, (struct rect){pen->rect.x + 12, y + LINE_PX, pen->rect.w, 0}, INK_DIM, more, false);
}
