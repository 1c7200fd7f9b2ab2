// SPDX-License-Identifier: MIT
//
// Law 3: no heap in a client tick or a server tick after start-up. This program replaces the calls of the heap and
// counts them. Under a sanitizer the heap belongs to the sanitizer, so the test is skipped.
#include <stdlib.h>

#include "core/view.h"
#include "net/impairment.h"
#include "session.h"
#include "test.h"

EACH_TEST(NULL, session_end);

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

static volatile uint32_t allocations; // volatile: to a compiler malloc changes no variable of ours

#ifndef SANITIZED
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    allocations++;
    return __libc_realloc(block, bytes);
}
#endif

static struct view view;

TEST(ticks_of_clients_and_server_allocate_nothing)
{
#ifdef SANITIZED
    skip();
#endif
    session_begin(11, "foundry", &(struct impairment){.delay_us = 30000, .jitter_us = 20000, .loss_ppm = 50000});
    for (uint32_t i = 0; i < 4; i++)
        session_join(i, i == 3);
    session_run(10); // the network then has all packets that it needs
    uint32_t before = allocations;
    for (int i = 0; i < 300; i++) {
        session_run(0.02);
        client_view(session.clients[0], session_now_us(), &view);
    }
    session_check(allocations == before);
    session_check(session_statistics(0).resimulations > 0);
}

TEST(an_allocation_is_counted)
{
#ifdef SANITIZED
    skip();
#endif
    uint32_t before = allocations;
    void *volatile block = malloc(10);
    free(block);
    assert_true(allocations > before);
}
