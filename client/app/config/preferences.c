// SPDX-License-Identifier: MIT
#include "preferences.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "core/view.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "kept_file.h"
#include "text/text.h"

const char *const PREFERENCES_ACTION_NAMES[] = {"left", "right", "up", "down", "jump", "dash", "shoot", NULL};
const char *const PREFERENCES_GAMEPAD_BUTTONS[] = {"none",
                                                   "a",
                                                   "b",
                                                   "x",
                                                   "y",
                                                   "back",
                                                   "guide",
                                                   "start",
                                                   "left-stick",
                                                   "right-stick",
                                                   "left-shoulder",
                                                   "right-shoulder",
                                                   "up",
                                                   "down",
                                                   "left",
                                                   "right",
                                                   "left-trigger",
                                                   "right-trigger",
                                                   NULL};
const char *const PREFERENCES_FRAME_LIMITS[] = {"display", "30", "60", "120", "144", "240", NULL};
static const char *const MODE_CHOICES[] = {MODE_NAME_LIST, [PREFERENCES_MODE_AUTO] = "auto", NULL};
static const char *const SERVERS_FROM[] = {"all", "internet", "this-network", "favourites", "recent", "friends", NULL};
static const char *const SERVERS_SORT[] = {"players", "ping", "name", "mode", "map", "region", NULL};
static const char *const SERVERS_MODES[] = {MODE_NAME_LIST, [MODES_OFFERED] = "all", NULL};
static const char *const LANGUAGES[] = {"system", TEXT_LANGUAGE_CODES, NULL};
static const char *const SCALINGS[] = {"auto", "integer", "fit", "stretch", NULL};
static const char *const HAT_NAMES[] = {HAT_WORDS, NULL};
static const char *const COLOUR_VISION_NAMES[] = {"all-colours", "deuteranopia", "protanopia", "tritanopia", NULL};

#define FIELD(field) offsetof(struct preferences, field)
#define LEVEL(row, name_, field, fallback_, help_)                                                                     \
    [row] = {name_, OPTION_NUMBER, FIELD(field), fallback_, "N", help_, .most = PREFERENCES_VOLUME_MAX}
#define HAT(row, name_, at, help_)                                                                                     \
    [row] = {name_, OPTION_CHOICE, FIELD(hats[at]), "none", NULL, help_, .choices = HAT_NAMES}
#define FRIEND(ROW, word, at)                                                                                          \
    [ROW_NAME_##ROW] = {"name-" word, OPTION_TEXT, FIELD(friend_names[at]),                                            \
                        "",           "NAME",      .help = "name of the " word " player at this machine"},             \
    [ROW_COLOUR_##ROW] = {"colour-" word, OPTION_NUMBER, FIELD(friend_colours[at]),                                    \
                          "-1",           "N",           "their colour, 0 to 15; -1: by itself",                       \
                          .least = -1,    .most = 15}
#define KEY(row, name_, field, fallback_, help_)                                                                       \
    [row] = {name_, OPTION_NUMBER, FIELD(field), fallback_, "N", help_, .most = 511}
#define PAD(row, name_, field, fallback_, help_)                                                                       \
    [row] = {name_, OPTION_CHOICE, FIELD(field), fallback_, NULL, help_, .choices = PREFERENCES_GAMEPAD_BUTTONS}
#define MATCH_KEY(row, name_, set_, at, key)                                                                           \
    KEY(row, name_, controls.match_keys[set_][at], key, "scancode of a key; 0: none")
