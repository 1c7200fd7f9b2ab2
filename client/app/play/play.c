// SPDX-License-Identifier: MIT
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/screens.h"
#include "base/utf8.h"
#include "game/rules/mode.h"
#include "sync/player_name.h"
#include "text/text.h"
#include "window/keyboard.h"

#define SECOND_US     1000000u
#define TICKS_AT_ONCE 8 ///< before the loop looks at the window again

// --- begin and end

static void fail(struct play *play, const char *message, enum denial denial)
{
    const struct client *client = local_players_client(&play->local);
    struct menu_facts *facts = &play->context->menu.facts;
    session_fail(play->context, message, denial, client && client_has_played(client));
    local_players_leave(&play->local);
    if (denial == DENIAL_PASSWORD && play->local.password[0] && !facts->message[0])
        snprintf(facts->message, sizeof facts->message, "%s", text_of("Wrong password."));
}

// Joins the server at the address that is set.
static void join(struct play *play)
{
    struct session_context *context = play->context;
    context->failed = false;
    play_devices_begin(&play->devices);
    play->statistics = (struct statistics_match){0};
    play->report.in = play->report.out = 0;
    presenter_begin(&context->presenter);
    play_chat_begin(&play->chat);
    session_close_menu(context);
    if (!local_players_join(&play->local))
        fail(play, play->local.error.text, play->local.denial);
}

// Joins the local server if it is ready, or shows why it never will be.
static void join_host(struct play *play)
{
    struct local_server *server = &play->host.server;
    struct error error;
    if (!local_server_follow(server, &error)) {
        fail(play, error.text, DENIAL_NONE);
    } else if (server->port) {
        play->local.address = (struct address){.host = "127.0.0.1", .port = server->port};
        memcpy(play->local.address.fingerprint, server->fingerprint, sizeof play->local.address.fingerprint);
        join(play);
    }
}

static bool start_host(struct play *play, enum app_command_kind kind, struct error *error)
{
    if (!play_host_start(&play->host, play->context, kind, error))
        return false;
    play->local.password[0] = play->local.claimed[0] = 0;
    play->local.ticket = (struct net_ticket){.bytes = {0}};
    return true;
}

static void host(struct play *play, enum app_command_kind kind)
{
    struct error error;
    play->retry = kind;
    local_players_leave(&play->local);
    if (kind == APP_COMMAND_PLAY)
        lobby_clear(&play->context->lobby);
    if (!start_host(play, kind, &error)) {
        fail(play, error.text, DENIAL_NONE);
        return;
    }
    menu_close(&play->context->menu);
    join_host(play);
}

static void end(void *state)
{
    struct play *play = state;
    local_players_leave(&play->local);
    local_server_stop(&play->host.server);
}

// A server that is chosen from the list must have the key that it says there: nobody gets a join in the name of
// another. A page joins by the certificate, which no address in the list has. A password goes only to the server that
// it was typed for.
static void join_address(struct play *play, const char *text)
{
    struct menu_facts *facts = &play->context->menu.facts;
    struct error error;
    char address[OPTION_TEXT_BYTES];
    struct address read;
    snprintf(address, sizeof address, "%s", text); // the caller may have passed facts->address, which changes below
    if (!address_read(&read, address, &error)) {
        snprintf(facts->message, sizeof facts->message,
                 text_of("\"%.60s\" is no address. Type one such as play.example.org or 203.0.113.5:27440."), address);
        return;
    }
    end(play);
    play->local.address = read;
    const struct server_search *search = &play->context->search;
    const struct server_row *row = server_search_row(search, address);
    snprintf(play->local.claimed, sizeof play->local.claimed, "%s", server_search_key(search, address));
    if (row && !read.certificate[0])
        memcpy(play->local.address.certificate, row->facts.certificate, sizeof row->facts.certificate);
    utf8_copy(facts->server_name, sizeof facts->server_name, row ? row->facts.name : "");
    const struct settings *settings = play->context->config->settings;
    if (strcmp(address, facts->address)) // --password-file is for --connect, which may be a friend with any server
        snprintf(facts->password, sizeof facts->password, "%s",
                 friend_is_key(settings->connect) ? settings->password : "");
    snprintf(play->local.password, sizeof play->local.password, "%s", facts->password);
    snprintf(facts->address, sizeof facts->address, "%.*s", MENU_TYPED_BYTES - 1, address);
    preferences_remember(&play->context->profile.preferences.recent, address);
    play->context->profile.unsaved = true;
    play->retry = APP_COMMAND_JOIN;
    join(play);
}

