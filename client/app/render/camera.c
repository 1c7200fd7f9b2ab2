// SPDX-License-Identifier: MIT
#include "camera.h"

#include <math.h>

#include "app/gfx/canvas.h"
#include "game/player/player.h"

#define FOLLOW     0.12f ///< part of the way to its target that the camera moves in a tick
#define LOOK_AHEAD 28.0f ///< px
#define LOOK_TURN  0.03f ///< part by which the look-ahead changes in a tick

static bool middle_of(const struct view *view, uint32_t slot, float *x, float *y)
{
    if (slot >= PLAYER_CAPACITY || !view_shows(view, slot))
        return false;
    *x = (float)view->actors[slot].x / DF_SUB + (float)view->world->actors[slot].w / 2;
    *y = (float)view->actors[slot].y / DF_SUB + (float)view->world->actors[slot].h / 2;
    return true;
}

static bool middle_of_all(const struct view *view, float *x, float *y)
{
    float sum_x = 0, sum_y = 0, count = 0;
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        float player_x, player_y;
        if (!middle_of(view, slot, &player_x, &player_y))
            continue;
        sum_x += player_x;
        sum_y += player_y;
        count++;
    }
    *x = sum_x / (count > 0 ? count : 1);
    *y = sum_y / (count > 0 ? count : 1);
    return count > 0;
}

static float clamp_axis(float middle, int32_t map_px, int32_t canvas_px)
{
    float half = (float)canvas_px / 2, size = (float)map_px;
    if (map_px <= canvas_px)
        return size / 2;
    return middle < half ? half : middle > size - half ? size - half : middle;
}

// Finds the middle of the living local players.
static bool middle_of_local_players(const struct camera *camera, const struct view *view, float *x, float *y)
{
    float sum_x = 0, sum_y = 0, count = 0, one_x, one_y;
    for (uint32_t i = 0; i <= camera->local_slot_count; i++) {
        if (!middle_of(view, i < camera->local_slot_count ? camera->local_slots[i] : view->slot, &one_x, &one_y))
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

void camera_step(struct camera *camera, const struct view *view)
{
    float x = camera->x, y = camera->y;
    bool own = view->slot < PLAYER_CAPACITY && player_plays(&view->world->players[view->slot]);
    bool found = own ? middle_of_local_players(camera, view, &x, &y) : middle_of_all(view, &x, &y);
    if (!camera->started && !found) {
        x = (float)(view->map->columns * MAP_EDGE_PX) / 2;
        y = (float)(view->map->rows * MAP_EDGE_PX) / 2;
    }
    if (camera->free) {
        x = camera->free_x;
        y = camera->free_y;
        own = false;
    }
    if (own && found && !camera->local_slot_count)
        camera->ahead += ((float)view->world->players[view->slot].facing * LOOK_AHEAD - camera->ahead) * LOOK_TURN;
    x = clamp_axis(x + (own && found && !camera->local_slot_count ? camera->ahead : 0),
                   view->map->columns * MAP_EDGE_PX, CANVAS_WIDTH);
    y = clamp_axis(y, view->map->rows * MAP_EDGE_PX, CANVAS_HEIGHT);
    camera->from_x = camera->started ? camera->x : x;
    camera->from_y = camera->started ? camera->y : y;
    camera->x += (x - camera->x) * (camera->started ? FOLLOW : 1);
    camera->y += (y - camera->y) * (camera->started ? FOLLOW : 1);
    camera->started = true;
    if (camera->shake > 0 && view->world->tick % 3 == 0)
        camera->shake--;
}

void camera_jolt(struct camera *camera, int32_t px)
{
    if (camera->shake < px)
        camera->shake = px;
}

void camera_corner(const struct camera *camera, const struct view *view, int32_t *left, int32_t *top)
{
    uint32_t now = view->world->tick;
    int32_t sway = now / 2 % 2 ? camera->shake : -camera->shake;
    float part = (float)view->between / 256;
    float x = camera->from_x + (camera->x - camera->from_x) * part;
    float y = camera->from_y + (camera->y - camera->from_y) * part;
    *left = (int32_t)floorf(x - CANVAS_WIDTH / 2.0f + 0.5f) + sway / 2;
    *top = (int32_t)floorf(y - CANVAS_HEIGHT / 2.0f + 0.5f) + (now / 3 % 2 ? sway : -sway / 2);
}
