// SPDX-License-Identifier: MIT
// Tests courses in the window without a window: each can be done within its time for gold, records are kept as replays
// and survive nothing that is hostile, and a run begins, ends and begins again as the player expects.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/course/draw_course.h"
#include "base/file.h"
#include "base/random.h"
#include "figures.h"
#include "game/map/tiled/map_file.h"
#include "seeds.h"
#include "test.h"

static struct course_run run;
static char folder[] = "/tmp/deadfall_trials_XXXXXX";
static struct error error;

static void find_maps(void)
{
    setenv("DEADFALL_MAP_DIR", SOURCE_ROOT "/shared/maps", 1);
    assert_non_null(mkdtemp(folder));
}

static void forget(const struct course *course)
{
    char path[4200];
    course_record_path(course, folder, path, sizeof path);
    unlink(path);
}

static void remove_folder(void)
{
    for (size_t i = 0; i < COURSE_COUNT; i++)
        forget(&COURSES[i]);
    assert_int_equal(rmdir(folder), 0);
}

ALL_TESTS(find_maps, remove_folder);

static void open_course(const struct course *course)
{
    forget(course);
    if (!course_run_open(&run, course, folder, &error))
        fail_msg("%s", error.text);
}

TEST(every_recording_is_within_gold_and_takes_its_ticks)
{
    bool same = true;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        const struct course *course = &COURSES[i];
        open_course(course);
        const struct course_record *gold = &run.ghosts[COURSE_GOLD].record;
        if (gold->ticks < 60 || gold->ticks >= course->gold_ticks)
            fail_msg("the recording of %s takes %u ticks, and gold is less than %u: search for another one with "
                     "trial_search",
                     course->name, gold->ticks, course->gold_ticks);
        same &= figures_are_kept(SOURCE_ROOT "/tests/unit/app/course.figures", course->name, "%u", gold->ticks);
        assert_non_null(course->tasks[0]);
        assert_ptr_equal(course_of_name(course->name), course);
    }
    assert_true(same);
    assert_null(course_of_name("nothing"));
}

// Plays the buttons of the golden ghost, after some ticks of doing nothing.
static uint32_t play_gold(uint32_t late_ticks)
{
    static struct course_record gold;
    gold = run.ghosts[COURSE_GOLD].record;
    course_run_restart(&run);
    for (uint32_t i = 0; i < late_ticks; i++)
        assert_true(course_run_step(&run, BUTTON_UP, &error));
    for (uint32_t i = late_ticks ? 0 : 2; i < gold.ticks && !run.is_done; i++)
        assert_true(course_run_step(&run, gold.buttons[i], &error));
    return run.is_done ? run.record.ticks : 0;
}

TEST(a_run_of_the_ghost_is_done_with_the_ghost_and_is_kept)
{
    struct course_record *own = &run.ghosts[COURSE_OWN].record;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        open_course(&COURSES[i]);
        assert_int_equal(own->ticks, 0);
        // A recording that begins with idle ticks loses them: the clock waits for the first button.
        uint32_t ticks = play_gold(0);
        if (ticks == 0)
            continue;
        assert_in_range(ticks, 1, COURSES[i].gold_ticks);
        assert_int_equal(course_medal(&COURSES[i], ticks), MEDAL_GOLD);
        assert_int_equal(own->ticks, ticks);
        *own = (struct course_record){0};
        course_record_read(own, &COURSES[i], &run.map, folder);
        assert_int_equal(own->ticks, ticks);
    }
}

static const struct course *first_steps(void)
{
    return course_of_name("first-steps");
}

TEST(the_clock_waits_for_the_first_button)
{
    open_course(first_steps());
    for (int i = 0; i < 100; i++)
        course_run_step(&run, 0, &error);
    assert_int_equal(run.world.tick, 2);
    course_run_step(&run, BUTTON_RIGHT, &error);
    course_run_step(&run, 0, &error);
    assert_int_equal(run.world.tick, 4);
    assert_int_equal(run.ghosts[COURSE_GOLD].world.tick, 4);
    course_run_restart(&run);
    assert_int_equal(run.world.tick, 2);
    assert_true(run.is_new);
}

TEST(a_result_is_seen_before_a_jump_leads_on)
{
    uint32_t seen = 0;
    open_course(first_steps());
    assert_false(course_run_leads_on(&run));
    assert_true(play_gold(0) > 0);
    for (; !course_run_leads_on(&run) && seen < 600; seen++)
        course_run_step(&run, BUTTON_JUMP, &error);
    assert_in_range(seen, 80, 110);
    for (int i = 0; i < 600; i++)
        course_run_step(&run, 0, &error);
    assert_true(course_run_leads_on(&run));
    course_run_restart(&run);
    assert_false(course_run_leads_on(&run));
}

TEST(the_task_is_what_is_left_also_out_of_order)
{
    open_course(course_of_name("lesson-first"));
    assert_int_equal(course_run_task(&run), 0);
    run.world.switches[1].on = 1; // over the first flag to the second
    assert_int_equal(course_run_task(&run), 0);
    run.world.switches[0].on = 1;
    assert_int_equal(course_run_task(&run), 2);
    open_course(course_of_name("lesson-catch")); // has neither flags nor targets
    run.world.players[0].score = 2;
    assert_int_equal(course_run_task(&run), 2);
}

