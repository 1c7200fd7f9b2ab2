// SPDX-License-Identifier: MIT
#include "draw_menu.h"

#include <stdio.h>

#include "hud/hints.h"
#include "hud/hud.h"
#include "hud/mode_text.h"
#include "looks/palette.h"
#include "looks/sprites.h"
#include "menu_parts.h"
#include "scene/draw_player.h"
#include "scene/text_panel.h"
#include "screens.h"
#include "text/text.h"
#include "window/window.h"

#define CARD_W            142
#define CARD_H            230
#define CARD_APART        154
#define CARD_Y            54
#define CARD_BELOW        236 ///< from a card to the one below, in a tall picture
#define SETTINGS_PX       37  ///< from there to the lower row of the match's settings
#define SETTING_PX        18  ///< from one of these rows to the other
#define SETTINGS_SIDES_PX 40  ///< between two settings, and beside them
#define SCALE             4   ///< of a figure
#define FLOOR_Y           128 ///< in a card
#define ROWS_Y            145
#define ROW_PX            17
#define INSET_PX          9
#define REASON_PX         70 ///< of lines above the last row
#define HOP_PX            14 ///< of a figure after a press of its player
#define HOP_US            260000u
#define BAR_W             220 ///< that fills until the match begins

static const char *const TEAMS_SHOWN[] = {TEXT_KEY("any team"), TEXT_KEY("Blue"), TEXT_KEY("Orange")};

// One card on the canvas.
struct card {
    struct canvas *canvas;
    const struct menu *menu;
    const struct lobby_player *player;
    uint32_t number, anim_tick;
    int32_t x, y;
    enum font_face face;
};

static const struct lobby *lobby_of(const struct menu *menu)
{
    static const struct lobby NOBODY;
    return menu->facts.lobby ? menu->facts.lobby : &NOBODY;
}

// What the keys and buttons of a device are called.
static struct hints hints_of(const struct menu *menu, uint32_t device)
{
    bool pad = device >= DEVICE_GAMEPAD;
    return (struct hints){.by_touch = menu->by_touch && device == DEVICE_KEYS,
                          .controls = &menu->preferences->controls,
                          .by_gamepad = pad,
                          .family = pad ? menu->facts.pads[device - DEVICE_GAMEPAD] : PAD_XBOX,
                          .second_keys = device == DEVICE_KEYS_SECOND,
                          .shared_keys = lobby_find(lobby_of(menu), DEVICE_KEYS_SECOND) < LOCAL_PLAYERS};
}

// Draws the caps of one or two actions at a row of the card, and moves the pen behind them.
static struct keycap_pen draw_caps(const struct card *card, int32_t row, enum player_action first,
                                   enum player_action second)
{
    struct hints hints = hints_of(card->menu, card->player->device);
    struct keycap_pen pen = {card->canvas, FONT_SMALL, card->x + INSET_PX, card->y + ROWS_Y + row * ROW_PX};
    char name[32];
    hints_name(&hints, first, name, sizeof name);
    keycap_draw(&pen, name);
    if (second != first) {
        pen.x++;
        hints_name(&hints, second, name, sizeof name);
        keycap_draw(&pen, name);
    }
    pen.x += 5;
    return pen;
}

static void draw_row(const struct card *card, int32_t row, enum player_action first, enum player_action second,
                     const char *text)
{
    struct keycap_pen pen = draw_caps(card, row, first, second);
    font_draw(card->canvas, FONT_SMALL, pen.x, pen.y, INK, text);
}

