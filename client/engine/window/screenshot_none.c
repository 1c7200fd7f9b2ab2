// SPDX-License-Identifier: MIT
//
// A page keeps no pictures.
#include "screenshot.h"

#include <errno.h>

bool screenshot_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale)
{
    (void)path, (void)pixels, (void)width, (void)height, (void)scale;
    errno = ENOTSUP;
    return false;
}
