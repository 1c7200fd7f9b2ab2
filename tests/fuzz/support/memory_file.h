// SPDX-License-Identifier: MIT
//
// One file in memory, which every path means: what the code under test reads and writes through base/file.h. A fuzzer
// that links this redirects those calls with -Wl,--wrap=file_load,--wrap=file_read,--wrap=file_write.
#ifndef FUZZ_MEMORY_FILE_H
#define FUZZ_MEMORY_FILE_H

#include <stddef.h>

/// Size of the file at most.
#define MEMORY_FILE_BYTES_MAX (1u << 20)

/// Replaces the bytes of the file; those beyond its size are lost.
void memory_file_store(const void *bytes, size_t byte_count);

#endif
