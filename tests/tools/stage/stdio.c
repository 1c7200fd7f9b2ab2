// SPDX-License-Identifier: MIT
//
// Streams that read from pipes. Inside the C library they call the kernel directly, so whether there is something to
// read is asked before, each time their buffer is empty.
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

char *__fgets_chk(char *restrict line, size_t room, int size, FILE *restrict stream);
size_t __fread_chk(void *restrict bytes, size_t room, size_t size, size_t count, FILE *restrict stream);

static bool is_empty(FILE *stream)
{
    return stream->_IO_read_ptr >= stream->_IO_read_end;
}

static int next(FILE *stream, const char *call)
{
    if (is_empty(stream) && !feof_unlocked(stream) && fileno(stream) >= 0 && await_input(fileno(stream), 0, call))
        return EOF;
    return REAL(fgetc)(stream);
}

int fgetc(FILE *stream)
{
    return next(stream, "fgetc");
}

#undef getc
int getc(FILE *stream)
{
    return next(stream, "getc");
}

#undef getchar
int getchar(void)
{
    return next(stdin, "getchar");
}

char *fgets(char *restrict line, int size, FILE *restrict stream)
{
    int length = 0, byte = 0;
    while (length < size - 1 && byte != '\n' && (byte = next(stream, "fgets")) != EOF)
        line[length++] = (char)byte;
    if (length == 0 && size > 1)
        return NULL;
    line[length] = '\0';
    return line;
}

char *__fgets_chk(char *restrict line, size_t room, int size, FILE *restrict stream)
{
    (void)room;
    return fgets(line, size, stream);
}

ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream)
{
    size_t length = 0;
    int byte = EOF + 1;
    if (!*line)
        *room = 0;
    while (length == 0 || byte != end) {
        if ((byte = next(stream, "getline")) == EOF)
            break;
        if (length + 2 > *room) {
            size_t wanted = *room < 64 ? 128 : *room * 2;
            char *larger = realloc(*line, wanted);
            if (!larger)
                return -1;
            *line = larger;
            *room = wanted;
        }
        (*line)[length++] = (char)byte;
        (*line)[length] = '\0';
    }
    return length ? (ssize_t)length : -1;
}

// What inline functions of the C library call.
ssize_t __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream)
{
    return getdelim(line, room, end, stream);
}

ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    return getdelim(line, room, '\n', stream);
}

// A stream with something in its buffer gives that first, so that it is asked before each fill.
size_t fread(void *restrict bytes, size_t size, size_t count, FILE *restrict stream)
{
    size_t wanted = size * count, done = 0;
    while (done < wanted) {
        if (is_empty(stream) && fileno(stream) >= 0 && await_input(fileno(stream), 0, "fread"))
            break;
        size_t there = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
        size_t part = there == 0 ? 1 : there < wanted - done ? there : wanted - done;
        size_t found = REAL(fread)((char *)bytes + done, 1, part, stream);
        done += found;
        if (found == 0)
            break;
    }
    return size ? done / size : 0;
}

size_t __fread_chk(void *restrict bytes, size_t room, size_t size, size_t count, FILE *restrict stream)
{
    (void)room;
    return fread(bytes, size, count, stream);
}
