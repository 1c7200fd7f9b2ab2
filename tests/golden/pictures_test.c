// SPDX-License-Identifier: MIT
// Compares the output of every painter and every screen with the golden pictures.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/menu/screens.h"
#include "pictures.h"
#include "test.h"
#include "window/screenshot.h"

#define ALL_BYTES_MAX (4u << 20) ///< of all files together, so that a clone stays small

static struct image found, kept, all;

static void compare(const struct picture *picture, void *context)
{
    uint32_t *failures = context;
    char path[512], shown[512];
    picture_path(picture->name, path, sizeof path);
    snprintf(shown, sizeof shown, PICTURES_BUILT "/%s.png", picture->name);
    unlink(shown); // from an earlier run
    bool within = picture_draw(picture, &found);
    if (!within)
        fprintf(stderr, "%s: it is drawn beyond the canvas.\n", picture->name);
    bool has_old = image_read(&kept, path);
    uint32_t different = image_difference(&found, &kept);
    *failures += !within || !has_old || different;
    if (has_old && !different)
        return;
    image_side_by_side(&all, &found, &kept);
    bool is_shown = screenshot_write(shown, all.pixels, all.w, all.h, 1);
    if (has_old)
        fprintf(stderr, "%s: %u of %d pixels differ from %s.\n", picture->name, different, found.w * found.h, path);
    else
        fprintf(stderr, "%s: the picture %s cannot be read.\n", picture->name, path);
    if (is_shown)
        fprintf(stderr, "  The new one, the old one, the difference: %s\n", shown);
    else
        fprintf(stderr, "  The new one cannot be written to %s.\n", shown);
    fprintf(stderr, "  If the new one is right: %s %s\n", PICTURES_RENEW, picture->name);
}

TEST(every_picture_equals_its_golden_one)
{
    uint32_t failures = 0;
    mkdir(PICTURES_BUILT, 0777);
    pictures_each(compare, &failures);
    if (failures)
        fail_msg("%u pictures differ: see above", failures);
}

// Pictures of one name.
struct tally {
    const char *name;
    uint32_t count;
};

static void count_name(const struct picture *picture, void *context)
{
    struct tally *tally = context;
    tally->count += !strcmp(picture->name, tally->name);
}

static uint32_t pictures_called(const char *name)
{
    struct tally tally = {.name = name};
    pictures_each(count_name, &tally);
    return tally.count;
}

TEST(every_golden_picture_has_a_row_and_all_are_small)
{
    char path[512];
    uint64_t byte_count = 0;
    DIR *folder = opendir(SOURCE_ROOT "/tests/golden/pictures");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, SOURCE_ROOT "/tests/golden/pictures/%s", entry->d_name);
        assert_int_equal(stat(path, &status), 0);
        byte_count += (uint64_t)status.st_size;
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".png"))
            entry->d_name[length - 4] = 0;
        if (!pictures_called(entry->d_name))
            fail_msg("no row draws %s; remove it, or run " PICTURES_RENEW, path);
    }
    closedir(folder);
    assert_in_range(byte_count, 1, ALL_BYTES_MAX);
}

static void check_name(const struct picture *picture, void *context)
{
    (void)context;
    if (pictures_called(picture->name) != 1)
        fail_msg("two pictures are called %s", picture->name);
}

TEST(no_two_pictures_have_the_same_name)
{
    pictures_each(check_name, NULL);
}

TEST(every_screen_and_every_map_has_a_picture)
{
    char name[300];
    uint32_t maps = 0;
    for (size_t i = 0; SCREENS[i]; i++) {
        snprintf(name, sizeof name, "screen-%s", SCREENS[i]->name);
        if (!pictures_called(name))
            fail_msg("no picture is called %s", name);
    }
    DIR *folder = opendir(SOURCE_ROOT "/shared/maps");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *ending = strstr(entry->d_name, ".tmj");
        if (!ending)
            continue;
        snprintf(name, sizeof name, "map-%.*s", (int)(ending - entry->d_name), entry->d_name);
        maps++;
        if (!pictures_called(name))
            fail_msg("no picture is called %s", name);
    }
    closedir(folder);
    assert_true(maps > 0);
}

TEST(a_single_pixel_and_another_size_are_differences)
{
    picture_draw(&PICTURES_ARENA[0], &found);
    kept = found;
    assert_int_equal(image_difference(&found, &kept), 0);
    kept.pixels[found.w * found.h - 1] ^= 1;
    assert_int_equal(image_difference(&found, &kept), 1);
    kept = found;
    kept.h--;
    assert_int_equal(image_difference(&found, &kept), found.w);
    assert_int_equal(image_difference(&kept, &found), found.w);
}
