// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/replay/replay_bar.h"
#include "app/replay/replay_list.h"
#include "game/ai/ai.h"
#include "sync/world.h"
#include "test.h"
#include "test_folder.h"
#include "test_map.h"
#include "test_match.h"
#include "window/keyboard.h"

#define TICKS   1500u
#define PLAYERS 4
#define TICK_US 16667u

static struct test_match match;
static struct replay_writer writer;
static struct replay_viewer viewer;
static struct presenter presenter;
static struct canvas canvas;
static uint64_t hashes[TICKS + 1];
static char path[64], torn[64];

static bool put(void *context, const uint8_t *bytes, size_t byte_count)
{
    return fwrite(bytes, 1, byte_count, context) == byte_count;
}

static void record(const char *to, bool with_index)
{
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    test_map_random(&match.map, 5, 60, 34);
    test_match_start(&match);
    assert_true(replay_writer_begin(&writer, put, file, &match.map, &match.world));
    for (uint32_t i = 0; i < TICKS; i++) {
        struct command commands[MAP_CHEST_CAPACITY + PLAYERS];
        for (uint32_t slot = 0; slot < PLAYERS; slot++) {
            commands[slot] =
                (struct command){.kind = COMMAND_JOIN, .slot = slot, .colour = slot, .name = {0x41 + slot}};
            assert_int_equal(world_command(&match.world, &match.map, &commands[slot]), i == 0);
        }
        uint32_t count = i == 0 ? PLAYERS : 0;
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
        memcpy(commands + count, match.rolls, match.roll_count * sizeof *match.rolls);
        hashes[match.world.tick] = world_hash(&match.world);
        assert_true(replay_writer_tick(&writer, commands, count + match.roll_count, match.inputs, &match.world));
    }
    if (with_index)
        assert_true(replay_writer_end(&writer));
    fclose(file);
}

static void make_files(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("whole.dfr"));
    snprintf(torn, sizeof torn, "%s", test_folder_path("torn.dfr"));
    record(path, true);
    record(torn, false);
}

static void drop_files(void)
{
    replay_viewer_close(&viewer);
    test_folder_remove();
}

ALL_TESTS(make_files, drop_files);

static void open_it(const char *file)
{
    struct error error = {0};
    if (!replay_viewer_open(&viewer, file, &error))
        fail_msg("%s", error.text);
}

static void pass(uint64_t us)
{
    replay_viewer_advance(&viewer, us, 0, &presenter.scene.camera);
}

static tick now(void)
{
    return viewer.playback.world.tick;
}

TEST(a_replay_plays_at_each_speed_and_pauses)
{
    static const struct {
        uint32_t actions;
        int times;
        tick least, most; // after a second
    } rows[] = {
        /* 1 */ {0, 0, 59, 61},
        /* 2 */ {HOTKEY_SLOWER, 1, 29, 31},
        /* 3 */ {HOTKEY_SLOWER, 9, 14, 16},
        /* 4 */ {HOTKEY_FASTER, 1, 119, 121},
        /* 5 */ {HOTKEY_FASTER, 9, 478, 482},
        /* 6 */ {HOTKEY_PAUSE, 1, 0, 0},
        /* 7 */ {HOTKEY_PAUSE, 2, 59, 61},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_it(path);
        for (int time = 0; time < rows[i].times; time++)
            replay_viewer_act(&viewer, rows[i].actions);
        for (int frame = 0; frame < 60; frame++)
            pass(TICK_US);
        if (now() < rows[i].least || now() > rows[i].most)
            fail_msg("row %zu: tick %u", i + 1, now());
    }
}

TEST(seeking_shows_the_exact_world_of_any_tick)
{
    static const tick rows[] = {700, 3, 1500, 600, 599, 1499, 1, 1200, 1201};
    open_it(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        replay_viewer_seek(&viewer, rows[i]);
        assert_int_equal(now(), rows[i]);
        assert_true(world_hash(&viewer.playback.world) == hashes[rows[i]]);
        viewer.paused = false;
        pass(TICK_US);
        if (rows[i] + 1 < TICKS)
            assert_true(world_hash(&viewer.playback.world) == hashes[now()]);
    }
}

