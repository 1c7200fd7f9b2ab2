// SPDX-License-Identifier: MIT
#include "play_pause.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "app/text/text.h"

#define AGAIN_US  1200000u // a client may send a line a second
#define ANSWER_US 2000000u // within which the match stands still if it does at all

void play_pause_begin(struct play_pause *pause)
{
    pause->ordered = pause->wanted = false;
}

// Whether a menu would make the match stand still. A run of a number of frames, or by a script, has no pause.
static bool may_pause(const struct play_pause *pause)
{
    const struct settings *settings = pause->context->config->settings;
    return play_host_runs(pause->host) && local_players_is_playing(pause->local) && !settings->frames &&
           !pause->context->config->script && !local_players_count_others(pause->local);
}

static void open_for_focus(struct play_pause *pause)
{
    bool unfocused = pause->context->window.unfocused && local_players_is_playing(pause->local);
    bool lost = unfocused && !pause->was_unfocused;
    pause->was_unfocused = unfocused;
    if (lost && !pause->context->menu.depth && !pause->panel->typing && may_pause(pause))
        menu_open_alone(&pause->context->menu, &SCREEN_PAUSE);
}

// A match with others does not wait, so no menu may come between it and those who can play.
static bool goes_on(const struct play_pause *pause)
{
    return !pause->context->menu.depth && local_players_count_others(pause->local) > 0;
}

static void describe_lost(const struct play_pause *pause, uint32_t number, char *text, size_t text_bytes)
{
    char name[PLAYER_NAME_BYTES + 1];
    preferences_player_name(&pause->context->profile.preferences, number, name);
    snprintf(text, text_bytes, text_of("The gamepad of %s was disconnected. Plug it in again to play on."), name);
}

bool play_pause_notice(const struct play_pause *pause, char *text, size_t text_bytes)
{
    uint32_t lost = lobby_find_lost(&pause->context->lobby);
    if (lost < LOCAL_PLAYERS)
        describe_lost(pause, lost, text, text_bytes);
    else if (pause->lacks_gamepad)
        snprintf(text, text_bytes, "%s", text_of("The gamepad was disconnected; the keys still work."));
    return lost < LOCAL_PLAYERS || pause->lacks_gamepad;
}

// A player without their gamepad cannot act, so the lobby opens and says so. They get their place back with it.
static void notice_unplugged(struct play_pause *pause)
{
    struct lobby *lobby = &pause->context->lobby;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        bool lost = !gamepads_has(&pause->context->window.gamepads, i);
        if (!lobby_set_lost(lobby, DEVICE_GAMEPAD + i, lost) || !lost)
            continue;
        log_write(pause->context->config->log, LOG_INFO, "The gamepad of player %u was disconnected.",
                  lobby_find(lobby, DEVICE_GAMEPAD + i) + 1);
        if (goes_on(pause))
            continue;
        if (local_players_is_playing(pause->local) && !pause->context->menu.depth)
            menu_open_alone(&pause->context->menu, &SCREEN_PAUSE);
        if (pause->context->menu.depth && menu_screen(&pause->context->menu) != &SCREEN_LOBBY)
            menu_open(&pause->context->menu, &SCREEN_LOBBY);
    }
    uint32_t lost = lobby_find_lost(lobby);
    char *message = pause->context->menu.facts.message;
    if (menu_screen(&pause->context->menu) == &SCREEN_LOBBY)
        snprintf(message, sizeof pause->context->menu.facts.message, "%s", "");
    if (menu_screen(&pause->context->menu) == &SCREEN_LOBBY && lost < LOCAL_PLAYERS)
        describe_lost(pause, lost, message, sizeof pause->context->menu.facts.message);
}

// The same for a player who uses every device, and the gamepad last.
static void open_for_gamepad(struct play_pause *pause)
{
    uint32_t before = pause->gamepads, now = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        now |= gamepads_has(&pause->context->window.gamepads, i) ? 1u << i : 0;
    pause->gamepads = now;
    pause->lacks_gamepad &=
        !(now & ~before) && pause->context->menu.by_gamepad && local_players_is_playing(pause->local);
    if (!(before & ~now) || lobby_count(&pause->context->lobby) || !pause->context->menu.by_gamepad ||
        !local_players_is_playing(pause->local))
        return;
    log_write(pause->context->config->log, LOG_INFO, "The gamepad was disconnected.");
    if (goes_on(pause)) {
        pause->lacks_gamepad = true;
        return;
    }
    if (!pause->context->menu.depth)
        menu_open_alone(&pause->context->menu, &SCREEN_PAUSE);
    snprintf(pause->context->menu.facts.message, sizeof pause->context->menu.facts.message, "%s",
             text_of("The gamepad was disconnected."));
}

// Asks once for each time that a menu opens, and for the end until it is there: lines can get lost.
static void order(struct play_pause *pause)
{
    bool playing = local_players_is_playing(pause->local), wanted = pause->context->menu.depth && may_pause(pause);
    bool paused = playing && client_world(local_players_client(pause->local))->round.paused == PAUSE_ORDERED;
    uint64_t now_us = pause->context->config->now_us();
    if (wanted && !pause->wanted && !paused) {
        local_players_say(pause->local, "/pause alone");
        pause->ordered = true;
        pause->until_us = now_us + ANSWER_US;
        pause->again_us = 0;
    }
    if (!wanted && pause->ordered && paused && now_us >= pause->again_us) {
        local_players_say(pause->local, "/resume");
        pause->again_us = now_us + AGAIN_US;
    }
    pause->ordered &= wanted || paused || now_us < pause->until_us;
    pause->wanted = wanted;
    pause->context->menu.facts.paused = paused;
}

void play_pause_step(struct play_pause *pause)
{
    open_for_focus(pause);
    open_for_gamepad(pause);
    notice_unplugged(pause);
    order(pause);
}
