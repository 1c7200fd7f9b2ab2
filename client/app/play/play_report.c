// SPDX-License-Identifier: MIT
#include "play_report.h"

#include <inttypes.h>
#include <string.h>

#include "game/rules/mode.h"
#include "game/state.h"

#define SECOND_US      1000000u
#define LOGGED_SECONDS 10  ///< from one line of the log about the net to the next
#define FRAMED_TICKS   600 ///< of players at this window, from one line of the log to the next

static void count_bytes(struct play_report *report, const struct client *client, uint64_t now_us)
{
    const struct client_statistics *net = &report->graph.statistics;
    const struct histogram *draw_us = report->draw_us;
    client_statistics(client, &report->graph.statistics);
    if (net->bytes_in < report->in) // of another connection
        report->in = report->out = 0;
    if (now_us - report->second_us < SECOND_US)
        return;
    report->graph.bytes_in_s = (uint32_t)(net->bytes_in - report->in);
    report->graph.bytes_out_s = (uint32_t)(net->bytes_out - report->out);
    report->in = net->bytes_in;
    report->out = net->bytes_out;
    report->second_us = now_us;
    if (++report->seconds % LOGGED_SECONDS == 0)
        log_write(
            report->log, LOG_DEBUG,
            "net: %u snapshots, %u lost, %u corrections, %u desyncs, rtt %u ms; frames: mean %.0f us, p99 %" PRIu64
            " us",
            net->snapshots, net->snapshots_lost, net->corrections, net->desyncs, net->rtt_ms, histogram_mean(draw_us),
            histogram_quantile(draw_us, 990));
}

void play_report_view(struct play_report *report, const struct client *client, const struct view *view, uint64_t now_us)
{
    const struct map *map = view->map;
    uint32_t mode = view->world->rules.mode;
    if (!report->has_logged || report->logged_mode != mode || memcmp(report->logged_map, map->name, sizeof map->name))
        log_write(report->log, LOG_DEBUG, "plays %s on %.*s", mode_name((enum mode)mode), MAP_NAME_CAPACITY, map->name);
    report->has_logged = true;
    report->logged_mode = mode;
    memcpy(report->logged_map, map->name, sizeof map->name);
    for (uint32_t i = 0; i < view->event_count; i++) {
        const struct event *event = &view->events[i];
        bool death = event->kind == EVENT_KILL;
        log_write(report->log, LOG_DEBUG, "event %s%s%s subject=%u%s other=%u detail=%u x=%d y=%d tick=%u",
                  event_kind_name((enum event_kind)event->kind), death ? " by " : "",
                  death ? event_death_cause_name((enum death_cause)event->detail) : "", event->subject,
                  event->subject == view->slot ? " (you)" : "", event->other, event->detail, event->x, event->y,
                  event->tick);
    }
    count_bytes(report, client, now_us);
}

void play_report_frame(struct play_report *report, const struct camera *camera, uint32_t draw_us)
{
    uint32_t all = camera->framed + camera->unframed;
    if (all / FRAMED_TICKS != report->logged_framed)
        log_write(report->log, LOG_DEBUG, "framing: %u ticks of players here, %u of them outside the picture", all,
                  camera->unframed);
    report->logged_framed = all / FRAMED_TICKS;
    report->graph.draw_us = draw_us;
    histogram_add(report->draw_us, draw_us);
}
