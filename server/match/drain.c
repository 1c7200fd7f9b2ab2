// SPDX-License-Identifier: MIT
#include "drain.h"

#include <stdio.h>

#include "chat.h"
#include "game/tuning.h"

#define NOTICE_US    5000000u // to read the message, if there is no round to wait for
#define MARGIN_TICKS 30u      // before the result of a round disappears
#define SECOND_MS    1000u
#define MINUTE_MS    60000u

static bool is_playing(const struct match *match)
{
    uint32_t phase = match->world.round.phase;
    return phase == ROUND_PLAYING || phase == ROUND_COUNTDOWN;
}

static void announce(struct match *match, uint64_t limit_ms)
{
    char text[CHAT_LINE_BYTES_MAX];
    bool long_time = limit_ms >= 2 * MINUTE_MS;
    unsigned long long time = (limit_ms + SECOND_MS - 1) / (long_time ? MINUTE_MS : SECOND_MS);
    if (is_playing(match) && time > 0)
        snprintf(text, sizeof text, "The server closes after this round, in %llu %s at most.", time,
                 long_time ? "minutes" : "seconds");
    else
        snprintf(text, sizeof text, "The server closes in a moment.");
    chat_broadcast_system(match, text);
}

void drain_begin(struct match *match, uint64_t limit_ms)
{
    struct drain *drain = &match->drain;
    if (!drain->is_on)
        drain->begun_us = match->received_us;
    drain->is_on = true;
    drain->deadline_us = match->received_us + limit_ms * 1000;
    log_write(match->log, LOG_INFO, "drains for up to %llu s: nobody new may join",
              (unsigned long long)(limit_ms / SECOND_MS));
    announce(match, limit_ms);
}

bool drain_cancel(struct match *match)
{
    bool was_on = match->drain.is_on;
    match->drain.is_on = false;
    if (was_on) {
        log_write(match->log, LOG_INFO, "drains no longer: everybody may join");
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

// The result of a round is shown for round_over_ticks, that of a match for longer.
static bool has_shown_result(const struct world *world)
{
    bool over = world->round.phase == ROUND_OVER || world->round.phase == ROUND_MATCH_OVER;
    return over && world->tick - world->round.since_tick >= TUNING.round_over_ticks - MARGIN_TICKS;
}

bool drain_is_over(const struct match *match)
{
    const struct drain *drain = &match->drain;
    if (!drain->is_on)
        return false;
    bool empty = roster_count(&match->roster, SEAT_PLAYER) + roster_count(&match->roster, SEAT_RESERVED) == 0;
    bool noticed = match->received_us - drain->begun_us >= NOTICE_US;
    return empty || drain_left_ms(match) == 0 ||
           (noticed && (match->world.round.phase == ROUND_WARMUP || has_shown_result(&match->world)));
}
