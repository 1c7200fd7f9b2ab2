// SPDX-License-Identifier: MIT
#include "vouching.h"

#include <string.h>

_Static_assert(MESSAGE_VOUCH_BYTES == VOUCH_BYTES && FINGERPRINT_LETTERS == FINGERPRINT_TEXT_BYTES - 1,
               "as on the wire");
_Static_assert(TRUSTED_CAPACITY == RECORDS_TRUST_MAX, "as on the wire");

static void take_shown(void *context, const struct seat_key *key, const uint8_t bytes[MESSAGE_VOUCH_BYTES])
{
    records_show_vouch(context, key, bytes);
}

static bool is_kept(void *context, const struct seat_key *key, const char *name)
{
    return records_keep_name(context, key, name);
}

void vouching_begin(struct records *records, const struct option_list *trust, struct match *match)
{
    if (!records)
        return;
    match->vouches = (struct vouch_listener){.shown = take_shown, .context = records};
    match->roster.names = (struct roster_names){is_kept, records};
    for (uint32_t i = 0; i < trust->count && i < TRUSTED_CAPACITY; i++)
        memcpy(match->vouches.trusted.fingerprints[match->vouches.trusted.count++], trust->values[i],
               FINGERPRINT_LETTERS);
}

void vouching_update(struct records *records, struct match *match)
{
    struct records_vouch made;
    while (records_take_vouch(records, &made)) {
        uint32_t slot = roster_find(&match->roster, &made.key);
        uint32_t peer = slot == ROSTER_FULL ? MATCH_PEER_CAPACITY : peer_at_slot(match, slot);
        struct message message = {.kind = MESSAGE_VOUCH};
        memcpy(message.as.vouch, made.bytes, VOUCH_BYTES);
        if (peer < MATCH_PEER_CAPACITY)
            peer_send(match, peer, &message);
    }
    if (records_names_changed(records))
        match_refresh_names(match);
}
