// SPDX-License-Identifier: MIT
#include "save_file.h"

#include <stdint.h>

// In save_file_browser.js.
void browser_save_file(const char *name, const void *bytes, uint32_t byte_count);

bool save_file_is_possible(void)
{
    return true;
}

void save_file(const char *name, const void *bytes, size_t byte_count)
{
    browser_save_file(name, bytes, (uint32_t)byte_count);
}
