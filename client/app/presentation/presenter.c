// SPDX-License-Identifier: MIT
#include "presenter.h"

bool presenter_open(struct load_stage *stage, const struct display_options *look, struct error *error)
{
    stage->look = *look;
    kill_cam_create(&stage->recall); // without memory for it nothing is shown again, and all else works
    return sound_device_open(&stage->sound, &look->volumes, error);
}

void presenter_close(struct load_stage *stage)
{
    sound_device_close(&stage->sound);
    kill_cam_destroy(&stage->recall);
}

void presenter_begin(struct load_stage *stage)
{
    stage->scene = (struct scene){.look = &stage->look};
    stage->ears = (struct audio_events){0};
    stage->watch = (struct spectator_camera){0};
    kill_cam_clear(&stage->recall);
}

void presenter_seek(struct load_stage *stage)
{
    struct camera camera = stage->scene.camera;
    presenter_begin(stage);
    stage->scene.camera = camera;
}

void presenter_wait(struct load_stage *stage)
{
    sound_device_tune(&stage->sound, 0, &stage->look.volumes);
}

static void sound(struct load_stage *stage, struct audio_events *ears, const struct view *view,
                  const struct camera *camera)
{
    struct sound_cue heard[SOUND_CUE_CAPACITY];
    uint32_t count = audio_events_collect(ears, view, camera, heard);
    sound_device_tune(&stage->sound, view->map->theme + 1, &stage->look.volumes);
    sound_device_play(&stage->sound, heard, count);
}

static bool is_spectator(const struct view *view)
{
    return view->slot < PLAYER_CAPACITY && view->world->players[view->slot].state == PLAYER_SPECTATOR;
}

// One turn of whoever does not play: he sees what he has chosen.
static void let_watch(struct load_stage *stage, struct view *view)
{
    struct camera *camera = &stage->scene.camera;
    uint32_t passed = view->world->tick - stage->scene.tick;
    for (uint32_t i = 0; i < passed && i < TICKS_PER_SECOND; i++)
        spectator_camera_step(&stage->watch, view, stage->held, camera->x, camera->y);
    spectator_camera_show(&stage->watch, view, camera);
}

static bool show_recalled(struct load_stage *stage, struct canvas *canvas, const struct view *live)
{
    bool showed = stage->recall.shows;
    struct view *again = stage->look.kill_replays ? kill_cam_record(&stage->recall, live) : 0;
    if (!again)
        return false;
    if (!showed) {
        stage->recalled = (struct scene){.look = &stage->look};
        stage->recalled_ears = (struct audio_events){0};
    }
    scene_take(&stage->recalled, again);
    sound(stage, &stage->recalled_ears, again, &stage->recalled.camera);
    draw_view(canvas, again, &stage->recalled, &(struct draw_options){.bare = true});
    hud_draw_kill_cam(canvas, live, &stage->recall.kill, &stage->look);
    return true;
}

void presenter_show(struct load_stage *stage, struct canvas *canvas, struct view *view,
                    const struct draw_options *options)
{
    struct draw_options shown = *options;
    if (is_spectator(view)) {
        let_watch(stage, view);
        shown.watch = &stage->watch;
    } else if (stage->watch.mode != SPECTATOR_CAMERA_OWN) {
        stage->watch = (struct spectator_camera){0};
        stage->scene.camera.free = false;
    }
    scene_take(&stage->scene, view);
    sound(stage, &stage->ears, view, &stage->scene.camera);
    if (options->scoreboard || !show_recalled(stage, canvas, view))
        draw_view(canvas, view, &stage->scene, &shown);
}
