// SPDX-License-Identifier: MIT
//
// Tests what players see and can do while their server is away: it restarts, is overdue, or does not answer.
#include <SDL.h>
#include <stdio.h>
#include <string.h>

#include "app_session.h"
#include "game/map/tiled/map_file.h"
#include "test.h"
#include "virtual_udp.h"
#include "window/keyboard.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes" // painters that are wrapped

#define SECOND 240 // steps of virtual time
#define TEXT_Y 200 // rows from here on have messages
#define FAR    0   // step that never comes

static uint64_t announce_step, silence_step, change_step, back_step, quit_step;
// What was shown.
static struct {
    char texts[64][128]; ///< system messages, each change
    uint32_t text_count;
    uint32_t titles;           ///< frames without a match, since the first match
    struct canvas away;        ///< first frame without the server
    struct canvas before;      ///< the last frame with it
    uint32_t away_frames;      ///< frames without the server and without a menu
    uint32_t moved, different; ///< pixels in them that are not as in the first; and in the first, as before
    struct canvas menu;        ///< first frame with a menu
    uint32_t menu_frames, flickers;
    bool has_status, is_away, has_menu; ///< in this frame
} seen;

int32_t __real_hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us);
int32_t __wrap_hud_draw_status(const struct frame *frame, int32_t y, const char *system_message, uint64_t silence_us)
{
    if (!seen.text_count || strcmp(seen.texts[seen.text_count - 1], system_message)) {
        assert_in_range(seen.text_count, 0, 63);
        snprintf(seen.texts[seen.text_count++], sizeof *seen.texts, "%s", system_message);
    }
    seen.has_status = true;
    seen.is_away = *system_message;
    return __real_hud_draw_status(frame, y, system_message, silence_us);
}

void __real_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick);
void __wrap_draw_menu(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    seen.has_menu = true;
    __real_draw_menu(canvas, menu, anim_tick);
}

static uint32_t differences(const struct canvas *a, const struct canvas *b, int32_t rows)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < CANVAS_WIDTH * rows; i++)
        count += a->pixels[i] != b->pixels[i];
    return count;
}

// The server plays another map from now on.
static void change_map(void)
{
    static struct map map;
    static struct match_map prepared;
    struct error error;
    assert_true(map_file_read(SOURCE_ROOT "/shared/maps/foundry.tmj", &map, &error));
    match_map_begin(&prepared, &map);
    match_map_build_nav_graph(&prepared);
    match_change(session.match, &prepared, &(struct rules){.mode = MODE_FFA, .seed = 1}, virtual_udp_now_ns() / 1000);
}

static void look(const struct canvas *canvas)
{
    if (seen.has_menu) {
        if (!seen.menu_frames++)
            seen.menu = *canvas;
        seen.flickers += differences(&seen.menu, canvas, 20); // above the plate of the menu
    } else if (seen.is_away) {
        if (!seen.away_frames++) {
            seen.away = *canvas;
            seen.different = differences(&seen.before, canvas, TEXT_Y);
        }
        seen.moved += differences(&seen.away, canvas, TEXT_Y);
    } else if (seen.has_status) {
        seen.before = *canvas;
    } else {
        seen.titles += seen.text_count > 0;
    }
    seen.has_status = seen.is_away = seen.has_menu = false;
}

void __wrap_window_show(struct window *window, const struct canvas *canvas)
{
    (void)window;
    look(canvas);
}

static void each_step(uint64_t step)
{
    if (step == announce_step)
        match_announce_restart(session.match);
    if (step == silence_step)
        app_session_silence_server(true);
    if (step == change_step)
        change_map();
    if (step == back_step)
        app_session_silence_server(false);
    if (step == quit_step) {
        SDL_Event quit = {.type = SDL_QUIT};
        SDL_PushEvent(&quit);
    }
}

// The server announces a restart after two seconds, or only falls silent. In a long absence fewer frames are drawn.
static void begin(bool announces, uint64_t away_steps, uint64_t after_steps)
{
    memset(&seen, 0, sizeof seen);
    announce_step = announces ? 2 * SECOND : FAR;
    silence_step = 2 * SECOND + 1;
    change_step = FAR;
    back_step = silence_step + away_steps;
    quit_step = back_step + after_steps;
    const char *limit = away_steps > 5 * SECOND ? "30" : "display";
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--frame-limit", limit, NULL});
    session.each_step = each_step;
}

