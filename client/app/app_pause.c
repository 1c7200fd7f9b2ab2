// SPDX-License-Identifier: MIT
#include "app_pause.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "app/text/text.h"
#include "app_chat.h"

#define AGAIN_US  1200000u // a client may send a line a second
#define ANSWER_US 2000000u // within which the match stands still if it does at all

// Whether a menu would make the match stand still. A run of a number of frames, or by a script, has no pause.
static bool may_pause(const struct app *app)
{
    const struct settings *settings = app->config->settings;
    return app->host.child.process > 0 && local_players_is_playing(&app->local) && !settings->frames &&
           !app->config->script && !local_players_count_others(&app->local);
}

static void open_for_focus(struct app *app)
{
    bool unfocused = app->window.unfocused && local_players_is_playing(&app->local);
    bool lost = unfocused && !app->pause.was_unfocused;
    app->pause.was_unfocused = unfocused;
    if (lost && !app->menu.depth && !app->chat.typing && may_pause(app))
        menu_open_alone(&app->menu, &SCREEN_PAUSE);
}

// A match with others does not wait, so no menu may come between it and those who can play.
static bool goes_on(const struct app *app)
{
    return !app->menu.depth && local_players_count_others(&app->local) > 0;
}

static void describe_lost(const struct app *app, uint32_t number, char *text, size_t text_bytes)
{
    char name[PLAYER_NAME_BYTES + 1];
    preferences_player_name(&app->preferences, number, name);
    snprintf(text, text_bytes, text_of("The gamepad of %s was disconnected. Plug it in again to play on."), name);
}

bool app_pause_notice(const struct app *app, char *text, size_t text_bytes)
{
    uint32_t lost = lobby_find_lost(&app->local.lobby);
    if (lost < LOCAL_PLAYERS)
        describe_lost(app, lost, text, text_bytes);
    else if (app->pause.lacks_gamepad)
        snprintf(text, text_bytes, "%s", text_of("The gamepad was disconnected; the keys still work."));
    return lost < LOCAL_PLAYERS || app->pause.lacks_gamepad;
}

// A player without their gamepad cannot act, so the lobby opens and says so. They get their place back with it.
static void notice_unplugged(struct app *app)
{
    struct lobby *lobby = &app->local.lobby;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        bool lost = !gamepads_has(&app->window.gamepads, i);
        if (!lobby_set_lost(lobby, DEVICE_GAMEPAD + i, lost) || !lost)
            continue;
        log_write(app->config->log, LOG_INFO, "The gamepad of player %u was disconnected.",
                  lobby_find(lobby, DEVICE_GAMEPAD + i) + 1);
        if (goes_on(app))
            continue;
        if (local_players_is_playing(&app->local) && !app->menu.depth)
            menu_open_alone(&app->menu, &SCREEN_PAUSE);
        if (app->menu.depth && menu_screen(&app->menu) != &SCREEN_LOBBY)
            menu_open(&app->menu, &SCREEN_LOBBY);
    }
    uint32_t lost = lobby_find_lost(lobby);
    char *message = app->menu.facts.message;
    if (menu_screen(&app->menu) == &SCREEN_LOBBY)
        snprintf(message, sizeof app->menu.facts.message, "%s", "");
    if (menu_screen(&app->menu) == &SCREEN_LOBBY && lost < LOCAL_PLAYERS)
        describe_lost(app, lost, message, sizeof app->menu.facts.message);
}

// The same for a player who uses every device, and the gamepad last.
static void open_for_gamepad(struct app *app)
{
    uint32_t before = app->pause.gamepads, now = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        now |= gamepads_has(&app->window.gamepads, i) ? 1u << i : 0;
    app->pause.gamepads = now;
    app->pause.lacks_gamepad &= !(now & ~before) && app->menu.by_gamepad && local_players_is_playing(&app->local);
    if (!(before & ~now) || lobby_count(&app->local.lobby) || !app->menu.by_gamepad ||
        !local_players_is_playing(&app->local))
        return;
    log_write(app->config->log, LOG_INFO, "The gamepad was disconnected.");
    if (goes_on(app)) {
        app->pause.lacks_gamepad = true;
        return;
    }
    if (!app->menu.depth)
        menu_open_alone(&app->menu, &SCREEN_PAUSE);
    snprintf(app->menu.facts.message, sizeof app->menu.facts.message, "%s", text_of("The gamepad was disconnected."));
}

// Asks once for each time that a menu opens, and for the end until it is there: lines can get lost.
static void order(struct app *app)
{
    struct app_pause *pause = &app->pause;
    bool playing = local_players_is_playing(&app->local), wanted = app->menu.depth && may_pause(app);
    bool paused = playing && client_world(local_players_client(&app->local))->round.paused == PAUSE_ORDERED;
    uint64_t now_us = app->config->now_us();
    if (wanted && !pause->wanted && !paused) {
        app_chat_send(app, "/pause alone");
        pause->ordered = true;
        pause->until_us = now_us + ANSWER_US;
        pause->again_us = 0;
    }
    if (!wanted && pause->ordered && paused && now_us >= pause->again_us) {
        app_chat_send(app, "/resume");
        pause->again_us = now_us + AGAIN_US;
    }
    pause->ordered &= wanted || paused || now_us < pause->until_us;
    pause->wanted = wanted;
    app->menu.facts.paused = paused;
}

void app_pause_update(struct app *app)
{
    open_for_focus(app);
    open_for_gamepad(app);
    notice_unplugged(app);
    order(app);
}
