// SPDX-License-Identifier: MIT
#include "../memory_stream.h"

#include <stdbool.h>
#include <stdlib.h>

FILE *memory_stream_open(struct memory_stream *stream)
{
    *stream = (struct memory_stream){0};
    return stream->out = open_memstream(&stream->text, &stream->byte_count);
}

char *memory_stream_close(struct memory_stream *stream, size_t *byte_count)
{
    bool good = ferror(stream->out) == 0;
    good = fclose(stream->out) == 0 && good;
    *byte_count = good ? stream->byte_count : 0;
    if (good)
        return stream->text;
    free(stream->text);
    return NULL;
}