// The figure hops after a press of its player.
static void draw_figure(const struct card *card)
{
    static const struct inks ARROW = {.of = {['w'] = RGB(0xC89A5C), ['m'] = RGB(0xF4F6F2), ['f'] = RGB(0xE8473C)}};
    uint32_t vision = card->menu->preferences->display.colour_vision;
    const struct lobby_player *player = card->player;
    argb colour = palette_player(vision, player->colour);
    uint64_t age_us = lobby_of(card->menu)->now_us - player->moved_us;
    bool hops = age_us < HOP_US && !card->menu->preferences->display.reduced_motion;
    int32_t hop = hops ? (int32_t)(age_us * (HOP_US - age_us) * 4 * HOP_PX / ((uint64_t)HOP_US * HOP_US)) : 0;
    int32_t middle = card->x + CARD_W / 2, floor_y = card->y + FLOOR_Y;
    canvas_glow(card->canvas, middle, floor_y - 30, 62, colour, player->ready ? 90 : 46);
    canvas_box(card->canvas, (struct rect){middle - 46, floor_y, 92, 5}, palette_player_dark(vision, player->colour));
    canvas_box(card->canvas, (struct rect){middle - 46, floor_y, 92, 1}, colour);
    struct portrait portrait = {.colour = colour,
                                .main = lobby_of(card->menu)->has_teams && player->team ? palette_team(player->team)
                                                                                        : colour,
                                .hat = (enum hat)player->hat,
                                .legs = hop > 4 ? LEGS_RISE : LEGS_STAND,
                                .has_scarf = true,
                                .blinks = (card->anim_tick + card->number * 37) % 190 < 6,
                                .anim_tick = card->anim_tick + card->number * 23};
    int32_t breath = !hop && card->anim_tick / 40 % 2 ? 1 : 0;
    draw_player_portrait(card->canvas, &portrait,
                         (struct placement){.x = middle - FIGURE_WIDTH * SCALE / 2 + 4,
                                            .y = floor_y - FIGURE_HEIGHT * SCALE - hop + breath,
                                            .w = FIGURE_WIDTH * SCALE,
                                            .h = FIGURE_HEIGHT * SCALE});
    if (player->handicap == HANDICAP_SHIELD)
        for (int32_t radius = 37; radius < 40; radius++)
            canvas_ring(card->canvas, middle + 2, floor_y - 30 - hop, radius, RGB(0xFFD45A), 200);
    if (player->handicap == HANDICAP_ARROW)
        canvas_sprite(card->canvas, &SPRITE_ARROW,
                      (struct placement){.x = card->x + CARD_W - 20, .y = card->y + 10, .w = 10, .h = 18}, &ARROW);
}

// A ready player's card says so, what their connection does in a match, and with what they fight.
static void draw_ready(const struct card *card)
{
    const char *state = card->menu->facts.states[card->number],
               *text = text_of(state && *state ? state : TEXT_KEY("ready"));
    struct rect plate = {card->x + INSET_PX, card->y + ROWS_Y - 4, CARD_W - 2 * INSET_PX, 17};
    const char *rest = text;
    char line[TEXT_PANEL_LINE_BYTES];
    if (font_width(card->face, text) < plate.w - 12) {
        menu_parts_focus(card->canvas, plate, card->anim_tick);
        font_draw(card->canvas, card->face, plate.x + (plate.w - font_width(card->face, text)) / 2, plate.y + 5,
                  MENU_PARTS_ON_BRASS, text);
        draw_row(card, 1, ACTION_JUMP, ACTION_JUMP, text_of("jump"));
        draw_row(card, 2, ACTION_SHOOT, ACTION_SHOOT, text_of("shoot"));
        if (!lobby_of(card->menu)->has_teams) // their row
            draw_row(card, 3, ACTION_DASH, ACTION_DASH, text_of("dash"));
        return;
    }
    for (int32_t y = plate.y; y < plate.y + REASON_PX && text_panel_take_line(&rest, FONT_SMALL, plate.w, line);
         y += 10)
        font_draw(card->canvas, FONT_SMALL, plate.x, y, INK_ALARM, line);
}

