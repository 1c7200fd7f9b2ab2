// SPDX-License-Identifier: MIT
//
// The load that a test makes: how many clients there should be at a time, in linear ramps one after the other
// ("10:30s,100:60s", each from the count before it, at first 0, to its own); what they do, "play", or "play:8,churn:2"
// for eight in ten and two in ten; and the lines by which a running test is told something else. Two behaviours are
// abusive, as no honest client is: the server may remove such a client, and what it sees of the match is not measured.
// Pure; load_test.c asks at each pulse.
#ifndef LOAD_WORKLOAD_H
#define LOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

// --- stages

/// Stages at most.
#define LOAD_STAGES_CAPACITY 32

/// The stages of a run.
struct load_stages {
    uint32_t count;
    struct load_stage {
        uint32_t clients;     ///< at the end of the stage
        uint64_t duration_us; ///< of the stage
    } rows[LOAD_STAGES_CAPACITY];
};

/// Reads "10:30s,100:60s". No stage may have more than `most` clients, and at least one must have some. False with an
/// error.
bool workload_stages_read(struct load_stages *stages, const char *text, uint32_t most, struct error *error);
/// Sets stages in which `count` clients join at `rate` a second and stay until the end at `duration_us`.
void workload_stages_steady(struct load_stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us);

/// Returns how many clients there should be, by the time since the start; after the end as at the end.
uint32_t workload_stages_wanted(const struct load_stages *stages, uint64_t elapsed_us);
/// Returns the largest number of clients.
uint32_t workload_stages_most(const struct load_stages *stages);
/// Returns when the last stage ends, us.
uint64_t workload_stages_duration_us(const struct load_stages *stages);

// --- behaviours

/// What a client does.
enum behaviour {
    BEHAVIOUR_PLAY,        ///< plays as the AI does (full clients) or walks at random
    BEHAVIOUR_IDLE,        ///< holds nothing
    BEHAVIOUR_CHURN,       ///< plays, leaves after 2 to 6 seconds, and comes back after 0.5 to 2
    BEHAVIOUR_FLOOD,       ///< plays, and also sends thousands of messages a second, some of them nonsense
    BEHAVIOUR_SLOW_READER, ///< sends, but reads only every 2 seconds, so that what it confirms is too old
    BEHAVIOURS
};

/// How many clients have which behaviour, as shares.
struct behaviour_mix {
    uint32_t shares[BEHAVIOURS]; ///< 0 to BEHAVIOUR_SHARE_MAX, not all 0
};
/// Largest share of a behaviour.
#define BEHAVIOUR_SHARE_MAX 1000

/// Reads "play" or "play:8,churn:2". False with an error.
bool workload_mix_parse(struct behaviour_mix *mix, const char *text, struct error *error);
/// Returns the behaviour of a client, by its number: the same in every run.
enum behaviour workload_mix_pick(const struct behaviour_mix *mix, uint32_t client);

/// Returns whether a behaviour is abusive.
bool workload_is_abusive(enum behaviour behaviour);

// --- commands, one a line: "count 20", "behaviour play:8,churn:2", "mark the server restarts", "stop"

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
bool workload_command_parse(struct control_command *command, const char *line, uint32_t most, struct error *error);

#endif
