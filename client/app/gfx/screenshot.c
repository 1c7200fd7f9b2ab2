// SPDX-License-Identifier: MIT
#include "screenshot.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#define CHANNELS 3

// Red, green, blue of each enlarged pixel. Null without memory.
static uint8_t *enlarged(const uint32_t *pixels, int32_t width, int32_t height, int32_t scale)
{
    uint8_t *bytes = malloc((size_t)(width * scale) * (size_t)(height * scale) * CHANNELS), *out = bytes;
    for (int32_t y = 0; bytes && y < height * scale; y++)
        for (int32_t x = 0; x < width * scale; x++) {
            uint32_t pixel = pixels[y / scale * width + x / scale];
            *out++ = (uint8_t)(pixel >> 16);
            *out++ = (uint8_t)(pixel >> 8);
            *out++ = (uint8_t)pixel;
        }
    return bytes;
}

bool screenshot_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)(width * scale),
                       .height = (png_uint_32)(height * scale),
                       .format = PNG_FORMAT_RGB};
    uint8_t *bytes = enlarged(pixels, width, height, scale);
    FILE *file = bytes ? fopen(path, "wb") : NULL; // libpng's own way of opening would remove a file on failure
    bool written = file && png_image_write_to_stdio(&image, file, 0, bytes, 0, NULL);
    int why = errno;
    if (file && fclose(file)) {
        why = written ? errno : why;
        written = false;
    }
    free(bytes);
    errno = why;
    return written;
}
