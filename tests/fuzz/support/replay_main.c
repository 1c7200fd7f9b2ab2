// SPDX-License-Identifier: MIT
//
// The main of a fuzzer that is built without libFuzzer: passes each file in the folders of the command line to
// LLVMFuzzerTestOneInput(), in one process. Fails if there is nothing to replay, so that a lost corpus is noticed.
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size + 1); // one byte more, so that an empty input has an address too
    if (file == NULL || data == NULL || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(74);
    }
    fclose(file);
    uint8_t *exact = realloc(data, size > 0 ? size : 1); // exactly this size, so that a sanitizer sees a read beyond it
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

static int replay_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", folder);
        exit(74);
    }
    int count = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[PATH_MAX];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            count += replay_file(path, (size_t)status.st_size);
        }
    }
    closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += replay_folder(argv[i]);
    }
    printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
