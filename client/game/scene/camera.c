// SPDX-License-Identifier: MIT
#include "camera.h"

#include <math.h>

#include "base/number.h"
#include "game/player/player.h"

#define FOLLOW     0.12f       ///< part of the way to its target that the camera moves in a tick
#define LOOK_AHEAD 28.0f       ///< px
#define LOOK_TURN  0.03f       ///< part by which the look-ahead changes in a tick
#define MARGIN_PX  64          ///< to the rim of a near picture, for everybody who matters
#define NEAREST_PX 12          ///< from the middle of a followed player to the rim
#define SURE_TICKS 240         ///< for which everybody must have been seen from near, before it comes near
#define ZOOM_STEP  (1.0f / 14) ///< part of the way between near and far in a tick
#define SPEED_PX   4.0f        ///< of the free camera, px per tick
#define FEW        4           ///< with so many alive or fewer, each matters

static bool middle_of(const struct view *view, uint32_t slot, float *x, float *y)
{
    if (slot >= PLAYER_CAPACITY || !view_shows(view, slot))
        return false;
    *x = (float)view->actors[slot].x / DF_SUB + (float)view->world->actors[slot].w / 2;
    *y = (float)view->actors[slot].y / DF_SUB + (float)view->world->actors[slot].h / 2;
    return true;
}

static float clamp_axis(float middle, int32_t map_px, int32_t canvas_px)
{
    float half = (float)canvas_px / 2, size = (float)map_px;
    if (map_px <= canvas_px)
        return size / 2;
    return middle < half ? half : middle > size - half ? size - half : middle;
}

// Finds the middle of the living own players.
static bool middle_of_own(const struct view *view, float *x, float *y)
{
    float sum_x = 0, sum_y = 0, count = 0, one_x, one_y;
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        if (!view_is_own(view, slot) || !middle_of(view, slot, &one_x, &one_y))
            continue;
        sum_x += one_x;
        sum_y += one_y;
        count++;
    }
    if (count > 0) {
        *x = sum_x / count;
        *y = sum_y / count;
    }
    return count > 0;
}

// A place in the arena, px.
struct place {
    float x, y;
};

// Returns the middle of a picture nearest to `now` that still shows a place. Along one axis, px.
static float bounded(float now, float place, int32_t size_px)
{
    float most = (float)size_px / 2 - NEAREST_PX;
    return fmaxf(place - most, fminf(place + most, now));
}

// Moves the picture toward a place; what is there never leaves it, and what is far away is seen at once.
static void follow(struct camera *camera, const struct view *view, struct place place, float ahead)
{
    int32_t w = camera_width(camera), h = camera_height(camera);
    float x = clamp_axis(place.x + ahead, view->map->columns * MAP_EDGE_PX, w);
    float y = clamp_axis(place.y, view->map->rows * MAP_EDGE_PX, h);
    if (fabsf(x - camera->x) > (float)w / 2 - MARGIN_PX || fabsf(y - camera->y) > (float)h / 2 - MARGIN_PX)
        camera->started = false;
    camera->from_x = camera->started ? camera->x : x;
    camera->from_y = camera->started ? camera->y : y;
    float next_x = camera->started ? camera->x + (x - camera->x) * FOLLOW : x;
    float next_y = camera->started ? camera->y + (y - camera->y) * FOLLOW : y;
    camera->x = clamp_axis(bounded(next_x, place.x, w), view->map->columns * MAP_EDGE_PX, w);
    camera->y = clamp_axis(bounded(next_y, place.y, h), view->map->rows * MAP_EDGE_PX, h);
}

// Who must be in the picture: those at this window, and all when few are alive.
struct company {
    uint32_t count, own_count;
    bool is_seen_from_near; // all who live
};

// Returns whether a picture shows a place along one axis, with a margin where the arena goes on.
static bool holds(float middle, int32_t size_px, float place, int32_t map_px)
{
    float first = middle - (float)size_px / 2, end = middle + (float)size_px / 2;
    return (first <= 0 || place > first + MARGIN_PX) && (end >= (float)map_px || place < end - MARGIN_PX);
}

// Finds who matters, and whether the picture that would follow a place from near in this tick shows them.
static struct company company_of(const struct camera *camera, const struct view *view, struct place place, float ahead)
{
    struct company company = {.is_seen_from_near = true};
    struct camera near = *camera;
    near.far = false;
    near.started = camera->started && !camera->far;
    follow(&near, view, place, ahead);
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        float x, y;
        if (!middle_of(view, slot, &x, &y))
            continue;
        company.count++;
        company.own_count += view_is_own(view, slot);
        company.is_seen_from_near &= holds(near.x, camera_width(&near), x, view->map->columns * MAP_EDGE_PX) &&
                                     holds(near.y, camera_height(&near), y, view->map->rows * MAP_EDGE_PX);
    }
    company.count = company.count <= FEW ? company.count : company.own_count;
    return company;
}

static void be_near(struct camera *camera)
{
    camera->far = camera->nears = camera->started = false;
    camera->nearness = 0;
}

