// SPDX-License-Identifier: MIT
#include "painters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TEETH  12
#define SEA_PX 46 ///< height of the sea of clouds above the foot of other skylines

// One layer of skyline, and where it is drawn.
struct layer {
    struct canvas *canvas;
    const struct palette *palette;
    int32_t horizon;  ///< row of its foot
    int32_t slowness; ///< the arena moves so many px while the layer moves one
    int32_t height;   ///< of its usual top above the horizon, px
    int32_t step;     ///< from one building or peak to the next, px
    argb body, lit;
    argb window; ///< 0: none
    int32_t seed;
    uint32_t now; ///< ticks by which it has moved
    bool near;
    argb hole;
};

static void draw_smoke(const struct layer *layer, int32_t x, int32_t y, uint32_t hash)
{
    for (int32_t puff = 0; puff < 9; puff++) {
        int32_t age = (int32_t)((layer->now / 3 + hash % 97 + (uint32_t)puff * 8) % 72);
        int32_t drift = age * age / 110 + (int32_t)(hash >> puff & 3);
        int32_t radius = 2 + age / 12;
        for (int32_t dy = -radius; dy <= radius; dy++)
            for (int32_t dx = -radius; dx <= radius; dx++)
                if (dx * dx + dy * dy <= radius * radius)
                    canvas_tint(layer->canvas, x + drift + dx, y - age * 2 / 3 + dy, layer->lit, 46 - age / 2);
    }
}

static void draw_windows(const struct layer *layer, struct rect wall, int32_t cell)
{
    if (!layer->window || frame_hash(cell, layer->seed + 1) % 3)
        return;
    for (int32_t row = 5; row < 30 && row < wall.h - 6; row += 8)
        for (int32_t column = 4; column < wall.w - 4; column += 6)
            if (frame_hash(cell * 64 + column, row + layer->seed) % 5 == 0)
                canvas_veil(layer->canvas, (struct rect){wall.x + column, wall.y + row, 2, 3}, layer->window, 130);
}

static void draw_block(const struct layer *layer, struct rect rect)
{
    canvas_box(layer->canvas, rect, layer->body);
    canvas_box(layer->canvas, (struct rect){rect.x, rect.y, rect.w, 1}, layer->lit);
    canvas_box(layer->canvas, (struct rect){rect.x + rect.w - 2, rect.y, 2, rect.h}, layer->lit);
}

// A factory hall with one or two stacks; every third has a saw-tooth roof.
static void draw_works(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t hall = layer->height / 3 + (int32_t)(hash % (uint32_t)(layer->height / 3));
    int32_t top = layer->horizon - hall;
    struct rect wall = {x, top, layer->step + 2, canvas_rows(layer->canvas) - top};
    if (hash >> 8 & 1) {
        int32_t stack_w = 7 + (int32_t)(hash >> 9 & 3), stack = hall + layer->height / 2 + (int32_t)(hash >> 12 & 15);
        int32_t stack_x = x + 6 + (int32_t)(hash >> 16 & 15);
        draw_block(layer, (struct rect){stack_x, layer->horizon - stack, stack_w, stack});
        canvas_box(layer->canvas, (struct rect){stack_x - 1, layer->horizon - stack, stack_w + 2, 3}, layer->body);
        canvas_box(layer->canvas, (struct rect){stack_x - 1, layer->horizon - stack, stack_w + 2, 1}, layer->lit);
        canvas_box(layer->canvas, (struct rect){stack_x, layer->horizon - stack + 7, stack_w, 1}, layer->lit);
        draw_smoke(layer, stack_x + stack_w / 2, layer->horizon - stack - 3, hash);
    }
    draw_block(layer, wall);
    for (int32_t tooth = 0; hash % 3 == 0 && tooth + 12 <= wall.w; tooth += 12)
        for (int32_t i = 0; i < 10; i++)
            canvas_box(layer->canvas, (struct rect){x + tooth + i, top - 10 + i, 1, 11 - i},
                       i == 0 ? layer->lit : layer->body);
    draw_windows(layer, wall, cell);
}

static void draw_tower(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t height = layer->height / 2 + (int32_t)(hash % (uint32_t)layer->height);
    int32_t w = layer->step - 4 - (int32_t)(hash >> 8 & 7), top = layer->horizon - height;
    struct rect wall = {x, top, w, canvas_rows(layer->canvas) - top};
    draw_block(layer, wall);
    if (hash >> 12 & 1)
        canvas_box(layer->canvas, (struct rect){x + w / 2, top - 9, 1, 9}, layer->lit);
    draw_windows(layer, wall, cell);
}

