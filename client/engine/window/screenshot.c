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

// The caller says what has failed.
static void fail(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

// Without filters: pictures of few colours become a quarter smaller than as libpng would choose.
static bool write_rows(FILE *file, const uint8_t *bytes, uint32_t width, uint32_t height)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; y++)
        png_write_row(png, bytes + (size_t)y * width * CHANNELS);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

bool screenshot_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale)
{
    uint8_t *bytes = enlarged(pixels, width, height, scale);
    FILE *file = bytes ? fopen(path, "wb") : NULL;
    bool written = file && write_rows(file, bytes, (uint32_t)(width * scale), (uint32_t)(height * scale));
    int why = errno;
    if (file && fclose(file)) {
        why = written ? errno : why;
        written = false;
    }
    free(bytes);
    errno = why;
    return written;
}
