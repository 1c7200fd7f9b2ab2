// SPDX-License-Identifier: MIT
#include "app_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/text/server_lines.h"
#include "app/text/text.h"
#include "app_chat.h"
#include "app_friends.h"
#include "app_servers.h"
#include "app_trial.h"
#include "base/platform/udp.h"
#include "base/utf8.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "net/crypto/handshake.h"
#include "net/crypto/identity.h"
#include "net/transport.h"

#define USUAL_PORT    "27440"
#define USUAL_BOTS    4
#define USUAL_PLAYERS 16

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

// The server's own words may follow a denial; they stay as they are.
static void describe_failure(const char *message, enum denial denial, char *text, size_t text_bytes)
{
    const char *reason = handshake_denial_text(denial), *says = " It says: ";
    size_t length = strlen(reason);
    bool says_more = length && !strncmp(message, reason, length) && !strncmp(message + length, says, strlen(says));
    char words[TEXT_BYTES];
    server_lines_translate(says_more ? message + length + strlen(says) : message, words);
    if (says_more)
        snprintf(text, text_bytes, text_of("%s It says: %s"), text_of(reason), words);
    else
        utf8_copy(text, text_bytes, words);
}

void app_fail(struct app *app, const char *message, enum denial denial)
{
    struct menu_facts *facts = &app->menu.facts;
    const struct client *client = local_players_client(&app->local);
    const struct screen *screen = client && client_has_played(client) ? &SCREEN_DISCONNECTED : &SCREEN_ERROR;
    log_write(app->config->log, LOG_ERROR, "%s", message);
    describe_failure(message, denial, facts->failure, sizeof facts->failure);
    app->failed = true;
    local_players_leave(&app->local);
    menu_open_alone(&app->menu, &SCREEN_TITLE);
    bool asked = denial == DENIAL_PASSWORD;
    menu_open(&app->menu, asked ? &SCREEN_PASSWORD : screen);
    if (asked && app->local.password[0])
        snprintf(facts->message, sizeof facts->message, "%s", text_of("Wrong password."));
}

static enum mode mode_of_match(const struct app *app)
{
    return preferences_mode(&app->preferences, lobby_count(&app->local.lobby));
}

// Lists the maps of later matches: those that are installed and suit the mode.
static void list_maps(enum mode mode, char *list, size_t list_bytes)
{
    list[0] = 0;
    for (size_t i = 0; i < SCREEN_MAP_COUNT; i++) {
        size_t used = strlen(list);
        const char *name = SCREEN_MAPS[i].name;
        if (title_demo_has_map(name) && screen_map_suits(name, mode))
            snprintf(list + used, list_bytes - used, "%s%s", used ? "," : "", name);
    }
}

// The host is the admin of their own server by their key. Without a key they only play.
static bool own_key(const struct app *app, char key[FINGERPRINT_TEXT_BYTES])
{
    struct error error;
    const char *path = settings_of(app)->key_path;
    return path[0] && identity_fingerprint_of_file(path, key, &error);
}

static int64_t places_of(const struct preferences *preferences)
{
    return preferences->bots > preferences->players ? preferences->bots : preferences->players;
}

// Has the server announce itself to the directories, unless only who has the link shall find it. Returns the arguments
// that there are then.
static uint32_t announce(const struct app *app, const char *arguments[], uint32_t count,
                         char urls[DIRECTORIES_MAX][DOWNLOAD_URL_BYTES])
{
    const struct option_list *directories = app_servers_directories(app);
    for (uint32_t i = 0; app->preferences.listed && i < directories->count && i < DIRECTORIES_MAX; i++)
        if (directories_announce_url(directories->values[i], urls[i])) {
            arguments[count++] = "--announce";
            arguments[count++] = urls[i];
        }
    return count;
}

// What was chosen for matches, or, to play at once, what everybody begins with.
static struct host_settings settings_for(const struct app *app, enum app_command_kind kind)
{
    const struct preferences *preferences = &app->preferences;
    if (kind == APP_COMMAND_PLAY)
        return (struct host_settings){
            .mode = MODE_FFA, .players_max = USUAL_PLAYERS, .bots = USUAL_BOTS, .bot_skill = AI_SKILL_ADAPTIVE};
    return (struct host_settings){.open = kind == APP_COMMAND_HOST && !udp_is_of_page(),
                                  .mode = mode_of_match(app),
                                  .players_max = places_of(preferences),
                                  .bots = preferences->bots,
                                  .bot_skill = preferences->bot_skill,
                                  .variants = preferences_variants(&preferences->variants)};
}

