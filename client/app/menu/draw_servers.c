// SPDX-License-Identifier: MIT
#include "draw_servers.h"

#include <stdio.h>
#include <string.h>

#include "app/render/text_panel.h"
#include "app/text/map_title.h"
#include "app/text/text.h"
#include "base/utf8.h"
#include "menu_parts.h"
#include "screens.h"

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

static size_t layout_of(const struct server_cells *cells)
{
    return cells->canvas->shape == CANVAS_WIDE ? cells->face : 2;
}

// Returns the row of texts.
static int32_t text_y(const struct server_cells *cells)
{
    return cells->rect.y + (cells->rect.h - 8) / 2;
}

static void draw_mark(const struct server_cells *cells, const char *art, int32_t x, argb ink)
{
    struct sprite sprite = {5, 7, art};
    canvas_sprite(cells->canvas, &sprite, (struct placement){.x = cells->rect.x + x, .y = text_y(cells)},
                  &(struct inks){.of = {['#'] = ink}});
}

// Draws a text in a column, cut to its width.
static void draw_cell(const struct server_cells *cells, size_t column, argb ink, const char *text)
{
    int32_t x = cells->rect.x + COLUMNS[column].at[layout_of(cells)].x, w = COLUMNS[column].at[layout_of(cells)].w;
    char shown[CELL_BYTES + FONT_CUT_BYTES];
    utf8_copy(shown, CELL_BYTES, text);
    font_cut(cells->face, shown, w);
    if (COLUMNS[column].ends)
        x += w - font_width(cells->face, shown);
    if (w)
        font_draw(cells->canvas, cells->face, x, text_y(cells), ink, shown);
}

static void write_players(const struct server_facts *facts, char text[CELL_BYTES])
{
    if (!facts->name[0])
        text[0] = 0;
    else if (facts->bots)
        snprintf(text, CELL_BYTES, "%u+%u/%u", facts->players, facts->bots, facts->places);
    else
        snprintf(text, CELL_BYTES, "%u/%u", facts->players, facts->places);
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

void draw_servers_row(const struct server_cells *cells, const struct server_row *row)
{
    const struct server_facts *facts = &row->facts;
    bool is_dim =
        !server_rows_fits(row) || row->takes_no_browsers || row->ping == SERVER_PING_SILENT || facts->is_closing;
    argb ink = cells->focused ? MENU_PARTS_ON_BRASS : is_dim ? INK_DIM : INK;
    argb dim = cells->focused ? MENU_PARTS_ON_BRASS : INK_DIM;
    char players[CELL_BYTES], ping[CELL_BYTES];
    argb ping_ink = write_ping(row, ping);
    write_players(facts, players);
    if (row->sources & SERVER_SOURCE_FRIEND)
        draw_mark(cells, FRIEND, STAR_X, cells->focused ? MENU_PARTS_ON_BRASS : INK_GOLD);
    else if (row->sources & SERVER_SOURCE_FAVOURITE)
        draw_mark(cells, STAR, STAR_X, cells->focused ? MENU_PARTS_ON_BRASS : INK_GOLD);
    if (facts->has_password)
        draw_mark(cells, LOCK, LOCK_X, dim);
    draw_cell(cells, 0, ink, facts->name[0] ? facts->name : row->address);
    draw_cell(cells, 1, facts->players && !is_dim ? ink : dim, players);
    draw_cell(cells, 2, dim, screen_mode_word(facts->mode));
    draw_cell(cells, 3, dim, map_title(facts->map));
    draw_cell(cells, 4, dim, facts->region);
    draw_cell(cells, 5, cells->focused ? MENU_PARTS_ON_BRASS : ping_ink, ping);
}

void draw_servers_head(const struct server_cells *cells, enum servers_sort sort)
{
    int32_t bottom = cells->rect.y + cells->rect.h;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        argb ink = cells->focused ? MENU_PARTS_ON_BRASS : COLUMNS[i].sort == sort ? INK_GOLD : INK_DIM;
        int32_t x = cells->rect.x + COLUMNS[i].at[layout_of(cells)].x, w = COLUMNS[i].at[layout_of(cells)].w;
        draw_cell(cells, i, ink, text_of(COLUMNS[i].title));
        if (COLUMNS[i].sort == sort && w)
            canvas_box(cells->canvas, (struct rect){x, bottom - 2, w, 1}, ink);
    }
    if (cells->focused)
        menu_parts_arrows(cells->canvas, (struct rect){cells->rect.x + 8, text_y(cells), cells->rect.w - 16, 7},
                          MENU_PARTS_ON_BRASS);
}
