// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "scenario_run.h"

static const char USAGE[] =
    "usage: deadfall-scenario [--reference] FILE|-\n"
    "Runs a physics scenario and prints what happened. Exits 0 when all that it expects holds, 1 when not,\n"
    "65 on a malformed file.\n"
    "  --reference  run it through the literal pixel-by-pixel implementation (the output must be the same)\n"
    "  --help       print this\n"
    "  --version    print the version\n";

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
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return status;
    }
    perror("standard output cannot be written");
    return EX_IOERR;
}

static int run_file(const char *name, bool reference)
{
    bool is_input = strcmp(name, "-") == 0;
    FILE *file = is_input ? stdin : fopen(name, "rb");
    size_t bytes = 0;
    char *text = file != NULL ? read_all(file, &bytes) : NULL;
    if (text == NULL) {
        fprintf(stderr, "%s: ", is_input ? "standard input" : name);
        perror("cannot be read");
        return EX_IOERR;
    }
    struct words_error error;
    struct scenario *scenario = scenario_parse(text, bytes, &error);
    int status = EX_DATAERR;
    if (scenario == NULL) {
        fprintf(stderr, "%s:%d:%d: %s\n", name, error.line, error.column, error.sentence);
    } else {
        switch (scenario_run(scenario, name, reference, stdout, stderr)) {
        case SCENARIO_PASSED:
            status = EXIT_SUCCESS;
            break;
        case SCENARIO_FAILED:
            status = EXIT_FAILURE;
            break;
        case SCENARIO_IMPOSSIBLE:
            status = EX_DATAERR;
            break;
        }
    }
    scenario_free(scenario);
    free(text);
    if (!is_input) {
        fclose(file);
    }
    return end(status);
}

static int usage_error(const char *what, const char *argument)
{
    fprintf(stderr, "deadfall-scenario: %s%s\n%s", what, argument, USAGE);
    return EX_USAGE;
}

int main(int argc, char **argv)
{
    bool reference = false;
    const char *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(USAGE, stdout);
            return end(EXIT_SUCCESS);
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("deadfall-scenario " DEADFALL_VERSION);
            return end(EXIT_SUCCESS);
        }
        if (strcmp(argv[i], "--reference") == 0) {
            reference = true;
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            return usage_error("unknown option ", argv[i]);
        } else if (file != NULL) {
            return usage_error("one file at a time, not also ", argv[i]);
        } else {
            file = argv[i];
        }
    }
    return file != NULL ? run_file(file, reference) : usage_error("which file?", "");
}
