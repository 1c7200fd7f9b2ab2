// SPDX-License-Identifier: MIT
#include "menu_parts.h"

#include "app/config/preferences.h"
#include "scene/text_panel.h"

#define RIM       RGB(0x54688A)
#define RIM_LIT   RGB(0x9DB8CC)
#define RIM_DARK  RGB(0x0A0812)
#define GROOVE    RGB(0x2A2A40)
#define BAR_EMPTY RGB(0x34324A)
#define BRASS     RGB(0xD08A3C)
#define BRASS_LIT RGB(0xFFD98A)
#define BRASS_LOW RGB(0x7A4228)

#define KNOB_LEAST_PX 8 ///< of a scroll bar

void menu_parts_plate(struct canvas *canvas, struct rect rect)
{
    int32_t right = rect.x + rect.w, bottom = rect.y + rect.h;
    canvas_veil(canvas, rect, TEXT_PANEL_COLOUR, 238);
    canvas_box(canvas, (struct rect){rect.x, rect.y, rect.w, 1}, RIM);
    canvas_box(canvas, (struct rect){rect.x, bottom - 1, rect.w, 1}, RIM_DARK);
    canvas_box(canvas, (struct rect){rect.x, rect.y, 1, rect.h}, RIM);
    canvas_box(canvas, (struct rect){right - 1, rect.y, 1, rect.h}, RIM_DARK);
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = i % 2 ? right - 6 : rect.x + 4, y = i / 2 ? bottom - 6 : rect.y + 4;
        canvas_box(canvas, (struct rect){x, y, 2, 2}, RIM);
        canvas_dot(canvas, x, y, RIM_LIT);
    }
}

void menu_parts_rule(struct canvas *canvas, int32_t x, int32_t y, int32_t w)
{
    canvas_box(canvas, (struct rect){x, y, w, 2}, RIM_DARK);
    canvas_box(canvas, (struct rect){x, y, w, 1}, BRASS_LOW);
}

void menu_parts_focus(struct canvas *canvas, struct rect rect, uint32_t anim_tick)
{
    int32_t middle = rect.y + rect.h / 2, right = rect.x + rect.w, phase = (int32_t)(anim_tick / 8 % 8);
    canvas_glow(canvas, rect.x + 20, middle, 46, MENU_PARTS_EMBER, 40 + (phase < 4 ? phase : 8 - phase) * 5);
    canvas_box(canvas, (struct rect){rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2}, RIM_DARK);
    canvas_box(canvas, rect, BRASS);
    canvas_box(canvas, (struct rect){rect.x, rect.y, rect.w, 1}, BRASS_LIT);
    canvas_box(canvas, (struct rect){rect.x, rect.y + rect.h - 2, rect.w, 2}, BRASS_LOW);
    for (int32_t side = 0; side < 2; side++) {
        int32_t x = side ? right - 5 : rect.x + 3;
        canvas_box(canvas, (struct rect){x, middle - 1, 2, 2}, BRASS_LOW);
        canvas_dot(canvas, x, middle - 1, BRASS_LIT);
    }
}

void menu_parts_arrows(struct canvas *canvas, struct rect rect, argb ink)
{
    int32_t middle = rect.y + rect.h / 2;
    for (int32_t i = 0; i < 4; i++) {
        canvas_box(canvas, (struct rect){rect.x - i, middle - 3 + i, 1, 7 - 2 * i}, ink);
        canvas_box(canvas, (struct rect){rect.x + rect.w + i, middle - 3 + i, 1, 7 - 2 * i}, ink);
    }
}

void menu_parts_bars(struct canvas *canvas, int32_t right, int32_t y, int64_t level, bool focused)
{
    argb full = focused ? MENU_PARTS_ON_BRASS : INK_DIM, empty = focused ? BRASS_LOW : BAR_EMPTY;
    for (int32_t i = 0; i < PREFERENCES_VOLUME_MAX; i++)
        canvas_box(canvas, (struct rect){right - MENU_PARTS_BARS_PX + i * 6, y, 4, 7}, i < level ? full : empty);
}

void menu_parts_swatch(struct canvas *canvas, int32_t right, int32_t y, argb colour, argb shade)
{
    canvas_box(canvas, (struct rect){right - MENU_PARTS_SWATCH_PX, y - 1, MENU_PARTS_SWATCH_PX + 1, 9}, RIM_DARK);
    canvas_box(canvas, (struct rect){right - MENU_PARTS_SWATCH_PX + 1, y, MENU_PARTS_SWATCH_PX - 1, 7}, colour);
    canvas_box(canvas, (struct rect){right - MENU_PARTS_SWATCH_PX + 1, y + 5, MENU_PARTS_SWATCH_PX - 1, 2}, shade);
}

void menu_parts_scroll_bar(struct canvas *canvas, struct rect rect, uint32_t first, uint32_t shown, uint32_t count)
{
    int32_t knob = rect.h * (int32_t)shown / (int32_t)count;
    knob = knob < KNOB_LEAST_PX ? KNOB_LEAST_PX : knob;
    int32_t y = rect.y + (rect.h - knob) * (int32_t)first / (int32_t)(count - shown);
    canvas_box(canvas, rect, GROOVE);
    canvas_box(canvas, (struct rect){rect.x, y, rect.w, knob}, RIM);
}

#define SHEET     RGB(0xF4EEE0)
#define SHEET_INK RGB(0x140E18)

void menu_parts_qr_code(struct canvas *canvas, const struct qr_code *code, int32_t x, int32_t y, int32_t side_px)
{
    int32_t side = (int32_t)code->side, modules = side + 2 * QR_CODE_QUIET, module_px = side_px / modules;
    int32_t sheet_px = modules * module_px, margin = (side_px - sheet_px) / 2;
    if (!code->side || module_px < 1)
        return;
    x += margin;
    y += margin;
    canvas_box(canvas, (struct rect){x, y, sheet_px, sheet_px}, SHEET);
    for (int32_t i = 0; i < side * side; i++)
        if (code->dark[i])
            canvas_box(canvas,
                       (struct rect){x + (i % side + QR_CODE_QUIET) * module_px,
                                     y + (i / side + QR_CODE_QUIET) * module_px, module_px, module_px},
                       SHEET_INK);
}
