// SPDX-License-Identifier: MIT
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "options/options.h"

// --- stages

#define STAGE_MS_MAX 86400000

bool workload_stages_read(struct load_stages *stages, const char *text, uint32_t most, struct error *error)
{
    stages->count = 0;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char stage[40];
        snprintf(stage, sizeof stage, "%.*s", (int)strcspn(at, ","), at);
        if (stages->count == LOAD_STAGES_CAPACITY)
            return error_set(error, "--stages: write at most %d stages", LOAD_STAGES_CAPACITY);
        char *rest;
        int64_t duration_ms;
        unsigned long clients = strtoul(stage, &rest, 10);
        bool good = *stage >= '0' && *stage <= '9' && *rest == ':' && clients <= most &&
                    option_value_duration(rest + 1, &duration_ms) && duration_ms >= 1 && duration_ms <= STAGE_MS_MAX;
        if (good)
            stages->rows[stages->count++] = (struct load_stage){(uint32_t)clients, (uint64_t)duration_ms * 1000};
        else
            return error_set(
                error, "--stages '%s': write COUNT:TIME,COUNT:TIME as in 10:30s,100:60s, up to %u clients and 24h each",
                stage, most);
    }
    if (workload_stages_most(stages) > 0)
        return true;
    return error_set(error, "--stages: at least one stage must want clients");
}

void workload_stages_steady(struct load_stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us)
{
    uint64_t ramp_us = CLOCK_SECOND_US * count / rate;
    if (ramp_us > duration_us) { // too short for all to join
        ramp_us = duration_us;
        count = (uint32_t)(duration_us * rate / CLOCK_SECOND_US);
    }
    *stages = (struct load_stages){2, {{count, ramp_us}, {count, duration_us - ramp_us}}};
}

uint32_t workload_stages_wanted(const struct load_stages *stages, uint64_t elapsed_us)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < stages->count; i++) {
        const struct load_stage *stage = &stages->rows[i];
        if (elapsed_us < stage->duration_us) {
            uint64_t span = stage->clients > before ? stage->clients - before : before - stage->clients;
            uint32_t changed = (uint32_t)(span * elapsed_us / stage->duration_us);
            // Each client has a share of the time: it joins at the beginning of its share, or leaves at the end of it.
            return stage->clients > before ? before + changed + 1 : before - changed;
        }
        elapsed_us -= stage->duration_us;
        before = stage->clients;
    }
    return before;
}

uint32_t workload_stages_most(const struct load_stages *stages)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < stages->count; i++)
        most = stages->rows[i].clients > most ? stages->rows[i].clients : most;
    return most;
}

uint64_t workload_stages_duration_us(const struct load_stages *stages)
{
    uint64_t duration_us = 0;
    for (uint32_t i = 0; i < stages->count; i++)
        duration_us += stages->rows[i].duration_us;
    return duration_us;
}

// --- behaviours

static const char *const NAMES[BEHAVIOURS] = {
    [BEHAVIOUR_PLAY] = "play",
    [BEHAVIOUR_IDLE] = "idle",
    [BEHAVIOUR_CHURN] = "churn",
    [BEHAVIOUR_FLOOD] = "flood",
    [BEHAVIOUR_SLOW_READER] = "slow-reader",
};

// Reads one share of `length` bytes, "churn:2" or "churn".
static bool read_share(struct behaviour_mix *mix, const char *text, size_t length)
{
    size_t name_length = strcspn(text, ":,");
    char *rest = NULL;
    unsigned long share = 1;
    if (name_length < length) {
        share = strtoul(text + name_length + 1, &rest, 10);
        if (text[name_length + 1] < '0' || text[name_length + 1] > '9' || rest != text + length)
            return false;
    }
    for (uint32_t i = 0; i < BEHAVIOURS; i++) {
        if (strlen(NAMES[i]) != name_length || strncmp(NAMES[i], text, name_length) != 0)
            continue;
        mix->shares[i] += (uint32_t)share;
        return share > 0 && share <= BEHAVIOUR_SHARE_MAX && mix->shares[i] <= BEHAVIOUR_SHARE_MAX;
    }
    return false;
}

bool workload_mix_parse(struct behaviour_mix *mix, const char *text, struct error *error)
{
    *mix = (struct behaviour_mix){0};
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        if (read_share(mix, at, length))
            continue;
        return error_set(
            error, "--behaviour '%.*s': write play, idle, churn, flood or slow-reader, or shares as in play:8,churn:2",
            (int)(length < 60 ? length : 60), at);
    }
    return true;
}

enum behaviour workload_mix_pick(const struct behaviour_mix *mix, uint32_t client)
{
    uint32_t total = 0, behaviour = 0;
    for (uint32_t i = 0; i < BEHAVIOURS; i++)
        total += mix->shares[i];
    uint32_t position = total ? client % total : 0;
    while (behaviour + 1 < BEHAVIOURS && position >= mix->shares[behaviour])
        position -= mix->shares[behaviour++];
    return (enum behaviour)behaviour;
}

bool workload_is_abusive(enum behaviour behaviour)
{
    return behaviour == BEHAVIOUR_FLOOD || behaviour == BEHAVIOUR_SLOW_READER;
}

// --- commands

bool workload_command_parse(struct control_command *command, const char *line, uint32_t most, struct error *error)
{
    static const char *const words[] = {"count", "behaviour", "mark", "stop"};
    size_t length = strcspn(line, " "), kind = 0;
    while (kind < sizeof words / sizeof *words &&
           (strlen(words[kind]) != length || strncmp(line, words[kind], length) != 0))
        kind++;
    const char *rest = line + length + strspn(line + length, " ");
    *command = (struct control_command){.kind = (enum control_kind)kind, .text = rest, .text_bytes = strlen(rest)};
    // deadfall-admin quotes a text with blanks that is one word of its command line.
    if (command->text_bytes >= 2 && rest[0] == '"' && rest[command->text_bytes - 1] == '"') {
        command->text++;
        command->text_bytes -= 2;
    }
    if (kind == CONTROL_COUNT) {
        char *end;
        unsigned long count = strtoul(rest, &end, 10);
        command->count = (uint32_t)count;
        return (*rest >= '0' && *rest <= '9' && *end == 0 && count <= most) ||
               error_set(error, "count: write a number from 0 to %u", most);
    }
    if (kind == CONTROL_BEHAVIOUR)
        return workload_mix_parse(&command->mix, rest, error);
    if (kind == CONTROL_MARK && *rest)
        return true;
    if (kind == CONTROL_STOP && !*rest)
        return true;
    return error_set(error, "write count N, behaviour MIX, mark TEXT or stop");
}
