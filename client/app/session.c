// SPDX-License-Identifier: MIT
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "base/utf8.h"
#include "hud/hud.h"
#include "net/crypto/handshake.h"
#include "text/text.h"
#include "window/keyboard.h"

#define SECOND_US 1000000u

void session_fail(struct session_context *context, const char *message, enum denial denial, bool has_played)
{
    struct menu_facts *facts = &context->menu.facts;
    log_write(context->config->log, LOG_ERROR, "%s", message);
    // The server's own words may follow a denial; they stay as they are.
    const char *reason = handshake_denial_text(denial), *says = " It says: ";
    size_t length = strlen(reason);
    bool says_more = length && !strncmp(message, reason, length) && !strncmp(message + length, says, strlen(says));
    char words[TEXT_BYTES];
    server_lines_translate(says_more ? message + length + strlen(says) : message, words);
    if (says_more)
        snprintf(facts->failure, sizeof facts->failure, text_of("%s It says: %s"), text_of(reason), words);
    else
        utf8_copy(facts->failure, sizeof facts->failure, words);
    context->failed = true;
    menu_open_alone(&context->menu, &SCREEN_TITLE);
    menu_open(&context->menu, denial == DENIAL_PASSWORD ? &SCREEN_PASSWORD
                              : has_played              ? &SCREEN_DISCONNECTED
                                                        : &SCREEN_ERROR);
    if (denial == DENIAL_PASSWORD && says_more)
        utf8_copy(facts->message, sizeof facts->message, words);
}

void session_close_menu(struct session_context *context)
{
    menu_close(&context->menu);
    window_forget_taps(&context->window);
}

bool session_holds_scoreboard(const struct session_context *context)
{
    const struct preferences *preferences = &context->profile.preferences;
    uint32_t key = (uint32_t)preferences->controls.match_keys[0][MATCH_SCOREBOARD],
             button = preferences->controls.match_buttons[MATCH_SCOREBOARD];
    bool by_key = keyboard_is_held(key) && !keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, key);
    bool by_button = !gamepads_pressed(&preferences->controls.buttons, button) &&
                     gamepads_is_held(&context->window.gamepads, GAMEPAD_ANY, button);
    return !context->menu.depth && (by_key || by_button || touch_controls_finger(&context->window.touch, TOUCH_SCORES));
}

bool session_plays_by(const struct session_context *context, uint32_t key)
{
    const struct preferences *preferences = &context->profile.preferences;
    bool has_second = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    return keyboard_pressed(&preferences->controls.buttons, KEYBOARD_FIRST, key) ||
           (has_second && keyboard_pressed(&preferences->controls.buttons, KEYBOARD_SECOND, key));
}

void session_point_hints(struct session_context *context)
{
    context->hints.by_gamepad = context->menu.by_gamepad;
    context->hints.by_touch = context->menu.by_touch;
    context->hints.family = menu_pad_family(&context->menu);
}

const char *session_back_key(const struct session_context *context)
{
    return context->menu.by_touch ? "II" : context->menu.by_gamepad ? "Start" : text_of("Esc");
}

void session_draw_message(struct session_context *context, const char *text, const char *back, uint64_t now_us)
{
    uint32_t anim_tick = (uint32_t)(now_us * 60 / SECOND_US);
    enum font_face face = context->profile.preferences.display.large_text ? FONT_LARGE : FONT_SMALL;
    hud_draw_message(&context->canvas, face, &(struct hud_message){"Deadfall", text, back, anim_tick});
}

bool session_asks_for_menu(const struct window_event *event)
{
    return (event->kind == WINDOW_KEY && event->code == KEY_ESCAPE) ||
           (event->kind == WINDOW_GAMEPAD && event->code == GAMEPAD_BUTTON_START) ||
           (event->kind == WINDOW_TOUCH && event->code == TOUCH_PAUSE && event->tapped);
}
