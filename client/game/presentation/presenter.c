// SPDX-License-Identifier: MIT
#include "presenter.h"

bool presenter_open(struct presenter *presenter, const char *sound_path, struct error *error)
{
    kill_cam_create(&presenter->kill_cam); // without memory, no kill is shown again, and the picture never stops
    hit_stop_create(&presenter->hit_stop);
    struct sound_setup sound = {&SOUND_SET, presenter->volumes, sound_path};
    return sound_device_open(&presenter->sound, &sound, error);
}

bool presenter_close(struct presenter *presenter, struct error *error)
{
    kill_cam_destroy(&presenter->kill_cam);
    hit_stop_destroy(&presenter->hit_stop);
    return sound_device_close(&presenter->sound, error);
}

void presenter_begin(struct presenter *presenter)
{
    presenter->scene = (struct scene){.display = &presenter->display};
    presenter->audio = (struct audio_events){0};
    presenter->announcer = (struct announcer){0};
    presenter->spectator = (struct spectator_camera){0};
    kill_cam_clear(&presenter->kill_cam);
    hit_stop_clear(&presenter->hit_stop);
}

void presenter_seek(struct presenter *presenter)
{
    struct camera camera = presenter->scene.camera;
    presenter_begin(presenter);
    presenter->scene.camera = camera;
    presenter->scene.camera.director = (struct director){0}; // another moment has another picture
}

void presenter_wait(struct presenter *presenter)
{
    sound_device_configure(&presenter->sound, 0, 0, &presenter->volumes);
}

static void sound(struct presenter *presenter, struct audio_events *audio, const struct view *view,
                  const struct camera *camera)
{
    struct sound_cue cues[SOUND_CUE_CAPACITY];
    uint32_t count = audio_events_collect(audio, view, camera, cues);
    sound_device_configure(&presenter->sound, view->map->theme + 1, tension_of(view->confirmed), &presenter->volumes);
    sound_device_play(&presenter->sound, cues, count);
}

static bool show_kill_cam(struct presenter *presenter, struct canvas *canvas, const struct view *live, int32_t below)
{
    bool showed = presenter->kill_cam.shows;
    struct view *again = presenter->display.kill_replays ? kill_cam_record(&presenter->kill_cam, live) : 0;
    if (!again)
        return false;
    if (!showed) {
        presenter->kill_scene = (struct scene){.display = &presenter->display};
        presenter->kill_audio = (struct audio_events){0};
    }
    camera_use_shape(&presenter->kill_scene.camera, canvas->shape);
    scene_update(&presenter->kill_scene, again);
    sound(presenter, &presenter->kill_audio, again, &presenter->kill_scene.camera);
    draw_view(canvas, again, &presenter->kill_scene,
              &(struct draw_options){.kill = &presenter->kill_cam.story, .below = below});
    return true;
}

void presenter_show(struct presenter *presenter, struct canvas *canvas, struct view *view,
                    const struct draw_options *options)
{
    struct draw_options shown = *options;
    struct camera *camera = &presenter->scene.camera;
    camera_use_shape(camera, canvas->shape);
    if (view->slot < PLAYER_CAPACITY && view->world->players[view->slot].state == PLAYER_SPECTATOR) {
        uint32_t passed = view->world->tick - presenter->scene.tick;
        for (uint32_t i = 0; i < passed && i < TICKS_PER_SECOND; i++)
            camera_spectator_step(&presenter->spectator, view, presenter->held, camera->x, camera->y);
        camera_spectator_apply(&presenter->spectator, view, camera);
        shown.spectator = &presenter->spectator;
    } else if (presenter->spectator.mode != SPECTATOR_CAMERA_OWN) {
        presenter->spectator = (struct spectator_camera){0};
        camera->free = false;
    }
    // What is heard never stops; what is announced is the live match alone, so nothing is announced again.
    struct sound_cue cues[ANNOUNCER_CUE_CAPACITY];
    sound(presenter, &presenter->audio, view, camera);
    uint32_t count = announcer_collect(&presenter->announcer, view, cues);
    sound_device_play(&presenter->sound, cues, count);

    struct view *drawn = view;
    if (!presenter->display.reduced_motion && !shown.spectator)
        drawn = hit_stop_record(&presenter->hit_stop, view);
    shown.struck = presenter->hit_stop.victim;
    scene_update(&presenter->scene, drawn);
    if (!options->scoreboard && show_kill_cam(presenter, canvas, view, options->below))
        return;
    shown.awaits_kill = presenter->kill_cam.waits;
    draw_view(canvas, drawn, &presenter->scene, &shown);
}
