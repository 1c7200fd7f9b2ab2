// SPDX-License-Identifier: MIT
//
// Asks the allocator of Agones for places, over HTTP or mutual TLS, many at a time in one thread of its own. An
// allocator that does not answer well is left alone for a few seconds, and logged once; then a place
// is found in the list. Source: agones.dev, Allocator Service (REST).
#ifndef DIRECTORY_ALLOCATOR_H
#define DIRECTORY_ALLOCATOR_H

#include <stdio.h>

#include "allocation.h"
#include "base/error.h"
#include "base/log.h"

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

#endif
