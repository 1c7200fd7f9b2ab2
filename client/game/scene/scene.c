// SPDX-License-Identifier: MIT
#include "scene.h"

#include <string.h>

#include "draw_sudden_death.h"
#include "game/player/player.h"
#include "game/tuning.h"
#include "text_panel.h"

#define STEPS_MAX     30  ///< ticks to catch up on after a pause
#define RUMBLE_TICKS  30  ///< between two tremors of sudden death
#define GRIND_TICKS   4   ///< between two puffs of dust at its walls
#define SLAM_REACH_PX 220 ///< distance from the middle of the picture at which a slam still shakes it

const struct display_options *scene_display(const struct scene *scene)
{
    return scene->display ? scene->display : &DISPLAY_OPTIONS_DEFAULT;
}

static void jolt(struct scene *scene, int32_t px)
{
    if (!scene_display(scene)->reduced_motion)
        camera_jolt(&scene->camera, px * (int32_t)scene_display(scene)->shake / 10);
}

static void jolt_near(struct scene *scene, const struct event *event, int32_t px)
{
    float dx = (float)event->x - scene->camera.x, dy = (float)event->y - scene->camera.y;
    if (dx * dx + dy * dy < (float)(SLAM_REACH_PX * SLAM_REACH_PX))
        jolt(scene, px);
}

// The arguments of an event's effect.
struct happening {
    struct scene *scene;
    struct particles *particles;
    const struct view *view;
    const struct display_options *display;
    const struct event *event;
    const struct player *player; ///< the subject; null: nobody
    float x, y, feet;            ///< the event's position, and the feet of a player with their middle there, px
};

static argb light_of(const struct happening *what)
{
    return palette_player_light(what->display->colour_vision, what->player->colour);
}

static struct player_figure *figure_of(const struct happening *what)
{
    return &what->scene->figures[what->event->subject];
}

static void on_spawn(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y - 6, 26, light_of(what));
    particles_sparks(what->particles, what->x, what->y - 6, 14, light_of(what));
}

static void on_jump(const struct happening *what)
{
    player_figure_squash(figure_of(what), -2);
    particles_dust(what->particles, what->x, what->feet, what->event->detail ? (float)what->player->facing : 0, 0.2f,
                   5);
}

static void on_land(const struct happening *what)
{
    int32_t speed = (int32_t)what->event->detail / DF_SUB;
    player_figure_squash(figure_of(what), 1 + speed);
    particles_dust(what->particles, what->x, what->feet, -0.8f, 0, 1 + speed);
    particles_dust(what->particles, what->x, what->feet, 0.8f, 0, 1 + speed);
}

static void on_dash(const struct happening *what)
{
    particles_dust(what->particles, what->x, what->y, (float)-what->player->dash_x, (float)-what->player->dash_y, 8);
    particles_ring(what->particles, what->x, what->y, 14, light_of(what));
}

static void on_shoot(const struct happening *what)
{
    player_figure_shoot(figure_of(what));
}

static void on_pickup(const struct happening *what)
{
    particles_sparks(what->particles, what->x, what->y, 6, RGB(0xFFF4D8));
}

static void on_catch(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 20, RGB(0xFFF4D8));
    particles_sparks(what->particles, what->x, what->y, 16, RGB(0xFFF4D8));
}

static void on_kill(const struct happening *what)
{
    const struct event *kill = what->event;
    bool squish = kill->detail == DEATH_SQUISH, own = kill->subject == what->view->slot;
    particles_splat(what->particles, what->x, what->y, squish ? 80 : 40,
                    palette_player(what->display->colour_vision, what->player->colour));
    particles_ring(what->particles, what->x, what->y, squish ? 34 : 24, RGB(0xFFF4E0));
    jolt_near(what->scene, kill, own ? 5 : squish ? 4 : 2);
    kill_feed_add(what->scene->feed, what->view, kill);
}

static void on_stick(const struct happening *what)
{
    particles_sparks(what->particles, what->x, what->y, 5, RGB(0xFFE0A0));
    particles_dust(what->particles, what->x, what->y, 0, 0, 2);
}

static void on_bounce(const struct happening *what)
{
    particles_sparks(what->particles, what->x, what->y, 4, RGB(0xFFC46A));
}

static void on_break(const struct happening *what)
{
    particles_dust(what->particles, what->x, what->y, 0, 0, 8);
    particles_sparks(what->particles, what->x, what->y, 8, RGB(0xD0C0AC));
}

// A crusher's events happen at the middle of its lower edge.
static int32_t half_width(const struct happening *what)
{
    uint32_t solid = what->event->detail;
    return solid < what->view->world->solid_count ? what->view->world->solids[solid].w / 2 : 8;
}

static void on_warn(const struct happening *what)
{
    int32_t half = half_width(what);
    for (int32_t dx = 3 - half; dx < half; dx += 6)
        particles_dust(what->particles, what->x + (float)dx, what->y + 1, 0, 0.6f, 1);
}

static void on_slam(const struct happening *what)
{
    float half = (float)half_width(what);
    for (float side = -1; side <= 1; side += 2) {
        particles_dust(what->particles, what->x + side * half, what->y - 1, side * 1.4f, 0, 10);
        particles_sparks(what->particles, what->x + side * half, what->y - 1, 6, RGB(0xFFC46A));
    }
    jolt_near(what->scene, what->event, 4);
}