TEST(a_slower_run_does_not_replace_the_record)
{
    open_course(first_steps());
    uint32_t best = play_gold(0);
    assert_in_range(best, 1, 600);
    course_run_restart(&run);
    for (int i = 0; i < 30; i++)
        course_run_step(&run, BUTTON_UP, &error);
    assert_int_equal(run.ghosts[COURSE_OWN].record.ticks, best);
    assert_int_equal(run.best_before_ticks, best);
}

TEST(a_death_begins_a_trial_again_and_not_a_lesson)
{
    static const char *const NAMES[] = {"press-gang", "lesson-stomp"};
    for (size_t i = 0; i < 2; i++) {
        open_course(course_of_name(NAMES[i]));
        course_run_step(&run, BUTTON_RIGHT, &error);
        run.world.players[0].state = PLAYER_DEAD;
        run.world.players[0].respawn_tick = run.world.tick + 90;
        run.world.actors[0].flags = 0;
        run.is_new = false;
        for (int step = 0; step < 60; step++)
            course_run_step(&run, BUTTON_UP, &error);
        assert_int_equal(run.is_new, i == 0);
    }
}

TEST(hostile_records_are_none)
{
    static uint8_t good[1 << 16], bad[sizeof good];
    static struct course_record record;
    char path[4200];
    size_t count;
    run.colour = 5;
    open_course(first_steps());
    assert_in_range(play_gold(0), 1, 600);
    course_record_path(first_steps(), folder, path, sizeof path);
    assert_true(file_read_regular(path, good, sizeof good, &count));
    course_record_read(&record, first_steps(), &run.map, folder);
    assert_int_equal(record.colour, 5); // replays show the runner in their colour
    uint32_t dice = 7;
    for (uint32_t row = 0; row < length_asked(300); row++) {
        size_t length = row % 3 == 0 ? random_below(&dice, (uint32_t)count) : count;
        memcpy(bad, good, count);
        for (uint32_t flips = 1 + row % 5; flips > 0 && row % 3; flips--)
            bad[random_below(&dice, (uint32_t)count)] ^= (uint8_t)(1u << random_below(&dice, 8));
        assert_true(file_write(path, bad, length));
        course_record_read(&record, first_steps(), &run.map, folder);
        assert_true(record.ticks == 0 || record.ticks <= COURSE_TICKS_MAX);
        if (row % 3 == 0 && length < count / 2)
            assert_int_equal(record.ticks, 0);
    }
    // A record of another course is none of this one.
    assert_true(file_write(path, good, count));
    course_record_read(&record, first_steps(), &run.map, folder);
    assert_true(record.ticks > 0);
    char other[4200];
    course_record_path(course_of_name("chimney"), folder, other, sizeof other);
    assert_true(file_write(other, good, count));
    open_course(course_of_name("gauntlet"));
    assert_true(file_write(other, good, count));
    course_record_read(&record, course_of_name("chimney"), &run.map, folder);
    assert_int_equal(record.ticks, 0);
    course_record_read(&record, first_steps(), &run.map, "/nowhere");
    assert_int_equal(record.ticks, 0);
}

TEST(a_record_from_before_a_change_is_kept)
{
    static uint8_t bytes[1 << 16];
    char path[4200];
    size_t count;
    const struct course *course = first_steps();
    open_course(course);
    uint32_t ticks = play_gold(0);
    assert_int_equal(course_record_old_ticks(course, &run.map, folder), 0);
    course_record_path(course, folder, path, sizeof path);
    assert_true(file_read_regular(path, bytes, sizeof bytes, &count));
    bytes[4]--; // of the protocol before
    assert_true(file_write(path, bytes, count));
    assert_true(course_run_open(&run, course, folder, &error));
    assert_int_equal(run.ghosts[COURSE_OWN].record.ticks, 0);
    assert_int_equal(course_record_old_ticks(course, &run.map, folder), ticks);
    assert_int_equal(play_gold(0), ticks); // a new record does not replace it
    assert_int_equal(course_record_old_ticks(course, &run.map, folder), ticks);
    run.map.spawns[0].x += DF_SUB; // of another map
    assert_int_equal(course_record_old_ticks(course, &run.map, folder), ticks);
    bytes[count - 20] ^= 1; // a damaged one says nothing
    assert_true(file_write(path, bytes, count));
    open_course(course);
    assert_int_equal(course_record_old_ticks(course, &run.map, "/nowhere"), 0);
    assert_int_equal(course_record_old_ticks(course, &run.map, ""), 0);
    snprintf(path, sizeof path, "%s/%s-old.dfr", folder, course->name);
    assert_int_equal(remove(path), 0);
}

TEST(medals_and_times_are_what_they_say)
{
    struct course course = {.gold_ticks = 100};
    static const struct {
        uint32_t ticks;
        enum medal medal;
    } ROWS[] = {{0, MEDAL_NONE},     {1, MEDAL_GOLD},     {100, MEDAL_GOLD},   {101, MEDAL_SILVER},
                {160, MEDAL_SILVER}, {161, MEDAL_BRONZE}, {250, MEDAL_BRONZE}, {251, MEDAL_NONE}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        assert_int_equal(course_medal(&course, ROWS[i].ticks), ROWS[i].medal);
    char text[24];
    draw_course_time(61, text, sizeof text);
    assert_string_equal(text, "1.01");
    draw_course_time(3600 + 30, text, sizeof text);
    assert_string_equal(text, "1:00.50");
}
