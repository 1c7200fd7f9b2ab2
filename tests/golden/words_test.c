// SPDX-License-Identifier: MIT
// Draws every menu, panel and screen in every language, with small and with large text, and looks where each text
// stands: none leaves the picture or its panel, none is cut off, no sentence loses its end and no two overlap or touch,
// unless the same happens in English. What is kept of a picture has all texts of its painter. Each character of the
// catalogues has a glyph, and each choice of an option a translation.
#include <stdio.h>
#include <string.h>

#include "app/config/preferences.h"
#include "app/menu/menu_parts.h"
#include "app/replay/replay_bar.h"
#include "base/file.h"
#include "base/utf8.h"
#include "hud/hud.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "seeds.h"
#include "test.h"
#include "text/text.h"
#include "window/font.h"

#define TEXTS_MAX      512
#define PANELS_MAX     256
#define PICTURES_MAX   512
#define LINES_MAX      512
#define GLYPH_PX       7 ///< rows of a text that others must not touch
#define APART_PX       2 ///< between two texts in a row, at least
#define PANEL_INSET_PX 1 ///< from the sides of a panel to its texts, at least

void __real_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text);
void __real_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text);
bool __real_text_panel_take_line(const char **text, enum font_face face, int32_t width,
                                 char line[TEXT_PANEL_LINE_BYTES]);
bool __wrap_text_panel_take_line(const char **text, enum font_face face, int32_t width,
                                 char line[TEXT_PANEL_LINE_BYTES]);
void __real_text_panel_sheet(struct canvas *canvas, struct rect rect, int32_t part);
void __wrap_text_panel_sheet(struct canvas *canvas, struct rect rect, int32_t part);
void __real_menu_parts_plate(struct canvas *canvas, struct rect rect);
void __wrap_menu_parts_plate(struct canvas *canvas, struct rect rect);
void __real_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick);
void __wrap_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick);
void __real_still_paste(struct canvas *canvas, int32_t x, int32_t y, struct canvas *from, struct rect part);
void __wrap_still_paste(struct canvas *canvas, int32_t x, int32_t y, struct canvas *from, struct rect part);
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
void __real_draw_player_name(const struct frame *frame, uint32_t slot, int32_t y);
void __wrap_draw_player_name(const struct frame *frame, uint32_t slot, int32_t y);

// A text as it was drawn, points.
struct drawn {
    int32_t x, y, w;
    bool spills;    ///< over a side of the panel that it stands on
    uint32_t paste; ///< of those that a picture is pasted together from
    bool joined;    ///< part of a sentence in several inks
    char text[TEXT_BYTES];
};

// A line that was taken from a sentence.
struct line {
    uint32_t phrase;  ///< its number in the picture
    bool drawn, last; ///< last: nothing is left of the sentence
    char text[TEXT_PANEL_LINE_BYTES];
};

// What is wrong with the texts of a picture.
struct faults {
    uint32_t outside, cut, overlaps, spills, lost;
};

static struct drawn texts[TEXTS_MAX];
static uint32_t text_count, paste;
static bool in_story;
static struct rect panels[PANELS_MAX];
static uint32_t panel_count;
static struct line lines[LINES_MAX];
static uint32_t line_count;
static const char *phrase_rest;         ///< of the sentence that the last line is from
static uint32_t kept_count, torn_count; ///< texts in what is kept of a picture; over its edge
static struct faults in_english[PICTURES_MAX];
static struct canvas blank; ///< draws nothing: doubles/blank_canvas.c

// Whether a text leaves the panel that was drawn last of those that it touches.
static bool spills(const struct drawn *text)
{
    for (uint32_t i = panel_count; i-- > 0;) {
        const struct rect *panel = &panels[i];
        if (text->x < panel->x + panel->w && panel->x < text->x + text->w && text->y < panel->y + panel->h &&
            panel->y < text->y + GLYPH_PX)
            return text->x < panel->x + PANEL_INSET_PX || text->x + text->w > panel->x + panel->w - PANEL_INSET_PX;
    }
    return false;
}

static void record_panel(struct rect panel)
{
    assert_true(panel_count < PANELS_MAX);
    panels[panel_count++] = panel;
}

