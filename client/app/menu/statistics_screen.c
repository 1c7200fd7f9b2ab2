// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "base/clock.h"
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
    add(menu, label,
        whole ? menu_format(menu, text_of("%u.%u%s"), (uint32_t)(tenths / 10), (uint32_t)(tenths % 10), unit) : "-",
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

static const char *time_text(struct menu *menu, int64_t minutes)
{
    return minutes < 60 ? menu_format(menu, text_of("%u min"), (uint32_t)minutes)
                        : menu_format(menu, text_of("%u h %u min"), (uint32_t)(minutes / 60), (uint32_t)(minutes % 60));
}

// Of all matches, or of those on one server.
struct counts {
    int64_t kills, deaths, squishes, catches, shots, hits;
};

static void add_kills(struct menu *menu, const struct counts *counts)
{
    add_number(menu, text_of("Kills"), counts->kills, NULL);
    add_ratio(menu, text_of("Kills for each death"), counts->kills, counts->deaths, "", 1, NULL);
}

static void add_skills(struct menu *menu, const struct counts *counts)
{
    add_number(menu, text_of("Squished others"), counts->squishes, text_of("with the machines of the map"));
    add_number(menu, text_of("Arrows caught"), counts->catches, text_of("dash into an arrow that flies"));
    add_ratio(menu, text_of("Accuracy"), counts->hits, counts->shots, " %", 100,
              text_of("shots that hit, shields too"));
}

static bool is_here(const struct menu *menu, const char *server)
{
    return menu->facts.server && strcmp(menu->facts.server, server) == 0;
}

static void open_record(struct menu *menu, uint32_t index)
{
    memcpy(menu->facts.record_server, menu->facts.records->of[index].server, sizeof menu->facts.record_server);
    menu_open(menu, &SCREEN_RECORD);
}

static void add_server(struct menu *menu, uint32_t index)
{
    const struct server_record *entry = &menu->facts.records->of[index];
    const struct record_message *record = &entry->record;
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = is_here(menu, entry->server)
                                              ? text_of("On this server")
                                              : menu_format(menu, text_of("On %s"), record->server_name),
                                 .value = record->rank ? menu_format(menu, text_of("rank %u"), record->rank) : "-",
                                 .help = text_of("what this server has counted of you"),
                                 .act = open_record,
                                 .argument = index});
}

// That of the match comes first; the others as they were played on last.
static void add_servers(struct menu *menu)
{
    const struct server_records *records = menu->facts.records;
    for (uint32_t i = 0; records && i < records->count; i++)
        if (is_here(menu, records->of[i].server))
            add_server(menu, i);
    for (uint32_t i = 0; records && i < records->count; i++)
        if (!is_here(menu, records->of[i].server))
            add_server(menu, i);
}

static void add_day(struct menu *menu, const char *label, uint32_t unix_s)
{
    char day[CLOCK_DATE_BYTES];
    if (clock_date_utc(unix_s, "%Y-%m-%d", day, sizeof day))
        add(menu, label, menu_format(menu, "%s", day), NULL);
}

static void fill_record(struct menu *menu)
{
    const struct record_message *record =
        menu->facts.records ? server_records_find(menu->facts.records, menu->facts.record_server) : NULL;
    if (!record)
        return;
    struct counts counts = {record->kills,   record->deaths, record->squishes,
                            record->catches, record->shots,  record->hits};
    menu_note(menu, menu_format(menu, "%s", record->server_name));
    add(menu, text_of("Rank"), record->rank ? menu_format(menu, "%u", record->rank) : "-",
        text_of("among all who have finished a match there"));
    add(menu, text_of("Rating"),
        menu_format(menu, "%" PRId32 " ±%u", (record->mean + (record->mean < 0 ? -50 : 50)) / 100,
                    (2 * record->deviation + 50) / 100),
        text_of("a newcomer has 1500; ± is how unsure it is"));
    add_number(menu, text_of("Matches"), record->matches, text_of("that you played to their end"));
    add_number(menu, text_of("Matches won"), record->wins, NULL);
    add(menu, text_of("Time played"), time_text(menu, record->played_s / 60),
        text_of("in rounds, without warm-up and pauses"));
    add_kills(menu, &counts);
    add_number(menu, text_of("Most kills in a match"), record->best_kills, NULL);
    add_skills(menu, &counts);
    add_number(menu, text_of("Deaths"), record->deaths, NULL);
    add_day(menu, text_of("First played"), record->first_s);
    add_day(menu, text_of("Last played"), record->last_s);
}

struct item screen_statistics_item(void)
{
    return (struct item){.kind = ITEM_SCREEN,
                         .label = text_of("Statistics"),
                         .screen = &SCREEN_STATISTICS,
                         .help = text_of("yours, on this server and in all")};
}

static void fill_statistics(struct menu *menu)
{
    const struct statistics *statistics = menu->facts.statistics;
    char map[MAP_NAME_CAPACITY + 1];
    if (menu->facts.statistics_fault[0])
        menu_paragraph(menu, menu->facts.statistics_fault);
    add_servers(menu);
    if (!statistics || (!statistics->matches && !statistics->played_ticks)) {
        menu_note(menu, text_of("Nothing yet."));
        menu_paragraph(menu, text_of("Play a match, on any server: its figures will stand here."));
        return;
    }
    struct counts counts = {statistics->kills,   statistics->deaths, statistics->squishes,
                            statistics->catches, statistics->shots,  statistics->hits};
    int64_t minutes = statistics->played_ticks / MINUTE_TICKS;
    add_number(menu, text_of("Matches"), statistics->matches, text_of("that you played to their end"));
    add_number(menu, text_of("Matches won"), statistics->matches_won, NULL);
    add_number(menu, text_of("Rounds won"), statistics->rounds_won, text_of("in modes that play rounds"));
    add(menu, text_of("Time played"), time_text(menu, minutes), text_of("in rounds, without warm-up and pauses"));
    if (statistics_favourite_map(statistics, map, sizeof map))
        add(menu, text_of("Favourite map"), text_map_title(menu_format(menu, "%s", map)),
            text_of("where most of your matches were"));
    add_kills(menu, &counts);
    add_number(menu, text_of("Best streak"), statistics->streak_best, text_of("kills without a death"));
    add_skills(menu, &counts);
    add_deaths(menu, statistics);
    add_awards(menu, statistics);
}

const struct screen SCREEN_STATISTICS = {
    .name = "statistics", .title = TEXT_KEY("Statistics"), .fill = fill_statistics};
const struct screen SCREEN_RECORD = {.name = "record", .title = TEXT_KEY("On this server"), .fill = fill_record};
