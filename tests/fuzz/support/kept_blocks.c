// SPDX-License-Identifier: MIT
//
// Keeps large blocks of memory when they are freed, for the next allocation of the same size: with a sanitizer the
// kernel would map, clear and unmap each of them, which takes longer than most inputs. A read of a freed block is not
// noticed, one beyond its ends is. A fuzzer that links this redirects its calls with
// -Wl,--wrap=malloc,--wrap=calloc,--wrap=free.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MIN 65536 // of a block that is kept
#define CAPACITY  16

static struct block {
    void *bytes; // null: none yet
    size_t byte_count;
    bool used;
} blocks[CAPACITY];

void *__wrap_malloc(size_t byte_count);
void *__wrap_calloc(size_t count, size_t byte_count);
void __wrap_free(void *bytes);
void *__real_malloc(size_t byte_count);
void *__real_calloc(size_t count, size_t byte_count);
void __real_free(void *bytes);

// Returns a block of this size that is not used, or a place for a new one; null: there is no place.
static struct block *find(size_t byte_count)
{
    struct block *place = NULL;
    for (size_t i = 0; i < CAPACITY; i++) {
        if (blocks[i].bytes && !blocks[i].used && blocks[i].byte_count == byte_count)
            return &blocks[i];
        if (!blocks[i].bytes && !place)
            place = &blocks[i];
    }
    return place;
}

void *__wrap_malloc(size_t byte_count)
{
    struct block *block = byte_count >= BYTES_MIN ? find(byte_count) : NULL;
    if (!block)
        return __real_malloc(byte_count);
    if (!block->bytes)
        *block = (struct block){.bytes = __real_malloc(byte_count), .byte_count = byte_count};
    block->used = block->bytes != NULL;
    return block->bytes;
}

void *__wrap_calloc(size_t count, size_t byte_count)
{
    if (count != 1 || byte_count < BYTES_MIN)
        return __real_calloc(count, byte_count);
    void *bytes = __wrap_malloc(byte_count);
    return bytes ? memset(bytes, 0, byte_count) : NULL;
}

void __wrap_free(void *bytes)
{
    for (size_t i = 0; i < CAPACITY && bytes; i++)
        if (blocks[i].bytes == bytes) {
            blocks[i].used = false;
            return;
        }
    __real_free(bytes);
}
