// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"

#include "app.h"

static uint64_t now_us(void)
{
    return clock_now_ns() / 1000;
}

static enum exit_code read_script(struct input_script *script, const char *path, const struct log *log)
{
    static char text[INPUT_SCRIPT_BYTES_MAX + 1];
    size_t byte_count;
    struct error error;
    if (!file_read(path, text, INPUT_SCRIPT_BYTES_MAX, &byte_count)) {
        log_write(log, LOG_ERROR, "The input script %s cannot be read: %s.", path,
                  errno == EFBIG ? "it is larger than 32 KiB" : strerror(errno));
        return EXIT_IO;
    }
    if (input_script_read(script, path, text, &error))
        return EXIT_OK;
    log_write(log, LOG_ERROR, "%s", error.text);
    return EXIT_DATA;
}

int main(int argc, char **argv)
{
    static struct settings settings;
    static struct input_script script;
    static struct options_result result;
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
    enum exit_code code = settings.input_script[0] ? read_script(&script, settings.input_script, &log) : EXIT_OK;
    if (code)
        return (int)code;
    if (settings.name_is_cut)
        log_write(&log, LOG_WARNING, "A name has at most %d bytes: it is cut to \"%s\".", PLAYER_NAME_BYTES,
                  settings.name);
    return (int)app_run(&(struct app_config){
        .settings = &settings, .script = settings.input_script[0] ? &script : 0, .log = &log, .now_us = now_us});
}