TEST(a_frame_after_a_jump_shows_its_world_alone)
{
    static const tick rows[] = {0, 700, 3, TICKS};
    static struct view exact;
    open_it(path);
    viewer.paused = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (i)
            replay_viewer_seek(&viewer, rows[i]);
        pass(0);
        assert_int_equal(now(), rows[i]);
        assert_int_equal(viewer.view.event_count, 0);
        view_fill(&exact, &viewer.playback.reader.map, &viewer.playback.world, &viewer.playback.world, 256, 0);
        assert_memory_equal(viewer.view.actors, exact.actors, sizeof exact.actors);
    }
}

TEST(a_slow_frame_catches_up_on_32_ticks)
{
    open_it(path);
    pass(TICK_US * 31);
    assert_in_range(now(), 30, 31);
    pass(TICK_US * 100);
    assert_in_range(now(), 62, 63);
    pass(TICK_US);
    assert_in_range(now(), 63, 64); // the rest is forgotten
    viewer.paused = true;
    pass(TICK_US * 10);
    assert_in_range(now(), 63, 64);
}

TEST(a_frame_between_two_ticks_shows_a_part_of_the_way)
{
    open_it(path);
    pass(TICK_US * 10 + TICK_US / 4);
    assert_int_equal(now(), 10);
    assert_in_range(viewer.view.between, 62, 68);
    pass(TICK_US / 2);
    assert_int_equal(now(), 10);
    assert_in_range(viewer.view.between, 190, 196);
    assert_int_equal(viewer.view.slot, PLAYER_CAPACITY);
    assert_ptr_equal(viewer.view.hats, viewer.playback.reader.hats);
}

TEST(seeking_stops_at_the_ends)
{
    static const struct {
        tick from;
        uint32_t act;
        tick to;
    } rows[] = {
        /* 1 */ {700, HOTKEY_BACK, 400},
        /* 2 */ {700, HOTKEY_FORWARD, 1000},
        /* 3 */ {100, HOTKEY_BACK, 0},
        /* 4 */ {1400, HOTKEY_FORWARD, TICKS},
        /* 5 */ {700, HOTKEY_FAR_BACK, 0},
        /* 6 */ {700, HOTKEY_FAR_FORWARD, TICKS},
        /* 7 */ {0, HOTKEY_BACK, 0},
        /* 8 */ {TICKS, HOTKEY_FORWARD, TICKS},
        /* 9 */ {TICKS, HOTKEY_PAUSE, 0}, // from the end it starts again
    };
    open_it(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        replay_viewer_seek(&viewer, rows[i].from);
        replay_viewer_act(&viewer, rows[i].act);
        if (now() != rows[i].to)
            fail_msg("row %zu: tick %u", i + 1, now());
    }
}

TEST(a_complete_replay_ends_without_an_error)
{
    open_it(path);
    replay_viewer_seek(&viewer, TICKS - 10);
    for (int frame = 0; frame < 60; frame++)
        pass(TICK_US);
    assert_int_equal(now(), TICKS);
    assert_int_equal(viewer.fault, REPLAY_OK);
    assert_int_equal(viewer.view.between, 256);
}

TEST(a_truncated_replay_has_a_length)
{
    open_it(torn);
    assert_int_equal(viewer.last, TICKS);
    replay_viewer_seek(&viewer, 1000);
    assert_true(world_hash(&viewer.playback.world) == hashes[1000]);
}

TEST(every_event_of_the_match_is_shown_once)
{
    uint32_t message = 0;
    open_it(path);
    replay_viewer_act(&viewer, HOTKEY_FASTER);
    while (now() < TICKS) {
        pass(TICK_US);
        message += viewer.view.event_count;
    }
    assert_int_equal(message, viewer.playback.world.event_count);
}

TEST(a_file_that_is_no_replay_is_refused_with_its_name)
{
    static const char *const rows[] = {"/nowhere/at/all.dfr", "/", "/dev/null", "/proc/self/maps"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        assert_false(replay_viewer_open(&viewer, rows[i], &error));
        assert_non_null(strstr(error.text, rows[i]));
        assert_null(viewer.bytes);
    }
}

