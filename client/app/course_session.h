// SPDX-License-Identifier: MIT
//
// The session that is a course: opens it, gives it the player's buttons and draws it, until a menu leaves it. trial.h
// steps it.
#ifndef APP_COURSE_SESSION_H
#define APP_COURSE_SESSION_H

#include "app/trial/trial.h"
#include "session.h"

/// A course that is played. About 600 KB: allocate it once. Zero-initialise, and set `context`.
struct course_session {
    struct session_context *context;
    struct trial trial; ///< closed unless a course is played
    bool hides_ghosts;
};

/// The functions of the session.
extern const struct session_interface COURSE;

/// Reads the best times of all courses for the lists of the menu. `folder`: of the best runs.
void course_session_list(struct menu_facts *facts, const char *folder);

#endif
