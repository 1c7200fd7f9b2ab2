// SPDX-License-Identifier: MIT
#include "item_looks.h"

#define OUTLINE     RGB(0x14121C)
#define ENDS_TICKS  60 ///< before its end, what lasts for a time begins to blink
#define BLINK_TICKS 4

const struct arrow_look ITEM_LOOKS_ARROWS[ARROW_KINDS] = {
    [ARROW_NORMAL] = {RGB(0xF4F6F2), RGB(0xF4F6F2), RGB(0xC8D2DA), RGB(0xB98A55), 2, 0, 0},
    [ARROW_BOMB] = {RGB(0xFF6A4A), RGB(0x3A3644), RGB(0x8A8494), RGB(0x9C5A3C), 1, 3, RGB(0xFF8A3C)},
    [ARROW_DRILL] = {RGB(0x6FD0F0), RGB(0xBFE0EA), RGB(0x5FA8C4), RGB(0x6F7C8C), 5, 0, 0},
};

uint32_t item_looks_kind(const struct player *player, uint32_t number)
{
    return number < player->bombs ? ARROW_BOMB : number < player->bombs + player->drills ? ARROW_DRILL : ARROW_NORMAL;
}

// clang-format off
// k outline, l lit wood, w wood, d its shade, i iron, g gold
static const struct sprite CHEST = {12, 10,
    "..kkkkkkkk.."
    ".killllllik."
    "kiwwwwwwwwik"
    "kiwwwwwwwwik"
    "kkkkkggkkkkk"
    "kildkggkdlik"
    "kiwwwkkwwwik"
    "kiwwwwwwwwik"
    "kiddddddddik"
    "kkkkkkkkkkkk"};

static const struct sprite CHEST_OPEN = {12, 12,
    "..kkkkkkkk.."
    ".killllllik."
    ".kiwwwwwwik."
    ".kkkkkkkkkk."
    "..kggggggk.."
    ".kkggggggkk."
    "kkkkkkkkkkkk"
    "kildkggkdlik"
    "kiwwwkkwwwik"
    "kiwwwwwwwwik"
    "kiddddddddik"
    "kkkkkkkkkkkk"};
// clang-format on

void item_looks_chest(struct canvas *canvas, int32_t x, int32_t y, bool opens)
{
    static const struct inks OAK = {.of = {['k'] = RGB(0x1E1418),
                                           ['l'] = RGB(0xD09A58),
                                           ['w'] = RGB(0x96602F),
                                           ['d'] = RGB(0x663D22),
                                           ['i'] = RGB(0x6A7482),
                                           ['g'] = RGB(0xFFD45A)}};
    const struct sprite *sprite = opens ? &CHEST_OPEN : &CHEST;
    if (opens)
        canvas_glow(canvas, x, y - 8, 16, OAK.of['g'], 140);
    canvas_sprite(canvas, sprite, (struct placement){.x = x - sprite->w / 2, .y = y - sprite->h}, &OAK);
}

// The golden shield, which lasts until it is hit.
static void draw_shield(struct canvas *canvas, const struct gift_wearer *wearer)
{
    static const int8_t CLOCK[8][2] = {{0, -11}, {7, -8}, {10, 0}, {7, 7}, {0, 10}, {-8, 7}, {-11, 0}, {-8, -8}};
    int32_t x = wearer->x, y = wearer->y - 7;
    canvas_ring(canvas, x, y, 11, RGB(0xFFD45A), 200);
    for (uint32_t i = 0; i < 2; i++) {
        const int8_t *at = CLOCK[(wearer->now / 5 + i * 4) % 8];
        canvas_box(canvas, (struct rect){x + at[0], y + at[1], 2, 2}, RGB(0xFFF4C8));
    }
}

// k outline, w feathers, s their shade. For a player who looks right.
static const struct sprite WINGS[2] = {{10, 8, // spread
                                        "kk........"
                                        "kwkk......"
                                        "kwwwkk...."
                                        ".kwwwwkk.."
                                        ".kswwwwwk."
                                        "..kswwwwwk"
                                        "...kkswwwk"
                                        ".....kkkk."},
                                       {10, 8, // folded
                                        ".....kkk.."
                                        "....kwwwk."
                                        "...kwwwwwk"
                                        "..kwwwwwwk"
                                        "..kwwwwsk."
                                        ".kwwwsskk."
                                        ".kwsskk..."
                                        "kkkkk....."}};
static const struct inks FEATHERS = {.of = {['k'] = OUTLINE, ['w'] = RGB(0xF4F6FA), ['s'] = RGB(0xB4C4DC)}};

static void draw_wings(struct canvas *canvas, const struct gift_wearer *wearer)
{
    const struct player *player = wearer->player;
    bool left = player->facing < 0, flies = !(player->flags & PLAYER_GROUNDED);
    bool beat = flies && player->vy < 0 && wearer->now / 4 % 2;
    const struct sprite *wing = &WINGS[flies && !beat ? 0 : 1];
    canvas_sprite(
        canvas, wing,
        (struct placement){.x = left ? wearer->x + 1 : wearer->x - wing->w - 1, .y = wearer->y - 14, .mirrored = left},
        &FEATHERS);
}

// r and b poles, w their ends, k outline.
static const struct sprite MAGNET = {10, 8,
                                     ".kkk..kkk."
                                     ".kwk..kwk."
                                     ".krk..kbk."
                                     ".krk..kbk."
                                     ".krrkkbbk."
                                     ".krrrbbbk."
                                     "..krrbbk.."
                                     "...kkkk..."};
static const struct inks POLES = {
    .of = {['k'] = OUTLINE, ['r'] = RGB(0xF05A4A), ['b'] = RGB(0x5A8AF0), ['w'] = RGB(0xF4F6FA)}};

// Rings that draw together around the figure.
static void draw_magnet(struct canvas *canvas, const struct gift_wearer *wearer)
{
    for (int32_t i = 0; i < 2; i++) {
        int32_t age = ((int32_t)(wearer->now / 2 % 16) + i * 8) % 16;
        canvas_ring(canvas, wearer->x, wearer->y - 7, 24 - age, i ? RGB(0x8AB0FF) : RGB(0xFF8A7A), 40 + age * 10);
    }
}

static const struct {
    void (*draw)(struct canvas *canvas, const struct gift_wearer *wearer); // NULL: it is not seen on a figure
    bool over;
    const struct sprite *icon; // of what lasts for a time
    const struct inks *inks;
} LOOKS[MAP_GIFTS] = {
    [MAP_GIFT_SHIELD] = {draw_shield, .over = true},
    [MAP_GIFT_WINGS] = {draw_wings, .icon = &WINGS[1], .inks = &FEATHERS},
    [MAP_GIFT_MAGNET] = {draw_magnet, .icon = &MAGNET, .inks = &POLES},
};

void item_looks_gifts(struct canvas *canvas, const struct view *view, const struct gift_wearer *wearer, bool over)
{
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
        if (LOOKS[gift].draw == NULL || LOOKS[gift].over != over)
            continue;
        uint32_t left_ticks = game_view_gift_ticks(view, wearer->slot, (enum map_gift)gift, wearer->now);
        bool blinks = left_ticks < ENDS_TICKS && left_ticks / BLINK_TICKS % 2;
        if (left_ticks != 0 && !blinks)
            LOOKS[gift].draw(canvas, wearer);
    }
}

void item_looks_gift_icon(struct canvas *canvas, enum map_gift gift, int32_t x, int32_t y)
{
    canvas_sprite(canvas, LOOKS[gift].icon, (struct placement){.x = x, .y = y}, LOOKS[gift].inks);
}