static void play(void)
{
    assert_int_equal(app_run(&session.config), EXIT_OK);
}

static void has_text(const char *text, bool expected)
{
    bool found = false;
    for (uint32_t i = 0; i < seen.text_count; i++)
        found |= !strcmp(seen.texts[i], text);
    if (found == expected)
        return;
    for (uint32_t i = 0; i < seen.text_count; i++)
        print_message("%s\n", seen.texts[i]);
    fail_msg("\"%s\" was %sshown", text, found ? "" : "not ");
}

#define RESTARTING "The server is restarting. The match goes on in a moment."

ALL_TESTS(app_session_create, test_folder_remove);
EACH_TEST(NULL, app_session_end);

TEST(the_picture_stays_while_the_server_restarts)
{
    begin(true, SECOND, SECOND);
    play();
    assert_int_equal(app_session_times_logged("joined as player 0"), 2);
    assert_int_equal(app_session_times_logged("The server is restarting."), 1);
    app_session_end();
    assert_in_range(seen.away_frames, 50, 200);
    assert_int_equal(seen.titles, 0);
    assert_int_equal(seen.moved, 0);
    assert_int_equal(seen.different, 0);
    assert_int_equal(seen.text_count, 3); // nothing, this, nothing
    assert_string_equal(seen.texts[1], RESTARTING);
}

TEST(a_server_that_comes_back_with_another_map_shows_it)
{
    begin(true, SECOND, 3 * SECOND);
    change_step = back_step;
    play();
    assert_int_equal(app_session_times_logged("joined as player 0"), 2);
    assert_int_equal(app_session_times_logged("plays ffa on foundry"), 1);
    app_session_end();
    assert_int_equal(seen.moved, 0);
    assert_true(seen.titles > 0); // while the map is downloaded
}

TEST(the_menu_opens_over_the_picture)
{
    begin(true, 2 * SECOND, SECOND);
    app_session_press_at(silence_step + 60, KEY_ESCAPE);
    app_session_press_at(silence_step + 100, KEY_DOWN);
    app_session_press_at(silence_step + 200, KEY_ESCAPE);
    app_session_press_at(silence_step + 300, KEY_RETURN); // opens no chat
    play();
    assert_int_equal(app_session_times_logged("screen pause\n"), 1);
    assert_int_equal(app_session_times_logged("joined as player 0"), 2);
    app_session_end();
    assert_in_range(seen.menu_frames, 20, 60);
    assert_int_equal(seen.flickers, 0);
    assert_int_equal(seen.titles, 0);
    assert_int_equal(seen.moved, 0);
}

TEST(a_player_can_leave_while_the_server_is_away)
{
    begin(true, 5 * SECOND, SECOND);
    app_session_press_at(silence_step + 60, KEY_ESCAPE);
    app_session_press_at(silence_step + 100, KEY_UP);
    app_session_press_at(silence_step + 140, KEY_RETURN);
    play();
    assert_int_equal(app_session_times_logged("joined as player 0"), 1);
    assert_true(app_session_has_logged("screen title\n"));
}

TEST(an_overdue_server_is_waited_for_on_and_on)
{
    begin(true, 40 * SECOND, 8 * SECOND);
    play();
    assert_int_equal(app_session_times_logged("joined as player 0"), 2);
    app_session_end();
    has_text(RESTARTING, true);
    has_text("The server has not come back. Connecting again: attempt 2 of 20. Esc opens the menu.", true);
    has_text("The server has not come back. Connecting again in 1 s: attempt 4 of 20. Esc opens the menu.", true);
    assert_int_equal(seen.titles, 0);
    assert_int_equal(seen.moved, 0);
    assert_string_equal(seen.texts[seen.text_count - 1], "");
}

TEST(a_server_that_falls_silent_is_waited_for_too)
{
    begin(false, 8 * SECOND, 6 * SECOND);
    play();
    assert_int_equal(app_session_times_logged("joined as player 0"), 2);
    assert_int_equal(app_session_times_logged("The connection to the server was lost."), 1);
    app_session_end();
    has_text(RESTARTING, false);
    has_text("The connection was lost. Connecting again in 1 s: attempt 1 of 20. Esc opens the menu.", true);
    has_text("The connection was lost. Connecting again: attempt 1 of 20. Esc opens the menu.", true);
    assert_int_equal(seen.titles, 0);
    assert_int_equal(seen.moved, 0);
}
