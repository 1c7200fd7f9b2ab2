// SPDX-License-Identifier: MIT
// Golden pictures of text, keycaps, and everything drawn over the arena.
#include <stdio.h>
#include <string.h>

#include "app/replay/replay_bar.h"
#include "game/gift.h"
#include "game/tuning.h"
#include "game/variant.h"
#include "hud/chat_panel.h"
#include "hud/hints.h"
#include "hud/hud.h"
#include "looks/sprites.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "scene/text_panel.h"
#include "text/text.h"

static struct canvas other; ///< where parts of a picture are drawn one after the other

// All letters of a font from U+0020, 32 in a row; then a character without a letter, and invalid UTF-8.
static void letters(struct canvas *canvas, uint32_t face)
{
    still_ground(canvas);
    for (uint32_t code = 0x20; code <= 0xFF; code++) {
        char text[3] = {(char)code, 0, 0};
        if (code >= 0x80) {
            text[0] = (char)(0xC0 | code >> 6);
            text[1] = (char)(0x80 | (code & 0x3F));
        }
        if (code < 0x7F || code >= 0xA0)
            font_draw(canvas, (enum font_face)face, 8 + (int32_t)(code % 32) * 12, 10 + (int32_t)(code / 32 - 1) * 14,
                      INK, text);
    }
    font_draw(canvas, (enum font_face)face, 8, 108, INK_GOLD, "日本 \xFF\xC3 €…–—‘’“”„‚•‹›");
    font_draw_outlined(canvas, (enum font_face)face, 160, 108, INK_GOLD, "Größe, ça va? (outlined) 0:59");
}

static void huge_letters(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_ground(canvas);
    font_draw_huge(canvas, 100, 8, INK_GOLD, "3 2 1");
    font_draw_huge(canvas, 100, 48, INK_ALARM, "GO!");
}

static void text_panels(struct canvas *canvas, uint32_t variant)
{
    char line[TEXT_PANEL_LINE_BYTES];
    (void)variant;
    still_ground(canvas);
    text_panel_sheet(canvas, (struct rect){60, 6, 100, 20}, 128);
    text_panel_sheet(canvas, (struct rect){170, 6, 100, 20}, 256);
    text_panel_right(canvas, FONT_SMALL, 420, 12, INK, "ends here");
    text_panel_centred(canvas, FONT_LARGE, 32, INK_GOLD, "in the middle");
    text_panel_backed(canvas, FONT_SMALL, 48, INK, "on paper");
    const char *text = "A sentence that is longer than its line goes on below.",
               *path = "/home/somebody/a/path/without/blanks.dfr wrapped";
    for (int32_t y = 66; text_panel_take_line(&text, FONT_SMALL, 120, line); y += FONT_LINE_PX + 2)
        font_draw_outlined(canvas, FONT_SMALL, 60, y, INK, line);
    for (int32_t y = 66; text_panel_take_line(&path, FONT_LARGE, 110, line); y += FONT_LINE_PX + 2)
        text_panel_centred(canvas, FONT_LARGE, y, INK_ALARM, line);
}

// A panel through which players behind it are visible: the own player more than another, a far one not at all.
static void see_through(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    const struct frame *frame = still_begin(canvas);
    static struct text_panel_beneath beneath;
    still_player(0, 30, 40, "Ada", 0);
    still_player(1, 110, 40, "Bea", 1);
    still_player(2, 182, 60, "Cem", 2);
    still_player(3, 300, 60, "Dag", 3);
    still_look();
    still.view.slot = 0;
    for (int32_t i = 0; i < 4; i++) {
        text_panel_keep(&beneath, canvas, (struct rect){10 + i * 60, 10, 50, 30});
        text_panel_sheet(canvas, beneath.area, 256);
        text_panel_show_through(frame, &beneath);
    }
}

