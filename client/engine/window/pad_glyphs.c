// SPDX-License-Identifier: MIT
#include "gamepads.h"

#include <stddef.h>

#include "font.h"

#define DISC_PX  13
#define PLATE_PX 17      ///< width of shoulders and triggers
#define FIRST    0xE000u ///< code point of the first name, in the private area of Unicode
#define ROW      32u     ///< names of a family
#define EDGE     RGB(0x0A0812)
#define BODY     RGB(0x3A4460)
#define LIT      RGB(0x8FA6BE)
#define PALE     RGB(0xE8EEF4)
#define DARK     RGB(0x14121C)
#define GLYPHS   (PAD_GLYPH_DPAD + 1)
#define NAME(at)                                                                                                       \
    {                                                                                                                  \
        (char)0xEE, (char)(0x80 + (at) / 64), (char)(0x80 + (at) % 64), 0                                              \
    }
#define NAMES4(at) NAME(at), NAME((at) + 1), NAME((at) + 2), NAME((at) + 3)
#define NAMES(at)                                                                                                      \
    {                                                                                                                  \
        NAMES4(at), NAMES4((at) + 4), NAMES4((at) + 8), NAMES4((at) + 12), NAMES4((at) + 16)                           \
    }

static const char GLYPH_NAMES[PAD_FAMILIES][GLYPHS][4] = {NAMES(0), NAMES(32), NAMES(64)};

const char *pad_glyphs_name(enum pad_family family, uint32_t button)
{
    return button > GAMEPAD_BUTTON_NONE && button < GLYPHS && family < PAD_FAMILIES ? GLYPH_NAMES[family][button]
                                                                                    : "none";
}

// What a name stands for. Returns false if it is not that of a glyph.
static bool find(const char *name, enum pad_family *family, uint32_t *button)
{
    if ((uint8_t)name[0] != 0xEE || !name[1] || !name[2] || name[3])
        return false;
    uint32_t at = ((uint32_t)(name[1] & 0x3F) << 6 | (uint32_t)(name[2] & 0x3F));
    *family = (enum pad_family)(at / ROW);
    *button = at % ROW;
    return at / ROW < PAD_FAMILIES && *button < GLYPHS;
}

static bool is_plate(uint32_t button)
{
    return button == GAMEPAD_BUTTON_LEFT_SHOULDER || button == GAMEPAD_BUTTON_RIGHT_SHOULDER ||
           button == GAMEPAD_BUTTON_LEFT_STICK || button == GAMEPAD_BUTTON_RIGHT_STICK ||
           button == GAMEPAD_BUTTON_LEFT_TRIGGER || button == GAMEPAD_BUTTON_RIGHT_TRIGGER;
}

int32_t pad_glyphs_width(const char *name)
{
    enum pad_family family;
    uint32_t button;
    if (!find(name, &family, &button))
        return 0;
    return is_plate(button) ? PLATE_PX : DISC_PX;
}

static void draw_letter(struct canvas *canvas, int32_t x, int32_t y, int32_t w, argb ink, const char *letter)
{
    font_draw(canvas, FONT_SMALL, x + (w - font_width(FONT_SMALL, letter) + 1) / 2, y + 3, ink, letter);
}

static void draw_disc(struct canvas *canvas, int32_t x, int32_t y, argb colour)
{
    canvas_disc(canvas, x + 6, y + 6, 6, EDGE);
    canvas_disc(canvas, x + 6, y + 6, 5, colour);
}

