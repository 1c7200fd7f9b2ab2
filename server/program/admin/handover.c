// SPDX-License-Identifier: MIT
#include "handover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "options/options.h"

#define KEY_BYTES 40

static uint32_t checksum(const struct option *option, const struct settings *settings)
{
    static char value[OPTION_VALUE_BYTES];
    option_value_print(option, settings, value);
    return hash_crc32((const uint8_t *)value, strlen(value));
}

size_t handover_write(const struct admin_state *admin, const struct handover *handover,
                      char text[REPLAY_NOTE_BYTES_MAX])
{
    static char value[OPTION_VALUE_BYTES];
    size_t used = (size_t)snprintf(text, REPLAY_NOTE_BYTES_MAX, "ran %" PRIu64 "\n", handover->ran_ms);
    if (handover->drain_until_s != 0)
        used +=
            (size_t)snprintf(text + used, REPLAY_NOTE_BYTES_MAX - used, "drain %" PRId64 "\n", handover->drain_until_s);
    used += bracket_write(&admin->bracket, text + used);
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++) {
        const struct option *option = &SERVER_PROGRAM.options[i];
        if (!option->is_live || option_value_same(option, admin->settings, &admin->read))
            continue;
        option_value_print(option, admin->settings, value);
        size_t room = REPLAY_NOTE_BYTES_MAX - used;
        size_t length = (size_t)snprintf(text + used, room, "set %s %08x %s\n", option->name,
                                         checksum(option, &admin->read), value);
        used += length < room ? length : 0;
    }
    return used;
}

static void report(const struct admin_state *admin, const char *key, const char *why)
{
    log_event(admin->log, why ? LOG_WARNING : LOG_INFO,
              &(struct fields){why ? "option_lost" : "option_kept",
                               why ? "no longer as set: {option}: {reason}" : "kept as set: {option}",
                               {{"option", .text = key}, {"reason", .text = why ? why : ""}}});
}

// Takes "OPTION CRC-32 VALUE".
static void take_option(struct admin_state *admin, const char *line)
{
    char key[KEY_BYTES];
    char *end = NULL;
    size_t length = strcspn(line, " ");
    const struct option *option = option_value_find(&SERVER_PROGRAM, line, length);
    unsigned long read = line[length] ? strtoul(line + length + 1, &end, 16) : 0;
    if (!option || length >= sizeof key || !option->is_live || !end || *end != ' ')
        return;
    snprintf(key, sizeof key, "%s", option->name);
    if (checksum(option, &admin->read) != read) {
        report(admin, key, "the value that is read for it has changed");
        return;
    }
    const struct answer *answer = answers_look(&admin->option_changes.answers, option_change_set(admin, key, end + 1));
    report(admin, key, answer->outcome == ANSWER_DONE ? NULL : answer->text);
}

struct handover handover_read(struct admin_state *admin, const uint8_t *bytes, size_t byte_count)
{
    static char text[REPLAY_NOTE_BYTES_MAX + 1];
    struct handover handover = {0};
    char *rest = text, *line;
    memcpy(text, bytes, byte_count < REPLAY_NOTE_BYTES_MAX ? byte_count : REPLAY_NOTE_BYTES_MAX);
    text[byte_count < REPLAY_NOTE_BYTES_MAX ? byte_count : REPLAY_NOTE_BYTES_MAX] = '\0';
    while ((line = strsep(&rest, "\n"))) {
        if (strncmp(line, "ran ", 4) == 0)
            handover.ran_ms = strtoull(line + 4, NULL, 10);
        else if (strncmp(line, "drain ", 6) == 0)
            handover.drain_until_s = strtoll(line + 6, NULL, 10);
        else if (strncmp(line, "set ", 4) == 0)
            take_option(admin, line + 4);
        else
            bracket_read_line(&admin->bracket, line);
    }
    return handover;
}
