// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "options/options.h"
#include "scenario_run.h"

enum { FILES_MAX = 4096, NAME_BYTES = 4096 };

static struct settings {
    bool reference;
} settings;

static const struct option OPTIONS[] = {
    {"reference", OPTION_FLAG, offsetof(struct settings, reference),
     .help = "run it through the literal pixel-by-pixel implementation; the output must be the same"},
};

static const struct program PROGRAM = {
    .name = "deadfall-scenario",
    .summary = "Runs physics scenarios and prints what happened. Exits 0 when all that they expect holds, 1 when not,\n"
               "65 on a malformed file; the highest status of several files counts.",
    .operands = "FILE|-...",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .operand_capacity = FILES_MAX,
};

// The whole of a file, at most one byte more than a scenario may have; null if it cannot be read.
static char *read_all(FILE *file, size_t *bytes)
{
    char *text = malloc(SCENARIO_TEXT_BYTES_MAX + 1);
    if (text != NULL) {
        *bytes = fread(text, 1, SCENARIO_TEXT_BYTES_MAX + 1, file);
        if (ferror(file)) {
            free(text);
            text = NULL;
        }
    }
    return text;
}

static int end(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("standard output cannot be written");
    return EXIT_IO;
}

static int run_file(const char *path, bool reference, bool is_one_of_many)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    int reason = errno;
    char name[NAME_BYTES];
    utf8_escape(name, sizeof name, is_input ? "standard input" : path);
    if (is_one_of_many)
        printf("# %s\n", name);
    size_t bytes = 0;
    char *text = file != NULL ? read_all(file, &bytes) : NULL;
    if (text == NULL) {
        fprintf(stderr, "%s: cannot be read: %s\n", name, strerror(file ? errno : reason));
        if (file != NULL && !is_input)
            fclose(file);
        return EXIT_IO;
    }
    struct words_error error;
    struct scenario *scenario = scenario_parse(text, bytes, &error);
    int status = EXIT_DATA;
    if (scenario == NULL) {
        fprintf(stderr, "%s:%d:%d: %s\n", name, error.line, error.column, error.message);
    } else {
        switch (scenario_run(scenario, name, reference, stdout, stderr)) {
        case SCENARIO_PASSED:
            status = EXIT_OK;
            break;
        case SCENARIO_FAILED:
            status = EXIT_FAILED;
            break;
        case SCENARIO_IMPOSSIBLE:
            status = EXIT_DATA;
            break;
        }
    }
    scenario_free(scenario);
    free(text);
    if (!is_input)
        fclose(file);
    return end(status);
}

static int usage_error(const char *message)
{
    fprintf(stderr, "deadfall-scenario: %s\n", message);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct options_result result;
    switch (options_read(&PROGRAM, &settings, argc, argv, getenv, stdout, &result)) {
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        return usage_error(result.error.text), result.error.code;
    case OPTIONS_RUN:
        break;
    }
    if (result.operand_count == 0)
        return usage_error("which file? --help shows the usage");
    int status = EXIT_OK;
    for (size_t i = 0; i < result.operand_count; i++) {
        int found = run_file(result.operands[i], settings.reference, result.operand_count > 1);
        status = found > status ? found : status;
    }
    return status;
}
