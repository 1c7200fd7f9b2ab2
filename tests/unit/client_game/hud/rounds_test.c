// SPDX-License-Identifier: MIT
// Tests what is said around a round: the story of a kill, what is at stake, the oddity of a match, when sudden death
// comes.
#include <string.h>

#include "game/tuning.h"
#include "hud/hud.h"
#include "scene/draw_sudden_death.h"
#include "sync/player_name.h"
#include "test.h"

static struct map map;
static struct world world;
static struct view view;

static void begin(enum mode mode)
{
    memset(&map, 0, sizeof map);
    memset(&world, 0, sizeof world);
    map.columns = 60;
    map.rows = 34;
    world.tick = 10000;
    world.rules = (struct rules){.mode = mode, .score_limit = 5};
    world.round.phase = ROUND_PLAYING;
    world.round.since_tick = 9000;
    world.player_slots = 4;
    static const char *const NAMES[] = {"Ada", "Bo", "Cy", "Di"};
    for (uint32_t slot = 0; slot < 4; slot++) {
        world.players[slot].state = PLAYER_ALIVE;
        world.players[slot].team = mode == MODE_BREAKOUT ? 1 + slot % 2 : 0;
        player_name_from_text(world.players[slot].name, NAMES[slot]);
    }
    view = (struct view){.map = &map, .world = &world, .confirmed = &world, .slot = 0};
}

static void add_solid(int32_t kind, struct df_box box)
{
    uint32_t i = world.solid_count++;
    if (kind < MAP_SOLID_KINDS)
        map.solids[map.solid_count++] = (struct map_solid){.kind = (uint8_t)kind};
    world.solids[i] = (struct df_solid){.x = box.x, .y = box.y, .w = box.w, .h = box.h, .flags = DF_SOLID_PRESENT};
}

TEST(a_kill_has_a_line_with_its_cause)
{
    enum { WALLS = MAP_SOLID_KINDS, NO_SOLID };
    static const struct {
        uint32_t cause, killer;
        int32_t solid; // that is beside the victim
        const char *story;
    } rows[] = {
        /* 0 */ {DEATH_ARROW, 0, NO_SOLID, "Ada shot Bo"},
        /* 1 */ {DEATH_ARROW, 1, NO_SOLID, "Bo met their own arrow"},
        /* 2 */ {DEATH_STOMP, 2, NO_SOLID, "Cy stomped on Bo"},
        /* 3 */ {DEATH_SQUISH, 0, MAP_SOLID_CRUSHER, "Ada squished Bo with a crusher"},
        /* 4 */ {DEATH_SQUISH, EVENT_NOBODY, MAP_SOLID_CRUSHER, "A crusher squished Bo"},
        /* 5 */ {DEATH_SQUISH, 0, MAP_SOLID_LIFT, "Ada squished Bo with a lift"},
        /* 6 */ {DEATH_SQUISH, EVENT_NOBODY, WALLS, "The walls squished Bo"},
        /* 7 */ {DEATH_SQUISH, 0, WALLS, "Ada left Bo to the walls"},
        /* 8 */ {DEATH_SQUISH, 0, NO_SOLID, "Ada got Bo squished"},
        /* 9 */ {DEATH_HAZARD, EVENT_NOBODY, NO_SOLID, "Bo found the spikes"},
        /* 10 */ {DEATH_FALL, 0, NO_SOLID, "Ada pushed Bo out of the arena"},
        /* 11 */ {DEATH_BALL, EVENT_NOBODY, NO_SOLID, "A ball hit Bo"},
        /* 12 */ {DEATH_BOMB, 1, NO_SOLID, "Bo met their own bomb"},
    };
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(MODE_LMS);
        add_solid(MAP_SOLID_MOVER, (struct df_box){300, 100, 40, 16}); // far away
        if (rows[i].solid < NO_SOLID)
            add_solid(rows[i].solid, (struct df_box){90, 60, 40, 32});
        struct event kill = {.subject = 1, .other = rows[i].killer, .detail = rows[i].cause, .x = 100, .y = 97};
        struct kill_story story = kill_story_of(&map, &world, &kill);
        bool squish = rows[i].cause == DEATH_SQUISH && rows[i].solid < NO_SOLID;
        assert_int_equal(story.solid, squish ? 1 : KILL_STORY_NO_SOLID);
        kill_story_text(&view, &story, text);
        if (strcmp(text, rows[i].story))
            fail_msg("row %zu: %s", i, text);
    }
}