static void begin(void *state, const struct app_command *command)
{
    struct play *play = state;
    const struct settings *settings = play->context->config->settings;
    struct menu_facts *facts = &play->context->menu.facts;
    if (command->kind == APP_COMMAND_NONE) { // what make() has prepared
        play->retry = settings->host ? APP_COMMAND_PLAY_TOGETHER : APP_COMMAND_JOIN;
        snprintf(facts->address, sizeof facts->address, "%.*s", MENU_TYPED_BYTES - 1, settings->connect);
        snprintf(facts->password, sizeof facts->password, "%s", settings->host ? "" : settings->password);
        snprintf(play->local.password, sizeof play->local.password, "%s", facts->password);
        if (settings->host)
            join_host(play);
        else
            join(play);
    } else if (command->kind == APP_COMMAND_JOIN)
        join_address(play, command->text);
    else if (command->kind != APP_COMMAND_RETRY)
        host(play, command->kind);
    else if (play->retry == APP_COMMAND_JOIN)
        join_address(play, facts->address);
    else
        host(play, play->retry);
}

// --- commands and events

static void leave(struct play *play)
{
    end(play);
    play->context->failed = false;
    menu_open_alone(&play->context->menu, &SCREEN_TITLE);
}

static void obey(void *state, const struct app_command *command)
{
    struct play *play = state;
    if (command->kind == APP_COMMAND_LEAVE) {
        leave(play);
    } else if (command->kind == APP_COMMAND_CHANGE) {
        play_host_change(&play->host, play->context, &play->local);
        play->context->profile.changes_match = false;
        session_close_menu(play->context);
    } else if (command->kind == APP_COMMAND_CHAT) {
        local_players_say(&play->local, command->text);
        session_close_menu(play->context);
    } else if (command->kind == APP_COMMAND_WHISPER) {
        session_close_menu(play->context);
        play_chat_whisper(&play->chat, command->text);
    } else if (command->kind == APP_COMMAND_MUTE) {
        play_chat_toggle_mute(&play->chat, command->text);
    } else if (command->kind == APP_COMMAND_BEFRIEND) {
        play_chat_befriend(&play->chat, command->text);
    } else if (command->kind == APP_COMMAND_NET) {
        play->report.is_shown = !play->report.is_shown;
    }
}

static void act(struct play *play, uint32_t actions)
{
    if (!local_players_is_playing(&play->local))
        return;
    if (actions & (HOTKEY_CHAT | HOTKEY_TEAM_CHAT))
        chat_panel_open(&play->chat.panel, actions & HOTKEY_TEAM_CHAT);
    for (uint32_t choice = 0; choice < HOTKEY_CHOICES; choice++)
        if (actions & (uint32_t)HOTKEY_CHOICE << choice)
            play_chat_vote(&play->chat, choice);
    if (actions & HOTKEY_YES && play->chat.panel.vote.choice_count == 2)
        play_chat_vote(&play->chat, 0);
    if (actions & HOTKEY_NO && play->chat.panel.vote.choice_count == 2)
        play_chat_vote(&play->chat, 1);
}

static void handle_event(void *state, const struct window_event *event)
{
    struct play *play = state;
    struct session_context *context = play->context;
    const struct preferences *preferences = &context->profile.preferences;
    const struct chat_panel *panel = &play->chat.panel;
    bool key = event->kind == WINDOW_KEY, pad = event->kind == WINDOW_GAMEPAD, touch = event->kind == WINDOW_TOUCH;
    if (key || pad)
        context->menu.by_gamepad = pad;
    if (panel->typing) {
        play_chat_type(&play->chat, event);
        return;
    }
    if (event->kind == WINDOW_TAP && panel->votes)
        play_chat_vote_at(&play->chat, event->x, event->y);
    if (touch && event->code == TOUCH_CHAT && event->tapped)
        act(play, HOTKEY_CHAT);
    else if (key && !event->repeated && !session_plays_by(context, event->code))
        act(play, controls_match_actions(&preferences->controls, event->code));
    if (pad && event->code == preferences->controls.match_buttons[MATCH_CHOICE] &&
        !gamepads_pressed(&preferences->controls.buttons, event->code) && panel->votes)
        play_chat_vote(&play->chat, panel->vote.own % panel->vote.choice_count);
    if (!session_asks_for_menu(event))
        return;
    if (local_players_is_playing(&play->local) || local_players_is_away(&play->local))
        menu_open_alone(&context->menu, &SCREEN_PAUSE);
    else
        leave(play);
}

// --- what menus show

