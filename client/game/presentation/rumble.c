// SPDX-License-Identifier: MIT
#include "presenter.h"

#include "core/pose.h"

#define NEAR_PX 160 ///< from there on nothing is felt of what happens to others

static const struct rumble DEATH = {65535, 49152, 380}, SQUISHED = {65535, 65535, 520}, KILL = {20000, 40000, 150},
                           SHIELD = {32768, 49152, 200}, SQUISH_NEAR = {45000, 16000, 240}, SLAM = {40000, 8000, 200},
                           EXPLOSION = {52000, 32768, 280};

// What is near is felt, the less the farther away it is.
static struct rumble faded(struct rumble rumble, const struct view *view, uint32_t slot, const struct event *event)
{
    struct pose own = {view->actors[slot].x * DF_SUB, view->actors[slot].y * DF_SUB, 0},
                place = {event->x * DF_SUB, event->y * DF_SUB, 0};
    int64_t apart_px = pose_distance(view->map, own, place) / DF_SUB;
    if (apart_px >= NEAR_PX || view->world->players[slot].state != PLAYER_ALIVE)
        return (struct rumble){0};
    rumble.low = (uint16_t)(rumble.low * (NEAR_PX - apart_px) / NEAR_PX);
    rumble.high = (uint16_t)(rumble.high * (NEAR_PX - apart_px) / NEAR_PX);
    return rumble;
}

static struct rumble of_event(const struct view *view, uint32_t slot, const struct event *event)
{
    if (event->kind == EVENT_KILL && event->subject == slot)
        return event->detail == DEATH_SQUISH ? SQUISHED : DEATH;
    if (event->kind == EVENT_KILL && event->other == slot)
        return KILL;
    if (event->kind == EVENT_KILL && event->detail == DEATH_SQUISH)
        return faded(SQUISH_NEAR, view, slot, event);
    if (event->kind == EVENT_SHIELD && event->subject == slot)
        return SHIELD;
    if (event->kind == EVENT_SLAM)
        return faded(SLAM, view, slot, event);
    if (event->kind == EVENT_EXPLODE)
        return faded(EXPLOSION, view, slot, event);
    return (struct rumble){0};
}

struct rumble rumble_of(const struct view *view, uint32_t slot)
{
    struct rumble most = {0};
    for (uint32_t i = 0; slot < PLAYER_CAPACITY && i < view->event_count; i++) {
        struct rumble next = of_event(view, slot, &view->events[i]);
        most = next.low + next.high > most.low + most.high ? next : most;
    }
    return most;
}