static bool run_server(struct app *app, const struct host_settings *host, const char *port, struct error *error)
{
    const struct settings *settings = settings_of(app);
    const struct preferences *preferences = &app->preferences;
    bool open = host->open;
    char bots[24], places[24], maps[160], key[FINGERPRINT_TEXT_BYTES], variants[VARIANT_NAMES_BYTES];
    char urls[DIRECTORIES_MAX][DOWNLOAD_URL_BYTES];
    const char *arguments[LOCAL_SERVER_ARGUMENTS] = {"--port",        port,
                                                     "--bind",        open ? "0.0.0.0" : "127.0.0.1",
                                                     "--map",         preferences->map,
                                                     "--mode",        MODE_NAMES[host->mode],
                                                     "--bot-skill",   AI_SKILL_CHOICES[host->bot_skill],
                                                     "--name",        preferences->server_name,
                                                     "--bots",        bots,
                                                     "--max-players", places,
                                                     "--log-level",   "warning"};
    uint32_t count = 18;
    snprintf(bots, sizeof bots, "%" PRId64, host->bots);
    snprintf(places, sizeof places, "%" PRId64, host->players_max);
    list_maps(host->mode, maps, sizeof maps);
    if (maps[0]) {
        arguments[count++] = "--rotation";
        arguments[count++] = maps;
    }
    variant_names(host->variants, variants);
    if (variants[0]) {
        arguments[count++] = "--variants";
        arguments[count++] = variants;
    }
    if (own_key(app, key)) {
        arguments[count++] = "--admin-key";
        arguments[count++] = key;
    }
    if (open)
        arguments[count++] = "--print-invitations";
    if (open && preferences->port_mapping)
        arguments[count++] = "--port-mapping";
    if (open)
        count = announce(app, arguments, count, urls);
    if (!open)
        arguments[count++] = "--handicaps"; // among friends
    if (settings->seed[0]) {
        arguments[count++] = "--seed";
        arguments[count++] = settings->seed;
    }
    if (app->replays_path[0] && !settings->frames) {
        arguments[count++] = "--record";
        arguments[count++] = app->replays_path;
    }
    return local_server_start(&app->host, arguments, error);
}

bool app_start_host(struct app *app, enum app_command_kind kind, struct error *error)
{
    local_server_stop(&app->host);
    struct host_settings host = settings_for(app, kind);
    // Other players search on the usual port; if it is taken, they can still join by address.
    if (!(host.open && run_server(app, &host, USUAL_PORT, error)) && !run_server(app, &host, "0", error))
        return false;
    app->host_settings = host;
    app->local.password[0] = app->local.claimed[0] = 0;
    app->local.ticket = (struct net_ticket){{0}};
    return true;
}

// Makes the own server the one to join.
static void take_address(struct app *app)
{
    app->local.address = (struct address){.host = "127.0.0.1", .port = app->host.port};
    memcpy(app->local.address.fingerprint, app->host.fingerprint, sizeof app->local.address.fingerprint);
}

void app_join_host(struct app *app)
{
    struct error error;
    if (!local_server_follow(&app->host, &error)) {
        app_fail(app, error.text, DENIAL_NONE);
    } else if (app->host.port) {
        take_address(app);
        app_join(app);
    }
}

void app_join(struct app *app)
{
    app->failed = app->has_script_origin = false;
    app->hints.since = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        app->others_hints[i].since = 0;
    app->statistics_match = (struct statistics_match){0};
    app->pause.ordered = app->pause.wanted = false;
    app->net_in = app->net_out = 0;
    presenter_begin(&app->presenter);
    app->chat = (struct chat_panel){0};
    app->arrivals = (struct arrivals){.has_begun = false};
    menu_close(&app->menu);
    window_forget_taps(&app->window);
    if (!local_players_join(&app->local))
        app_fail(app, app->local.error.text, app->local.denial);
}

static void play(struct app *app, enum app_command_kind kind)
{
    struct error error;
    app->retry = kind;
    local_players_leave(&app->local);
    if (kind == APP_COMMAND_PLAY)
        lobby_clear(&app->local.lobby);
    if (!app_start_host(app, kind, &error)) {
        app_fail(app, error.text, DENIAL_NONE);
        return;
    }
    menu_close(&app->menu);
    app_join_host(app);
}

// A server that is chosen from the list must have the key that it says there: nobody gets a join in the name of
// another.
static void use_claimed_key(struct app *app, const char *address)
{
    const struct server_browser_entry *server = server_browser_find(&app->browser, address);
    bool claims = server && server->answered && identity_fingerprint_is_valid(server->key);
    snprintf(app->local.claimed, sizeof app->local.claimed, "%.*s", claims ? FINGERPRINT_TEXT_BYTES - 1 : 0,
             claims ? server->key : "");
}

