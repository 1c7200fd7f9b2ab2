// SPDX-License-Identifier: MIT
#include "statistics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept_file.h"
#include "text/text.h"

#define MOST         1000000000000 ///< of any figure; a file that says more is wrong
#define MATCHES_MOST 1000000000
#define FIELD(field) offsetof(struct statistics, field)
#define ROW(name_, field, help_)                                                                                       \
    {                                                                                                                  \
        .name = name_, .kind = OPTION_NUMBER, .offset = FIELD(field), .fallback = "0", .value = "N", .help = help_,    \
        .most = MOST                                                                                                   \
    }

static const struct option OPTIONS[] = {
    ROW("matches", matches, "matches that ended"),
    ROW("matches-won", matches_won, "of these, won"),
    ROW("rounds-won", rounds_won, "rounds won, in modes of rounds"),
    ROW("played-ticks", played_ticks, "time in rounds, 60ths of a second"),
    ROW("kills", kills, "kills"),
    ROW("deaths", deaths, "deaths"),
    ROW("squishes", squishes, "players squished"),
    ROW("catches", catches, "arrows caught"),
    ROW("shots", shots, "arrows shot"),
    ROW("hits", hits, "of these, hits"),
    ROW("deaths-by-arrow", deaths_by[DEATH_ARROW], "deaths by this"),
    ROW("deaths-by-stomp", deaths_by[DEATH_STOMP], "deaths by this"),
    ROW("deaths-by-squish", deaths_by[DEATH_SQUISH], "deaths by this"),
    ROW("deaths-by-hazard", deaths_by[DEATH_HAZARD], "deaths by this"),
    ROW("deaths-by-fall", deaths_by[DEATH_FALL], "deaths by this"),
    ROW("deaths-by-ball", deaths_by[DEATH_BALL], "deaths by this"),
    ROW("deaths-by-bomb", deaths_by[DEATH_BOMB], "deaths by this"),
    ROW("streak-best", streak_best, "most kills of one life"),
    ROW("awards-kills", awards[AWARD_KILLS], "awards for the most kills"),
    ROW("awards-squishes", awards[AWARD_SQUISHES], "awards for the most squishes"),
    ROW("awards-catches", awards[AWARD_CATCHES], "awards for the most catches"),
    ROW("awards-accuracy", awards[AWARD_ACCURACY], "awards for accuracy"),
    {.name = "maps", .kind = OPTION_LIST, .offset = FIELD(maps), .value = "LIST", .help = "NAME:MATCHES of each map"},
};
static const struct program PROGRAM = {.name = "deadfall",
                                       .summary = "A player's statistics.",
                                       .options = OPTIONS,
                                       .option_count = sizeof OPTIONS / sizeof *OPTIONS,
                                       .configurable = true};

// Returns the number behind the last colon of an entry; 0: there is none.
static uint32_t matches_of(const char *entry)
{
    const char *colon = strrchr(entry, ':');
    char *end;
    unsigned long count = colon && colon > entry ? strtoul(colon + 1, &end, 10) : 0;
    return count && !*end && count <= MATCHES_MOST && strspn(colon + 1, "0123456789") ? (uint32_t)count : 0;
}

bool statistics_read(struct statistics *statistics, const char *path, struct error *error)
{
    bool good = kept_file_read(&PROGRAM, statistics, sizeof *statistics, path, error);
    for (uint32_t i = 0; good && i < statistics->maps.count; i++)
        if (!matches_of(statistics->maps.values[i]))
            good = error_set(error, "%s: maps: \"%.60s\" is not NAME:MATCHES", path, statistics->maps.values[i]);
    if (good)
        return true;
    memset(statistics, 0, sizeof *statistics);
    return error_set(error,
                     text_of("Your statistics cannot be read and stay as they are. Repair or delete the file. %s"),
                     error->text);
}

bool statistics_write(const struct statistics *statistics, const char *path, struct error *error)
{
    return kept_file_write(&PROGRAM, statistics, path) ||
           error_set(error, text_of("Your statistics cannot be saved in %.300s: %s."), path, strerror(errno));
}

uint32_t statistics_favourite_map(const struct statistics *statistics, char *name, size_t name_bytes)
{
    uint32_t most = 0;
    *name = 0;
    for (uint32_t i = 0; i < statistics->maps.count; i++) {
        const char *entry = statistics->maps.values[i];
        uint32_t count = matches_of(entry);
        if (count <= most)
            continue;
        most = count;
        snprintf(name, name_bytes, "%.*s", (int)(strrchr(entry, ':') - entry), entry);
    }
    return most;
}

// Counts a match on a map. A name that a list cannot hold, and a map beyond its end, count nowhere.
static void count_map(struct option_list *maps, const struct map *map)
{
    char name[MAP_NAME_CAPACITY + 1];
    snprintf(name, sizeof name, "%.*s", MAP_NAME_CAPACITY, map->name);
    size_t length = strlen(name);
    uint32_t i = 0, before = 0;
    if (!length || strpbrk(name, ", \t\r\n\"#"))
        return;
    while (i < maps->count && (strncmp(maps->values[i], name, length) || maps->values[i][length] != ':' ||
                               strrchr(maps->values[i], ':') != maps->values[i] + length))
        i++;
    if (i == OPTION_LIST_CAPACITY)
        return;
    if (i < maps->count)
        before = matches_of(maps->values[i]);
    else
        maps->count++;
    snprintf(maps->values[i], sizeof maps->values[i], "%s:%u", name, before < MATCHES_MOST ? before + 1 : before);
}