static void caps(struct canvas *canvas, uint32_t face)
{
    static const char *const CAPS[] = {KEYCAP_LEFT,    KEYCAP_RIGHT, KEYCAP_UP, KEYCAP_DOWN, "A",           "LB",
                                       "\xEE\x80\x83", "RT",         "Q",       ",",         "Right Shift", "Ä"};
    static const struct keycap_hint ROW[] = {
        {{KEYCAP_LEFT, KEYCAP_RIGHT}, "5 s"}, {{"Space"}, "jump"}, {{"-", "="}, "speed"}};
    still_ground(canvas);
    struct keycap_pen pen = {canvas, (enum font_face)face, 100, 10};
    for (int32_t i = 0; i < 12; i++) {
        keycap_draw(&pen, CAPS[i]);
        pen.x += 4;
    }
    pen = (struct keycap_pen){canvas, (enum font_face)face, 100, 30};
    keycap_hint(&pen, "Enter", "choose");
    pen.x -= 2;
    keycap_hint(&pen, KEYCAP_UP, "up");
    canvas_box(canvas, (struct rect){100, 44, keycap_width(pen.face, "Enter"), 2}, INK_GOLD);
    canvas_box(canvas, (struct rect){100, 48, keycap_hint_width(pen.face, "Enter", "choose"), 2}, INK_ALARM);
    keycap_row((struct keycap_pen){canvas, (enum font_face)face, CANVAS_WIDTH / 2, 64}, ROW, 3);
    keycap_row((struct keycap_pen){canvas, (enum font_face)face, CANVAS_WIDTH / 2, 84}, ROW, 1);
}

// Every glyph of each family, over a bright and a dark ground.
static void pad_glyphs(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_ground(canvas);
    for (uint32_t family = 0; family < PAD_FAMILIES; family++)
        for (int32_t row = 0; row < 2; row++) {
            int32_t x = 8, y = 8 + ((int32_t)family * 2 + row) * 18;
            if (row)
                text_panel_sheet(canvas, (struct rect){4, y - 2, 310, 17}, 256);
            for (uint32_t button = GAMEPAD_BUTTON_A; button <= PAD_GLYPH_DPAD; button++) {
                const char *name = pad_glyphs_name((enum pad_family)family, button);
                pad_glyphs_draw(canvas, x, y, name);
                x += pad_glyphs_width(name) + 2;
            }
            pad_glyphs_draw(canvas, x, y, "A"); // is no glyph
        }
}

static void logo(struct canvas *canvas, uint32_t anim_tick)
{
    still_ground(canvas);
    logo_draw(canvas, 8, 8, anim_tick);
}

// The clock, left to right, top to bottom: paused; waiting alone; about to begin; get ready; minutes and a limit of
// points; the last seconds; rounds; a single round without an end; walls that close.
static void clocks(struct canvas *canvas, uint32_t large)
{
    still_begin(canvas);
    for (int32_t i = 0; i < 9; i++) {
        const struct frame *frame = still_begin(&other);
        struct world *world = &still.match.world;
        still.display.large_text = still_large || large;
        world->player_slots = i == 1 ? 1 : 2;
        world->rules = (struct rules){.mode = i == 6   ? MODE_LMS
                                              : i == 7 ? MODE_BREAKOUT
                                                       : MODE_FFA,
                                      .score_limit = i == 6   ? 3
                                                     : i == 7 ? 1
                                                              : 20,
                                      .time_limit_ticks = i == 7 ? 0 : 600 * TICKS_PER_SECOND};
        world->round.phase = i == 1 || i == 2 ? ROUND_WARMUP : i == 3 ? ROUND_COUNTDOWN : ROUND_PLAYING;
        world->round.paused = i == 0;
        world->round.since_tick = i == 1 ? STILL_TICK : i == 5 ? STILL_TICK - 593 * TICKS_PER_SECOND : 4321;
        world->round.sudden_death_ticks = i == 8;
        hud_draw(frame, &still.scene);
        still_paste(canvas, i % 3 * 210, i / 3 * 32, &other, (struct rect){215, 0, 210, 32});
    }
}

// The last three seconds of a round, and nothing before them; two and one before a round begins.
static void counts(struct canvas *canvas, uint32_t variant)
{
    static const uint32_t LEFT_TICKS[] = {150, 200, 90, 30};
    (void)variant;
    still_begin(canvas);
    for (uint32_t i = 0; i < 4; i++) {
        const struct frame *frame = still_begin(&other);
        struct world *world = &still.match.world;
        uint32_t of_all = i < 2 ? 1000 : TUNING.countdown_ticks;
        world->round.phase = i < 2 ? ROUND_PLAYING : ROUND_COUNTDOWN;
        world->rules.time_limit_ticks = i < 2 ? of_all : 0;
        world->round.since_tick = STILL_TICK - (of_all - LEFT_TICKS[i]);
        hud_draw(frame, &still.scene);
        still_paste(canvas, (int32_t)i * 60, 0, &other, (struct rect){290, 152, 60, 56});
    }
}

