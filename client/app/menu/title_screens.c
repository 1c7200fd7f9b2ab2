// SPDX-License-Identifier: MIT
#include <string.h>

#include "app/text/text.h"
#include "app/trial/draw_trial.h"
#include "screens.h"

static const struct item TITLE[SCREEN_TITLE_COUNT] = {
    {.kind = ITEM_ACTION,
     .label = TEXT_KEY("Play now"),
     .act = menu_act_command,
     .argument = APP_COMMAND_PLAY,
     .help = TEXT_KEY("a match against bots, at once")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Play together"),
     .screen = &SCREEN_LOBBY,
     .help = TEXT_KEY("two to four players on this computer")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Join"),
     .screen = &SCREEN_JOIN,
     .help = TEXT_KEY("a match nearby, one that you know, or any address")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Host"),
     .screen = &SCREEN_HOST,
     .help = TEXT_KEY("choose a map and a mode; others can join")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Alone"),
     .screen = &SCREEN_ALONE,
     .help = TEXT_KEY("lessons, and trials against the clock")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Watch"),
     .screen = &SCREEN_REPLAYS,
     .help = TEXT_KEY("live matches, recorded matches, and your statistics")},
    {.kind = ITEM_SCREEN,
     .label = TEXT_KEY("Settings"),
     .screen = &SCREEN_SETTINGS,
     .help = TEXT_KEY("picture, sound, keys, name, accessibility")},
    {.kind = ITEM_ACTION, .label = TEXT_KEY("Quit"), .act = menu_act_command, .argument = APP_COMMAND_QUIT},
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

static void play_replay(struct menu *menu, uint32_t replay)
{
    menu_command(menu, APP_COMMAND_REPLAY, menu->facts.replays[replay].path);
}

static struct item replay_row(struct menu *menu, uint32_t row)
{
    const struct menu_replay *replay = &menu->facts.replays[row];
    return (struct item){
        .kind = ITEM_ACTION, .label = replay->name, .act = play_replay, .argument = row, .help = replay->path};
}

static void fill_replays(struct menu *menu)
{
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Live matches"),
                                 .screen = &SCREEN_LIVE,
                                 .plain = true,
                                 .help = text_of("what servers show to everybody at this moment")});
    menu_add_rows(menu, menu->facts.replay_count, replay_row);
    if (!menu->facts.replay_count) {
        menu_note(menu, text_of("There are no replays yet."));
        menu_paragraph(menu, text_of("The game records the matches that you host."));
        menu_add(menu,
                 (struct item){.kind = ITEM_SCREEN, .label = text_of("Statistics"), .screen = &SCREEN_STATISTICS});
    }
}

static void open_statistics(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_open(menu, &SCREEN_STATISTICS);
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
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("Try again"),
                                 .act = menu_act_command,
                                 .argument = APP_COMMAND_RETRY});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = text_of("Back to the title"), .act = open_title});
}

const struct screen SCREEN_TITLE = {.name = "title", .fill = fill_title};
const struct screen SCREEN_LOBBY = {
    .name = "players", .title = TEXT_KEY("Players on this computer"), .fill = fill_lobby};
const struct screen SCREEN_REPLAYS = {.name = "replays",
                                      .title = TEXT_KEY("Watch"),
                                      .fill = fill_replays,
                                      .extra = open_statistics,
                                      .extra_hint = TEXT_KEY("statistics"),
                                      .aside_px = 176,
                                      .least_rows = 11};
const struct screen SCREEN_ERROR = {
    .name = "error", .title = TEXT_KEY("That did not work"), .fill = fill_error, .left = leave_error};
const struct screen SCREEN_DISCONNECTED = {
    .name = "disconnected", .title = TEXT_KEY("Disconnected"), .fill = fill_error, .left = leave_error};

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
