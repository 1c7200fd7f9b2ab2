// SPDX-License-Identifier: MIT
#include "behaviour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool behaviour_mix_parse(struct behaviour_mix *mix, const char *text, struct error *error)
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

enum behaviour behaviour_mix_pick(const struct behaviour_mix *mix, uint32_t client)
{
    uint32_t total = 0, behaviour = 0;
    for (uint32_t i = 0; i < BEHAVIOURS; i++)
        total += mix->shares[i];
    uint32_t position = total ? client % total : 0;
    while (behaviour + 1 < BEHAVIOURS && position >= mix->shares[behaviour])
        position -= mix->shares[behaviour++];
    return (enum behaviour)behaviour;
}

bool behaviour_is_abusive(enum behaviour behaviour)
{
    return behaviour == BEHAVIOUR_FLOOD || behaviour == BEHAVIOUR_SLOW_READER;
}
