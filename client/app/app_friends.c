// SPDX-License-Identifier: MIT
#include "app_friends.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "app/platform/keyboard.h"
#include "app/render/text_panel.h"
#include "app/text/text.h"
#include "app_servers.h"
#include "base/utf8.h"
#include "sync/player_name.h"

#define NOTICE_US 6000000u
#define NOTICE_Y  8

// --- from open to close

void app_friends_open(struct app *app)
{
    const char *path = app->config->settings->key_path;
    uint8_t seed[IDENTITY_SEED_BYTES];
    struct error error;
    app->menu.facts.friends = &app->friends;
    app->servers.friends = &app->friend_addresses;
    if (!path[0] || !identity_load(path, seed, &error))
        return;
    friends_open(&app->friends, seed);
    sodium_memzero(seed, sizeof seed);
    qr_code_make(&app->menu.facts.friend_code, app->friends.link);
    friends_set_list(&app->friends, &app->preferences.friends);
}

void app_friends_close(struct app *app)
{
    friends_close(&app->friends);
}

// --- what friends see

// A match that nobody else can join has no link.
static struct friends_self self_of(const struct app *app)
{
    static const char SCHEME[] = "deadfall://";
    struct friends_self self = {.plays = app->menu.facts.in_match};
    const struct menu_invitation *invitation = &app->menu.facts.invitation;
    const char *link = invitation->link;
    bool is_open = app->menu.facts.in_match && invitation->reach != INVITATION_MACHINE;
    link += strncmp(link, SCHEME, sizeof SCHEME - 1) ? 0 : sizeof SCHEME - 1;
    if (is_open && strlen(link) < sizeof self.link)
        strcpy(self.link, link);
    if (is_open && app->menu.facts.hosting)
        utf8_copy(self.server, sizeof self.server, app->preferences.server_name);
    else if (is_open)
        utf8_copy(self.server, sizeof self.server, app->joined_name);
    preferences_player_name(&app->preferences, 0, self.player);
    utf8_clean(self.player, sizeof self.player, self.player, strlen(self.player));
    utf8_clean(self.server, sizeof self.server, self.server, strlen(self.server));
    return self;
}

// --- offers

static struct friend_offer *offer_of(struct app *app, const char *name)
{
    for (uint32_t i = 0; i < FRIEND_OFFERS; i++)
        if (!strcmp(app->offers[i].name, name))
            return &app->offers[i];
    return NULL;
}

// The offer of a player, or a free place for it; null if there is none.
static struct friend_offer *take_offer(struct app *app, const char *name)
{
    struct friend_offer *offer = offer_of(app, name);
    offer = offer ? offer : offer_of(app, "");
    if (offer)
        utf8_copy(offer->name, sizeof offer->name, name);
    return offer;
}

static bool is_in_match(const struct world *world, const char *wanted)
{
    char name[PLAYER_NAME_BYTES + 1];
    for (uint32_t slot = 0; world && slot < world->player_slots; slot++) {
        player_name_to_text(world->players[slot].name, name);
        if (world->players[slot].state != PLAYER_ABSENT && !strcmp(name, wanted))
            return true;
    }
    return false;
}

// Another player may come with the name of one who has left.
static void forget_absent(struct app *app)
{
    bool plays = local_players_is_playing(&app->local);
    const struct world *world = plays ? client_world(local_players_client(&app->local)) : NULL;
    for (uint32_t i = 0; i < FRIEND_OFFERS; i++)
        if (app->offers[i].name[0] && !is_in_match(world, app->offers[i].name))
            app->offers[i] = (struct friend_offer){.name = ""};
}

// When both have asked, they are friends.
static void settle(struct app *app, struct friend_offer *offer)
{
    struct friend_entry entry = {.name = ""};
    if (!offer->asks || !offer->asked)
        return;
    memcpy(entry.key, offer->key, sizeof entry.key);
    utf8_copy(entry.name, sizeof entry.name, offer->name);
    bool is_kept = friend_list_put(&app->preferences.friends, &entry);
    app->unsaved |= is_kept;
    friends_set_list(&app->friends, &app->preferences.friends);
    log_write(app->config->log, LOG_DEBUG, "friend %s %s", offer->name, is_kept ? "added" : "not added");
}

void app_friends_offer(struct app *app, const char *name)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    struct friend_offer *offer = take_offer(app, name);
    if (!offer || !app->friends.has_key)
        return;
    snprintf(line, sizeof line, "/w %s %s", name, app->friends.link);
    log_write(app->config->log, LOG_DEBUG, "offer to %s", name);
    if (!local_players_client(&app->local) || !client_chat_send(local_players_client(&app->local), false, line))
        return;
    offer->asked = true;
    settle(app, offer);
}

