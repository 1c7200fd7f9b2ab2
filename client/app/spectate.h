// SPDX-License-Identifier: MIT
//
// The session that shows a recorded match, from a file or a web server, or a live one. replay_viewer.h plays it; here
// are what keys, mouse, fingers and gamepads do to it, and the clips that are made of it.
#ifndef APP_SPECTATE_H
#define APP_SPECTATE_H

#include "app/replay/clip.h"
#include "app/replay/replay_viewer.h"
#include "session.h"

/// The state of SESSION_SPECTATE. About 740 KB.
struct spectate {
    struct session_context *context;
    struct replay_viewer viewer; ///< closed unless something is shown
    struct clip_job clip;        ///< of what is shown
    uint32_t actions;            ///< pressed since the last frame (enum hotkey)
    uint64_t drawn_us;           ///< time of the last frame
    uint32_t logged_second;      ///< of the live match
    char logged_error[ERROR_TEXT_BYTES];
};

#endif