// It goes far away at once, and comes near when it need not go away again soon. From near it follows those at this
// window, so while none of them lives, it sees the others, such as the winner of a round, from far away.
static void choose_distance(struct camera *camera, const struct view *view, struct place place, float ahead)
{
    const struct map *map = view->map;
    int32_t w = canvas_shape_width(camera->shape), h = canvas_shape_height(camera->shape);
    bool fits = map->columns * MAP_EDGE_PX <= w && map->rows * MAP_EDGE_PX <= h;
    struct company company = company_of(camera, view, place, ahead);
    bool plays = view->slot < PLAYER_CAPACITY && player_plays(&view->world->players[view->slot]);
    bool sees_followed = !plays || company.own_count > 0;
    bool near = fits || camera->free || company.count == 0 ||
                (sees_followed && (company.count == 1 || (!view_is_shared(view) && company.is_seen_from_near)));
    camera->near_ticks = near ? camera->near_ticks + 1 : 0;
    bool was_far = camera->far && !camera->nears;
    bool far = !near || (was_far && camera->near_ticks < SURE_TICKS);
    if (fits || camera->free) {
        if (camera->far)
            be_near(camera);
        return;
    }
    if (far == was_far)
        return;
    camera->nears = !far;
    if (far && !camera->far) { // all who matter are in the picture from there, so only what is shown of it changes
        camera->far = true;
        camera->nearness = camera->started ? 1 : 0;
        camera->near_x = camera->x;
        camera->near_y = camera->y;
        camera->started = false;
    }
}

// Returns whether the picture, or the part of it that is shown, has a place.
static bool shows(const struct camera *camera, struct place place)
{
    struct rect part = camera_part(camera);
    float left = camera->x - (float)camera_width(camera) / 2 + (float)part.x;
    float top = camera->y - (float)camera_height(camera) / 2 + (float)part.y;
    return place.x >= left && place.x <= left + (float)part.w && place.y >= top && place.y <= top + (float)part.h;
}

static bool shows_own_players(const struct camera *camera, const struct view *view)
{
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        struct place place;
        if (view_is_own(view, slot) && middle_of(view, slot, &place.x, &place.y) && !shows(camera, place))
            return false;
    }
    return true;
}

// Goes on with the way to near or to far; nobody at this window is left out for its sake.
static void zoom(struct camera *camera, const struct view *view, struct place place)
{
    if (!camera->far)
        return;
    camera->nearness += camera->nears ? ZOOM_STEP : -ZOOM_STEP;
    if (camera->nears) {
        camera->near_x = clamp_axis(place.x, view->map->columns * MAP_EDGE_PX, canvas_shape_width(camera->shape));
        camera->near_y = clamp_axis(place.y, view->map->rows * MAP_EDGE_PX, canvas_shape_height(camera->shape));
    } else {
        while (camera->nearness > 0 && (camera->cuts || !shows_own_players(camera, view)))
            camera->nearness -= ZOOM_STEP;
        camera->nearness = fmaxf(0, camera->nearness);
    }
    if (camera->nears && (camera->cuts || camera->nearness >= 1)) {
        be_near(camera);
        camera->x = camera->from_x = camera->near_x;
        camera->y = camera->from_y = camera->near_y;
    }
}

static void direct(struct camera *camera, const struct view *view)
{
    struct director *director = &camera->director;
    director->shape = camera->shape;
    bool cuts = director_step(director, view) || !camera->started;
    camera->from_x = cuts ? director->x : camera->x;
    camera->from_y = cuts ? director->y : camera->y;
    camera->x = director->x;
    camera->y = director->y;
    camera->far = director->far;
    camera->nears = false;
    camera->nearness = 0;
    camera->started = true;
}

// A player with their middle outside of the arena, such as above it, is in no picture.
static void count_framed(struct camera *camera, const struct view *view)
{
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        float x, y;
        if (!view_is_own(view, slot) || !middle_of(view, slot, &x, &y) || x < 0 || y < 0 ||
            x >= (float)(view->map->columns * MAP_EDGE_PX) || y >= (float)(view->map->rows * MAP_EDGE_PX))
            continue;
        bool is_seen = shows(camera, (struct place){x, y});
        camera->framed += is_seen;
        camera->unframed += !is_seen;
    }
}

void camera_step(struct camera *camera, const struct view *view)
{
    bool plays = view->slot < PLAYER_CAPACITY && player_plays(&view->world->players[view->slot]);
    if (camera->shake > 0 && view->world->tick % 3 == 0)
        camera->shake--;
    if (!plays && !camera->free) {
        direct(camera, view);
        return;
    }
    camera->director.started = false;
    struct place place = {camera->x, camera->y};
    bool found = plays && !camera->free && middle_of_own(view, &place.x, &place.y);
    bool leads = found && !view_is_shared(view);
    if (leads)
        camera->ahead += ((float)view->world->players[view->slot].facing * LOOK_AHEAD - camera->ahead) * LOOK_TURN;
    float ahead = leads ? camera->ahead : 0;
    choose_distance(camera, view, place, ahead);
    if (camera->free)
        place = (struct place){camera->free_x, camera->free_y};
    else if (!camera->started && !found)
        place =
            (struct place){(float)(view->map->columns * MAP_EDGE_PX) / 2, (float)(view->map->rows * MAP_EDGE_PX) / 2};
    follow(camera, view, place, ahead);
    zoom(camera, view, place);
    camera->started = true;
    count_framed(camera, view);
}