// The shape on a face button of a PlayStation pad, 7 x 7.
static void draw_shape(struct canvas *canvas, int32_t x, int32_t y, uint32_t button)
{
    static const argb INKS[] = {RGB(0x8CB4F4), RGB(0xF08078), RGB(0xE8A0D0), RGB(0x6AD0A8)}; // A, B, X, Y
    argb ink = INKS[button - GAMEPAD_BUTTON_A];
    for (int32_t i = 0; i < 7; i++) {
        if (button == GAMEPAD_BUTTON_A) {
            canvas_dot(canvas, x + i, y + i, ink);
            canvas_dot(canvas, x + 6 - i, y + i, ink);
        } else if (button == GAMEPAD_BUTTON_X) {
            canvas_box(canvas, (struct rect){x, y + i, i % 6 ? 1 : 7, 1}, ink);
            canvas_dot(canvas, x + 6, y + i, ink);
        } else if (button == GAMEPAD_BUTTON_Y) {
            canvas_dot(canvas, x + 3 - (i + 1) / 2, y + i, ink);
            canvas_dot(canvas, x + 3 + (i + 1) / 2, y + i, ink);
            canvas_dot(canvas, x + i, y + 6, ink);
        }
    }
    if (button == GAMEPAD_BUTTON_B)
        canvas_ring(canvas, x + 3, y + 3, 3, ink, 256);
}

static void draw_face(struct canvas *canvas, int32_t x, int32_t y, enum pad_family family, uint32_t button)
{
    static const argb XBOX[] = {RGB(0x5CB84A), RGB(0xE0503C), RGB(0x4A8CE8), RGB(0xF0BC30)};
    static const char *const LETTERS[] = {"A", "B", "X", "Y"};
    uint32_t at = button - GAMEPAD_BUTTON_A;
    draw_disc(canvas, x, y, family == PAD_XBOX ? XBOX[at] : family == PAD_SWITCH ? RGB(0x4A4C56) : RGB(0x262A3C));
    if (family == PAD_PLAYSTATION)
        draw_shape(canvas, x + 3, y + 3, button);
    else
        draw_letter(canvas, x, y, DISC_PX, family == PAD_XBOX ? DARK : PALE, LETTERS[at]);
}

// Shoulders, triggers, and sticks that are pressed.
static void draw_plate(struct canvas *canvas, int32_t x, int32_t y, enum pad_family family, uint32_t button)
{
    static const char *const LABELS[PAD_FAMILIES][GLYPHS] = {
        [PAD_XBOX] = {[GAMEPAD_BUTTON_LEFT_SHOULDER] = "LB",
                      [GAMEPAD_BUTTON_RIGHT_SHOULDER] = "RB",
                      [GAMEPAD_BUTTON_LEFT_TRIGGER] = "LT",
                      [GAMEPAD_BUTTON_RIGHT_TRIGGER] = "RT",
                      [GAMEPAD_BUTTON_LEFT_STICK] = "LS",
                      [GAMEPAD_BUTTON_RIGHT_STICK] = "RS"},
        [PAD_PLAYSTATION] = {[GAMEPAD_BUTTON_LEFT_SHOULDER] = "L1",
                             [GAMEPAD_BUTTON_RIGHT_SHOULDER] = "R1",
                             [GAMEPAD_BUTTON_LEFT_TRIGGER] = "L2",
                             [GAMEPAD_BUTTON_RIGHT_TRIGGER] = "R2",
                             [GAMEPAD_BUTTON_LEFT_STICK] = "L3",
                             [GAMEPAD_BUTTON_RIGHT_STICK] = "R3"},
        [PAD_SWITCH] = {[GAMEPAD_BUTTON_LEFT_SHOULDER] = "L",
                        [GAMEPAD_BUTTON_RIGHT_SHOULDER] = "R",
                        [GAMEPAD_BUTTON_LEFT_TRIGGER] = "ZL",
                        [GAMEPAD_BUTTON_RIGHT_TRIGGER] = "ZR",
                        [GAMEPAD_BUTTON_LEFT_STICK] = "LS",
                        [GAMEPAD_BUTTON_RIGHT_STICK] = "RS"},
    };
    bool trigger = button == GAMEPAD_BUTTON_LEFT_TRIGGER || button == GAMEPAD_BUTTON_RIGHT_TRIGGER;
    int32_t cut = trigger ? 3 : 2;
    for (int32_t row = 0; row < 13; row++) { // a trigger is round below, a shoulder above
        int32_t from = trigger ? 12 - row : row, in = from < cut ? cut - from : 0;
        canvas_box(canvas, (struct rect){x + in, y + row, PLATE_PX - 2 * in, 1}, EDGE);
        if (row > 0 && row < 12)
            canvas_box(canvas, (struct rect){x + in + 1, y + row, PLATE_PX - 2 * in - 2, 1}, row == 1 ? LIT : BODY);
    }
    draw_letter(canvas, x, y, PLATE_PX, PALE, LABELS[family][button]);
}

