// SPDX-License-Identifier: MIT
#include <string.h>

#include "app/course/draw_course.h"
#include "screens.h"
#include "text/text.h"

static const struct item TITLE[SCREEN_TITLE_COUNT] = {
    {ITEM_ACTION, TEXT_KEY("Play now"), TEXT_KEY("a match against bots, at once"), .act = menu_act_command,
     .argument = APP_COMMAND_PLAY},
    {ITEM_SCREEN, TEXT_KEY("Play together"), TEXT_KEY("two to four players on this computer"), .screen = &SCREEN_LOBBY},
    {ITEM_SCREEN, TEXT_KEY("Join"), TEXT_KEY("a match nearby, one that you know, or any address"),
     .screen = &SCREEN_JOIN},
    {ITEM_SCREEN, TEXT_KEY("Host"), TEXT_KEY("choose a map and a mode; others can join"), .screen = &SCREEN_HOST},
    {ITEM_SCREEN, TEXT_KEY("Alone"), TEXT_KEY("lessons, and trials against the clock"), .screen = &SCREEN_ALONE},
    {ITEM_SCREEN, TEXT_KEY("Watch"), TEXT_KEY("live matches, recorded matches, and your statistics"),
     .screen = &SCREEN_REPLAYS},
    {ITEM_SCREEN, TEXT_KEY("Settings"), TEXT_KEY("picture, sound, keys, name, accessibility"),
     .screen = &SCREEN_SETTINGS},
    {ITEM_ACTION, TEXT_KEY("Quit"), .act = menu_act_command, .argument = APP_COMMAND_QUIT},
};

static void fill_title(struct menu *menu)
{
    menu_add_all(menu, TITLE, SCREEN_TITLE_COUNT);
    screen_add_live_now(menu);
}

// The lobby has no items: lobby.c takes the presses, and draw_lobby.c draws it.
static void fill_lobby(struct menu *menu)
{
    (void)menu;
}

static void leave_error(struct menu *menu)
{
    menu_open_alone(menu, &SCREEN_TITLE);
}

static void open_title(struct menu *menu, uint32_t argument)
{
    (void)argument;
    leave_error(menu);
}

static void fill_error(struct menu *menu)
{
    menu_paragraph(menu, menu->facts.failure);
    menu_add(menu,
             (struct item){ITEM_ACTION, text_of("Try again"), .act = menu_act_command, .argument = APP_COMMAND_RETRY});
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Back to the title"), .act = open_title});
}

const struct screen SCREEN_TITLE = {.name = "title", .fill = fill_title};
const struct screen SCREEN_LOBBY = {
    .name = "players", .title = TEXT_KEY("Players on this computer"), .fill = fill_lobby};
const struct screen SCREEN_ERROR = {"error", TEXT_KEY("That did not work"), fill_error, .left = leave_error};
const struct screen SCREEN_DISCONNECTED = {"disconnected", TEXT_KEY("Disconnected"), fill_error, .left = leave_error};

static const struct item ALONE[] = {
    {ITEM_SCREEN, TEXT_KEY("Lessons"), TEXT_KEY("catch, ledges, planks, walls, stomps"), .screen = &SCREEN_LESSONS},
    {ITEM_SCREEN, TEXT_KEY("Trials"), TEXT_KEY("twenty courses against the clock, with medals"),
     .screen = &SCREEN_TRIALS},
    {ITEM_SCREEN, TEXT_KEY("Statistics"), .screen = &SCREEN_STATISTICS},
};

static void fill_alone(struct menu *menu)
{
    menu_add_all(menu, ALONE, sizeof ALONE / sizeof *ALONE);
}

static void play(struct menu *menu, uint32_t course)
{
    menu_command(menu, APP_COMMAND_COURSE, COURSES[course].name);
}

static void show_replay(struct menu *menu, uint32_t course)
{
    if (menu->facts.course_ticks[course])
        menu_command(menu, APP_COMMAND_COURSE_REPLAY, COURSES[course].name);
}

static void fill_lessons(struct menu *menu)
{
    for (uint32_t i = 0; i < COURSE_LESSONS; i++)
        menu_add(menu,
                 (struct item){
                     ITEM_ACTION, text_of(COURSES[i].title), text_of(COURSES[i].tasks[0]), .act = play, .argument = i,
                     .value = menu->facts.course_ticks[i] || menu->facts.course_old_ticks[i] ? text_of("learned") : "",
                     .plain = !menu->facts.course_ticks[i]});
}

// A record from before the course changed is told until there is a new one.
static void fill_trials(struct menu *menu)
{
    for (uint32_t i = COURSE_LESSONS; i < COURSE_COUNT; i++) {
        const struct course *course = &COURSES[i];
        uint32_t ticks = menu->facts.course_ticks[i], old_ticks = menu->facts.course_old_ticks[i];
        char best[24], gold[24], old[24];
        draw_course_time(ticks, best, sizeof best);
        draw_course_time(course->gold_ticks, gold, sizeof gold);
        draw_course_time(old_ticks, old, sizeof old);
        const char *medal = draw_course_medal_name(course_medal(course, ticks));
        const char *value =
            ticks ? menu_format(menu, "%s   %s", medal, best) : menu_format(menu, text_of("gold: %s"), gold);
        const char *help = old_ticks && !ticks
                               ? menu_format(menu, text_of("Your best before this course changed: %s"), old)
                               : text_of(course->tasks[0]);
        menu_add(menu, (struct item){ITEM_ACTION, text_of(course->title), help, .value = value, .act = play,
                                     .argument = i, .plain = !ticks});
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
                {TEXT_KEY("Start again"), APP_COMMAND_COURSE_AGAIN},
                {TEXT_KEY("Other courses"), APP_COMMAND_COURSE_LEAVE}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        menu_add(menu, (struct item){ITEM_ACTION, text_of(ROWS[i].label), .act = menu_act_command,
                                     .argument = ROWS[i].command});
}

const struct screen SCREEN_ALONE = {.name = "alone", .title = TEXT_KEY("Alone"), .fill = fill_alone};
const struct screen SCREEN_LESSONS = {"lessons", TEXT_KEY("Lessons"), fill_lessons, .extra = show_replay,
                                      .extra_hint = TEXT_KEY("replay")};
const struct screen SCREEN_TRIALS = {"trials", TEXT_KEY("Trials"), fill_trials, .extra = show_replay,
                                     .extra_hint = TEXT_KEY("replay")};
const struct screen SCREEN_COURSE = {"trial", TEXT_KEY("Course"), fill_trial, .left = resume};
