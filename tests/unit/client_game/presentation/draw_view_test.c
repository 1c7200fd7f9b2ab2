// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include <stdio.h>

#include "app/config/preferences.h"
#include "game/ai/ai.h"
#include "presentation/draw_view.h"
#include "scene/text_panel.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"
#include "wire/message.h"

#define PLAYERS 12

static struct test_match match;
static struct world before;
static struct view view;
static struct scene scene;
static struct canvas canvas, again;
static const struct draw_options PLAIN;

static void take(uint32_t between)
{
    view_fill(&view, &match.map, &before, &match.world, between, 0);
    view.slot = 0;
    view.event_count = 0;
    for (uint32_t i = 0; i < match.world.event_count && i < EVENT_CAPACITY; i++)
        if (match.world.events[i].tick == match.world.tick)
            view.events[view.event_count++] = match.world.events[i];
    scene_update(&scene, &view);
}

// A random arena in which bots fight for a while.
static void fight(uint32_t seed, int32_t columns, int32_t rows, uint32_t ticks)
{
    memset(&match, 0, sizeof match);
    memset(&scene, 0, sizeof scene);
    test_map_random(&match.map, seed, columns, rows);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < PLAYERS; slot++) {
        struct command join = {.kind = COMMAND_JOIN, .slot = slot, .colour = slot, .name = {0x41 + slot}};
        assert_true(world_command(&match.world, &match.map, &join));
    }
    for (uint32_t i = 0; i < ticks; i++) {
        before = match.world;
        test_match_think(&match, SKILL_NORMAL);
        world_step(&match.world, &match.map, match.inputs);
        take(256);
    }
}

static int32_t colours(const struct canvas *picture)
{
    static uint8_t seen[1 << 15];
    int32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++) {
        uint32_t pixel = picture->pixels[i];
        uint8_t *place = &seen[(pixel >> 9 & 0x7C00) | (pixel >> 6 & 0x3E0) | (pixel >> 3 & 0x1F)];
        count += !*place;
        *place = 1;
    }
    return count;
}

TEST(every_theme_fills_the_whole_canvas_with_many_colours)
{
    for (uint32_t theme = 0; theme < MAP_THEMES; theme++) {
        fight(theme + 1, 100, 60, 60);
        match.map.theme = theme;
        memset(&canvas, 0, sizeof canvas);
        draw_view(&canvas, &view, &scene, &PLAIN);
        for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
            assert_int_equal(canvas.pixels[i] >> 24, 0xFF);
        assert_true(colours(&canvas) > 60);
    }
}

TEST(the_same_view_gives_the_same_picture)
{
    fight(5, 80, 45, 90);
    draw_view(&canvas, &view, &scene, &PLAIN);
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_equal(&canvas, &again, sizeof canvas);
}

