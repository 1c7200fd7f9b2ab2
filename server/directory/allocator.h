// SPDX-License-Identifier: MIT
//
// Asks the allocator of Agones for places, over HTTP or mutual TLS, many at a time in one thread of its own. An
// allocator that does not answer well is left alone for a few seconds, and logged once; then a place is found in the
// list. A place is in the fullest open arena of a fleet, or in an idle one, reserved under a random name, as
// hosting/agones/allocation.yaml asks for it; the answer has the invitation of the arena among its annotations.
// Sources: agones.dev, Allocator Service (REST); github.com/googleforgames/agones, proto/allocation/allocation.proto
// and pkg/allocation/converters.
#ifndef DIRECTORY_ALLOCATOR_H
#define DIRECTORY_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/host_port.h"
#include "base/log.h"
#include "net/crypto/identity.h"

/// Bytes of a mode, of a name of a fleet or a namespace, and of a reserved name, with a final zero.
#define ALLOCATION_WORD_BYTES 64
/// Bytes of a place, ADDRESS:PORT#FINGERPRINT, with a final zero.
#define ALLOCATION_PLACE_BYTES (HOST_BYTES + 8 + FINGERPRINT_TEXT_BYTES)

struct allocator;

struct allocator_settings {
    const char *url;   ///< http:// or https://, without the path /gameserverallocation
    const char *tls;   ///< folder with tls.crt, tls.key and ca.crt; "": none
    const char *fleet; ///< [NAMESPACE/]FLEET
    const struct log *log;
};

/// What is known when an allocator has answered.
struct allocator_answer {
    char place[ALLOCATION_PLACE_BYTES];              ///< "": none
    void (*done)(const struct allocator_answer *of); ///< called once, in the allocator's thread
    void *context;
};

/// Checks what an operator gives. False with an error.
bool allocator_settings_validate(const struct allocator_settings *settings, struct error *error);
/// Starts its thread. The settings must be valid, and their texts outlive it. Null with an error.
struct allocator *allocator_open(const struct allocator_settings *settings, struct error *error);
/// Asks for a place in a mode ("": any). False, and nothing is called, if the allocator is left alone now, too many ask
/// already, or the mode is none. `answer` must stay until it is done.
bool allocator_ask(struct allocator *allocator, const char *mode, struct allocator_answer *answer);
/// Writes its metrics.
void allocator_metrics_write(FILE *file, struct allocator *allocator);
/// Ends the thread; everything that was asked is done before it returns, and nothing can be asked any more.
void allocator_end(struct allocator *allocator);
/// Frees it; accepts null.
void allocator_close(struct allocator *allocator);

/// What is asked for.
struct allocation {
    const char *name_space, *fleet; ///< of Kubernetes
    const char *mode;               ///< "": any
    const char *player;             ///< the name of the reservation
};

/// Returns whether a text may be a value of a label: at most 63 letters, digits, '-', '_' and '.'.
bool allocator_word_is_valid(const char *text);
/// Writes a request. The caller frees it. Null without memory.
char *allocator_write_request(const struct allocation *allocation);
/// Returns whether an answer with this HTTP status, not 200, says that there is no place now: no arena has room, or too
/// many asked at once. Any other is a failure.
bool allocator_says_none(long status, const char *text, size_t byte_count);
/// Reads the place in an answer. False if it has none.
bool allocator_read_place(const char *text, size_t byte_count, char place[ALLOCATION_PLACE_BYTES]);

#endif
