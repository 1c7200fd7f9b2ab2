// SPDX-License-Identifier: MIT
#include "play_chat.h"

#include <stdio.h>
#include <string.h>

#include "app/friends/mute_list.h"
#include "base/utf8.h"
#include "hud/hud.h"
#include "sync/player_name.h"
#include "text/text.h"
#include "window/keyboard.h"

#define ARRIVALS_PEOPLE_MAX 16 ///< people at other computers; with more, arrivals are not said

void play_chat_begin(struct play_chat *chat)
{
    chat->panel = (struct chat_panel){0};
    chat->arrivals = (struct arrivals){.has_begun = false};
}

// --- muting

bool play_chat_mutes(const struct play_chat *chat, uint32_t slot)
{
    const struct client *client = local_players_client(chat->local);
    return client && slot < PLAYER_CAPACITY &&
           mute_list_has(&chat->context->profile.preferences.muted, client_player_tag(client, slot));
}

// Finds the player of a name. Returns PLAYER_CAPACITY if nobody has it.
static uint32_t slot_of(const struct world *world, const char *wanted)
{
    char name[PLAYER_NAME_BYTES + 1];
    for (uint32_t slot = 0; world && slot < world->player_slots; slot++) {
        player_name_to_text(world->players[slot].name, name);
        if (world->players[slot].state != PLAYER_ABSENT && !strcmp(name, wanted))
            return slot;
    }
    return PLAYER_CAPACITY;
}

// Finds the tag of a name: of a player of the match, or of somebody who was muted under it. False if there is none, or
// if it is the player's own, which all at this computer have.
static bool find_entry(const struct play_chat *chat, const char *name, struct mute_entry *entry)
{
    const struct client *client = local_players_client(chat->local);
    const struct option_list *list = &chat->context->profile.preferences.muted;
    uint32_t slot = slot_of(local_players_world(chat->local), name);
    utf8_copy(entry->name, sizeof entry->name, name);
    if (slot < PLAYER_CAPACITY) {
        memcpy(entry->tag, client_player_tag(client, slot), sizeof entry->tag);
        return memcmp(entry->tag, client_player_tag(client, client_slot(client)), sizeof entry->tag) != 0;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (mute_list_read(list->values[i], entry) && !strcmp(entry->name, name))
            return true;
    return false;
}

static void mute(struct play_chat *chat, const char *name, bool hides)
{
    struct option_list *list = &chat->context->profile.preferences.muted;
    struct mute_entry entry;
    struct chat_line said = {0};
    bool is_found = find_entry(chat, name, &entry);
    const char *answer = text_of("There is nobody of the name %s to mute.");
    if (is_found && hides && mute_list_add(list, &entry))
        answer = text_of("You no longer see what %s writes, here and elsewhere.");
    else if (is_found && !hides && mute_list_remove(list, entry.tag))
        answer = text_of("You see again what %s writes.");
    chat->context->profile.unsaved |= is_found;
    snprintf(said.text, sizeof said.text, answer, name);
    chat_panel_add(&chat->panel, &said, client_world(local_players_client(chat->local)),
                   chat->context->config->now_us());
}

void play_chat_toggle_mute(struct play_chat *chat, const char *name)
{
    uint32_t slot = slot_of(local_players_world(chat->local), name);
    if (slot < PLAYER_CAPACITY)
        mute(chat, name, !play_chat_mutes(chat, slot));
}

bool play_chat_obey(struct play_chat *chat, const char *line)
{
    static const char MUTE[] = "/mute ", UNMUTE[] = "/unmute ";
    bool hides = !strncmp(line, MUTE, sizeof MUTE - 1);
    if (!hides && strncmp(line, UNMUTE, sizeof UNMUTE - 1) != 0)
        return false;
    mute(chat, line + (hides ? sizeof MUTE : sizeof UNMUTE) - 1, hides);
    return true;
}

// --- offers of friendship

static struct friend_offer *offer_of(struct play_chat *chat, const char *name)
{
    for (uint32_t i = 0; i < FRIEND_OFFERS; i++)
        if (!strcmp(chat->offers[i].name, name))
            return &chat->offers[i];
    return NULL;
}

// The offer of a player, or a free place for it; null if there is none.
static struct friend_offer *take_offer(struct play_chat *chat, const char *name)
{
    struct friend_offer *offer = offer_of(chat, name);
    offer = offer ? offer : offer_of(chat, "");
    if (offer)
        utf8_copy(offer->name, sizeof offer->name, name);
    return offer;
}

// When both have asked, they are friends.
static void settle(struct play_chat *chat, struct friend_offer *offer)
{
    struct friend_entry entry = {.name = ""};
    if (!offer->asks || !offer->asked)
        return;
    memcpy(entry.key, offer->key, sizeof entry.key);
    utf8_copy(entry.name, sizeof entry.name, offer->name);
    bool is_kept = friend_list_put(&chat->context->profile.preferences.friends, &entry);
    chat->context->profile.unsaved |= is_kept;
    friends_set_list(&chat->context->friends, &chat->context->profile.preferences.friends);
    log_write(chat->context->config->log, LOG_DEBUG, "friend %s %s", offer->name, is_kept ? "added" : "not added");
}

void play_chat_befriend(struct play_chat *chat, const char *name)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    struct friend_offer *offer = take_offer(chat, name);
    if (!offer || !chat->context->friends.has_key)
        return;
    snprintf(line, sizeof line, "/w %s %s", name, chat->context->friends.link);
    log_write(chat->context->config->log, LOG_DEBUG, "offer to %s", name);
    if (!local_players_client(chat->local) ||
        !client_chat_send(local_players_client(chat->local), local_players_first(chat->local), false, line))
        return;
    offer->asked = true;
    settle(chat, offer);
}

