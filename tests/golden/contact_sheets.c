// SPDX-License-Identifier: MIT
// Draws a sheet of each map into a folder, to be looked at: one to four players at the window from top to bottom, the
// palettes from left to right.
//     contact_sheets FOLDER [MAP]...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/screens.h"
#include "looks/display_options.h"
#include "pictures.h"
#include "window/screenshot.h"

#define ROWS 4
#define GAP  8 ///< between two pictures, px

static struct canvas canvas;
static argb sheet[(COLOUR_VISIONS * (CANVAS_WIDTH * CANVAS_FINE + GAP)) * (ROWS * (CANVAS_HEIGHT * CANVAS_FINE + GAP))];

// Copies the canvas to x, y of a sheet of `columns` px; a picture that is not fine is enlarged.
static void paste(int32_t x, int32_t y, int32_t columns)
{
    int32_t size = canvas.fine ? 1 : CANVAS_FINE;
    for (int32_t row = 0; row < CANVAS_HEIGHT * CANVAS_FINE; row++)
        for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_FINE; i++)
            sheet[(y + row) * columns + x + i] = canvas.pixels[row / size * canvas_columns(&canvas) + i / size];
}

static bool draw_sheet(const char *folder, uint32_t map)
{
    int32_t columns = COLOUR_VISIONS * (CANVAS_WIDTH * CANVAS_FINE + GAP);
    char path[1024];
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t vision = 0; vision < COLOUR_VISIONS; vision++) {
            canvas_resize(&canvas, false);
            picture_couch(&canvas, map, row + 1, vision);
            paste((int32_t)vision * (CANVAS_WIDTH * CANVAS_FINE + GAP),
                  (int32_t)row * (CANVAS_HEIGHT * CANVAS_FINE + GAP), columns);
        }
    snprintf(path, sizeof path, "%s/%s.png", folder, SCREEN_MAPS[map].name);
    if (screenshot_write(path, sheet, columns, ROWS * (CANVAS_HEIGHT * CANVAS_FINE + GAP), 1))
        return true;
    fprintf(stderr, "%s cannot be written.\n", path);
    return false;
}

static bool is_asked(const char *name, int count, char **names)
{
    bool asked = count == 0;
    for (int i = 0; i < count; i++)
        asked |= !strcmp(names[i], name);
    return asked;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: contact_sheets FOLDER [MAP]...\n");
        return EXIT_FAILURE;
    }
    for (uint32_t map = 0; map < SCREEN_MAP_COUNT; map++)
        if (is_asked(SCREEN_MAPS[map].name, argc - 2, argv + 2) && !draw_sheet(argv[1], map))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
