// SPDX-License-Identifier: MIT
//
// Fuzzes the program deadfall-replay with any file or a damaged real one, each of its actions and both formats, as the
// bits of the input's first byte say. What it prints is clean text or valid JSON, a failure has a sentence, and no file
// but the real one is proven to be what it says.
#include <jansson.h>
#include <stdio.h>

#include "base/utf8.h"
#include "memory_file.h"
#include "net/crypto/dice.h"
#include "options/options.h"
#include "small_replay.h"
#include "tool_main.h"
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

enum { JSON = 4, ACTION_SHIFT = 3, ACTIONS = 5, WORDS = 5 }; // of the first byte

static struct small_replay real;

// What is printed.
static struct capture {
    FILE *file;
    char *text;
    size_t byte_count;
} out, err;

enum options_outcome __real_options_read(const struct program *program, void *settings, int argc, char **argv,
                                         char *(*environment)(const char *name), FILE *out,
                                         struct options_result *result);
enum options_outcome __wrap_options_read(const struct program *program, void *settings, int argc, char **argv,
                                         char *(*environment)(const char *name), FILE *out,
                                         struct options_result *result);

// A program starts with settings of zero, and here it starts many times.
enum options_outcome __wrap_options_read(const struct program *program, void *settings, int argc, char **argv,
                                         char *(*environment)(const char *name), FILE *answers,
                                         struct options_result *result)
{
    for (size_t i = 0; i < program->option_count; i++)
        memset((char *)settings + program->options[i].offset, 0,
               program->options[i].kind == OPTION_FLAG ? sizeof(bool) : sizeof(int64_t));
    return __real_options_read(program, settings, argc, argv, environment, answers, result);
}

static void begin_capture(struct capture *capture)
{
    if (!capture->file)
        capture->file = open_memstream(&capture->text, &capture->byte_count);
    rewind(capture->file);
}

static void check_capture(struct capture *capture, bool json)
{
    require(fflush(capture->file) == 0);
    const char *at = capture->text, *end = at + capture->byte_count, *line_end;
    for (; (line_end = memchr(at, '\n', (size_t)(end - at))); at = line_end + 1) {
        require(utf8_is_clean(at, (size_t)(line_end - at)));
        json_t *value = json ? json_loadb(at, (size_t)(line_end - at), 0, NULL) : NULL;
        require(!json || json_is_object(value));
        json_decref(value);
    }
    require(at == end);
}

static int run(char **words, int word_count)
{
    FILE *own_out = stdout, *own_err = stderr;
    begin_capture(&out);
    begin_capture(&err);
    stdout = out.file;
    stderr = err.file;
    int code = tool_main(word_count, words);
    stdout = own_out;
    stderr = own_err;
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static uint8_t copy[SMALL_REPLAY_BYTES_MAX];
    static char program[] = "deadfall-replay", path[] = "file", json[] = "--json";
    static char actions[ACTIONS][20] = {"--info", "--verify", "--events", "--hash-every=1", "--print-tick=602"};
    if (real.byte_count == 0) {
        memset(real.secret, 7, sizeof real.secret);
        require(dice_commit(real.commitment, real.secret));
    }
    size_t copy_bytes = small_replay_copy(&real, copy, bytes, byte_count);
    if (copy_bytes == 0)
        return 0;
    memory_file_store(copy, copy_bytes);
    uint32_t action = bytes[0] >> ACTION_SHIFT;
    char *words[WORDS] = {program, actions[action % ACTIONS], path, bytes[0] & JSON ? json : NULL};
    int code = run(words, bytes[0] & JSON ? 4 : 3);
    check_capture(&out, bytes[0] & JSON);
    check_capture(&err, false);
    require(code == EXIT_OK || code == EXIT_FAILED || code == EXIT_DATA || code == EXIT_USAGE);
    require((code == EXIT_DATA || code == EXIT_USAGE) == (err.byte_count > 0));
    return 0;
}