static void take_offer_line(struct play_chat *chat, struct chat_line *line)
{
    const struct world *world = client_world(local_players_client(chat->local));
    char name[PLAYER_NAME_BYTES + 1];
    uint8_t key[FRIEND_KEY_BYTES];
    if (!(line->flags & CHAT_PRIVATE) || !line->from || line->from > PLAYER_CAPACITY ||
        !friend_key_read(line->text, key))
        return;
    player_name_to_text(world->players[line->from - 1].name, name);
    struct friend_offer *offer = take_offer(chat, name);
    if (!offer)
        return;
    memcpy(offer->key, key, sizeof offer->key);
    offer->asks = true;
    settle(chat, offer);
    log_write(chat->context->config->log, LOG_DEBUG, "offer of %s", name);
    uint32_t people = (uint32_t)chat->context->profile.preferences.controls.match_keys[0][MATCH_PEOPLE];
    controls_key_name(people, name, sizeof name);
    if (offer->asked)
        snprintf(line->text, sizeof line->text, "%s", text_of("You are friends now."));
    else
        snprintf(line->text, sizeof line->text, text_of("I would like to be your friend: see %s, Friends."),
                 people ? name : text_of("Everybody in this match"));
}

// Says in words what a line with a key means.
static void replace_offer(struct play_chat *chat, struct chat_line *line)
{
    const char *link = line->from ? NULL : strstr(line->text, ": " FRIEND_KEY_LINK);
    if (!chat->context->friends.has_key)
        return;
    if (!link || strcmp(link + 2, chat->context->friends.link) != 0) {
        take_offer_line(chat, line);
        return;
    }
    line->text[link - line->text] = 0; // the echo of what was sent
    utf8_copy(line->text + strlen(line->text), sizeof line->text - strlen(line->text),
              text_of(": asked to be friends"));
}

void play_chat_mark(const struct play_chat *chat, uint32_t slot, struct menu_player *player)
{
    player->is_muted = play_chat_mutes(chat, slot);
    for (uint32_t i = 0; i < FRIEND_OFFERS; i++) {
        const struct friend_offer *offer = &chat->offers[i];
        if (strcmp(offer->name, player->name) != 0)
            continue;
        player->asks = offer->asks;
        player->asked = offer->asked;
        player->is_friend = offer->asks && friends_find(&chat->context->friends, offer->key);
    }
}

