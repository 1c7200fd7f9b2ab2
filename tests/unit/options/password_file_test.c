// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/options.h"
#include "test.h"

static char path[64];

static void name_file(void)
{
    snprintf(path, sizeof path, "/tmp/deadfall-password-%ld", (long)getpid());
}

ALL_TESTS(name_file, NULL);

TEST(the_first_line_of_a_private_file_is_the_password)
{
#define SIXTY_FOUR "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    static const struct {
        const char *text;
        mode_t mode;
        const char *password, *complaint;
    } rows[] = {
        /* 0 */ {"sesame\n", 0600, "sesame", NULL},
        /* 1 */ {"sesame", 0400, "sesame", NULL},
        /* 2 */ {"two words\r\nmore\n", 0640, "two words", NULL},
        /* 3 */ {SIXTY_FOUR "\n", 0600, SIXTY_FOUR, NULL},
        /* 4 */ {SIXTY_FOUR "0\n", 0600, "", "1 to 64 bytes"},
        /* 5 */ {"", 0600, "", "1 to 64 bytes"},
        /* 6 */ {"\nsesame\n", 0600, "", "1 to 64 bytes"},
        /* 7 */ {"sesame\n", 0644, "", "chmod 600"},
        /* 8 */ {"sesame\n", 0620, "", "chmod 600"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        char password[PASSWORD_TEXT_BYTES] = "before";
        FILE *file = fopen(path, "w");
        assert_true(file && fputs(rows[i].text, file) >= 0);
        fclose(file);
        assert_int_equal(chmod(path, rows[i].mode), 0);
        bool good = option_read_password(path, password, &error);
        if (good != (rows[i].complaint == NULL) || strcmp(password, rows[i].password) != 0 ||
            (rows[i].complaint && (!strstr(error.text, rows[i].complaint) || !strstr(error.text, path))))
            fail_msg("row %zu: '%s', '%s'", i, password, error.text);
        unlink(path);
    }
}

TEST(no_path_means_no_password_and_a_missing_file_is_an_error)
{
    struct error error = {0};
    char password[PASSWORD_TEXT_BYTES] = "before";
    assert_true(option_read_password("", password, &error));
    assert_string_equal(password, "");
    assert_false(option_read_password(path, password, &error));
    assert_non_null(strstr(error.text, "No such file"));
}
