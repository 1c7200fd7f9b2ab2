// SPDX-License-Identifier: MIT
//
// What is said to the allocator of Agones and what it answers, as JSON: one place in the fullest open arena of a fleet,
// or in an idle one, reserved under a random name, as hosting/agones/allocation.yaml asks for it. The answer has the
// invitation of the arena among its annotations. Pure functions.
// Source: github.com/googleforgames/agones, proto/allocation/allocation.proto and pkg/allocation/converters.
#ifndef DIRECTORY_ALLOCATION_H
#define DIRECTORY_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/host_port.h"
#include "net/crypto/identity.h"

/// Bytes of a mode, of a name of a fleet or a namespace, and of a reserved name, with a final zero.
#define ALLOCATION_WORD_BYTES 64
/// Bytes of a place, ADDRESS:PORT#FINGERPRINT, with a final zero.
#define ALLOCATION_PLACE_BYTES (HOST_BYTES + 8 + FINGERPRINT_TEXT_BYTES)

struct allocation {
    const char *name_space, *fleet; ///< of Kubernetes
    const char *mode;               ///< "": any
    const char *player;             ///< the name of the reservation
};

/// Returns whether a text may be a value of a label: at most 63 letters, digits, '-', '_' and '.'.
bool allocation_word_is_valid(const char *text);
/// Writes a request. The caller frees it. Null without memory.
char *allocation_write(const struct allocation *allocation);
/// Returns whether an answer with this HTTP status, not 200, says that there is no place now: no arena has room, or too
/// many asked at once. Any other is a failure.
bool allocation_is_none(long status, const char *text, size_t byte_count);
/// Reads the place in an answer. False if it has none.
bool allocation_read(const char *text, size_t byte_count, char place[ALLOCATION_PLACE_BYTES]);

#endif
