// SPDX-License-Identifier: MIT
//
// Memory for a library that allocates much, such as one for JSON or a database: from the C library, because a
// sanitizer's allocations would take most of the time. Faults within the library's own memory are its own; what its
// user does not give back shows in a count.
#ifndef FUZZ_LIBRARY_HEAP_H
#define FUZZ_LIBRARY_HEAP_H

#include <stddef.h>

/// As malloc(), free(), realloc() without a null pointer, and malloc_usable_size().
void *library_heap_take(size_t byte_count);
void library_heap_free(void *bytes);
void *library_heap_resize(void *bytes, size_t byte_count);
size_t library_heap_size(const void *bytes);

/// Blocks that are not freed.
size_t library_heap_count(void);

#endif
