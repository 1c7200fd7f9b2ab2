// SPDX-License-Identifier: MIT
#include "camera.h"

#include <math.h>

#include "game/player/player.h"
#include "game/rules/mode.h"

#define LOOK_TICKS   12    ///< between two looks
#define SHOT_TICKS   300   ///< a shot lasts so long, unless something else is much better
#define FIRST_TICKS  45    ///< for which it lasts in any case
#define FAR_TICKS    720   ///< it comes near again after so long
#define LINGER_TICKS 75    ///< after a kill in the picture
#define AHEAD_TICKS  20    ///< a meeting is foreseen by the players' speeds
#define NEAR_PX      90.0f ///< opponents so close to each other count half of those who touch
#define ALONE        0.03f ///< what a player counts without any opponent
#define UNARMED      0.6f  ///< of two without arrows
#define RIM_PX       40    ///< what is nearer to the rim of the picture does not count
#define FAR_WORTH    0.72f ///< figures are small there
#define BETTER       1.3f  ///< so much better is worth a cut after a whole shot
#define MUCH_BETTER  4.0f  ///< the same at its beginning
#define STILL_PART   0.16f ///< of the picture in which the aim may be without moving it
#define GLIDE        0.02f ///< part of the way in a tick
#define GLIDE_PX     2.2f  ///< at most
#define GAIN_PX      0.06f ///< by which the speed grows in a tick

// A player who lives.
struct subject {
    float x, y, heat;
    uint32_t slot;
};

// A picture that is possible.
struct shot {
    float x, y, worth;
    bool far;
};

struct stage {
    enum canvas_shape shape;
    const struct view *view;
    uint32_t count;
    struct subject subjects[PLAYER_CAPACITY];
};

// Not hypotf(): glibc 2.35 has a new version of it, and older ones would not start the game.
static float length_of(float x, float y)
{
    return sqrtf(x * x + y * y);
}

// Two opponents heat each other the more, the closer they are now, or will be if they move on as now.
static void heat_pair(const struct stage *stage, struct subject *one, struct subject *two)
{
    const struct world *world = stage->view->world;
    const struct player *first = &world->players[one->slot], *second = &world->players[two->slot];
    if (mode_of(world)->teams && first->team == second->team)
        return;
    float dx = two->x - one->x, dy = two->y - one->y;
    float later_x = dx + (float)(second->vx - first->vx) * AHEAD_TICKS / DF_SUB;
    float later_y = dy + (float)(second->vy - first->vy) * AHEAD_TICKS / DF_SUB;
    float closest_px = fminf(length_of(dx, dy), length_of(later_x, later_y));
    bool armed = first->arrows + second->arrows > 0;
    float part = NEAR_PX / (NEAR_PX + closest_px);
    float heat = part * part * (armed ? 1 : UNARMED);
    one->heat += heat;
    two->heat += heat;
}

static void set_stage(struct stage *stage, const struct view *view)
{
    stage->view = view;
    stage->count = 0;
    for (uint32_t slot = 0; slot < view->world->player_slots; slot++) {
        const struct df_actor *actor = &view->world->actors[slot];
        if (view_shows(view, slot))
            stage->subjects[stage->count++] =
                (struct subject){(float)view->actors[slot].x / DF_SUB + (float)actor->w / 2,
                                 (float)view->actors[slot].y / DF_SUB + (float)actor->h / 2, ALONE, slot};
    }
    for (uint32_t i = 0; i < stage->count; i++)
        for (uint32_t j = i + 1; j < stage->count; j++)
            heat_pair(stage, &stage->subjects[i], &stage->subjects[j]);
}

static float width_of(enum canvas_shape shape, bool far)
{
    return (float)(canvas_shape_width(shape) * (far ? CANVAS_FINE : 1));
}

static float height_of(enum canvas_shape shape, bool far)
{
    return (float)(canvas_shape_height(shape) * (far ? CANVAS_FINE : 1));
}

static bool fits(const struct stage *stage, bool far)
{
    const struct map *map = stage->view->map;
    return (float)(map->columns * MAP_EDGE_PX) <= width_of(stage->shape, far) &&
           (float)(map->rows * MAP_EDGE_PX) <= height_of(stage->shape, far);
}

static float clamp_axis(float middle, float map_px, float picture_px)
{
    if (map_px <= picture_px)
        return map_px / 2;
    return fmaxf(picture_px / 2, fminf(map_px - picture_px / 2, middle));
}

