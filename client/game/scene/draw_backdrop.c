// SPDX-License-Identifier: MIT
#include "painters.h"

#include <stdbool.h>
#include <stdlib.h>

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
    draw_skyline(frame, false, horizon, now);
    draw_skyline(frame, true, horizon + 14 + below / 20, now);
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
