// SPDX-License-Identifier: MIT
//
// Draws the golden matches as their first player sees them, with the deciding kills shown again, and compares a
// checksum of all pictures and sounds. The golden pictures show what changed; this shows that something did between
// them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/replay/replay_viewer.h"
#include "figures.h"
#include "presentation/presenter.h"
#include "test.h"

#define FIGURES  SOURCE_ROOT "/tests/unit/client_game/presentation/films.figures"
#define RENEW    "If play has changed, run tests/tools/renew.sh"
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
    for (tick end = last ? last : viewer.last, before; (before = viewer.playback.world.tick) < end;) {
        replay_viewer_advance(&viewer, frame_us, 0, &presenter.scene.camera);
        if (viewer.playback.world.tick == before)
            fail_msg("%s stops at tick %u of %u: %s " RENEW, path, before, end, replay_fault_text(viewer.fault));
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
        const char *figure, *name;
        struct display_options display;
    } rows[] = {
        {"arsenal", "arsenal", {.shake = 10, .kill_replays = true}},
        {"breakout", "breakout", {.shake = 10, .kill_replays = true}},
        {"duel", "duel", {.shake = 10, .kill_replays = true}},
        {"foundry", "foundry", {.shake = 10, .kill_replays = true}},
        {"lms", "lms", {.shake = 10, .kill_replays = true}},
        {"wrapped", "wrapped", {.shake = 10, .kill_replays = true}},
        {"teams-large-text", "teams", {.shake = 10, .large_text = true, .colour_vision = COLOUR_VISION_DEUTERANOPIA}},
        {"machines-reduced-motion", "machines", {.reduced_motion = true}},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        same &= figures_are_kept(FIGURES, rows[i].figure, "%016" PRIx64,
                                 draw_film(rows[i].name, rows[i].display, FRAME_US, 0));
    assert_true(same);
}

// Frame by frame, so that the picture stands at hits and slows down toward the deciding one; with less motion it does
// not stand.
TEST(hits_and_deciding_kills_look_as_they_did)
{
    static const struct {
        const char *figure, *name;
        struct display_options display;
        tick last;
    } rows[] = {
        {"duel-by-frames", "duel", {.shake = 10, .kill_replays = true}, 1500},
        {"lms-by-frames", "lms", {.shake = 10, .kill_replays = true}, 2400},
        {"lms-by-frames-reduced-motion", "lms", {.reduced_motion = true, .kill_replays = true}, 1500},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        same &= figures_are_kept(FIGURES, rows[i].figure, "%016" PRIx64,
                                 draw_film(rows[i].name, rows[i].display, 16667, rows[i].last));
    assert_true(same);
}