static void draw_peak(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t height = layer->height / 2 + (int32_t)(hash % (uint32_t)layer->height);
    int32_t half = height + 6, foot = layer->horizon + 2; // every column reaches it
    canvas_box(layer->canvas, (struct rect){x - half, foot, 2 * half + 1, canvas_rows(layer->canvas) - foot},
               layer->body);
    for (int32_t dx = -half; dx <= half; dx++) {
        int32_t rough = (int32_t)(frame_hash(cell * 256 + dx / 3, 5) % 3);
        int32_t top = layer->horizon - height + abs(dx) * height / half + rough;
        int32_t snow = height / 3 + (int32_t)(frame_hash(dx / 2, cell) % 7) - abs(dx) / 3;
        canvas_box(layer->canvas, (struct rect){x + dx, top, 1, foot - top}, layer->body);
        if (snow > 0 && dx > -half / 6)
            canvas_box(layer->canvas, (struct rect){x + dx, top, 1, snow}, layer->lit);
    }
}

// Cogs behind cogs; each turns against its neighbour.
static void draw_gear(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t radius = layer->height / 3 + (int32_t)(hash % (uint32_t)(layer->height / 3));
    int32_t y = layer->horizon - (int32_t)(hash >> 8) % layer->height + radius / 3;
    float turn = (float)layer->now / (float)(radius * 12) * (cell & 1 ? 1.0f : -1.0f) + (float)(hash >> 20 & 7);
    for (int32_t tooth = 0; tooth < TEETH; tooth++) {
        float angle = turn + (float)tooth * 6.2831853f / TEETH;
        int32_t tooth_x = x + (int32_t)lroundf(cosf(angle) * (float)(radius + 1));
        int32_t tooth_y = y + (int32_t)lroundf(sinf(angle) * (float)(radius + 1));
        canvas_disc(layer->canvas, tooth_x, tooth_y, radius / 7 + 1, layer->lit);
    }
    canvas_disc(layer->canvas, x, y, radius, layer->lit);
    canvas_disc(layer->canvas, x, y, radius - 2, layer->body);
    for (int32_t hole = 0; hole < 5; hole++) {
        float angle = turn + (float)hole * 6.2831853f / 5;
        int32_t hole_x = x + (int32_t)lroundf(cosf(angle) * (float)radius * 0.58f);
        int32_t hole_y = y + (int32_t)lroundf(sinf(angle) * (float)radius * 0.58f);
        canvas_disc(layer->canvas, hole_x, hole_y, radius / 6, layer->lit);
        canvas_disc(layer->canvas, hole_x, hole_y + 1, radius / 6 - 1, layer->hole);
    }
    canvas_disc(layer->canvas, x, y, radius / 5, layer->lit);
    canvas_disc(layer->canvas, x, y, radius / 5 - 2, layer->body);
}

// A heap of cloud, bright above and shaded below; the near ones make a sea.
static void draw_cloud(const struct layer *layer, int32_t x, int32_t cell)
{
    int32_t drift = (int32_t)(layer->now / 24 % (uint32_t)layer->step), foot = layer->horizon - SEA_PX;
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t puff = 0; puff < 5; puff++) {
            uint32_t hash = frame_hash(cell * 8 + puff, layer->seed + 3);
            int32_t radius = 9 + (int32_t)(hash % 9), rise = (int32_t)(hash >> 8 & 7);
            int32_t at_x = x + drift + puff * layer->step / 5, at_y = foot + 16 - rise - radius / 3;
            canvas_disc(layer->canvas, at_x, at_y + pass * 3, radius, pass ? layer->body : layer->lit);
        }
    canvas_box(layer->canvas, (struct rect){x + drift, foot + 18, layer->step + 1, canvas_rows(layer->canvas)},
               layer->body);
}

// A wisp high up, here and there.
static void draw_wisp(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed + 9);
    int32_t y = layer->horizon - 90 - (int32_t)(hash >> 8) % 80, w = 26 + (int32_t)(hash >> 16 & 31);
    x += (int32_t)(layer->now / 12 % (uint32_t)layer->step);
    for (int32_t row = 0; row < 6 && hash % 3 == 0; row++)
        canvas_veil(layer->canvas, (struct rect){x + (6 - row) * 2, y + row, w - abs(row - 4) * 6, 1}, layer->lit, 150);
}

