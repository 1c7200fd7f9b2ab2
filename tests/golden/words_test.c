// SPDX-License-Identifier: MIT
// Draws every menu, panel and screen in every language and looks where each text stands: none leaves the picture, none
// is cut off and no two overlap, unless the same happens in English. Each character of the catalogues has a glyph, and
// each choice of an option a translation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/config/preferences.h"
#include "app/gfx/font.h"
#include "app/hud/hud.h"
#include "app/hud/kill_story.h"
#include "app/render/draw_player.h"
#include "app/replay/replay_bar.h"
#include "app/text/choices.h"
#include "base/file.h"
#include "base/utf8.h"
#include "pictures.h"

#define TEXTS_MAX    512
#define PICTURES_MAX 512
#define GLYPH_PX     7 ///< rows of a text that others must not touch

void __real_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __real_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
void __real_canvas_resize(struct canvas *canvas, bool fine);
void __wrap_canvas_resize(struct canvas *canvas, bool fine);
void __real_hud_draw(const struct frame *frame, const struct scene *scene);
void __wrap_hud_draw(const struct frame *frame, const struct scene *scene);
void __real_replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints,
                            bool large);
void __wrap_replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints,
                            bool large);
void __real_kill_story_draw(const struct frame *frame, const struct kill_story *story);
void __wrap_kill_story_draw(const struct frame *frame, const struct kill_story *story);
void __real_draw_player_name(const struct frame *frame, uint32_t slot);
void __wrap_draw_player_name(const struct frame *frame, uint32_t slot);

// A text as it was drawn, points.
struct drawn {
    int32_t x, y, w;
    char text[TEXT_BYTES];
};

// What is wrong with the texts of a picture.
struct faults {
    uint32_t outside, cut, overlaps;
};

static struct drawn texts[TEXTS_MAX];
static uint32_t text_count;
static struct faults in_english[PICTURES_MAX];
static struct image image;

static void record(enum font_face face, int32_t x, int32_t y, const char *text)
{
    assert_true(text_count < TEXTS_MAX);
    if (!*text)
        return;
    texts[text_count] = (struct drawn){.x = x, .y = y, .w = font_width(face, text)};
    snprintf(texts[text_count++].text, TEXT_BYTES, "%s", text);
}

void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    record(face, x, y, text);
    __real_font_draw(canvas, face, x, y, colour, text);
}

void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text)
{
    record(face, x, y, text);
    __real_font_draw_outlined(canvas, face, x, y, colour, text);
}

// The HUD is drawn again, over the figures and their names; some pictures show it several times.
void __wrap_hud_draw(const struct frame *frame, const struct scene *scene)
{
    text_count = 0;
    __real_hud_draw(frame, scene);
}

// Some pictures show the bar of a replay several times.
void __wrap_replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints,
                            bool large)
{
    text_count = 0;
    __real_replay_bar_draw(viewer, canvas, hints, large);
}

// Some pictures show several kills again.
void __wrap_kill_story_draw(const struct frame *frame, const struct kill_story *story)
{
    text_count = 0;
    __real_kill_story_draw(frame, story);
}

// Names over heads stand where the figures are, so panels may cover them.
void __wrap_draw_player_name(const struct frame *frame, uint32_t slot)
{
    uint32_t before = text_count;
    __real_draw_player_name(frame, slot);
    text_count = before;
}

// A new frame begins.
void __wrap_canvas_resize(struct canvas *canvas, bool fine)
{
    text_count = 0;
    __real_canvas_resize(canvas, fine);
}

static bool overlaps(const struct drawn *a, const struct drawn *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + GLYPH_PX && b->y < a->y + GLYPH_PX;
}

static bool is_cut(const struct drawn *text)
{
    size_t length = strlen(text->text);
    return length > 2 && !strcmp(text->text + length - 2, "..");
}

static bool is_outside(const struct drawn *text)
{
    return text->x < 0 || text->x + text->w > CANVAS_WIDTH || text->y < 0 || text->y + GLYPH_PX > CANVAS_HEIGHT;
}

// Looks at the texts of the picture that was drawn last; `aloud` names each fault.
static struct faults find_faults(const char *name, bool aloud)
{
    struct faults faults = {0};
    for (uint32_t i = 0; i < text_count; i++) {
        const char *code = TEXT_LANGUAGE_NAMES[text_language_used()];
        faults.outside += is_outside(&texts[i]);
        faults.cut += is_cut(&texts[i]);
        if (aloud && (is_outside(&texts[i]) || is_cut(&texts[i])))
            fprintf(stderr, "%s: %s: \"%s\" has no room.\n", code, name, texts[i].text);
        for (uint32_t other = 0; other < i; other++) {
            bool both = overlaps(&texts[i], &texts[other]);
            faults.overlaps += both;
            if (aloud && both)
                fprintf(stderr, "%s: %s: \"%s\" overlaps \"%s\".\n", code, name, texts[other].text, texts[i].text);
        }
    }
    return faults;
}

// What a walk over the pictures counts.
struct walk {
    uint32_t pictures, failures;
};

// Names over heads stand where the figures are, so pictures of the arena alone are left out.
static bool has_words(const struct picture *picture)
{
    for (const struct picture *row = PICTURES_ARENA; row->name; row++)
        if (row == picture)
            return false;
    for (const struct picture *row = PICTURES_FIGURES; row->name; row++)
        if (row == picture)
            return false;
    return true;
}

