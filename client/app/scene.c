// SPDX-License-Identifier: MIT
#include "scene.h"

#include <string.h>

#define STEPS_MAX  30 ///< ticks made up for after a pause
#define FEED_TICKS (6 * TICKS_PER_SECOND)
#define HEARD_PX   220 ///< from the middle of the picture within which a slam shakes it

static const struct player *player_of(const struct view *view, uint32_t slot)
{
    return slot < PLAYER_CAPACITY ? &view->world->players[slot] : 0;
}

static uint32_t colour_of(const struct view *view, uint32_t slot)
{
    const struct player *player = player_of(view, slot);
    return player ? player->colour : 0;
}

static void add_to_feed(struct scene *scene, const struct view *view, const struct event *event)
{
    memmove(&scene->feed[1], &scene->feed[0], (FEED_CAPACITY - 1) * sizeof *scene->feed);
    struct feed_line *line = &scene->feed[0];
    *line = (struct feed_line){.cause = event->detail, .until = view->world->tick + FEED_TICKS};
    if (player_of(view, event->other)) {
        figure_name(player_of(view, event->other), line->killer);
        line->killer_colour = colour_of(view, event->other);
    }
    if (player_of(view, event->subject)) {
        figure_name(player_of(view, event->subject), line->victim);
        line->victim_colour = colour_of(view, event->subject);
    }
}

static void jolt_near(struct scene *scene, const struct event *event, int32_t px)
{
    float dx = (float)event->x - scene->camera.x, dy = (float)event->y - scene->camera.y;
    if (dx * dx + dy * dy < (float)(HEARD_PX * HEARD_PX))
        camera_jolt(&scene->camera, px);
}

static void die(struct scene *scene, const struct view *view, const struct event *event)
{
    argb colour = palette_player(colour_of(view, event->subject));
    bool squish = event->detail == DEATH_SQUISH;
    particles_splat(&scene->particles, (float)event->x, (float)event->y, squish ? 70 : 36, colour);
    particles_ring(&scene->particles, (float)event->x, (float)event->y, squish ? 34 : 24, RGB(0xFFF4E0));
    jolt_near(scene, event, event->subject == view->slot ? 5 : squish ? 4 : 2);
    add_to_feed(scene, view, event);
}

static struct df_box solid_box(const struct view *view, uint32_t solid)
{
    if (solid >= view->world->solid_count)
        return (struct df_box){0, 0, 8, 8};
    const struct df_solid *body = &view->world->solids[solid];
    return (struct df_box){body->x, body->y, body->w, body->h};
}

static void crusher_event(struct scene *scene, const struct view *view, const struct event *event)
{
    struct df_box box = solid_box(view, event->detail);
    float left = (float)box.x, right = (float)(box.x + box.w), bottom = (float)(box.y + box.h);
    if (event->kind == EVENT_WARN) {
        for (float x = left + 3; x < right; x += 6)
            particles_dust(&scene->particles, x, (float)box.y, 0, 0.5f, 1);
        return;
    }
    particles_dust(&scene->particles, left, bottom - 1, -1.4f, 0, 10);
    particles_dust(&scene->particles, right, bottom - 1, 1.4f, 0, 10);
    particles_sparks(&scene->particles, left, bottom - 1, 6, RGB(0xFFC46A));
    particles_sparks(&scene->particles, right, bottom - 1, 6, RGB(0xFFC46A));
    jolt_near(scene, event, 4);
}

static void land(struct scene *scene, const struct event *event)
{
    int32_t speed = (int32_t)event->detail / DF_SUB;
    figure_squash(&scene->figures[event->subject], 1 + speed);
    particles_dust(&scene->particles, (float)event->x, (float)event->y, -0.8f, 0, 1 + speed);
    particles_dust(&scene->particles, (float)event->x, (float)event->y, 0.8f, 0, 1 + speed);
}

static void player_event(struct scene *scene, const struct view *view, const struct event *event)
{
    const struct player *player = player_of(view, event->subject);
    float x = (float)event->x, y = (float)event->y;
    if (!player)
        return;
    struct figure *figure = &scene->figures[event->subject];
    switch ((enum event_kind)event->kind) {
    case EVENT_SPAWN:
        particles_ring(&scene->particles, x, y - 6, 26, palette_player_light(player->colour));
        particles_sparks(&scene->particles, x, y - 6, 14, palette_player_light(player->colour));
        break;
    case EVENT_JUMP:
        figure_squash(figure, -4);
        particles_dust(&scene->particles, x, y, event->detail ? (float)player->facing : 0, 0.2f, 5);
        break;
    case EVENT_LAND:
        land(scene, event);
        break;
    case EVENT_DASH:
        particles_dust(&scene->particles, x, y - 4, (float)-player->dash_x * 1.5f, (float)-player->dash_y * 1.5f, 8);
        particles_ring(&scene->particles, x, y - 6, 14, palette_player_light(player->colour));
        break;
    case EVENT_SHOOT:
        figure_shoot(figure);
        break;
    case EVENT_PICKUP:
        particles_sparks(&scene->particles, x, y - 6, 6, RGB(0xFFF4D8));
        break;
    case EVENT_CATCH:
        particles_ring(&scene->particles, x, y - 6, 20, RGB(0xFFF4D8));
        particles_sparks(&scene->particles, x, y - 6, 16, RGB(0xFFF4D8));
        break;
    case EVENT_KILL:
        die(scene, view, event);
        break;
    default: // the other kinds are of no player
        break;
    }
}

static void take_event(struct scene *scene, const struct view *view, const struct event *event)
{
    float x = (float)event->x, y = (float)event->y;
    switch ((enum event_kind)event->kind) {
    case EVENT_WARN:
    case EVENT_SLAM:
        crusher_event(scene, view, event);
        break;
    case EVENT_STICK:
        particles_sparks(&scene->particles, x, y, 5, RGB(0xFFE0A0));
        particles_dust(&scene->particles, x, y, 0, 0, 2);
        break;
    case EVENT_BOUNCE:
        particles_sparks(&scene->particles, x, y, 4, RGB(0xFFC46A));
        break;
    case EVENT_BREAK:
        particles_dust(&scene->particles, x, y, 0, 0, 8);
        particles_sparks(&scene->particles, x, y, 8, RGB(0xD0C0AC));
        break;
    default:
        player_event(scene, view, event);
        break;
    }
}

static void step(struct scene *scene, const struct view *view, const struct ground *ground)
{
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        if (slot < view->world->player_slots || scene->figures[slot].seen)
            figure_step(&scene->figures[slot], view, slot);
    particles_step(&scene->particles, ground);
    camera_step(&scene->camera, view);
}

void scene_take(struct scene *scene, const struct view *view)
{
    struct ground ground = {view->map, view->world->broken};
    int32_t steps = scene->started ? (int32_t)(view->world->tick - scene->tick) : 1;
    for (uint32_t i = 0; i < view->event_count; i++)
        take_event(scene, view, &view->events[i]);
    for (int32_t i = 0; i < steps && i < STEPS_MAX; i++)
        step(scene, view, &ground);
    scene->started = true;
    scene->tick = view->world->tick;
}
