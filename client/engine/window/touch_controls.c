// SPDX-License-Identifier: MIT
#include "touch_controls.h"

#include <stddef.h>
#include <string.h>

#include "buttons.h"

// Parts of a thumb's width, in hundredths.
#define DEAD_ZONE 20 ///< of the stick
#define REACH     75 ///< the stick follows a finger that is farther away
#define SLOP      25 ///< a finger that has moved less taps
#define NEAR      20 ///< beside a button that still hits it

static int32_t part(const struct touch_controls *touch, int32_t hundredths)
{
    return touch->surface.thumb * hundredths / 100;
}

// Returns whether the picture leaves a stripe below it that is high enough for the controls.
static bool is_tall(const struct touch_surface *surface)
{
    return surface->h - surface->bottom - surface->picture_y - surface->picture_h > surface->thumb * 3;
}

void touch_controls_lay_out(struct touch_controls *touch, const struct touch_surface *surface)
{
    touch->surface = *surface;
    bool tall = is_tall(surface);
    int32_t right = surface->w - surface->right, bottom = surface->h - surface->bottom;
    int32_t top = tall ? surface->picture_y + surface->picture_h : surface->top;
    bottom -= tall ? (bottom - top - part(touch, 260)) / 3 : 0; // thumbs rest there
    for (uint32_t i = 0; i < TOUCH_CONTROLS; i++) {
        const struct touch_place *place = &touch->places[i];
        int32_t x = part(touch, place->x), y = part(touch, place->y);
        bool at_top = place->at == TOUCH_AT_TOP, beside = tall && at_top; // a row in place of a column
        touch->circles[i] = (struct touch_circle){.x = i == TOUCH_STICK ? surface->left + x : right - (beside ? y : x),
                                                  .y = at_top ? top + (beside ? x : y) : bottom - y,
                                                  .radius = part(touch, place->radius)};
    }
}

bool touch_controls_has(const struct touch_controls *touch, uint32_t control)
{
    return control < TOUCH_CONTROLS && touch->places[control].uses >> touch->use & 1;
}

void touch_controls_use(struct touch_controls *touch, uint32_t use)
{
    touch->use = use;
    for (uint32_t i = 0; i < TOUCH_FINGERS; i++) {
        struct touch_finger *finger = &touch->fingers[i];
        if (finger->control == TOUCH_NOTHING || touch_controls_has(touch, finger->control))
            continue;
        finger->control = TOUCH_NOTHING;
        finger->has_dragged = true; // it does not tap what has appeared below it
    }
}

// Returns the control at a place: the nearest of the round ones, else what is on the picture, else the stick.
static uint32_t control_at(const struct touch_controls *touch, int32_t x, int32_t y)
{
    const struct touch_surface *surface = &touch->surface;
    uint32_t best = TOUCH_NOTHING, on_picture = TOUCH_NOTHING;
    int64_t best_gap = (int64_t)part(touch, NEAR) * part(touch, NEAR);
    for (uint32_t i = TOUCH_STICK + 1; i < TOUCH_CONTROLS; i++) {
        const struct touch_circle *circle = &touch->circles[i];
        int64_t dx = x - circle->x, dy = y - circle->y, inside = circle->radius;
        int64_t gap = dx * dx + dy * dy - inside * inside - 2 * inside * part(touch, NEAR);
        on_picture = touch->places[i].at == TOUCH_ON_PICTURE ? i : on_picture;
        if (!touch_controls_has(touch, i) || i == on_picture || gap >= best_gap)
            continue;
        best = i;
        best_gap = gap;
    }
    if (best != TOUCH_NOTHING)
        return best;
    int32_t middle = surface->picture_x + surface->picture_w / 2, below = y - surface->picture_y;
    if (touch_controls_has(touch, on_picture) && below >= 0 && below < part(touch, 60) && x > middle - surface->thumb &&
        x < middle + surface->thumb)
        return on_picture;
    bool low = y > (is_tall(surface) ? surface->picture_y + surface->picture_h : surface->h / 4);
    return touch_controls_has(touch, TOUCH_STICK) && low && x < surface->w / 2 &&
                   !touch_controls_finger(touch, TOUCH_STICK)
               ? TOUCH_STICK
               : TOUCH_NOTHING;
}

