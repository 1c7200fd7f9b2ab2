// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "game/rules/mode.h"
#include "game/variant.h"
#include "hud/hints.h"
#include "hud/hud.h"
#include "hud/mode_text.h"
#include "screens.h"
#include "text/text.h"
#include "window/keyboard.h"
#include "wire/message.h"

struct item screen_change_item(void)
{
    return (struct item){ITEM_ACTION, text_of("Change now"),
                         text_of("for everybody in this match; nobody has to rejoin"), .act = menu_act_command,
                         .argument = APP_COMMAND_CHANGE};
}

// Right, or left after MENU_LEFT.
static void step_map(struct menu *menu, uint32_t argument)
{
    (void)argument;
    screen_step_map(menu, menu->last == MENU_LEFT);
}

static void keep_map_suited(struct menu *menu, uint32_t argument)
{
    uint32_t mode = menu->preferences->mode;
    if (mode != PREFERENCES_MODE_AUTO && !screen_map_suits(menu->preferences->map, mode))
        step_map(menu, argument);
}

// The first item and the last five are for a server that does not run yet. What changes one that runs comes last, where
// nobody presses it by chance.
static void fill_host(struct menu *menu)
{
    bool is_running = menu->facts.in_match && menu->facts.hosting;
    bool listed = menu->preferences->listed;
    bool has_list = menu->preferences->directories.count > 0 || menu->facts.directories_are_given;
    uint32_t mode = menu->preferences->mode, played = preferences_mode(menu->preferences, 1);
    bool by_people = mode == PREFERENCES_MODE_AUTO && mode_named(menu->preferences->map) == MODES;
    uint32_t bots = (uint32_t)menu->preferences->bots, suited = 0;
    for (size_t i = 0; i < SCREEN_MAP_COUNT; i++)
        suited += screen_map_suits(SCREEN_MAPS[i].name, mode);
    char variants[VARIANT_ROW_BYTES];
    variant_row_titles(preferences_variants(&menu->preferences->variants), text_of("As usual"), variants);
    // "up to 4 players", so that nobody takes the number for that of the bots.
    const char *fill =
        bots ? menu_format(menu, text_plural("up to %u player", "up to %u players", bots), bots) : text_of("no bots");
    struct item items[] = {
        {ITEM_ACTION, TEXT_KEY("Start"), TEXT_KEY("players on this network find it under Join"),
         .act = menu_act_command, .argument = APP_COMMAND_HOST},
        {ITEM_SETTING, TEXT_KEY("Map"), suited == 1 ? TEXT_KEY("the only map for this mode") : NULL, .row = ROW_MAP,
         .value = text_map_title(menu->preferences->map), .act = step_map},
        {ITEM_SETTING, TEXT_KEY("Mode"),
         by_people ? TEXT_KEY("deathmatch alone; rounds with one life each for several people here")
                   : mode_text_goal(played),
         .row = ROW_MODE, .value = screen_mode_title(mode), .act = keep_map_suited},
        {ITEM_SCREEN, TEXT_KEY("Variants"), TEXT_KEY("rules that change what a match feels like"),
         .screen = &SCREEN_VARIANTS, .value = menu_format(menu, "%s", variants)},
        {ITEM_SETTING, TEXT_KEY("Fill with bots"), TEXT_KEY("each person who joins takes the place of a bot"),
         .row = ROW_BOTS, .value = fill},
        {ITEM_SETTING, TEXT_KEY("Bot skill"), .row = ROW_BOT_SKILL},
        {ITEM_SETTING, TEXT_KEY("Player limit"), TEXT_KEY("including bots"), .row = ROW_PLAYERS},
        {ITEM_SETTING, TEXT_KEY("Ask the router to let friends in"),
         TEXT_KEY("otherwise only friends in this network can join"), .row = ROW_PORT_MAPPING},
        {ITEM_SETTING, TEXT_KEY("Who can find it"),
         listed && !has_list ? TEXT_KEY("no list of servers is chosen: see Join, Filters")
                             : TEXT_KEY("the lists of servers on the internet; they also test the link"),
         .row = ROW_LISTED,
         .value = listed ? text_of("everybody in the lists") : text_of("on this network or with the link")},
        {ITEM_TEXT, TEXT_KEY("Server name"), TEXT_KEY("shown in the list of servers"), .row = ROW_SERVER_NAME},
        screen_lobby_item(menu),
    };
    menu_add_all(menu, items + is_running, sizeof items / sizeof *items - (is_running ? 6 : 0));
    if (is_running)
        menu_add(menu, screen_change_item());
    if (is_running && menu->facts.invitation.link[0])
        menu_add(menu, screen_invite_item());
}

