// SPDX-License-Identifier: MIT
//
// Checks a condition that must hold for every input of a fuzzer, with or without assertions.
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
