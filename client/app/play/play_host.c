// SPDX-License-Identifier: MIT
#include "play_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "base/platform/udp.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "net/crypto/identity.h"
#include "presentation/title_demo.h"
#include "window/page.h"

#define USUAL_PORT    "27440"
#define USUAL_BOTS    4
#define USUAL_PLAYERS 16

static enum mode mode_of_match(const struct session_context *context)
{
    return preferences_mode(&context->profile.preferences, lobby_count(&context->lobby));
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

static bool run_server(struct play_host *host, const struct session_context *context, const char *port,
                       struct error *error)
{
    const struct settings *settings = context->config->settings;
    const struct preferences *preferences = &context->profile.preferences;
    const struct host_settings *chosen = &host->settings;
    const struct option_list *directories = server_search_directories(&context->search);
    struct error none;
    bool open = chosen->open;
    char bots[24], places[24], maps[160], key[FINGERPRINT_TEXT_BYTES], variants[VARIANT_NAMES_BYTES];
    char urls[DIRECTORIES_MAX][DOWNLOAD_URL_BYTES];
    const char *arguments[LOCAL_SERVER_ARGUMENTS] = {"--port",        port,
                                                     "--bind",        open ? "0.0.0.0" : "127.0.0.1",
                                                     "--map",         preferences->map,
                                                     "--mode",        MODE_NAMES[chosen->mode],
                                                     "--bot-skill",   AI_SKILL_CHOICES[chosen->bot_skill],
                                                     "--name",        preferences->server_name,
                                                     "--bots",        bots,
                                                     "--max-players", places,
                                                     "--log-level",   "warning"};
    uint32_t count = 18;
    snprintf(bots, sizeof bots, "%" PRId64, chosen->bots);
    snprintf(places, sizeof places, "%" PRId64, chosen->players_max);
    list_maps(chosen->mode, maps, sizeof maps);
    if (maps[0]) {
        arguments[count++] = "--rotation";
        arguments[count++] = maps;
    }
    variant_names(chosen->variants, variants);
    if (variants[0]) {
        arguments[count++] = "--variants";
        arguments[count++] = variants;
    }
    // The host is the admin of their own server by their key. Without a key they only play.
    if (settings->key_path[0] && identity_fingerprint_of_file(settings->key_path, key, &none)) {
        arguments[count++] = "--admin-key";
        arguments[count++] = key;
    }
    if (open)
        arguments[count++] = "--print-invitations";
    if (open && preferences->port_mapping)
        arguments[count++] = "--port-mapping";
    // It announces itself to the directories, unless only who has the link shall find it.
    for (uint32_t i = 0; open && preferences->listed && i < directories->count && i < DIRECTORIES_MAX; i++)
        if (directories_announce_url(directories->values[i], urls[i])) {
            arguments[count++] = "--announce";
            arguments[count++] = urls[i];
        }
    if (!open)
        arguments[count++] = "--handicaps"; // among friends
    if (settings->seed[0]) {
        arguments[count++] = "--seed";
        arguments[count++] = settings->seed;
    }
    if (context->profile.paths.replays[0] && !settings->frames) {
        arguments[count++] = "--record";
        arguments[count++] = context->profile.paths.replays;
    }
    return local_server_start(&host->server, arguments, error);
}

bool play_host_start(struct play_host *host, const struct session_context *context, enum app_command_kind kind,
                     struct error *error)
{
    const struct preferences *preferences = &context->profile.preferences;
    local_server_stop(&host->server);
    if (kind == APP_COMMAND_PLAY) // at once, with what everybody begins with
        host->settings = (struct host_settings){
            .mode = mode_usual(1), .players_max = USUAL_PLAYERS, .bots = USUAL_BOTS, .bot_skill = AI_SKILL_ADAPTIVE};
    else
        host->settings = (struct host_settings){
            .open = kind == APP_COMMAND_HOST && !udp_is_of_page(),
            .mode = mode_of_match(context),
            .players_max = preferences->bots > preferences->players ? preferences->bots : preferences->players,
            .bots = preferences->bots,
            .bot_skill = preferences->bot_skill,
            .variants = preferences_variants(&preferences->variants)};
    // Other players search on the usual port; if it is taken, they can still join by address.
    return (host->settings.open && run_server(host, context, USUAL_PORT, error)) ||
           run_server(host, context, "0", error);
}

bool play_host_runs(const struct play_host *host)
{
    return host->server.child.process > 0;
}

// Gives the local server the chosen variants, in as many lines of chat as they need.
static void change_variants(struct local_players *local, uint32_t variants)
{
    static const char START[] = "/variants";
    char line[CHAT_SEND_BYTES_MAX + 1];
    size_t used = (size_t)snprintf(line, sizeof line, "%s none", START);
    for (uint32_t i = 0; i < VARIANTS; i++) {
        const char *name = VARIANT_TABLE[i].name;
        if (!(variants >> i & 1))
            continue;
        if (used + 1 + strlen(name) > CHAT_SEND_BYTES_MAX) {
            local_players_say(local, line);
            used = (size_t)snprintf(line, sizeof line, "%s", START);
        }
        used += (size_t)snprintf(line + used, sizeof line - used, " %s", name);
    }
    local_players_say(local, line);
}

void play_host_change(struct play_host *host, const struct session_context *context, struct local_players *local)
{
    const struct preferences *preferences = &context->profile.preferences;
    char line[CHAT_SEND_BYTES_MAX + 1];
    struct host_settings *host_settings = &host->settings;
    const struct world *world = local_players_world(local);
    int64_t bots = preferences->bots < host_settings->players_max ? preferences->bots : host_settings->players_max;
    snprintf(line, sizeof line, "/bots %" PRId64, bots);
    if (bots != host_settings->bots)
        local_players_say(local, line);
    snprintf(line, sizeof line, "/set bot-skill %s", AI_SKILL_CHOICES[preferences->bot_skill]);
    if (preferences->bot_skill != host_settings->bot_skill)
        local_players_say(local, line);
    uint32_t variants = preferences_variants(&preferences->variants);
    if (!world || variants != world->rules.variants)
        change_variants(local, variants);
    host_settings->bots = bots;
    host_settings->bot_skill = preferences->bot_skill;
    snprintf(line, sizeof line, "/mode %s %.*s", MODE_NAMES[mode_of_match(context)], CHAT_SEND_BYTES_MAX - 16,
             preferences->map);
    local_players_say(local, line);
}

void play_host_begin_change(const struct play_host *host, struct profile *profile, const struct local_players *local)
{
    struct preferences *preferences = &profile->preferences;
    const struct client *client = local_players_client(local);
    const struct world *world = local_players_world(local);
    profile_begin_change(profile);
    if (!world || !client_map(client))
        return;
    if (title_demo_has_map(client_map(client)->name))
        snprintf(preferences->map, sizeof preferences->map, "%s", client_map(client)->name);
    if (preferences_mode(preferences, lobby_count(local->lobby)) != world->rules.mode)
        preferences->mode = world->rules.mode;
    preferences->bots = host->settings.bots;
    preferences->bot_skill = host->settings.bot_skill;
    preferences_set_variants(preferences, world->rules.variants); // also those of a vote
}

// Returns who can join a guest's server: as it has been joined at that address, it can be again.
static enum invitation_reach reach_of_joined(const struct address *joined)
{
    struct net_address address;
    bool is_number = ip_address_parse(&address, joined->host, joined->port);
    if (is_number && ip_address_is_loopback(&address))
        return INVITATION_MACHINE;
    if (joined->through[0])
        return INVITATION_INTRODUCED;
    return is_number && !ip_address_is_public(&address) ? INVITATION_NEARBY : INVITATION_DIRECTORY;
}

void play_host_invite(struct play_host *host, struct session_context *context, const struct address *joined)
{
    const struct menu_facts *facts = &context->menu.facts;
    struct menu_invitation *known = &context->menu.facts.invitation;
    char link[sizeof known->link] = "";
    enum invitation_reach reach = INVITATION_WAITING;
    local_server_listen(&host->server);
    const struct invitation *hosted = &host->server.invitation;
    if (facts->open_port && hosted->address[0]) {
        invitation_link(hosted, link);
        reach = hosted->reach;
        known->port = host->server.port;
    } else if (facts->in_match && !facts->hosting) {
        address_link(joined, link, sizeof link);
        reach = reach_of_joined(joined);
        known->port = joined->port;
    }
    page_link(link, sizeof link);
    bool is_new = strcmp(link, known->link) != 0;
    if (!is_new && known->reach == reach)
        return;
    known->reach = reach;
    strcpy(known->link, link);
    if (is_new)
        qr_code_make(&known->code, link);
    log_write(context->config->log, LOG_DEBUG, "invitation %s %s", link[0] ? link : "-",
              INVITATION_REACH_NAMES[known->reach]);
}
