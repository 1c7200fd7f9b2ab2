// SPDX-License-Identifier: MIT
//
// Tests app_run() from beginning to end: what it draws, logs and returns. Pictures are only compared with each other.
#include <SDL.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_session.h"
#include "test.h"
#include "window/keyboard.h"

static struct canvas pictures[4];

// Ends the run, and reads a picture of it.
static void read_picture(const char *name, struct canvas *canvas)
{
    app_session_end();
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, test_folder_path(name)));
    image.format = PNG_FORMAT_BGRA;
    assert_int_equal(image.width, CANVAS_WIDTH);
    assert_int_equal(image.height, CANVAS_HEIGHT);
    assert_true(png_image_finish_read(&image, NULL, canvas->pixels, 0, NULL));
    remove(test_folder_path(name));
}

static void run(void)
{
    assert_int_equal(app_run(&session.config), EXIT_OK);
}

static uint32_t differences(const struct canvas *a, const struct canvas *b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        count += a->pixels[i] != b->pixels[i];
    return count;
}

static uint32_t number_after(const char *words)
{
    assert_true(app_session_has_logged(words));
    return (uint32_t)strtoul(strstr(session.logged, words) + strlen(words), NULL, 10);
}

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(a_match_is_drawn_for_a_number_of_frames_at_60_a_second)
{
    app_session_begin(
        NULL, (const char *const[]){"--connect", "SERVER", "--frames", "120", "--screenshot", "FOLDER/end.png", NULL});
    app_session_press_at(200, KEY_SPACE);
    run();
    assert_in_range(session.steps, 118 * 4, 170 * 4); // 240 steps are a second
    assert_int_equal(number_after("drew "), 120);
    assert_int_equal(app_session_times_logged("joined as player 0 of map duel"), 1);
    assert_int_equal(app_session_times_logged("plays ffa on duel"), 1);
    assert_true(app_session_has_logged("event jump subject=0 (you) "));
    assert_int_equal(session.match->statistics.joins, 1);
    assert_int_equal(roster_count(&session.match->roster, SEAT_PLAYER), 0); // it has left
    read_picture("end.png", &pictures[0]);
}

static struct input_script script;
static int32_t seen_left, seen_right; ///< where the first player was at most, sub

static void follow(uint64_t step)
{
    const struct world *world = &session.match->world;
    (void)step;
    if (!world->player_slots || world->players[0].state != PLAYER_ALIVE)
        return;
    seen_left = seen_left ? seen_left : world->actors[0].x;
    seen_right = world->actors[0].x > seen_right ? world->actors[0].x : seen_right;
}

TEST(a_script_plays_and_takes_screenshots_at_given_ticks)
{
    struct error error;
    char text[512];
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--frames", "120", NULL});
    snprintf(text, sizeof text,
             "1 screenshot %s/first.png\n20 right\n40 screenshot %s/a.png\n60 -\n100 screenshot %s/b.png\n",
             test_folder_path(""), test_folder_path(""), test_folder_path(""));
    assert_true(input_script_read(&script, "script", text, &error));
    session.config.script = &script;
    session.each_step = follow;
    seen_left = seen_right = 0;
    run();
    assert_true(seen_right > seen_left);
    read_picture("first.png", &pictures[0]);
    read_picture("a.png", &pictures[0]);
    read_picture("b.png", &pictures[1]);
    assert_true(differences(&pictures[0], &pictures[1]) > 50);
}

TEST(a_picture_that_cannot_be_saved_is_an_error)
{
    struct error error;
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--frames", "200", NULL});
    assert_true(input_script_read(&script, "script", "30 screenshot /nowhere/a.png\n", &error));
    session.config.script = &script;
    assert_int_equal(app_run(&session.config), EXIT_IO);
    assert_true(app_session_has_logged("Cannot write the picture /nowhere/a.png"));
    assert_in_range(number_after("drew "), 1, 100);
    app_session_end();
    app_session_begin(
        NULL, (const char *const[]){"--connect", "SERVER", "--frames", "5", "--screenshot", "/nowhere/b.png", NULL});
    assert_int_equal(app_run(&session.config), EXIT_IO);
}