static void record(enum font_face face, int32_t x, int32_t y, const char *text)
{
    assert_true(text_count < TEXTS_MAX);
    if (!*text)
        return;
    texts[text_count] = (struct drawn){.x = x, .y = y, .w = font_width(face, text)};
    texts[text_count].spills = spills(&texts[text_count]);
    texts[text_count].paste = paste;
    texts[text_count].joined = in_story;
    snprintf(texts[text_count++].text, TEXT_BYTES, "%s", text);
    for (uint32_t i = 0; i < line_count; i++)
        lines[i].drawn |= !strcmp(lines[i].text, text);
}

bool __wrap_text_panel_take_line(const char **text, enum font_face face, int32_t width,
                                 char line[TEXT_PANEL_LINE_BYTES])
{
    bool begins = !line_count || *text != phrase_rest;
    if (!__real_text_panel_take_line(text, face, width, line))
        return false;
    assert_true(line_count < LINES_MAX);
    struct line *taken = &lines[line_count++];
    taken->phrase = line_count == 1 ? 1 : taken[-1].phrase + begins;
    taken->drawn = false;
    taken->last = !**text;
    snprintf(taken->text, sizeof taken->text, "%s", line);
    phrase_rest = *text;
    return true;
}

// Sentences of which some lines are drawn and others are not. Some are measured only.
static uint32_t count_lost(const char *code, const char *name, bool aloud)
{
    uint32_t lost = 0;
    for (uint32_t begin = 0, end = 0; begin < line_count; begin = end) {
        uint32_t drawn = 0;
        for (end = begin; end < line_count && lines[end].phrase == lines[begin].phrase; end++)
            drawn += lines[end].drawn;
        bool loses = drawn && (drawn < end - begin || !lines[end - 1].last);
        lost += loses;
        if (aloud && loses)
            fprintf(stderr, "%s: %s: \"%s...\" has no room for its end.\n", code, name, lines[begin].text);
    }
    return lost;
}

static bool lies_in(const struct drawn *text, struct rect part)
{
    return text->x >= part.x && text->x + text->w <= part.x + part.w && text->y >= part.y &&
           text->y + GLYPH_PX <= part.y + part.h;
}

static bool touches(const struct drawn *text, struct rect part)
{
    return text->x < part.x + part.w && part.x < text->x + text->w && text->y < part.y + part.h &&
           part.y < text->y + GLYPH_PX;
}

// Counts the texts that were drawn since something was pasted.
static void see_what_is_kept(struct rect part)
{
    for (uint32_t i = 0; i < text_count; i++)
        if (texts[i].paste == paste) {
            kept_count += lies_in(&texts[i], part);
            torn_count += touches(&texts[i], part) && !lies_in(&texts[i], part);
        }
}

static bool draws_outlined; // lld also wraps the call of font_draw() in font_draw_outlined()

void __wrap_font_draw(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour, const char *text)
{
    if (!draws_outlined)
        record(face, x, y, text);
    __real_font_draw(canvas, face, x, y, colour, text);
}

void __wrap_font_draw_outlined(struct canvas *canvas, enum font_face face, int32_t x, int32_t y, argb colour,
                               const char *text)
{
    record(face, x, y, text);
    draws_outlined = true;
    __real_font_draw_outlined(canvas, face, x, y, colour, text);
    draws_outlined = false;
}

void __wrap_text_panel_sheet(struct canvas *canvas, struct rect rect, int32_t part)
{
    record_panel(rect);
    __real_text_panel_sheet(canvas, rect, part);
}

void __wrap_menu_parts_plate(struct canvas *canvas, struct rect rect)
{
    record_panel(rect);
    __real_menu_parts_plate(canvas, rect);
}

void __wrap_menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick)
{
    record_panel(rect);
    __real_menu_parts_focus(canvas, rect, anim_tick);
}

static void forget(void)
{
    text_count = panel_count = line_count = 0;
}

void __wrap_still_paste(struct canvas *canvas, int32_t x, int32_t y, struct canvas *from, struct rect part)
{
    see_what_is_kept(part);
    paste++;
    panel_count = 0;
    __real_still_paste(canvas, x, y, from, part);
}

