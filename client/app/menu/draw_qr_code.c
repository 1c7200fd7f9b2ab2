// SPDX-License-Identifier: MIT
#include "draw_qr_code.h"

#define SHEET RGB(0xF4EEE0)
#define INK   RGB(0x140E18)

void draw_qr_code(struct canvas *canvas, const struct qr_code *code, int32_t x, int32_t y, int32_t side_px)
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
                       INK);
}