TEST(with_a_limit_of_frames_a_failed_join_ends_the_program)
{
    app_session_begin(
        NULL, (const char *const[]){"--connect", "SERVER", "--frames", "10", "--screenshot", "FOLDER/error.png", NULL});
    app_session_silence_server(true);
    assert_int_equal(app_run(&session.config), EXIT_UNAVAILABLE);
    assert_int_equal(number_after("drew "), 0);
    read_picture("error.png", &pictures[1]); // the error screen
    assert_true(differences(&pictures[0], &pictures[1]) > 1000);
    for (uint32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        pictures[2].pixels[i] = RGB(0x000000);
    assert_true(differences(&pictures[2], &pictures[1]) > 1000);
    app_session_begin(NULL, (const char *const[]){"--connect", "no address:x", NULL});
    assert_int_equal(app_run(&session.config), EXIT_USAGE);
}

static void draw_title(const char *a, const char *b, struct canvas *picture)
{
    app_session_begin(NULL, (const char *const[]){"--frames", "30", "--screenshot", "FOLDER/title.png", a, b, NULL});
    run();
    assert_in_range(session.steps, 28 * 4, 34 * 4);
    read_picture("title.png", picture);
}

TEST(menus_are_drawn_over_a_match_of_bots)
{
    draw_title(NULL, NULL, &pictures[0]);
    draw_title("--screen", "settings", &pictures[1]);
    assert_true(differences(&pictures[0], &pictures[1]) > 5000);
    draw_title(NULL, NULL, &pictures[1]);
    assert_int_equal(differences(&pictures[0], &pictures[1]), 0); // everything moves only with virtual time
}

static void draw_match(uint32_t key, const char *name, struct canvas *picture)
{
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--frames", "60", "--screenshot", name, NULL});
    if (key)
        app_session_press_at(200, key);
    run();
    read_picture(strchr(name, '/') + 1, picture);
}

TEST(keys_show_the_net_graph_the_chat_and_the_pause)
{
    draw_match(0, "FOLDER/plain.png", &pictures[0]);
    draw_match(0, "FOLDER/again.png", &pictures[1]);
    assert_int_equal(differences(&pictures[0], &pictures[1]), 0);
    static const struct {
        uint32_t key;
        int32_t x, y; ///< where the picture changes, px
    } rows[] = {{KEY_F3, 600, 310}, {KEY_RETURN, 100, 322}, {KEY_ESCAPE, 320, 175}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t at = rows[i].y * CANVAS_WIDTH + rows[i].x;
        draw_match(rows[i].key, "FOLDER/key.png", &pictures[1]);
        if (pictures[0].pixels[at] == pictures[1].pixels[at])
            fail_msg("row %zu changes nothing", i + 1);
    }
}

static void vanish(uint64_t step)
{
    if (step == 240)
        app_session_silence_server(true);
    if (step == 240 * 8) {
        SDL_Event quit = {.type = SDL_QUIT};
        SDL_PushEvent(&quit);
    }
}

TEST(a_lost_connection_is_shown_until_the_window_closes)
{
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--screenshot", "FOLDER/lost.png", NULL});
    session.each_step = vanish;
    run();
    assert_in_range(session.steps, 240 * 8, 240 * 9);
    read_picture("lost.png", &pictures[1]);
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--screenshot", "FOLDER/never.png", NULL});
    app_session_silence_server(true);
    app_session_press_at(100, KEY_ESCAPE);
    app_session_press_at(300, KEY_UP); // up to Quit
    app_session_press_at(330, KEY_RETURN);
    run();
    assert_in_range(session.steps, 330, 400);
    read_picture("never.png", &pictures[2]);
    assert_true(differences(&pictures[1], &pictures[2]) > 1000);
}

static void draw_replay(uint32_t key, struct canvas *picture)
{
    app_session_begin(NULL, (const char *const[]){"--replay", SOURCE_ROOT "/tests/golden/foundry.dfr", "--frames", "60",
                                                  "--screenshot", "FOLDER/replay.png", NULL});
    if (key)
        app_session_press_at(100, key);
    run();
    assert_int_equal(number_after("drew "), 60);
    read_picture("replay.png", picture);
}

TEST(a_replay_is_drawn_and_its_keys_work)
{
    draw_replay(0, &pictures[0]);
    draw_replay(0, &pictures[1]);
    assert_int_equal(differences(&pictures[0], &pictures[1]), 0);
    // After a second, the bar's line is gold at its left and empty in the middle.
    assert_int_equal(pictures[0].pixels[351 * CANVAS_WIDTH + 118], RGB(0xF6C12D));
    assert_int_equal(pictures[0].pixels[351 * CANVAS_WIDTH + 218], RGB(0x4A4350));
    draw_replay(KEY_P, &pictures[1]);
    assert_true(differences(&pictures[0], &pictures[1]) > 100);
    draw_replay(KEY_PERIOD, &pictures[2]);
    assert_true(differences(&pictures[0], &pictures[2]) > 100);
    assert_true(differences(&pictures[1], &pictures[2]) > 100);
}

static void say(uint64_t step)
{
    static const char *const CHOICES[] = {"duel", "foundry", "skyline"};
    if (step == 150)
        chat_broadcast_system(session.match, "A line of the server.");
    if (step == 160)
        vote_open(session.match, "Which map is next?", CHOICES, 3, 20);
}

TEST(a_system_message_is_shown)
{
    draw_match(0, "FOLDER/plain.png", &pictures[0]);
    app_session_begin(
        NULL, (const char *const[]){"--connect", "SERVER", "--frames", "60", "--screenshot", "FOLDER/said.png", NULL});
    session.each_step = say;
    run();
    assert_int_equal(app_session_times_logged("vote: Which map is next? duel, foundry, skyline\n"), 1);
    read_picture("said.png", &pictures[1]);
    uint32_t changed = 0;
    for (int32_t y = 290; y < 340; y++)
        for (int32_t x = 6; x < 120; x++)
            changed += pictures[0].pixels[y * CANVAS_WIDTH + x] != pictures[1].pixels[y * CANVAS_WIDTH + x];
    assert_true(changed > 100);
}
