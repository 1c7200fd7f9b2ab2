// SPDX-License-Identifier: MIT
// Tests courses in the window without a window: each can be done within its time for gold, records are kept as replays
// and survive nothing that is hostile, and a run begins, ends and begins again as the player expects.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/trial/draw_trial.h"
#include "base/file.h"
#include "base/random.h"
#include "figures.h"
#include "game/map/tiled/map_file.h"
#include "seeds.h"
#include "test.h"

static struct trial trial;
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
    trial_record_path(course, folder, path, sizeof path);
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
    if (!trial_open(&trial, course, folder, &error))
        fail_msg("%s", error.text);
}

TEST(every_recording_is_within_gold_and_takes_its_ticks)
{
    bool same = true;
    for (size_t i = 0; i < COURSE_COUNT; i++) {
        const struct course *course = &COURSES[i];
        open_course(course);
        const struct trial_run *gold = &trial.ghosts[TRIAL_GOLD].run;
        if (gold->ticks < 60 || gold->ticks >= course->gold_ticks)
            fail_msg("the recording of %s takes %u ticks, and gold is less than %u: search for another one with "
                     "trial_search",
                     course->name, gold->ticks, course->gold_ticks);
        same &= figures_are_kept(SOURCE_ROOT "/tests/unit/app/trial.figures", course->name, "%u", gold->ticks);
        assert_non_null(course->tasks[0]);
        assert_ptr_equal(course_of_name(course->name), course);
    }
    assert_true(same);
    assert_null(course_of_name("nothing"));
}

// Plays the buttons of the golden ghost, after some ticks of doing nothing.
static uint32_t play_gold(uint32_t late_ticks)
{
    static struct trial_run gold;
    gold = trial.ghosts[TRIAL_GOLD].run;
    trial_restart(&trial);
    for (uint32_t i = 0; i < late_ticks; i++)
        assert_true(trial_step(&trial, BUTTON_UP, &error));
    for (uint32_t i = late_ticks ? 0 : 2; i < gold.ticks && !trial.is_done; i++)
        assert_true(trial_step(&trial, gold.buttons[i], &error));
    return trial.is_done ? trial.run.ticks : 0;
}

TEST(a_run_of_the_ghost_is_done_with_the_ghost_and_is_kept)
{
    struct trial_run *own = &trial.ghosts[TRIAL_OWN].run;
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
        *own = (struct trial_run){0};
        trial_record_read(own, &COURSES[i], &trial.map, folder);
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
        trial_step(&trial, 0, &error);
    assert_int_equal(trial.world.tick, 2);
    trial_step(&trial, BUTTON_RIGHT, &error);
    trial_step(&trial, 0, &error);
    assert_int_equal(trial.world.tick, 4);
    assert_int_equal(trial.ghosts[TRIAL_GOLD].world.tick, 4);
    trial_restart(&trial);
    assert_int_equal(trial.world.tick, 2);
    assert_true(trial.is_new);
}

TEST(a_result_is_seen_before_a_jump_leads_on)
{
    uint32_t seen = 0;
    open_course(first_steps());
    assert_false(trial_leads_on(&trial));
    assert_true(play_gold(0) > 0);
    for (; !trial_leads_on(&trial) && seen < 600; seen++)
        trial_step(&trial, BUTTON_JUMP, &error);
    assert_in_range(seen, 80, 110);
    for (int i = 0; i < 600; i++)
        trial_step(&trial, 0, &error);
    assert_true(trial_leads_on(&trial));
    trial_restart(&trial);
    assert_false(trial_leads_on(&trial));
}

TEST(the_task_is_what_is_left_also_out_of_order)
{
    open_course(course_of_name("lesson-first"));
    assert_int_equal(trial_task(&trial), 0);
    trial.world.switches[1].on = 1; // over the first flag to the second
    assert_int_equal(trial_task(&trial), 0);
    trial.world.switches[0].on = 1;
    assert_int_equal(trial_task(&trial), 2);
    open_course(course_of_name("lesson-catch")); // has neither flags nor targets
    trial.world.players[0].score = 2;
    assert_int_equal(trial_task(&trial), 2);
}

TEST(a_slower_run_does_not_replace_the_record)
{
    open_course(first_steps());
    uint32_t best = play_gold(0);
    assert_in_range(best, 1, 600);
    trial_restart(&trial);
    for (int i = 0; i < 30; i++)
        trial_step(&trial, BUTTON_UP, &error);
    assert_int_equal(trial.ghosts[TRIAL_OWN].run.ticks, best);
    assert_int_equal(trial.best_before_ticks, best);
}

