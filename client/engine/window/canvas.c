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

void canvas_resize(struct canvas *canvas, bool fine)
{
    canvas->fine = fine;
    canvas->by_points = canvas->refined = false;
}

void canvas_refine(struct canvas *canvas)
{
    if (canvas->fine)
        return;
    // From the last pixel on: each goes to places at or behind its own.
    int32_t w = canvas_width(canvas);
    for (int32_t i = w * canvas_height(canvas) - 1; i >= 0; i--) {
        int32_t x = i % w * CANVAS_FINE, y = i / w * CANVAS_FINE;
        argb colour = canvas->pixels[i];
        for (int32_t part = CANVAS_FINE * CANVAS_FINE - 1; part >= 0; part--)
            canvas->pixels[(y + part / CANVAS_FINE) * w * CANVAS_FINE + x + part % CANVAS_FINE] = colour;
    }
    canvas->fine = canvas->by_points = canvas->refined = true;
}

// Returns the place in a part (its begin and length) that goes to a place in the whole, in 256ths.
static int32_t zoomed(int32_t begin, int32_t length, int32_t place, int32_t whole)
{
    return begin * 256 + place * length * 256 / whole;
}

// Where the columns of an enlarged picture come from: for each, two pixels beside each other, and how much of 256 the
// second has. A division for each pixel would take longer than all else.
struct zoom_columns {
    struct {
        uint16_t first, second;
        int32_t part;
    } of[CANVAS_WIDTH * CANVAS_FINE];
};

static void zoom_row(struct canvas *canvas, struct rect part, const struct zoom_columns *sources, int32_t y,
                     bool from_below)
{
    argb line[CANVAS_WIDTH * CANVAS_FINE];
    int32_t columns = canvas_columns(canvas), rows = canvas_rows(canvas), from = zoomed(part.y, part.h, y, rows);
    int32_t row = from / 256, below = row + 1 < rows && (from_below || row < y) ? row + 1 : row;
    int32_t end = part.x + part.w < columns ? part.x + part.w + 1 : columns;
    const argb *first = &canvas->pixels[row * columns], *second = &canvas->pixels[below * columns];
    for (int32_t x = part.x; x < end; x++)
        line[x] = canvas_mix(first[x], second[x], from % 256);
    for (int32_t x = 0; x < columns; x++)
        canvas->pixels[y * columns + x] =
            canvas_mix(line[sources->of[x].first], line[sources->of[x].second], sources->of[x].part);
}

void canvas_zoom(struct canvas *canvas, struct rect part)
{
    struct zoom_columns sources;
    int32_t columns = canvas_columns(canvas), rows = canvas_rows(canvas);
    if (part.h >= rows)
        return;
    for (int32_t x = 0; x < columns; x++) {
        int32_t at = zoomed(part.x, part.w, x, columns), next = at / 256 + 1 < columns ? at / 256 + 1 : at / 256;
        sources.of[x].first = (uint16_t)(at / 256);
        sources.of[x].second = (uint16_t)next;
        sources.of[x].part = at % 256;
    }
    // Rows above this one come from below their place, the others from above: so none is overwritten before it is read.
    int32_t still = part.y * rows / (rows - part.h);
    for (int32_t y = 0; y < still; y++)
        zoom_row(canvas, part, &sources, y, true);
    for (int32_t y = rows - 1; y >= still; y--)
        zoom_row(canvas, part, &sources, y, false);
}

void canvas_use_points(struct canvas *canvas)
{
    canvas->by_points = true;
}

// Returns the pixels of a rectangle that lie on the picture.
static struct rect pixels_of(const struct canvas *canvas, struct rect rect)
{
    int32_t unit = canvas_unit(canvas), columns = canvas_columns(canvas), rows = canvas_rows(canvas);
    int32_t left = number_clamp(rect.x * unit, 0, columns), top = number_clamp(rect.y * unit, 0, rows);
    int32_t right = number_clamp((rect.x + rect.w) * unit, left, columns);
    int32_t bottom = number_clamp((rect.y + rect.h) * unit, top, rows);
    return (struct rect){left, top, right - left, bottom - top};
}

struct rect canvas_clip(const struct canvas *canvas, struct rect rect)
{
    struct rect seen = pixels_of(canvas, rect);
    int32_t unit = canvas_unit(canvas);
    return (struct rect){seen.x / unit, seen.y / unit, seen.w / unit, seen.h / unit};
}

argb canvas_colour(const struct canvas *canvas, int32_t x, int32_t y)
{
    int32_t unit = canvas_unit(canvas);
    return canvas->pixels[y * unit * canvas_columns(canvas) + x * unit];
}

void canvas_dot(struct canvas *canvas, int32_t x, int32_t y, argb colour)
{
    int32_t columns = canvas_columns(canvas);
    if (canvas_unit(canvas) != 1)
        canvas_box(canvas, (struct rect){x, y, 1, 1}, colour);
    else if ((uint32_t)x < (uint32_t)columns && (uint32_t)y < (uint32_t)canvas_rows(canvas))
        canvas->pixels[y * columns + x] = colour;
}

void canvas_tint(struct canvas *canvas, int32_t x, int32_t y, argb colour, int32_t part)
{
    int32_t columns = canvas_columns(canvas);
    if (canvas_unit(canvas) != 1) {
        canvas_veil(canvas, (struct rect){x, y, 1, 1}, colour, part);
    } else if ((uint32_t)x < (uint32_t)columns && (uint32_t)y < (uint32_t)canvas_rows(canvas)) {
        argb *pixel = &canvas->pixels[y * columns + x];
        *pixel = canvas_mix(*pixel, colour, part);
    }
}