static void list_players(struct play *play)
{
    struct menu_facts *facts = &play->context->menu.facts;
    const struct world *world = facts->can_chat ? local_players_world(&play->local) : NULL;
    facts->player_count = 0;
    for (uint32_t slot = 0; world && slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (player->state == PLAYER_ABSENT || facts->player_count == MENU_PLAYER_CAPACITY)
            continue;
        struct menu_player *row = &facts->players[facts->player_count++];
        *row = (struct menu_player){.colour = player->colour,
                                    .score = player->score,
                                    .is_here = local_players_is_here(&play->local, slot),
                                    .is_bot = player->flags & PLAYER_BOT,
                                    .only_watches = player->state == PLAYER_SPECTATOR};
        player_name_to_text(player->name, row->name);
        play_chat_mark(&play->chat, slot, row);
    }
    facts->ping_ms = play->report.graph.statistics.rtt_ms;
}

static void describe(struct play *play)
{
    struct session_context *context = play->context;
    struct menu_facts *facts = &context->menu.facts;
    const struct client *client = local_players_client(&play->local);
    const struct world *world = local_players_is_playing(&play->local) ? client_world(client) : NULL;
    const struct screen *screen = menu_screen(&context->menu);
    uint32_t slot = world ? client_slot(client) : PLAYER_CAPACITY;
    facts->in_match = client;
    facts->hosting = play_host_runs(&play->host);
    facts->guests = facts->hosting ? local_players_count_others(&play->local) : 0;
    facts->open_port = facts->hosting && play->host.settings.open ? play->host.server.port : 0;
    play_host_invite(&play->host, context, &play->local.address);
    facts->can_chat = world;
    facts->server = world ? play->local.server : "";
    facts->has_teams = world && mode_of(world)->teams;
    facts->watches = slot < PLAYER_CAPACITY && world->players[slot].state == PLAYER_SPECTATOR;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        facts->states[i] = local_players_state_text(&play->local, i);
    if (screen == &SCREEN_ROSTER || screen == &SCREEN_FRIENDS)
        list_players(play);
    context->lobby.has_teams =
        world ? facts->has_teams
              : mode_play(preferences_mode(&context->profile.preferences, lobby_count(&context->lobby)))->teams;
}

static void step(void *state)
{
    struct play *play = state;
    const struct screen *screen = menu_screen(&play->context->menu);
    if (screen == &SCREEN_CHANGE && play->seen_screen == &SCREEN_PAUSE)
        play_host_begin_change(&play->host, &play->context->profile, &play->local);
    play->seen_screen = screen;
    play->view.kind = (enum view_kind)play->context->profile.preferences.view;
    bool receives = local_players_receive(&play->local);
    for (int ticks = 0; receives && ticks < TICKS_AT_ONCE && local_players_tick_due(&play->local); ticks++) {
        struct local_inputs inputs = play_devices_inputs(&play->devices);
        local_players_tick(&play->local, &inputs);
    }
    if (local_server_starts(&play->host.server))
        join_host(play);
    if (local_players_client(&play->local) && local_players_has_ended(&play->local))
        fail(play, play->local.error.text, play->local.denial);
    play_devices_step(&play->devices);
    play_chat_step(&play->chat);
    local_players_follow(&play->local);
    describe(play);
}

// --- the picture

// Describes why the player, who has played, waits. Attempts are counted, so that the client does not seem to hang.
// Returns false if they do not wait.
static bool describe_retry(const struct play *play, uint64_t now_us, char text[TEXT_BYTES])
{
    struct client_retry retry;
    char when[48] = "";
    if (!client_retry(local_players_client(&play->local), now_us, &retry))
        return false;
    if (retry.cause == CLIENT_RETRY_RESTART) {
        snprintf(text, TEXT_BYTES, "%s", text_of("The server is restarting. The match goes on in a moment."));
        return true;
    }
    if (retry.wait_us)
        snprintf(when, sizeof when, text_of(" in %u s"), (uint32_t)((retry.wait_us + SECOND_US - 1) / SECOND_US));
    snprintf(text, TEXT_BYTES, text_of("%s Connecting again%s: attempt %u of %u. %s opens the menu."),
             retry.cause == CLIENT_RETRY_LOSS ? text_of("The connection was lost.")
                                              : text_of("The server has not come back."),
             when, retry.attempt, retry.attempts_max, session_back_key(play->context));
    return true;
}