// Beside the clock, and wider apart beside other words.
static void team_scores(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    still_begin(canvas);
    for (uint32_t i = 0; i < 3; i++) {
        const struct frame *frame = still_begin(&other);
        struct round *round = &still.match.world.round;
        still.match.world.rules.mode = i == 1 ? MODE_BREAKOUT : MODE_TEAMS;
        round->phase = i == 2 ? ROUND_COUNTDOWN : ROUND_PLAYING;
        round->team_scores[0] = i == 1 ? 0 : 17;
        round->team_scores[1] = i == 1 ? 2 : 8;
        hud_draw(frame, &still.scene);
        still_paste(canvas, 0, (int32_t)i * 32, &other, (struct rect){170, 0, 300, 32});
    }
}

// Every cause of death; no killer; an expired line.
static void feed(struct canvas *canvas, uint32_t large)
{
    still_begin(canvas);
    for (uint32_t part = 0; part < 2; part++) {
        const struct frame *frame = still_begin(&other);
        still.display.large_text = still_large || large;
        for (uint32_t i = 0; i < KILL_FEED_LINES; i++) {
            struct kill_feed_line *line = &still.scene.feed[i];
            uint32_t cause = part * KILL_FEED_LINES + i;
            *line = (struct kill_feed_line){
                .killer_colour = i, .victim_colour = 8 + i, .cause = cause, .until = STILL_TICK + 1};
            snprintf(line->victim, sizeof line->victim, "%s", i == 1 ? "Sixteen letters!" : "Zoë");
            if (cause != DEATH_FALL && cause != DEATH_HAZARD)
                snprintf(line->killer, sizeof line->killer, "%s", i == 2 ? "Jørgen" : "Ada");
            if (cause >= DEATH_CAUSES)
                line->until = STILL_TICK;
        }
        hud_draw(frame, &still.scene);
        still_paste(canvas, 0, (int32_t)part * 80, &other, (struct rect){420, 0, 220, 80});
    }
}

// The player's arrows: three; full, with bombs and drills; none; and the time until a dead player respawns, which
// is not shown to one who is out until the next round.
static void own(struct canvas *canvas, uint32_t below)
{
    still_begin(canvas);
    for (int32_t i = 0; i < 5; i++) {
        const struct frame *frame = still_begin(&other);
        struct player *player = still_player(0, 10, 200, "Ada", 4);
        still.frame.below = (int32_t)below;
        player->arrows = i == 0 ? 3 : i == 1 ? 6 : 0;
        player->bombs = player->drills = i == 1 ? 2 : 0;
        player->state = i >= 3 ? PLAYER_DEAD : PLAYER_ALIVE;
        still.match.world.rules.mode = i == 4 ? MODE_LMS : MODE_FFA;
        player->respawn_tick = STILL_TICK + 150;
        still_look();
        still.view.slot = 0;
        hud_draw(frame, &still.scene);
        still_paste(canvas, 0, i * 30, &other, (struct rect){240, i >= 3 ? 20 : CANVAS_HEIGHT - 32, 160, 30});
    }
}

// What a player has for a time, each gift in a column: for long, for half of its bar, and when it ends.
static void gifts(struct canvas *canvas, uint32_t variant)
{
    static const uint32_t LEFT_TICKS[] = {5000, 300, 100};
    (void)variant;
    still_begin(canvas);
    for (int32_t i = 0; i < 3; i++) {
        const struct frame *frame = still_begin(&other);
        struct player *player = still_player(0, 10, 200, "Ada", 4);
        for (uint32_t gift = 0; gift < MAP_GIFTS; gift++)
            if (GIFT_TABLE[gift].is_timed)
                *(tick *)(void *)((char *)player + GIFT_TABLE[gift].member) = STILL_TICK + LEFT_TICKS[i];
        still_look();
        still.view.slot = 0;
        hud_draw(frame, &still.scene);
        still_paste(canvas, 0, i * 30, &other, (struct rect){280, CANVAS_HEIGHT - 32, 160, 30});
    }
}

