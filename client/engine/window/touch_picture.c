// SPDX-License-Identifier: MIT
#include "touch_controls.h"

#include <SDL.h>

#define ART_PX    13
#define INK       0xF4F6F2u
#define SHADOW    0x0A0812u
#define BODY      0x1E1A30u
#define BODY_LIT  0xD08A3Cu
#define RIM       0x9DB8CCu
#define RIM_LIT   0xFFD98Au
#define KNOB      TOUCH_CONTROLS ///< comes after the controls
#define KNOB_PART 55             ///< of the stick's radius, in hundredths

static uint32_t mix(uint32_t under, uint32_t colour, int32_t part)
{
    uint32_t mixed = 0;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        int32_t from = (int32_t)(under >> shift & 0xFF), to = (int32_t)(colour >> shift & 0xFF);
        mixed |= (uint32_t)(from + (to - from) * part / 255) << shift;
    }
    return mixed;
}

// Returns how much of a pixel lies within a radius, 0 to 255; lengths are doubled.
static int32_t inside(int64_t square, int32_t radius)
{
    int64_t in = (int64_t)(radius - 1) * (radius - 1), out = (int64_t)(radius + 1) * (radius + 1);
    return square <= in ? 255 : square >= out ? 0 : (int32_t)((out - square) * 255 / (out - in));
}

static bool has_ink(const char *art, int32_t x, int32_t y)
{
    return art && x >= 0 && y >= 0 && x < ART_PX && y < ART_PX && art[y * ART_PX + x] == '#';
}

static uint32_t disc_pixel(int64_t square, int32_t size, struct touch_disc disc)
{
    int32_t rim_w = size / 16 + 2, whole = inside(square, size - 2), core = inside(square, size - 2 - rim_w);
    int32_t rim_part = 255 - core, body = disc.solid ? (disc.lit ? 220 : 170) : disc.lit ? 150 : 96;
    int32_t alpha = (body * core + (disc.lit ? 235 : 150) * rim_part) / 255 * whole / 255;
    return (uint32_t)alpha << 24 | mix(disc.lit     ? BODY_LIT
                                       : disc.solid ? RIM
                                                    : BODY,
                                       disc.lit ? RIM_LIT : RIM, rim_part);
}

void touch_picture_disc(uint32_t *pixels, int32_t size, struct touch_disc disc)
{
    int32_t pixel = size / 20 < 1 ? 1 : size / 20, art = pixel * ART_PX, corner = (size - art) / 2;
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++) {
            int64_t dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
            uint32_t *at = &pixels[y * size + x];
            *at = disc_pixel(dx * dx + dy * dy, size, disc);
            int32_t column = (x - corner + art) / pixel - ART_PX, row = (y - corner + art) / pixel - ART_PX;
            int32_t shade = (pixel + 1) / 2, up = (x - shade - corner + art) / pixel - ART_PX,
                    left = (y - shade - corner + art) / pixel - ART_PX;
            if (has_ink(disc.art, column, row))
                *at = 0xF0000000u | INK;
            else if (has_ink(disc.art, up, left))
                *at = 0xC0000000u | SHADOW;
        }
}

// Returns the texture of a glyph; NULL if there can be none.
static SDL_Texture *texture_of(struct touch_picture *picture, SDL_Renderer *renderer, uint32_t glyph,
                               struct touch_disc disc, int32_t size)
{
    SDL_Texture **texture = &picture->textures[glyph][disc.lit];
    if (*texture && picture->sizes[glyph][disc.lit] == size)
        return *texture;
    uint32_t *pixels = SDL_malloc((size_t)size * (size_t)size * sizeof *pixels);
    SDL_DestroyTexture(*texture);
    *texture =
        pixels ? SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, size, size) : NULL;
    if (*texture) {
        touch_picture_disc(pixels, size, disc);
        SDL_UpdateTexture(*texture, NULL, pixels, size * (int)sizeof *pixels);
        SDL_SetTextureBlendMode(*texture, SDL_BLENDMODE_BLEND);
        picture->sizes[glyph][disc.lit] = size;
    }
    SDL_free(pixels);
    return *texture;
}

static void draw(struct touch_picture *picture, SDL_Renderer *renderer, uint32_t glyph, struct touch_disc disc,
                 struct touch_circle circle)
{
    int32_t size = 2 * circle.radius;
    SDL_Texture *texture = size > 0 ? texture_of(picture, renderer, glyph, disc, size) : NULL;
    SDL_Rect at = {circle.x - circle.radius, circle.y - circle.radius, size, size};
    if (texture)
        SDL_RenderCopy(renderer, texture, NULL, &at);
}

static void draw_stick(struct touch_picture *picture, SDL_Renderer *renderer, const struct touch_controls *touch)
{
    const struct touch_finger *finger = touch_controls_finger(touch, TOUCH_STICK);
    struct touch_circle ring = touch->circles[TOUCH_STICK], knob;
    if (finger) {
        ring.x = finger->from_x;
        ring.y = finger->from_y;
    }
    knob = ring;
    knob.radius = ring.radius * KNOB_PART / 100;
    if (finger) {
        knob.x = finger->x;
        knob.y = finger->y;
    }
    draw(picture, renderer, TOUCH_STICK, (struct touch_disc){0}, ring);
    draw(picture, renderer, KNOB, (struct touch_disc){.solid = true, .lit = finger}, knob);
}

void touch_picture_draw(struct touch_picture *picture, struct SDL_Renderer *renderer,
                        const struct touch_controls *touch)
{
    if (!touch->is_used)
        return;
    for (uint32_t control = TOUCH_STICK + 1; control < TOUCH_CONTROLS; control++) {
        struct touch_disc disc = {.art = touch->places[control].art, .lit = touch_controls_finger(touch, control)};
        if (touch_controls_has(touch, control) && touch->places[control].at != TOUCH_ON_PICTURE)
            draw(picture, renderer, control, disc, touch->circles[control]);
    }
    if (touch_controls_has(touch, TOUCH_STICK))
        draw_stick(picture, renderer, touch);
}
