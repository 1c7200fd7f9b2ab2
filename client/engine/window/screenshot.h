// SPDX-License-Identifier: MIT
//
// Saves a picture as a PNG file with libpng: 8 bits a channel, red, green and blue, each pixel enlarged to a square.
// Only this file of the client writes pictures.
#ifndef WINDOW_SCREENSHOT_H
#define WINDOW_SCREENSHOT_H

#include <stdbool.h>
#include <stdint.h>

/// Writes `width` x `height` pixels (0x..RRGGBB, row by row), each as a square of `scale` (1 to 8) pixels. Replaces a
/// file that is there. False on any failure (path, disk full, memory); errno says why.
bool screenshot_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale);

#endif