#define MATCH_BUTTON(row, name_, at, button) PAD(row, name_, controls.match_buttons[at], button, "gamepad button")
// Two keys of the first set, one of the second, two gamepad buttons. Scancodes are USB HID usages.
#define ACTION(ROW, name_, at, first_, other_, second_, pad_, button_other_)                                           \
    KEY(ROW_KEY_##ROW, "key-" name_, controls.buttons.keys[0][at], first_, "scancode of a key; 0: none"),              \
        KEY(ROW_KEY_##ROW##_OTHER, "key-" name_ "-other", controls.buttons.keys[1][at], other_, "another key for it"), \
        KEY(ROW_KEY_##ROW##_SECOND, "key-" name_ "-second", controls.buttons.keys[2][at], second_,                     \
            "key of the second set"),                                                                                  \
        PAD(ROW_PAD_##ROW, "pad-" name_, controls.buttons.gamepad_buttons[0][at], pad_, "gamepad button"),             \
        PAD(ROW_PAD_##ROW##_OTHER, "pad-" name_ "-other", controls.buttons.gamepad_buttons[1][at], button_other_,      \
            "another button for it")

static const struct option OPTIONS[PREFERENCES_ROWS] = {
    [ROW_LANGUAGE] = {"language", OPTION_CHOICE, FIELD(language), "system", NULL, "language of the screens",
                      .choices = LANGUAGES},
    [ROW_SCALING] = {"scaling", OPTION_CHOICE, FIELD(window.scaling), "auto", NULL, "how the picture fills the window",
                     .choices = SCALINGS},
    [ROW_FULLSCREEN] = {"fullscreen", OPTION_FLAG, FIELD(window.fullscreen), .help = "on the whole screen"},
    [ROW_VSYNC] = {"vsync", OPTION_FLAG, FIELD(window.vsync), "on", .help = "frames wait for the display"},
    [ROW_FRAME_LIMIT] = {"frame-limit", OPTION_CHOICE, FIELD(frame_limit), "display", NULL, "frames a second at most",
                         .choices = PREFERENCES_FRAME_LIMITS},
    [ROW_DISPLAY] = {"display", OPTION_NUMBER, FIELD(window.screen), "0", "N",
                     "screen of the window, from 1; 0: as the system says", .most = 8},
    [ROW_VIEW] = {"view", OPTION_CHOICE, FIELD(view), "predicted", NULL, "where other players are drawn",
                  .choices = VIEW_KIND_NAMES},
    LEVEL(ROW_VOLUME, "volume", volume, "8", "of everything, 0 to 10"),
    LEVEL(ROW_VOLUME_EFFECTS, "volume-effects", volume_effects, "10", "of effects"),
    LEVEL(ROW_VOLUME_MUSIC, "volume-music", volume_music, "7", "of the music"),
    LEVEL(ROW_VOLUME_VOICES, "volume-voices", volume_voices, "8", "of the announcer"),
    LEVEL(ROW_VOLUME_AMBIENCE, "volume-ambience", volume_ambience, "6", "of the ambience"),
    [ROW_RUMBLE] = {"rumble", OPTION_FLAG, FIELD(rumble), "on", .help = "gamepads shake"},
    [ROW_PORT_MAPPING] = {"port-mapping", OPTION_FLAG, FIELD(port_mapping), "on",
                          .help = "hosted matches ask the router to let others in"},
    [ROW_LISTED] = {"listed", OPTION_FLAG, FIELD(listed),
                    .help = "everybody finds hosted matches in the lists of servers"},
    [ROW_BACKGROUND_MUTE] = {"background-mute", OPTION_FLAG, FIELD(background_mute),
                             .help = "no sound in the background"},
    [ROW_NAME] = {"name", OPTION_TEXT, FIELD(name), "", "NAME", .help = "the player's name; empty: $USER"},
    [ROW_COLOUR] = {"colour", OPTION_NUMBER, FIELD(colour), "-1", "N", "0 to 15; -1: by the name", .least = -1,
                    .most = 15},
    FRIEND(SECOND, "second", 0),
    FRIEND(THIRD, "third", 1),
    FRIEND(FOURTH, "fourth", 2),
    [ROW_SHOW_RATING] = {"show-rating", OPTION_FLAG, FIELD(shows_rating), "on",
                         .help = "show ratings to servers that trust the server which gave them"},
    HAT(ROW_HAT, "hat", 0, "on the player's head"),
    HAT(ROW_HAT_SECOND, "hat-second", 1, "of the second player at this machine"),
    HAT(ROW_HAT_THIRD, "hat-third", 2, "of the third"),
    HAT(ROW_HAT_FOURTH, "hat-fourth", 3, "of the fourth"),
    [ROW_EYES] = {"eyes", OPTION_CHOICE, FIELD(display.colour_vision), "all-colours", NULL,
                  "colours that you can tell apart", .choices = COLOUR_VISION_NAMES},
    [ROW_REDUCED_MOTION] = {"reduced-motion", OPTION_FLAG, FIELD(display.reduced_motion), .help = "less motion"},
    LEVEL(ROW_SHAKE, "shake", display.shake, "10", "of the screen when something heavy lands, 0 to 10"),
    [ROW_LARGE_TEXT] = {"large-text", OPTION_FLAG, FIELD(display.large_text), .help = "larger text"},
    [ROW_KILL_REPLAYS] = {"kill-replays", OPTION_FLAG, FIELD(display.kill_replays), "on",
                          .help = "show the kill that decided a round again"},
    [ROW_MAP] = {"map", OPTION_TEXT, FIELD(map), "foundry", "NAME", "map of a match that you host", .least = 1},
    [ROW_MODE] = {"mode", OPTION_CHOICE, FIELD(mode), "auto", NULL,
                  "mode of a match that you host; auto: ffa alone, lms for several people at this computer",
                  .choices = MODE_CHOICES},
    [ROW_BOTS] = {"bots", OPTION_NUMBER, FIELD(bots), "4", "N", "bots fill a match that you host up to N players",
                  .most = 64},
    [ROW_BOT_SKILL] = {"bot-skill", OPTION_CHOICE, FIELD(bot_skill), "adaptive", NULL,
                       "how well bots play; adaptive: easy at first, then by the score", .choices = AI_SKILL_CHOICES},
    [ROW_PLAYERS] = {"players", OPTION_NUMBER, FIELD(players), "16", "N", "player limit of a match that you host",
                     .least = 2, .most = 64},
    [ROW_SERVER_NAME] = {"server-name", OPTION_TEXT, FIELD(server_name), "Deadfall", "NAME",
                         "name of a server that you host", .least = 1},
    ACTION(LEFT, "left", 0, "80", "4", "80", "left", "none"),
    ACTION(RIGHT, "right", 1, "79", "7", "79", "right", "none"),
    ACTION(UP, "up", 2, "82", "26", "82", "up", "none"),
    ACTION(DOWN, "down", 3, "81", "22", "81", "down", "none"),
    ACTION(JUMP, "jump", 4, "44", "14", "229", "a", "y"),
    ACTION(DASH, "dash", 5, "6", "15", "55", "b", "left-shoulder"),
    ACTION(SHOOT, "shoot", 6, "27", "13", "56", "x", "right-trigger"),
    MATCH_KEY(ROW_KEY_CHAT, "key-chat", 0, MATCH_CHAT, "23"),
    MATCH_KEY(ROW_KEY_TEAM_CHAT, "key-team-chat", 0, MATCH_TEAM_CHAT, "24"),
    MATCH_KEY(ROW_KEY_EMOTES, "key-emotes", 0, MATCH_EMOTES, "8"),
    MATCH_KEY(ROW_KEY_PHRASES, "key-phrases", 0, MATCH_PHRASES, "20"),
    MATCH_KEY(ROW_KEY_SCOREBOARD, "key-scoreboard", 0, MATCH_SCOREBOARD, "43"),
    MATCH_KEY(ROW_KEY_PEOPLE, "key-people", 0, MATCH_PEOPLE, "59"),
    MATCH_KEY(ROW_KEY_YES, "key-yes", 0, MATCH_YES, "28"),
    MATCH_KEY(ROW_KEY_NO, "key-no", 0, MATCH_NO, "17"),
    MATCH_KEY(ROW_KEY_NET, "key-net", 0, MATCH_NET, "60"),
    MATCH_KEY(ROW_KEY_EMOTES_SECOND, "key-emotes-second", 1, MATCH_EMOTES, "54"),
    MATCH_KEY(ROW_KEY_PHRASES_SECOND, "key-phrases-second", 1, MATCH_PHRASES, "16"),
    MATCH_BUTTON(ROW_PAD_EMOTES, "pad-emotes", MATCH_EMOTES, "right-stick"),
    MATCH_BUTTON(ROW_PAD_PHRASES, "pad-phrases", MATCH_PHRASES, "left-stick"),
    MATCH_BUTTON(ROW_PAD_SCOREBOARD, "pad-scoreboard", MATCH_SCOREBOARD, "left-trigger"),
    MATCH_BUTTON(ROW_PAD_VOTE, "pad-vote", MATCH_CHOICE, "back"),
    [ROW_VARIANTS] = {"variants", OPTION_LIST, FIELD(variants), NULL, "LIST",
                      .help = "variants of a match that you host"},
    [ROW_VARIANT_PRESETS] = {"variant-presets", OPTION_LIST, FIELD(variant_presets), NULL, "LIST",
                             .help = "mixtures of variants"},
    [ROW_FAVOURITES] = {"favourites", OPTION_LIST, FIELD(favourites), NULL, "LIST", .help = "favourite servers"},
    [ROW_RECENT] = {"recent", OPTION_LIST, FIELD(recent), NULL, "LIST",
                    .help = "servers that you joined, the latest first"},
    [ROW_DIRECTORIES] = {"directories", OPTION_LIST, FIELD(directories), NULL, "LIST",
                         .help = "lists of servers on the internet, as URLs"},
    [ROW_FRIENDS] = {"friends", OPTION_LIST, FIELD(friends), NULL, "LIST", .help = "keys and names of friends"},
    [ROW_MUTED] = {"muted", OPTION_LIST, FIELD(muted), NULL, "LIST", .help = "tags and names of muted players"},
    [ROW_FRIENDS_SEE] = {"friends-see", OPTION_FLAG, FIELD(friends_see),
                         .help =
                             "friends who have your key and whose key you have see where you play, and you see them"},
    [ROW_FRIEND_NOTICES] = {"friend-notices", OPTION_FLAG, FIELD(friend_notices), "on",
                            .help = "a line says when a friend comes"},
    [ROW_SERVERS_FROM] = {"servers-from", OPTION_CHOICE, FIELD(servers_from), "all", NULL, "servers to show",
                          .choices = SERVERS_FROM},
    [ROW_SERVERS_SORT] = {"servers-sort", OPTION_CHOICE, FIELD(servers_sort), "players", NULL,
                          "what they are sorted by", .choices = SERVERS_SORT},
    [ROW_SERVERS_MODE] = {"servers-mode", OPTION_CHOICE, FIELD(servers_mode), "all", NULL, "servers of this mode alone",
                          .choices = SERVERS_MODES},
    [ROW_SERVERS_REGION] = {"servers-region", OPTION_TEXT, FIELD(servers_region), .value = "NAME",
                            .help = "servers of this region alone"},
    [ROW_SERVERS_FULL] = {"servers-full", OPTION_FLAG, FIELD(servers_full), "on", .help = "show full servers"},
    [ROW_SERVERS_EMPTY] = {"servers-empty", OPTION_FLAG, FIELD(servers_empty), "on",
                           .help = "show servers without people"},
    [ROW_SERVERS_LOCKED] = {"servers-locked", OPTION_FLAG, FIELD(servers_locked), "on",
                            .help = "show servers with a password"},
};

static const struct program PROGRAM = {.name = "deadfall",
                                       .summary = "The player's preferences.",
                                       .options = OPTIONS + 1,
                                       .option_count = PREFERENCES_ROWS - 1,
                                       .configurable = true};

enum mode preferences_mode(const struct preferences *preferences, uint32_t people)
{
    if (preferences->mode != PREFERENCES_MODE_AUTO)
        return (enum mode)preferences->mode;
    enum mode own = mode_named(preferences->map); // a map of a mode's name is made for it
    return own < MODES ? own : mode_usual(people);
}

void preferences_player_name(const struct preferences *preferences, uint32_t number, char name[PLAYER_NAME_BYTES + 1])
{
    const char *own = number ? preferences->friend_names[number - 1] : preferences->name;
    const char *from = *own ? own : preferences->name;
    size_t length = utf8_fit(from, *own ? PLAYER_NAME_BYTES : PLAYER_NAME_BYTES - 2);
    memcpy(name, from, length);
    name[length] = 0;
    if (!*own)
        snprintf(name + length, PLAYER_NAME_BYTES + 1 - length, " %u", (number + 1) % 10);
}

int64_t *preferences_player_colour(struct preferences *preferences, uint32_t number)
{
    return number ? &preferences->friend_colours[number - 1] : &preferences->colour;
}

struct window_setup preferences_window_setup(const struct preferences *preferences, uint32_t scale)
{
    return (struct window_setup){.title = "Deadfall",
                                 .scale = scale,
                                 .settings = &preferences->window,
                                 .bindings = &preferences->controls.buttons,
                                 .touch = CONTROLS_TOUCH};
}

uint32_t preferences_frame_limit_hz(const struct preferences *preferences)
{
    return (uint32_t)strtoul(PREFERENCES_FRAME_LIMITS[preferences->frame_limit], NULL, 10);
}

bool preferences_read(struct preferences *preferences, const char *path, struct error *error)
{
    return kept_file_read(&PROGRAM, preferences, sizeof *preferences, path, error) ||
           error_set(error, text_of("The settings are reset to their defaults: %s"), error->text);
}

bool preferences_write(const struct preferences *preferences, const char *path, struct error *error)
{
    return kept_file_write(&PROGRAM, preferences, path) ||
           error_set(error, text_of("The settings cannot be saved in %.300s: %s."), path, strerror(errno));
}

const struct option *preferences_option(enum preferences_row row)
{
    return row ? &OPTIONS[row] : NULL;
}

// Words of options that say little to a player, and what stands on the screen instead.
static const struct {
    const char *choice, *title;
} TITLES[] = {
    {"auto", TEXT_KEY("automatic")},
    {"integer", TEXT_KEY("whole pixels")},
    {"fit", TEXT_KEY("as large as fits")},
    {"stretch", TEXT_KEY("stretched")},
    {"display", TEXT_KEY("as the monitor")},
    {"predicted", TEXT_KEY("where they are now")},
    {"interpolated", TEXT_KEY("a moment late")},
};

// The other words of options are English words with hyphens.
static void choice_text(const char *choice, char *text, size_t text_bytes)
{
    for (size_t i = 0; i < sizeof TITLES / sizeof *TITLES; i++)
        if (!strcmp(TITLES[i].choice, choice)) {
            snprintf(text, text_bytes, "%s", text_of(TITLES[i].title));
            return;
        }
    char english[32];
    snprintf(english, sizeof english, "%s", choice);
    for (char *c = english; *c; c++)
        *c = *c == '-' ? ' ' : *c;
    snprintf(text, text_bytes, "%s", text_of(english));
}

void preferences_describe(const struct preferences *preferences, enum preferences_row row, char *text,
                          size_t text_bytes)
{
    const struct option *option = preferences_option(row);
    const void *value = option ? (const char *)preferences + option->offset : NULL;
    text[0] = 0;
    if (!option)
        return;
    switch (option->kind) {
    case OPTION_FLAG:
        snprintf(text, text_bytes, "%s", *(const bool *)value ? text_of("on") : text_of("off"));
        break;
    case OPTION_CHOICE:
        if (option->choices == HAT_NAMES && *(const uint32_t *)value == HAT_NONE) // a word for keys, too
            snprintf(text, text_bytes, "%s", text_of("no hat"));
        else
            choice_text(option->choices[*(const uint32_t *)value], text, text_bytes);
        break;
    case OPTION_NUMBER:
    case OPTION_DURATION:
        snprintf(text, text_bytes, "%lld", (long long)*(const int64_t *)value);
        break;
    case OPTION_TEXT:
        snprintf(text, text_bytes, "%s", (const char *)value);
        break;
    case OPTION_LIST:
        snprintf(text, text_bytes, "%u", ((const struct option_list *)value)->count);
        break;
    }
}

void preferences_change(struct preferences *preferences, enum preferences_row row, int32_t step)
{
    const struct option *option = preferences_option(row);
    void *value = option ? (char *)preferences + option->offset : NULL;
    if (option && option->kind == OPTION_FLAG)
        *(bool *)value = !*(bool *)value;
    if (option && option->kind == OPTION_CHOICE) {
        uint32_t *choice = value, count = 0;
        while (option->choices[count])
            count++;
        *choice = (*choice + count + (uint32_t)(step < 0 ? -1 : 1)) % count;
    }
    if (option && option->kind == OPTION_NUMBER) {
        int64_t *number = value;
        *number += step;
        *number = *number < option->least ? option->least : *number > option->most ? option->most : *number;
    }
}

char *preferences_text(struct preferences *preferences, enum preferences_row row)
{
    const struct option *option = preferences_option(row);
    return option && option->kind == OPTION_TEXT ? (char *)preferences + option->offset : NULL;
}

void preferences_reset(struct preferences *preferences, enum preferences_row row)
{
    const struct option *option = preferences_option(row);
    struct error error;
    if (option && option->kind == OPTION_LIST)
        ((struct option_list *)((char *)preferences + option->offset))->count = 0;
    else if (option)
        options_set(&PROGRAM, preferences, option->name, option->fallback ? option->fallback : "off", &error);
}

uint32_t preferences_variants(const struct option_list *variants)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < variants->count; i++)
        bits |= 1u << variant_find(variants->values[i]);
    return bits & ((1u << VARIANTS) - 1);
}

void preferences_set_variants(struct preferences *preferences, uint32_t variants)
{
    preferences->variants.count = 0;
    for (uint32_t i = 0; i < VARIANTS; i++)
        if (variants >> i & 1)
            snprintf(preferences->variants.values[preferences->variants.count++], OPTION_TEXT_BYTES, "%s",
                     VARIANT_TABLE[i].name);
}

void preferences_remove_at(struct option_list *list, uint32_t at)
{
    list->count--;
    memmove(list->values[at], list->values[at + 1], (list->count - at) * sizeof list->values[0]);
}

bool preferences_forget(struct option_list *list, const char *address)
{
    uint32_t at = 0;
    while (at < list->count && strcmp(list->values[at], address))
        at++;
    if (at == list->count)
        return false;
    preferences_remove_at(list, at);
    return true;
}

void preferences_remember(struct option_list *list, const char *address)
{
    char kept[OPTION_TEXT_BYTES] = "";
    snprintf(kept, sizeof kept, "%s", address); // it may be an entry of the list that moves
    if (strpbrk(kept, ", \t\r\n"))
        return;
    preferences_forget(list, kept);
    uint32_t moved = list->count < OPTION_LIST_CAPACITY ? list->count : OPTION_LIST_CAPACITY - 1;
    memmove(list->values[1], list->values[0], moved * sizeof list->values[0]);
    memcpy(list->values[0], kept, sizeof kept);
    list->count = moved + 1;
}

void preferences_write_name(const char *name, char *text)
{
    for (; *name; name++) {
        bool is_plain =
            (*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') || (*name >= 'a' && *name <= 'z');
        text += sprintf(text, is_plain ? "%c" : "%%%02x", (unsigned char)*name);
    }
    *text = 0;
}

void preferences_read_name(const char *text, char *name, size_t name_bytes)
{
    char raw[OPTION_TEXT_BYTES], digits[3] = "";
    size_t length = 0;
    for (; *text && length < sizeof raw - 1; text++) {
        if (*text == '%' && text[1] && text[2]) {
            memcpy(digits, text + 1, 2);
            raw[length++] = (char)strtoul(digits, NULL, 16);
            text += 2;
        } else {
            raw[length++] = *text;
        }
    }
    utf8_clean(name, name_bytes, raw, length);
}
