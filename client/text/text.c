// SPDX-License-Identifier: MIT
#include "text.h"

#include <stdbool.h>
#include <string.h>

#include "catalogues.h" // made from the .po files; defines CATALOGUES

// Where a compiled catalogue (GNU .mo, little-endian) has its numbers.
#define AT_COUNT        8
#define AT_KEYS         12
#define AT_TRANSLATIONS 16
#define ENTRY_BYTES     8 ///< of both lists: length and place of a text

const char *const TEXT_LANGUAGE_NAMES[TEXT_LANGUAGES + 1] = {TEXT_LANGUAGE_CODES, NULL};

static enum text_language used;

void text_use(enum text_language language)
{
    used = language;
}

enum text_language text_language_used(void)
{
    return used;
}

const char *text_language_title(enum text_language language)
{
    static const char *const TITLES[TEXT_LANGUAGES] = {
        [TEXT_ENGLISH] = "English", [TEXT_GERMAN] = "Deutsch", [TEXT_SPANISH] = "Español",
        [TEXT_FRENCH] = "Français", [TEXT_POLISH] = "Polski",  [TEXT_PORTUGUESE] = "Português (Brasil)",
        [TEXT_JAPANESE] = "日本語",
    };
    return TITLES[language];
}

// Finds the language that a locale such as "pt_BR.UTF-8" begins with. Portuguese has one translation for all.
static bool language_of(const char *locale, enum text_language *language)
{
    for (uint32_t i = 0; i < TEXT_LANGUAGES; i++)
        if (!strncmp(locale, TEXT_LANGUAGE_NAMES[i], 2) && !(locale[2] >= 'a' && locale[2] <= 'z')) {
            *language = (enum text_language)i;
            return true;
        }
    return false;
}

enum text_language text_language_of_system(char *(*environment)(const char *name))
{
    static const char *const LOCALES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    enum text_language language = TEXT_ENGLISH;
    const char *locale = NULL, *list = environment("LANGUAGE");
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES && (!locale || !*locale); i++)
        locale = environment(LOCALES[i]);
    if (!locale || !*locale || !strcmp(locale, "POSIX") || *locale == 'C')
        return TEXT_ENGLISH;
    language_of(locale, &language);
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':')
        if (language_of(list, &language))
            break;
    return language;
}

static uint32_t number_at(const uint8_t *bytes, uint32_t at)
{
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}

static const char *entry_text(const uint8_t *bytes, uint32_t list, uint32_t index)
{
    return (const char *)bytes + number_at(bytes, number_at(bytes, list) + index * ENTRY_BYTES + 4);
}

// Keys are sorted. Returns NULL if the catalogue lacks this one.
static const char *find(const char *english)
{
    const uint8_t *bytes = CATALOGUES[used];
    uint32_t low = 0, high = bytes && *english ? number_at(bytes, AT_COUNT) : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int order = strcmp(english, entry_text(bytes, AT_KEYS, middle));
        if (!order)
            return entry_text(bytes, AT_TRANSLATIONS, middle);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *text_of(const char *english)
{
    const char *translated = find(english);
    return translated ? translated : english;
}

// The rules that the headers of the .po files state.
static uint32_t form_of(uint64_t count)
{
    switch (used) {
    case TEXT_JAPANESE:
        return 0;
    case TEXT_FRENCH:
    case TEXT_PORTUGUESE:
        return count > 1;
    case TEXT_POLISH: {
        bool is_few = count % 10 >= 2 && count % 10 <= 4 && (count % 100 < 12 || count % 100 > 14);
        return count == 1 ? 0 : is_few ? 1 : 2;
    }
    case TEXT_ENGLISH:
    case TEXT_GERMAN:
    case TEXT_SPANISH:
    case TEXT_LANGUAGES:
        break;
    }
    return count != 1;
}

const char *text_plural(const char *one, const char *many, uint64_t count)
{
    const char *form = find(one);
    uint32_t wanted = form_of(count);
    if (!form)
        return count == 1 ? one : many;
    while (wanted--)
        form += strlen(form) + 1;
    return form;
}

static const struct {
    const char *name, *title;
} TITLES[] = {
    {"foundry", TEXT_KEY("Foundry")},   {"clockwork", TEXT_KEY("Clockwork")}, {"skyline", TEXT_KEY("Skyline")},
    {"breakout", TEXT_KEY("Breakout")}, {"duel", TEXT_KEY("Duel")},           {"colosseum", TEXT_KEY("Colosseum")},
};

const char *text_map_title(const char *name)
{
    for (size_t i = 0; i < sizeof TITLES / sizeof *TITLES; i++)
        if (!strcmp(TITLES[i].name, name))
            return text_of(TITLES[i].title);
    return name;
}
