// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "screens.h"

#define MINUTE_TICKS (60 * TICKS_PER_SECOND)

// A line cannot be pressed, but has the focus, so that the list scrolls.
static void rest(struct menu *menu, uint32_t argument)
{
    (void)menu, (void)argument;
}

static void add(struct menu *menu, const char *label, const char *value, const char *help)
{
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = label, .value = value, .help = help, .act = rest});
}

static void add_number(struct menu *menu, const char *label, int64_t number, const char *help)
{
    add(menu, label, menu_format(menu, "%" PRId64, number), help);
}

// In tenths, so that a long life shows that it gets better.
static void add_ratio(struct menu *menu, const char *label, int64_t part, int64_t whole, const char *unit,
                      int64_t times, const char *help)
{
    int64_t tenths = whole ? (part * times * 10 + whole / 2) / whole : 0;
    add(menu, label, whole ? menu_format(menu, "%" PRId64 ".%" PRId64 "%s", tenths / 10, tenths % 10, unit) : "-",
        help);
}

static void add_deaths(struct menu *menu, const struct statistics *statistics)
{
    static const char *const LABELS[DEATH_CAUSES] = {
        [DEATH_ARROW] = TEXT_KEY("  by an arrow"), [DEATH_STOMP] = TEXT_KEY("  by a stomp"),
        [DEATH_SQUISH] = TEXT_KEY("  squished"),   [DEATH_HAZARD] = TEXT_KEY("  by spikes"),
        [DEATH_FALL] = TEXT_KEY("  by a fall"),    [DEATH_BALL] = TEXT_KEY("  by a ball"),
        [DEATH_BOMB] = TEXT_KEY("  by a bomb"),
    };
    add_number(menu, text_of("Deaths"), statistics->deaths, NULL);
    for (uint32_t cause = 0; cause < DEATH_CAUSES; cause++)
        if (statistics->deaths_by[cause])
            add_number(menu, text_of(LABELS[cause]), statistics->deaths_by[cause], NULL);
}

static void add_awards(struct menu *menu, const struct statistics *statistics)
{
    static const char *const LABELS[AWARD_KINDS] = {
        [AWARD_KILLS] = TEXT_KEY("Award: most kills"),
        [AWARD_SQUISHES] = TEXT_KEY("Award: most squishes"),
        [AWARD_CATCHES] = TEXT_KEY("Award: most catches"),
        [AWARD_ACCURACY] = TEXT_KEY("Award: accuracy"),
    };
    for (uint32_t kind = 0; kind < AWARD_KINDS; kind++)
        if (statistics->awards[kind])
            add_number(menu, text_of(LABELS[kind]), statistics->awards[kind], NULL);
}

static void fill_statistics(struct menu *menu)
{
    const struct statistics *statistics = menu->facts.statistics;
    char map[MAP_NAME_CAPACITY + 1];
    if (menu->facts.statistics_fault[0])
        menu_paragraph(menu, menu->facts.statistics_fault);
    if (!statistics || (!statistics->matches && !statistics->played_ticks)) {
        menu_note(menu, text_of("Nothing yet."));
        menu_paragraph(menu, text_of("Play a match, on any server: its figures will stand here."));
        return;
    }
    int64_t minutes = statistics->played_ticks / MINUTE_TICKS;
    add_number(menu, text_of("Matches"), statistics->matches, text_of("that you played to their end"));
    add_number(menu, text_of("Matches won"), statistics->matches_won, NULL);
    add_number(menu, text_of("Rounds won"), statistics->rounds_won, text_of("in modes that play rounds"));
    add(menu, text_of("Time played"), menu_format(menu, "%" PRId64 ":%02" PRId64 " h", minutes / 60, minutes % 60),
        text_of("in rounds, without warm-up and pauses"));
    if (statistics_favourite_map(statistics, map, sizeof map))
        add(menu, text_of("Favourite map"), menu_format(menu, "%s", map), text_of("where most of your matches were"));
    add_number(menu, text_of("Kills"), statistics->kills, NULL);
    add_ratio(menu, text_of("Kills for each death"), statistics->kills, statistics->deaths, "", 1, NULL);
    add_number(menu, text_of("Best streak"), statistics->streak_best, text_of("kills without a death"));
    add_number(menu, text_of("Squished others"), statistics->squishes, text_of("with the machines of the map"));
    add_number(menu, text_of("Arrows caught"), statistics->catches, text_of("dash into an arrow that flies"));
    add_ratio(menu, text_of("Accuracy"), statistics->hits, statistics->shots, " %", 100, text_of("shots that hit"));
    add_deaths(menu, statistics);
    add_awards(menu, statistics);
}

const struct screen SCREEN_STATISTICS = {
    .name = "statistics", .title = TEXT_KEY("Statistics"), .fill = fill_statistics};
