// SPDX-License-Identifier: MIT
#include "backdrop.h"

#include <stdbool.h>
#include <stdlib.h>

#define FLAKES     110
#define HORIZON_PX 232 ///< where the skyline stands when the camera shows the map's floor

uint32_t frame_dice(int32_t a, int32_t b)
{
    uint32_t bits = (uint32_t)a * 0x9E3779B1u ^ (uint32_t)b * 0x85EBCA77u;
    bits = (bits ^ bits >> 15) * 0x2C1B3C6Du;
    bits = (bits ^ bits >> 12) * 0x297A2D39u;
    return bits ^ bits >> 15;
}

/// One layer of skyline.
struct layer {
    int32_t slowness; ///< moves by 1 px where the arena moves by this many
    int32_t height;   ///< of its usual top above the horizon, px
    int32_t step;     ///< from one building or peak to the next, px
    argb body, lit;
    argb window; ///< 0: none
    int32_t seed;
};

// Bands between the colours of the sky; a row repeats its dither every four pixels.
static argb sky_colour(const struct palette *palette, int32_t x, int32_t y, int32_t horizon)
{
    int32_t place = (y < horizon ? y : horizon) * (PALETTE_SKY_STEPS - 1) * 256 / horizon;
    int32_t band = (place / 2 + canvas_dither(x, y)) / 16 * 32;
    int32_t step = band / 256;
    if (step >= PALETTE_SKY_STEPS - 1)
        return palette->sky[PALETTE_SKY_STEPS - 1];
    return colour_mix(palette->sky[step], palette->sky[step + 1], band % 256);
}

static void draw_sky(const struct frame *frame, int32_t horizon)
{
    for (int32_t y = 0; y < CANVAS_HEIGHT; y++) {
        argb four[4];
        for (int32_t x = 0; x < 4; x++)
            four[x] = sky_colour(frame->palette, x, y, horizon);
        for (int32_t x = 0; x < CANVAS_WIDTH; x++)
            frame->canvas->pixels[y * CANVAS_WIDTH + x] = four[x & 3];
    }
}

static void draw_stars(const struct frame *frame, int32_t horizon)
{
    for (int32_t i = 0; i < 60; i++) {
        uint32_t dice = frame_dice(i, 77);
        int32_t x = (int32_t)(dice % CANVAS_WIDTH), y = (int32_t)(dice / 512 % (uint32_t)(horizon / 2));
        bool twinkles = (frame->tick / 16 + dice) % 12 == 0;
        canvas_tint(frame->canvas, x, y, RGB(0xFFF4E0), twinkles ? 40 : 30 + (int32_t)(dice >> 24) % 120);
    }
}

static void draw_sun(const struct frame *frame, int32_t horizon)
{
    int32_t x = CANVAS_WIDTH * 2 / 3 - frame->left / 24, y = horizon - 34;
    canvas_glow(frame->canvas, x, y, 90, frame->palette->sun, 90);
    canvas_disc(frame->canvas, x, y, 17, frame->palette->sun);
    canvas_disc(frame->canvas, x, y, 15, colour_mix(frame->palette->sun, RGB(0xFFFFFF), 70));
}

static void draw_smoke(const struct frame *frame, int32_t x, int32_t y, uint32_t dice, argb colour)
{
    for (int32_t puff = 0; puff < 9; puff++) {
        int32_t age = (int32_t)((frame->tick / 3 + dice % 97 + (uint32_t)puff * 8) % 72);
        int32_t drift = age * age / 110 + (int32_t)(dice >> puff & 3);
        int32_t radius = 2 + age / 12;
        for (int32_t dy = -radius; dy <= radius; dy++)
            for (int32_t dx = -radius; dx <= radius; dx++)
                if (dx * dx + dy * dy <= radius * radius)
                    canvas_tint(frame->canvas, x + drift + dx, y - age * 2 / 3 + dy, colour, 46 - age / 2);
    }
}

static void draw_windows(const struct frame *frame, const struct layer *layer, int32_t x, int32_t y, int32_t w,
                         int32_t bottom, int32_t cell)
{
    if (!layer->window || frame_dice(cell, layer->seed + 1) % 3)
        return;
    for (int32_t row = y + 5; row < y + 30 && row < bottom - 6; row += 8)
        for (int32_t column = x + 4; column < x + w - 4; column += 6)
            if (frame_dice(cell * 64 + column - x, row - y + layer->seed) % 5 == 0)
                canvas_veil(frame->canvas, column, row, 2, 3, layer->window, 130);
}

static void draw_block(const struct frame *frame, const struct layer *layer, int32_t x, int32_t y, int32_t w,
                       int32_t bottom)
{
    canvas_box(frame->canvas, x, y, w, bottom - y, layer->body);
    canvas_box(frame->canvas, x, y, w, 1, layer->lit);
    canvas_box(frame->canvas, x + w - 2, y, 2, bottom - y, layer->lit);
}

