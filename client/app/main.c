// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "app/replay/clip.h"
#include "base/clock.h"
#include "base/platform/process.h"
#include "links.h"

static uint64_t now_us(void)
{
    return clock_now_ns() / 1000;
}

// One line for each per cent, which clip.c reads as well.
static void print_progress(uint32_t per_cent)
{
    printf("%u %%\n", per_cent);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct settings settings;
    static struct input_script script;
    static struct options_result result;
    process_forbid_core_dumps();
    switch (settings_read(&settings, argc, argv, getenv, stdout, &result)) {
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        fprintf(stderr, "deadfall: %s\n", result.error.text);
        return (int)result.error.code;
    case OPTIONS_RUN:
        break;
    }
    struct log log = {
        .out = stderr, .level = settings.log_level, .format = settings.log_format, .unix_time = clock_unix_s};
    struct error error;
    if (settings.links != SETTINGS_LINKS_STAY) {
        int code = links_register(&settings, stdout, &error);
        if (code != EXIT_OK)
            fprintf(stderr, "deadfall: %s\n", error.text);
        return code;
    }
    if (settings.input_script[0] && !input_script_load(&script, settings.input_script, &error)) {
        log_write(&log, LOG_ERROR, "%s", error.text);
        return error.code;
    }
    if (settings.export_path[0]) {
        struct clip clip = {settings.replay, settings.export_path, settings.from_ms, settings.to_ms, print_progress};
        if (clip_write(&clip, &error))
            return EXIT_OK;
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    if (settings.name_is_cut)
        log_write(&log, LOG_WARNING, "A name has at most %d bytes: it is cut to \"%s\".", PLAYER_NAME_BYTES,
                  settings.name);
    return (int)app_run(&(struct app_config){
        .settings = &settings, .script = settings.input_script[0] ? &script : NULL, .log = &log, .now_us = now_us});
}
