// SPDX-License-Identifier: MIT
#include "restore.h"

#include "match.h"

void restore_match(struct match *match, const struct journal_end *end)
{
    world_copy(&match->world, &end->world);
    for (uint32_t slot = match->roster.seat_count; slot < end->world.player_slots; slot++)
        world_command(&match->world, &match->map, &(struct command){.kind = COMMAND_LEAVE, .slot = slot});
    roster_resume(&match->roster, &match->world, end->seats, end->seat_count);
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        match->roster.seats[slot].hat = end->hats[slot];
    match->return_tick = match->world.tick + JOURNAL_RETURN_TICKS;
}

static bool is_here(const struct match *match, uint32_t slot)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        if ((peer->state == PEER_LOADING || peer->state == PEER_PLAYING) && peer->slot == slot)
            return true;
    }
    return false;
}

void restore_expire(struct match *match)
{
    if (match->return_tick == 0 || (int32_t)(match->world.tick - match->return_tick) < 0)
        return;
    match->return_tick = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (match->roster.seats[slot].kind == SEAT_PLAYER && !is_here(match, slot))
            roster_leave(&match->roster, slot, match->world.players);
}

void restore_record_seats(struct match *match)
{
    struct replay_seat seats[PLAYER_CAPACITY];
    uint32_t guests = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        guests += match->roster.seats[slot].guest;
    if (!match->journal || guests == match->guests_noted)
        return;
    match->guests_noted = guests;
    recorder_seats(match->journal, seats, roster_seats(&match->roster, seats));
}
