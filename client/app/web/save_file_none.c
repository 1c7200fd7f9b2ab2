// SPDX-License-Identifier: MIT
#include "save_file.h"

bool save_file_is_possible(void)
{
    return false;
}

void save_file(const char *name, const void *bytes, size_t byte_count)
{
    (void)name, (void)bytes, (void)byte_count;
}
