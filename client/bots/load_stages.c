// SPDX-License-Identifier: MIT
#include "load_stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/option.h"
#include "options/options.h"

#define STAGE_MS_MAX 86400000

// Reads one stage, "100:60s".
static bool read_stage(struct load_stage *stage, const char *text, uint32_t most)
{
    char *rest;
    int64_t duration_ms;
    unsigned long clients = strtoul(text, &rest, 10);
    if (*text < '0' || *text > '9' || *rest != ':' || clients > most ||
        !option_value_duration(rest + 1, &duration_ms) || duration_ms < 1 || duration_ms > STAGE_MS_MAX)
        return false;
    *stage = (struct load_stage){(uint32_t)clients, (uint64_t)duration_ms * 1000};
    return true;
}

bool load_stages_read(struct load_stages *stages, const char *text, uint32_t most, struct error *error)
{
    stages->count = 0;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char stage[40];
        snprintf(stage, sizeof stage, "%.*s", (int)strcspn(at, ","), at);
        if (stages->count == LOAD_STAGES_CAPACITY)
            return error_set(error, "--stages: write at most %d stages", LOAD_STAGES_CAPACITY);
        if (!read_stage(&stages->rows[stages->count++], stage, most))
            return error_set(
                error, "--stages '%s': write COUNT:TIME,COUNT:TIME as in 10:30s,100:60s, up to %u clients and 24h each",
                stage, most);
    }
    if (load_stages_most(stages) > 0)
        return true;
    return error_set(error, "--stages: at least one stage must want clients");
}

void load_stages_steady(struct load_stages *stages, uint32_t count, uint32_t rate, uint64_t duration_us)
{
    uint64_t ramp_us = UINT64_C(1000000) * count / rate;
    if (ramp_us > duration_us) { // too short for all to join
        ramp_us = duration_us;
        count = (uint32_t)(duration_us * rate / 1000000);
    }
    *stages = (struct load_stages){2, {{count, ramp_us}, {count, duration_us - ramp_us}}};
}

uint32_t load_stages_wanted(const struct load_stages *stages, uint64_t elapsed_us)
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

uint32_t load_stages_most(const struct load_stages *stages)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < stages->count; i++)
        most = stages->rows[i].clients > most ? stages->rows[i].clients : most;
    return most;
}

uint64_t load_stages_duration_us(const struct load_stages *stages)
{
    uint64_t duration_us = 0;
    for (uint32_t i = 0; i < stages->count; i++)
        duration_us += stages->rows[i].duration_us;
    return duration_us;
}