static bool take_offer_line(struct app *app, struct chat_line *line)
{
    const struct world *world = client_world(local_players_client(&app->local));
    char name[PLAYER_NAME_BYTES + 1];
    uint8_t key[FRIEND_KEY_BYTES];
    if (!(line->flags & CHAT_PRIVATE) || !line->from || line->from > PLAYER_CAPACITY ||
        !friend_key_read(line->text, key))
        return false;
    player_name_to_text(world->players[line->from - 1].name, name);
    struct friend_offer *offer = take_offer(app, name);
    if (!offer)
        return false;
    memcpy(offer->key, key, sizeof offer->key);
    offer->asks = true;
    settle(app, offer);
    log_write(app->config->log, LOG_DEBUG, "offer of %s", name);
    uint32_t people = (uint32_t)app->preferences.match_keys[0][MATCH_PEOPLE];
    keyboard_name(people, name, sizeof name);
    if (offer->asked)
        snprintf(line->text, sizeof line->text, "%s", text_of("You are friends now."));
    else
        snprintf(line->text, sizeof line->text, text_of("I would like to be your friend: see %s, Friends."),
                 people ? name : text_of("Everybody in this match"));
    return true;
}

bool app_friends_take_line(struct app *app, struct chat_line *line)
{
    const char *link = line->from ? NULL : strstr(line->text, ": " FRIEND_KEY_LINK);
    if (!app->friends.has_key)
        return false;
    if (!link || strcmp(link + 2, app->friends.link) != 0)
        return take_offer_line(app, line);
    line->text[link - line->text] = 0; // the echo of what was sent
    utf8_copy(line->text + strlen(line->text), sizeof line->text - strlen(line->text),
              text_of(": asked to be friends"));
    return true;
}

bool app_friends_open_link(struct app *app, const char *text)
{
    uint8_t key[FRIEND_KEY_BYTES];
    if (!friend_key_read(text, key))
        return false;
    snprintf(app->menu.facts.friend_key, sizeof app->menu.facts.friend_key, "%s", text);
    if (!app->menu.depth)
        menu_open_alone(&app->menu, local_players_client(&app->local) ? &SCREEN_PAUSE : &SCREEN_TITLE);
    menu_open(&app->menu, &SCREEN_FRIENDS);
    snprintf(app->menu.facts.message, sizeof app->menu.facts.message, "%s",
             text_of("A friend's key is in the field: \"Add\" takes it into the list."));
    return true;
}

void app_friends_mark(const struct app *app, struct menu_player *player)
{
    for (uint32_t i = 0; i < FRIEND_OFFERS; i++) {
        const struct friend_offer *offer = &app->offers[i];
        if (strcmp(offer->name, player->name) != 0)
            continue;
        player->asks = offer->asks;
        player->asked = offer->asked;
        player->is_friend = offer->asks && friends_find(&app->friends, offer->key);
    }
}

// --- who is there

static void list_addresses(struct app *app)
{
    struct option_list *list = &app->friend_addresses;
    list->count = 0;
    for (uint32_t i = 0; i < app->friends.count; i++) {
        const struct friend_row *row = &app->friends.rows[i];
        if (row->is_online && row->note.link[0])
            preferences_remember(list, row->note.link);
    }
    app->servers_us = 0;
}

// A friend who was added by a key alone gets the name that they have first, and keeps it.
static void keep_names(struct app *app)
{
    bool has_new = false;
    for (uint32_t i = 0; i < app->friends.count; i++) {
        const struct friend_row *row = &app->friends.rows[i];
        struct friend_entry entry = row->entry;
        if (entry.name[0] || !row->note.player[0])
            continue;
        memcpy(entry.name, row->note.player, sizeof entry.name);
        has_new |= friend_list_put(&app->preferences.friends, &entry);
    }
    app->unsaved |= has_new;
    if (has_new)
        friends_set_list(&app->friends, &app->preferences.friends);
}

static void log_friends(const struct app *app)
{
    for (uint32_t i = 0; i < app->friends.count; i++) {
        const struct friend_row *row = &app->friends.rows[i];
        log_write(app->config->log, LOG_DEBUG, "friend %.8s %s %s %s", row->key_text,
                  row->is_online ? "online" : "away", row->note.player,
                  row->is_online && row->note.link[0] ? row->note.link : "-");
    }
}

static void take_changes(struct app *app)
{
    if (app->friends.changes == app->friend_changes)
        return;
    keep_names(app);
    list_addresses(app);
    log_friends(app);
    app->friend_changes = app->friends.changes;
}

static void take_arrival(struct app *app, uint64_t now_us)
{
    if (!app->friends.arrived[0])
        return;
    if (app->preferences.friend_notices) {
        snprintf(app->friend_notice, sizeof app->friend_notice, text_of("%s is online."), app->friends.arrived);
        app->friend_notice_us = now_us + NOTICE_US;
        log_write(app->config->log, LOG_DEBUG, "notice: %s", app->friend_notice);
    }
    app->friends.arrived[0] = 0;
}

void app_friends_update(struct app *app)
{
    const struct log *log = app->config->log;
    struct friends_time time = {app->config->now_us(), log->unix_time ? log->unix_time() : 0};
    if (!app->friends.has_key)
        return;
    forget_absent(app);
    if (app->preferences.friends_see)
        app_servers_open_directories(app);
    struct friends_self self = self_of(app);
    friends_step(&app->friends, app->preferences.friends_see ? &self : NULL, time);
    take_changes(app);
    take_arrival(app, time.now_us);
}

void app_friends_draw(struct app *app, uint64_t now_us)
{
    if (now_us < app->friend_notice_us)
        text_panel_backed(&app->canvas, app->preferences.display.large_text ? FONT_LARGE : FONT_SMALL, NOTICE_Y,
                          INK_GOLD, app->friend_notice);
}
