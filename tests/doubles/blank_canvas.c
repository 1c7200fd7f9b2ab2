// SPDX-License-Identifier: MIT
//
// The canvas of a test that asks where things stand, not how they look: it has a size, clips and becomes fine as
// client/engine/window/canvas.c does, which it takes the place of, and draws nothing.
#include "base/number.h"
#include "window/canvas.h"

argb canvas_mix(argb a, argb b, int32_t part)
{
    return part < 128 ? a : b;
}

void canvas_resize(struct canvas *canvas, bool fine)
{
    canvas->fine = fine;
    canvas->by_points = canvas->refined = false;
}

void canvas_refine(struct canvas *canvas)
{
    if (!canvas->fine)
        canvas->fine = canvas->by_points = canvas->refined = true;
}

void canvas_use_points(struct canvas *canvas)
{
    canvas->by_points = true;
}

struct rect canvas_clip(const struct canvas *canvas, struct rect rect)
{
    int32_t unit = canvas_unit(canvas), w = canvas_columns(canvas) / unit, h = canvas_rows(canvas) / unit;
    int32_t left = number_clamp(rect.x, 0, w), top = number_clamp(rect.y, 0, h);
    return (struct rect){left, top, number_clamp(rect.x + rect.w, left, w) - left,
                         number_clamp(rect.y + rect.h, top, h) - top};
}

argb canvas_colour(const struct canvas *canvas, int32_t x, int32_t y)
{
    (void)canvas, (void)x, (void)y;
    return RGB(0);
}

int32_t canvas_dither(int32_t x, int32_t y)
{
    (void)x, (void)y;
    return 0;
}

void canvas_zoom(struct canvas *canvas, struct rect part)
{
    (void)canvas, (void)part;
}

void canvas_dot(struct canvas *canvas, int32_t x, int32_t y, argb colour)
{
    (void)canvas, (void)x, (void)y, (void)colour;
}

void canvas_tint(struct canvas *canvas, int32_t x, int32_t y, argb colour, int32_t part)
{
    (void)canvas, (void)x, (void)y, (void)colour, (void)part;
}

void canvas_box(struct canvas *canvas, struct rect rect, argb colour)
{
    (void)canvas, (void)rect, (void)colour;
}

void canvas_veil(struct canvas *canvas, struct rect rect, argb colour, int32_t part)
{
    (void)canvas, (void)rect, (void)colour, (void)part;
}

void canvas_fade(struct canvas *canvas, struct rect rect, argb colour, int32_t part)
{
    (void)canvas, (void)rect, (void)colour, (void)part;
}

void canvas_line(struct canvas *canvas, int32_t x0, int32_t y0, int32_t x1, int32_t y1, argb colour)
{
    (void)canvas, (void)x0, (void)y0, (void)x1, (void)y1, (void)colour;
}

void canvas_disc(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour)
{
    (void)canvas, (void)cx, (void)cy, (void)radius, (void)colour;
}

void canvas_ring(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t part)
{
    (void)canvas, (void)cx, (void)cy, (void)radius, (void)colour, (void)part;
}

void canvas_glow(struct canvas *canvas, int32_t cx, int32_t cy, int32_t radius, argb colour, int32_t strength)
{
    (void)canvas, (void)cx, (void)cy, (void)radius, (void)colour, (void)strength;
}

void canvas_sprite(struct canvas *canvas, const struct sprite *sprite, struct placement place, const struct inks *inks)
{
    (void)canvas, (void)sprite, (void)place, (void)inks;
}
