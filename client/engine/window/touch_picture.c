// SPDX-License-Identifier: MIT
#include "touch_picture.h"

#include <SDL.h>

#define KNOB_PART 55 ///< of the stick's radius, in hundredths

_Static_assert(TOUCH_GLYPHS_KNOB == TOUCH_CONTROLS, "the knob comes after the controls");

// Returns the texture of a glyph; NULL if there can be none.
static SDL_Texture *texture_of(struct touch_picture *picture, SDL_Renderer *renderer, uint32_t glyph, bool lit,
                               int32_t size)
{
    SDL_Texture **texture = &picture->textures[glyph][lit];
    if (*texture && picture->sizes[glyph][lit] == size)
        return *texture;
    uint32_t *pixels = SDL_malloc((size_t)size * (size_t)size * sizeof *pixels);
    SDL_DestroyTexture(*texture);
    *texture =
        pixels ? SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, size, size) : NULL;
    if (*texture) {
        touch_glyphs_draw(pixels, size, glyph, lit);
        SDL_UpdateTexture(*texture, NULL, pixels, size * (int)sizeof *pixels);
        SDL_SetTextureBlendMode(*texture, SDL_BLENDMODE_BLEND);
        picture->sizes[glyph][lit] = size;
    }
    SDL_free(pixels);
    return *texture;
}

static void draw(struct touch_picture *picture, SDL_Renderer *renderer, uint32_t glyph, bool lit,
                 struct touch_circle circle)
{
    int32_t size = 2 * circle.radius;
    SDL_Texture *texture = size > 0 ? texture_of(picture, renderer, glyph, lit, size) : NULL;
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
    draw(picture, renderer, TOUCH_STICK, finger, ring);
    draw(picture, renderer, TOUCH_GLYPHS_KNOB, finger, knob);
}

void touch_picture_draw(struct touch_picture *picture, struct SDL_Renderer *renderer,
                        const struct touch_controls *touch)
{
    if (!touch->is_used)
        return;
    for (uint32_t control = TOUCH_JUMP; control <= TOUCH_EMOTES; control++)
        if (touch_controls_has(touch, control))
            draw(picture, renderer, control, touch_controls_finger(touch, control), touch->circles[control]);
    if (touch_controls_has(touch, TOUCH_STICK))
        draw_stick(picture, renderer, touch);
}
