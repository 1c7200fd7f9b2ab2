// SPDX-License-Identifier: MIT
#include "shell.h"

#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/text/text.h"
#include "base/platform/udp.h"
#include "base/utf8.h"
#include "window/page.h"

static const struct settings *settings_of(const struct shell *shell)
{
    return shell->context.config->settings;
}

const struct session *shell_front(const struct shell *shell)
{
    for (uint32_t i = 0; i < SHELL_PLAY; i++)
        if (shell_status(shell, i).is_open)
            return &shell->sessions[i];
    return &shell->sessions[SHELL_PLAY];
}

struct session_status shell_status(const struct shell *shell, enum shell_session session)
{
    return shell->sessions[session].does->status(shell->sessions[session].state);
}

bool shell_is_idle(const struct shell *shell)
{
    return shell_status(shell, SHELL_PLAY).is_loading && !shell_status(shell, SHELL_COURSE).is_open;
}

void shell_set_volumes(struct shell *shell)
{
    const struct preferences *preferences = &shell->context.profile.preferences;
    bool muted = preferences->background_mute && shell->context.window.unfocused;
    shell->context.presenter.volumes =
        (struct sound_volumes){muted ? 0 : (uint32_t)preferences->volume * 10,
                               (uint32_t)preferences->volume_effects * 10, (uint32_t)preferences->volume_ambience * 10,
                               (uint32_t)preferences->volume_music * 10, (uint32_t)preferences->volume_voices * 10};
}

void shell_apply_preferences(struct shell *shell)
{
    const struct preferences *preferences = &shell->context.profile.preferences;
    text_use(preferences->language ? (enum text_language)(preferences->language - 1)
                                   : (enum text_language)settings_of(shell)->system_language);
    shell->context.presenter.display = preferences->display;
    shell_set_volumes(shell);
    window_apply_settings(&shell->context.window);
}

// --- what menus ask for

// The session ends what it has shown itself.
static void begin_session(struct shell *shell, enum shell_session wanted, const struct app_command *command)
{
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++)
        if (i != wanted)
            shell->sessions[i].does->end(shell->sessions[i].state);
    shell->sessions[wanted].does->begin(shell->sessions[wanted].state, command);
}

static void obey(struct shell *shell, enum shell_session session, const struct app_command *command)
{
    shell->sessions[session].does->obey(shell->sessions[session].state, command);
}

static void copy(struct session_context *context, const char *text)
{
    bool copied = window_copy(text);
    log_write(context->config->log, LOG_DEBUG, "copy %s", text);
    snprintf(context->menu.facts.message, sizeof context->menu.facts.message, "%s",
             copied ? text_of("The link is copied: paste it wherever your friends read.")
                    : text_of("The link cannot be copied: there is no clipboard."));
}

// Asks before the match of guests ends. Returns whether it did.
static bool ask(struct menu *menu, const struct app_command *command)
{
    bool ends =
        command->kind == APP_COMMAND_QUIT || command->kind == APP_COMMAND_JOIN || command->kind == APP_COMMAND_LEAVE;
    if (!ends || command->is_confirmed || menu->facts.guests == 0)
        return false;
    menu->facts.leaving = *command;
    if (menu_screen(menu) != &SCREEN_LEAVE)
        menu_open(menu, &SCREEN_LEAVE);
    return true;
}

