// SPDX-License-Identifier: MIT
//
// What is counted and logged of a match: the net graph with the bytes of a second, events, where it is played, and how
// often players were outside the picture.
#ifndef APP_PLAY_REPORT_H
#define APP_PLAY_REPORT_H

#include "base/histogram.h"
#include "base/log.h"
#include "core/client.h"
#include "hud/hud.h"
#include "scene/camera.h"

/// The report. Zero-initialise, and set what is above the blank line.
struct play_report {
    const struct log *log;
    struct histogram *draw_us; ///< how long frames took to draw

    bool is_shown; ///< the net graph
    struct hud_net graph;
    uint64_t second_us, in, out; ///< start of the current second, and the byte counts then
    uint32_t seconds;            ///< of matches
    bool has_logged;             ///< logged_mode and logged_map are set
    uint32_t logged_mode;        ///< of the match that was logged last
    char logged_map[MAP_NAME_CAPACITY];
    uint32_t logged_framed; ///< ticks of players in the picture, as logged last
};

/// Takes what is about to be drawn.
void play_report_view(struct play_report *report, const struct client *client, const struct view *view,
                      uint64_t now_us);
/// Takes the frame, which took so long to draw.
void play_report_frame(struct play_report *report, const struct camera *camera, uint32_t draw_us);

#endif
