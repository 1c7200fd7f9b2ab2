// SPDX-License-Identifier: MIT
#include "spectator_camera.h"

#define SPEED_PX 4.0f ///< of the camera that is moved by hand, a tick

static bool is_there(const struct view *view, uint32_t slot)
{
    if (slot >= view->world->player_slots)
        return false;
    uint32_t state = view->world->players[slot].state;
    return state == PLAYER_ALIVE || state == PLAYER_DEAD;
}

// The next who is there, upward or downward; without any, all are framed.
static void follow(struct spectator_camera *watch, const struct view *view, uint32_t by)
{
    uint32_t slot = watch->mode == SPECTATOR_CAMERA_PLAYER ? watch->slot : by == 1 ? PLAYER_CAPACITY - 1 : 0;
    watch->mode = SPECTATOR_CAMERA_OWN;
    for (uint32_t i = 0; i < PLAYER_CAPACITY; i++) {
        slot = (slot + by) % PLAYER_CAPACITY;
        if (!is_there(view, slot))
            continue;
        watch->mode = SPECTATOR_CAMERA_PLAYER;
        watch->slot = slot;
        return;
    }
}

void spectator_camera_toggle_free(struct spectator_camera *watch, float x, float y)
{
    watch->mode = watch->mode == SPECTATOR_CAMERA_FREE ? SPECTATOR_CAMERA_OWN : SPECTATOR_CAMERA_FREE;
    watch->x = x;
    watch->y = y;
}

static float within(float value, int32_t tiles)
{
    float most = (float)(tiles * MAP_EDGE_PX);
    return value < 0 ? 0 : value > most ? most : value;
}

static void move(struct spectator_camera *watch, const struct map *map, uint32_t buttons)
{
    watch->x += SPEED_PX * (float)(!!(buttons & BUTTON_RIGHT) - !!(buttons & BUTTON_LEFT));
    watch->y += SPEED_PX * (float)(!!(buttons & BUTTON_DOWN) - !!(buttons & BUTTON_UP));
    watch->x = within(watch->x, map->columns);
    watch->y = within(watch->y, map->rows);
}

void spectator_camera_step(struct spectator_camera *watch, const struct view *view, uint32_t buttons, float x, float y)
{
    uint32_t pressed = buttons & ~watch->held_before;
    watch->held_before = buttons;
    if (pressed & BUTTON_JUMP)
        spectator_camera_toggle_free(watch, x, y);
    if (pressed & BUTTON_SHOOT)
        follow(watch, view, 1);
    if (pressed & BUTTON_DASH)
        follow(watch, view, PLAYER_CAPACITY - 1);
    if (watch->mode == SPECTATOR_CAMERA_PLAYER && !is_there(view, watch->slot))
        follow(watch, view, 1);
    if (watch->mode == SPECTATOR_CAMERA_FREE)
        move(watch, view->map, buttons);
}

void spectator_camera_apply(const struct spectator_camera *watch, struct view *view, struct camera *camera)
{
    if (watch->mode == SPECTATOR_CAMERA_PLAYER)
        view->slot = watch->slot;
    camera->free = watch->mode == SPECTATOR_CAMERA_FREE;
    camera->free_x = watch->x;
    camera->free_y = watch->y;
}
