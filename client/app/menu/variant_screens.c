// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "game/variant.h"
#include "hud/hud.h"
#include "screens.h"
#include "wire/message.h"

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
    menu_add(menu, (struct item){.kind = ITEM_SCREEN,
                                 .label = text_of("Presets"),
                                 .screen = &SCREEN_PRESETS,
                                 .help = text_of("variants that play well together, and your own mixtures")});
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = text_of("All off"),
                                 .act = choose_none,
                                 .help = text_of("what is on stays on, in the next matches as well")});
    if (menu->facts.in_match && menu->facts.hosting)
        menu_add(menu, screen_change_item());
    else if (menu->facts.can_chat)
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = text_of("Ask the others"),
                                     .act = ask_for_vote,
                                     .help = text_of("starts a vote on playing with these, here and from now on")});
    for (uint32_t i = 0; i < VARIANTS; i++)
        menu_add(menu, (struct item){.kind = ITEM_SETTING,
                                     .label = text_of(VARIANT_TABLE[i].title),
                                     .value = variants >> i & 1 ? text_of("on") : text_of("off"),
                                     .lit = variants >> i & 1,
                                     .act = toggle,
                                     .argument = i,
                                     .help = text_of(VARIANT_TABLE[i].help)});
}

// Writes variants as a preset of the preferences: "bombs+ice".
static void write_preset(uint32_t variants, char text[VARIANT_NAMES_BYTES])
{
    variant_names(variants, text);
    for (char *at = text; *at; at++)
        *at = *at == ',' ? '+' : *at;
}

// What is in the file may be of a later version or wrong: that counts as nothing.
static uint32_t read_preset(const char *text)
{
    uint32_t variants = 0;
    variant_change(&variants, text);
    return variants;
}

static uint32_t preset_of(const struct menu *menu, uint32_t argument)
{
    return argument >= OWN_OFFSET ? read_preset(menu->preferences->variant_presets.values[argument - OWN_OFFSET])
                                  : PRESETS[argument].variants;
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
    write_preset(preferences_variants(&menu->preferences->variants), text);
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
    menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                 .label = label,
                                 .act = choose_preset,
                                 .argument = argument,
                                 .plain = argument < OWN_OFFSET,
                                 .value = variants == chosen ? text_of("chosen") : "",
                                 .help = help});
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
        menu_add(menu, (struct item){.kind = ITEM_ACTION,
                                     .label = text_of("Keep what is chosen now"),
                                     .act = keep_preset,
                                     .plain = true,
                                     .help = titles_of(menu, chosen)});
    else if (!own->count)
        menu_note(menu, text_of("   choose variants, then keep them here"));
}

const struct screen SCREEN_VARIANTS = {.name = "variants", .title = TEXT_KEY("Variants"), .fill = fill_variants};
const struct screen SCREEN_PRESETS = {.name = "presets",
                                      .title = TEXT_KEY("Presets"),
                                      .fill = fill_presets,
                                      .extra = forget_preset,
                                      .extra_hint = TEXT_KEY("forget")};