// Moves a shot into the arena, and finds what is in it. `middle`, if not null, becomes the middle of that.
static void value(const struct stage *stage, struct shot *shot, struct subject *middle)
{
    const struct map *map = stage->view->map;
    float w = width_of(stage->shape, shot->far), h = height_of(stage->shape, shot->far), sum_x = 0, sum_y = 0, sum = 0;
    shot->x = clamp_axis(shot->x, (float)(map->columns * MAP_EDGE_PX), w);
    shot->y = clamp_axis(shot->y, (float)(map->rows * MAP_EDGE_PX), h);
    for (uint32_t i = 0; i < stage->count; i++) {
        const struct subject *subject = &stage->subjects[i];
        bool inside = fabsf(subject->x - shot->x) < w / 2 - RIM_PX && fabsf(subject->y - shot->y) < h / 2;
        if (!inside && !fits(stage, shot->far))
            continue;
        sum_x += subject->x * subject->heat;
        sum_y += subject->y * subject->heat;
        sum += subject->heat;
    }
    shot->worth = sum * (shot->far ? FAR_WORTH : 1);
    if (middle && sum > 0)
        *middle = (struct subject){.x = sum_x / sum, .y = sum_y / sum};
}

// The best of the pictures around each player, from near and from far away.
static struct shot best_shot(const struct stage *stage)
{
    struct shot best = {.worth = -1};
    for (uint32_t i = 0; i < 2 * stage->count; i++) {
        const struct subject *subject = &stage->subjects[i / 2];
        struct shot shot = {.x = subject->x, .y = subject->y, .far = i % 2 && !fits(stage, false)};
        struct subject middle = *subject;
        value(stage, &shot, &middle);
        struct shot centred = {.x = middle.x, .y = middle.y, .far = shot.far};
        value(stage, &centred, NULL);
        shot = centred.worth >= shot.worth ? centred : shot;
        best = shot.worth > best.worth ? shot : best;
    }
    return best;
}

// Aims at the middle of what the picture shows, unless that is well inside.
static void aim(struct director *director, const struct stage *stage, struct shot *now)
{
    struct subject middle = {.x = now->x, .y = now->y};
    value(stage, now, &middle);
    struct shot centred = {.x = middle.x, .y = middle.y, .far = now->far};
    value(stage, &centred, NULL);
    if (fabsf(centred.x - director->x) > width_of(stage->shape, now->far) * STILL_PART ||
        fabsf(centred.y - director->y) > height_of(stage->shape, now->far) * STILL_PART) {
        director->aim_x = centred.x;
        director->aim_y = centred.y;
    }
}

// Returns true if it cuts.
static bool look(struct director *director, const struct view *view)
{
    struct stage stage = {.shape = director->shape};
    set_stage(&stage, view);
    struct shot best = best_shot(&stage), now = {.x = director->x, .y = director->y, .far = director->far};
    director->wait_ticks = LOOK_TICKS;
    if (stage.count == 0 && director->started)
        return false;
    value(&stage, &now, NULL);
    uint32_t least_ticks = director->far && !best.far ? FAR_TICKS : FIRST_TICKS;
    bool may_end = director->linger_ticks == 0 && director->shot_ticks >= least_ticks;
    float part = fminf(1, (float)director->shot_ticks / SHOT_TICKS); // the longer a shot lasts, the less is needed
    if (!director->started || (may_end && best.worth > now.worth * (MUCH_BETTER + (BETTER - MUCH_BETTER) * part))) {
        if (stage.count == 0)
            best = (struct shot){.x = (float)(view->map->columns * MAP_EDGE_PX) / 2,
                                 .y = (float)(view->map->rows * MAP_EDGE_PX) / 2};
        *director = (struct director){.shape = director->shape,
                                      .started = true,
                                      .far = best.far,
                                      .x = best.x,
                                      .y = best.y,
                                      .aim_x = best.x,
                                      .aim_y = best.y,
                                      .wait_ticks = LOOK_TICKS};
        return true;
    }
    aim(director, &stage, &now);
    return false;
}

// Glides to the aim: the speed grows slowly, and shrinks near the aim.
static void glide(struct director *director)
{
    float dx = director->aim_x - director->x, dy = director->aim_y - director->y, way = length_of(dx, dy);
    float most = fminf(fminf(way * GLIDE, GLIDE_PX), director->speed + GAIN_PX);
    director->speed = way < 1 ? 0 : most;
    if (director->speed == 0)
        return;
    director->x += dx / way * director->speed;
    director->y += dy / way * director->speed;
}

static bool shows(const struct director *director, const struct event *event)
{
    return fabsf((float)event->x - director->x) < width_of(director->shape, director->far) / 2 &&
           fabsf((float)event->y - director->y) < height_of(director->shape, director->far) / 2;
}

bool director_step(struct director *director, const struct view *view)
{
    director->shot_ticks++;
    director->linger_ticks -= director->linger_ticks > 0;
    for (uint32_t i = 0; i < view->event_count; i++)
        if (view->events[i].kind == EVENT_KILL && shows(director, &view->events[i]))
            director->linger_ticks = LINGER_TICKS;
    director->wait_ticks -= director->wait_ticks > 0;
    if (director->wait_ticks == 0 && look(director, view))
        return true;
    glide(director);
    return false;
}
