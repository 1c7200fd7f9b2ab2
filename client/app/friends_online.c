// SPDX-License-Identifier: MIT
#include "friends_online.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "app/menu/screens.h"
#include "base/utf8.h"
#include "scene/text_panel.h"
#include "text/text.h"

#define NOTICE_US 6000000u
#define NOTICE_Y  8

void friends_online_open(struct friends_online *friends_online, struct session_context *context)
{
    const char *path = context->config->settings->key_path;
    uint8_t seed[IDENTITY_SEED_BYTES];
    struct error error;
    context->menu.facts.friends = &context->friends;
    context->search.rows.friends = &friends_online->addresses;
    if (!path[0] || !identity_load(path, seed, &error))
        return;
    friends_open(&context->friends, seed);
    sodium_memzero(seed, sizeof seed);
    qr_code_make(&context->menu.facts.friend_code, context->friends.link);
    friends_set_list(&context->friends, &context->profile.preferences.friends);
}

// A match that nobody else can join has no link.
static struct friends_self self_of(const struct session_context *context)
{
    static const char SCHEME[] = "deadfall://";
    struct friends_self self = {.plays = context->menu.facts.in_match};
    const struct menu_invitation *invitation = &context->menu.facts.invitation;
    const char *link = invitation->link;
    bool is_open = context->menu.facts.in_match && invitation->reach != INVITATION_MACHINE;
    link += strncmp(link, SCHEME, sizeof SCHEME - 1) ? 0 : sizeof SCHEME - 1;
    if (is_open && strlen(link) < sizeof self.link)
        strcpy(self.link, link);
    if (is_open && context->menu.facts.hosting)
        utf8_copy(self.server, sizeof self.server, context->profile.preferences.server_name);
    else if (is_open)
        utf8_copy(self.server, sizeof self.server, context->menu.facts.server_name);
    preferences_player_name(&context->profile.preferences, 0, self.player);
    utf8_clean(self.player, sizeof self.player, self.player, strlen(self.player));
    utf8_clean(self.server, sizeof self.server, self.server, strlen(self.server));
    return self;
}

bool friends_online_open_key(struct session_context *context, const char *text)
{
    uint8_t key[FRIEND_KEY_BYTES];
    if (!friend_key_read(text, key))
        return false;
    snprintf(context->menu.facts.friend_key, sizeof context->menu.facts.friend_key, "%s", text);
    if (!context->menu.depth)
        menu_open_alone(&context->menu, context->menu.facts.in_match ? &SCREEN_PAUSE : &SCREEN_TITLE);
    menu_open(&context->menu, &SCREEN_FRIENDS);
    snprintf(context->menu.facts.message, sizeof context->menu.facts.message, "%s",
             text_of("A friend's key is in the field: \"Add\" takes it into the list."));
    return true;
}

static void follow_changes(struct friends_online *friends_online, struct session_context *context)
{
    struct option_list *addresses = &friends_online->addresses, *list = &context->profile.preferences.friends;
    bool has_new = false;
    addresses->count = 0;
    for (uint32_t i = 0; i < context->friends.count; i++) {
        const struct friend_row *row = &context->friends.rows[i];
        struct friend_entry entry = row->entry;
        if (row->is_online && row->note.link[0])
            preferences_remember(addresses, row->note.link);
        if (entry.name[0] || !row->note.player[0])
            continue;
        memcpy(entry.name, row->note.player, sizeof entry.name); // who was added by a key alone keeps their first name
        has_new |= friend_list_put(list, &entry);
    }
    context->search.gathered_us = 0;
    context->profile.unsaved |= has_new;
    if (has_new)
        friends_set_list(&context->friends, list);
    for (uint32_t i = 0; i < context->friends.count; i++) {
        const struct friend_row *row = &context->friends.rows[i];
        log_write(context->config->log, LOG_DEBUG, "friend %.8s %s %s %s", row->key_text,
                  row->is_online ? "online" : "away", row->note.player,
                  row->is_online && row->note.link[0] ? row->note.link : "-");
    }
    friends_online->changes = context->friends.changes;
}

void friends_online_step(struct friends_online *friends_online, struct session_context *context)
{
    const struct log *log = context->config->log;
    struct friends_time time = {context->config->now_us(), log->unix_time ? log->unix_time() : 0};
    if (!context->friends.has_key)
        return;
    if (context->profile.preferences.friends_see)
        server_search_open_directories(&context->search);
    struct friends_self self = self_of(context);
    friends_step(&context->friends, context->profile.preferences.friends_see ? &self : NULL, time);
    if (context->friends.changes != friends_online->changes)
        follow_changes(friends_online, context);
    if (context->friends.arrived[0] && context->profile.preferences.friend_notices) {
        snprintf(friends_online->notice, sizeof friends_online->notice, text_of("%s is online."),
                 context->friends.arrived);
        friends_online->notice_us = time.now_us + NOTICE_US;
        log_write(log, LOG_DEBUG, "notice: %s", friends_online->notice);
    }
    context->friends.arrived[0] = 0;
}

void friends_online_draw(const struct friends_online *friends_online, struct session_context *context, uint64_t now_us)
{
    if (now_us < friends_online->notice_us)
        text_panel_backed(&context->canvas, context->profile.preferences.display.large_text ? FONT_LARGE : FONT_SMALL,
                          NOTICE_Y, INK_GOLD, friends_online->notice);
}
