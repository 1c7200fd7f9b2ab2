// SPDX-License-Identifier: MIT
#include "app/text/text.h"
#include "app/trial/draw_trial.h"
#include "screens.h"

static const struct item ALONE[] = {
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Lessons"),
     .screen = &SCREEN_LESSONS,
     .help = TEXT_KEY("catch, ledges, planks, walls, stomps")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Trials"),
     .screen = &SCREEN_TRIALS,
     .help = TEXT_KEY("twenty courses against the clock, with medals")},
    {.kind = ITEM_SCREEN, .label = TEXT_KEY("Statistics"), .screen = &SCREEN_STATISTICS},
};

static void fill_alone(struct menu *menu)
{
    menu_add_all(menu, ALONE, sizeof ALONE / sizeof *ALONE);
}

static void play(struct menu *menu, uint32_t course)
{
    menu_command(menu, APP_COMMAND_TRIAL, COURSES[course].name);
}

static void show_replay(struct menu *menu, uint32_t course)
{
    if (menu->facts.course_ticks[course])
        menu_command(menu, APP_COMMAND_TRIAL_REPLAY, COURSES[course].name);
}

// A record from before the course changed is told until there is a new one.
static const char *help_of(struct menu *menu, uint32_t course)
{
    char time[24];
    draw_trial_time(menu->facts.course_old_ticks[course], time, sizeof time);
    return menu->facts.course_old_ticks[course] && !menu->facts.course_ticks[course]
               ? menu_format(menu, text_of("Your best before this course changed: %s"), time)
               : text_of(COURSES[course].tasks[0]);
}

static void fill_lessons(struct menu *menu)
{
    for (uint32_t i = 0; i < COURSE_LESSONS; i++)
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = text_of(COURSES[i].title),
                                     .act = play,
                                     .argument = i,
                                     .value = menu->facts.course_ticks[i] || menu->facts.course_old_ticks[i]
                                                  ? text_of("learned")
                                                  : "",
                                     .plain = !menu->facts.course_ticks[i],
                                     .help = text_of(COURSES[i].tasks[0])});
}

static void fill_trials(struct menu *menu)
{
    for (uint32_t i = COURSE_LESSONS; i < COURSE_COUNT; i++) {
        const struct course *course = &COURSES[i];
        uint32_t ticks = menu->facts.course_ticks[i];
        char best[24], gold[24];
        draw_trial_time(ticks, best, sizeof best);
        draw_trial_time(course->gold_ticks, gold, sizeof gold);
        menu_add(menu,
                 (struct item){.kind = ITEM_ACTION,
                               .label = text_of(course->title),
                               .act = play,
                               .argument = i,
                               .value = ticks ? menu_format(menu, "%s   %s",
                                                            draw_trial_medal_name(course_medal(course, ticks)), best)
                                              : menu_format(menu, text_of("gold: %s"), gold),
                               .plain = !ticks,
                               .help = help_of(menu, i)});
    }
}

static void resume(struct menu *menu)
{
    menu_close(menu);
}

static void fill_trial(struct menu *menu)
{
    static const struct {
        const char *label;
        enum app_command_kind command;
    } ROWS[] = {{TEXT_KEY("Resume"), APP_COMMAND_RESUME},
                {TEXT_KEY("Start again"), APP_COMMAND_TRIAL_AGAIN},
                {TEXT_KEY("Other courses"), APP_COMMAND_TRIAL_LEAVE}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = text_of(ROWS[i].label),
                                     .act = menu_act_command,
                                     .argument = ROWS[i].command});
}

const struct screen SCREEN_ALONE = {.name = "alone", .title = TEXT_KEY("Alone"), .fill = fill_alone};
const struct screen SCREEN_LESSONS = {.name = "lessons",
                                      .title = TEXT_KEY("Lessons"),
                                      .fill = fill_lessons,
                                      .extra = show_replay,
                                      .extra_hint = TEXT_KEY("replay")};
const struct screen SCREEN_TRIALS = {.name = "trials",
                                     .title = TEXT_KEY("Trials"),
                                     .fill = fill_trials,
                                     .extra = show_replay,
                                     .extra_hint = TEXT_KEY("replay")};
const struct screen SCREEN_TRIAL = {.name = "trial", .title = TEXT_KEY("Course"), .fill = fill_trial, .left = resume};