TEST(damage_in_the_middle_ends_a_replay_with_a_reason)
{
    open_it(path);
    viewer.bytes[viewer.playback.reader.byte_count / 2] ^= 0xFF;
    replay_viewer_act(&viewer, HOTKEY_FASTER);
    for (int frame = 0; frame < 3000; frame++)
        pass(TICK_US);
    assert_true(now() < TICKS);
    assert_int_not_equal(viewer.fault, REPLAY_OK);
}

TEST(clicks_and_drags_on_the_bar_seek)
{
    static const struct {
        int32_t x, y;
        bool winds, pauses;
    } rows[] = {
        /* 0 */ {4, 350, false, true},    /* 1 */ {200, 100, false, false}, /* 2 */ {119, 358, true, false},
        /* 3 */ {200, 350, true, false},  /* 4 */ {403, 346, true, false},  /* 5 */ {630, 350, false, false},
        /* 6 */ {200, 344, false, false},
    };
    open_it(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        replay_viewer_seek(&viewer, 10);
        bool paused = viewer.paused;
        replay_bar_point(&viewer, rows[i].x, rows[i].y, true, true);
        assert_int_equal(viewer.dragged, rows[i].winds);
        assert_int_equal(viewer.paused != paused, rows[i].pauses);
        pass(0);
        if ((now() != 10) != rows[i].winds)
            fail_msg("row %zu is at %u", i, now());
        replay_bar_point(&viewer, rows[i].x, rows[i].y, false, false);
    }
    viewer.paused = false;
    replay_bar_point(&viewer, 150, 350, true, true);
    pass(TICK_US * 30);
    tick early = now();
    replay_bar_point(&viewer, 300, 20, false, true); // beside the bar now
    pass(TICK_US * 30);                              // nothing plays while it is held
    tick late = now();
    assert_true(early > 0 && early < late && late < TICKS);
    replay_bar_point(&viewer, 639, 20, false, true);
    pass(0);
    assert_int_equal(now(), TICKS);
    replay_bar_point(&viewer, 0, 20, false, true);
    pass(0);
    replay_bar_point(&viewer, 300, 350, false, false);
    pass(TICK_US * 3);
    assert_int_equal(now(), 3);
}

TEST(the_camera_follows_the_chosen_player_or_moves_freely)
{
    open_it(path);
    replay_viewer_seek(&viewer, 300);
    viewer.paused = true;
    pass(0);
    assert_int_equal(viewer.spectator.mode, SPECTATOR_CAMERA_OWN);
    for (uint32_t i = 0; i < 2 * PLAYERS; i++) {
        replay_viewer_advance(&viewer, 0, BUTTON_SHOOT, &presenter.scene.camera);
        assert_int_equal(viewer.spectator.mode, SPECTATOR_CAMERA_PLAYER);
        assert_int_equal(viewer.spectator.slot, i % PLAYERS);
        replay_viewer_advance(&viewer, 0, BUTTON_SHOOT, &presenter.scene.camera); // still held: not a second press
        assert_int_equal(viewer.spectator.slot, i % PLAYERS);
        pass(0);
    }
    replay_viewer_advance(&viewer, 0, BUTTON_DASH, &presenter.scene.camera);
    assert_int_equal(viewer.spectator.slot, PLAYERS - 2);
    replay_viewer_act(&viewer, HOTKEY_FREE_CAMERA);
    replay_viewer_advance(&viewer, 0, 0, &presenter.scene.camera);
    assert_int_equal(viewer.spectator.mode, SPECTATOR_CAMERA_FREE);
    for (int i = 0; i < 1000; i++)
        replay_viewer_advance(&viewer, 0, BUTTON_RIGHT | BUTTON_DOWN, &presenter.scene.camera);
    assert_int_equal((int)viewer.spectator.x, 60 * MAP_EDGE_PX);
    assert_int_equal((int)viewer.spectator.y, 34 * MAP_EDGE_PX);
}

