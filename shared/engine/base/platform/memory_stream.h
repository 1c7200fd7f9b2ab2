// SPDX-License-Identifier: MIT
//
// A stream of C that writes into memory, for text of any length.
#ifndef PLATFORM_MEMORY_STREAM_H
#define PLATFORM_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

struct memory_stream {
    FILE *out; ///< to write to
    char *text;
    size_t byte_count;
};

/// Opens one. Returns where to write, or null without memory.
FILE *memory_stream_open(struct memory_stream *stream);
/// Closes it. Returns the text with a final zero, for free(), and its bytes without that; null if something was lost.
char *memory_stream_close(struct memory_stream *stream, size_t *byte_count);

#endif