static void resume(struct menu *menu)
{
    menu_command(menu, APP_COMMAND_RESUME, NULL);
}

// The chat lines that choose a team or watch. The first three need teams.
static const struct {
    const char *label, *line, *help;
} TEAMS[] = {
    {TEXT_KEY("Any team"), "/team auto", TEXT_KEY("the one with fewer players")},
    {TEXT_KEY("Blue"), "/team blue", NULL},
    {TEXT_KEY("Orange"), "/team orange", NULL},
    {TEXT_KEY("Only watch"), "/spectate", TEXT_KEY("leave the arena; the match goes on")},
    {TEXT_KEY("Play again"), "/play", TEXT_KEY("after watching")},
};
#define FIRST_WITHOUT_TEAMS 3

static void send_line(struct menu *menu, uint32_t team)
{
    menu_command(menu, APP_COMMAND_CHAT, TEAMS[team].line);
}

static void add_team(struct menu *menu, uint32_t team)
{
    const char *help = TEAMS[team].help;
    menu_add(menu, (struct item){ITEM_ACTION, text_of(TEAMS[team].label), help ? text_of(help) : NULL, .act = send_line,
                                 .argument = team});
}

static void fill_pause(struct menu *menu)
{
    const struct menu_facts *facts = &menu->facts;
    uint32_t key = (uint32_t)menu->preferences->controls.match_keys[0][MATCH_PEOPLE];
    const char *who = text_of("who plays; mute them, or whisper to them");
    char name[32];
    controls_key_name(key, name, sizeof name);
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Resume"), text_of("back to the match"), .act = menu_act_command,
                                 .argument = APP_COMMAND_RESUME});
    if (facts->hosting)
        menu_add(menu,
                 (struct item){ITEM_SCREEN, text_of("Change map or mode"),
                               text_of("for everybody in this match; nobody has to rejoin"), .screen = &SCREEN_CHANGE});
    if (facts->can_chat && facts->has_teams)
        menu_add(menu, (struct item){ITEM_SCREEN, text_of("Change team, or only watch"), text_of("your score stays"),
                                     .screen = &SCREEN_TEAM});
    else if (facts->can_chat)
        add_team(menu, FIRST_WITHOUT_TEAMS + facts->watches); // or, after watching, the one behind it
    if (facts->can_chat && !facts->hosting)
        menu_add(menu, (struct item){ITEM_SCREEN, text_of("Vote on variants"),
                                     text_of("rules that change what a match feels like"), .screen = &SCREEN_VARIANTS});
    if (facts->can_chat)
        menu_add(menu, (struct item){ITEM_SCREEN, text_of("Everybody in this match"),
                                     key ? menu_format(menu, "%s (%s)", who, name) : who, .screen = &SCREEN_ROSTER});
    if (facts->server && facts->records && server_records_find(facts->records, facts->server))
        menu_add(menu, screen_statistics_item());
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Players on this computer"),
                                 text_of("more join by pressing jump; up to four"), .screen = &SCREEN_LOBBY});
    if (facts->invitation.link[0])
        menu_add(menu, screen_invite_item());
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Settings"), text_of("picture, sound, keys and gamepads"),
                                 .screen = &SCREEN_SETTINGS});
    menu_add(menu, (struct item){ITEM_ACTION, text_of("Leave"),
                                 facts->guests ? text_of("the match ends for everybody; you are asked first")
                                               : text_of("back to the title"),
                                 .act = menu_act_command, .argument = APP_COMMAND_LEAVE});
    if (facts->paused)
        menu_note(menu, text_of("The match waits until you are back."));
    if (facts->open_port)
        menu_paragraph(menu, menu_format(menu, text_of("Others can join this computer at port %u."), facts->open_port));
}

