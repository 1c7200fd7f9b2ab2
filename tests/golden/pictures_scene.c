// SPDX-License-Identifier: MIT
#include "pictures_scene.h"

#include <stdlib.h>
#include <string.h>

#include "test_map.h"

#define COLUMNS 60
#define ROWS    34

struct still still;
bool still_large;

struct display_options still_options(void)
{
    struct display_options options = DISPLAY_OPTIONS_DEFAULT;
    options.large_text = still_large;
    return options;
}

void still_preferences(void)
{
    struct error error;
    if (!preferences_read(&still.preferences, "", &error))
        abort();
    still.preferences.display.large_text = still_large;
}

void still_ground(struct canvas *canvas)
{
    canvas->fine = canvas->by_points = canvas->refined = false;
    for (int32_t y = 0; y < CANVAS_HEIGHT; y += 8)
        for (int32_t x = 0; x < CANVAS_WIDTH; x += 8)
            canvas_box(canvas, (struct rect){x, y, 8, 8}, (x + y) / 8 % 2 ? RGB(0x46506A) : RGB(0x3A4258));
}

const struct frame *still_begin_on_map(struct canvas *canvas)
{
    struct map map = still.match.map;
    memset(&still, 0, sizeof still);
    still.match.map = map;
    test_match_start(&still.match);
    still.match.world.tick = STILL_TICK;
    still.match.world.round.phase = ROUND_PLAYING;
    still.display = still_options();
    still.scene.display = &still.display;
    still_preferences();
    still.frame = (struct frame){.canvas = canvas,
                                 .view = &still.view,
                                 .palette = palette_of(map.theme),
                                 .tiles = {&still.match.map, still.match.world.broken},
                                 .tick = STILL_TICK,
                                 .display = &still.display};
    still_look();
    still_ground(canvas);
    return &still.frame;
}

const struct frame *still_begin(struct canvas *canvas)
{
    static char text[ROWS][COLUMNS + 1];
    const char *rows[ROWS + 1] = {NULL};
    for (uint32_t row = 0; row < ROWS; row++) {
        memset(text[row], row == ROWS - 1 ? '#' : '.', COLUMNS);
        rows[row] = text[row];
    }
    text[ROWS - 2][COLUMNS / 2] = 'S';
    memset(&still.match, 0, sizeof still.match);
    test_map_draw(&still.match.map, rows);
    return still_begin_on_map(canvas);
}

void still_look(void)
{
    view_fill(&still.view, &still.match.map, &still.match.world, &still.match.world, 256, NULL);
    still.view.slot = PLAYER_CAPACITY;
    still.view.hats = still.hats;
    still.view.event_count = 0;
}

void still_share(uint32_t players)
{
    still.view.slot = 0;
    still.view.own = (struct local_seats){0};
    for (uint32_t slot = 0; slot < players; slot++)
        still.view.own.of[slot] = slot + 1;
}

struct player *still_player(uint32_t slot, int32_t x, int32_t y, const char *name, uint32_t colour)
{
    struct player *player = test_match_put(&still.match, slot, x, y);
    memset(player->name, 0, sizeof player->name);
    memcpy(player->name, name, strlen(name));
    player->colour = colour;
    player->flags = PLAYER_GROUNDED;
    player->aim_x = player->aim_y = 0;
    player->shield_until = 0;
    return player;
}

void still_paste(struct canvas *canvas, int32_t x, int32_t y, struct canvas *from, struct rect part)
{
    if (canvas->fine || from->fine) { // one of them has small letters
        canvas_refine(canvas);
        canvas_refine(from);
    }
    int32_t size = canvas->fine ? CANVAS_FINE : 1, columns = CANVAS_WIDTH * size;
    for (int32_t row = 0; row < part.h * size; row++)
        memcpy(&canvas->pixels[(y * size + row) * columns + x * size],
               &from->pixels[(part.y * size + row) * columns + part.x * size],
               (size_t)(part.w * size) * sizeof *canvas->pixels);
}
