// SPDX-License-Identifier: MIT
//
// Fuzzes the server's options: any text as a config file, and the words of its first line as a command line. Accepted
// settings can be printed as a config file that gives the same settings; a refusal has a message and an exit code.
#include <string.h>

#include "lifecycle/settings.h"
#include "memory_file.h"
#include "options/options.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 12, LINE_BYTES = 1024 };

static FILE *answers;

static char *nothing(const char *name)
{
    (void)name;
    return NULL;
}

static enum options_outcome take(struct settings *settings, char **words, int count)
{
    struct options_result result = {.error.code = -1};
    memset(settings, 0, sizeof *settings);
    rewind(answers);
    enum options_outcome outcome = options_read(&SERVER_PROGRAM, settings, count, words, nothing, answers, &result);
    require(outcome != OPTIONS_WRONG || (result.error.text[0] && result.error.code > 0));
    return outcome;
}

static bool take_file(struct settings *settings, const void *text, size_t size)
{
    char program[] = "deadfall-server", option[] = "--config", path[] = "config";
    char *words[] = {program, option, path, NULL};
    memory_file_store(text, size);
    return take(settings, words, 3) == OPTIONS_RUN;
}

static void take_line(struct settings *settings, const uint8_t *data, size_t size)
{
    char line[LINE_BYTES] = "", program[] = "deadfall-server", *words[WORDS + 2] = {program}, *rest = NULL;
    memcpy(line, data, size < sizeof line - 1 ? size : sizeof line - 1);
    line[strcspn(line, "\n")] = 0;
    int count = 1;
    for (char *word = strtok_r(line, " ", &rest); word && count <= WORDS; word = strtok_r(NULL, " ", &rest))
        if (strncmp(word, "--config", 8) != 0) // it would read any file
            words[count++] = word;
    take(settings, words, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct settings settings, again;
    static char *printed;
    static size_t printed_bytes;
    answers = answers ? answers : open_memstream(&printed, &printed_bytes);
    if (take_file(&settings, data, size)) {
        rewind(answers);
        config_file_write(&SERVER_PROGRAM, &settings, answers);
        require(fflush(answers) == 0 && take_file(&again, printed, printed_bytes));
        for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++)
            require(option_value_same(&SERVER_PROGRAM.options[i], &settings, &again));
    }
    take_line(&settings, data, size);
    return 0;
}
