// SPDX-License-Identifier: MIT
//
// Draws the golden matches as their first player sees them, with the deciding kills shown again, and compares a
// checksum of all pictures and sounds. The golden pictures show what changed; this shows that something did between
// them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/presentation/presenter.h"
#include "app/replay/replay_viewer.h"
#include "test.h"

#define FRAME_US (12 * 16667u + 5000u) ///< twelve ticks and a part

static struct replay_viewer viewer;
static struct presenter presenter;
static struct audio_events audio;
static struct canvas canvas;

static uint64_t mixed(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * UINT64_C(0x100000001B3);
}

// Returns the checksum of the whole match.
static uint64_t draw_film(const char *name, struct display_options display, uint64_t frame_us, tick last)
{
    char path[512];
    struct error error;
    struct sound_cue cues[SOUND_CUE_CAPACITY];
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    snprintf(path, sizeof path, SOURCE_ROOT "/tests/golden/%s.dfr", name);
    if (!replay_viewer_open(&viewer, path, &error))
        fail_msg("%s", error.text);
    memset(&presenter, 0, sizeof presenter);
    audio = (struct audio_events){0};
    presenter.display = display;
    assert_true(kill_cam_create(&presenter.kill_cam) && hit_stop_create(&presenter.hit_stop));
    presenter_begin(&presenter);
    while (viewer.playback.world.tick < (last ? last : viewer.last)) {
        replay_viewer_advance(&viewer, frame_us, 0, &presenter.scene.camera);
        viewer.view.slot = 0;
        presenter_show(&presenter, &canvas, &viewer.view, &(struct draw_options){0});
        for (uint32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i += 2)
            sum = mixed(sum, canvas.pixels[i] | (uint64_t)canvas.pixels[i + 1] << 32);
        uint32_t count = audio_events_collect(&audio, &viewer.view, &presenter.scene.camera, cues);
        for (uint32_t i = 0; i < count; i++)
            sum = mixed(mixed(mixed(sum, cues[i].sound), (uint32_t)cues[i].pan), (uint32_t)cues[i].gain);
    }
    kill_cam_destroy(&presenter.kill_cam);
    hit_stop_destroy(&presenter.hit_stop);
    replay_viewer_close(&viewer);
    return sum;
}

TEST(every_match_looks_and_sounds_as_it_did)
{
    static const struct {
        const char *name;
        struct display_options display;
        uint64_t sum;
    } rows[] = {
        {"arsenal", {.shake = 10, .kill_replays = true}, UINT64_C(0x163626F05FC57D2D)},
        {"breakout", {.shake = 10, .kill_replays = true}, UINT64_C(0x93495463C98BE547)},
        {"duel", {.shake = 10, .kill_replays = true}, UINT64_C(0x29F8F9B91004F9A2)},
        {"foundry", {.shake = 10, .kill_replays = true}, UINT64_C(0x343B8B8B7C5EB8D1)},
        {"lms", {.shake = 10, .kill_replays = true}, UINT64_C(0xA3F608DB9F9B72E3)},
        {"wrapped", {.shake = 10, .kill_replays = true}, UINT64_C(0xA3F82E091FE6040A)},
        {"teams",
         {.shake = 10, .large_text = true, .colour_vision = COLOUR_VISION_DEUTERANOPIA},
         UINT64_C(0xEB70475C68108E60)},
        {"machines", {.reduced_motion = true}, UINT64_C(0x4859AE59AF9F0D79)},
    };
    uint32_t failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t sum = draw_film(rows[i].name, rows[i].display, FRAME_US, 0);
        if (sum != rows[i].sum)
            print_error("row %zu, %s: 0x%016llx; if the golden pictures are right, so is this\n", i, rows[i].name,
                        (unsigned long long)sum);
        failures += sum != rows[i].sum;
    }
    assert_int_equal(failures, 0);
}

// Frame by frame, so that the picture stands at hits and slows down toward the deciding one; with less motion it does
// not stand.
TEST(hits_and_deciding_kills_look_as_they_did)
{
    static const struct {
        const char *name;
        struct display_options display;
        tick last;
        uint64_t sum;
    } rows[] = {
        {"duel", {.shake = 10, .kill_replays = true}, 1500, UINT64_C(0xDA281DF7B89F24B3)},
        {"lms", {.shake = 10, .kill_replays = true}, 2400, UINT64_C(0x1D97916F10D94281)},
        {"lms", {.reduced_motion = true, .kill_replays = true}, 1500, UINT64_C(0xA6A40415C5186639)},
    };
    uint32_t failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t sum = draw_film(rows[i].name, rows[i].display, 16667, rows[i].last);
        if (sum != rows[i].sum)
            print_error("row %zu, %s: 0x%016llX; if the golden pictures are right, so is this\n", i, rows[i].name,
                        (unsigned long long)sum);
        failures += sum != rows[i].sum;
    }
    assert_int_equal(failures, 0);
}
