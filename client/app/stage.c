// SPDX-License-Identifier: MIT
#include "stage.h"

bool stage_open(struct stage *stage, const struct look *look, struct error *error)
{
    stage->look = *look;
    recall_create(&stage->recall); // without memory for it nothing is shown again, and all else works
    return sound_device_open(&stage->sound, &look->volumes, error);
}

void stage_close(struct stage *stage)
{
    sound_device_close(&stage->sound);
    recall_destroy(&stage->recall);
}

void stage_begin(struct stage *stage)
{
    stage->scene = (struct scene){.look = &stage->look};
    stage->ears = (struct ears){0};
    stage->watch = (struct watch){0};
    recall_clear(&stage->recall);
}

void stage_wind(struct stage *stage)
{
    struct camera camera = stage->scene.camera;
    stage_begin(stage);
    stage->scene.camera = camera;
}

void stage_rest(struct stage *stage)
{
    sound_device_tune(&stage->sound, 0, &stage->look.volumes);
}

static void sound(struct stage *stage, struct ears *ears, const struct view *view, const struct camera *camera)
{
    struct heard heard[HEARD_CAPACITY];
    uint32_t count = ears_hear(ears, view, camera, heard);
    sound_device_tune(&stage->sound, view->map->theme + 1, &stage->look.volumes);
    sound_device_play(&stage->sound, heard, count);
}

static bool is_spectator(const struct view *view)
{
    return view->slot < PLAYER_CAPACITY && view->world->players[view->slot].state == PLAYER_SPECTATOR;
}

// One turn of whoever does not play: he sees what he has chosen.
static void let_watch(struct stage *stage, struct view *view)
{
    struct camera *camera = &stage->scene.camera;
    uint32_t passed = view->world->tick - stage->scene.tick;
    for (uint32_t i = 0; i < passed && i < TICKS_PER_SECOND; i++)
        watch_step(&stage->watch, view, stage->held, camera->x, camera->y);
    watch_show(&stage->watch, view, camera);
}

static bool show_recalled(struct stage *stage, struct canvas *canvas, const struct view *live)
{
    bool showed = stage->recall.shows;
    struct view *again = stage->look.kill_replays ? recall_take(&stage->recall, live) : 0;
    if (!again)
        return false;
    if (!showed) {
        stage->recalled = (struct scene){.look = &stage->look};
        stage->recalled_ears = (struct ears){0};
    }
    scene_take(&stage->recalled, again);
    sound(stage, &stage->recalled_ears, again, &stage->recalled.camera);
    draw_view(canvas, again, &stage->recalled, &(struct draw_options){.bare = true});
    hud_draw_recall(canvas, live, &stage->recall.kill, &stage->look);
    return true;
}

void stage_show(struct stage *stage, struct canvas *canvas, struct view *view, const struct draw_options *options)
{
    struct draw_options shown = *options;
    if (is_spectator(view)) {
        let_watch(stage, view);
        shown.watch = &stage->watch;
    } else if (stage->watch.mode != WATCH_OWN) {
        stage->watch = (struct watch){0};
        stage->scene.camera.free = false;
    }
    scene_take(&stage->scene, view);
    sound(stage, &stage->ears, view, &stage->scene.camera);
    if (options->scoreboard || !show_recalled(stage, canvas, view))
        draw_view(canvas, view, &stage->scene, &shown);
}
