// SPDX-License-Identifier: MIT
//
// Fuzzes the program deadfall-admin with any answers of a server. By the bits of the input's first byte it reads its
// commands from a terminal, from a file or from its command line, and asks for JSON. The commands are the rest of the
// input up to a zero byte; then come the answers. Whatever comes, the program ends, prints clean text, and a command is
// done only if the server says so.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/process.h"
#include "base/platform/stream.h"
#include "base/utf8.h"
#include "options/options.h"
#include "require.h"
#include "tool_main.h"
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JSON = 1, STDIN = 2, TERMINAL = 4 }; // bits of the first byte
enum { CONNECTION = 1000, PIECE_MAX = 97 };

static uint8_t flags;
static const uint8_t *answers;
static size_t answers_bytes;

int __wrap_stream_local_connect(const char *path);
int64_t __wrap_stream_local_send(int connection, const void *bytes, size_t byte_count);
int64_t __wrap_stream_local_receive(int connection, void *bytes, size_t capacity);
bool __wrap_stream_local_wait(int connection, int timeout_ms);
bool __wrap_process_is_terminal(FILE *stream);

int __wrap_stream_local_connect(const char *path)
{
    (void)path;
    return CONNECTION;
}

int64_t __wrap_stream_local_send(int connection, const void *bytes, size_t byte_count)
{
    require(connection == CONNECTION && memchr(bytes, '\n', byte_count) == (const char *)bytes + byte_count - 1);
    return (int64_t)byte_count;
}

// The answers come in pieces, and now and then there is nothing yet.
int64_t __wrap_stream_local_receive(int connection, void *bytes, size_t capacity)
{
    static bool pauses;
    size_t count = answers_bytes < PIECE_MAX ? answers_bytes : PIECE_MAX;
    require(connection == CONNECTION);
    errno = EAGAIN;
    if ((pauses = !pauses))
        return -1;
    count = count < capacity ? count : capacity;
    memcpy(bytes, answers, count);
    answers += count;
    answers_bytes -= count;
    return (int64_t)count;
}

bool __wrap_stream_local_wait(int connection, int timeout_ms)
{
    require(connection == CONNECTION && timeout_ms == -1);
    return true;
}

bool __wrap_process_is_terminal(FILE *stream)
{
    require(stream == stdin);
    return flags & TERMINAL;
}

// Reads from memory. An empty file has no memory.
static FILE *open_bytes(const uint8_t *bytes, size_t byte_count)
{
    FILE *file = byte_count ? fmemopen((void *)(uintptr_t)bytes, byte_count, "r") : fopen("/dev/null", "r");
    require(file != NULL);
    return file;
}

static void check_printed(const char *text, size_t text_bytes)
{
    const char *end = text + text_bytes, *line_end;
    for (; (line_end = memchr(text, '\n', (size_t)(end - text))); text = line_end + 1)
        require(utf8_is_clean(text, (size_t)(line_end - text)));
    require(utf8_is_clean(text, (size_t)(end - text))); // the prompt
}

static int run(char **words, int word_count, FILE *commands)
{
    static FILE *printed;
    static char *text;
    static size_t text_bytes;
    FILE *own[] = {stdin, stdout, stderr};
    printed = printed ? printed : open_memstream(&text, &text_bytes);
    rewind(printed);
    stdin = commands;
    stdout = stderr = printed;
    int code = tool_main(word_count, words);
    stdin = own[0], stdout = own[1], stderr = own[2];
    require(fflush(printed) == 0);
    check_printed(text, text_bytes);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char program[] = "deadfall-admin", json[] = "--json=on", text[] = "--json=off", path[] = "./admin",
         command[] = "status";
    flags = size > 0 ? data[0] : 0;
    const uint8_t *rest = data + (size > 0), *zero = size > 1 ? memchr(rest, 0, size - 1) : NULL;
    size_t commands_bytes = zero ? (size_t)(zero - rest) : 0;
    answers = zero ? zero + 1 : rest;
    answers_bytes = (size_t)(data + size - answers);
    char *words[] = {program, flags & JSON ? json : text, path, command, NULL};
    FILE *commands = open_bytes(rest, commands_bytes);
    const uint8_t *all = answers;
    size_t all_bytes = answers_bytes;
    int code = run(words, flags & STDIN ? 3 : 4, commands);
    require(code == EXIT_OK || code == EXIT_FAILED || code == EXIT_IO);
    require(code != EXIT_OK || flags & STDIN || memmem(all, all_bytes, "done", 4));
    fclose(commands);
    return 0;
}
