// SPDX-License-Identifier: MIT
//
// What must hold for every input of a fuzzer, whether assertions are compiled in or not.
#ifndef FUZZ_REQUIRE_H
#define FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdlib.h>

static inline void require(bool holds)
{
    if (!holds)
        abort();
}

#endif
