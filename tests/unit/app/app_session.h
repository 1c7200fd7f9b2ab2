// SPDX-License-Identifier: MIT
//
// Runs the window program and a server in one process and in virtual time, for tests of the whole app. The window is
// SDL's dummy, keys are events that the test pushes, and datagrams go through virtual_udp.h. A wait lets virtual time
// pass.
#ifndef TESTS_APP_SESSION_H
#define TESTS_APP_SESSION_H

#include "app/app.h"
#include "app/course_session.h"
#include "app/play/play.h"
#include "app/spectate.h"
#include "match/match.h"
#include "test_folder.h"

/// Everything. There is one.
struct app_session {
    struct settings settings;
    struct app_config config;
    struct log log;
    char *logged; ///< all lines so far
    size_t logged_bytes;
    struct transport *transport; ///< of the server
    struct match *match;
    uint16_t port;
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    char commands[1024];              ///< lines that the server has received as commands, each with a line feed
    uint64_t steps;                   ///< of virtual time, 240 a second
    void (*each_step)(uint64_t step); ///< called in each; NULL: nothing
    struct {
        uint64_t step;
        uint32_t key;
    } presses[8]; ///< keys that are pressed at a step
    size_t press_count;
    struct shell shell;
    struct play *play; ///< its sessions, as it was started last
    struct spectate *spectate;
    struct course_session *course;
};
extern struct app_session session;
extern struct shell *const shell; ///< its shell

/// Before all tests of a file: the folder of test_folder.h, which is --state-dir, and SDL's dummies. The folder goes
/// after them, by test_folder_remove.
void app_session_create(void);

/// Ends the session before it, if any, and starts a server with a password (NULL: none) on the map duel, and reads the
/// settings from up to six words of a command line (NULL ends them). "SERVER" stands for the server's address,
/// "FOLDER/..." for a file in the folder.
void app_session_begin(const char *password, const char *const *words);
/// Ends the server, and the app if it was started. Does nothing if none was begun.
void app_session_end(void);
/// Makes the server vanish (it no longer answers) or come back.
void app_session_silence_server(bool silent);

/// Starts the app as app_run() does, and lets some virtual time pass in it.
void app_session_start(void);
void app_session_pass(double seconds);

/// Begins, starts and joins a match as Ada; and the screen on top, NULL in a match.
void app_session_begin_match(void);
const struct screen *app_session_screen(void);

/// Presses a key (enum key) at a step of virtual time, for at most eight times in a run of the app.
void app_session_press_at(uint64_t step, uint32_t key);
/// Presses a key (enum key), with its name as typed text or NULL; and lets a moment pass.
void app_session_press(uint32_t key);
void app_session_repeat(uint32_t key); ///< as a key that is held
void app_session_type(const char *text);
/// Moves the focus to the item with a label that begins like this, and accepts it.
void app_session_choose(const char *label);

/// How often the log has these words, and whether it has them at all.
uint32_t app_session_times_logged(const char *words);
bool app_session_has_logged(const char *words);

#endif
