// SPDX-License-Identifier: MIT
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#define PATHS_KEPT 8
#define PATH_BYTES 512
#define TEXT_BYTES 65536

static char folder[32];

void test_folder_make(void)
{
    strcpy(folder, "/tmp/deadfall-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

void test_folder_remove(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

const char *test_folder_path(const char *name)
{
    static char paths[PATHS_KEPT][PATH_BYTES];
    static uint32_t next;
    char *path = paths[next++ % PATHS_KEPT];
    snprintf(path, PATH_BYTES, "%s%s%s", folder, *name ? "/" : "", name);
    return path;
}

void test_folder_write(const char *name, const char *text)
{
    FILE *file = fopen(test_folder_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

const char *test_folder_read(const char *name)
{
    static char text[TEXT_BYTES];
    FILE *file = fopen(test_folder_path(name), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

void test_folder_run(const char *line)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && %s", folder, line);
    assert_int_equal(system(command), 0);
}