// Colour and hat, or team and handicap: the two pages that shoot turns.
static void draw_choices(const struct card *card)
{
    static const char *const HATS_SHOWN[HATS] = {TEXT_KEY("no hat"), TEXT_KEY("miner"),  TEXT_KEY("top hat"),
                                                 TEXT_KEY("bowler"), TEXT_KEY("crown"),  TEXT_KEY("flat cap"),
                                                 TEXT_KEY("cone"),   TEXT_KEY("goggles")};
    static const char *const HANDICAPS_SHOWN[HANDICAPS] = {TEXT_KEY("no handicap"), TEXT_KEY("with a shield"),
                                                           TEXT_KEY("one arrow")};
    const struct lobby_player *player = card->player;
    bool teams = lobby_of(card->menu)->has_teams;
    uint32_t vision = card->menu->preferences->display.colour_vision;
    if (!player->shows_rules) {
        struct keycap_pen pen = draw_caps(card, 0, ACTION_LEFT, ACTION_RIGHT);
        menu_parts_swatch(card->canvas, pen.x + MENU_PARTS_SWATCH_PX, pen.y, palette_player(vision, player->colour),
                          palette_player_dark(vision, player->colour));
        draw_row(card, 1, ACTION_UP, ACTION_DOWN, text_of(HATS_SHOWN[player->hat % HATS]));
    } else {
        if (teams)
            draw_row(card, 0, ACTION_LEFT, ACTION_RIGHT, text_of(TEAMS_SHOWN[player->team % TEAM_SPECTATE]));
        draw_row(card, 1, ACTION_UP, ACTION_DOWN, text_of(HANDICAPS_SHOWN[player->handicap % HANDICAPS]));
    }
    draw_row(card, 2, ACTION_SHOOT, ACTION_SHOOT,
             player->shows_rules ? text_of("colour, hat")
             : teams             ? text_of("team, handicap")
                                 : text_of(HANDICAPS_SHOWN[player->handicap % HANDICAPS]));
}

static void draw_player_card(const struct card *card)
{
    const struct lobby *lobby = lobby_of(card->menu);
    char title[PLAYER_NAME_BYTES + 1], device[TEXT_BYTES];
    argb ink = palette_player_light(card->menu->preferences->display.colour_vision, card->player->colour);
    preferences_player_name(card->menu->preferences, card->number, title);
    if (card->player->device >= DEVICE_GAMEPAD)
        snprintf(device, sizeof device, text_of("gamepad %u"), card->player->device - DEVICE_GAMEPAD + 1);
    else
        snprintf(device, sizeof device, "%s",
                 card->player->device == DEVICE_KEYS_SECOND ? text_of("second keys") : text_of("first keys"));
    menu_parts_plate(card->canvas, (struct rect){card->x, card->y, CARD_W, CARD_H});
    enum font_face face = font_that_fits(FONT_LARGE, title, CARD_W - 2 * INSET_PX);
    font_draw(card->canvas, face, card->x + INSET_PX, card->y + 11, ink, title);
    font_draw(card->canvas, FONT_SMALL, card->x + INSET_PX, card->y + 23, INK_DIM, device);
    draw_figure(card);
    if (card->player->lost) {
        const char *text = text_of("Unplugged: plug the gamepad in again.");
        char line[TEXT_PANEL_LINE_BYTES];
        for (int32_t y = card->y + ROWS_Y; text_panel_take_line(&text, card->face, CARD_W - 2 * INSET_PX, line);
             y += 12)
            font_draw(card->canvas, card->face, card->x + INSET_PX, y, INK_ALARM, line);
        return;
    }
    if (card->player->ready && lobby->has_teams)
        draw_row(card, 3, ACTION_LEFT, ACTION_RIGHT, text_of(TEAMS_SHOWN[card->player->team % TEAM_SPECTATE]));
    if (card->player->ready)
        draw_ready(card);
    else
        draw_choices(card);
    bool plays = lobby->playing >> card->number & 1;
    if (!card->player->ready)
        draw_row(card, 3, ACTION_JUMP, ACTION_JUMP, text_of("ready"));
    draw_row(card, 4, ACTION_DASH, ACTION_DASH,
             !card->player->ready ? text_of("leave")
             : plays              ? text_of("change or leave")
                                  : text_of("not ready"));
}