// A tower with lit tubes for edges and signs.
static void draw_neon(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t top = layer->horizon - layer->height / 2 - (int32_t)(hash % (uint32_t)layer->height);
    int32_t w = layer->step - 4 - (int32_t)(hash >> 8 & 7);
    argb tube = hash >> 12 & 1 ? layer->window : layer->palette->sun;
    draw_tower(layer, x, cell);
    if (!layer->near)
        return;
    canvas_veil(layer->canvas, (struct rect){x, top, w, 1}, tube, 150);
    canvas_veil(layer->canvas, (struct rect){x, top, 1, canvas_rows(layer->canvas) - top}, tube, 80);
    if (hash >> 14 & 1)
        for (int32_t sign = 0; sign < 4; sign++) {
            bool lit = frame_hash(cell + sign, (int32_t)(layer->now / 90)) % 7;
            canvas_veil(layer->canvas, (struct rect){x + w - 9, top + 8 + sign * 8, 5, 5}, tube, lit ? 130 : 40);
        }
}

// Two tiers of arches, broken off here and there.
static void draw_arcade(const struct layer *layer, int32_t x, int32_t cell)
{
    uint32_t hash = frame_hash(cell, layer->seed);
    int32_t tier = layer->height / 2, tiers = 1 + (hash % 4 != 0), w = layer->step;
    for (int32_t i = 0; i < tiers; i++) {
        int32_t top = layer->horizon - (i + 1) * tier + (i == 1 ? (int32_t)(hash >> 8 & 3) * 3 : 0);
        draw_block(layer, (struct rect){x, top, w, (i ? layer->horizon - i * tier : canvas_rows(layer->canvas)) - top});
        canvas_box(layer->canvas, (struct rect){x, top + 4, w, 1}, layer->lit);
        canvas_disc(layer->canvas, x + w / 2, top + tier / 2, w / 4, layer->hole);
        canvas_box(layer->canvas, (struct rect){x + w / 2 - w / 4, top + tier / 2, w / 4 * 2 + 1, tier / 2 - 1},
                   layer->hole);
    }
}

static void draw_cell(const struct layer *layer, int32_t x, int32_t cell)
{
    switch (layer->palette->skyline) {
    case SKYLINE_CHIMNEYS:
        draw_works(layer, x, cell);
        return;
    case SKYLINE_GEARS:
        draw_gear(layer, x, cell);
        return;
    case SKYLINE_CLOUDS:
        if (layer->near) {
            draw_wisp(layer, x, cell);
            draw_cloud(layer, x, cell);
        } else
            draw_tower(layer, x, cell);
        return;
    case SKYLINE_NEON:
        draw_neon(layer, x, cell);
        return;
    case SKYLINE_PEAKS:
        draw_peak(layer, x, cell);
        return;
    case SKYLINE_ARCADES:
        if (layer->near)
            draw_arcade(layer, x, cell);
        else
            draw_peak(layer, x, cell);
        return;
    }
}

void draw_backdrop_skyline(const struct frame *frame, _Bool near, int32_t horizon, uint32_t now)
{
    const struct palette *palette = frame->palette;
    struct layer layer = {
        .slowness = 6, .height = 84, .step = 34, .body = palette->far, .lit = palette->far_lit, .seed = 11};
    if (near)
        layer = (struct layer){.slowness = 3,
                               .height = 60,
                               .step = 46,
                               .body = palette->near,
                               .lit = palette->near_lit,
                               .window = palette->window,
                               .seed = 42};
    layer.canvas = frame->canvas;
    layer.palette = palette;
    layer.horizon = horizon;
    layer.now = now;
    layer.near = near;
    layer.hole = canvas_mix(layer.body, RGB(0x000000), 70);
    int32_t shift = frame->left / layer.slowness;
    int32_t first = df_floor_div(shift, layer.step) - 3, last = first + canvas_columns(frame->canvas) / layer.step + 6;
    for (int32_t cell = first; cell <= last; cell++)
        draw_cell(&layer, cell * layer.step - shift, cell);
}

