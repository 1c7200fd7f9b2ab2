// SPDX-License-Identifier: MIT
//
// The session that is a course: opens it, gives it the player's buttons and draws it, until a menu leaves it.
// course_run.h steps it.
#ifndef APP_COURSE_SESSION_H
#define APP_COURSE_SESSION_H

#include "app/course/course_run.h"
#include "session.h"

/// The state of SESSION_COURSE. About 600 KB.
struct course_session {
    struct session_context *context;
    struct course_run run; ///< closed unless a course is played
    bool hides_ghosts;
};

#endif
