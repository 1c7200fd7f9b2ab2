// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/course/draw_course.h"
#include "game/variant.h"
#include "test.h"
#include "text/text.h"

static const char *locales[4]; // of LANGUAGE, LC_ALL, LC_MESSAGES, LANG

static char *environment(const char *name)
{
    static const char *const NAMES[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, NAMES[i]))
            return (char *)(uintptr_t)locales[i];
    return NULL;
}

TEST(the_system_s_language_is_found_as_gettext_finds_it)
{
    static const struct {
        const char *locales[4];
        enum text_language language;
    } rows[] = {
        /* 1 */ {{NULL, NULL, NULL, NULL}, TEXT_ENGLISH},
        /* 2 */ {{NULL, NULL, NULL, "de_DE.UTF-8"}, TEXT_GERMAN},
        /* 3 */ {{NULL, NULL, "fr_CA.UTF-8", "de_DE.UTF-8"}, TEXT_FRENCH},
        /* 4 */ {{NULL, "ja_JP.UTF-8", "fr_CA.UTF-8", "de_DE.UTF-8"}, TEXT_JAPANESE},
        /* 5 */ {{NULL, "", "", "es"}, TEXT_SPANISH},
        /* 6 */ {{"pl:de", NULL, NULL, "de_DE.UTF-8"}, TEXT_POLISH},
        /* 7 */ {{"nl:xx:pt_BR:de", NULL, NULL, "en_GB"}, TEXT_PORTUGUESE},
        /* 8 */ {{"en", NULL, NULL, "de_DE.UTF-8"}, TEXT_ENGLISH},
        /* 9 */ {{"de", NULL, NULL, "C"}, TEXT_ENGLISH}, // LANGUAGE counts only beside a language
        /* 10 */ {{"de", "C.UTF-8", NULL, "fr_FR"}, TEXT_ENGLISH},
        /* 11 */ {{"de", "POSIX", NULL, NULL}, TEXT_ENGLISH},
        /* 12 */ {{NULL, NULL, NULL, "nl_NL.UTF-8"}, TEXT_ENGLISH},
        /* 13 */ {{NULL, NULL, NULL, "pt"}, TEXT_PORTUGUESE},
        /* 14 */ {{NULL, NULL, NULL, "deu"}, TEXT_ENGLISH}, // no code of two letters
        /* 15 */ {{NULL, NULL, NULL, "d"}, TEXT_ENGLISH},
        /* 16 */ {{"::de", NULL, NULL, "xx"}, TEXT_GERMAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(locales, rows[i].locales, sizeof locales);
        if (text_language_of_system(environment) != rows[i].language)
            fail_msg("row %zu", i + 1);
    }
}

TEST(a_known_text_is_translated_and_another_stays)
{
    text_use(TEXT_ENGLISH);
    assert_string_equal(text_of("Settings"), "Settings");
    text_use(TEXT_GERMAN);
    assert_int_equal(text_language_used(), TEXT_GERMAN);
    assert_string_equal(text_of("Settings"), "Einstellungen");
    assert_string_equal(text_of("Quit"), "Beenden");
    assert_string_equal(text_of("no such sentence"), "no such sentence");
    assert_string_equal(text_of(""), ""); // not the header of the catalogue
    text_use(TEXT_JAPANESE);
    assert_string_equal(text_of("Settings"), "設定");
    text_use(TEXT_ENGLISH);
}

TEST(each_language_chooses_its_form_for_a_number)
{
    static const struct {
        enum text_language language;
        uint64_t count;
        const char *text;
    } rows[] = {
        /* 1 */ {TEXT_ENGLISH, 0, "0 kills"},
        /* 2 */ {TEXT_ENGLISH, 1, "1 kill"},
        /* 3 */ {TEXT_ENGLISH, 2, "2 kills"},
        /* 4 */ {TEXT_GERMAN, 1, "1 Abschuss"},
        /* 5 */ {TEXT_GERMAN, 0, "0 Abschüsse"},
        /* 6 */ {TEXT_FRENCH, 0, "0 victime"},
        /* 7 */ {TEXT_FRENCH, 1, "1 victime"},
        /* 8 */ {TEXT_FRENCH, 2, "2 victimes"},
        /* 9 */ {TEXT_POLISH, 1, "1 zabójstwo"},
        /* 10 */ {TEXT_POLISH, 2, "2 zabójstwa"},
        /* 11 */ {TEXT_POLISH, 5, "5 zabójstw"},
        /* 12 */ {TEXT_POLISH, 12, "12 zabójstw"},
        /* 13 */ {TEXT_POLISH, 22, "22 zabójstwa"},
        /* 14 */ {TEXT_POLISH, 112, "112 zabójstw"},
        /* 15 */ {TEXT_JAPANESE, 1, "1キル"},
        /* 16 */ {TEXT_JAPANESE, 7, "7キル"},
        /* 17 */ {TEXT_PORTUGUESE, 0, "0 abate"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        text_use(rows[i].language);
        snprintf(text, sizeof text, text_plural("%u kill", "%u kills", rows[i].count), (unsigned)rows[i].count);
        if (strcmp(text, rows[i].text))
            fail_msg("row %zu: %s", i + 1, text);
    }
    text_use(TEXT_ENGLISH);
}

TEST(the_words_of_variants_are_those_of_the_game)
{
    static const char *const WORDS[] = {TEXT_VARIANTS};
    assert_int_equal(sizeof WORDS / sizeof *WORDS, 2 * VARIANTS);
    for (uint32_t i = 0; i < VARIANTS; i++) {
        assert_string_equal(WORDS[i], VARIANT_TABLE[i].title);
        assert_string_equal(WORDS[VARIANTS + i], VARIANT_TABLE[i].help);
    }
}

TEST(a_time_has_the_decimal_sign_of_the_language)
{
    static const struct {
        enum text_language language;
        const char *second, *minute;
    } rows[] = {
        {TEXT_ENGLISH, "2.16", "1:02.16"},  {TEXT_GERMAN, "2,16", "1:02,16"}, {TEXT_SPANISH, "2,16", "1:02,16"},
        {TEXT_FRENCH, "2,16", "1:02,16"},   {TEXT_POLISH, "2,16", "1:02,16"}, {TEXT_PORTUGUESE, "2,16", "1:02,16"},
        {TEXT_JAPANESE, "2.16", "1:02.16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[24];
        text_use(rows[i].language);
        draw_course_time(130, text, sizeof text);
        assert_string_equal(text, rows[i].second);
        draw_course_time(60 * TICKS_PER_SECOND + 130, text, sizeof text);
        assert_string_equal(text, rows[i].minute);
    }
    text_use(TEXT_ENGLISH);
}