// Slots beyond the counts of a world may have anything in them.
TEST(what_is_beyond_the_counts_is_not_drawn)
{
    fight(5, 30, 17, 90);
    struct world *world = &match.world;
    uint32_t slot = world->player_slots, arrow = world->arrow_slots, ball = world->ball_count;
    draw_view(&canvas, &view, &scene, &(struct draw_options){.scoreboard = true});
    world->players[slot] = world->players[0];
    world->players[slot].state = PLAYER_ALIVE;
    world->players[slot].score = 1000;
    scene.figures[slot] = scene.figures[0];
    scene.figures[slot].seen = true;
    view.actors[slot] = view.actors[0];
    world->arrows[arrow] = (struct arrow){.state = ARROW_FLYING, .vx = 3000, .kind = ARROW_BOMB, .burnt_tick = 1};
    view.actors[PLAYER_CAPACITY + arrow] = view.actors[0];
    world->balls[ball].flags = DF_BALL_ALIVE;
    world->balls[ball].radius_px = 20;
    view.balls[ball].x = view.actors[0].x;
    view.balls[ball].y = view.actors[0].y;
    draw_view(&again, &view, &scene, &(struct draw_options){.scoreboard = true});
    assert_memory_equal(&canvas, &again, sizeof canvas);
    world->arrow_slots++;
    draw_view(&again, &view, &scene, &(struct draw_options){.scoreboard = true});
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(a_player_is_drawn_at_their_position)
{
    fight(6, 60, 33, 1);
    scene.figures[1].seen = true;
    match.world.players[1].state = PLAYER_ALIVE;
    draw_view(&canvas, &view, &scene, &PLAIN);
    view.actors[1].x += 40 * DF_SUB;
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(what_is_held_looks_as_it_did)
{
    static struct world kept;
    fight(6, 30, 17, 1);
    struct world *world = &match.world;
    world->arrow_slots = world->chest_count = 1;
    world->arrows[0] = (struct arrow){.state = ARROW_STUCK, .vx = 3000, .kind = ARROW_BOMB, .burnt_tick = 900};
    world->chests[0].state = CHEST_CLOSED;
    world->actors[PLAYER_CAPACITY] = (struct df_actor){.x = 100, .y = 60, .w = 5, .h = 5, .flags = DF_ACTOR_ALIVE};
    world->actors[CHEST_ACTORS] = (struct df_actor){.x = 60, .y = 60, .w = 10, .h = 8, .flags = DF_ACTOR_ALIVE};
    take(256);
    draw_view(&canvas, &view, &scene, &PLAIN);
    kept = *world;
    world->arrows[0].state = ARROW_ABSENT;
    world->chests[0].state = CHEST_AWAY;
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t actor = i ? CHEST_ACTORS : PLAYER_CAPACITY;
        view.held[i] = (struct view_held){.world = &kept, .actor = actor, .at = view.actors[actor]};
        view.actors[actor] = (struct view_point){0};
    }
    view.held_count = 2;
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_equal(&canvas, &again, sizeof canvas);
}

TEST(a_switch_looks_different_when_it_is_on)
{
    test_map_machines(&match.map);
    test_match_start(&match);
    memset(&scene, 0, sizeof scene);
    before = match.world;
    for (uint32_t i = 0; i < match.world.switch_count; i++) {
        match.world.switches[i].on = 0;
        take(256);
        draw_view(&canvas, &view, &scene, &PLAIN);
        match.world.switches[i].on = 1;
        take(256);
        draw_view(&again, &view, &scene, &PLAIN);
        assert_memory_not_equal(&canvas, &again, sizeof canvas);
    }
}

TEST(a_wall_of_sudden_death_is_drawn)
{
    fight(6, 60, 33, 1);
    draw_view(&canvas, &view, &scene, &PLAIN);
    uint32_t wall = match.world.solid_count++;
    match.world.solids[wall] = (struct df_solid){.x = 0, .y = 0, .w = 90, .h = 264, .flags = DF_SOLID_PRESENT};
    view.solids[wall] = (struct view_point){0, 0};
    draw_view(&again, &view, &scene, &PLAIN);
    int32_t changed = 0;
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        changed += canvas.pixels[i] != again.pixels[i];
    // The wall goes on outside of the map, which is smaller than the picture.
    assert_in_range(changed, 10000, (90 + (CANVAS_WIDTH - 480) / 2) * CANVAS_HEIGHT + 4000);
}

TEST(arenas_of_any_size_are_drawn_within_bounds)
{
    static const struct {
        int32_t columns, rows;
    } sizes[] = {{4, 4}, {12, 200}, {256, 16}, {256, 256}};
    static const struct hud_net net = {.statistics = {.margin_quarter_ticks = INT32_MIN / 100, .rtt_ms = UINT32_MAX}};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(&match.map, 0, sizeof match.map);
        fight(1, 60, 40, 40);
        match.map.columns = sizes[i].columns;
        match.map.rows = sizes[i].rows;
        match.map.outside = i % 3;
        match.world.round.phase = ROUND_MATCH_OVER;
        match.world.round.winner = i ? PLAYER_CAPACITY : 0;
        for (uint32_t slot = 0; slot < PLAYERS; slot++) {
            memset(match.world.players[slot].name, 0xFF, sizeof match.world.players[slot].name);
            match.world.players[slot].colour = UINT32_MAX;
            match.world.players[slot].score = INT32_MIN;
            view.actors[slot] = (struct view_point){slot & 1 ? 1 << 28 : -(1 << 28), slot & 2 ? 1 << 28 : -(1 << 28)};
        }
        scene_update(&scene, &view);
        draw_view(&canvas, &view, &scene, &(struct draw_options){.scoreboard = true, .net = &net});
    }
}

// The number of pixels in which the canvas differs from `again`.
static uint32_t changed(void)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        count += canvas.pixels[i] != again.pixels[i];
    return count;
}

TEST(every_hat_is_drawn_and_faces_with_its_player)
{
    static uint8_t hats[PLAYER_CAPACITY];
    fight(1, 60, 40, 60);
    for (uint32_t slot = 1; slot < PLAYERS; slot++)
        match.world.players[slot].state = PLAYER_ABSENT;
    match.world.players[0].state = PLAYER_ALIVE;
    take(256);
    for (int32_t facing = -1; facing <= 1; facing += 2) {
        match.world.players[0].facing = facing;
        for (uint8_t hat = 0; hat <= HATS; hat++) { // an unknown hat is none
            view.hats = 0;
            draw_view(&again, &view, &scene, &PLAIN);
            hats[0] = hat;
            view.hats = hats;
            draw_view(&canvas, &view, &scene, &PLAIN);
            assert_int_equal(changed() > 20, hat > HAT_NONE && hat < HATS);
            match.world.players[0].facing = -facing;
            draw_view(&again, &view, &scene, &PLAIN);
            match.world.players[0].facing = facing;
            assert_true(changed() > 0);
        }
    }
    view.hats = 0;
}