void canvas_box(struct canvas *canvas, struct rect rect, argb colour)
{
    struct rect seen = pixels_of(canvas, rect);
    int32_t columns = canvas_columns(canvas);
    for (int32_t row = seen.y; row < seen.y + seen.h; row++)
        for (int32_t column = seen.x; column < seen.x + seen.w; column++)
            canvas->pixels[row * columns + column] = colour;
}

void canvas_veil(struct canvas *canvas, struct rect rect, argb colour, int32_t part)
{
    struct rect seen = pixels_of(canvas, rect);
    int32_t columns = canvas_columns(canvas);
    for (int32_t row = seen.y; row < seen.y + seen.h; row++)
        for (int32_t column = seen.x; column < seen.x + seen.w; column++) {
            argb *pixel = &canvas->pixels[row * columns + column];
            *pixel = canvas_mix(*pixel, colour, part);
        }
}

void canvas_fade(struct canvas *canvas, struct rect rect, argb colour, int32_t part)
{
    struct rect seen = pixels_of(canvas, rect);
    int32_t columns = canvas_columns(canvas), unit = canvas_unit(canvas);
    int32_t parts[CANVAS_WIDTH * CANVAS_FINE];
    for (int32_t i = 0; i < seen.w; i++)
        parts[i] = part - ((seen.x + i) / unit - rect.x) * part / rect.w;
    for (int32_t row = seen.y; row < seen.y + seen.h; row++) {
        argb *pixels = &canvas->pixels[row * columns + seen.x];
        for (int32_t i = 0; i < seen.w; i++)
            pixels[i] = canvas_mix(pixels[i], colour, parts[i]);
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

#define GLOW_LEVELS 8
#define GLOW_SHIFT  40 // of the reciprocal of a glow's limit: exact up to a radius of 300 pixels

// Adds two colours, each channel up to 255.
static argb add_light(argb pixel, argb light)
{
    uint32_t red_blue = (pixel & 0xFF00FFu) + (light & 0xFF00FFu), green = (pixel & 0x00FF00u) + (light & 0x00FF00u);
    uint32_t over_red_blue = red_blue & 0x01000100u, over_green = green & 0x00010000u;
    red_blue = (red_blue | (over_red_blue - (over_red_blue >> 8))) & 0xFF00FFu;
    green = (green | (over_green - (over_green >> 8))) & 0x00FF00u;
    return 0xFF000000u | red_blue | green;
}

static argb part_of(argb light, int32_t part)
{
    argb colour = 0xFF000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        uint32_t channel = (light >> shift & 0xFF) * (uint32_t)part >> 8;
        colour |= (channel > 255 ? 255 : channel) << shift;
    }
    return colour;
}

// A glow has few levels of light, which are computed before its pixels; those divide by a multiplication.
void canvas_glow(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t strength)
{
    int32_t unit = canvas_unit(canvas), columns = canvas_columns(canvas), limit = radius * unit * radius * unit;
    struct rect seen = pixels_of(canvas, (struct rect){cx - radius, cy - radius, 2 * radius + 1, 2 * radius + 1});
    argb lights[GLOW_LEVELS + 1] = {0};
    if (limit == 0)
        return;
    uint64_t reciprocal = (UINT64_C(1) << GLOW_SHIFT) / (uint32_t)limit + 1;
    for (int32_t level = 1; level <= GLOW_LEVELS; level++) {
        int32_t part = level * level * strength / (GLOW_LEVELS * GLOW_LEVELS);
        lights[level] = part > 0 ? part_of(colour, part) : 0;
    }
    for (int32_t y = seen.y; y < seen.y + seen.h; y++) {
        argb *row = &canvas->pixels[y * columns];
        int32_t down = y - cy * unit;
        for (int32_t x = seen.x; x < seen.x + seen.w; x++) {
            int32_t across = x - cx * unit, near = limit - across * across - down * down;
            if (near <= 0)
                continue;
            int32_t sixteenths = (int32_t)((uint32_t)near * (uint64_t)(GLOW_LEVELS * 16) * reciprocal >> GLOW_SHIFT);
            argb light = lights[(sixteenths + canvas_dither(x, y)) / 16];
            if (light)
                row[x] = add_light(row[x], light);
        }
    }
}

void canvas_sprite(struct canvas *canvas, const struct sprite *sprite, struct placement place, const struct inks *inks)
{
    int32_t w = place.w ? place.w : sprite->w, h = place.h ? place.h : sprite->h;
    for (int32_t row = 0; row < h; row++)
        for (int32_t column = 0; column < w; column++) {
            int32_t from_x = w == sprite->w ? column : column * sprite->w / w;
            int32_t from_y = h == sprite->h ? row : row * sprite->h / h;
            char ink = sprite->art[from_y * sprite->w + (place.mirrored ? sprite->w - 1 - from_x : from_x)];
            argb colour = inks->of[ink & 127];
            if (colour && place.fade)
                canvas_tint(canvas, place.x + column, place.y + row, colour, 256 - place.fade);
            else if (colour)
                canvas_dot(canvas, place.x + column, place.y + row, colour);
        }
}
