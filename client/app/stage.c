// SPDX-License-Identifier: MIT
#include "stage.h"

bool stage_open(struct stage *stage, const struct look *look, char *sentence, size_t sentence_bytes)
{
    stage->look = *look;
    return sound_device_open(&stage->sound, &look->volumes, sentence, sentence_bytes);
}

void stage_close(struct stage *stage)
{
    sound_device_close(&stage->sound);
}

void stage_begin(struct stage *stage)
{
    stage->scene = (struct scene){.look = &stage->look};
    stage->ears = (struct ears){0};
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

static void sound(struct stage *stage, const struct view *view)
{
    struct heard heard[HEARD_CAPACITY];
    uint32_t count = ears_hear(&stage->ears, view, &stage->scene.camera, heard);
    sound_device_tune(&stage->sound, view->map->theme + 1, &stage->look.volumes);
    sound_device_play(&stage->sound, heard, count);
}

void stage_show(struct stage *stage, struct canvas *canvas, const struct view *view, const struct draw_options *options)
{
    scene_take(&stage->scene, view);
    sound(stage, view);
    draw_view(canvas, view, &stage->scene, options);
}
