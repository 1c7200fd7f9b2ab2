// SPDX-License-Identifier: MIT
// Golden pictures of what players say without a keyboard: the wheels, and the emotes over their heads.
#include <string.h>

#include "hud/quick_chat.h"
#include "looks/sprites.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "scene/draw_player.h"
#include "scene/painters.h"

// A wheel in the open, one at the edge of the picture, and in large letters one that points nowhere.
enum { EMOTES_CHOSEN, EMOTES_AT_EDGE, SENTENCES_CHOSEN, SENTENCES_AT_EDGE, SENTENCES_LARGE };

static void wheels(struct canvas *canvas, uint32_t variant)
{
    bool at_edge = variant == EMOTES_AT_EDGE || variant == SENTENCES_AT_EDGE;
    const struct frame *frame = still_begin(canvas);
    still_player(0, at_edge ? 12 : CANVAS_WIDTH / 2, at_edge ? 30 : CANVAS_HEIGHT / 2, "Ada", 2);
    still_look();
    still.display.large_text = still_large || variant == SENTENCES_LARGE;
    draw_player(frame, &still.scene.figures[0], 0);
    quick_chat_draw(
        frame, &(struct quick_chat_wheel){.kind = variant <= EMOTES_AT_EDGE ? QUICK_CHAT_EMOTES : QUICK_CHAT_PHRASES,
                                          .choice = variant == SENTENCES_LARGE ? 0
                                                    : at_edge                  ? 7
                                                                               : 2});
}

// Each emote over a head; the last player has no name, and two who stand together keep theirs apart.
static void emotes(struct canvas *canvas, uint32_t large)
{
    static struct frame_heads heads;
    static const char *const NAMES[EMOTES] = {"Ada", "Jørgen", "Zoë", "Bo", "Sixteen letters!", "Ly", "Mo", "Hidden"};
    const struct frame *frame = still_begin(canvas);
    memset(&heads, 0, sizeof heads);
    heads.nameless[EMOTES - 1] = true;
    for (uint32_t i = 0; i < EMOTES; i++) {
        still_player(i, 40 + 56 * (int32_t)i - (i == 1 ? 40 : 0), 90, NAMES[i], i * 2);
        heads.emotes[i] = (uint8_t)(i + 1);
    }
    still_look();
    for (uint32_t i = 0; i < EMOTES; i++)
        player_figure_step(&still.scene.figures[i], &still.view, i);
    still.view.slot = 3;
    still.frame.heads = &heads;
    still.display.large_text = still_large || large;
    for (uint32_t i = 0; i < EMOTES; i++)
        draw_player(frame, &still.scene.figures[i], i);
    name_tags_draw(frame, &still.scene);
}

const struct picture PICTURES_QUICK_CHAT[] = {
    {"wheel-emotes", 260, 120, 120, 110, wheels, EMOTES_CHOSEN},
    {"wheel-emotes-at-edge", 0, 0, 120, 110, wheels, EMOTES_AT_EDGE},
    {"wheel-sentences", 160, 120, 320, 110, wheels, SENTENCES_CHOSEN},
    {"wheel-sentences-at-edge", 0, 0, 320, 110, wheels, SENTENCES_AT_EDGE},
    {"wheel-sentences-large", 120, 120, 400, 110, wheels, SENTENCES_LARGE},
    {"emotes", 0, 20, 480, 80, emotes, 0},
    {"emotes-large", 0, 20, 480, 80, emotes, 1},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