// A free card lists what makes somebody stand there: jump on each device that nobody has.
static void draw_free_card(const struct card *card)
{
    const struct menu *menu = card->menu;
    int32_t middle = card->x + CARD_W / 2, y = card->y + ROWS_Y - 22;
    enum pad_family shown[GAMEPAD_CAPACITY];
    uint32_t shown_count = 0, caps = 0;
    text_panel_sheet(card->canvas, (struct rect){card->x, card->y, CARD_W, CARD_H}, 150);
    for (uint32_t device = DEVICE_KEYS; device < DEVICES; device++) {
        struct hints hints = hints_of(menu, device);
        bool there = device < DEVICE_GAMEPAD || menu->facts.pad_bits >> (device - DEVICE_GAMEPAD) & 1;
        for (uint32_t i = 0; hints.by_gamepad && i < shown_count; i++)
            there &= shown[i] != hints.family; // one glyph for each family
        if (!there || lobby_find(lobby_of(menu), device) < LOCAL_PLAYERS)
            continue;
        if (hints.by_gamepad)
            shown[shown_count++] = hints.family;
        char name[32];
        hints_name(&hints, ACTION_JUMP, name, sizeof name);
        struct keycap_pen pen = {card->canvas, FONT_SMALL, middle - keycap_width(FONT_SMALL, name) / 2, y};
        keycap_draw(&pen, name);
        y += ROW_PX;
        caps++;
    }
    const char *text = !caps                  ? text_of("Plug in a gamepad")
                       : menu->facts.in_match ? text_of("One more player? Press")
                                              : text_of("Press to join");
    char line[TEXT_PANEL_LINE_BYTES];
    y = card->y + ROWS_Y - 44;
    for (; text_panel_take_line(&text, card->face, CARD_W - 2 * INSET_PX, line); y += FONT_LINE_PX)
        font_draw(card->canvas, card->face, middle - font_width(card->face, line) / 2, y, INK_DIM, line);
}

// The bar fills while start is held, and while all are ready.
static void draw_bar(struct canvas *canvas, const struct menu *menu)
{
    const struct lobby *lobby = lobby_of(menu);
    bool held = lobby->held_us && lobby->held_us != UINT64_MAX;
    uint64_t since_us = held ? lobby->held_us : lobby->ready_us, all_us = held ? LOBBY_HOLD_US : lobby_wait_us(lobby);
    if (!since_us)
        return;
    int32_t x = (canvas_width(canvas) - BAR_W) / 2, y = CARD_Y + CARD_H + 5 + (menu->is_tall ? CARD_BELOW : 0);
    uint64_t part_us = lobby->now_us - since_us < all_us ? lobby->now_us - since_us : all_us;
    menu_parts_plate(canvas, (struct rect){x - 3, y - 3, BAR_W + 6, 11});
    canvas_box(canvas, (struct rect){x, y, (int32_t)(part_us * BAR_W / all_us), 5}, MENU_PARTS_EMBER);
}

// What the match will be, and the keys that change it, in two rows above the hints.
static void draw_settings(struct canvas *canvas, const struct menu *menu, enum font_face face)
{
    bool pad = menu->by_gamepad;
    enum pad_family family = menu_pad_family(menu);
    uint32_t bots = (uint32_t)menu->preferences->bots;
    int32_t width = canvas_width(canvas), y = canvas_height(canvas) - SETTINGS_PX;
    char mode[TEXT_BYTES], map[TEXT_BYTES], fill[TEXT_BYTES], variants[TEXT_BYTES], titles[VARIANT_ROW_BYTES];
    snprintf(mode, sizeof mode, text_of("mode: %s"),
             mode_text_title(preferences_mode(menu->preferences, lobby_count(lobby_of(menu)))));
    snprintf(map, sizeof map, text_of("map: %s"), text_map_title(menu->preferences->map));
    snprintf(fill, sizeof fill, text_plural("bots fill up to %u player", "bots fill up to %u players", bots), bots);
    struct keycap_hint hints[] = {
        {{pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_BACK) : "M"}, mode},
        {{pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_LEFT_STICK) : "N"}, map},
        {{pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_RIGHT_STICK) : "B"}, bots ? fill : text_of("no bots")},
        {{pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_LEFT_TRIGGER) : "V"}, variants}};
    int32_t taken = keycap_hint_width(face, hints[2].caps[0], hints[2].does) +
                    keycap_hint_width(face, hints[3].caps[0], "") + SETTINGS_SIDES_PX;
    variant_row_titles(preferences_variants(&menu->preferences->variants), text_of("As usual"), titles);
    snprintf(variants, sizeof variants - FONT_CUT_BYTES, text_of("variants: %s"), titles);
    font_cut(face, variants, width - taken);
    keycap_row((struct keycap_pen){canvas, face, width / 2, y - SETTING_PX}, hints, 2);
    keycap_row((struct keycap_pen){canvas, face, width / 2, y}, hints + 2, 2);
}

