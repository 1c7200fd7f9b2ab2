// SPDX-License-Identifier: MIT
#include "records_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"

static void day(int64_t unix_time, char text[CLOCK_DATE_BYTES])
{
    if (!clock_date_utc(unix_time, "%Y-%m-%d", text, CLOCK_DATE_BYTES))
        strcpy(text, "?");
}

// Half of the range in which a rating is with 95 % certainty. The list is ordered by its lower end.
static long margin(const struct records_player *player)
{
    return lround(player->rating.mean - rating_at_least(&player->rating));
}

void records_text_top(const struct records_player *player, char line[RECORDS_LINE_BYTES])
{
    snprintf(line, RECORDS_LINE_BYTES,
             "%" PRId64 ". %s %ld ±%ld, matches %" PRId64 ", won %" PRId64 ", kills %" PRId64 ", deaths %" PRId64,
             player->rank, player->name, lround(player->rating.mean), margin(player), player->matches, player->wins,
             player->kills, player->deaths);
}

size_t records_text_players(const struct records_player *players, uint32_t count, char *text, size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const struct records_player *player = &players[i];
        char key[FINGERPRINT_TEXT_BYTES], first[CLOCK_DATE_BYTES], last[CLOCK_DATE_BYTES];
        char rank[48] = "no match finished yet";
        int64_t minutes = player->played_ticks / ((int64_t)TICKS_PER_SECOND * 60);
        identity_fingerprint(player->key.identity, key);
        day(player->first_seen, first);
        day(player->last_seen, last);
        if (player->rank > 0)
            snprintf(rank, sizeof rank, "number %" PRId64 " by rating", player->rank);
        int length = snprintf(text + used, text_bytes - used,
                              "%s, key %s, player %" PRIu32 " at their machine\n"
                              "  rating %ld ±%ld, %s; %" PRId64 " match%s, %" PRId64 " won\n"
                              "  %" PRId64 " kills, %" PRId64 " deaths, %" PRId64 " squishes, %" PRId64
                              " catches, %" PRId64 " shots, %" PRId64 " hits\n"
                              "  played %" PRId64 " h %" PRId64 " min, from %s to %s\n",
                              player->name, key, player->key.local + 1, lround(player->rating.mean), margin(player),
                              rank, player->matches, player->matches == 1 ? "" : "es", player->wins, player->kills,
                              player->deaths, player->squishes, player->catches, player->shots, player->hits,
                              minutes / 60, minutes % 60, first, last);
        if ((size_t)length >= text_bytes - used) {
            text[used] = '\0';
            break;
        }
        used += (size_t)length;
    }
    return used;
}

struct fields records_text_fields(const struct records_player *player, char key[FINGERPRINT_TEXT_BYTES])
{
    identity_fingerprint(player->key.identity, key);
    return (struct fields){"record",
                           "",
                           {{"name", .text = player->name},
                            {"key", .text = key},
                            {"local", .number = player->key.local + 1},
                            {"rank", .number = player->rank},
                            {"rating", .number = lround(player->rating.mean)},
                            {"deviation", .number = lround(player->rating.deviation)},
                            {"matches", .number = player->matches},
                            {"wins", .number = player->wins},
                            {"kills", .number = player->kills},
                            {"deaths", .number = player->deaths},
                            {"squishes", .number = player->squishes},
                            {"catches", .number = player->catches},
                            {"shots", .number = player->shots},
                            {"hits", .number = player->hits},
                            {"played_s", .number = player->played_ticks / TICKS_PER_SECOND},
                            {"first_seen", .number = player->first_seen},
                            {"last_seen", .number = player->last_seen},
                            {"best_kills", .number = player->best_kills}}};
}

bool records_text_csv_header(FILE *out)
{
    fputs("name,key,player,rating,deviation,matches,wins,kills,deaths,squishes,catches,shots,hits,played_s,first_seen,"
          "last_seen,best_kills\r\n",
          out);
    return !ferror(out);
}

// Characters that begin a formula in a spreadsheet, also in their wide forms, and blanks that it removes before one.
static bool is_formula(const char *name)
{
    static const char *const BEGINNINGS[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};
    name += strspn(name, " ");
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++)
        if (strncmp(name, BEGINNINGS[i], strlen(BEGINNINGS[i])) == 0)
            return true;
    return false;
}

static void csv_name(FILE *out, const char *name)
{
    fputs(is_formula(name) ? "\"'" : "\"", out);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

bool records_text_csv_row(FILE *out, const struct records_player *player)
{
    char key[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(player->key.identity, key);
    csv_name(out, player->name);
    fprintf(out, ",%s,%" PRIu32 ",%.2f,%.2f", key, player->key.local + 1, player->rating.mean,
            player->rating.deviation);
    int64_t numbers[] = {player->matches,    player->wins,      player->kills,
                         player->deaths,     player->squishes,  player->catches,
                         player->shots,      player->hits,      player->played_ticks / TICKS_PER_SECOND,
                         player->first_seen, player->last_seen, player->best_kills};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(out, ",%" PRId64, numbers[i]);
    fputs("\r\n", out);
    return !ferror(out);
}