TEST(every_part_of_a_replay_can_be_drawn)
{
    struct preferences preferences;
    struct error error;
    assert_true(preferences_read(&preferences, "", &error));
    struct hints hints[] = {
        {.controls = &preferences.controls}, {.controls = &preferences.controls, .by_gamepad = true}, {0}};
    open_it(path);
    presenter_begin(&presenter);
    for (int frame = 0; frame < 200; frame++) {
        pass(TICK_US * 5);
        presenter.display.large_text = frame & 1;
        replay_viewer_draw(&viewer, &presenter, &canvas, &(struct draw_options){.below = REPLAY_BAR_PX});
        replay_bar_draw(&viewer, &canvas, &hints[frame % 3], frame & 1);
        if (frame == 100)
            replay_viewer_act(&viewer, HOTKEY_BACK);
    }
    assert_int_equal(canvas.pixels[CANVAS_WIDTH * CANVAS_HEIGHT - 1] >> 24, 0xFF);
}

// Gives a replay another name, in the folder.
static void place(const char *folder, const char *name, const char *replay)
{
    char other[128];
    snprintf(other, sizeof other, "%s/%s", folder, name);
    assert_int_equal(link(replay, other), 0);
}

// The same by a symbolic link.
static void place_link(const char *folder, const char *name, const char *target)
{
    char path_of_link[128];
    snprintf(path_of_link, sizeof path_of_link, "%s/%s", folder, name);
    assert_int_equal(symlink(target, path_of_link), 0);
}

TEST(replays_are_dated_by_when_their_match_began)
{
    static struct menu_facts facts;
    const char *folder = test_folder_path("dated");
    char zone[] = "TZ=XST-3"; // three hours east
    assert_int_equal(mkdir(folder, 0700), 0);
    putenv(zone);
    tzset();
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){{1800000010, 0}, {1800000010, 0}}, 0), 0);
    place(folder, "foundry-20270115-235959.dfr", path);
    place(folder, "duel-20270115-075930-2.dfr", path); // the second of that second
    place(folder, "copied.dfr", path);                 // 25 s long, and written at 08:00:10 UTC
    place(folder, "old-20201332-256199.dfr", path);    // no such date
    place_link(folder, "outside.dfr", path);           // not of this folder
    place_link(folder, "again.dfr", "copied.dfr");
    replay_list_read(&facts, folder);
    assert_int_equal(facts.replay_count, 5);
    assert_string_equal(facts.replays[0].name, "2027-01-16 02:59");
    assert_string_equal(facts.replays[0].length, ""); // not before it is seen
    replay_list_look(&facts, 0, 9);
    assert_string_equal(facts.replays[0].length, "0:25");
    assert_string_equal(facts.replays[1].name, "2027-01-15 10:59");
    assert_string_equal(facts.replays[2].name, "2027-01-15 10:59");
    assert_string_equal(facts.replays[3].name, "2027-01-15 10:59");
    assert_non_null(strstr(facts.replays[4].path, "duel-")); // 07:59:30, the others at 07:59:45
    unsetenv("TZ");
    tzset();
}

TEST(a_folder_lists_its_newest_replays)
{
    static struct menu_facts facts;
    const char *folder = test_folder_path("newest");
    char name[32];
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){{2000000000, 0}, {2000000000, 0}}, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, torn, (struct timespec[]){{1000000000, 0}, {1000000000, 0}}, 0), 0);
    place(folder, "a.dfr", torn);
    place(folder, "b.dfr", path);
    place_link(folder, "c.dfr", "/nowhere.dfr");
    replay_list_read(&facts, folder);
    assert_int_equal(facts.replay_count, 2);
    assert_string_equal(facts.replays[0].length, "0:25");
    assert_string_equal(facts.replays[1].length, "unfinished");
    assert_string_equal(facts.replays[1].path, test_folder_path("newest/a.dfr"));
    assert_int_equal(strncmp(facts.replays[0].name, "2033-05-18 ", 11), 0);
    for (int i = 0; i < MENU_REPLAY_CAPACITY; i++) {
        snprintf(name, sizeof name, "more%d.dfr", i);
        place(folder, name, path);
    }
    replay_list_read(&facts, folder);
    assert_int_equal(facts.replay_count, MENU_REPLAY_CAPACITY);
    assert_string_equal(facts.replays[MENU_REPLAY_CAPACITY - 1].length, "0:25"); // the oldest is not among them
    replay_list_read(&facts, "");
    assert_int_equal(facts.replay_count, 0);
}
