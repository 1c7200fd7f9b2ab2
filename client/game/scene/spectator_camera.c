// SPDX-License-Identifier: MIT
#include "camera.h"

#include "game/player/player.h"

#define SPEED_PX 4.0f ///< speed of the free camera, px per tick

static bool is_there(const struct view *view, uint32_t slot)
{
    return slot < view->world->player_slots && player_plays(&view->world->players[slot]);
}

// Follows the next player, by rising or falling slot; frames everybody if there is none.
static void follow(struct spectator_camera *spectator, const struct view *view, uint32_t by)
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

void spectator_camera_toggle_free(struct spectator_camera *spectator, float x, float y)
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

static void move(struct spectator_camera *spectator, const struct map *map, uint32_t buttons)
{
    spectator->x += SPEED_PX * (float)(!!(buttons & BUTTON_RIGHT) - !!(buttons & BUTTON_LEFT));
    spectator->y += SPEED_PX * (float)(!!(buttons & BUTTON_DOWN) - !!(buttons & BUTTON_UP));
    spectator->x = within(spectator->x, map->columns);
    spectator->y = within(spectator->y, map->rows);
}

void spectator_camera_step(struct spectator_camera *spectator, const struct view *view, uint32_t buttons, float x,
                           float y)
{
    uint32_t pressed = buttons & ~spectator->held_before;
    spectator->held_before = buttons;
    if (pressed & BUTTON_JUMP)
        spectator_camera_toggle_free(spectator, x, y);
    if (pressed & BUTTON_SHOOT)
        follow(spectator, view, 1);
    if (pressed & BUTTON_DASH)
        follow(spectator, view, PLAYER_CAPACITY - 1);
    if (spectator->mode == SPECTATOR_CAMERA_PLAYER && !is_there(view, spectator->slot))
        follow(spectator, view, 1);
    if (spectator->mode == SPECTATOR_CAMERA_FREE)
        move(spectator, view->map, buttons);
}

void spectator_camera_apply(const struct spectator_camera *spectator, struct view *view, struct camera *camera)
{
    if (spectator->mode == SPECTATOR_CAMERA_PLAYER)
        view->slot = spectator->slot;
    camera->free = spectator->mode == SPECTATOR_CAMERA_FREE;
    camera->free_x = spectator->x;
    camera->free_y = spectator->y;
}