static void fill_team(struct menu *menu)
{
    for (uint32_t i = menu->facts.has_teams ? 0 : FIRST_WITHOUT_TEAMS; i < sizeof TEAMS / sizeof *TEAMS; i++)
        add_team(menu, i);
}

static void leave(struct menu *menu, uint32_t argument)
{
    (void)argument;
    menu->command = menu->facts.leaving;
    menu->command.is_confirmed = true;
}

// Back to the menu that asked, or to the match if its window was about to close.
static void go_on(struct menu *menu)
{
    if (menu->depth == 1)
        resume(menu);
}

static void fill_leave(struct menu *menu)
{
    uint32_t guests = menu->facts.guests;
    if (guests) {
        menu_paragraph(menu, menu_format(menu,
                                         text_plural("Leave and end the match for %u player?",
                                                     "Leave and end the match for %u players?", guests),
                                         guests));
        menu_note(menu, "");
    }
    screen_add_stay_or(menu, text_of("Leave"), leave);
}

const struct screen SCREEN_HOST = {.name = "host", .title = TEXT_KEY("Host a match"), .fill = fill_host};
const struct screen SCREEN_CHANGE = {.name = "change", .title = TEXT_KEY("Change map or mode"), .fill = fill_host};
const struct screen SCREEN_PAUSE = {"pause", TEXT_KEY("Pause"), fill_pause, .left = resume};
const struct screen SCREEN_LEAVE = {"leave", TEXT_KEY("Leave"), fill_leave, .left = go_on};
const struct screen SCREEN_TEAM = {.name = "team", .title = TEXT_KEY("Playing"), .fill = fill_team};

// --- variants

#define BIT(variant) (1u << VARIANT_##variant)
// From here on an item's argument is an index into the presets that the player has kept.
#define OWN_OFFSET 100u

// Choices that play well together.
static const struct {
    const char *title;
    uint32_t variants;
} PRESETS[] = {
    {TEXT_KEY("As usual"), 0},
    {TEXT_KEY("Moon"), BIT(LOW_GRAVITY) | BIT(HIGH_JUMPS)},
    {TEXT_KEY("Ice rink"), BIT(ICE) | BIT(FAST)},
    {TEXT_KEY("Demolition"), BIT(BOMBS) | BIT(EXPLOSIVE_DEATH)},
    {TEXT_KEY("Boots only"), BIT(NO_ARROWS) | BIT(HIGH_JUMPS)},
    {TEXT_KEY("One chance"), BIT(ONE_ARROW) | BIT(NO_DASH)},
    {TEXT_KEY("Open sky"), BIT(WINGS) | BIT(DRILLS)},
    {TEXT_KEY("Mayhem"), BIT(ENDLESS_ARROWS) | BIT(FAST) | BIT(EXPLOSIVE_DEATH) | BIT(HASTY_CRUSHERS)},
};
#define PRESET_COUNT (sizeof PRESETS / sizeof *PRESETS)

static const char *titles_of(struct menu *menu, uint32_t variants)
{
    char titles[VARIANT_ROW_BYTES];
    variant_row_titles(variants, text_of("no variants"), titles);
    return menu_format(menu, "%s", titles);
}

static void choose(struct menu *menu, uint32_t variants)
{
    preferences_set_variants(menu->preferences, variants);
    menu->changed = true;
}

static void toggle(struct menu *menu, uint32_t variant)
{
    choose(menu, preferences_variants(&menu->preferences->variants) ^ 1u << variant);
}

// Asks the other players for exactly the chosen variants.
static void ask_for_vote(struct menu *menu, uint32_t argument)
{
    char names[VARIANT_NAMES_BYTES], line[VARIANT_NAMES_BYTES + 32];
    (void)argument;
    variant_names(preferences_variants(&menu->preferences->variants), names);
    if (snprintf(line, sizeof line, "/vote variants none %s", names) <= CHAT_SEND_BYTES_MAX)
        menu_command(menu, APP_COMMAND_CHAT, line);
    else
        snprintf(menu->facts.message, sizeof menu->facts.message, "%s", text_of("These are too many for one vote."));
}

static void choose_none(struct menu *menu, uint32_t argument)
{
    (void)argument;
    choose(menu, 0);
}

