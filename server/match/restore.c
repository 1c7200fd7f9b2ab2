// SPDX-License-Identifier: MIT
#include "restore.h"

#include "peer.h"

void restore_match(struct match *match, const struct journal_end *end)
{
    world_copy(&match->world, &end->world);
    for (uint32_t slot = match->roster.seat_count; slot < end->world.player_slots; slot++)
        world_command(&match->world, &match->map, &(struct command){.kind = COMMAND_LEAVE, .slot = slot});
    roster_restore(&match->roster, &match->world, end->seats, end->seat_count);
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        match->roster.seats[slot].hat = end->hats[slot];
    match->return_deadline = match->world.tick + JOURNAL_RETURN_TICKS;
}

void restore_expire(struct match *match)
{
    if (match->return_deadline == 0 || (int32_t)(match->world.tick - match->return_deadline) < 0)
        return;
    match->return_deadline = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (match->roster.seats[slot].kind == SEAT_PLAYER && peer_at_slot(match, slot) == MATCH_PEER_CAPACITY)
            roster_leave(&match->roster, slot, match->world.players);
}

void restore_journal_seats(struct match *match)
{
    struct replay_seat seats[PLAYER_CAPACITY];
    uint32_t joins = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        joins += match->roster.seats[slot].occupant;
    if (!match->journal || joins == match->journaled_joins)
        return;
    match->journaled_joins = joins;
    recorder_seats(match->journal, seats, roster_seats(&match->roster, seats));
}
