// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <stdio.h>

#include "sync/game.h"

#define NOTICE_US 5000000u // to read the message, if there is no round to wait for
#define SECOND_MS 1000u
#define MINUTE_MS 60000u

#define TIME_BYTES 32
static void describe_time(uint64_t left_ms, char text[TIME_BYTES])
{
    uint64_t minutes = (left_ms + MINUTE_MS - 1) / MINUTE_MS, seconds = (left_ms + SECOND_MS - 1) / SECOND_MS;
    bool is_long = left_ms >= 2 * MINUTE_MS;
    snprintf(text, TIME_BYTES,
             is_long        ? "%llu minutes"
             : seconds == 1 ? "%llu second"
                            : "%llu seconds",
             (unsigned long long)(is_long ? minutes : seconds));
}

static void describe(const struct match *match, char text[CHAT_LINE_BYTES_MAX])
{
    char time[TIME_BYTES];
    uint64_t left_ms = drain_left_ms(match);
    describe_time(left_ms, time);
    if (left_ms == 0)
        snprintf(text, CHAT_LINE_BYTES_MAX, "The server closes in a moment.");
    else if (game_stage(&match->world) == GAME_PLAYS)
        snprintf(text, CHAT_LINE_BYTES_MAX, "The server closes after this round, in %s at most.", time);
    else
        snprintf(text, CHAT_LINE_BYTES_MAX,
                 "The server closes in a moment, or after the next round if that begins first.");
}

void drain_refuse(struct match *match, uint32_t peer)
{
    char time[TIME_BYTES];
    struct message message = {.kind = MESSAGE_SYSTEM};
    uint64_t left_ms = drain_left_ms(match);
    describe_time(left_ms, time);
    if (left_ms > 0)
        snprintf(
            message.as.system, sizeof message.as.system,
            "The server is closing within %s, and nobody new may join. Choose another one, or try again after that.",
            time);
    else
        snprintf(message.as.system, sizeof message.as.system,
                 "The server is closing, and nobody new may join. Choose another one, or try again after that.");
    peer_send(match, peer, &message);
    peer_drop(match, peer, DENY_CLOSING);
}

void drain_begin(struct match *match, uint64_t limit_ms)
{
    struct drain *drain = &match->drain;
    char text[CHAT_LINE_BYTES_MAX];
    if (!drain->is_on)
        drain->begun_us = match->received_us;
    drain->is_on = true;
    drain->deadline_us = match->received_us + limit_ms * 1000;
    log_event(match->log, LOG_INFO,
              &(struct fields){"drain",
                               "drains for up to {limit_s} s: nobody new may join",
                               {{"limit_s", .number = (int64_t)(limit_ms / SECOND_MS)}}});
    describe(match, text);
    chat_broadcast_system(match, text);
}

void drain_notify(struct match *match, uint32_t peer)
{
    char text[CHAT_LINE_BYTES_MAX];
    if (!match->drain.is_on)
        return;
    describe(match, text);
    chat_send_system(match, peer, text);
}

bool drain_cancel(struct match *match)
{
    bool was_on = match->drain.is_on;
    match->drain.is_on = false;
    if (was_on) {
        log_event(match->log, LOG_INFO,
                  &(struct fields){"drain_cancelled", "drains no longer: everybody may join", {{0}}});
        chat_broadcast_system(match, "The server stays open.");
    }
    return was_on;
}

uint64_t drain_left_ms(const struct match *match)
{
    const struct drain *drain = &match->drain;
    if (!drain->is_on)
        return DRAIN_NONE;
    return drain->deadline_us > match->received_us ? (drain->deadline_us - match->received_us + 999) / 1000 : 0;
}

bool drain_is_over(const struct match *match)
{
    const struct drain *drain = &match->drain;
    if (!drain->is_on)
        return false;
    bool empty = roster_count(&match->roster, SEAT_PLAYER) + roster_count(&match->roster, SEAT_RESERVED) == 0;
    bool noticed = match->received_us - drain->begun_us >= NOTICE_US;
    enum game_stage stage = game_stage(&match->world);
    return empty || drain_left_ms(match) == 0 || (noticed && (stage == GAME_WAITS || stage == GAME_HAS_SHOWN_RESULT));
}
