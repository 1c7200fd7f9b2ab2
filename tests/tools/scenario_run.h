// SPDX-License-Identifier: MIT
//
// Runs a parsed scenario through the library or through the literal implementation and prints, for each operation,
// its line, its events and the state of every body. Both print the same bytes, or one of them is wrong.
#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include <stdio.h>

#include "scenario.h"

/// How a run ended.
enum scenario_outcome {
    SCENARIO_PASSED,     ///< every expectation held
    SCENARIO_FAILED,     ///< one did not; each that did not is printed to `complaints`
    SCENARIO_IMPOSSIBLE, ///< an operation would lead beyond the library's coordinates; printed to `complaints`
};

/// Runs `scenario`. `file` names it in complaints. With `reference` the literal implementation does it.
enum scenario_outcome scenario_run(const struct scenario *scenario, const char *file, bool reference, FILE *output,
                                   FILE *complaints);

#endif