// The HUD is drawn again, over the figures and their names; some pictures show it several times.
void __wrap_hud_draw(const struct frame *frame, const struct scene *scene)
{
    forget();
    __real_hud_draw(frame, scene);
}

// Some pictures show the bar of a replay several times.
void __wrap_replay_bar_draw(const struct replay_viewer *viewer, struct canvas *canvas, const struct hints *hints,
                            bool large)
{
    forget();
    __real_replay_bar_draw(viewer, canvas, hints, large);
}

// Some pictures show several kills again.
void __wrap_kill_story_draw(const struct frame *frame, const struct kill_story *story)
{
    forget();
    in_story = true;
    __real_kill_story_draw(frame, story);
    in_story = false;
}

// Names over heads stand where the figures are, so panels may cover them.
void __wrap_draw_player_name(const struct frame *frame, uint32_t slot, int32_t y)
{
    uint32_t before = text_count;
    __real_draw_player_name(frame, slot, y);
    text_count = before;
}

// A new frame begins.
void __wrap_canvas_resize(struct canvas *canvas, bool fine)
{
    forget();
    __real_canvas_resize(canvas, fine);
}

static bool overlaps(const struct drawn *a, const struct drawn *b)
{
    return a->paste == b->paste && a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + GLYPH_PX &&
           b->y < a->y + GLYPH_PX;
}

// Two words that stand in a row, one right behind the other.
static bool is_glued(const struct drawn *a, const struct drawn *b)
{
    int32_t apart = a->x < b->x ? b->x - a->x - a->w : a->x - b->x - b->w;
    return a->paste == b->paste && !(a->joined && b->joined) && a->y == b->y && apart >= 0 && apart < APART_PX;
}

static bool is_cut(const struct drawn *text)
{
    size_t length = strlen(text->text);
    size_t end = strlen(FONT_CUT_END);
    return length > end && !strcmp(text->text + length - end, FONT_CUT_END);
}

static bool is_outside(const struct drawn *text)
{
    return text->x < 0 || text->x + text->w > CANVAS_WIDTH || text->y < 0 || text->y + GLYPH_PX > CANVAS_HEIGHT;
}

// Looks at the texts of the picture that was drawn last; `aloud` names each fault.
static struct faults find_faults(const char *name, bool aloud)
{
    struct faults faults = {0};
    char code[16];
    snprintf(code, sizeof code, "%s%s", TEXT_LANGUAGE_NAMES[text_language_used()], still_large ? ", large" : "");
    for (uint32_t i = 0; i < text_count; i++) {
        faults.outside += is_outside(&texts[i]);
        faults.cut += is_cut(&texts[i]);
        faults.spills += texts[i].spills;
        if (aloud && (is_outside(&texts[i]) || is_cut(&texts[i])))
            fprintf(stderr, "%s: %s: \"%s\" has no room.\n", code, name, texts[i].text);
        if (aloud && texts[i].spills)
            fprintf(stderr, "%s: %s: \"%s\" leaves its panel.\n", code, name, texts[i].text);
        for (uint32_t other = 0; other < i; other++) {
            bool both = overlaps(&texts[i], &texts[other]) || is_glued(&texts[i], &texts[other]);
            faults.overlaps += both;
            if (aloud && both)
                fprintf(stderr, "%s: %s: \"%s\" overlaps or touches \"%s\".\n", code, name, texts[other].text,
                        texts[i].text);
        }
    }
    faults.lost = count_lost(code, name, aloud);
    return faults;
}

static void draw(const struct picture *picture)
{
    canvas_resize(&blank, false);
    picture->draw(&blank, picture->variant);
}

// What a visit of the pictures counts.
struct visit {
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
    struct visit *visit = context;
    if (!has_words(picture))
        return;
    assert_true(visit->pictures < PICTURES_MAX);
    struct faults *base = &in_english[visit->pictures++];
    draw(picture);
    struct faults faults = find_faults(picture->name, false);
    if (text_language_used() == TEXT_ENGLISH && !still_large)
        *base = faults;
    if (faults.outside > base->outside || faults.cut > base->cut || faults.overlaps > base->overlaps || faults.spills ||
        faults.lost > base->lost) {
        find_faults(picture->name, true);
        visit->failures++;
    }
}

