// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/servers/directories.h"
#include "base/clock.h"
#include "base/host_port.h"
#include "hud/mode_text.h"
#include "screens.h"
#include "text/text.h"
#include "wire/message.h"

#define SHOWN_MAX    24u ///< live matches, the best ones
#define MINUTE_TICKS (60 * TICKS_PER_SECOND)

// --- live matches

static bool fits(const struct server_facts *facts)
{
    return facts->protocol == PROTOCOL_VERSION;
}

// Those of another version come last.
static bool is_better(const struct server_facts *facts, const struct server_facts *other)
{
    if (fits(facts) != fits(other))
        return fits(facts);
    return facts->interest > other->interest;
}

// Collects the indices of the best matches, the best one first. Returns how many.
static uint32_t find_best(const struct server_list *list, uint32_t best[SHOWN_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct server_facts *facts = &list->entries[i].facts;
        if (!facts->live_url[0])
            continue;
        uint32_t at = count < SHOWN_MAX ? count++ : SHOWN_MAX;
        for (; at > 0 && is_better(facts, &list->entries[best[at - 1]].facts); at--)
            if (at < SHOWN_MAX)
                best[at] = best[at - 1];
        if (at < SHOWN_MAX)
            best[at] = i;
    }
    return count;
}

// A server near the player may publish its match near them, too.
static bool is_near(const struct server_list_entry *entry)
{
    struct net_address address;
    for (uint32_t i = 0; i < 2; i++)
        if (host_port_parse_numeric(entry->addresses[i], &address) && !ip_address_is_public(&address))
            return true;
    return false;
}

static void show_live(struct menu *menu, uint32_t argument)
{
    const struct server_list_entry *entry = &menu->facts.directories->merged.entries[argument];
    menu_command(menu, APP_COMMAND_LIVE, entry->facts.live_url);
    menu->command.is_foreign = !is_near(entry);
}

static void show_typed(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_command(menu, APP_COMMAND_LIVE, menu->facts.live_url);
}

// The best match that can be watched at this moment, as far as a fresh list knows; NULL: none.
static const struct server_list_entry *find_live_now(const struct menu_facts *facts)
{
    const struct server_list *list = facts->directories ? &facts->directories->merged : NULL;
    const struct server_list_entry *best = NULL;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct server_list_entry *entry = &list->entries[i];
        bool is_fresh = facts->unix_s - entry->made_s < SERVER_LIST_OLD_S;
        if (is_fresh && entry->facts.live_url[0] && fits(&entry->facts) && entry->facts.interest > 0 &&
            (!best || is_better(&entry->facts, &best->facts)))
            best = entry;
    }
    return best;
}

// Nobody's text stands on the title of everybody: neither the name of the server nor that of a map of its own. The item
// stays while it has the focus, so that a press never means another one.
void screen_add_live_now(struct menu *menu)
{
    const struct server_list_entry *best = find_live_now(&menu->facts);
    struct item item = {ITEM_ACTION, text_of("Live now"),     text_of("No server shows its match at the moment."),
                        .value = "", .act = menu_act_command, .argument = APP_COMMAND_NONE};
    if (best) {
        const struct server_facts *facts = &best->facts;
        const char *title = text_map_title(facts->map);
        item.value = title == facts->map ? "" : title;
        item.help = menu_format(menu, text_of("people %u, bots %u   %s%s"), facts->players, facts->bots,
                                mode_text_title_of(facts->mode), "");
        item.act = show_live;
        item.argument = (uint32_t)(best - menu->facts.directories->merged.entries);
    }
    if (best || menu->focus[menu->depth - 1] >= menu->count)
        menu_add(menu, item);
}

static void fill_live(struct menu *menu)
{
    const struct directories *directories = menu->facts.directories;
    struct menu_facts *facts = &menu->facts;
    uint32_t best[SHOWN_MAX], count = directories ? find_best(&directories->merged, best) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct server_facts *match = &directories->merged.entries[best[i]].facts;
        const char *help = menu_format(menu, text_of("people %u, bots %u   %s%s"), match->players, match->bots,
                                       match->live_url, fits(match) ? "" : text_of("   another version"));
        const char *value = menu_format(menu, "%s   %s", text_map_title(match->map), mode_text_title_of(match->mode));
        menu_add(menu, (struct item){ITEM_ACTION, menu_format(menu, "%s", match->name), help, .value = value,
                                     .act = show_live, .argument = best[i]});
    }
    if (count == 0)
        menu_note(menu, text_of("No server shows its match at the moment."));
    menu_add(menu, (struct item){.kind = ITEM_TEXT,
                                 .label = text_of("Address"),
                                 .text = facts->live_url,
                                 .text_bytes = sizeof facts->live_url,
                                 .act = show_typed,
                                 .help = text_of("of any live match, such as https://example.org/live/")});
    if (directories && directories->count == 0)
        menu_add(menu, screen_directories_item(menu));
}

