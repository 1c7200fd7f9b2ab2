// SPDX-License-Identifier: MIT
//
// The commands that a running load test takes on its control socket, one a line: "count 20", "behaviour
// play:8,churn:2", "mark the server restarts", "stop". Only reads them; load_test.c does what they say.
#ifndef BOTS_CONTROL_H
#define BOTS_CONTROL_H

#include "behaviour.h"

/// What to do.
enum control_kind {
    CONTROL_COUNT,     ///< this many clients from now on, instead of the stages
    CONTROL_BEHAVIOUR, ///< this behaviour from now on
    CONTROL_MARK,      ///< a mark in the report
    CONTROL_STOP,      ///< end the run, as if its time were over
};

struct control_command {
    enum control_kind kind;
    uint32_t count;
    struct behaviour_mix mix;
    const char *text; ///< of a mark; into the line, without quotes
    size_t text_bytes;
};

/// Reads a line; a count is at most `most`. False with an error.
bool control_parse(struct control_command *command, const char *line, uint32_t most, struct error *error);

#endif
