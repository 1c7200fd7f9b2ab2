// SPDX-License-Identifier: MIT
// Golden pictures of courses: a lesson before it begins, a trial under way between its ghosts, how both end, and a
// record that is shown as a replay.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/draw_course.h"
#include "app/replay/replay_viewer.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "presentation/presenter.h"

enum { BEGINS, RUNS, ENDS, LESSON_ENDS, LARGE, FIRST };

static void draw(struct canvas *canvas, uint32_t variant)
{
    static const struct {
        const char *course;
        uint32_t ticks;
    } ROWS[] = {[BEGINS] = {"lesson-catch", 0},        [RUNS] = {"chimney", 120},     [ENDS] = {"three-arrows", 400},
                [LESSON_ENDS] = {"lesson-stomp", 400}, [LARGE] = {"lesson-drop", 60}, [FIRST] = {"lesson-first", 0}};
    static struct course_run trial;
    static struct scene scene;
    static struct course_record gold;
    struct error error;
    setenv("DEADFALL_MAP_DIR", SOURCE_ROOT "/shared/maps", 1);
    still_begin(canvas);
    if (!course_run_open(&trial, course_of_name(ROWS[variant].course), "", &error)) {
        fprintf(stderr, "%s\n", error.text);
        return;
    }
    gold = trial.ghosts[COURSE_GOLD].record;
    trial.ghosts[COURSE_OWN].record = gold;
    scene = (struct scene){0};
    for (uint32_t i = 0; i < ROWS[variant].ticks && !course_run_leads_on(&trial); i++) {
        // The player follows the ghost a little later.
        uint32_t buttons = i < 8 ? BUTTON_UP : gold.buttons[trial.world.tick - (variant == RUNS ? 8 : 0)];
        course_run_step(&trial, variant == RUNS ? buttons : gold.buttons[trial.world.tick], &error);
        course_run_fill_view(&trial, 256);
        scene_update(&scene, &trial.view);
        trial.view.event_count = 0;
    }
    course_run_fill_view(&trial, 256);
    scene_update(&scene, &trial.view);
    draw_view(canvas, &trial.view, &scene, &(struct draw_options){.bare = true});
    struct hints hints = {.controls = &still.preferences.controls};
    struct draw_course_options options = {
        .hints = &hints, .camera = &scene.camera, .has_ghosts = true, .large_text = still_large || variant == LARGE};
    draw_course_ghosts(canvas, &trial, &options);
    draw_course_hud(canvas, &trial, &options);
}

static void open_record(struct replay_viewer *viewer)
{
    static struct course_run trial;
    char folder[] = "/tmp/pictures_trials_XXXXXX", path[512];
    const struct course *course = course_of_name("chimney");
    struct error error;
    if (!mkdtemp(folder) || !course_run_open(&trial, course, "", &error))
        abort();
    trial.ghosts[COURSE_GOLD].record.colour = 5;
    course_record_path(course, folder, path, sizeof path);
    if (!course_record_write(&trial.ghosts[COURSE_GOLD].record, course, &trial.map, folder, &error) ||
        !replay_viewer_open(viewer, path, &error) || remove(path) != 0 || rmdir(folder) != 0)
        abort();
}

// To its end, where a match would have a winner; it stays there.
static void replay(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    static struct replay_viewer viewer;
    static struct presenter presenter;
    setenv("DEADFALL_MAP_DIR", SOURCE_ROOT "/shared/maps", 1);
    still_preferences();
    presenter.display = still_options();
    if (!replay_viewer_is_open(&viewer)) {
        open_record(&viewer);
        presenter_begin(&presenter);
        for (uint32_t frame = 0; frame < 300; frame++) {
            replay_viewer_advance(&viewer, 16667, 0, &presenter.scene.camera);
            replay_viewer_draw(&viewer, &presenter, canvas, &(struct draw_options){0});
        }
    }
    replay_viewer_advance(&viewer, 0, 0, &presenter.scene.camera);
    replay_viewer_draw(&viewer, &presenter, canvas, &(struct draw_options){0});
}

const struct picture PICTURES_TRIALS[] = {
    {"trial-begins", 0, 0, 0, 0, draw, BEGINS}, {"trial-runs", 0, 0, 0, 0, draw, RUNS},
    {"trial-ends", 0, 0, 0, 0, draw, ENDS},     {"trial-lesson-ends", 0, 0, 0, 0, draw, LESSON_ENDS},
    {"trial-large", 0, 0, 0, 0, draw, LARGE},   {"trial-first", 120, 180, 400, 130, draw, FIRST},
    {"trial-replay", 0, 0, 0, 0, replay, 0},    {0},
};