const struct screen SCREEN_LIVE = {.name = "live", .title = TEXT_KEY("Live matches"), .fill = fill_live};

// --- replays

static void play_replay(struct menu *menu, uint32_t replay)
{
    menu_command(menu, APP_COMMAND_REPLAY, menu->facts.replays[replay].path);
}

static struct item replay_row(struct menu *menu, uint32_t row)
{
    const struct menu_replay *replay = &menu->facts.replays[row];
    return (struct item){ITEM_ACTION, replay->name, replay->path, .act = play_replay, .argument = row};
}

static void fill_replays(struct menu *menu)
{
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Live matches"),
                                 text_of("what servers show to everybody at this moment"), .screen = &SCREEN_LIVE,
                                 .plain = true});
    menu_add_rows(menu, menu->facts.replay_count, replay_row);
    if (!menu->facts.replay_count) {
        menu_note(menu, text_of("There are no replays yet."));
        menu_paragraph(menu, text_of("The game records the matches that you host."));
        menu_add(menu, (struct item){ITEM_SCREEN, text_of("Statistics"), .screen = &SCREEN_STATISTICS});
    }
}

static void open_statistics(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu_open(menu, &SCREEN_STATISTICS);
}

const struct screen SCREEN_REPLAYS = {
    "replays",       TEXT_KEY("Watch"), fill_replays, .extra = open_statistics, .extra_hint = TEXT_KEY("statistics"),
    .aside_px = 176, .least_rows = 11};

// --- statistics

// A line cannot be pressed, but has the focus, so that the list scrolls.
static void rest(struct menu *menu, uint32_t argument)
{
    (void)menu, (void)argument;
}

static void add(struct menu *menu, const char *label, const char *value, const char *help)
{
    menu_add(menu, (struct item){ITEM_ACTION, label, help, .value = value, .act = rest});
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

static void add_deaths_and_awards(struct menu *menu, const struct statistics *statistics)
{
    static const char *const AWARDS[AWARD_KINDS] = {
        [AWARD_KILLS] = TEXT_KEY("Award: most kills"),
        [AWARD_SQUISHES] = TEXT_KEY("Award: most squishes"),
        [AWARD_CATCHES] = TEXT_KEY("Award: most catches"),
        [AWARD_ACCURACY] = TEXT_KEY("Award: accuracy"),
    };
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
    for (uint32_t kind = 0; kind < AWARD_KINDS; kind++)
        if (statistics->awards[kind])
            add_number(menu, text_of(AWARDS[kind]), statistics->awards[kind], NULL);
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

static void open_record(struct menu *menu, uint32_t index)
{
    memcpy(menu->facts.record_server, menu->facts.records->of[index].server, sizeof menu->facts.record_server);
    menu_open(menu, &SCREEN_RECORD);
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
    return (struct item){ITEM_SCREEN, text_of("Statistics"), text_of("yours, on this server and in all"),
                         .screen = &SCREEN_STATISTICS};
}

static void fill_statistics(struct menu *menu)
{
    const struct statistics *statistics = menu->facts.statistics;
    char map[MAP_NAME_CAPACITY + 1];
    if (menu->facts.statistics_fault[0])
        menu_paragraph(menu, menu->facts.statistics_fault);
    // That of the match comes first; the others as they were played on last.
    const struct server_records *records = menu->facts.records;
    for (uint32_t at = 0; records && at < 2 * records->count; at++) {
        const struct server_record *entry = &records->of[at % records->count];
        const char *name = entry->record.server_name;
        bool is_here = menu->facts.server && strcmp(menu->facts.server, entry->server) == 0;
        if (is_here != (at < records->count))
            continue;
        menu_add(
            menu,
            (struct item){ITEM_ACTION, is_here ? text_of("On this server") : menu_format(menu, text_of("On %s"), name),
                          text_of("what this server has counted of you"),
                          .value = entry->record.rank ? menu_format(menu, text_of("rank %u"), entry->record.rank) : "-",
                          .act = open_record, .argument = at % records->count});
    }
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
    add_deaths_and_awards(menu, statistics);
}

const struct screen SCREEN_STATISTICS = {
    .name = "statistics", .title = TEXT_KEY("Statistics"), .fill = fill_statistics};
const struct screen SCREEN_RECORD = {.name = "record", .title = TEXT_KEY("On this server"), .fill = fill_record};
