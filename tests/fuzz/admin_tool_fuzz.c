// SPDX-License-Identifier: MIT
//
// Fuzzes the program deadfall-admin with any answers of a server. By the bits of the input's first byte it reads its
// commands from a terminal, from a file or from its command line, and asks for JSON. The commands are the rest of the
// input up to a zero byte; then come the answers. Whatever comes, the program ends, prints clean text, and a command is
// done only if the server says so.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/utf8.h"
#include "options/options.h"
#include "require.h"
#include "tool_main.h"
#undef main

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { JSON = 1, STDIN = 2, TERMINAL = 4 }; // bits of the first byte
enum { FILE_OF_SERVER = 1000 };

static FILE *to_server, *from_server;
static uint8_t flags;
static const uint8_t *answers;
static size_t answers_bytes;

int __wrap_socket(int domain, int type, int protocol);
int __wrap_connect(int file, const struct sockaddr *address, socklen_t address_bytes);
int __wrap_dup(int file);
int __real_dup(int file);
FILE *__wrap_fdopen(int file, const char *mode);
FILE *__real_fdopen(int file, const char *mode);
int __wrap_isatty(int file);

int __wrap_socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return FILE_OF_SERVER;
}

int __wrap_connect(int file, const struct sockaddr *address, socklen_t address_bytes)
{
    (void)file, (void)address, (void)address_bytes;
    return 0;
}

int __wrap_dup(int file)
{
    return file == FILE_OF_SERVER ? file : __real_dup(file);
}

// Reads from memory. An empty file has no memory.
static FILE *open_bytes(const uint8_t *bytes, size_t byte_count)
{
    FILE *file = byte_count ? fmemopen((void *)(uintptr_t)bytes, byte_count, "r") : fopen("/dev/null", "r");
    require(file != NULL);
    return file;
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    if (file != FILE_OF_SERVER)
        return __real_fdopen(file, mode);
    if (mode[0] == 'w')
        return to_server = fopen("/dev/null", "w");
    return from_server = open_bytes(answers, answers_bytes);
}

int __wrap_isatty(int file)
{
    (void)file;
    return flags & TERMINAL;
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
    from_server = to_server = NULL;
    int code = run(words, flags & STDIN ? 3 : 4, commands);
    require(code == EXIT_OK || code == EXIT_FAILED || code == EXIT_IO);
    require(code != EXIT_OK || flags & STDIN || memmem(answers, answers_bytes, "done", 4));
    fclose(commands);
    fclose(from_server);
    fclose(to_server);
    return 0;
}