static void draw_hints(struct canvas *canvas, const struct menu *menu, enum font_face face)
{
    struct keycap_pen pen = {canvas, face, 12, canvas_height(canvas) - 15};
    bool pad = menu->by_gamepad;
    enum pad_family family = menu_pad_family(menu);
    if (menu->by_touch) // their controls are there
        return;
    // All ready begin by themselves. Start is for those who do not want to wait for the others. It leads to a match, to
    // the one that goes on, or back to the screen below.
    const struct lobby *lobby = lobby_of(menu);
    uint32_t ready = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        ready += lobby->players[i].joined && lobby->players[i].ready;
    bool offers_start = lobby_count(lobby) && (!menu_lobby_begins(menu) || (ready && ready < lobby_count(lobby)));
    canvas_veil(
        canvas,
        (struct rect){0, canvas_height(canvas) - MENU_PARTS_HINTS_PX, canvas_width(canvas), MENU_PARTS_HINTS_PX},
        TEXT_PANEL_COLOUR, 190);
    if (offers_start)
        keycap_hint(&pen, pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_START) : text_of("Enter"),
                    menu->facts.in_match      ? text_of("hold: play on")
                    : menu_lobby_begins(menu) ? text_of("hold: begin")
                                              : text_of("hold: done"));
    if (menu_lobby_begins(menu))
        draw_settings(canvas, menu, face);
    keycap_hint(&pen, pad ? pad_glyphs_name(family, GAMEPAD_BUTTON_B) : text_of("Esc"), text_of("back"));
}

void draw_lobby(struct canvas *canvas, const struct menu *menu, uint32_t anim_tick)
{
    enum font_face face = menu->preferences->display.large_text ? FONT_LARGE : FONT_SMALL;
    const char *message = menu->facts.message;
    const char *what_to_do =
        !lobby_count(lobby_of(menu)) ? text_of("Each player presses jump on a gamepad or a set of keys.")
        : menu->facts.in_match       ? text_of("Others can join in, and you can change; then the match goes on.")
                                     : text_of("Choose a colour and a hat; the match begins when all are ready.");
    uint32_t columns = menu->is_tall ? 2 : LOCAL_PLAYERS;
    int32_t side = (canvas_width(canvas) - ((int32_t)columns - 1) * CARD_APART - CARD_W) / 2;
    canvas_veil(canvas, (struct rect){0, 0, canvas_width(canvas), canvas_height(canvas)}, TEXT_PANEL_COLOUR, 150);
    text_panel_centred(canvas, FONT_LARGE, 18, INK_GOLD, text_of(menu_screen(menu)->title));
    text_panel_centred(canvas, face, 34, message[0] ? MENU_PARTS_EMBER : INK_DIM, message[0] ? message : what_to_do);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        struct card card = {.canvas = canvas,
                            .menu = menu,
                            .player = &lobby_of(menu)->players[i],
                            .number = i,
                            .anim_tick = anim_tick,
                            .x = side + (int32_t)(i % columns) * CARD_APART,
                            .y = CARD_Y + (int32_t)(i / columns) * CARD_BELOW,
                            .face = face};
        if (card.player->joined)
            draw_player_card(&card);
        else
            draw_free_card(&card);
    }
    draw_bar(canvas, menu);
    draw_hints(canvas, menu, face);
}