// A hall with a stack or two on it; every third hall has a saw-tooth roof.
static void draw_works(const struct frame *frame, const struct layer *layer, int32_t x, int32_t horizon, int32_t cell)
{
    uint32_t dice = frame_dice(cell, layer->seed);
    int32_t hall = layer->height / 3 + (int32_t)(dice % (uint32_t)(layer->height / 3));
    int32_t w = layer->step + 2, top = horizon - hall;
    if (dice >> 8 & 1) {
        int32_t stack_w = 7 + (int32_t)(dice >> 9 & 3), stack = hall + layer->height / 2 + (int32_t)(dice >> 12 & 15);
        int32_t stack_x = x + 6 + (int32_t)(dice >> 16 & 15);
        draw_block(frame, layer, stack_x, horizon - stack, stack_w, horizon);
        canvas_box(frame->canvas, stack_x - 1, horizon - stack, stack_w + 2, 3, layer->body);
        canvas_box(frame->canvas, stack_x - 1, horizon - stack, stack_w + 2, 1, layer->lit);
        canvas_box(frame->canvas, stack_x, horizon - stack + 7, stack_w, 1, layer->lit);
        draw_smoke(frame, stack_x + stack_w / 2, horizon - stack - 3, dice, layer->lit);
    }
    draw_block(frame, layer, x, top, w, CANVAS_HEIGHT);
    for (int32_t tooth = 0; dice % 3 == 0 && tooth + 12 <= w; tooth += 12)
        for (int32_t i = 0; i < 10; i++)
            canvas_box(frame->canvas, x + tooth + i, top - 10 + i, 1, 11 - i, i == 0 ? layer->lit : layer->body);
    draw_windows(frame, layer, x, top, w, CANVAS_HEIGHT, cell);
}

static void draw_tower(const struct frame *frame, const struct layer *layer, int32_t x, int32_t horizon, int32_t cell)
{
    uint32_t dice = frame_dice(cell, layer->seed);
    int32_t height = layer->height / 2 + (int32_t)(dice % (uint32_t)layer->height);
    int32_t w = layer->step - 4 - (int32_t)(dice >> 8 & 7);
    draw_block(frame, layer, x, horizon - height, w, CANVAS_HEIGHT);
    if (dice >> 12 & 1)
        canvas_box(frame->canvas, x + w / 2, horizon - height - 9, 1, 9, layer->lit);
    draw_windows(frame, layer, x, horizon - height, w, CANVAS_HEIGHT, cell);
}

static void draw_peak(const struct frame *frame, const struct layer *layer, int32_t x, int32_t horizon, int32_t cell)
{
    uint32_t dice = frame_dice(cell, layer->seed);
    int32_t height = layer->height / 2 + (int32_t)(dice % (uint32_t)layer->height);
    int32_t half = height + 6;
    for (int32_t dx = -half; dx <= half; dx++) {
        int32_t rough = (int32_t)(frame_dice(cell * 256 + dx / 3, 5) % 3);
        int32_t top = horizon - height + abs(dx) * height / half + rough;
        int32_t snow = height / 3 + (int32_t)(frame_dice(dx / 2, cell) % 7) - abs(dx) / 3;
        canvas_box(frame->canvas, x + dx, top, 1, CANVAS_HEIGHT - top, layer->body);
        if (snow > 0 && dx > -half / 6)
            canvas_box(frame->canvas, x + dx, top, 1, snow, layer->lit);
    }
}

static void draw_layer(const struct frame *frame, const struct layer *layer, int32_t horizon)
{
    int32_t shift = frame->left / layer->slowness;
    int32_t first = df_floor_div(shift, layer->step) - 3, last = first + CANVAS_WIDTH / layer->step + 6;
    for (int32_t cell = first; cell <= last; cell++) {
        int32_t x = cell * layer->step - shift;
        switch (frame->palette->skyline) {
        case SKYLINE_CHIMNEYS:
            draw_works(frame, layer, x, horizon, cell);
            break;
        case SKYLINE_TOWERS:
            draw_tower(frame, layer, x, horizon, cell);
            break;
        case SKYLINE_PEAKS:
            draw_peak(frame, layer, x, horizon, cell);
            break;
        }
    }
}

void backdrop_draw(const struct frame *frame)
{
    const struct palette *palette = frame->palette;
    int32_t below = frame->ground.map->rows * MAP_EDGE_PX - CANVAS_HEIGHT - frame->top;
    int32_t horizon = HORIZON_PX + below / 10;
    struct layer far = {6, 84, 34, palette->far, palette->far_lit, 0, 11};
    struct layer near = {3, 60, 46, palette->near, palette->near_lit, palette->window, 42};
    draw_sky(frame, horizon);
    draw_stars(frame, horizon);
    draw_sun(frame, horizon);
    draw_layer(frame, &far, horizon);
    draw_layer(frame, &near, horizon + 14 + below / 20);
}

void backdrop_draw_weather(const struct frame *frame)
{
    int32_t now = (int32_t)(frame->tick % (1u << 20));
    for (int32_t i = 0; frame->palette->flake && i < FLAKES; i++) {
        uint32_t dice = frame_dice(i, 31);
        int32_t speed = 3 + i % 4, sway = (int32_t)(dice >> 8 & 63) + now;
        int32_t drift = abs(sway % 128 - 64) / 8;
        int32_t x = (int32_t)(dice % CANVAS_WIDTH) + drift - now / 6 - frame->left * speed / 6;
        int32_t y = (int32_t)(dice / 512 % CANVAS_HEIGHT) + now * speed / 12 - frame->top * speed / 6;
        x -= df_floor_div(x, CANVAS_WIDTH) * CANVAS_WIDTH;
        y -= df_floor_div(y, CANVAS_HEIGHT) * CANVAS_HEIGHT;
        canvas_veil(frame->canvas, x, y, 1 + speed / 6, 1 + speed / 6, frame->palette->flake, 70 + speed * 20);
    }
}
