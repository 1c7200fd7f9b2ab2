// SPDX-License-Identifier: MIT
//
// The process that lets browsers join: starts deadfall-webrtc beside the server, keeps its certificate in the state
// directory, logs what it says on stderr, and starts it again if it has ended. Native clients do not notice; the
// sessions of browsers stay, and go on when their page has opened its data channel again.
#ifndef MONITOR_WEBRTC_PROCESS_H
#define MONITOR_WEBRTC_PROCESS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/log.h"
#include "lifecycle/server_health.h"
#include "net/webrtc.h"
#include "net/webrtc_filter.h"

#define WEBRTC_PROCESS_PATH_BYTES  512
#define WEBRTC_PROCESS_WORDS_BYTES 512

/// A process that has just been started.
struct webrtc_start {
    int file;    ///< the server's end of its socket pair; -1: it could not be started, errno is in `reason`
    int process; ///< its id
    int words;   ///< where its stderr can be read
    int reason;
};

struct webrtc_process {
    struct webrtc_link link;
    struct webrtc_filter filter;
    int process;       ///< 0: none runs
    pthread_t starter; ///< starts the next one, which may take longer than a tick; while `is_starting`
    bool is_starting;
    atomic_bool has_started; ///< the starter is done, with this:
    struct webrtc_start start;
    int ending;           ///< status of the last one that ended
    int words;            ///< its stderr; -1: none
    unsigned words_lines; ///< of it that were logged
    size_t words_bytes;   ///< of a line that is not whole yet
    char words_line[WEBRTC_PROCESS_WORDS_BYTES];
    uint32_t starts;
    uint64_t started_ns;
    char path[WEBRTC_PROCESS_PATH_BYTES];            ///< of the program
    char certificate[WEBRTC_PROCESS_PATH_BYTES];     ///< file of its key and certificate
    char fingerprint[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< "" until it is ready for the first time
    const struct log *log;
};

/// Starts it. `certificate`: path of the file that it keeps. False with an error if there is no such program.
bool webrtc_process_open(struct webrtc_process *webrtc, const char *certificate, const struct log *log, uint64_t now_ns,
                         struct error *error);
/// Starts it again if it has ended, at most once a second. Never waits.
void webrtc_process_update(struct webrtc_process *webrtc, uint64_t now_ns);
/// Writes how it is.
void webrtc_process_report(const struct webrtc_process *webrtc, struct webrtc_health *health);
/// Ends it, if it runs.
void webrtc_process_close(struct webrtc_process *webrtc);

#endif