// A sanitizer looks for what the longest texts show as well as all do: in bytes, the Japanese ones.
static bool is_asked(enum text_language language)
{
    return SEEDS_ALL || language == TEXT_ENGLISH || language == TEXT_JAPANESE;
}

TEST(every_text_has_room_in_every_language)
{
    uint32_t failures = 0;
    for (uint32_t i = 0; i < 2 * TEXT_LANGUAGES; i++) {
        struct visit visit = {0};
        enum text_language language = (enum text_language)(i % TEXT_LANGUAGES);
        if (!is_asked(language))
            continue;
        text_use(language);
        still_large = i >= TEXT_LANGUAGES;
        pictures_each(look, &visit);
        failures += visit.failures;
    }
    still_large = false;
    text_use(TEXT_ENGLISH);
    if (failures)
        fail_msg("%u pictures have texts without room: see above", failures);
}

// Whether a picture is about what is no text, with texts around it that it does not keep.
static bool is_about_figures(const struct picture *picture)
{
    static const char *const NAMES[] = {"hud-count", "hud-gifts", "match-couch-zoom", "trial-first"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (!strcmp(picture->name, NAMES[i]))
            return true;
    return false;
}

// Pictures are parts of larger ones, and some are pasted together from such parts.
static void look_at_what_is_kept(const struct picture *picture, void *context)
{
    struct visit *visit = context;
    if (!has_words(picture))
        return;
    forget();
    kept_count = torn_count = 0;
    uint32_t before = paste;
    draw(picture);
    uint32_t drawn = text_count;
    if (before == paste)
        see_what_is_kept(picture->w ? (struct rect){picture->x, picture->y, picture->w, picture->h}
                                    : (struct rect){0, 0, CANVAS_WIDTH, CANVAS_HEIGHT});
    visit->pictures++;
    if (torn_count || (drawn && !kept_count && !is_about_figures(picture))) {
        fprintf(stderr, "%s keeps %u of its texts whole and %u in part.\n", picture->name, kept_count, torn_count);
        visit->failures++;
    }
}

TEST(a_picture_keeps_the_texts_that_it_is_about)
{
    struct visit visit = {0};
    pictures_each(look_at_what_is_kept, &visit);
    if (visit.failures)
        fail_msg("%u pictures keep parts of texts or none: see above", visit.failures);
}

TEST(a_text_without_room_is_noticed)
{
    static const struct {
        struct drawn texts[2];
        struct faults faults;
    } rows[] = {
        /* 1 */ {{{10, 10, 20, false, 0, false, "one"}, {32, 10, 20, false, 0, false, "two"}}, {0, 0, 0, 0, 0}},
        /* 2 */ {{{10, 10, 22, false, 0, false, "one"}, {31, 10, 20, false, 0, false, "two"}}, {0, 0, 1, 0, 0}},
        /* 3 */ {{{10, 10, 22, false, 0, false, "one"}, {10, 17, 20, false, 0, false, "two"}}, {0, 0, 0, 0, 0}},
        /* 4 */ {{{10, 10, 22, false, 0, false, "one"}, {10, 16, 20, false, 0, false, "two"}}, {0, 0, 1, 0, 0}},
        /* 5 */ {{{-1, 10, 20, false, 0, false, "one"}, {621, 10, 20, false, 0, false, "two"}}, {2, 0, 0, 0, 0}},
        /* 6 */ {{{0, -1, 20, false, 0, false, "one"}, {100, 354, 20, false, 0, false, "two"}}, {2, 0, 0, 0, 0}},
        /* 7 */
        {{{10, 10, 22, false, 0, false, "one"}, {31, 10, 20, false, 1, false, "two"}}, {0, 0, 0, 0, 0}}, // pasted
        /* 8 */ {{{10, 10, 20, false, 0, false, "Some…"}, {100, 10, 20, false, 0, false, "…"}}, {0, 1, 0, 0, 0}},
        /* 9 */
        {{{31, 10, 20, false, 0, false, "two"}, {10, 10, 20, false, 0, false, "one"}},
         {0, 0, 1, 0, 0}}, // glued together
    };
    forget();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(texts, rows[i].texts, sizeof rows[i].texts);
        text_count = 2;
        struct faults faults = find_faults("planted", false);
        if (memcmp(&faults, &rows[i].faults, sizeof faults))
            fail_msg("row %zu", i + 1);
    }
}

