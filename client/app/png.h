// SPDX-License-Identifier: MIT
//
// Writes a picture as a PNG file: filter "none", runs and repeated rows found, one fixed Huffman block. Pixel art
// packs ten to one and more, and no library is needed. Not a general encoder.
#ifndef APP_PNG_H
#define APP_PNG_H

#include <stdbool.h>
#include <stdint.h>

/// Writes `width` x `height` pixels (0x..RRGGBB, row by row), each as a square of `scale` (1 to 8) pixels.
/// False on any failure (path, disk full, memory); errno says why.
bool png_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale);

#endif
