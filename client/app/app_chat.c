// SPDX-License-Identifier: MIT
#include "app_chat.h"

#include <stdio.h>
#include <string.h>

#include "app/friends/mute_list.h"
#include "app/text/text.h"
#include "app_friends.h"
#include "base/utf8.h"
#include "sync/player_name.h"

#define ARRIVALS_PEOPLE_MAX 16 ///< people at other computers; with more, arrivals are not said

void app_chat_send(struct app *app, const char *line)
{
    log_write(app->config->log, LOG_DEBUG, "say %s", line);
    if (local_players_client(&app->local))
        client_chat_send(local_players_client(&app->local), false, line);
}

bool app_chat_mutes(const struct app *app, uint32_t slot)
{
    const struct client *client = local_players_client(&app->local);
    return client && slot < PLAYER_CAPACITY && mute_list_has(&app->preferences.muted, client_player_tag(client, slot));
}

// Finds the player of a name. Returns PLAYER_CAPACITY if nobody has it.
static uint32_t slot_of(const struct app *app, const char *wanted)
{
    const struct world *world = client_world(local_players_client(&app->local));
    char name[PLAYER_NAME_BYTES + 1];
    for (uint32_t slot = 0; world && slot < world->player_slots; slot++) {
        player_name_to_text(world->players[slot].name, name);
        if (world->players[slot].state != PLAYER_ABSENT && !strcmp(name, wanted))
            return slot;
    }
    return PLAYER_CAPACITY;
}

static bool is_own(const struct client *client, const uint8_t *tag)
{
    return memcmp(tag, client_player_tag(client, client_slot(client)), MESSAGE_TAG_BYTES) == 0;
}

// Finds the tag of a name: of a player of the match, or of somebody who was muted under it. False if there is none, or
// if it is the player's own, which all at this computer have.
static bool find_entry(const struct app *app, const char *name, struct mute_entry *entry)
{
    const struct client *client = local_players_client(&app->local);
    const struct option_list *list = &app->preferences.muted;
    uint32_t slot = slot_of(app, name);
    utf8_copy(entry->name, sizeof entry->name, name);
    if (slot < PLAYER_CAPACITY) {
        memcpy(entry->tag, client_player_tag(client, slot), sizeof entry->tag);
        return !is_own(client, entry->tag);
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (mute_list_read(list->values[i], entry) && !strcmp(entry->name, name))
            return true;
    return false;
}

static void mute(struct app *app, const char *name, bool hides)
{
    struct option_list *list = &app->preferences.muted;
    struct mute_entry entry;
    struct chat_line said = {0};
    bool is_found = find_entry(app, name, &entry);
    const char *answer = text_of("There is nobody of the name %s to mute.");
    if (is_found && hides && mute_list_add(list, &entry))
        answer = text_of("You no longer see what %s writes, here and elsewhere.");
    else if (is_found && !hides && mute_list_remove(list, entry.tag))
        answer = text_of("You see again what %s writes.");
    app->unsaved |= is_found;
    snprintf(said.text, sizeof said.text, answer, name);
    chat_panel_add(&app->chat, &said, client_world(local_players_client(&app->local)), app->config->now_us());
}

void app_chat_toggle_mute(struct app *app, const char *name)
{
    uint32_t slot = local_players_client(&app->local) ? slot_of(app, name) : PLAYER_CAPACITY;
    if (slot < PLAYER_CAPACITY)
        mute(app, name, !app_chat_mutes(app, slot));
}

bool app_chat_obey(struct app *app, const char *line)
{
    static const char MUTE[] = "/mute ", UNMUTE[] = "/unmute ";
    bool hides = !strncmp(line, MUTE, sizeof MUTE - 1);
    if (!hides && strncmp(line, UNMUTE, sizeof UNMUTE - 1) != 0)
        return false;
    mute(app, line + (hides ? sizeof MUTE : sizeof UNMUTE) - 1, hides);
    return true;
}

static void log_vote(const struct app *app)
{
    const struct vote_message *vote = &app->chat.vote;
    char choices[VOTE_CHOICE_CAPACITY * (VOTE_CHOICE_BYTES_MAX + 2) + 1] = "";
    for (uint32_t i = 0; i < vote->choice_count; i++)
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i ? ", " : " ",
                 vote->choices[i].text);
    log_write(app->config->log, LOG_DEBUG, "vote: %s%s", vote->question, choices);
}

// Says who has joined or left. Those at this computer know, and among many the lines would hide what people say.
static void show_arrivals(struct app *app, uint64_t now_us)
{
    bool is_quiet = local_players_count_others(&app->local) > ARRIVALS_PEOPLE_MAX;
    struct arrival arrival;
    while (arrivals_next(&app->arrivals, app->view.world, now_us, &arrival)) {
        struct chat_line said = {0};
        if (is_quiet || local_players_is_here(&app->local, arrival.slot))
            continue;
        snprintf(said.text, sizeof said.text, arrival.joined ? text_of("%s joined.") : text_of("%s left."),
                 arrival.name);
        chat_panel_add(&app->chat, &said, app->view.world, now_us);
    }
}

void app_chat_receive(struct app *app, uint64_t now_us)
{
    struct client *client = local_players_client(&app->local);
    struct chat_line line;
    show_arrivals(app, now_us);
    while (client_chat_next(client, &line)) {
        if (line.from && app_chat_mutes(app, line.from - 1))
            continue;
        app_friends_take_line(app, &line);
        chat_panel_add(&app->chat, &line, app->view.world, now_us);
        sound_device_click(&app->presenter.sound, SOUND_CHAT);
        log_write(app->config->log, LOG_DEBUG, "chat from %u: %s", line.from, quick_chat_text(line.text));
    }
    bool voted = app->chat.votes;
    app->chat.votes = client_open_vote(client, now_us, &app->chat.vote);
    if (app->chat.votes && !voted)
        log_vote(app);
}