TEST(a_death_begins_a_trial_again_and_not_a_lesson)
{
    static const char *const NAMES[] = {"press-gang", "lesson-stomp"};
    for (size_t i = 0; i < 2; i++) {
        open_course(course_of_name(NAMES[i]));
        trial_step(&trial, BUTTON_RIGHT, &error);
        trial.world.players[0].state = PLAYER_DEAD;
        trial.world.players[0].respawn_tick = trial.world.tick + 90;
        trial.world.actors[0].flags = 0;
        trial.is_new = false;
        for (int step = 0; step < 60; step++)
            trial_step(&trial, BUTTON_UP, &error);
        assert_int_equal(trial.is_new, i == 0);
    }
}

TEST(hostile_records_are_none)
{
    static uint8_t good[1 << 16], bad[sizeof good];
    static struct trial_run run;
    char path[4200];
    size_t count;
    trial.colour = 5;
    open_course(first_steps());
    assert_in_range(play_gold(0), 1, 600);
    trial_record_path(first_steps(), folder, path, sizeof path);
    assert_true(file_read_regular(path, good, sizeof good, &count));
    trial_record_read(&run, first_steps(), &trial.map, folder);
    assert_int_equal(run.colour, 5); // replays show the runner in their colour
    uint32_t dice = 7;
    for (uint32_t row = 0; row < length_asked(300); row++) {
        size_t length = row % 3 == 0 ? random_below(&dice, (uint32_t)count) : count;
        memcpy(bad, good, count);
        for (uint32_t flips = 1 + row % 5; flips > 0 && row % 3; flips--)
            bad[random_below(&dice, (uint32_t)count)] ^= (uint8_t)(1u << random_below(&dice, 8));
        assert_true(file_write(path, bad, length));
        trial_record_read(&run, first_steps(), &trial.map, folder);
        assert_true(run.ticks == 0 || run.ticks <= TRIAL_TICKS_MAX);
        if (row % 3 == 0 && length < count / 2)
            assert_int_equal(run.ticks, 0);
    }
    // A record of another course is none of this one.
    assert_true(file_write(path, good, count));
    trial_record_read(&run, first_steps(), &trial.map, folder);
    assert_true(run.ticks > 0);
    char other[4200];
    trial_record_path(course_of_name("chimney"), folder, other, sizeof other);
    assert_true(file_write(other, good, count));
    open_course(course_of_name("gauntlet"));
    assert_true(file_write(other, good, count));
    trial_record_read(&run, course_of_name("chimney"), &trial.map, folder);
    assert_int_equal(run.ticks, 0);
    trial_record_read(&run, first_steps(), &trial.map, "/nowhere");
    assert_int_equal(run.ticks, 0);
}

TEST(a_record_from_before_a_change_is_kept)
{
    static uint8_t bytes[1 << 16];
    char path[4200];
    size_t count;
    const struct course *course = first_steps();
    open_course(course);
    uint32_t ticks = play_gold(0);
    assert_int_equal(trial_record_old_ticks(course, &trial.map, folder), 0);
    trial_record_path(course, folder, path, sizeof path);
    assert_true(file_read_regular(path, bytes, sizeof bytes, &count));
    bytes[4]--; // of the protocol before
    assert_true(file_write(path, bytes, count));
    assert_true(trial_open(&trial, course, folder, &error));
    assert_int_equal(trial.ghosts[TRIAL_OWN].run.ticks, 0);
    assert_int_equal(trial_record_old_ticks(course, &trial.map, folder), ticks);
    assert_int_equal(play_gold(0), ticks); // a new record does not replace it
    assert_int_equal(trial_record_old_ticks(course, &trial.map, folder), ticks);
    trial.map.spawns[0].x += DF_SUB; // of another map
    assert_int_equal(trial_record_old_ticks(course, &trial.map, folder), ticks);
    bytes[count - 20] ^= 1; // a damaged one says nothing
    assert_true(file_write(path, bytes, count));
    open_course(course);
    assert_int_equal(trial_record_old_ticks(course, &trial.map, "/nowhere"), 0);
    assert_int_equal(trial_record_old_ticks(course, &trial.map, ""), 0);
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
    draw_trial_time(61, text, sizeof text);
    assert_string_equal(text, "1.01");
    draw_trial_time(3600 + 30, text, sizeof text);
    assert_string_equal(text, "1:00.50");
}
