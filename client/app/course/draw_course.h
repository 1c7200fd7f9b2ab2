// SPDX-License-Identifier: MIT
//
// What is drawn over a course: the ghosts, the clock with the medals, the sentence of a lesson with its keys, and how
// the course ended.
#ifndef APP_COURSE_DRAW_COURSE_H
#define APP_COURSE_DRAW_COURSE_H

#include "course_run.h"
#include "hud/hints.h"
#include "scene/camera.h"

/// How it is drawn.
struct draw_course_options {
    const struct hints *hints;   ///< names the player's keys
    const struct camera *camera; ///< of the picture
    bool has_ghosts;             ///< they are shown
    bool large_text;
};

/// Draws the ghosts of a course, faintly.
void draw_course_ghosts(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options);

/// Draws the clock of a world that is a course, in the middle above, with the medal that can still be won and the time
/// that it asks for.
void draw_course_clock(struct canvas *canvas, const struct view *view);

/// Draws all else.
void draw_course_hud(struct canvas *canvas, const struct course_run *run, const struct draw_course_options *options);

/// Writes a time: "12.34", or "1:02.50".
void draw_course_time(uint32_t ticks, char *text, size_t text_bytes);

/// Returns the colour of a medal, and its name in the language in use.
argb draw_course_medal_colour(enum medal medal);
const char *draw_course_medal_name(enum medal medal);

#endif
