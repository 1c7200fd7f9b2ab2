// SPDX-License-Identifier: MIT
#include <string.h>

#include "screens.h"

static void wish(struct menu *menu, uint32_t kind)
{
    menu_wish(menu, (enum menu_wish_kind)kind, NULL);
}

static void left(struct menu *menu)
{
    menu_open_alone(menu, &SCREEN_TITLE);
}

static void to_title(struct menu *menu, uint32_t argument)
{
    (void)argument;
    left(menu);
}

// The sentence in lines that fit; words are not cut.
static void add_sentence(struct menu *menu, const char *sentence)
{
    while (*sentence) {
        size_t length = strlen(sentence), line = length;
        if (length > 62)
            for (line = 62; line > 0 && sentence[line] != ' '; line--)
                ;
        line = line ? line : 62;
        menu_note(menu, menu_words(menu, "%.*s", (int)line, sentence));
        sentence += line;
        sentence += strspn(sentence, " ");
    }
}

static void fill(struct menu *menu)
{
    add_sentence(menu, menu->facts.failure);
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "Try again", .act = wish, .argument = WISH_AGAIN});
    menu_add(menu, (struct item){.kind = ITEM_ACTION, .label = "Back to the title", .act = to_title});
}

const struct screen SCREEN_ERROR = {.name = "error", .title = "That did not work", .fill = fill, .left = left};
