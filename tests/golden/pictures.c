// SPDX-License-Identifier: MIT
#include "pictures.h"

#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DIFFERENT RGB(0xFF2020)
#define GUARD     (3 * CANVAS_WIDTH) ///< pixels before and after a canvas that no painter may touch

const struct picture *const PICTURE_TABLES[] = {PICTURES_ARENA,  PICTURES_FIGURES, PICTURES_HUD,
                                                PICTURES_MENUS,  PICTURES_MATCHES, PICTURES_QUICK_CHAT,
                                                PICTURES_ROUNDS, PICTURES_TRIALS,  NULL};

void pictures_each(void (*visit)(const struct picture *picture, void *context), void *context)
{
    for (const struct picture *const *table = PICTURE_TABLES; *table; table++)
        for (const struct picture *picture = *table; picture->name; picture++)
            visit(picture, context);
}

bool picture_draw(const struct picture *picture, struct image *image)
{
    static struct {
        argb above[GUARD];
        struct canvas canvas;
        argb below[GUARD];
    } guarded;
    bool touched = false;
    for (uint32_t i = 0; i < GUARD; i++)
        guarded.above[i] = guarded.below[i] = DIFFERENT;
    canvas_resize(&guarded.canvas, false);
    picture->draw(&guarded.canvas, picture->variant);
    for (uint32_t i = 0; i < GUARD; i++)
        touched |= guarded.above[i] != DIFFERENT || guarded.below[i] != DIFFERENT;
    const struct canvas *canvas = &guarded.canvas;
    int32_t size = canvas->refined ? CANVAS_FINE : 1;
    image->w = picture->w ? picture->w * size : canvas_columns(canvas);
    image->h = picture->w ? picture->h * size : canvas_rows(canvas);
    for (int32_t y = 0; y < image->h; y++)
        memcpy(&image->pixels[y * image->w],
               &canvas->pixels[(picture->y * size + y) * canvas_columns(canvas) + picture->x * size],
               (size_t)image->w * sizeof *image->pixels);
    return !touched;
}

void picture_path(const char *name, char *path, size_t path_bytes)
{
    snprintf(path, path_bytes, SOURCE_ROOT "/tests/golden/pictures/%s.png", name);
}

bool image_read(struct image *image, const char *path)
{
    static uint8_t bytes[IMAGE_PIXELS];
    png_image png = {.version = PNG_IMAGE_VERSION};
    bool good = png_image_begin_read_from_file(&png, path);
    png.format = PNG_FORMAT_RGB;
    good = good && png.width <= CANVAS_WIDTH * CANVAS_FINE && png.height <= CANVAS_HEIGHT * CANVAS_FINE &&
           png_image_finish_read(&png, NULL, bytes, 0, NULL);
    image->w = good ? (int32_t)png.width : 0;
    image->h = good ? (int32_t)png.height : 0;
    png_image_free(&png);
    for (int32_t i = 0; i < image->w * image->h; i++)
        image->pixels[i] = RGB((argb)bytes[3 * i] << 16 | (argb)bytes[3 * i + 1] << 8 | bytes[3 * i + 2]);
    return good;
}

// 0 beyond it, which no colour is.
static argb pixel_at(const struct image *image, int32_t x, int32_t y)
{
    return x < image->w && y < image->h ? image->pixels[y * image->w + x] : 0;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

uint32_t image_difference(const struct image *a, const struct image *b)
{
    uint32_t count = 0;
    for (int32_t y = 0; y < larger(a->h, b->h); y++)
        for (int32_t x = 0; x < larger(a->w, b->w); x++)
            count += pixel_at(a, x, y) != pixel_at(b, x, y);
    return count;
}

void image_side_by_side(struct image *all, const struct image *new_one, const struct image *old_one)
{
    int32_t w = larger(new_one->w, old_one->w), h = larger(new_one->h, old_one->h);
    all->w = 3 * w;
    all->h = h;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            argb found = pixel_at(new_one, x, y), kept = pixel_at(old_one, x, y);
            argb *row = &all->pixels[y * all->w];
            row[x] = found;
            row[w + x] = kept;
            row[2 * w + x] = found == kept ? canvas_mix(found, RGB(0x000000), 200) : DIFFERENT;
        }
}
