// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "tiled_edit.h"

void tiled_quote(char *text)
{
    for (; *text; text++)
        *text = *text == '\'' ? '"' : *text;
}

bool tiled_read_edited(struct tiled_edit *edit, const char *good, const char *old, const char *new)
{
    const char *place = strstr(good, old);
    assert_non_null(place);
    int length =
        snprintf(edit->text, sizeof edit->text, "%.*s%s%s", (int)(place - good), good, new, place + strlen(old));
    assert_in_range(length, 1, (int)sizeof edit->text - 1);
    tiled_quote(edit->text);
    return map_file_read_text(edit->text, strlen(edit->text), "pit.tmj", &edit->map, &edit->error);
}

void tiled_expect_bad(struct tiled_edit *edit, const char *good, const struct tiled_bad *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (tiled_read_edited(edit, good, rows[i].old, rows[i].new))
            fail_msg("row %zu is accepted: %s", i, rows[i].new);
        if (rows[i].text && strcmp(edit->error.text, rows[i].text) != 0)
            fail_msg("row %zu says: %s\nexpected: %s", i, edit->error.text, rows[i].text);
        if (edit->error.code != (int)rows[i].fault)
            fail_msg("row %zu has the kind %d: %s", i, edit->error.code, edit->error.text);
    }
}

void tiled_expect_ranges(struct tiled_edit *edit, const char *good, const struct tiled_range *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t values[] = {rows[i].least, rows[i].most, rows[i].least - 1, rows[i].most + 1};
        for (size_t k = 0; k < 4; k++) {
            char new[200], text[100];
            snprintf(new, sizeof new, rows[i].new, values[k]);
            snprintf(text, sizeof text, ": %s is %d; give %d to %d", rows[i].name, values[k], rows[i].least,
                     rows[i].most);
            bool refused = !tiled_read_edited(edit, good, rows[i].old, new) && edit->error.code == TILED_VALUE;
            if (refused != (k >= 2) || (refused && !strstr(edit->error.text, text)))
                fail_msg("row %zu, %d: %s", i, values[k], refused ? edit->error.text : "is a valid number");
        }
    }
}
