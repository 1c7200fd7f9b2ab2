// SPDX-License-Identifier: MIT
#include "shell_update.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "app/platform/keyboard.h"
#include "app/replay/replay_list.h"
#include "links.h"

_Static_assert(MENU_DISPLAY_BYTES == WINDOW_DISPLAY_BYTES, "the menu takes the names of displays");

// --- the lobby

// The hats and colours that were chosen are kept.
static void keep_choices(struct session_context *context)
{
    struct profile *profile = &context->profile;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct lobby_player *player = &context->lobby.players[i];
        profile->unsaved |= player->joined && profile->preferences.hats[i] != player->hat;
        profile->preferences.hats[i] = player->joined ? player->hat : profile->preferences.hats[i];
        int64_t *colour = preferences_player_colour(&profile->preferences, i);
        if (player->joined && player->chose_colour && *colour != player->colour) {
            *colour = player->colour;
            profile->unsaved = true;
        }
    }
}

// What happens when all are ready, or when start was held.
static void close_lobby(struct shell *shell)
{
    struct menu *menu = &shell->context.menu;
    keep_choices(&shell->context);
    if (menu->facts.in_match)
        menu_command(menu, APP_COMMAND_RESUME, NULL);
    else if (menu_lobby_begins(menu))
        menu_command(menu, APP_COMMAND_PLAY_TOGETHER, NULL);
    else
        menu_press(menu, MENU_BACK);
    shell_execute(shell);
}

static void update_lobby(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    const struct gamepads *gamepads = &context->window.gamepads;
    bool holds = keyboard_is_held(KEY_RETURN) || gamepads_is_held(gamepads, GAMEPAD_ANY, GAMEPAD_BUTTON_START);
    facts->pad_bits = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        facts->pads[i] = gamepads_family(gamepads, i);
        facts->pad_bits |= gamepads_has(gamepads, i) ? 1u << i : 0;
    }
    if (shell->entered_screen == &SCREEN_LOBBY && lobby_step(&context->lobby, context->config->now_us(), holds))
        close_lobby(shell);
}

// --- links

// In a match the player is asked first.
static void follow_link(struct shell *shell, struct line_socket *links)
{
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    char link[LINE_SOCKET_BYTES];
    if (!links_next(links, context->config->log, link))
        return;
    window_raise(&context->window);
    if (friends_online_open_key(context, link))
        return;
    snprintf(facts->followed, sizeof facts->followed, "%.*s", (int)sizeof facts->followed - 1, link);
    if (!shell_is_idle(shell)) {
        menu_open_alone(&context->menu, &SCREEN_FOLLOW);
        return;
    }
    menu_command(&context->menu, APP_COMMAND_JOIN, link);
    shell_execute(shell);
}

// --- screens

// A screen that comes to the front is logged and prepared; changes made on the previous one are saved.
static void show_screen(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct profile *profile = &context->profile;
    struct menu_facts *facts = &context->menu.facts;
    const struct screen *screen = menu_screen(&context->menu), *last = shell->entered_screen;
    if (screen == last)
        return;
    shell->entered_screen = screen;
    context->failed &= screen != &SCREEN_TITLE;
    if (screen != &SCREEN_CHANGE && screen != &SCREEN_VARIANTS)
        profile_cancel_change(profile);
    log_write(context->config->log, LOG_DEBUG, "screen %s", screen ? screen->name : "match");
    profile_save_preferences(profile, context->config->log);
    if (screen == &SCREEN_TITLE || screen == &SCREEN_STATISTICS)
        profile_save_statistics(profile, context->config->log);
    window_forget_taps(&context->window);
    if (screen == &SCREEN_VIDEO)
        facts->display_count = window_displays(facts->displays, MENU_DISPLAY_CAPACITY);
    if (screen == &SCREEN_LOBBY)
        lobby_open(&context->lobby);
    if (screen == &SCREEN_TRIALS || screen == &SCREEN_LESSONS)
        course_session_list(facts, profile->paths.trials);
    if ((screen == &SCREEN_JOIN || screen == &SCREEN_LIVE) && !server_search_is_seen(last))
        server_search_begin(&context->search, context->config->now_us());
    if (screen == &SCREEN_REPLAYS)
        replay_list_read(facts, profile->paths.replays);
}