// Three who share a window: one is alive, two come back at different times.
static void respawns_of_friends(struct canvas *canvas, uint32_t vision)
{
    static const char *const NAMES[] = {"Ada", "Zoë", "Sixteen letters!"};
    const struct frame *frame = still_begin(&other);
    still.display.colour_vision = vision;
    for (uint32_t slot = 0; slot < 3; slot++) {
        struct player *player = still_player(slot, 10, 200, NAMES[slot], 2 + slot);
        player->state = slot ? PLAYER_DEAD : PLAYER_ALIVE;
        player->respawn_tick = STILL_TICK + 60 * slot;
    }
    still_look();
    still_share(3);
    hud_draw(frame, &still.scene);
    still_ground(canvas);
    still_paste(canvas, 0, 0, &other, (struct rect){200, 20, 240, 45});
}

// The spectator's camera: on all players, on one, moved by hand; with keys and without.
static void spectators(struct canvas *canvas, uint32_t large)
{
    still_begin(canvas);
    for (int32_t i = 0; i < 4; i++) {
        const struct frame *frame = still_begin(&other);
        struct hints hints = {.controls = &still.preferences.controls, .by_gamepad = i == 2};
        struct spectator_camera spectator = {.mode = i == 1   ? SPECTATOR_CAMERA_PLAYER
                                                     : i == 2 ? SPECTATOR_CAMERA_FREE
                                                              : SPECTATOR_CAMERA_OWN,
                                             .slot = 3};
        still.display.large_text = still_large || large;
        still_player(3, 10, 100, "Jørgen", 4);
        hud_draw_spectator(frame, &spectator, i == 3 ? NULL : &hints);
        still_paste(canvas, 0, i * 44, &other, (struct rect){80, 308, 480, 44});
    }
}

// Before the hit with marks around both; then without a killer, after it.
static void kill_cam_bars(struct canvas *canvas, uint32_t variant)
{
    const struct frame *frame = still_begin(canvas);
    still.display.large_text = still_large || variant == 1;
    still_player(0, 180, 100, "Ada", 2);
    still_player(1, 260, 120, "Sixteen letters!", 5);
    if (variant == 2)
        still.match.world.players[1].state = PLAYER_DEAD;
    still_look();
    kill_story_draw(frame, &(struct kill_story){.kill = {.subject = 1,
                                                         .other = variant == 2 ? EVENT_NOBODY : 0,
                                                         .detail = variant == 2 ? DEATH_SQUISH : DEATH_ARROW,
                                                         .x = 264,
                                                         .y = 126},
                                                .solid = KILL_STORY_NO_SOLID});
}

// Good, and bad: losses and desyncs are in red, a margin is negative.
static void net(struct canvas *canvas, uint32_t bad)
{
    still_ground(canvas);
    struct client_statistics statistics = {.rtt_ms = 42 + bad * 300,
                                           .snapshots = 900,
                                           .snapshots_lost = bad * 77,
                                           .corrections = 12,
                                           .desyncs = bad * 3,
                                           .inputs_missed = 4,
                                           .margin_quarter_ticks = bad ? -7 : 9,
                                           .input_ack_us = 51999,
                                           .others_error_subpx = 819,
                                           .others_jumps = bad * 12,
                                           .facts = 300,
                                           .fact_delay_ticks = 1800,
                                           .deaths_refuted = bad * 2,
                                           .refuted = {[EVENT_JUMP] = bad},
                                           .dice = {0x9F, 0x3A, 0x01, 0xC4, 0xD2, 0x78, 0xE0, 0x5B, 0xFF}};
    hud_draw_net(canvas,
                 &(struct hud_net){.statistics = statistics, .bytes_in_s = 3199, .bytes_out_s = 2850, .draw_us = 1234});
}

enum { SMALL_MESSAGE, LARGE_MESSAGE, LONG_MESSAGE };

static void system_messages(struct canvas *canvas, uint32_t what)
{
    static const char LONG[] =
        "The server is restarted at midnight for a new version; the match goes on afterwards, and "
        "everybody keeps their place and their score.";
    const struct frame *frame = still_begin(canvas);
    still.display.large_text = still_large || what != SMALL_MESSAGE;
    hud_draw_status(frame, CANVAS_HEIGHT - HUD_BOTTOM_PX,
                    what == LONG_MESSAGE ? LONG : "The server closes in one minute", 1260000);
}

