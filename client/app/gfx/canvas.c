// SPDX-License-Identifier: MIT
#include "canvas.h"

#include <stdlib.h>

#include "base/number.h"

argb canvas_mix(argb a, argb b, int32_t part)
{
    uint32_t keep = (uint32_t)(256 - part), take = (uint32_t)part;
    uint32_t red_blue = ((a & 0xFF00FFu) * keep + (b & 0xFF00FFu) * take) >> 8 & 0xFF00FFu;
    uint32_t green = ((a & 0x00FF00u) * keep + (b & 0x00FF00u) * take) >> 8 & 0x00FF00u;
    return 0xFF000000u | red_blue | green;
}

static argb *at(struct canvas *canvas, int32_t x, int32_t y)
{
    if ((uint32_t)x >= CANVAS_WIDTH || (uint32_t)y >= CANVAS_HEIGHT)
        return 0;
    return &canvas->pixels[y * CANVAS_WIDTH + x];
}

void canvas_dot(struct canvas *canvas, int32_t x, int32_t y, argb colour)
{
    argb *pixel = at(canvas, x, y);
    if (pixel)
        *pixel = colour;
}

void canvas_tint(struct canvas *canvas, int32_t x, int32_t y, argb colour, int32_t part)
{
    argb *pixel = at(canvas, x, y);
    if (pixel)
        *pixel = canvas_mix(*pixel, colour, part);
}

struct rect canvas_clip(struct rect rect)
{
    int32_t left = number_clamp(rect.x, 0, CANVAS_WIDTH), right = number_clamp(rect.x + rect.w, left, CANVAS_WIDTH);
    int32_t top = number_clamp(rect.y, 0, CANVAS_HEIGHT), bottom = number_clamp(rect.y + rect.h, top, CANVAS_HEIGHT);
    return (struct rect){left, top, right - left, bottom - top};
}

void canvas_box(struct canvas *canvas, struct rect rect, argb colour)
{
    struct rect seen = canvas_clip(rect);
    for (int32_t row = seen.y; row < seen.y + seen.h; row++)
        for (int32_t column = seen.x; column < seen.x + seen.w; column++)
            canvas->pixels[row * CANVAS_WIDTH + column] = colour;
}

void canvas_veil(struct canvas *canvas, struct rect rect, argb colour, int32_t part)
{
    struct rect seen = canvas_clip(rect);
    for (int32_t row = seen.y; row < seen.y + seen.h; row++)
        for (int32_t column = seen.x; column < seen.x + seen.w; column++) {
            argb *pixel = &canvas->pixels[row * CANVAS_WIDTH + column];
            *pixel = canvas_mix(*pixel, colour, part);
        }
}

void canvas_line(struct canvas *canvas, int32_t x0, int32_t y0, int32_t x1, int32_t y1, argb colour)
{
    int32_t dx = abs(x1 - x0), dy = -abs(y1 - y0);
    int32_t step_x = x0 < x1 ? 1 : -1, step_y = y0 < y1 ? 1 : -1;
    int32_t error = dx + dy;
    for (;;) {
        canvas_dot(canvas, x0, y0, colour);
        if (x0 == x1 && y0 == y1)
            return;
        int32_t twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x0 += step_x;
        }
        if (twice <= dx) {
            error += dx;
            y0 += step_y;
        }
    }
}

void canvas_disc(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour)
{
    int32_t limit = radius * radius + radius / 2;
    for (int32_t y = -radius; y <= radius; y++) {
        int32_t half = radius;
        while (half * half + y * y > limit)
            half--;
        canvas_box(canvas, (struct rect){cx - half, cy + y, 2 * half + 1, 1}, colour);
    }
}

void canvas_ring(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t part)
{
    for (int32_t y = -radius; y <= radius; y++)
        for (int32_t x = -radius; x <= radius; x++) {
            int32_t distance = x * x + y * y;
            if (distance <= radius * radius + radius / 2 && distance > (radius - 1) * (radius - 1) + radius / 2 - 1)
                canvas_tint(canvas, cx + x, cy + y, colour, part);
        }
}

int32_t canvas_dither(int32_t x, int32_t y)
{
    static const uint8_t BAYER[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    return BAYER[y & 3][x & 3];
}

static void add_light(argb *pixel, argb light, int32_t part)
{
    argb lit = 0xFF000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        uint32_t sum = (*pixel >> shift & 0xFF) + ((light >> shift & 0xFF) * (uint32_t)part >> 8);
        lit |= (sum > 255 ? 255 : sum) << shift;
    }
    *pixel = lit;
}

void canvas_glow(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t strength)
{
    int32_t limit = radius * radius;
    struct rect seen = canvas_clip((struct rect){cx - radius, cy - radius, 2 * radius + 1, 2 * radius + 1});
    for (int32_t y = seen.y; y < seen.y + seen.h; y++)
        for (int32_t x = seen.x; x < seen.x + seen.w; x++) {
            int32_t near = limit - (x - cx) * (x - cx) - (y - cy) * (y - cy);
            int32_t level = near > 0 ? (near * 8 * 16 / limit + canvas_dither(x, y)) / 16 : 0;
            int32_t part = level * level * strength / 64;
            if (part > 0)
                add_light(&canvas->pixels[y * CANVAS_WIDTH + x], colour, part);
        }
}

void canvas_sprite(struct canvas *canvas, const struct sprite *sprite, struct placement place, const struct inks *inks)
{
    int32_t w = place.w ? place.w : sprite->w, h = place.h ? place.h : sprite->h;
    for (int32_t row = 0; row < h; row++)
        for (int32_t column = 0; column < w; column++) {
            int32_t from_x = column * sprite->w / w, from_y = row * sprite->h / h;
            char ink = sprite->art[from_y * sprite->w + (place.mirrored ? sprite->w - 1 - from_x : from_x)];
            argb colour = inks->of[ink & 127];
            if (colour)
                canvas_tint(canvas, place.x + column, place.y + row, colour, 256 - place.fade);
        }
}
