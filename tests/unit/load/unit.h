// SPDX-License-Identifier: MIT
//
// Every test of the load tester includes this header first.
#ifndef UNIT_BOTS_UNIT_H
#define UNIT_BOTS_UNIT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/// Fails with both numbers unless they are equal up to rounding.
#define assert_close(value, expected)                                                                                  \
    do {                                                                                                               \
        double value_ = (value), expected_ = (expected);                                                               \
        if (!(fabs(value_ - expected_) <= 1e-9 * fmax(1, fabs(expected_))))                                            \
            fail_msg("%s is %.12g, not %.12g", #value, value_, expected_);                                             \
    } while (0)

#endif