static void text(struct canvas *canvas, uint32_t anim_tick)
{
    const char *said =
        text_of("The server was restarting and has not come back. Try again later, or join another one.");
    hud_draw_message(canvas, anim_tick ? FONT_SMALL : FONT_LARGE,
                     &(struct hud_message){"Deadfall", said, anim_tick ? text_of("Esc") : NULL, anim_tick});
}

static void dusk(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    hud_draw_empty_sky(canvas);
}

static const struct frame *begin_board(struct canvas *canvas, uint32_t players, enum mode mode, enum round_phase phase)
{
    static const char *const NAMES[] = {"Ada", "Jørgen", "Sixteen letters!", "Zoë", "Rivet", "Slag", "Ember"};
    const struct frame *frame = still_begin(canvas);
    struct world *world = &still.match.world;
    for (uint32_t slot = 0; slot < players; slot++) {
        struct player *player = still_player(slot, 300, 600, NAMES[slot % 7], slot % 16);
        player->score = (int32_t)(slot * 37 % 23) - 2;
        player->stats.kills = slot * 37 % 25;
        player->stats.deaths = slot * 7 % 9;
        player->stats.squishes = slot % 4;
        player->stats.catches = slot == 3 ? 1 : 0;
        player->stats.shots = 40;
        player->stats.hits = slot;
        player->flags = slot % 3 == 1 ? PLAYER_BOT : 0;
        player->state = slot == 5 ? PLAYER_DEAD : slot == 6 ? PLAYER_SPECTATOR : PLAYER_ALIVE;
        player->team = mode == MODE_TEAMS || mode == MODE_BREAKOUT ? 1 + slot % 2 : 0;
    }
    world->rules.mode = mode;
    world->rules.time_limit_ticks = 600 * TICKS_PER_SECOND;
    world->round = (struct round){.phase = phase, .since_tick = 4321, .team_scores = {17, 8}};
    still_look();
    still.view.slot = 0;
    return frame;
}

// Scoreboards: of a match in progress, with few and with many players; of teams; of a finished match.
enum { FEW, MANY, TEAMS, ROUND_WON, MATCH_WON, TEAM_WON, DRAWN, LARGE, BELOW_VOTE, WARMING_UP, WITH_VARIANTS };

static void scoreboards(struct canvas *canvas, uint32_t variant)
{
    bool over = variant >= ROUND_WON && variant <= DRAWN, teams = variant == TEAMS || variant == TEAM_WON;
    const struct frame *frame =
        begin_board(canvas, variant == MANY || variant == BELOW_VOTE ? 40 : 9, teams ? MODE_TEAMS : MODE_FFA,
                    variant == ROUND_WON    ? ROUND_OVER
                    : over                  ? ROUND_MATCH_OVER
                    : variant == WARMING_UP ? ROUND_WARMUP
                                            : ROUND_PLAYING);
    struct round *round = &still.match.world.round;
    round->winner = variant == ROUND_WON || variant == MATCH_WON ? 2 : 0;
    round->winner_team = variant == TEAM_WON ? 2 : 0;
    still.display.large_text = still_large || variant == LARGE;
    if (variant == TEAMS || variant == LARGE) {
        still.match.world.players[2].handicap = HANDICAP_SHIELD;
        still.match.world.players[3].handicap = HANDICAP_ARROW;
    }
    if (variant == WITH_VARIANTS)
        still.match.world.rules.variants = 1u << VARIANT_ICE | 1u << VARIANT_EXPLOSIVE_DEATH |
                                           1u << VARIANT_HASTY_CRUSHERS | 1u << VARIANT_LOW_GRAVITY;
    scoreboard_draw(frame, variant == BELOW_VOTE ? 60 : 0);
}

