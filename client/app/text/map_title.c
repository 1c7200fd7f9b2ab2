// SPDX-License-Identifier: MIT
#include "map_title.h"

#include <string.h>

#include "text.h"

static const struct {
    const char *name, *title;
} TITLES[] = {
    {"foundry", TEXT_KEY("Foundry")},   {"clockwork", TEXT_KEY("Clockwork")}, {"skyline", TEXT_KEY("Skyline")},
    {"breakout", TEXT_KEY("Breakout")}, {"duel", TEXT_KEY("Duel")},           {"colosseum", TEXT_KEY("Colosseum")},
};

const char *map_title(const char *name)
{
    for (size_t i = 0; i < sizeof TITLES / sizeof *TITLES; i++)
        if (!strcmp(TITLES[i].name, name))
            return text_of(TITLES[i].title);
    return name;
}