static bool has_won(const struct world *world, uint32_t slot)
{
    const struct round *round = &world->round;
    return round->winner ? round->winner == slot + 1
                         : round->winner_team && round->winner_team == world->players[slot].team;
}

// A kill counts while the round is played; the one that ends it has the tick of its end.
static void count_kill(struct statistics *statistics, struct statistics_match *match, const struct view *view,
                       const struct event *event)
{
    const struct round *round = &view->confirmed->round;
    int32_t passed = (int32_t)(event->tick - round->since_tick);
    if (!(round->phase == ROUND_PLAYING ? passed > 0 : round->phase >= ROUND_OVER && passed <= 0))
        return;
    if (event->subject == view->slot) {
        match->streak = 0;
        if (event->detail < DEATH_CAUSES)
            statistics->deaths_by[event->detail]++;
    } else if (event->other == view->slot && ++match->streak > statistics->streak_best)
        statistics->streak_best = match->streak;
}

static bool is_match(const struct world *world)
{
    return world->round.phase != ROUND_WARMUP;
}

// A counter that has become smaller has begun again, in a match that was joined late.
static int64_t gained(uint32_t from, uint32_t now)
{
    return now >= from ? now - from : now;
}

// Adds what the player's counters in the world have gained. They begin at 0 with each match.
static void count_stats(struct statistics *statistics, struct statistics_match *match, const struct world *world,
                        const struct player *player)
{
    struct player_stats from = match->stats, now = player->stats;
    if (!match->counts)
        from = (struct player_stats){0};
    match->stats = now;
    if (!is_match(world))
        return;
    statistics->kills += gained(from.kills, now.kills);
    statistics->deaths += gained(from.deaths, now.deaths);
    statistics->squishes += gained(from.squishes, now.squishes);
    statistics->catches += gained(from.catches, now.catches);
    statistics->shots += gained(from.shots, now.shots);
    statistics->hits += gained(from.hits, now.hits);
}

// Adds the time of the round up to the confirmed world, exact also where worlds in between did not come.
static void count_time(struct statistics *statistics, struct statistics_match *match, const struct world *world)
{
    const struct round *round = &world->round;
    bool playing = round->phase == ROUND_PLAYING;
    tick from = match->tick, to = playing ? world->tick : round->since_tick;
    uint32_t paused = round->paused_ticks - match->paused_ticks;
    if (playing && (int32_t)(round->since_tick - from) > 0)
        from = round->since_tick;
    bool was_playing = playing || (match->counts && round->phase >= ROUND_OVER);
    int32_t passed = (int32_t)(to - from - paused);
    if (was_playing && passed > 0)
        statistics->played_ticks += passed;
    match->tick = world->tick;
    match->paused_ticks = round->paused_ticks;
}

bool statistics_count(struct statistics *statistics, struct statistics_match *match, const struct view *view)
{
    const struct world *world = view->confirmed;
    bool ended = false;
    if (view->slot >= PLAYER_CAPACITY || world->players[view->slot].state == PLAYER_ABSENT)
        return false;
    const struct player *player = &world->players[view->slot];
    if (player->state == PLAYER_SPECTATOR) {
        match->begun = false;
        return false;
    }
    // The first world of a match or of a new body: what the player brought with them is not counted again.
    if (!match->begun || match->generation != player->generation || (int32_t)(world->tick - match->tick) < 0)
        *match = (struct statistics_match){.begun = true,
                                           .counts = is_match(world),
                                           .generation = player->generation,
                                           .stats = player->stats,
                                           .tick = world->tick,
                                           .paused_ticks = world->round.paused_ticks};
    count_stats(statistics, match, world, player);
    count_time(statistics, match, world);
    for (uint32_t i = 0; i < view->event_count; i++) {
        const struct event *event = &view->events[i];
        if (event->kind == EVENT_KILL)
            count_kill(statistics, match, view, event);
        if (event->kind != EVENT_ROUND)
            continue;
        if (event->detail == ROUND_COUNTDOWN)
            match->streak = 0;
        statistics->rounds_won += event->detail == ROUND_OVER && has_won(world, view->slot);
        ended |= event->detail == ROUND_MATCH_OVER;
    }
    if (ended) {
        struct award awards[AWARD_KINDS];
        uint32_t count = standing_awards(world, awards);
        statistics->matches++;
        statistics->matches_won += has_won(world, view->slot);
        count_map(&statistics->maps, view->map);
        for (uint32_t i = 0; i < count; i++)
            statistics->awards[awards[i].kind] += awards[i].slot == view->slot;
    }
    match->counts = is_match(world);
    return ended;
}
