// SPDX-License-Identifier: MIT
#include "sprites.h"

// clang-format off

// k outline, y skin, o skin of somebody angry, d eyes and mouth, r red, w white, b tears.
static const struct sprite SPRITES[EMOTES] = {
    {11, 11, // a hand that waves
        "...k.k.k..."
        "..kykykyk.."
        "..kykykykk."
        "kkkykykykyk"
        "kykyyyyykyk"
        "kykyyyyyyyk"
        "kyyyyyyyyyk"
        ".kyyyyyyyk."
        "..kyyyyyyk."
        "...kyyyyk.."
        "...kkkkkk.."},
    {11, 11, // somebody who laughs
        "...kkkkk..."
        ".kkyyyyykk."
        ".kyyyyyyyk."
        "kyydyyydyyk"
        "kydydydydyk"
        "kyyyyyyyyyk"
        "kydddddddyk"
        "kyydrrrdyyk"
        ".kyydddyyk."
        ".kkyyyyykk."
        "...kkkkk..."},
    {11, 11, // a heart
        "..kkk.kkk.."
        ".krrrkrrrk."
        "krwwrrrrrrk"
        "krwrrrrrrrk"
        "krrrrrrrrrk"
        "krrrrrrrrrk"
        ".krrrrrrrk."
        "..krrrrrk.."
        "...krrrk..."
        "....krk...."
        ".....k....."},
    {11, 11, // somebody who is amazed
        "...kkkkk..."
        ".kkyyyyykk."
        ".kydyyydyk."
        "kyydyyydyyk"
        "kyydyyydyyk"
        "kyyyyyyyyyk"
        "kyyydddyyyk"
        "kyyydrdyyyk"
        ".kyydddyyk."
        ".kkyyyyykk."
        "...kkkkk..."},
    {11, 11, // the letters of sleep
        "kkkkkkk...."
        "kwwwwwk...."
        "kkkkwwk...."
        ".kkwwkkkkkk"
        "kkwwkkkwwwk"
        "kwwkkkkkwkk"
        "kwwwwwkwkk."
        "kkkkkkkwwwk"
        "......kkkkk"
        "..........."
        "..........."},
    {11, 11, // somebody who cries
        "...kkkkk..."
        ".kkyyyyykk."
        ".kyyyyyyyk."
        "kyydyyydyyk"
        "kyydyyydyyk"
        "kyybyyybyyk"
        "kyybyyybyyk"
        "kyybdddbyyk"
        ".kbbyyybbk."
        ".kkyyyyykk."
        "...kkkkk..."},
    {11, 11, // somebody who is angry
        "...kkkkk..."
        ".kkoooookk."
        ".koooooook."
        "kodooooodok"
        "kooddoddook"
        "koodooodook"
        "koooooooook"
        "kooodddoook"
        ".kodooodok."
        ".kkoooookk."
        "...kkkkk..."},
    {11, 11, // a question
        "..kkkkkkk.."
        ".kwwwwwwwk."
        ".kwwkkkwwk."
        ".kkkkkwwwk."
        "...kkwwwk.."
        "...kwwwk..."
        "...kwwkk..."
        "...kkkk...."
        "...kwwk...."
        "...kwwk...."
        "...kkkk...."},
};

// clang-format on

void emotes_draw(struct canvas *canvas, uint32_t emote, int32_t x, int32_t y)
{
    static const struct inks INKS = {.of = {['k'] = RGB(0x1A1420),
                                            ['y'] = RGB(0xF6C12D),
                                            ['o'] = RGB(0xE8743B),
                                            ['d'] = RGB(0x3A2030),
                                            ['r'] = RGB(0xD8304A),
                                            ['w'] = RGB(0xF4F6F2),
                                            ['b'] = RGB(0x4FA8E8)}};
    canvas_sprite(canvas, &SPRITES[emote], (struct placement){.x = x, .y = y}, &INKS);
}
