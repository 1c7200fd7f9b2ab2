// SPDX-License-Identifier: MIT
#include "records_tally.h"

#include <string.h>

// How much a count has grown; every match starts it at 0 again.
static uint32_t growth(uint32_t now, uint32_t seen)
{
    return now >= seen ? now - seen : now;
}

// Moves what a player has earned into a row, if there is anything. Returns the number of rows.
static uint32_t make_row(struct tally_player *entry, struct records_row *row)
{
    static const struct player_record nothing;
    struct records_row *own = &entry->row;
    if (own->played_ticks == 0 && memcmp(&own->earned, &nothing, sizeof nothing) == 0)
        return 0;
    *row = *own;
    own->played_ticks = 0;
    own->earned = nothing;
    return 1;
}

static void count_player(struct records_tally *tally, const struct match *match, uint32_t slot)
{
    const struct seat *seat = &match->roster.seats[slot];
    const struct player *player = &match->world.players[slot];
    struct tally_player *entry = &tally->seated[slot];
    bool known = seat->kind == SEAT_PLAYER && seat->has_key && seat->occupant_shown == seat->occupant;
    if (entry->here && !(known && roster_key_equal(&entry->row.key, &seat->key))) { // they have left
        if (make_row(entry, tally->rows))
            tally->sink(tally->context, tally->rows, 1);
        entry->here = false;
        if (entry->match_ticks > 0 && tally->gone_count < DISCONNECTED_PLAYERS_CAPACITY)
            tally->gone[tally->gone_count++] = *entry;
    }
    if (!known)
        return;
    if (!entry->here) { // they have joined, or are back
        *entry = (struct tally_player){.here = true, .row = {.key = seat->key}, .seen = player->stats};
        uint32_t i = 0;
        while (i < tally->gone_count && !roster_key_equal(&tally->gone[i].row.key, &seat->key))
            i++;
        if (i < tally->gone_count) {
            entry->match_ticks = tally->gone[i].match_ticks;
            entry->team = tally->gone[i].team;
            tally->gone[i] = tally->gone[--tally->gone_count];
        }
    }
    uint32_t plays = player->state != PLAYER_SPECTATOR;
    if (tally->phase == ROUND_PLAYING) {
        struct player_stats *earned = &entry->row.earned.stats;
        const struct player_stats *now = &player->stats, *seen = &entry->seen;
        earned->kills += growth(now->kills, seen->kills);
        earned->deaths += growth(now->deaths, seen->deaths);
        earned->squishes += growth(now->squishes, seen->squishes);
        earned->catches += growth(now->catches, seen->catches);
        earned->shots += growth(now->shots, seen->shots);
        earned->hits += growth(now->hits, seen->hits);
        entry->match_ticks += plays;
    }
    entry->seen = player->stats;
    entry->row.played_ticks += plays;
    entry->team = plays ? player->team : entry->team;
    memcpy(entry->row.name, player->name, sizeof player->name);
}

static bool took_part(const struct records_tally *tally, const struct tally_player *entry)
{
    return entry->match_ticks > 0 &&
           (entry->match_ticks >= TALLY_PART_TICKS || 2 * entry->match_ticks >= tally->match_ticks);
}

static void make_result(struct records_tally *tally, struct tally_player *entry, uint32_t count)
{
    struct records_row *row = &tally->rows[count];
    if (!make_row(entry, row))
        *row = entry->row;
    row->earned.team = entry->team;
    row->match_kills = entry->seen.kills;
    row->left = true;
}

static void end_match(struct records_tally *tally, const struct world *world)
{
    uint32_t count = 0;
    const struct round *round = &world->round;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        if (!tally->seated[slot].here || !took_part(tally, &tally->seated[slot]))
            continue;
        const struct player *player = &world->players[slot];
        struct records_row *row = &tally->rows[count];
        make_result(tally, &tally->seated[slot], count++);
        row->left = player->state == PLAYER_SPECTATOR; // spectators have given up the match, like those who have left
        if (row->left)
            continue;
        row->earned.team = player->team;
        row->earned.score = player->team != 0 ? round->team_scores[player->team - 1] : player->score;
        row->won = round->winner == slot + 1 || (player->team != 0 && round->winner_team == player->team);
    }
    for (uint32_t i = 0; i < tally->gone_count; i++)
        if (took_part(tally, &tally->gone[i]))
            make_result(tally, &tally->gone[i], count++);
    if (count == 0)
        return;
    tally->rows[0].match_rows = count;
    tally->sink(tally->context, tally->rows, count);
}

void records_tally_flush(struct records_tally *tally)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        if (tally->seated[slot].here)
            count += make_row(&tally->seated[slot], &tally->rows[count]);
    tally->row_ticks = 0;
    if (count > 0)
        tally->sink(tally->context, tally->rows, count);
}

void records_tally_update(struct records_tally *tally, const struct match *match)
{
    const struct round *round = &match->world.round;
    if (round->phase == ROUND_COUNTDOWN && round->number == 0) { // a match begins
        tally->gone_count = 0;
        tally->match_ticks = 0;
        for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
            tally->seated[slot].match_ticks = 0;
    }
    tally->match_ticks += tally->phase == ROUND_PLAYING;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        count_player(tally, match, slot);
    if (round->phase == ROUND_MATCH_OVER && tally->phase != ROUND_MATCH_OVER)
        end_match(tally, &match->world);
    tally->phase = round->phase;
    if (++tally->row_ticks >= TALLY_ROW_TICKS)
        records_tally_flush(tally);
}