TEST(a_message_of_any_length_fits_the_picture)
{
    static char text[2000];
    hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Deadfall", "", NULL, 0});
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 9 == 8 ? ' ' : 'w';
    hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Deadfall", text, NULL, 7});
    memset(text, 'w', sizeof text - 1); // one endless word
    hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Deadfall", text, NULL, 7});
    assert_true(colours(&canvas) > 3);
}

TEST(a_margin_below_one_tick_keeps_its_sign)
{
    static const struct {
        int32_t quarters;
        const char *text;
    } rows[] = {
        {0, "margin 0.00 ticks"},   {-1, "margin -0.25 ticks"}, {-3, "margin -0.75 ticks"},
        {-5, "margin -1.25 ticks"}, {7, "margin 1.75 ticks"},   {INT32_MIN, "margin -536870912.00 ticks"},
    };
    char text[48];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hud_margin_text(rows[i].quarters, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

static void world_of_many(void)
{
    fight(7, 80, 45, 30);
    for (uint32_t slot = 0; slot < 40; slot++)
        match.world.players[slot] =
            (struct player){.state = PLAYER_DEAD, .name = {0x41}, .score = slot ? 50 - (int32_t)slot : -9};
    match.world.player_slots = 40;
    memset(&scene.feed, 0, sizeof scene.feed);
}

TEST(the_players_own_row_is_always_shown)
{
    static const struct draw_options rows[] = {{.scoreboard = false}, {.scoreboard = true}};
    for (size_t i = 0; i < 2; i++) {
        world_of_many();
        draw_view(&canvas, &view, &scene, &rows[i]);
        match.world.players[0].name[0] = 0x4242;
        draw_view(&again, &view, &scene, &rows[i]);
        assert_memory_not_equal(&canvas, &again, sizeof canvas);
        match.world.players[0].name[0] = 0x41;
        match.world.players[38].name[0] = 0x4242;
        draw_view(&again, &view, &scene, &rows[i]);
        assert_memory_equal(&canvas, &again, sizeof canvas);
    }
}

TEST(the_feed_does_not_show_through_the_scoreboard)
{
    static const struct draw_options shows_scoreboard = {.scoreboard = true};
    world_of_many();
    draw_view(&canvas, &view, &scene, &shows_scoreboard);
    scene.feed[0] = (struct kill_feed_line){.killer = "Ada", .victim = "Bob", .until = UINT32_MAX};
    draw_view(&again, &view, &scene, &shows_scoreboard);
    assert_memory_equal(&canvas, &again, sizeof canvas);
    draw_view(&canvas, &view, &scene, &PLAIN);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(a_silent_server_is_shown_after_half_a_second)
{
    fight(8, 80, 45, 5);
    draw_view(&canvas, &view, &scene, &PLAIN);
    draw_view(&again, &view, &scene, &(struct draw_options){.silence_us = 499999, .system_message = ""});
    assert_memory_equal(&canvas, &again, sizeof canvas);
    draw_view(&again, &view, &scene, &(struct draw_options){.silence_us = 500000});
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
    draw_view(&again, &view, &scene, &(struct draw_options){.system_message = "The server is closing."});
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

// Pictures without texts, without the net graph, with it alone, and with everything.
static struct canvas bare, plain, with_net, with_all;

static void nothing_covers_the_net_graph_in(const struct draw_options *options, const char *row)
{
    draw_view(&bare, &view, &scene, &(struct draw_options){.bare = true});
    draw_view(&plain, &view, &scene, &PLAIN);
    draw_view(&with_net, &view, &scene, &(struct draw_options){.net = options->net});
    draw_view(&with_all, &view, &scene, options);
    for (int32_t i = 0; i < CANVAS_WIDTH * CANVAS_HEIGHT; i++) {
        bool net = with_net.pixels[i] != plain.pixels[i];
        bool text = with_all.pixels[i] != with_net.pixels[i] || plain.pixels[i] != bare.pixels[i];
        if (net && text)
            fail_msg("%s: column %d, row %d", row, i % CANVAS_WIDTH, i / CANVAS_WIDTH);
    }
}

TEST(nothing_covers_the_net_graph)
{
    static struct chat_panel chat, typing;
    static struct preferences preferences;
    static struct spectator_camera spectator = {.mode = SPECTATOR_CAMERA_FREE};
    struct error error;
    struct hud_net net = {.statistics = {.rtt_ms = 999,
                                         .input_ack_us = 999000,
                                         .snapshots = 990000,
                                         .snapshots_lost = 9999,
                                         .corrections = 9999,
                                         .inputs_missed = 9999,
                                         .clock_stalls = 99,
                                         .others_error_subpx = 99 * 256,
                                         .others_jumps = 9999,
                                         .deaths_refuted = 9999}};
    fight(8, 80, 45, 5);
    assert_true(preferences_read(&preferences, "", &error));
    struct chat_line line = {.from = 1};
    memset(line.text, 'm', CHAT_SEND_BYTES_MAX);
    memset(match.world.players[0].name, 'W', PLAYER_NAME_BYTES);
    for (uint32_t i = 0; i < CHAT_PANEL_LINES; i++)
        chat_panel_add(&chat, &line, &match.world, 0);
    chat.votes = true;
    chat.vote = (struct vote_message){.choice_count = 6, .question = "Which map is next?"};
    for (uint32_t i = 0; i < 6; i++)
        snprintf(chat.vote.choices[i].text, sizeof chat.vote.choices[i].text, "the map colosseum");
    typing = chat;
    typing.votes = false;
    chat_panel_open(&typing, true);
    chat_panel_type(&typing, line.text);
    char message[SYSTEM_BYTES_MAX + 1] = {0};
    for (uint32_t i = 0; i < SYSTEM_BYTES_MAX; i++)
        message[i] = i % 6 == 5 ? ' ' : 'm';
    struct display_options display = *scene_display(&scene);
    scene.display = &display;
    struct hints hints = {.controls = &preferences.controls};
    for (uint32_t large = 0; large < 2; large++) {
        display.large_text = large;
        struct draw_options options = {.net = &net, .system_message = message, .silence_us = 9900000, .hints = &hints};
        nothing_covers_the_net_graph_in(&options, "hints");
        options.chat = &typing;
        nothing_covers_the_net_graph_in(&options, "chat");
        options.chat = &chat;
        nothing_covers_the_net_graph_in(&options, "vote");
        options.spectator = &spectator;
        nothing_covers_the_net_graph_in(&options, "spectator");
    }
    draw_view(&canvas, &view, &scene, &(struct draw_options){.scoreboard = true});
    draw_view(&again, &view, &scene, &(struct draw_options){.scoreboard = true, .net = &net});
    assert_memory_equal(&canvas, &again, sizeof canvas);
    scene.display = NULL;
}

TEST(a_waiting_screen_moves_and_a_beat_of_zero_stands_still)
{
    hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Deadfall", "Connecting.", "Esc", 8});
    hud_draw_message(&again, FONT_LARGE, &(struct hud_message){"Deadfall", "Connecting.", "Esc", 16});
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
    hud_draw_message(&again, FONT_LARGE, &(struct hud_message){"Deadfall", "Connecting.", "Esc", 0});
    hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Deadfall", "Connecting.", NULL, 0});
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

// A replay has the ticks in which the server was held up.
TEST(a_pause_is_shown_and_a_stall_is_not)
{
    fight(8, 80, 45, 5);
    draw_view(&canvas, &view, &scene, &PLAIN);
    match.world.round.paused = PAUSE_STALLED;
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_equal(&canvas, &again, sizeof canvas);
    match.world.round.paused = PAUSE_ORDERED;
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(a_menu_hides_the_text_over_the_arena)
{
    fight(8, 80, 45, 5);
    draw_view(&canvas, &view, &scene, &(struct draw_options){.bare = true});
    draw_view(&again, &view, &scene, &(struct draw_options){.bare = true, .system_message = "The server is closing."});
    assert_memory_equal(&canvas, &again, sizeof canvas);
    draw_view(&again, &view, &scene, &PLAIN);
    assert_memory_not_equal(&canvas, &again, sizeof canvas);
}

TEST(the_ornament_of_a_message_moves_to_the_left)
{
    static const struct {
        uint32_t tick;
        int32_t raised; ///< of five squares
    } rows[] = {{1, 0}, {7, 0}, {8, 4}, {15, 4}, {16, 3}, {24, 2}, {32, 1}, {40, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hud_draw_message(&canvas, FONT_SMALL, &(struct hud_message){"Title", "text", NULL, rows[i].tick});
        for (int32_t square = 0; square < 5; square++) {
            int32_t x = CANVAS_WIDTH / 2 - 22 + square * 10, y = CANVAS_HEIGHT / 2 + 30;
            bool raised = canvas.pixels[(y - 3) * CANVAS_WIDTH + x] == INK_GOLD;
            bool low = canvas.pixels[(y + 3) * CANVAS_WIDTH + x] == INK_DIM;
            if (raised != (square == rows[i].raised) || low == raised)
                fail_msg("row %zu, square %d", i + 1, square);
        }
    }
}
