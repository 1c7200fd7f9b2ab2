// SPDX-License-Identifier: MIT
#include "library_heap.h"

#include <string.h>

#include "require.h"

// Before each block: its size, and room so that the block is aligned.
enum { HEAD_WORDS = 2 };

static size_t count;

void *__libc_malloc(size_t byte_count);
void __libc_free(void *bytes);

void *library_heap_take(size_t byte_count)
{
    size_t *block = __libc_malloc(HEAD_WORDS * sizeof *block + byte_count);
    require(block != NULL);
    block[0] = byte_count;
    count++;
    return block + HEAD_WORDS;
}

void library_heap_free(void *bytes)
{
    if (!bytes)
        return;
    count--;
    __libc_free((size_t *)bytes - HEAD_WORDS);
}

void *library_heap_resize(void *bytes, size_t byte_count)
{
    size_t kept = library_heap_size(bytes) < byte_count ? library_heap_size(bytes) : byte_count;
    void *more = library_heap_take(byte_count);
    memcpy(more, bytes, kept);
    library_heap_free(bytes);
    return more;
}

size_t library_heap_size(const void *bytes)
{
    return ((const size_t *)bytes)[-HEAD_WORDS];
}

size_t library_heap_count(void)
{
    return count;
}