// What the list knows about the server with an address; null: nothing.
static const struct server_row *row_of(const struct app *app, const char *address)
{
    uint32_t place = server_rows_place(&app->servers, address);
    return place < app->servers.shown_count ? server_rows_at(&app->servers, place) : NULL;
}

// A page joins a server by the certificate, which no address in the list has.
static void use_certificate(struct app *app, const char *address)
{
    const struct server_row *row = row_of(app, address);
    if (row && !app->local.address.certificate[0])
        memcpy(app->local.address.certificate, row->facts.certificate, sizeof row->facts.certificate);
}

// The name of a server that was chosen from the list, for friends; one whose address was typed has none yet.
static void note_name(struct app *app, const char *address)
{
    const struct server_row *row = row_of(app, address);
    utf8_copy(app->joined_name, sizeof app->joined_name, row ? row->facts.name : "");
}

// A password goes only to the server that it was typed for.
void app_join_address(struct app *app, const char *text)
{
    struct menu_facts *facts = &app->menu.facts;
    struct error error;
    char address[OPTION_TEXT_BYTES];
    struct address read;
    if (app_friends_open_link(app, text))
        return;
    snprintf(address, sizeof address, "%s", text); // the caller may have passed facts->address, which changes below
    if (!address_read(&read, address, &error)) {
        snprintf(facts->message, sizeof facts->message,
                 text_of("\"%.60s\" is no address. Type one such as play.example.org or 203.0.113.5:27440."), address);
        return;
    }
    local_server_stop(&app->host);
    local_players_leave(&app->local);
    trial_close(&app->trial);
    replay_viewer_close(&app->viewer);
    app->local.address = read;
    use_claimed_key(app, address);
    use_certificate(app, address);
    note_name(app, address);
    if (strcmp(address, facts->address))
        facts->password[0] = 0;
    snprintf(app->local.password, sizeof app->local.password, "%s", facts->password);
    snprintf(facts->address, sizeof facts->address, "%.*s", MENU_TYPED_BYTES - 1, address);
    preferences_remember(&app->preferences.recent, address);
    app->unsaved = true;
    app->retry = APP_COMMAND_JOIN;
    app_join(app);
}

void app_leave(struct app *app)
{
    local_players_leave(&app->local);
    local_server_stop(&app->host);
    app->failed = false;
    menu_open_alone(&app->menu, &SCREEN_TITLE);
}

// Gives the local server the chosen variants, in as many lines of chat as they need.
static void change_variants(struct app *app, uint32_t variants)
{
    static const char START[] = "/variants";
    char line[CHAT_SEND_BYTES_MAX + 1];
    size_t used = (size_t)snprintf(line, sizeof line, "%s none", START);
    for (uint32_t i = 0; i < VARIANTS; i++) {
        const char *name = VARIANT_TABLE[i].name;
        if (!(variants >> i & 1))
            continue;
        if (used + 1 + strlen(name) > CHAT_SEND_BYTES_MAX) {
            app_chat_send(app, line);
            used = (size_t)snprintf(line, sizeof line, "%s", START);
        }
        used += (size_t)snprintf(line + used, sizeof line - used, " %s", name);
    }
    app_chat_send(app, line);
}

// Changes the local server while it runs; nobody has to rejoin.
static void change(struct app *app)
{
    const struct preferences *preferences = &app->preferences;
    char line[CHAT_SEND_BYTES_MAX + 1];
    struct host_settings *host_settings = &app->host_settings;
    const struct client *client = local_players_client(&app->local);
    const struct world *world = client ? client_world(client) : NULL;
    int64_t bots = preferences->bots < host_settings->players_max ? preferences->bots : host_settings->players_max;
    snprintf(line, sizeof line, "/bots %" PRId64, bots);
    if (bots != host_settings->bots)
        app_chat_send(app, line);
    snprintf(line, sizeof line, "/set bot-skill %s", AI_SKILL_CHOICES[preferences->bot_skill]);
    if (preferences->bot_skill != host_settings->bot_skill)
        app_chat_send(app, line);
    uint32_t variants = preferences_variants(&preferences->variants);
    if (!world || variants != world->rules.variants)
        change_variants(app, variants);
    host_settings->bots = bots;
    host_settings->bot_skill = preferences->bot_skill;
    snprintf(line, sizeof line, "/mode %s %.*s", MODE_NAMES[mode_of_match(app)], CHAT_SEND_BYTES_MAX - 16,
             preferences->map);
    app_chat_send(app, line);
    app->changes_match = false;
    menu_close(&app->menu);
    window_forget_taps(&app->window);
}

