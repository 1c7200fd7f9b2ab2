// SPDX-License-Identifier: MIT
#include "library_heap.h"

#include <stddef.h>
#include <string.h>

#include "require.h"

// Blocks of less than CLASSES * CLASS_BYTES are kept when they are freed, in a list for each size.
enum { CLASS_BYTES = 32, CLASSES = 256 };

// Before each block, which it aligns.
union head {
    max_align_t aligned;
    struct {
        size_t byte_count;
        union head *next; // of those that are kept
    };
};

static size_t count;
static union head *kept[CLASSES];

void *__libc_malloc(size_t byte_count);
void __libc_free(void *bytes);

static size_t class_of(size_t byte_count)
{
    return (byte_count + CLASS_BYTES - 1) / CLASS_BYTES;
}

void *library_heap_take(size_t byte_count)
{
    size_t class = class_of(byte_count);
    union head *head = class < CLASSES ? kept[class] : NULL;
    if (head)
        kept[class] = head->next;
    else
        head = __libc_malloc(sizeof *head + class * CLASS_BYTES);
    require(head != NULL);
    head->byte_count = byte_count;
    count++;
    return head + 1;
}

void library_heap_free(void *bytes)
{
    if (!bytes)
        return;
    union head *head = (union head *)bytes - 1;
    size_t class = class_of(head->byte_count);
    count--;
    if (class >= CLASSES) {
        __libc_free(head);
        return;
    }
    head->next = kept[class];
    kept[class] = head;
}

void *library_heap_resize(void *bytes, size_t byte_count)
{
    size_t same = library_heap_size(bytes) < byte_count ? library_heap_size(bytes) : byte_count;
    void *more = library_heap_take(byte_count);
    memcpy(more, bytes, same);
    library_heap_free(bytes);
    return more;
}

size_t library_heap_size(const void *bytes)
{
    return ((const union head *)bytes - 1)->byte_count;
}

size_t library_heap_count(void)
{
    return count;
}
