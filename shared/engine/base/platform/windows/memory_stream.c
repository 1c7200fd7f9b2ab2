// SPDX-License-Identifier: MIT
//
// Streams of Windows write to files only: this one is a temporary file, which is not written to the disk if there is
// memory.
#include "../memory_stream.h"

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>

#include "error.h"
#include "text.h"

FILE *memory_stream_open(struct memory_stream *stream)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *stream = (struct memory_stream){0};
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"ddf", 0, path))
        return windows_error_take(), NULL;
    HANDLE handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                                FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return windows_error_take(), NULL;
    int file = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY | _O_NOINHERIT);
    if (file < 0)
        CloseHandle(handle);
    return stream->out = file >= 0 ? _fdopen(file, "w+b") : NULL;
}

char *memory_stream_close(struct memory_stream *stream, size_t *byte_count)
{
    long end = fflush(stream->out) == 0 ? ftell(stream->out) : -1;
    char *text = end >= 0 ? malloc((size_t)end + 1) : NULL;
    *byte_count = 0;
    if (text) {
        rewind(stream->out);
        *byte_count = fread(text, 1, (size_t)end, stream->out);
        text[*byte_count] = 0;
    }
    fclose(stream->out);
    if (text && *byte_count == (size_t)end)
        return text;
    *byte_count = 0;
    free(text);
    return NULL;
}