// Few players; many, with the own player among the last; large; with teams.
static void ranking(struct canvas *canvas, uint32_t variant)
{
    still_begin(canvas);
    for (uint32_t i = 0; i < 4; i++) {
        const struct frame *frame = begin_board(&other, i == 0 ? 3 : 20, i == 3 ? MODE_TEAMS : MODE_FFA, ROUND_PLAYING);
        still.display.large_text = still_large || i == 2;
        still.display.colour_vision = i;
        scoreboard_draw_ranking(frame);
        still_paste(canvas, (int32_t)i * 120, 0, &other, (struct rect){0, 0, 120, 64});
    }
    (void)variant;
}

static struct vote_message ask(uint32_t count, uint32_t chosen)
{
    static const char *const MAPS[] = {"foundry", "clockwork", "skyline", "breakout", "duel", "colosseum"};
    struct vote_message vote = {.choice_count = count, .own = chosen, .ticks_left = 601};
    snprintf(vote.question, sizeof vote.question, "%s", count > 2 ? "Which map is next?" : "Kick Sixteen letters!?");
    for (uint32_t i = 0; i < count; i++) {
        vote.choices[i].votes = i * 5 % 7;
        snprintf(vote.choices[i].text, sizeof vote.choices[i].text, "%s", count > 2 ? MAPS[i] : i ? "No" : "Yes");
    }
    return vote;
}

// Yes or no; six choices with the player's own; the same with a gamepad, and large. A line marks the returned row.
static void votes(struct canvas *canvas, uint32_t variant)
{
    const struct frame *frame = still_begin(canvas);
    struct vote_message two = ask(2, 1), six = ask(6, 3);
    struct hints by_keys = {.controls = &still.preferences.controls},
                 by_gamepad = {.controls = &still.preferences.controls, .by_gamepad = true};
    still.display.large_text = still_large || variant;
    int32_t y = vote_panel_draw(frame, &two, &by_keys, 8);
    canvas_box(canvas, (struct rect){0, y, CANVAS_WIDTH, 1}, INK_ALARM);
    y = vote_panel_draw(frame, &six, &by_keys, y + 10);
    canvas_box(canvas, (struct rect){0, y, CANVAS_WIDTH, 1}, INK_ALARM);
    y = vote_panel_draw(frame, &six, &by_gamepad, y + 10);
    canvas_box(canvas, (struct rect){0, y, CANVAS_WIDTH, 1}, INK_ALARM);
}

// Chat: while playing; a line typed to all, and to the team; earlier lines.
enum { RECEIVED, TYPED, TYPED_TO_TEAM, SCROLLED_BACK, RECEIVED_LARGE };

static void chat(struct canvas *canvas, uint32_t variant)
{
    static struct chat_panel said;
    static const struct chat_line LINES[] = {
        {.from = 1, .text = "an old line that nobody sees any more"},
        {.from = 0, .text = "Sixteen letters! joined."},
        {.from = 2,
         .text = "Grüße an alle: this line is so long that it does not fit into one row, and so it goes on "
                 "in the next, where it is indented by the name of who said it"},
        {.from = 1, .flags = CHAT_TEAM, .text = "to the team only"},
        {.from = 0, .flags = CHAT_PRIVATE, .text = "kick: there is no player of that name"},
        {.from = 3, .text = "gg"},
    };
    const struct frame *frame = still_begin(canvas);
    still_player(0, 300, 100, "Ada", 2);
    still_player(1, 300, 100, "Jørgen", 6);
    still_player(2, 40, 220, "Zoë", 7); // behind the chat
    still_look();
    still.display.large_text = still_large || variant == RECEIVED_LARGE;
    memset(&said, 0, sizeof said);
    for (uint32_t i = 0; i < 6; i++)
        chat_panel_add(&said, &LINES[i], &still.match.world, i ? 20000000u : 1000000u);
    if (variant == TYPED || variant == TYPED_TO_TEAM || variant == SCROLLED_BACK) {
        chat_panel_open(&said, variant == TYPED_TO_TEAM);
        chat_panel_type(&said, variant == TYPED ? "Hällo"
                                                : "a line that is longer than its field, of which the end is seen, "
                                                  "always: here");
        still.frame.tick = STILL_TICK - STILL_TICK % 40 + (variant == TYPED ? 20 : 0);
        chat_panel_scroll(&said, variant == SCROLLED_BACK ? 3 : 0);
    }
    chat_panel_draw(frame, &said, CANVAS_HEIGHT - HUD_BOTTOM_PX, 21000000u);
}