void shell_execute(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct app_command command = context->menu.command;
    context->menu.command.kind = APP_COMMAND_NONE;
    if (ask(&context->menu, &command))
        return;
    switch (command.kind) {
    case APP_COMMAND_NONE:
        break;
    case APP_COMMAND_QUIT:
        shell->quits = true;
        break;
    case APP_COMMAND_JOIN:
        if (!friends_online_open_key(context, command.text))
            begin_session(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_PLAY:
    case APP_COMMAND_PLAY_TOGETHER:
    case APP_COMMAND_HOST:
    case APP_COMMAND_RETRY:
        begin_session(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_TRIAL:
        begin_session(shell, SHELL_COURSE, &command);
        break;
    case APP_COMMAND_LIVE:
    case APP_COMMAND_REPLAY:
    case APP_COMMAND_TRIAL_REPLAY:
        begin_session(shell, SHELL_SPECTATE, &command);
        break;
    case APP_COMMAND_TRIAL_AGAIN:
    case APP_COMMAND_TRIAL_LEAVE:
        obey(shell, SHELL_COURSE, &command);
        break;
    case APP_COMMAND_CHANGE:
    case APP_COMMAND_LEAVE:
    case APP_COMMAND_CHAT:
    case APP_COMMAND_MUTE:
    case APP_COMMAND_BEFRIEND:
    case APP_COMMAND_WHISPER:
    case APP_COMMAND_NET:
        obey(shell, SHELL_PLAY, &command);
        break;
    case APP_COMMAND_RESUME:
        session_close_menu(context);
        break;
    case APP_COMMAND_COPY:
        copy(context, command.text);
        break;
    case APP_COMMAND_SEARCH:
        server_search_begin(&context->search, context->config->now_us());
        break;
    }
}

// --- begin and end

static void read_profile(struct session_context *context)
{
    struct menu_facts *facts = &context->menu.facts;
    char preferences_fault[ERROR_TEXT_BYTES], statistics_fault[ERROR_TEXT_BYTES];
    profile_read(&context->profile, context->config->settings, context->config->log, preferences_fault,
                 statistics_fault);
    if (preferences_fault[0])
        snprintf(facts->message, sizeof facts->message, "%.150s", preferences_fault);
    utf8_copy(facts->statistics_fault, sizeof facts->statistics_fault, statistics_fault);
}

enum exit_code shell_begin(struct shell *shell, const struct app_config *config, struct error *error)
{
    struct session_context *context = &shell->context;
    struct menu_facts *facts = &context->menu.facts;
    context->config = config;
    read_profile(context);
    context->menu.preferences = &context->profile.preferences;
    context->hints.controls = &context->profile.preferences.controls;
    context->search.settings = config->settings;
    context->search.preferences = &context->profile.preferences;
    context->search.log = config->log;
    context->search.friends = &context->friends;
    context->search.folder = context->profile.paths.lists;
    context->search.rows.is_browser = udp_is_of_page();
    facts->statistics = &context->profile.statistics;
    facts->records = &context->profile.records;
    facts->servers = &context->search.rows;
    facts->directories = &context->search.directories;
    facts->directories_are_given = config->settings->directories.count > 0;
    facts->has_map = title_demo_has_map;
    facts->lobby = &context->lobby;
    shell->spectate.context = shell->course.context = context;
    shell->sessions[SHELL_SPECTATE] = (struct session){&shell->spectate, &SPECTATE};
    shell->sessions[SHELL_COURSE] = (struct session){&shell->course, &COURSE};
    shell->sessions[SHELL_PLAY] = (struct session){&shell->play, &PLAY};
    friends_online_open(&shell->friends_online, context);
    return play_open(&shell->play, context, error);
}

static void begin_named(struct shell *shell, enum app_command_kind kind, const char *text)
{
    struct session_context *context = &shell->context;
    menu_command(&context->menu, kind, text);
    shell_execute(shell);
}

void shell_open(struct shell *shell)
{
    struct session_context *context = &shell->context;
    struct menu *menu = &context->menu;
    const struct settings *settings = settings_of(shell);
    const struct screen *asked = settings->screen[0] ? screen_find(settings->screen) : NULL;
    char message[sizeof menu->facts.message];
    uint8_t key[FRIEND_KEY_BYTES];
    memcpy(message, menu->facts.message, sizeof message);
    menu->by_touch = page_is_for_fingers();
    if (settings->host || (settings->connect[0] && !friend_key_read(settings->connect, key))) {
        shell->opens_screen = asked;
        begin_session(shell, SHELL_PLAY, &(struct app_command){.kind = APP_COMMAND_NONE});
        return;
    }
    menu_open_alone(menu, &SCREEN_TITLE);
    if (asked && asked != &SCREEN_TITLE)
        menu_open(menu, asked);
    if (settings->replay[0] || settings->live_url[0]) { // which is left to where others are
        menu_focus_on(menu, &SCREEN_REPLAYS);
        menu_open(menu, &SCREEN_REPLAYS);
    }
    if (settings->live_url[0])
        menu_open(menu, &SCREEN_LIVE);
    memcpy(menu->facts.message, message, sizeof message);
    friends_online_open_key(context, settings->connect);
    if (settings->trial[0])
        begin_named(shell, APP_COMMAND_TRIAL, settings->trial);
    if (settings->replay[0])
        begin_named(shell, APP_COMMAND_REPLAY, settings->replay);
    if (settings->live_url[0])
        begin_named(shell, APP_COMMAND_LIVE, settings->live_url);
}

void shell_end(struct shell *shell)
{
    struct session_context *context = &shell->context;
    profile_save_preferences(&context->profile, context->config->log);
    profile_save_statistics(&context->profile, context->config->log);
    for (uint32_t i = 0; i < SHELL_SESSIONS; i++)
        shell->sessions[i].does->end(shell->sessions[i].state);
    replay_cards_close(&shell->cards);
    server_search_close(&context->search);
    friends_close(&context->friends);
}
