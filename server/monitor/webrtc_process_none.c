// SPDX-License-Identifier: MIT
//
// Where deadfall-webrtc does not run.
#include "webrtc_process.h"

bool webrtc_process_open(struct webrtc_process *webrtc, const char *certificate, const struct log *log, uint64_t now_ns,
                         struct error *error)
{
    (void)webrtc, (void)certificate, (void)log, (void)now_ns;
    return error_set(error, "on this system browsers cannot join a server: leave --web off");
}

void webrtc_process_update(struct webrtc_process *webrtc, uint64_t now_ns)
{
    (void)webrtc, (void)now_ns;
}

void webrtc_process_report(const struct webrtc_process *webrtc, struct webrtc_health *health)
{
    (void)webrtc, (void)health;
}

void webrtc_process_close(struct webrtc_process *webrtc)
{
    (void)webrtc;
}