// Shows what the viewer has opened, or why it could not.
static bool show_viewer(struct app *app, bool opened, const struct error *error)
{
    if (!opened) {
        log_write(app->config->log, LOG_ERROR, "%s", error->text);
        snprintf(app->menu.facts.message, sizeof app->menu.facts.message, "%.150s", error->text);
        return false;
    }
    app->actions = 0;
    app->replay_drawn_us = app->config->now_us();
    menu_leave(&app->menu);
    return true;
}

static void end_match(struct app *app)
{
    local_players_leave(&app->local);
    local_server_stop(&app->host);
    presenter_begin(&app->presenter);
}

bool app_show_replay(struct app *app, const char *path)
{
    struct error error;
    end_match(app);
    log_write(app->config->log, LOG_DEBUG, "replay %s", path);
    bool opened = download_is_url(path) ? replay_viewer_open_url(&app->viewer, path, &error)
                                        : replay_viewer_open(&app->viewer, path, &error);
    return show_viewer(app, opened, &error);
}

bool app_show_live(struct app *app, const char *url, bool is_foreign)
{
    struct error error;
    end_match(app);
    return show_viewer(app, replay_viewer_open_live(&app->viewer, url, is_foreign, &error), &error);
}

void app_close_replay(struct app *app)
{
    replay_viewer_close(&app->viewer);
    if (!menu_return(&app->menu))
        menu_open_alone(&app->menu, &SCREEN_TITLE);
}

static void play_course(struct app *app, const char *name)
{
    struct error error;
    if (!app_trial_open(app, name, &error))
        app_fail(app, error.text, DENIAL_NONE);
}

static void show_record(struct app *app, const char *name)
{
    const struct course *course = course_of_name(name);
    char path[4200];
    if (!course)
        return;
    trial_record_path(course, app->trials_path, path, sizeof path);
    app_show_replay(app, path);
}

static void begin_whisper(struct app *app, const char *name)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    snprintf(line, sizeof line, "/w %.*s ", PLAYER_NAME_BYTES, name);
    menu_close(&app->menu);
    window_forget_taps(&app->window);
    chat_panel_open(&app->chat, false);
    chat_panel_type(&app->chat, line);
}

static void copy(struct app *app, const char *text)
{
    bool copied = window_copy(text);
    log_write(app->config->log, LOG_DEBUG, "copy %s", text);
    snprintf(app->menu.facts.message, sizeof app->menu.facts.message, "%s",
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

void app_execute(struct app *app)
{
    struct app_command command = app->menu.command;
    app->menu.command.kind = APP_COMMAND_NONE;
    if (ask(&app->menu, &command))
        return;
    switch (command.kind) {
    case APP_COMMAND_NONE:
        break;
    case APP_COMMAND_QUIT:
        app->quits = true;
        break;
    case APP_COMMAND_PLAY:
    case APP_COMMAND_PLAY_TOGETHER:
    case APP_COMMAND_HOST:
        play(app, command.kind);
        break;
    case APP_COMMAND_CHANGE:
        change(app);
        break;
    case APP_COMMAND_JOIN:
        app_join_address(app, command.text);
        break;
    case APP_COMMAND_TRIAL:
        play_course(app, command.text);
        break;
    case APP_COMMAND_TRIAL_REPLAY:
        show_record(app, command.text);
        break;
    case APP_COMMAND_TRIAL_AGAIN:
        app_trial_again(app);
        break;
    case APP_COMMAND_TRIAL_LEAVE:
        app_trial_leave(app);
        break;
    case APP_COMMAND_LIVE:
        app_show_live(app, command.text, command.is_foreign);
        break;
    case APP_COMMAND_REPLAY:
        app_show_replay(app, command.text);
        break;
    case APP_COMMAND_RESUME:
        menu_close(&app->menu);
        window_forget_taps(&app->window);
        break;
    case APP_COMMAND_LEAVE:
        app_leave(app);
        break;
    case APP_COMMAND_RETRY:
        if (app->retry == APP_COMMAND_JOIN)
            app_join_address(app, app->menu.facts.address);
        else
            play(app, app->retry);
        break;
    case APP_COMMAND_CHAT:
        app_chat_send(app, command.text);
        menu_close(&app->menu);
        window_forget_taps(&app->window);
        break;
    case APP_COMMAND_COPY:
        copy(app, command.text);
        break;
    case APP_COMMAND_SEARCH:
        app_servers_search(app);
        break;
    case APP_COMMAND_MUTE:
        app_chat_toggle_mute(app, command.text);
        break;
    case APP_COMMAND_BEFRIEND:
        app_friends_offer(app, command.text);
        break;
    case APP_COMMAND_WHISPER:
        begin_whisper(app, command.text);
        break;
    }
}
