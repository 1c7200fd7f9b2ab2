// SPDX-License-Identifier: MIT
#include "sprites.h"

// clang-format off

// k outline, h hood, H its lit side, d the dark inside, s scarf, S its fold, b coat, B its lit side. Looks right.
const struct sprite SPRITE_TORSO = {12, 11,
    "....kkkkk..."
    "..kkHHHhhk.."
    ".kHHHhhhhhk."
    ".kHHhhhhhhk."
    ".kHhhddddhk."
    ".kHhddddddk."
    ".khhddddddk."
    ".kkhhddddkk."
    "..kSssssssk."
    "..kkSSSssk.."
    "..kBbbbbbk.."};

const struct sprite SPRITE_LEGS[LEGS_POSES] = {
    [LEGS_STAND] = {12, 3,
        "..kBbbbbbk.."
        "..kbbkkbbk.."
        "..kkk..kkk.."},
    [LEGS_RUN_1] = {12, 3,
        "..kBbbbbbk.."
        ".kbbk.kbbbk."
        ".kkk...kkkk."},
    [LEGS_RUN_2] = {12, 3,
        "..kBbbbbk..."
        "..kkbbbk...."
        "....kkkk...."},
    [LEGS_RUN_3] = {12, 3,
        "..kBbbbbbk.."
        ".kkbbkkbbk.."
        ".kkk...kkk.."},
    [LEGS_RUN_4] = {12, 3,
        "..kBbbbbk..."
        ".kbbkkbbk..."
        ".kk..kkkk..."},
    [LEGS_RISE] = {12, 3,
        "..kBbbbbbk.."
        "..kbbkbbk..."
        "..kk.kkk...."},
    [LEGS_FALL] = {12, 3,
        "..kBbbbbbk.."
        ".kbbk.kbbk.."
        "kkk....kkk.."},
    [LEGS_WALL] = {12, 3,
        "..kBbbbbbk.."
        "..kbbkkbbbk."
        "..kkk..kkkk."},
};

// # the picture
const struct sprite SPRITE_CAUSES[] = {
    {9, 7, // an arrow
        "........."
        "......#.."
        "##.....#."
        ".########"
        "##.....#."
        "......#.."
        "........."},
    {9, 7, // a boot
        "..###...."
        "..###...."
        "..###...."
        "..####..."
        "..######."
        "..#######"
        "........."},
    {9, 7, // between two plates
        "#########"
        "...###..."
        "....#...."
        "........."
        "....#...."
        "...###..."
        "#########"},
    {9, 7, // spikes
        "........."
        ".#..#..#."
        ".#..#..#."
        "###.##.##"
        "#########"
        "#########"
        "........."},
    {9, 7, // a fall
        "...###..."
        "...###..."
        "...###..."
        ".#######."
        "..#####.."
        "...###..."
        "....#...."},
    {9, 7, // a ball
        "...###..."
        "..#####.."
        ".###.###."
        ".##...##."
        ".###.###."
        "..#####.."
        "...###..."},
    {9, 7, // a bomb
        "......#.#"
        ".....#..."
        "..###..#."
        ".#####..."
        ".#.###..."
        ".#####..."
        "..###...."},
};

// w wood, f feathers, m metal
const struct sprite SPRITE_ARROW = {5, 9,
    "..m.."
    ".mmm."
    "m.w.m"
    "..w.."
    "..w.."
    "..w.."
    "f.w.f"
    "ff.ff"
    ".f.f."};

// . plate, s seam, l lit rim of a plate, r rivet
const struct sprite SPRITE_WALL = {16, 16,
    "sssssssssssssssl"
    "s.............sl"
    "s.r.........r.sl"
    "s.............sl"
    "s.............sl"
    "s.............sl"
    "s.r.........r.sl"
    "llllllllllllllll"
    "sssssslsssssssss"
    "......sls......."
    "....r.sls.r....."
    "......sls......."
    "......sls......."
    "......sls......."
    "....r.sls.r....."
    "llllllllllllllll"};

// d dark side, m metal, l lit side
const struct sprite SPRITE_SPIKE = {8, 8,
    "...l...."
    "...l...."
    "..lmd..."
    "..lmd..."
    "..lmmd.."
    ".lmmmd.."
    ".lmmmmd."
    "lmmmmmdd"};

// k outline, l lit rim, b block, d its shade, c crack
const struct sprite SPRITE_BLOCK = {8, 8,
    "lllllllk"
    "lbbbbbdk"
    "lbbbbcdk"
    "lbbbcbdk"
    "lbbbbbdk"
    "lbbbbbdk"
    "lddddddk"
    "kkkkkkkk"};
const struct sprite SPRITE_BLOCK_CRACKED = {8, 8,
    "llklllck"
    "lbkbbckk"
    "cckbcbdk"
    "lbbkkbdc"
    "lbckbkdk"
    "lckbbbkk"
    "lkddcddk"
    "kkkkckkk"};

// l lit rim, w wood, d its shade, k gap
const struct sprite SPRITE_PLANK = {8, 4,
    "lllllllk"
    "wwwwwwwk"
    "ddddddd."
    ".d....d."};

// k iron, l light
const struct sprite SPRITE_LAMP = {7, 7,
    "...k..."
    "...k..."
    "..kkk.."
    ".kkkkk."
    "kkkkkkk"
    ".lllll."
    "..lll.."};

// k frame, o glow, y hot
const struct sprite SPRITE_FURNACE = {10, 8,
    ".kkkkkkkk."
    "kkookkookk"
    "koookkoook"
    "koyokkoyok"
    "koyykkyyok"
    "kyyykkyyyk"
    "kyyykkyyyk"
    "kkkkkkkkkk"};