static void fill_variants(struct menu *menu)
{
    uint32_t variants = preferences_variants(&menu->preferences->variants);
    menu_add(menu, (struct item){ITEM_SCREEN, text_of("Presets"),
                                 text_of("variants that play well together, and your own mixtures"),
                                 .screen = &SCREEN_PRESETS});
    menu_add(menu, (struct item){ITEM_ACTION, text_of("All off"),
                                 text_of("what is on stays on, in the next matches as well"), .act = choose_none});
    if (menu->facts.in_match && menu->facts.hosting)
        menu_add(menu, screen_change_item());
    else if (menu->facts.can_chat)
        menu_add(menu, (struct item){ITEM_ACTION, text_of("Ask the others"),
                                     text_of("starts a vote on playing with these, here and from now on"),
                                     .act = ask_for_vote});
    for (uint32_t i = 0; i < VARIANTS; i++)
        menu_add(menu, (struct item){ITEM_SETTING, text_of(VARIANT_TABLE[i].title), text_of(VARIANT_TABLE[i].help),
                                     .value = variants >> i & 1 ? text_of("on") : text_of("off"),
                                     .lit = variants >> i & 1, .act = toggle, .argument = i});
}

// What is in the file may be of a later version or wrong: that counts as nothing.
static uint32_t preset_of(const struct menu *menu, uint32_t argument)
{
    uint32_t variants = 0;
    if (argument < OWN_OFFSET)
        return PRESETS[argument].variants;
    variant_change(&variants, menu->preferences->variant_presets.values[argument - OWN_OFFSET]);
    return variants;
}

static void choose_preset(struct menu *menu, uint32_t argument)
{
    choose(menu, preset_of(menu, argument));
}

static bool is_preset(const struct menu *menu, uint32_t variants)
{
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        if (PRESETS[i].variants == variants)
            return true;
    for (uint32_t i = 0; i < menu->preferences->variant_presets.count; i++)
        if (preset_of(menu, OWN_OFFSET + i) == variants)
            return true;
    return false;
}

static void keep_preset(struct menu *menu, uint32_t argument)
{
    char text[VARIANT_NAMES_BYTES];
    (void)argument;
    variant_names(preferences_variants(&menu->preferences->variants), text);
    for (char *at = text; *at; at++) // "bombs+ice"
        *at = *at == ',' ? '+' : *at;
    preferences_remember(&menu->preferences->variant_presets, text);
    menu->changed = true;
}

static void forget_preset(struct menu *menu, uint32_t argument)
{
    char text[OPTION_TEXT_BYTES];
    snprintf(text, sizeof text, "%s", menu->preferences->variant_presets.values[argument - OWN_OFFSET]);
    menu->changed |= preferences_forget(&menu->preferences->variant_presets, text);
}

static void add_preset(struct menu *menu, const char *label, uint32_t argument, const char *help)
{
    uint32_t chosen = preferences_variants(&menu->preferences->variants), variants = preset_of(menu, argument);
    menu_add(menu, (struct item){ITEM_ACTION, label, help, .act = choose_preset, .argument = argument,
                                 .plain = argument < OWN_OFFSET, .value = variants == chosen ? text_of("chosen") : ""});
}

static void fill_presets(struct menu *menu)
{
    const struct option_list *own = &menu->preferences->variant_presets;
    uint32_t chosen = preferences_variants(&menu->preferences->variants);
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        add_preset(menu, text_of(PRESETS[i].title), i, titles_of(menu, PRESETS[i].variants));
    menu_note(menu, text_of("Your own"));
    for (uint32_t i = 0; i < own->count; i++)
        add_preset(menu, titles_of(menu, preset_of(menu, OWN_OFFSET + i)), OWN_OFFSET + i, NULL);
    if (!is_preset(menu, chosen))
        menu_add(menu, (struct item){ITEM_ACTION, text_of("Keep what is chosen now"), titles_of(menu, chosen),
                                     .act = keep_preset, .plain = true});
    else if (!own->count)
        menu_note(menu, text_of("   choose variants, then keep them here"));
}

const struct screen SCREEN_VARIANTS = {.name = "variants", .title = TEXT_KEY("Variants"), .fill = fill_variants};
const struct screen SCREEN_PRESETS = {"presets", TEXT_KEY("Presets"), fill_presets, .extra = forget_preset,
                                      .extra_hint = TEXT_KEY("forget")};