TEST(of_crusher_and_floor_it_was_the_crusher)
{
    begin(MODE_FFA);
    add_solid(MAP_SOLID_MOVER, (struct df_box){80, 100, 60, 16}); // on which the victim stood, nearer
    add_solid(MAP_SOLID_CRUSHER, (struct df_box){90, 60, 40, 32});
    struct event kill = {.subject = 1, .other = 0, .detail = DEATH_SQUISH, .x = 100, .y = 97};
    assert_int_equal(kill_story_of(&map, &world, &kill).solid, 1);
    world.solids[1].flags = 0; // it is not there
    assert_int_equal(kill_story_of(&map, &world, &kill).solid, 0);
    kill.y = 180;
    assert_int_equal(kill_story_of(&map, &world, &kill).solid, KILL_STORY_NO_SOLID);
}

TEST(the_bars_never_hide_the_kill)
{
    enum { BAR = 22 };
    static struct canvas canvas;
    for (int32_t i = 0; i < 2 * CANVAS_HEIGHT; i++) {
        int32_t y = i / 2, below = i % 2 * 12; // with the bar of a replay as well
        struct frame frame = {.canvas = &canvas, .left = 40, .top = 7, .below = below};
        struct kill_story story = {.kill = {.x = 100, .y = frame.top + y}};
        int32_t shift = kill_story_shift(&frame, &story);
        assert_in_range(y + shift, BAR, CANVAS_HEIGHT - BAR - below);
        assert_in_range(shift + BAR + below, 0, 2 * BAR + below); // and nothing else gets beyond a bar
        if (y > 2 * BAR && y < CANVAS_HEIGHT - 2 * BAR - below)
            assert_int_equal(shift, 0);
    }
}

TEST(hostile_numbers_make_a_line_all_the_same)
{
    char text[TEXT_BYTES];
    begin(MODE_LMS);
    struct kill_story story = {.kill = {.subject = 70000, .other = 70000, .detail = 99}, .solid = 5000};
    kill_story_text(&view, &story, text);
    assert_string_equal(text, "An arrow hit nobody");
    story.kill.detail = DEATH_SQUISH;
    kill_story_text(&view, &story, text);
    assert_string_equal(text, "nobody was squished");
}

TEST(the_card_says_what_is_at_stake)
{
    static const struct {
        enum mode mode;
        int32_t scores[4], teams[2];
        const char *stake;
        bool decides;
    } rows[] = {
        /* 0 */ {MODE_LMS, {0, 0, 0}, {0, 0}, "All level", false},
        /* 1 */ {MODE_LMS, {1, 2, 0}, {0, 0}, "Bo leads", false},
        /* 2 */ {MODE_LMS, {1, 4, 0}, {0, 0}, "Match point: Bo", true},
        /* 3 */ {MODE_LMS, {4, 4, 0}, {0, 0}, "Match point", true},
        /* 4 */ {MODE_BREAKOUT, {0, 0, 0}, {1, 2}, "Orange leads", false},
        /* 5 */ {MODE_BREAKOUT, {0, 0, 0}, {4, 2}, "Match point: Blue", true},
        /* 6 */ {MODE_FFA, {4, 0, 0}, {0, 0}, "", false},
        /* 7 */ {MODE_LMS, {1, 1, 0}, {0, 0}, "Ada and Bo lead", false},
        /* 8 */ {MODE_LMS, {0, 2, 2}, {0, 0}, "Bo and Cy lead", false},
        /* 9 */ {MODE_LMS, {2, 2, 2, 2}, {0, 0}, "All level", false},
        /* 10 */ {MODE_LMS, {2, 2, 2, 0}, {0, 0}, "3 players lead", false},
        /* 11 */ {MODE_BREAKOUT, {0, 0, 0}, {2, 2}, "All level", false},
    };
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(rows[i].mode);
        for (uint32_t slot = 0; slot < 4; slot++)
            world.players[slot].score = rows[i].scores[slot];
        memcpy(world.round.team_scores, rows[i].teams, sizeof world.round.team_scores);
        bool decides = round_card_stake(&world, text);
        if (strcmp(text, rows[i].stake) || (rows[i].mode != MODE_FFA && decides != rows[i].decides))
            fail_msg("row %zu: %s, %d", i, text, decides);
    }
}

