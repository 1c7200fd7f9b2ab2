// SPDX-License-Identifier: MIT
// Renews golden pictures: pictures_renew [NAME]...   Without names it renews all and removes pictures without a row.
// pictures_renew --language CODE FOLDER [large] draws all pictures in another language into a folder, to be looked at;
// all of them with large text, if asked.
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pictures.h"
#include "pictures_scene.h"
#include "text/text.h"
#include "window/screenshot.h"

static struct image found, kept;

// The names on the command line.
struct asked {
    int count;
    char **names;
    bool failed;
};

// A file with the right pixels is not rewritten, since another libpng may compress it differently.
static void renew(const struct picture *picture, void *context)
{
    struct asked *asked = context;
    bool wanted = asked->count == 0;
    char path[512];
    for (int i = 0; i < asked->count; i++)
        if (asked->names[i] && !strcmp(asked->names[i], picture->name)) {
            wanted = true;
            asked->names[i] = NULL;
        }
    if (!wanted)
        return;
    picture_path(picture->name, path, sizeof path);
    picture_draw(picture, &found);
    if (image_read(&kept, path) && !image_difference(&found, &kept))
        return;
    bool good = screenshot_write(path, found.pixels, found.w, found.h, 1);
    printf("%s: %s\n", picture->name, good ? "renewed" : "cannot be written");
    asked->failed |= !good;
}

static void match_name(const struct picture *picture, void *context)
{
    char **name = context;
    if (*name && !strcmp(picture->name, *name))
        *name = NULL;
}

static void remove_unknown(void)
{
    DIR *folder = opendir(SOURCE_ROOT "/tests/golden/pictures");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        char path[512], *unknown = entry->d_name;
        if (length <= 4 || strcmp(entry->d_name + length - 4, ".png"))
            continue;
        entry->d_name[length - 4] = 0;
        pictures_each(match_name, &unknown);
        picture_path(entry->d_name, path, sizeof path);
        if (unknown && !unlink(path))
            printf("%s: removed, as nobody draws it\n", entry->d_name);
    }
    if (folder)
        closedir(folder);
}

static void draw_into(const struct picture *picture, void *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.png", (const char *)folder, picture->name);
    picture_draw(picture, &found);
    if (!screenshot_write(path, found.pixels, found.w, found.h, 1))
        fprintf(stderr, "%s cannot be written.\n", path);
}

static int draw_in_language(const char *code, char *folder)
{
    for (uint32_t i = 0; i < TEXT_LANGUAGES; i++)
        if (!strcmp(code, TEXT_LANGUAGE_NAMES[i])) {
            text_use((enum text_language)i);
            pictures_each(draw_into, folder);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "There is no language %s.\n", code);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    still_large = argc == 5 && !strcmp(argv[4], "large");
    if (argc == 4 + still_large && !strcmp(argv[1], "--language"))
        return draw_in_language(argv[2], argv[3]);
    struct asked asked = {.count = argc - 1, .names = argv + 1};
    pictures_each(renew, &asked);
    for (int i = 0; i < asked.count; i++)
        if (asked.names[i]) {
            fprintf(stderr, "There is no picture %s; pictures are tests/golden/pictures/NAME.png.\n", asked.names[i]);
            asked.failed = true;
        }
    if (!asked.count)
        remove_unknown();
    return asked.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
