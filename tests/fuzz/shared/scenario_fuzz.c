// SPDX-License-Identifier: MIT
//
// Fuzzes scenarios with any bytes: the parser accepts them, or refuses them with a message and a position in the text.
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct words_error error = {0};
    struct scenario *scenario = scenario_parse((const char *)data, size, &error);
    bool has_message = error.line >= 1 && error.column >= 1 && strlen(error.message) > 0;
    if ((scenario == NULL) != has_message) {
        abort();
    }
    scenario_free(scenario);
    return 0;
}