static void draw_match(struct play *play, uint64_t now_us)
{
    struct session_context *context = play->context;
    struct profile *profile = &context->profile;
    const struct client *client = local_players_client(&play->local);
    char retry[TEXT_BYTES], said[TEXT_BYTES] = "";
    const char *system_message = client_system_message(client, now_us);
    if (system_message)
        server_lines_translate(system_message, said);
    struct draw_options options = {.scoreboard = session_holds_scoreboard(context) && !play->chat.panel.typing,
                                   .net = play->report.is_shown ? &play->report.graph : NULL,
                                   .bare = context->menu.depth,
                                   .chat = &play->chat.panel,
                                   .wheels = play->chat.wheels,
                                   .hints = play_devices_choose_hints(&play->devices),
                                   .now_us = now_us,
                                   .system_message = said,
                                   .silence_us = client_silence_us(client, now_us)};
    if (describe_retry(play, now_us, retry) || play_devices_notice(&play->devices, retry, sizeof retry))
        options.system_message = retry;
    profile->statistics_unsaved = true;
    if (statistics_count(&profile->statistics, &play->statistics, &play->view))
        profile_save_statistics(profile, context->config->log);
    play_report_view(&play->report, client, &play->view, now_us);
    play_devices_shake(&play->devices, &play->view);
    play_chat_receive(&play->chat, play->view.world, now_us);
    presenter_show(&context->presenter, &context->canvas, &play->view, &options);
    play_report_frame(&play->report, &context->presenter.scene.camera, (uint32_t)(context->config->now_us() - now_us));
}

static bool view(void *state, uint64_t now_us)
{
    struct play *play = state;
    struct session_context *context = play->context;
    if (local_server_starts(&play->host.server)) {
        presenter_wait(&context->presenter);
        session_draw_message(context, text_of("The match is loading."), session_back_key(context), now_us);
        return false;
    }
    if (local_players_view(&play->local, now_us, &play->view)) {
        draw_match(play, now_us);
        return true;
    }
    const char *back = session_back_key(context);
    char text[TEXT_BYTES], retry[TEXT_BYTES];
    server_lines_translate(client_status_text(local_players_client(&play->local)), text);
    if (describe_retry(play, now_us, retry)) {
        memcpy(text, retry, sizeof text);
        back = NULL;
    }
    presenter_wait(&context->presenter);
    session_draw_message(context, text, back, now_us);
    return false;
}

static struct session_status status(const void *state)
{
    const struct play *play = state;
    bool has_match = local_players_client(&play->local), is_playing = local_players_is_playing(&play->local);
    return (struct session_status){.is_open = has_match || local_server_starts(&play->host.server),
                                   .is_loading = !has_match,
                                   .is_playing = is_playing,
                                   .types = play->chat.panel.typing,
                                   .touch = is_playing ? TOUCH_USE_PLAY : TOUCH_USE_PAUSE};
}

static void sleep_until(void *state, uint64_t until_us)
{
    const struct play *play = state;
    uint64_t next_us = local_players_next_us(&play->local);
    local_players_wait(&play->local, next_us < until_us ? next_us : until_us);
}

static void *make(struct session_context *context, struct error *error)
{
    const struct app_config *config = context->config;
    const struct settings *settings = config->settings;
    struct play *play = calloc(1, sizeof *play);
    if (!play) {
        error_set_code(error, EXIT_FAILED, "Not enough memory.");
        return NULL;
    }
    play->context = play->chat.context = play->devices.context = context;
    play->local.settings = settings;
    play->local.preferences = &context->profile.preferences;
    play->local.lobby = &context->lobby;
    play->local.records = &context->profile.records;
    play->local.log = config->log;
    play->local.now_us = config->now_us;
    play->chat.local = play->devices.local = &play->local;
    play->devices.chat = &play->chat;
    play->devices.host = &play->host;
    play->report.log = config->log;
    play->report.draw_us = &context->draw_us;
    bool is_address = settings->connect[0] && !friend_is_key(settings->connect);
    bool good = !is_address || address_read(&play->local.address, settings->connect, error);
    if (!good)
        error->code = EXIT_USAGE;
    if (good && settings->host && !start_host(play, APP_COMMAND_PLAY_TOGETHER, error)) {
        int code = play->host.server.exit_code;
        error->code = code ? code : EXIT_UNAVAILABLE;
        local_server_stop(&play->host.server);
        good = false;
    }
    if (good)
        return play;
    free(play);
    return NULL;
}

const struct session_interface SESSION_PLAY = {.open = make,
                                               .begin = begin,
                                               .obey = obey,
                                               .event = handle_event,
                                               .step = step,
                                               .view = view,
                                               .status = status,
                                               .wait = sleep_until,
                                               .end = end};
