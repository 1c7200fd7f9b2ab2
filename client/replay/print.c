// SPDX-License-Identifier: MIT
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "game/rules/mode.h"
#include "game/state.h"
#include "sync/player_name.h"
#include "sync/world.h"

void print_summary_add(struct print_summary *summary, const uint32_t *name)
{
    for (uint32_t i = 0; i < summary->names_count; i++)
        if (memcmp(summary->names[i], name, PLAYER_NAME_BYTES) == 0)
            return;
    if (summary->names_count < sizeof summary->names / sizeof summary->names[0])
        memcpy(summary->names[summary->names_count++], name, PLAYER_NAME_BYTES);
}

// Prints the names, in JSON with escapes.
static void print_names(const struct print_summary *summary, bool json)
{
    const char *before = json ? "\"" : ": ", *between = json ? "\",\"" : ", ";
    for (uint32_t i = 0; i < summary->names_count; i++) {
        char text[PLAYER_NAME_BYTES + 1];
        fputs(i ? between : before, stdout);
        player_name_to_text(summary->names[i], text);
        for (const char *at = text; *at; at++)
            printf("%s%c", json && (*at == '"' || *at == '\\') ? "\\" : "", *at);
    }
}

static const char *end_word(const struct replay_reader *reader, const struct print_summary *summary)
{
    if (summary->end != REPLAY_END)
        return summary->end == REPLAY_TORN ? "torn" : "damaged";
    return reader->index ? "complete" : "without index";
}

// Prints the commitment to the dice as the net graph shows its beginning; "none" without one.
static void print_commitment(const struct replay_reader *reader)
{
    for (size_t i = 0; i < sizeof reader->commitment && reader->has_commitment; i++)
        printf("%02x", reader->commitment[i]);
    fputs(reader->has_commitment ? "" : "none", stdout);
}

static void print_info_json(const struct replay_reader *reader, const struct print_summary *summary)
{
    const struct rules *rules = &reader->first.rules;
    tick ticks = summary->last_tick - reader->first.tick;
    printf("{\"map\":\"%s\",\"columns\":%" PRId32 ",\"rows\":%" PRId32 ",\"map_hash\":\"%016" PRIx64 "\",",
           reader->map.name, reader->map.columns, reader->map.rows, map_hash(&reader->map));
    printf("\"mode\":\"%s\",\"score_limit\":%" PRId32 ",\"time_limit_ticks\":%" PRIu32 ",\"seed\":%" PRIu32 ",",
           mode_name((enum mode)rules->mode), rules->score_limit, rules->time_limit_ticks, rules->seed);
    printf("\"first_tick\":%" PRIu32 ",\"last_tick\":%" PRIu32 ",\"duration_s\":%" PRIu32 ".%03" PRIu32 ",",
           reader->first.tick, summary->last_tick, ticks / TICKS_PER_SECOND,
           ticks % TICKS_PER_SECOND * 1000 / TICKS_PER_SECOND);
    printf("\"players\":%" PRIu32 ",\"joins\":%" PRIu32 ",\"names\":[", summary->players, summary->joins);
    print_names(summary, true);
    printf("%s],\"dice\":\"", summary->names_count ? "\"" : "");
    print_commitment(reader);
    printf("\",\"dice_secret\":%s,\"end\":\"%s\"}\n", summary->proof == ROLL_CHECK_PROVEN ? "true" : "false",
           end_word(reader, summary));
}

void print_info(const struct replay_reader *reader, const struct print_summary *summary, bool json)
{
    if (json) {
        print_info_json(reader, summary);
        return;
    }
    const struct rules *rules = &reader->first.rules;
    tick ticks = summary->last_tick - reader->first.tick;
    uint32_t seconds = ticks / TICKS_PER_SECOND;
    printf("map       %s, %" PRId32 " x %" PRId32 " tiles, hash %016" PRIx64 "\n", reader->map.name,
           reader->map.columns, reader->map.rows, map_hash(&reader->map));
    printf("mode      %s, score limit %" PRId32 ", time limit %" PRIu32 " s, seed %" PRIu32 "\n",
           mode_name((enum mode)rules->mode), rules->score_limit, rules->time_limit_ticks / TICKS_PER_SECOND,
           rules->seed);
    printf("ticks     %" PRIu32 ", from %" PRIu32 " to %" PRIu32 "\n", ticks, reader->first.tick, summary->last_tick);
    printf("duration  %" PRIu32 ":%02" PRIu32 ":%02" PRIu32 "\n", seconds / 3600, seconds / 60 % 60, seconds % 60);
    printf("players   %" PRIu32 " at the start, %" PRIu32 " joined", summary->players, summary->joins);
    print_names(summary, false);
    printf("\ndice      ");
    print_commitment(reader);
    printf("; %s\nend       %s\n",
           summary->proof == ROLL_CHECK_PROVEN ? "it has their secret, so --verify checks each roll"
                                               : roll_check_text(summary->proof),
           end_word(reader, summary));
}

