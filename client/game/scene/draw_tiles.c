// SPDX-License-Identifier: MIT
#include "painters.h"

#include "draw_sudden_death.h"
#include "looks/sprites.h"

#define EDGE MAP_EDGE_PX

static uint32_t look_of(const struct frame *frame, int32_t column, int32_t row)
{
    return tile_looks_at(frame->looks, &frame->tiles, column, row);
}

static void draw_pattern(const struct frame *frame, int32_t column, int32_t row)
{
    int32_t x = frame_x(frame, column * EDGE), y = frame_y(frame, row * EDGE);
    int32_t deep = (int32_t)(look_of(frame, column, row) & TILE_LOOK_DEPTH);
    const struct palette *palette = frame->palette;
    argb plate = canvas_mix(palette->wall, palette->wall_deep, deep * 85);
    argb seam = canvas_mix(palette->seam, palette->wall_deep, deep * 85);
    argb lit = canvas_mix(plate, palette->edge, deep == 0 ? 60 : 40 - 13 * deep);
    struct inks inks = {.of = {['.'] = plate, ['s'] = seam, ['l'] = lit, ['r'] = lit}};
    const char *art = SPRITE_WALL.art + (row & 1) * EDGE * SPRITE_WALL.w + (column & 1) * EDGE;
    struct rect seen = canvas_clip(frame->canvas, (struct rect){x, y, EDGE, EDGE});
    for (int32_t at_y = seen.y; at_y < seen.y + seen.h; at_y++)
        for (int32_t at_x = seen.x; at_x < seen.x + seen.w; at_x++)
            frame->canvas->pixels[at_y * canvas_columns(frame->canvas) + at_x] =
                inks.of[art[(at_y - y) * SPRITE_WALL.w + at_x - x] & 127];
}

// Rims on the open sides, a lit pixel in inner corners. Outer corners meet in the lit rim.
static void draw_rims(const struct frame *frame, int32_t column, int32_t row)
{
    int32_t x = frame_x(frame, column * EDGE), y = frame_y(frame, row * EDGE);
    uint32_t look = look_of(frame, column, row);
    const struct palette *palette = frame->palette;
    argb under = canvas_mix(palette->wall_deep, palette->edge, 50);
    if (look & TILE_LOOK_BELOW) {
        canvas_box(frame->canvas, (struct rect){x, y + EDGE - 2, EDGE, 1}, palette->wall_deep);
        canvas_box(frame->canvas, (struct rect){x, y + EDGE - 1, EDGE, 1}, under);
    }
    if (look & TILE_LOOK_LEFT)
        canvas_box(frame->canvas, (struct rect){x, y, 1, EDGE}, palette->edge);
    if (look & TILE_LOOK_RIGHT)
        canvas_box(frame->canvas, (struct rect){x + EDGE - 1, y, 1, EDGE}, palette->edge);
    if (look & TILE_LOOK_ABOVE) {
        canvas_box(frame->canvas, (struct rect){x, y, EDGE, 1}, palette->edge_lit);
        canvas_box(frame->canvas, (struct rect){x, y + 1, EDGE, 1}, palette->edge);
        canvas_veil(frame->canvas, (struct rect){x, y + 2, EDGE, 1}, palette->wall_deep, 90);
        for (int32_t dx = 0; palette->cap && dx < EDGE; dx++) {
            int32_t thick = 2 + (int32_t)(frame_hash(column * EDGE + dx / 2, 3) % 3);
            canvas_box(frame->canvas, (struct rect){x + dx, y - 1, 1, thick}, palette->cap);
        }
    }
    if (look & TILE_LOOK_CORNER_LEFT)
        canvas_dot(frame->canvas, x, y, palette->edge_lit);
    if (look & TILE_LOOK_CORNER_RIGHT)
        canvas_dot(frame->canvas, x + EDGE - 1, y, palette->edge_lit);
}

static void draw_plank(const struct frame *frame, int32_t x, int32_t y)
{
    static const struct inks WOOD = {
        .of = {['l'] = RGB(0xC99A72), ['w'] = RGB(0x8A5C48), ['d'] = RGB(0x4C3030), ['k'] = RGB(0x2E1E24)}};
    canvas_sprite(frame->canvas, &SPRITE_PLANK, (struct placement){.x = x, .y = y}, &WOOD);
}

// A wall of blocks has the colour of its team, and is cracked around its holes, where a ball goes through next.
static void draw_block(const struct frame *frame, int32_t column, int32_t row)
{
    const struct tile_view *tiles = &frame->tiles;
    int32_t x = frame_x(frame, column * EDGE), y = frame_y(frame, row * EDGE);
    struct inks stone = {.of = {['l'] = RGB(0xD0C0AC),
                                ['b'] = RGB(0x9C8676),
                                ['d'] = RGB(0x6E5A54),
                                ['c'] = RGB(0x54423F),
                                ['k'] = RGB(0x2C2226)}};
    uint32_t team = 0;
    for (int32_t i = 0; team == 0 && i < tiles->map->goal_count; i++)
        team = map_goal_has(&tiles->map->goals[i], column, row) ? tiles->map->goals[i].team : 0;
    for (const char *ink = "lbdc"; team && *ink; ink++)
        stone.of[(uint8_t)*ink] = canvas_mix(stone.of[(uint8_t)*ink], palette_team(team), 150);
    bool is_loose = tile_view_is_broken(tiles, column - 1, row) || tile_view_is_broken(tiles, column + 1, row) ||
                    tile_view_is_broken(tiles, column, row - 1) || tile_view_is_broken(tiles, column, row + 1);
    const struct sprite *art = is_loose ? &SPRITE_BLOCK_CRACKED : &SPRITE_BLOCK;
    canvas_sprite(frame->canvas, art, (struct placement){.x = x, .y = y}, &stone);
}

