// SPDX-License-Identifier: MIT
#include <qrencode.h>

#include "qr_code.h"

void qr_code_make(struct qr_code *code, const char *text)
{
    code->side = 0;
    QRcode *made = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (!made)
        return;
    if (made->width <= QR_CODE_SIDE_MAX) {
        code->side = (uint32_t)made->width;
        for (uint32_t i = 0; i < code->side * code->side; i++)
            code->dark[i] = made->data[i] & 1;
    }
    QRcode_free(made);
}