// Hints: before a round for keys, the second set of keys, a gamepad; while playing, for untried actions; in each mode.
enum { BEFORE, BEFORE_SECOND, BEFORE_BY_GAMEPAD, PLAYING, PLAYING_SOME, BEFORE_LARGE };

static void hints(struct canvas *canvas, uint32_t variant)
{
    const struct frame *frame = still_begin(canvas);
    struct hints shown = {.controls = &still.preferences.controls,
                          .by_gamepad = variant == BEFORE_BY_GAMEPAD,
                          .second_keys = variant == BEFORE_SECOND,
                          .is_marked = variant == BEFORE_SECOND,
                          .since = STILL_TICK - 100,
                          .tried = variant == PLAYING_SOME ? BUTTON_LEFT | BUTTON_SHOOT : 0};
    still_player(0, variant == BEFORE_SECOND ? 120 : 300, variant == BEFORE_SECOND ? 336 : 200, "Ada", 2);
    still_look();
    still.view.slot = 0;
    still.display.large_text = still_large || variant == BEFORE_LARGE;
    still.match.world.round.phase = variant == PLAYING || variant == PLAYING_SOME ? ROUND_PLAYING : ROUND_COUNTDOWN;
    still.match.world.rules.mode = variant % MODES_OFFERED;
    if (variant == BEFORE)
        shown.tried = BUTTON_JUMP;
    hints_draw(frame, &shown);
}

// Replay bars: at the beginning, paused, with a gamepad, further on, with a fault, large.
enum { BAR_BEGINS, BAR_PAUSED, BAR_BY_GAMEPAD, BAR_PLAYS, BAR_FAULT, BAR_LARGE };

static void replay_bars(struct canvas *canvas, uint32_t first)
{
    static struct replay_viewer viewer;
    still_begin(canvas);
    for (uint32_t i = first; i < first + 3; i++) {
        still_ground(&other);
        memset(&viewer, 0, sizeof viewer);
        viewer.first = 100;
        viewer.last = 100 + 245 * TICKS_PER_SECOND;
        viewer.playback.world.tick = 100 + (i * 44 + 5) * TICKS_PER_SECOND;
        viewer.speed = i;
        viewer.paused = i == BAR_PAUSED || i == BAR_BY_GAMEPAD || i == BAR_LARGE;
        viewer.touched = i >= BAR_PAUSED;
        viewer.shows_help = i == BAR_BY_GAMEPAD || i == BAR_LARGE;
        viewer.fault = i == BAR_FAULT ? REPLAY_DAMAGED : REPLAY_OK;
        viewer.spectator.mode = i % 3 == 0   ? SPECTATOR_CAMERA_OWN
                                : i % 3 == 1 ? SPECTATOR_CAMERA_PLAYER
                                             : SPECTATOR_CAMERA_FREE;
        replay_bar_draw(&viewer, &other,
                        &(struct hints){.controls = &still.preferences.controls, .by_gamepad = i == BAR_BY_GAMEPAD},
                        still_large || i == BAR_LARGE);
        still_paste(canvas, 0, (int32_t)(i - first) * 54, &other, (struct rect){0, 306, CANVAS_WIDTH, 54});
    }
}

