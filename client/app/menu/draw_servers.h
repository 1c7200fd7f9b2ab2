// SPDX-License-Identifier: MIT
//
// Draws the list of servers: a row of cells for each, and the titles of the columns, of which the one that the list is
// sorted by stands out. In large text there are fewer columns; the help below the list says the rest.
#ifndef APP_MENU_DRAW_SERVERS_H
#define APP_MENU_DRAW_SERVERS_H

#include "app/gfx/font.h"
#include "app/servers/server_rows.h"

/// Where a row is drawn, and how.
struct server_cells {
    struct canvas *canvas;
    enum font_face face;
    struct rect rect;
    bool focused; ///< brass lies below
};

/// Draws a server.
void draw_servers_row(const struct server_cells *cells, const struct server_row *row);
/// Draws the titles of the columns.
void draw_servers_head(const struct server_cells *cells, enum servers_sort sort);

#endif