TEST(a_phrase_without_its_end_is_noticed)
{
    static const struct {
        uint32_t taken, drawn; ///< lines
        uint32_t lost;
    } rows[] = {
        /* 1 */ {3, 3, 0},
        /* 2 */ {3, 2, 1}, // the last one was taken, and not drawn
        /* 3 */ {2, 2, 1}, // nobody took it
        /* 4 */ {3, 0, 0}, // only measured
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *phrase = "one two six";
        char line[TEXT_PANEL_LINE_BYTES];
        forget();
        for (uint32_t taken = 0; taken < rows[i].taken; taken++) {
            assert_true(__wrap_text_panel_take_line(&phrase, FONT_SMALL, font_width(FONT_SMALL, "one "), line));
            if (taken < rows[i].drawn)
                record(FONT_SMALL, 10, 10 + 10 * (int32_t)taken, line);
        }
        if (find_faults("planted", false).lost != rows[i].lost)
            fail_msg("row %zu", i + 1);
    }
}

TEST(a_text_that_leaves_its_panel_is_noticed)
{
    static const struct {
        struct drawn text;
        bool spills;
    } rows[] = {
        /* 1 */ {{11, 12, 38, false, 0, false, ""}, false},  // as wide as there is room on the panel
        /* 2 */ {{10, 12, 38, false, 0, false, ""}, true},   // at its left side
        /* 3 */ {{12, 12, 38, false, 0, false, ""}, true},   // at its right side
        /* 4 */ {{9, 30, 40, false, 0, false, ""}, false},   // below it
        /* 5 */ {{60, 12, 40, false, 0, false, ""}, false},  // beside it
        /* 6 */ {{112, 12, 30, false, 0, false, ""}, false}, // on a plate on a panel
        /* 7 */ {{108, 12, 30, false, 0, false, ""}, true},  // off the plate, on the panel
    };
    forget();
    record_panel((struct rect){10, 10, 40, 12});
    record_panel((struct rect){100, 0, 80, 40});
    record_panel((struct rect){110, 10, 40, 12});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (spills(&rows[i].text) != rows[i].spills)
            fail_msg("row %zu", i + 1);
}

TEST(every_character_has_a_glyph)
{
    uint32_t missing = 0;
    for (uint32_t language = TEXT_ENGLISH + 1; language < TEXT_LANGUAGES; language++) {
        static uint8_t bytes[1 << 20];
        char path[512];
        size_t byte_count;
        snprintf(path, sizeof path, SOURCE_ROOT "/client/text/%s.po", TEXT_LANGUAGE_NAMES[language]);
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
    assert_false(font_has(0x20AB)); // the dong
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

TEST(every_choice_of_an_option_is_translated)
{
    static const enum preferences_row ROWS[] = {ROW_SCALING, ROW_FULLSCREEN, ROW_FRAME_LIMIT, ROW_VIEW,     ROW_HAT,
                                                ROW_EYES,    ROW_BOT_SKILL,  ROW_PAD_JUMP,    ROW_PAD_LEFT, ROW_VSYNC};
    struct preferences preferences;
    struct error error;
    assert_true(preferences_read(&preferences, "", &error));
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char first[64] = "", text[64];
        for (int step = 0; step < 64; step++) {
            preferences_describe(&preferences, ROWS[i], text, sizeof text);
            bool is_plain = strlen(text) <= 1 || (text[0] >= '0' && text[0] <= '9');
            if (!is_plain && (!is_listed(text) || (!is_translated(text))))
                fail_msg("%s: \"%s\" is not translated", preferences_option(ROWS[i])->name, text);
            if (step == 0)
                strcpy(first, text);
            else if (!strcmp(first, text))
                break;
            preferences_change(&preferences, ROWS[i], 1);
        }
    }
}
