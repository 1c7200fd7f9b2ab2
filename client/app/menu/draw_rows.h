// SPDX-License-Identifier: MIT
//
// Draws the rows of the long lists. A server has a row of cells under the titles of the columns, of which the one that
// the list is sorted by stands out; in large text there are fewer columns, and the help below the list says the rest.
// A replay has its date, map and length, and beside the list a card with a picture of the match and its best players.
#ifndef APP_MENU_DRAW_ROWS_H
#define APP_MENU_DRAW_ROWS_H

#include "app/servers/server_rows.h"
#include "menu.h"
#include "window/font.h"

/// Where a row is drawn, and how.
struct server_cells {
    struct canvas *canvas;
    enum font_face face;
    struct rect rect;
    bool focused; ///< brass lies below
};

/// Draws a server.
void draw_rows_server(const struct server_cells *cells, const struct server_row *row);
/// Draws the titles of the columns.
void draw_rows_server_head(const struct server_cells *cells, enum servers_sort sort);

/// What a row or a card is drawn with, and where.
struct replay_pen {
    struct canvas *canvas;
    enum font_face face;
    struct rect rect;
    uint32_t colour_vision; ///< for the colours of players
};

/// Draws a row; `focused`: brass lies below.
void draw_rows_replay(const struct replay_pen *pen, const struct menu_replay *replay, bool focused);
/// Draws a card, at the width of its picture; `card` NULL: it is still made.
void draw_rows_replay_card(const struct replay_pen *pen, const struct menu_replay *replay,
                           const struct menu_card *card);

#endif