static void look(const struct picture *picture, void *context)
{
    struct walk *walk = context;
    if (!has_words(picture))
        return;
    assert_true(walk->pictures < PICTURES_MAX);
    struct faults *base = &in_english[walk->pictures++];
    picture_draw(picture, &image);
    struct faults faults = find_faults(picture->name, false);
    if (text_language_used() == TEXT_ENGLISH)
        *base = faults;
    else if (faults.outside > base->outside || faults.cut > base->cut || faults.overlaps > base->overlaps) {
        find_faults(picture->name, true);
        walk->failures++;
    }
}

static void every_text_has_room_in_every_language(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (uint32_t language = TEXT_ENGLISH; language < TEXT_LANGUAGES; language++) {
        struct walk walk = {0};
        text_use((enum text_language)language);
        pictures_each(look, &walk);
        failures += walk.failures;
    }
    text_use(TEXT_ENGLISH);
    if (failures)
        fail_msg("%u pictures have texts without room: see above", failures);
}

static void a_text_without_room_is_noticed(void **state)
{
    (void)state;
    static const struct {
        struct drawn texts[2];
        struct faults faults;
    } rows[] = {
        /* 1 */ {{{10, 10, 20, "one"}, {31, 10, 20, "two"}}, {0, 0, 0}},
        /* 2 */ {{{10, 10, 22, "one"}, {31, 10, 20, "two"}}, {0, 0, 1}},
        /* 3 */ {{{10, 10, 22, "one"}, {10, 17, 20, "two"}}, {0, 0, 0}},
        /* 4 */ {{{10, 10, 22, "one"}, {10, 16, 20, "two"}}, {0, 0, 1}},
        /* 5 */ {{{-1, 10, 20, "one"}, {621, 10, 20, "two"}}, {2, 0, 0}},
        /* 6 */ {{{0, -1, 20, "one"}, {100, 354, 20, "two"}}, {2, 0, 0}},
        /* 7 */ {{{10, 10, 20, "Some.."}, {100, 10, 20, ".."}}, {0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(texts, rows[i].texts, sizeof rows[i].texts);
        text_count = 2;
        struct faults faults = find_faults("planted", false);
        if (memcmp(&faults, &rows[i].faults, sizeof faults))
            fail_msg("row %zu", i + 1);
    }
}

static void every_character_has_a_glyph(void **state)
{
    (void)state;
    uint32_t missing = 0;
    for (uint32_t language = TEXT_ENGLISH + 1; language < TEXT_LANGUAGES; language++) {
        static uint8_t bytes[1 << 20];
        char path[512];
        size_t byte_count;
        snprintf(path, sizeof path, SOURCE_ROOT "/client/app/text/%s.po", TEXT_LANGUAGE_NAMES[language]);
        assert_true(file_read(path, bytes, sizeof bytes, &byte_count));
        for (size_t at = 0; at < byte_count;) {
            uint32_t character;
            size_t length = utf8_decode((char *)bytes + at, byte_count - at, &character);
            assert_true(length > 0);
            if (character >= ' ' && !font_has(character)) {
                fprintf(stderr, "%s: U+%04X %.*s has no glyph.\n", TEXT_LANGUAGE_NAMES[language], character,
                        (int)length, (char *)bytes + at);
                missing++;
            }
            at += length;
        }
        for (const char *title = text_language_title((enum text_language)language); *title;) {
            uint32_t character;
            title += utf8_decode(title, strlen(title), &character);
            missing += !font_has(character);
        }
    }
    assert_int_equal(missing, 0);
    assert_false(font_has(0x20AC));
    assert_false(font_has(0x4E02)); // a rare one
}

static bool is_translated(const char *english)
{
    text_use(TEXT_JAPANESE); // where few words are as in English
    bool differs = strcmp(text_of(english), english);
    text_use(TEXT_ENGLISH);
    return differs;
}

static bool is_listed(const char *english)
{
    static const char *const CHOICES[] = {TEXT_CHOICES};
    for (size_t i = 0; i < sizeof CHOICES / sizeof *CHOICES; i++)
        if (!strcmp(CHOICES[i], english))
            return true;
    return false;
}

static void every_choice_of_an_option_is_translated(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"scaling", "fullscreen", "frame-limit", "view",     "hat",
                                        "eyes",    "bot-skill",  "pad-jump",    "pad-left", "vsync"};
    struct preferences preferences;
    struct error error;
    assert_true(preferences_read(&preferences, "", &error));
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char first[64] = "", text[64];
        for (int step = 0; step < 64; step++) {
            preferences_describe(&preferences, NAMES[i], text, sizeof text);
            bool is_plain = strlen(text) <= 1 || (text[0] >= '0' && text[0] <= '9');
            if (!is_plain && (!is_listed(text) || (!is_translated(text) && strcmp(text, "auto"))))
                fail_msg("%s: \"%s\" is not translated", NAMES[i], text);
            if (step == 0)
                strcpy(first, text);
            else if (!strcmp(first, text))
                break;
            preferences_change(&preferences, NAMES[i], 1);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_has_room_in_every_language),
        cmocka_unit_test(a_text_without_room_is_noticed),
        cmocka_unit_test(every_character_has_a_glyph),
        cmocka_unit_test(every_choice_of_an_option_is_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
