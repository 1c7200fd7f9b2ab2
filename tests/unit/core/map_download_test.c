// SPDX-License-Identifier: MIT
//
// Tests what a download accepts. Only bytes count here; map_cache_test.c and client_test.c download real maps.
#include "core/map_download.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct map_download download;
static struct error error;

static enum map_download_result begin(uint32_t byte_count)
{
    memset(&download, 0, sizeof download);
    memset(&error, 0, sizeof error);
    return map_download_begin(&download, &(struct welcome_message){.map_blob_bytes = byte_count}, &error);
}

static enum map_download_result take(uint32_t offset, uint32_t count)
{
    static const uint8_t bytes[MAP_PART_BYTES_MAX];
    struct map_part_message part = {.offset = offset, .count = count, .bytes = bytes};
    return map_download_take(&download, &part, &error);
}

TEST(a_map_may_be_as_large_as_a_blob_and_no_larger)
{
    assert_int_equal(begin(MAP_BLOB_BYTES_MAX), MAP_DOWNLOAD_PENDING);
    assert_int_equal(begin(MAP_BLOB_BYTES_MAX + 1), MAP_DOWNLOAD_FAILED);
    assert_string_equal(error.text, "The server's map is larger than a map may be.");
}

TEST(parts_in_order_make_a_map)
{
    begin(1500);
    assert_false(map_download_is_done(&download));
    assert_int_equal(take(0, 1000), MAP_DOWNLOAD_PENDING);
    assert_false(map_download_is_done(&download));
    assert_int_equal(take(1000, 500), MAP_DOWNLOAD_DONE);
    assert_true(map_download_is_done(&download));
}

TEST(parts_that_do_not_fit_are_refused)
{
    static const uint32_t rows[][2] = {{0, 1000}, {999, 500}, {1001, 400}, {1000, 501}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(1500);
        take(0, 1000);
        if (take(rows[i][0], rows[i][1]) != MAP_DOWNLOAD_FAILED || !strstr(error.text, "do not fit together"))
            fail_msg("row %zu: %s", i + 1, error.text);
    }
}

TEST(a_second_download_begins_at_its_first_part)
{
    begin(1500);
    take(0, 1000);
    assert_int_equal(map_download_begin(&download, &(struct welcome_message){.map_blob_bytes = 900}, &error),
                     MAP_DOWNLOAD_PENDING);
    assert_int_equal(take(0, 900), MAP_DOWNLOAD_DONE);
}

TEST(parts_of_a_complete_map_change_nothing)
{
    static struct downloaded_map here;
    here.complete = true;
    memset(here.blob, 0x55, sizeof here.blob);
    begin(1500);
    download.target = &here;
    assert_int_equal(take(700, 900), MAP_DOWNLOAD_PENDING);
    assert_int_equal(here.blob[700], 0x55);
    assert_true(map_download_is_done(&download));
}