TEST(the_oddity_has_words)
{
    static const struct {
        struct player_stats stats;
        const char *text;
    } rows[] = {
        /* 0 */ {{.own_kills = 0, .wall_shots = 11, .jumps = 99, .fallen_px = 3999}, ""},
        /* 1 */ {{.own_kills = 1}, "Bo needed no enemy: they got themselves 1 time"},
        /* 2 */ {{.own_kills = 3, .jumps = 250}, "Bo needed no enemy: they got themselves 3 times"},
        /* 3 */ {{.wall_shots = 12}, "Bo shot 12 arrows into walls"},
        /* 4 */ {{.fallen_px = 4000}, "Bo fell 500 m in all"},
        /* 5 */ {{.fallen_px = 16800}, "Bo fell 2.1 km in all"},
        /* 6 */ {{.jumps = 212, .own_kills = 2}, "Bo jumped 212 times"},
    };
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(MODE_LMS);
        world.players[1].stats = rows[i].stats;
        bool odd = match_end_oddity_text(&world, text);
        if (strcmp(text, rows[i].text) || odd != (text[0] != 0))
            fail_msg("row %zu: %s", i, text);
    }
}

TEST(sudden_death_is_announced_and_then_counts_down)
{
    uint32_t begins = TUNING.sudden_death_after_ticks, lasts = TUNING.sudden_death_closing_ticks;
    struct {
        uint32_t age, closed, seconds;
        bool dims, moves;
    } rows[] = {
        /* 0 */ {begins - 601, 0, 0, false, false},
        /* 1 */ {begins - 590, 0, 10, true, false},
        /* 2 */ {begins - 1, 0, 1, true, false},
        /* 3 */ {begins + 10, 10, (lasts - 10 + 59) / 60, true, true},
        /* 4 */ {begins + lasts, lasts, 0, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct display_options display;
        struct palette dimmed;
        begin(MODE_LMS);
        world.round.since_tick = world.tick - rows[i].age;
        world.round.sudden_death_ticks = rows[i].closed;
        struct frame frame = {.view = &view, .palette = palette_of(0), .tick = world.tick, .display = &display};
        const struct palette *light = draw_sudden_death_light(&frame, &dimmed);
        bool dims = light != frame.palette;
        uint32_t seconds = round_clock_sudden_death_s(&view);
        if (seconds != rows[i].seconds || dims != rows[i].dims || draw_sudden_death_moves(&view) != rows[i].moves)
            fail_msg("row %zu: %u s, %d, %d", i, seconds, dims, draw_sudden_death_moves(&view));
        world.rules.mode = MODE_FFA; // which has none
        world.round.sudden_death_ticks = 0;
        assert_int_equal(round_clock_sudden_death_s(&view), 0);
        assert_ptr_equal(draw_sudden_death_light(&frame, &dimmed), frame.palette);
    }
}

TEST(walls_hide_what_is_behind_them)
{
    begin(MODE_LMS);
    add_solid(MAP_SOLID_KINDS, (struct df_box){-700, 0, 800, 500});
    view.solids[0].x = -700 * DF_SUB;
    struct frame frame = {.view = &view};
    assert_true(draw_sudden_death_hides(&frame, 99));
    assert_false(draw_sudden_death_hides(&frame, 100));
    world.solids[0].flags = 0;
    assert_false(draw_sudden_death_hides(&frame, 99));
}
