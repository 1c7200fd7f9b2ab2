// SPDX-License-Identifier: MIT
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "window/screenshot.h"

#define WIDTH  61
#define HEIGHT 43

static void check_round_trip(const uint32_t *pixels, int32_t scale)
{
    static uint8_t bytes[WIDTH * HEIGHT * 8 * 8 * 3];
    char path[] = "/tmp/deadfall-png-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    assert_true(screenshot_write(path, pixels, WIDTH, HEIGHT, scale));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, WIDTH * scale);
    assert_int_equal(image.height, HEIGHT * scale);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    assert_true(png_image_finish_read(&image, NULL, bytes, 0, NULL));
    unlink(path);
    const uint8_t *found = bytes;
    for (int32_t y = 0; y < HEIGHT * scale; y++)
        for (int32_t x = 0; x < WIDTH * scale; x++, found += 3) {
            uint32_t expected = pixels[y / scale * WIDTH + x / scale] & 0xFFFFFF;
            assert_int_equal((uint32_t)found[0] << 16 | (uint32_t)found[1] << 8 | found[2], expected);
        }
}

TEST(a_written_picture_is_read_back_exactly)
{
    static uint32_t noise[WIDTH * HEIGHT], plain[WIDTH * HEIGHT], stripes[WIDTH * HEIGHT];
    uint32_t dice = 1;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        dice = dice * 1664525u + 1013904223u;
        noise[i] = dice >> 4;
        plain[i] = 0xFF112233;
        stripes[i] = i % 8 < 4 ? 0xFFFFFFFF : 0xFF000000 + i / WIDTH;
    }
    for (int32_t scale = 1; scale <= 8; scale++) {
        check_round_trip(noise, scale);
        check_round_trip(plain, scale);
        check_round_trip(stripes, scale);
    }
}

TEST(a_failed_write_leaves_the_reason_in_errno)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    errno = 0;
    assert_false(screenshot_write("/nowhere/at/all.png", pixels, WIDTH, HEIGHT, 1));
    assert_int_equal(errno, ENOENT);
    if (access("/dev/full", W_OK))
        return;
    for (int32_t scale = 1; scale <= 8; scale += 7) { // less than a file buffer, and more
        errno = 0;
        assert_false(screenshot_write("/dev/full", pixels, WIDTH, HEIGHT, scale));
        assert_int_equal(errno, ENOSPC);
    }
    assert_int_equal(access("/dev/full", W_OK), 0); // a device is not removed
}