// Spikes stand on the wall below them, else hang from the one above.
static void draw_spike(const struct frame *frame, int32_t column, int32_t row)
{
    int32_t x = frame_x(frame, column * EDGE), y = frame_y(frame, row * EDGE);
    static const struct inks STEEL = {.of = {['l'] = RGB(0xF4F6F2), ['m'] = RGB(0xA9B4BE), ['d'] = RGB(0x5C6876)}};
    bool hangs =
        !tile_view_is_wall(&frame->tiles, column, row + 1) && tile_view_is_wall(&frame->tiles, column, row - 1);
    for (int32_t dy = 0; dy < EDGE; dy++) {
        struct sprite line = {SPRITE_SPIKE.w, 1, SPRITE_SPIKE.art + dy * SPRITE_SPIKE.w};
        canvas_sprite(frame->canvas, &line, (struct placement){.x = x, .y = hangs ? y + EDGE - 1 - dy : y + dy},
                      &STEEL);
    }
}

static void draw_tile(const struct frame *frame, int32_t column, int32_t row)
{
    switch (tile_view_tile(&frame->tiles, column, row)) {
    case DF_TILE_SOLID:
        draw_pattern(frame, column, row);
        draw_rims(frame, column, row);
        break;
    case DF_TILE_ONEWAY:
        draw_plank(frame, frame_x(frame, column * EDGE), frame_y(frame, row * EDGE));
        break;
    case DF_TILE_BLOCK:
        draw_block(frame, column, row);
        break;
    case DF_TILE_HAZARD:
        draw_spike(frame, column, row);
        break;
    case DF_TILE_EMPTY:
    case DF_TILE_KINDS:
        break;
    }
}

// Calls `paint` for each tile on the canvas and a little around it.
static void each_tile(const struct frame *frame, int32_t around,
                      void (*paint)(const struct frame *frame, int32_t column, int32_t row))
{
    int32_t column = df_floor_div(frame->left, EDGE), row = df_floor_div(frame->top, EDGE);
    for (int32_t y = row - around; y <= row + canvas_rows(frame->canvas) / EDGE + 1 + around; y++)
        for (int32_t x = column - around; x <= column + canvas_columns(frame->canvas) / EDGE + 1 + around; x++)
            paint(frame, x, y);
}

static void draw_fixture(const struct frame *frame, int32_t column, int32_t row)
{
    uint32_t look = look_of(frame, column, row);
    int32_t x = frame_x(frame, column * EDGE), y = frame_y(frame, row * EDGE);
    argb lamp = frame->palette->lamp;
    if (look & TILE_LOOK_LAMP) {
        struct inks inks = {.of = {['k'] = RGB(0x1B1822), ['l'] = canvas_mix(lamp, RGB(0xFFFFFF), 150)}};
        canvas_sprite(frame->canvas, &SPRITE_LAMP, (struct placement){.x = x, .y = y + EDGE}, &inks);
    }
    if (look & TILE_LOOK_FURNACE) {
        struct inks inks = {.of = {['k'] = RGB(0x120E14),
                                   ['o'] = canvas_mix(lamp, RGB(0x7A1E10), 110),
                                   ['y'] = canvas_mix(lamp, RGB(0xFFF0A0), 110)}};
        canvas_sprite(frame->canvas, &SPRITE_FURNACE, (struct placement){.x = x - 1, .y = y}, &inks);
    }
}

static void draw_light(const struct frame *frame, int32_t column, int32_t row)
{
    uint32_t look = look_of(frame, column, row);
    int32_t x = frame_x(frame, column * EDGE) + EDGE / 2, y = frame_y(frame, row * EDGE) + EDGE / 2;
    if (draw_sudden_death_hides(frame, column * EDGE + EDGE / 2))
        return;
    if (look & TILE_LOOK_LAMP)
        canvas_glow(frame->canvas, x - 1, y + EDGE + 6, 36, frame->palette->lamp, 76);
    if (look & TILE_LOOK_FURNACE) {
        int32_t flicker = (int32_t)(frame_hash((int32_t)(frame->tick / 7), column) % 22);
        canvas_glow(frame->canvas, x, y, 26, frame->palette->lamp, 110 + flicker);
    }
}

void draw_tiles(const struct frame *frame)
{
    each_tile(frame, 0, draw_tile);
    each_tile(frame, 1, draw_fixture);
}

void draw_tiles_light(const struct frame *frame)
{
    each_tile(frame, 4, draw_light);
}
