// SPDX-License-Identifier: MIT
//
// Where there is no database: nobody has records, as with --records off.
#include "records.h"

struct records *records_begin(const struct settings *settings, const struct log *log)
{
    (void)settings, (void)log;
    return NULL;
}

void records_update(struct records *records, const struct match *match)
{
    (void)records, (void)match;
}

void records_close(struct records *records)
{
    (void)records;
}

uint32_t records_top(struct records *records, uint32_t count, struct records_player *players)
{
    (void)records, (void)count, (void)players;
    return 0;
}

uint64_t records_player(struct records *records, const char *name)
{
    (void)records, (void)name;
    return 0;
}

uint64_t records_export_csv(struct records *records, const char *path)
{
    (void)records, (void)path;
    return 0;
}

bool records_answer(struct records *records, uint64_t question, struct records_answer *answer)
{
    (void)records, (void)question, (void)answer;
    return false;
}

void records_begin_vouches(struct records *records, const uint8_t seed[IDENTITY_SEED_BYTES],
                           const struct option_list *trust)
{
    (void)records, (void)seed, (void)trust;
}

void records_show_vouch(struct records *records, const struct seat_key *key, const uint8_t bytes[VOUCH_BYTES])
{
    (void)records, (void)key, (void)bytes;
}

bool records_take_vouch(struct records *records, struct records_vouch *made)
{
    (void)records, (void)made;
    return false;
}

bool records_keep_name(struct records *records, const struct seat_key *key, const char *name)
{
    (void)records, (void)key, (void)name;
    return false;
}

bool records_names_changed(struct records *records)
{
    (void)records;
    return false;
}

void records_ask_own(struct records *records, const struct seat_key *key)
{
    (void)records, (void)key;
}

bool records_take_own(struct records *records, struct records_player *player)
{
    (void)records, (void)player;
    return false;
}

void records_report(struct records *records, struct server_health *health)
{
    (void)records, (void)health;
}