// The D-pad with one arm lit, or all.
static void draw_dpad(struct canvas *canvas, int32_t x, int32_t y, uint32_t button)
{
    static const struct {
        uint32_t button;
        struct rect arm;
    } ARMS[] = {{GAMEPAD_BUTTON_UP, {5, 1, 3, 4}},
                {GAMEPAD_BUTTON_DOWN, {5, 8, 3, 4}},
                {GAMEPAD_BUTTON_LEFT, {1, 5, 4, 3}},
                {GAMEPAD_BUTTON_RIGHT, {8, 5, 4, 3}}};
    canvas_box(canvas, (struct rect){x + 4, y, 5, 13}, EDGE);
    canvas_box(canvas, (struct rect){x, y + 4, 13, 5}, EDGE);
    canvas_box(canvas, (struct rect){x + 5, y + 5, 3, 3}, BODY);
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        struct rect arm = ARMS[i].arm;
        arm.x += x;
        arm.y += y;
        canvas_box(canvas, arm, button == PAD_GLYPH_DPAD || button == ARMS[i].button ? PALE : BODY);
    }
}

static void draw_stick(struct canvas *canvas, int32_t x, int32_t y)
{
    canvas_disc(canvas, x + 6, y + 6, 6, EDGE);
    canvas_ring(canvas, x + 6, y + 6, 5, LIT, 256);
    canvas_disc(canvas, x + 6, y + 6, 3, BODY);
    canvas_disc(canvas, x + 5, y + 5, 1, LIT);
}

// The small buttons in the middle: three lines, two sheets, plus and minus, or a share and an options button.
static void draw_middle(struct canvas *canvas, int32_t x, int32_t y, enum pad_family family, bool starts)
{
    draw_disc(canvas, x, y, BODY);
    if (family == PAD_SWITCH) {
        canvas_box(canvas, (struct rect){x + 3, y + 6, 7, 1}, PALE);
        if (starts)
            canvas_box(canvas, (struct rect){x + 6, y + 3, 1, 7}, PALE);
    } else if (starts) {
        for (int32_t i = 0; i < 3; i++)
            canvas_box(canvas, (struct rect){x + 4, y + 4 + 2 * i, 5, 1}, PALE);
    } else if (family == PAD_XBOX) {
        canvas_box(canvas, (struct rect){x + 3, y + 4, 5, 4}, PALE);
        canvas_box(canvas, (struct rect){x + 4, y + 5, 3, 2}, BODY);
        canvas_box(canvas, (struct rect){x + 6, y + 6, 4, 4}, PALE);
    } else {
        for (int32_t i = -1; i <= 1; i++)
            canvas_line(canvas, x + 6, y + 9, x + 6 + 3 * i, y + (i ? 5 : 3), PALE);
    }
}

void pad_glyphs_draw(struct canvas *canvas, int32_t x, int32_t y, const char *name)
{
    enum pad_family family;
    uint32_t button;
    if (!find(name, &family, &button))
        return;
    if (button >= GAMEPAD_BUTTON_A && button <= GAMEPAD_BUTTON_Y)
        draw_face(canvas, x, y, family, button);
    else if ((button >= GAMEPAD_BUTTON_UP && button <= GAMEPAD_BUTTON_RIGHT) || button == PAD_GLYPH_DPAD)
        draw_dpad(canvas, x, y, button);
    else if (button == PAD_GLYPH_STICK)
        draw_stick(canvas, x, y);
    else if (is_plate(button))
        draw_plate(canvas, x, y, family, button);
    else if (button == GAMEPAD_BUTTON_GUIDE)
        draw_disc(canvas, x, y, PALE);
    else
        draw_middle(canvas, x, y, family, button == GAMEPAD_BUTTON_START);
}