// Another player may come with the name of one who has left.
void play_chat_step(struct play_chat *chat)
{
    const struct world *world = local_players_is_playing(chat->local) ? local_players_world(chat->local) : NULL;
    for (uint32_t i = 0; i < FRIEND_OFFERS && chat->context->friends.has_key; i++)
        if (chat->offers[i].name[0] && slot_of(world, chat->offers[i].name) == PLAYER_CAPACITY)
            chat->offers[i] = (struct friend_offer){.name = ""};
}

void play_chat_receive(struct play_chat *chat, const struct world *world, uint64_t now_us)
{
    struct client *client = local_players_client(chat->local);
    struct chat_line line;
    struct arrival arrival;
    // Those at this computer know who has joined or left, and among many the lines would hide what people say.
    bool is_quiet = local_players_count_others(chat->local) > ARRIVALS_PEOPLE_MAX;
    while (arrivals_next(&chat->arrivals, world, now_us, &arrival)) {
        struct chat_line said = {0};
        if (is_quiet || local_players_is_here(chat->local, arrival.slot))
            continue;
        snprintf(said.text, sizeof said.text, arrival.joined ? text_of("%s joined.") : text_of("%s left."),
                 arrival.name);
        chat_panel_add(&chat->panel, &said, world, now_us);
    }
    while (client_chat_next(client, &line)) {
        if (line.from && play_chat_mutes(chat, line.from - 1))
            continue;
        replace_offer(chat, &line);
        chat_panel_add(&chat->panel, &line, world, now_us);
        sound_device_click(&chat->context->presenter.sound, SOUND_CHAT);
        log_write(chat->context->config->log, LOG_DEBUG, "chat from %u: %s", line.from, quick_chat_text(line.text));
    }
    const struct vote_message *vote = &chat->panel.vote;
    char choices[VOTE_CHOICE_CAPACITY * (VOTE_CHOICE_BYTES_MAX + 2) + 1] = "";
    bool voted = chat->panel.votes;
    chat->panel.votes = client_open_vote(client, now_us, &chat->panel.vote);
    if (!chat->panel.votes || voted)
        return;
    for (uint32_t i = 0; i < vote->choice_count; i++)
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i ? ", " : " ",
                 vote->choices[i].text);
    log_write(chat->context->config->log, LOG_DEBUG, "vote: %s%s", vote->question, choices);
}

// --- what is said

void play_chat_type(struct play_chat *chat, const struct window_event *event)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    if (event->kind == WINDOW_TEXT)
        chat_panel_type(&chat->panel, event->text);
    if (event->kind == WINDOW_TAP)
        chat_panel_cancel(&chat->panel);
    if (event->kind != WINDOW_KEY)
        return;
    if (event->code == KEY_BACKSPACE)
        chat_panel_erase(&chat->panel);
    if (event->code == KEY_PAGE_UP || event->code == KEY_PAGE_DOWN)
        chat_panel_scroll(&chat->panel, event->code == KEY_PAGE_UP ? CHAT_PANEL_LINES : -CHAT_PANEL_LINES);
    if (event->code == KEY_ESCAPE)
        chat_panel_cancel(&chat->panel);
    if (event->code == KEY_RETURN || event->code == KEY_KP_ENTER) {
        bool to_team = chat->panel.to_team;
        if (local_players_is_playing(chat->local) && chat_panel_submit(&chat->panel, line) &&
            !play_chat_obey(chat, line))
            client_chat_send(local_players_client(chat->local), local_players_first(chat->local), to_team, line);
    }
}

void play_chat_whisper(struct play_chat *chat, const char *name)
{
    char line[CHAT_SEND_BYTES_MAX + 1];
    snprintf(line, sizeof line, "/w %.*s ", PLAYER_NAME_BYTES, name);
    chat_panel_open(&chat->panel, false);
    chat_panel_type(&chat->panel, line);
}

void play_chat_vote(struct play_chat *chat, uint32_t choice)
{
    char line[24];
    snprintf(line, sizeof line, "/vote %u", choice + 1);
    if (chat->panel.votes && choice < chat->panel.vote.choice_count)
        local_players_say(chat->local, line);
}