const struct picture PICTURES_HUD[] = {
    {"font-small", 0, 0, 400, 120, letters, FONT_SMALL},
    {"font-large", 0, 0, 400, 120, letters, FONT_LARGE},
    {"font-huge", 0, 0, 200, 88, huge_letters, 0},
    {"text-panels", 40, 0, 560, 128, text_panels, 0},
    {"text-panel-see-through", 0, 0, 256, 56, see_through, 0},
    {"pad-glyphs", 0, 0, 320, 124, pad_glyphs, 0},
    {"keycaps", 80, 0, 480, 104, caps, FONT_SMALL},
    {"keycaps-large", 80, 0, 480, 104, caps, FONT_LARGE},
    {"logo", 0, 0, 280, 72, logo, 100000},
    {"logo-falling", 0, 0, 280, 72, logo, 40},
    {"hud-clock", 0, 0, 630, 96, clocks, 0},
    {"hud-clock-large", 0, 0, 630, 96, clocks, 1},
    {"hud-count", 0, 0, 240, 56, counts, 0},
    {"hud-teams", 0, 0, 300, 96, team_scores, 0},
    {"hud-kill-feed", 0, 0, 220, 160, feed, 0},
    {"hud-kill-feed-large", 0, 0, 220, 160, feed, 1},
    {"hud-own-player", 0, 0, 160, 150, own, 0},
    {"hud-gifts", 0, 0, 160, 90, gifts, 0},
    {"hud-respawns-of-friends", 0, 0, 240, 45, respawns_of_friends, 0},
    {"hud-respawns-of-friends-few-colours", 0, 0, 240, 45, respawns_of_friends, 1},
    {"hud-own-player-above-bar", 0, 0, 160, 150, own, 12},
    {"hud-spectator", 0, 0, 480, 176, spectators, 0},
    {"hud-spectator-large", 0, 0, 480, 176, spectators, 1},
    {"hud-kill-cam", 0, 0, 0, 0, kill_cam_bars, 0},
    {"hud-kill-cam-large", 0, 0, 0, 0, kill_cam_bars, 1},
    {"hud-kill-cam-nobody", 0, 0, 0, 0, kill_cam_bars, 2},
    {"hud-net", 400, 220, 240, 140, net, 0},
    {"hud-net-bad", 400, 220, 240, 140, net, 1},
    {"hud-system-message", 80, 290, 480, 60, system_messages, SMALL_MESSAGE},
    {"hud-system-message-large", 80, 290, 480, 60, system_messages, LARGE_MESSAGE},
    {"hud-system-message-long", 0, 280, 640, 70, system_messages, LONG_MESSAGE},
    {"hud-message", 0, 0, 0, 0, text, 40},
    {"hud-message-large", 0, 0, 0, 0, text, 0},
    {"hud-dusk", 0, 0, 64, 360, dusk, 0},
    {"scoreboard-few", 140, 105, 360, 150, scoreboards, FEW},
    {"scoreboard-many", 140, 50, 360, 260, scoreboards, MANY},
    {"scoreboard-teams", 140, 105, 360, 150, scoreboards, TEAMS},
    {"scoreboard-round-won", 140, 105, 360, 150, scoreboards, ROUND_WON},
    {"scoreboard-match-won", 140, 85, 360, 190, scoreboards, MATCH_WON},
    {"scoreboard-team-won", 140, 85, 360, 190, scoreboards, TEAM_WON},
    {"scoreboard-drawn", 140, 85, 360, 190, scoreboards, DRAWN},
    {"scoreboard-large", 90, 105, 460, 150, scoreboards, LARGE},
    {"scoreboard-below-vote", 140, 80, 360, 260, scoreboards, BELOW_VOTE},
    {"scoreboard-warm-up", 140, 105, 360, 150, scoreboards, WARMING_UP},
    {"scoreboard-variants", 140, 90, 360, 180, scoreboards, WITH_VARIANTS},
    {"scoreboard-ranking", 0, 0, 480, 64, ranking, 0},
    {"votes", 0, 0, 640, 136, votes, 0},
    {"votes-large", 0, 0, 640, 200, votes, 1},
    {"chat", 0, 240, 360, 120, chat, RECEIVED},
    {"chat-large", 0, 200, 420, 160, chat, RECEIVED_LARGE},
    {"chat-typed", 0, 200, 360, 160, chat, TYPED},
    {"chat-typed-to-team", 0, 200, 360, 160, chat, TYPED_TO_TEAM},
    {"chat-scrolled", 0, 200, 360, 160, chat, SCROLLED_BACK},
    {"hints-before", 0, 0, 0, 0, hints, BEFORE},
    {"hints-before-large", 0, 290, 640, 70, hints, BEFORE_LARGE},
    {"hints-before-second", 0, 290, 640, 70, hints, BEFORE_SECOND},
    {"hints-before-gamepad", 0, 290, 640, 70, hints, BEFORE_BY_GAMEPAD},
    {"hints-playing", 0, 320, 640, 40, hints, PLAYING},
    {"hints-playing-some", 0, 320, 640, 40, hints, PLAYING_SOME},
    {"replay-bar", 0, 0, 640, 162, replay_bars, BAR_BEGINS},
    {"replay-bar-later", 0, 0, 640, 162, replay_bars, BAR_PLAYS},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
