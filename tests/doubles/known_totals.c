// SPDX-License-Identifier: MIT
#include "known_totals.h"

void known_totals(const struct transport *transport, struct net_totals *totals)
{
    (void)transport;
    *totals = (struct net_totals){
        .bytes_in = 201,
        .bytes_out = 202,
        .packets_in = 203,
        .packets_out = 204,
        .queries = 205,
        .rejected = 206,
        .receive_buffer_bytes = 207,
        .sessions = {.accepted = 31, .waiting = 32, .playing = 33, .leaving = 34, .households = 35, .webrtc = 36},
        .refusals = {
            .joins_of_household = 211,
            .joins_of_all = 212,
            .queries_of_household = 213,
            .queries_of_all = 214,
            .denied = {[DENIAL_FULL] = 215, [DENIAL_VERSION] = 216, [DENIAL_BANNED] = 217, [DENIAL_PASSWORD] = 218},
            .passwords_untried = 221,
            .password_waits = 222,
            .gave_way = 219,
            .resets = 220,
            .browsers_gave_way = 223}};
}