static void update_replays(struct shell *shell)
{
    struct menu *menu = &shell->context.menu;
    uint32_t first = menu->first[menu->depth - 1];
    replay_list_look(&menu->facts, first > 0 ? first - 1 : 0, MENU_ROWS); // below the live matches
    shell->cards.folder = shell->context.profile.paths.cards;
    replay_cards_update(&shell->cards, menu);
}

// Fingers play in a session and in the lobby, and tap everywhere else.
static enum touch_use touch_use_of(const struct shell *shell)
{
    const struct session *front = shell_front(shell);
    struct session_status status = front->does->status(front->state);
    if (menu_screen(&shell->context.menu) == &SCREEN_LOBBY)
        return TOUCH_USE_COURSE;
    return shell->context.menu.depth || status.types ? TOUCH_USE_POINTER : status.touch;
}

static void update_window(struct shell *shell)
{
    struct session_context *context = &shell->context;
    const struct menu *menu = &context->menu;
    bool is_watched = shell_status(shell, SHELL_SPECTATE).is_open;
    bool points = menu->depth || is_watched || shell_is_idle(shell);
    window_text_input(menu->typing || shell_status(shell, SHELL_PLAY).types);
    window_use_touch(&context->window, touch_use_of(shell));
    window_show_pointer(&context->window, points && !shell->pointer_rests);
}

// The backdrop shows the map that is about to be hosted.
static void update_backdrop(struct shell *shell)
{
    struct session_context *context = &shell->context;
    bool hosting = menu_screen(&context->menu) == &SCREEN_HOST;
    if (shell_is_idle(shell) && !shell_status(shell, SHELL_SPECTATE).is_open && (hosting || !shell->demo.ready))
        title_demo_begin(&shell->demo, context->profile.preferences.map, (uint32_t)context->config->now_us());
}

static void sound_menu(struct shell *shell)
{
    const struct menu *menu = &shell->context.menu;
    if (menu->moved == shell->sounded_presses)
        return;
    shell->sounded_presses = menu->moved;
    enum menu_press press = menu->last;
    sound_device_click(&shell->context.presenter.sound, press == MENU_BACK ? SOUND_MENU_BACK
                                                        : press == MENU_ACCEPT || press == MENU_EXTRA
                                                            ? SOUND_MENU_SELECT
                                                            : SOUND_MENU_MOVE);
}

// --- all

static void follow_preferences(struct shell *shell)
{
    struct session_context *context = &shell->context;
    if (!context->menu.changed)
        return;
    context->menu.changed = false;
    context->search.gathered_us = 0;
    context->profile.unsaved = true;
    friends_set_list(&context->friends, &context->profile.preferences.friends);
    shell_apply_preferences(shell);
}

void shell_update(struct shell *shell, struct line_socket *links)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    follow_preferences(shell);
    shell_set_volumes(shell); // which depend on the focus
    update_lobby(shell);
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++)
        if (shell->sessions[i].does->step)
            shell->sessions[i].does->step(shell->sessions[i].state);
    if (shell->opens_screen && shell_status(shell, SHELL_PLAY).is_playing) {
        shell->opens_screen = false;
        menu_open_alone(menu, &SCREEN_PAUSE);
        menu_open(menu, screen_find(context->config->settings->screen));
    }
    follow_link(shell, links);
    if (menu_screen(menu) == &SCREEN_REPLAYS)
        update_replays(shell);
    update_window(shell);
    show_screen(shell);
    server_search_step(&context->search, menu, context->config->now_us());
    friends_online_step(&shell->friends_online, context);
    update_backdrop(shell);
    sound_menu(shell);
}