void play_chat_vote_at(struct play_chat *chat, int32_t x, int32_t y)
{
    static const int32_t TOPS[] = {VOTE_PANEL_Y, VOTE_PANEL_TOP_Y};
    struct frame frame = {.canvas = &chat->context->canvas, .display = &chat->context->profile.preferences.display};
    for (size_t i = 0; i < sizeof TOPS / sizeof *TOPS; i++)
        play_chat_vote(chat, vote_panel_at(&frame, &chat->panel.vote, &chat->context->hints, TOPS[i], x,
                                           y)); // it is drawn at one of them
}

// --- wheels

static const struct {
    enum quick_chat_kind kind;
    enum match_action action;
    enum touch_control touch;
} WHEELS[] = {{QUICK_CHAT_EMOTES, MATCH_EMOTES, TOUCH_EMOTES}, {QUICK_CHAT_PHRASES, MATCH_PHRASES, TOUCH_CHAT}};

static bool holds_key(const struct play_chat *chat, uint32_t device, size_t wheel)
{
    const struct preferences *preferences = &chat->context->profile.preferences;
    bool second = device == DEVICE_KEYS_SECOND;
    uint32_t key = (uint32_t)preferences->controls.match_keys[second][WHEELS[wheel].action];
    return device < DEVICE_GAMEPAD && keyboard_is_held(key) &&
           !keyboard_pressed(&preferences->controls.buttons, second ? KEYBOARD_SECOND : KEYBOARD_FIRST, key);
}

static bool holds_button(const struct play_chat *chat, uint32_t device, size_t wheel)
{
    uint32_t gamepad = device == DEVICE_ALL ? GAMEPAD_ANY : device - DEVICE_GAMEPAD,
             button = chat->context->profile.preferences.controls.match_buttons[WHEELS[wheel].action];
    return (device == DEVICE_ALL || device >= DEVICE_GAMEPAD) &&
           !gamepads_pressed(&chat->context->profile.preferences.controls.buttons, button) &&
           gamepads_is_held(&chat->context->window.gamepads, gamepad, button);
}

uint32_t play_chat_turn_wheel(struct play_chat *chat, uint32_t number, uint32_t buttons)
{
    struct quick_chat_wheel *wheel = &chat->wheels[number];
    uint32_t device = local_players_device(chat->local, number), ways = 0;
    enum quick_chat_kind held = QUICK_CHAT_NONE;
    bool by_keys = false;
    wheel->slot = local_players_slot(chat->local, number);
    if (chat->context->menu.depth || chat->panel.typing) {
        wheel->kind = QUICK_CHAT_NONE; // and says nothing
        return buttons;
    }
    for (size_t i = 0; i < sizeof WHEELS / sizeof *WHEELS && !held; i++) {
        // The chat's control opens a line when it is tapped, so its wheel only appears once the finger is dragged.
        const struct touch_finger *finger = touch_controls_finger(&chat->context->window.touch, WHEELS[i].touch);
        bool by_touch = device <= DEVICE_KEYS && finger && (finger->has_dragged || WHEELS[i].touch == TOUCH_EMOTES);
        by_keys = holds_key(chat, device, i);
        if (by_keys || by_touch || holds_button(chat, device, i))
            held = WHEELS[i].kind;
        ways = by_touch ? touch_controls_ways(&chat->context->window.touch, WHEELS[i].touch) : 0;
    }
    if (by_keys)
        ways = buttons;
    else if (held && !ways)
        ways = gamepads_right_stick(&chat->context->window.gamepads,
                                    device == DEVICE_ALL ? GAMEPAD_ANY : device - DEVICE_GAMEPAD);
    struct quick_chat_wheel before = *wheel;
    const char *line = quick_chat_step(wheel, held, ways);
    if (wheel->kind != before.kind || wheel->choice != before.choice)
        log_write(chat->context->config->log, LOG_DEBUG, "wheel %u points at %u", wheel->kind, wheel->choice);
    if (line)
        client_chat_send(local_players_client(chat->local), number, false, line);
    return by_keys ? 0 : buttons;
}