void print_hash(tick at, uint64_t hash, bool json)
{
    printf(json ? "{\"tick\":%" PRIu32 ",\"hash\":\"%016" PRIx64 "\"}\n" : "%" PRIu32 " %016" PRIx64 "\n", at, hash);
}

static void print_table(const struct replication_table *table, const struct world *world, bool json)
{
    const uint32_t *words = replication_table_words_const(table, world);
    bool any = false;
    if (json)
        printf(",\"%s\":[", table->name);
    for (uint32_t i = 0; i < replication_table_used(table, world); i++, words += table->field_count) {
        bool begun = false;
        for (uint32_t k = 0; k < table->field_count; k++) {
            const struct replication_field *field = &table->fields[k];
            if (words[k] == 0)
                continue;
            if (json && !begun)
                printf("%s{\"slot\":%" PRIu32, any ? "," : "", i);
            begun = any = true;
            // As int64_t, so that one format prints both kinds.
            int64_t value = field->kind == REPLICATION_SIGNED ? (int64_t)(int32_t)words[k] : (int64_t)words[k];
            if (json)
                printf(",\"%s\":%" PRId64, field->name, value);
            else
                printf("%s %" PRIu32 " %s %" PRId64 "\n", table->name, i, field->name, value);
        }
        if (json && begun)
            putchar('}');
    }
    if (json)
        putchar(']');
}

void print_event(const struct event *event, bool json)
{
    const char *kind = event_kind_name((enum event_kind)event->kind);
    const char *cause = event->kind == EVENT_KILL ? event_death_cause_name((enum death_cause)event->detail) : NULL;
    if (json)
        printf("{\"tick\":%" PRIu32 ",\"event\":\"%s\",%s%s%s\"subject\":%" PRIu32 ",\"other\":%" PRIu32
               ",\"detail\":%" PRIu32 ",\"x\":%" PRId32 ",\"y\":%" PRId32 "}\n",
               event->tick, kind, cause ? "\"cause\":\"" : "", cause ? cause : "", cause ? "\"," : "", event->subject,
               event->other, event->detail, event->x, event->y);
    else
        printf("event %s%s%s subject=%" PRIu32 " other=%" PRIu32 " detail=%" PRIu32 " x=%" PRId32 " y=%" PRId32
               " tick=%" PRIu32 "\n",
               kind, cause ? " by " : "", cause ? cause : "", event->subject, event->other, event->detail, event->x,
               event->y, event->tick);
}

void print_world(const struct world *world, bool json)
{
    if (json)
        printf("{\"tick\":%" PRIu32 ",\"hash\":\"%016" PRIx64 "\"", world->tick, world_hash(world));
    else
        print_hash(world->tick, world_hash(world), false);
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        print_table(&REPLICATION_TABLES[t], world, json);
    fputs(json ? "}\n" : "", stdout);
}

void print_difference(tick at, const char *difference, bool json)
{
    printf(json ? "{\"tick\":%" PRIu32 ",\"difference\":\"%s\"}\n" : "tick %" PRIu32 ": %s\n", at, difference);
}

void print_verified(const struct print_verification *found, bool json)
{
    if (json)
        printf("{\"ticks\":%" PRIu32 ",\"hashes\":%" PRIu32 ",\"keyframes\":%" PRIu32 ",\"differences\":%" PRIu32
               ",\"rolls\":%" PRIu32 ",\"wrong_rolls\":%" PRIu32 ",\"rolls_proven\":%s}\n",
               found->ticks, found->hashes, found->keyframes, found->differences, found->rolls, found->wrong_rolls,
               found->rolls_are_proven ? "true" : "false");
    else
        printf("%" PRIu32 " ticks, %" PRIu32 " hashes, %" PRIu32 " keyframes, %" PRIu32 " differences\n%" PRIu32
               " rolls, %" PRIu32 " wrong; %s\n",
               found->ticks, found->hashes, found->keyframes, found->differences, found->rolls, found->wrong_rolls,
               found->proof);
}