#define FLAKES     110
#define HORIZON_PX 38 ///< from the bottom of the picture to the skyline, when the camera shows the map's floor

// Bands between the colours of the sky; a row repeats its dither every four pixels.
static argb sky_colour(const struct palette *palette, int32_t x, int32_t y, int32_t horizon)
{
    int32_t place = (y < horizon ? y : horizon) * (PALETTE_SKY_STEPS - 1) * 256 / horizon;
    int32_t band = (place / 2 + canvas_dither(x, y)) / 16 * 32;
    int32_t step = band / 256;
    if (step >= PALETTE_SKY_STEPS - 1)
        return palette->sky[PALETTE_SKY_STEPS - 1];
    return canvas_mix(palette->sky[step], palette->sky[step + 1], band % 256);
}

static void draw_sky(const struct frame *frame, int32_t horizon)
{
    for (int32_t y = 0; y < canvas_rows(frame->canvas); y++) {
        argb four[4];
        for (int32_t x = 0; x < 4; x++)
            four[x] = sky_colour(frame->palette, x, y, horizon);
        for (int32_t x = 0; x < canvas_columns(frame->canvas); x++)
            frame->canvas->pixels[y * canvas_columns(frame->canvas) + x] = four[x & 3];
    }
}

// Returns the ticks by which the backdrop has moved: none with reduced motion.
static uint32_t moved(const struct frame *frame)
{
    return frame->display->reduced_motion ? 0 : frame->tick;
}

static void draw_stars(const struct frame *frame, int32_t horizon, uint32_t now)
{
    for (int32_t i = 0; i < 60; i++) {
        uint32_t hash = frame_hash(i, 77);
        int32_t x = (int32_t)(hash % (uint32_t)canvas_columns(frame->canvas)),
                y = (int32_t)(hash / 512 % (uint32_t)(horizon / 2));
        bool twinkles = (now / 16 + hash) % 12 == 0;
        canvas_tint(frame->canvas, x, y, RGB(0xFFF4E0), twinkles ? 40 : 30 + (int32_t)(hash >> 24) % 120);
    }
}

static void draw_sun(const struct frame *frame, int32_t horizon)
{
    int32_t x = canvas_columns(frame->canvas) * 2 / 3 - frame->left / 24, y = horizon - 34;
    canvas_glow(frame->canvas, x, y, 90, frame->palette->sun, 90);
    canvas_disc(frame->canvas, x, y, 17, frame->palette->sun);
    canvas_disc(frame->canvas, x, y, 15, canvas_mix(frame->palette->sun, RGB(0xFFFFFF), 70));
}

void draw_backdrop(const struct frame *frame)
{
    uint32_t now = moved(frame);
    int32_t below = frame->tiles.map->rows * MAP_EDGE_PX - canvas_rows(frame->canvas) - frame->top;
    int32_t horizon = canvas_rows(frame->canvas) - HORIZON_PX + below / 10;
    draw_sky(frame, horizon);
    if (frame->palette->stars)
        draw_stars(frame, horizon, now);
    draw_sun(frame, horizon);
    draw_backdrop_skyline(frame, false, horizon, now);
    draw_backdrop_skyline(frame, true, horizon + 14 + below / 20, now);
}

void draw_backdrop_weather(const struct frame *frame)
{
    int32_t now = (int32_t)(moved(frame) % (1u << 20));
    for (int32_t i = 0; frame->palette->flake && i < FLAKES; i++) {
        uint32_t hash = frame_hash(i, 31);
        int32_t speed = 3 + i % 4, sway = (int32_t)(hash >> 8 & 63) + now;
        int32_t drift = abs(sway % 128 - 64) / 8;
        int32_t x =
            (int32_t)(hash % (uint32_t)canvas_columns(frame->canvas)) + drift - now / 6 - frame->left * speed / 6;
        int32_t y =
            (int32_t)(hash / 512 % (uint32_t)canvas_rows(frame->canvas)) + now * speed / 12 - frame->top * speed / 6;
        x -= df_floor_div(x, canvas_columns(frame->canvas)) * canvas_columns(frame->canvas);
        y -= df_floor_div(y, canvas_rows(frame->canvas)) * canvas_rows(frame->canvas);
        canvas_veil(frame->canvas, (struct rect){x, y, 1 + speed / 6, 1 + speed / 6}, frame->palette->flake,
                    70 + speed * 20);
    }
}
