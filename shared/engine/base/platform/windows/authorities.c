// SPDX-License-Identifier: MIT
#include "../authorities.h"

#include <stddef.h>

bool authorities_find(const char **file)
{
    *file = NULL;
    return true;
}