static void on_explode(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 40, RGB(0xFFD890));
    particles_ring(what->particles, what->x, what->y, 24, RGB(0xFFF4D8));
    particles_sparks(what->particles, what->x, what->y, 40, RGB(0xFF9A3C));
    particles_dust(what->particles, what->x, what->y, 0, -0.3f, 20);
    jolt_near(what->scene, what->event, 5);
}

static void on_closing(const struct happening *what)
{
    jolt(what->scene, 5);
}

static void on_open(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 22, RGB(0xFFD45A));
    particles_sparks(what->particles, what->x, what->y, 24, RGB(0xFFD45A));
}

static void on_shield(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 18, RGB(0xFFD45A));
    particles_splat(what->particles, what->x, what->y, 10, RGB(0xFFD45A));
}

static void on_switch(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 14, RGB(0xFFF4D8));
    particles_sparks(what->particles, what->x, what->y, 6, RGB(0xFFF4D8));
}

static void on_return(const struct happening *what)
{
    particles_ring(what->particles, what->x, what->y, 8, RGB(0xD0C0AC));
}

static const struct {
    void (*show)(const struct happening *what);
    bool of_player; ///< shown only if the subject is one
} EFFECTS[EVENT_KINDS] = {
    [EVENT_SPAWN] = {on_spawn, true},    [EVENT_JUMP] = {on_jump, true},        [EVENT_LAND] = {on_land, true},
    [EVENT_DASH] = {on_dash, true},      [EVENT_SHOOT] = {on_shoot, true},      [EVENT_STICK] = {on_stick, false},
    [EVENT_PICKUP] = {on_pickup, true},  [EVENT_CATCH] = {on_catch, true},      [EVENT_KILL] = {on_kill, true},
    [EVENT_WARN] = {on_warn, false},     [EVENT_SLAM] = {on_slam, false},       [EVENT_BOUNCE] = {on_bounce, false},
    [EVENT_BREAK] = {on_break, false},   [EVENT_EXPLODE] = {on_explode, false}, [EVENT_DRILL] = {on_stick, false},
    [EVENT_KICK] = {on_bounce, false},   [EVENT_OPEN] = {on_open, false},       [EVENT_SHIELD] = {on_shield, false},
    [EVENT_RETURN] = {on_return, false}, [EVENT_SWITCH] = {on_switch, false},   [EVENT_CLOSING] = {on_closing, false},
};

// A world from the network can have events anywhere.
static bool is_somewhere(int32_t px)
{
    return px >= -DF_COORDINATE_PX_MAX && px <= DF_COORDINATE_PX_MAX;
}

static void take_event(struct scene *scene, const struct view *view, const struct event *event)
{
    bool has_player = event->subject < PLAYER_CAPACITY;
    struct happening what = {.scene = scene,
                             .particles = &scene->particles,
                             .view = view,
                             .display = scene_display(scene),
                             .event = event,
                             .player = has_player ? &view->world->players[event->subject] : NULL,
                             .x = (float)event->x,
                             .y = (float)event->y,
                             .feet = (float)event->y + (float)TUNING.body_h_px / 2};
    if (event->kind >= EVENT_KINDS || !is_somewhere(event->x) || !is_somewhere(event->y))
        return;
    if (EFFECTS[event->kind].show && (what.player || !EFFECTS[event->kind].of_player))
        EFFECTS[event->kind].show(&what);
}

// The walls of sudden death grind: dust along their edges, and every now and then the picture trembles.
static void grind(struct scene *scene, const struct view *view)
{
    uint32_t now = view->world->round.sudden_death_ticks, first = view->world->solid_count - WALL_COUNT;
    if (!draw_sudden_death_moves(view))
        return;
    if (now % RUMBLE_TICKS == 0)
        jolt(scene, 2);
    for (uint32_t side = 0; now % GRIND_TICKS == 0 && side < WALL_COUNT; side++) {
        float inward = side == 0 ? 0.7f : -0.7f;
        int32_t x = frame_px(view->solids[first + side].x) + (side == 0 ? view->world->solids[first].w : 0);
        uint32_t hash = frame_hash((int32_t)now, (int32_t)side);
        int32_t y = (int32_t)(hash % (uint32_t)(view->map->rows * MAP_EDGE_PX));
        particles_dust(&scene->particles, (float)x, (float)y, inward, 0.1f, 3);
    }
}

void scene_update(struct scene *scene, const struct view *view)
{
    struct tile_view tiles = {view->map, view->world->broken};
    scene->particles.sparse = scene->camera.cuts = scene_display(scene)->reduced_motion;
    int32_t steps = scene->started ? (int32_t)(view->world->tick - scene->tick) : 1;
    for (uint32_t i = 0; i < view->event_count; i++)
        take_event(scene, view, &view->events[i]);
    for (int32_t i = 0; i < steps && i < STEPS_MAX; i++) {
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            if (slot < view->world->player_slots || scene->figures[slot].seen)
                player_figure_step(&scene->figures[slot], view, slot);
        grind(scene, view);
        particles_step(&scene->particles, &tiles);
        camera_step(&scene->camera, view);
    }
    tile_looks_update(&scene->looks, &tiles);
    scene->started = true;
    scene->tick = view->world->tick;
}