static struct touch_finger *find(struct touch_controls *touch, bool is_down, int64_t number)
{
    for (uint32_t i = 0; i < TOUCH_FINGERS; i++)
        if (touch->fingers[i].is_down == is_down && (!is_down || touch->fingers[i].number == number))
            return &touch->fingers[i];
    return NULL;
}

struct touch_change touch_controls_down(struct touch_controls *touch, int64_t finger, int32_t x, int32_t y)
{
    uint32_t held = touch_controls_held(touch), control = control_at(touch, x, y);
    struct touch_finger *down = find(touch, true, finger);
    down = down ? down : find(touch, false, 0);
    touch->is_used = true;
    if (!down)
        return (struct touch_change){.control = TOUCH_NOTHING};
    bool began = control != TOUCH_NOTHING && !touch_controls_finger(touch, control);
    *down = (struct touch_finger){
        .is_down = true, .control = control, .number = finger, .x = x, .y = y, .from_x = x, .from_y = y};
    return (struct touch_change){.control = control, .pressed = touch_controls_held(touch) & ~held, .began = began};
}

struct touch_change touch_controls_move(struct touch_controls *touch, int64_t finger, int32_t x, int32_t y)
{
    struct touch_finger *moved = find(touch, true, finger);
    uint32_t held = touch_controls_held(touch);
    if (!moved)
        return (struct touch_change){.control = TOUCH_NOTHING};
    int32_t slop = part(touch, SLOP), dx = x - moved->from_x, dy = y - moved->from_y, down = y - moved->y;
    moved->has_dragged |= dx > slop || dx < -slop || dy > slop || dy < -slop;
    if (moved->has_dragged || moved->control != TOUCH_NOTHING) {
        moved->x = x;
        moved->y = y;
    }
    if (moved->control == TOUCH_STICK) { // it follows a finger that goes far, so that the way back is short
        int32_t reach = part(touch, REACH);
        moved->from_x += dx > reach ? dx - reach : dx < -reach ? dx + reach : 0;
        moved->from_y += dy > reach ? dy - reach : dy < -reach ? dy + reach : 0;
    }
    return (struct touch_change){.control = moved->control,
                                 .pressed = touch_controls_held(touch) & ~held,
                                 .dragged = moved->has_dragged,
                                 .down = moved->has_dragged ? down : 0};
}

struct touch_change touch_controls_up(struct touch_controls *touch, int64_t finger)
{
    struct touch_finger *lifted = find(touch, true, finger);
    if (!lifted)
        return (struct touch_change){.control = TOUCH_NOTHING};
    struct touch_change change = {
        .control = lifted->control, .tapped = !lifted->has_dragged, .dragged = lifted->has_dragged};
    lifted->is_down = false;
    return change;
}

void touch_controls_clear(struct touch_controls *touch)
{
    memset(touch->fingers, 0, sizeof touch->fingers);
}

const struct touch_finger *touch_controls_finger(const struct touch_controls *touch, uint32_t control)
{
    for (uint32_t i = 0; i < TOUCH_FINGERS; i++)
        if (touch->fingers[i].is_down && touch->fingers[i].control == control)
            return &touch->fingers[i];
    return NULL;
}

// A way belongs to a direction up to 67.5 degrees from it, so that diagonals are as wide as the others: 12 / 29 is the
// tangent of 22.5 degrees.
uint32_t touch_controls_ways(const struct touch_controls *touch, uint32_t control)
{
    const struct touch_finger *finger = touch_controls_finger(touch, control);
    if (!finger)
        return 0;
    int64_t dx = finger->x - finger->from_x, dy = finger->y - finger->from_y, dead = part(touch, DEAD_ZONE);
    int64_t across = dx < 0 ? -dx : dx, along = dy < 0 ? -dy : dy;
    uint32_t ways = 0;
    if (dx * dx + dy * dy < dead * dead)
        return 0;
    if (across * 29 > along * 12)
        ways |= dx < 0 ? BUTTON_WAY_LEFT : BUTTON_WAY_RIGHT;
    if (along * 29 > across * 12)
        ways |= dy < 0 ? BUTTON_WAY_UP : BUTTON_WAY_DOWN;
    return ways;
}

uint32_t touch_controls_held(const struct touch_controls *touch)
{
    uint32_t buttons = touch_controls_ways(touch, TOUCH_STICK);
    for (uint32_t i = 0; i < TOUCH_CONTROLS; i++)
        if (touch_controls_finger(touch, i))
            buttons |= touch->places[i].buttons;
    return buttons;
}
