// SPDX-License-Identifier: MIT
//
// The courses that the game ships: six lessons and twenty trials. Each is a map in shared/maps/trials and, beside it,
// the input script of its golden ghost. Their titles and sentences stand here, where translators find them.
#ifndef APP_COURSE_COURSE_H
#define APP_COURSE_COURSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "game/state.h"

/// Courses, lessons first.
#define COURSE_LESSONS 6
#define COURSE_TRIALS  20
#define COURSE_COUNT   (COURSE_LESSONS + COURSE_TRIALS)
/// Sentences of a course; of a lesson, one for each thing that is done.
#define COURSE_TASKS 3

/// What one can win.
enum medal { MEDAL_NONE, MEDAL_BRONZE, MEDAL_SILVER, MEDAL_GOLD, MEDALS };

/// One course.
struct course {
    const char *name;                ///< of its files
    const char *title;               ///< in English
    uint32_t catches;                ///< arrows to catch
    uint32_t variants;               ///< bits, 1 << enum variant
    uint32_t gold_ticks;             ///< the slowest time for gold
    const char *tasks[COURSE_TASKS]; ///< in English; NULL: no more. The last stays to the end
    uint32_t buttons[COURSE_TASKS];  ///< shown as keys before each sentence: bits of enum button
};

extern const struct course COURSES[COURSE_COUNT];

/// Finds the file of a course: `ending` is ".tmj" for its map and ".txt" for its ghost. Returns false, with an empty
/// path, if it is not installed.
bool course_find(const struct course *course, const char *ending, char *path, size_t path_bytes);

/// Finds a course by its name; NULL if there is none.
const struct course *course_of_name(const char *name);

/// Returns whether it is a lesson, which has no medals.
bool course_is_lesson(const struct course *course);

/// Returns the slowest time for a medal, ticks.
uint32_t course_medal_ticks(const struct course *course, enum medal medal);
/// Returns the medal for a time, ticks; 0: the course was not done.
enum medal course_medal(const struct course *course, uint32_t ticks);

#endif