void camera_use_shape(struct camera *camera, enum canvas_shape shape)
{
    if (camera->shape == shape)
        return;
    camera->shape = shape;
    camera->director.started = false;
    be_near(camera);
}

void camera_jolt(struct camera *camera, int32_t px)
{
    if (camera->shake < px)
        camera->shake = px;
}

struct rect camera_part(const struct camera *camera)
{
    float eased = camera->nearness * camera->nearness * (3 - 2 * camera->nearness);
    int32_t w = camera_width(camera), h = camera_height(camera);
    struct rect part = {0, 0, w - (int32_t)((float)(w - canvas_shape_width(camera->shape)) * eased),
                        h - (int32_t)((float)(h - canvas_shape_height(camera->shape)) * eased)};
    int32_t aside = (int32_t)((camera->near_x - camera->x) * eased);
    int32_t below = (int32_t)((camera->near_y - camera->y) * eased);
    part.x = number_clamp((w - part.w) / 2 + aside, 0, w - part.w);
    part.y = number_clamp((h - part.h) / 2 + below, 0, h - part.h);
    return part;
}

void camera_corner(const struct camera *camera, const struct view *view, int32_t *left, int32_t *top)
{
    uint32_t now = view->world->tick;
    int32_t sway = now / 2 % 2 ? camera->shake : -camera->shake;
    float part = (float)view->between / 256;
    float x = camera->from_x + (camera->x - camera->from_x) * part;
    float y = camera->from_y + (camera->y - camera->from_y) * part;
    *left = (int32_t)floorf(x - (float)camera_width(camera) / 2 + 0.5f) + sway / 2;
    *top = (int32_t)floorf(y - (float)camera_height(camera) / 2 + 0.5f) + (now / 3 % 2 ? sway : -sway / 2);
}

static bool is_there(const struct view *view, uint32_t slot)
{
    return slot < view->world->player_slots && player_plays(&view->world->players[slot]);
}

// Follows the next player, by rising or falling slot; frames everybody if there is none.
static void follow_player(struct spectator_camera *spectator, const struct view *view, uint32_t by)
{
    uint32_t slot = spectator->mode == SPECTATOR_CAMERA_PLAYER ? spectator->slot : by == 1 ? PLAYER_CAPACITY - 1 : 0;
    spectator->mode = SPECTATOR_CAMERA_OWN;
    for (uint32_t i = 0; i < PLAYER_CAPACITY; i++) {
        slot = (slot + by) % PLAYER_CAPACITY;
        if (!is_there(view, slot))
            continue;
        spectator->mode = SPECTATOR_CAMERA_PLAYER;
        spectator->slot = slot;
        return;
    }
}

void camera_spectator_toggle_free(struct spectator_camera *spectator, float x, float y)
{
    spectator->mode = spectator->mode == SPECTATOR_CAMERA_FREE ? SPECTATOR_CAMERA_OWN : SPECTATOR_CAMERA_FREE;
    spectator->x = x;
    spectator->y = y;
}

static float within(float value, int32_t tiles)
{
    float most = (float)(tiles * MAP_EDGE_PX);
    return value < 0 ? 0 : value > most ? most : value;
}

void camera_spectator_step(struct spectator_camera *spectator, const struct view *view, uint32_t buttons, float x,
                           float y)
{
    uint32_t pressed = buttons & ~spectator->held_before;
    spectator->held_before = buttons;
    if (pressed & BUTTON_JUMP)
        camera_spectator_toggle_free(spectator, x, y);
    if (pressed & BUTTON_SHOOT)
        follow_player(spectator, view, 1);
    if (pressed & BUTTON_DASH)
        follow_player(spectator, view, PLAYER_CAPACITY - 1);
    if (spectator->mode == SPECTATOR_CAMERA_PLAYER && !is_there(view, spectator->slot))
        follow_player(spectator, view, 1);
    if (spectator->mode != SPECTATOR_CAMERA_FREE)
        return;
    spectator->x += SPEED_PX * (float)(!!(buttons & BUTTON_RIGHT) - !!(buttons & BUTTON_LEFT));
    spectator->y += SPEED_PX * (float)(!!(buttons & BUTTON_DOWN) - !!(buttons & BUTTON_UP));
    spectator->x = within(spectator->x, view->map->columns);
    spectator->y = within(spectator->y, view->map->rows);
}

void camera_spectator_apply(const struct spectator_camera *spectator, struct view *view, struct camera *camera)
{
    if (spectator->mode == SPECTATOR_CAMERA_PLAYER)
        view->slot = spectator->slot;
    camera->free = spectator->mode == SPECTATOR_CAMERA_FREE;
    camera->free_x = spectator->x;
    camera->free_y = spectator->y;
}
