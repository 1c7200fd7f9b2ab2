// SPDX-License-Identifier: MIT
#include "records.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

_Static_assert(MESSAGE_VOUCH_BYTES == VOUCH_BYTES && FINGERPRINT_LETTERS == FINGERPRINT_TEXT_BYTES - 1,
               "as on the wire");
_Static_assert(TRUSTED_CAPACITY == RECORDS_TRUST_MAX, "as on the wire");

void record_sender_begin(struct records *records, const struct option_list *trust, struct match *match)
{
    if (!records)
        return;
    match->joins = (struct join_listener){records_ask_own, records};
    match->vouches = (struct vouch_listener){.shown = records_show_vouch, .context = records};
    match->roster.names = (struct roster_names){records_keep_name, records};
    for (uint32_t i = 0; i < trust->count && i < TRUSTED_CAPACITY; i++)
        memcpy(match->vouches.trusted.fingerprints[match->vouches.trusted.count++], trust->values[i],
               FINGERPRINT_LETTERS);
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
    struct records_mail mail;
    if (records_names_changed(records))
        match_refresh_names(match);
    while (records_take_own(records, &mail)) {
        struct message vouch = {.kind = MESSAGE_VOUCH};
        struct message record = {.kind = MESSAGE_RECORD, .as.record = record_sender_message(&mail.player, server_name)};
        uint32_t slot = roster_find(&match->roster, &mail.player.key);
        uint32_t peer = slot == ROSTER_FULL ? MATCH_PEER_CAPACITY : peer_at_slot(match, slot);
        if (peer == MATCH_PEER_CAPACITY)
            continue; // they have left meanwhile
        if (mail.has_vouch) {
            memcpy(vouch.as.vouch, mail.vouch, VOUCH_BYTES);
            peer_send(match, peer, &vouch);
        }
        if (mail.player.key.local == 0) // servers know the profile of this one; the others are guests
            peer_send(match, peer, &record);
    }
}
