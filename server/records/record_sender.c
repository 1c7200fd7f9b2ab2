// SPDX-License-Identifier: MIT
#include "record_sender.h"

#include <math.h>

#include "base/utf8.h"

static void ask(void *context, const struct seat_key *key)
{
    records_ask_own(context, key);
}

void record_sender_begin(struct records *records, struct match *match)
{
    if (records)
        match->joins = (struct join_listener){ask, records};
}

static uint32_t as_count(int64_t number)
{
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

struct record_message record_sender_message(const struct records_player *player, const char *server_name)
{
    struct record_message record = {.rank = as_count(player->rank),
                                    .mean = (int32_t)lround(player->rating.mean * 100),
                                    .deviation = (uint32_t)lround(player->rating.deviation * 100),
                                    .matches = as_count(player->matches),
                                    .wins = as_count(player->wins),
                                    .best_kills = as_count(player->best_kills),
                                    .kills = as_count(player->kills),
                                    .deaths = as_count(player->deaths),
                                    .squishes = as_count(player->squishes),
                                    .catches = as_count(player->catches),
                                    .shots = as_count(player->shots),
                                    .hits = as_count(player->hits),
                                    .played_s = as_count(player->played_ticks / TICKS_PER_SECOND),
                                    .first_s = as_count(player->first_seen),
                                    .last_s = as_count(player->last_seen)};
    utf8_copy(record.server_name, sizeof record.server_name, server_name[0] ? server_name : "Deadfall");
    return record;
}

void record_sender_update(struct records *records, const char *server_name, struct match *match)
{
    struct records_player player;
    while (records_take_own(records, &player)) {
        uint32_t slot = roster_find(&match->roster, &player.key);
        uint32_t peer = slot == ROSTER_FULL ? MATCH_PEER_CAPACITY : peer_at_slot(match, slot);
        struct message message = {.kind = MESSAGE_RECORD, .as.record = record_sender_message(&player, server_name)};
        if (peer < MATCH_PEER_CAPACITY)
            peer_send(match, peer, &message);
    }
}
