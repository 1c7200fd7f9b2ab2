// SPDX-License-Identifier: MIT
#include "password_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/disk.h"

// Who may not have a part in it: others at all, the group by writing.
#define PERMISSIONS_TOO_MANY 0026u

static bool is_private(FILE *file)
{
    struct disk_facts facts;
    return disk_look_at(fileno(file), &facts) && !(facts.permissions & PERMISSIONS_TOO_MANY);
}

static bool read_line(FILE *file, char password[PASSWORD_TEXT_BYTES])
{
    char line[PASSWORD_TEXT_BYTES + 2] = "";
    if (!fgets(line, sizeof line, file))
        return false;
    size_t length = strcspn(line, "\r\n");
    if (length == 0 || length >= PASSWORD_TEXT_BYTES)
        return false;
    memcpy(password, line, length);
    password[length] = 0;
    return true;
}

bool password_file_read(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error)
{
    password[0] = 0;
    if (!*path)
        return true;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(error, "the password file %s cannot be read: %s", path, strerror(errno));
    bool private = is_private(file), good = private && read_line(file, password);
    fclose(file);
    if (!private)
        error_set(error, "the password file %s is open to others; run chmod 600 %s", path, path);
    else if (!good)
        error_set(error, "the password file %s needs a first line of 1 to %d bytes", path, PASSWORD_TEXT_BYTES - 1);
    return good;
}
