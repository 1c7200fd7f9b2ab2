// SPDX-License-Identifier: MIT
#include "play_devices.h"

#include <stdio.h>

#include "app/menu/screens.h"
#include "text/text.h"

#define AGAIN_US  1200000u // a client may send a line a second
#define ANSWER_US 2000000u // within which the match stands still if it does at all

void play_devices_begin(struct play_devices *devices)
{
    devices->has_origin = devices->pause.ordered = devices->pause.wanted = false;
    devices->context->hints.since = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        devices->others_hints[i].since = 0;
}

// Reads the script at the player's next tick, and notes a screenshot that it asks for up to there. Its fingers touch
// the window.
static uint32_t buttons_of_script(struct play_devices *devices)
{
    struct window *window = &devices->context->window;
    const struct input_script *script = devices->context->config->script;
    const struct client *client = local_players_client(devices->local);
    tick before = devices->has_origin ? devices->script_ticks : 0;
    if (!devices->has_origin)
        devices->origin = input_script_origin(client_world(client), client_slot(client));
    devices->has_origin = true;
    devices->script_ticks = client_world(client)->tick + 1 - devices->origin;
    const char *screenshot = input_script_screenshot(script, before, devices->script_ticks);
    devices->context->screenshot = screenshot ? screenshot : devices->context->screenshot;
    const struct input_script_fingers *fingers = input_script_fingers(script, devices->script_ticks);
    for (uint32_t i = 0; fingers && i < INPUT_SCRIPT_FINGERS; i++)
        window_push_finger(window, i, i < fingers->count, fingers->of[i].x, fingers->of[i].y);
    return input_script_buttons(script, devices->script_ticks) | (fingers ? touch_controls_held(&window->touch) : 0);
}

static uint32_t buttons_of(struct play_devices *devices, uint32_t number)
{
    struct session_context *context = devices->context;
    bool shared = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    if (context->config->script && !number)
        return buttons_of_script(devices);
    uint32_t buttons = window_buttons(&context->window, local_players_device(devices->local, number), shared);
    buttons = play_chat_turn_wheel(devices->chat, number, buttons);
    context->presenter.held = context->menu.depth || devices->chat->panel.typing ? 0 : buttons;
    return context->presenter.held;
}

static struct hints *hints_of(struct play_devices *devices, uint32_t number)
{
    return number == local_players_first(devices->local) ? &devices->context->hints : &devices->others_hints[number];
}

struct local_inputs play_devices_inputs(struct play_devices *devices)
{
    struct local_inputs inputs = {{{0}}};
    const struct world *world = local_players_world(devices->local);
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        uint32_t slot = local_players_slot(devices->local, i);
        if (slot == PLAYER_CAPACITY)
            continue;
        inputs.of[i].buttons = buttons_of(devices, i);
        if (world)
            hints_take(hints_of(devices, i), world, slot, inputs.of[i].buttons);
    }
    return inputs;
}

void play_devices_shake(const struct play_devices *devices, const struct view *view)
{
    const struct session_context *context = devices->context;
    for (uint32_t i = 0; context->profile.preferences.rumble && i < LOCAL_PLAYERS; i++) {
        uint32_t slot = local_players_slot(devices->local, i), device = local_players_device(devices->local, i);
        bool all = device == DEVICE_ALL && context->menu.by_gamepad;
        if (slot == PLAYER_CAPACITY || !(all || device >= DEVICE_GAMEPAD))
            continue;
        struct rumble rumble = rumble_of(view, slot);
        if (rumble.duration_ms)
            gamepads_rumble(&context->window.gamepads, all ? GAMEPAD_ANY : device - DEVICE_GAMEPAD, rumble.low,
                            rumble.high, rumble.duration_ms);
    }
}

const struct hints *play_devices_choose_hints(struct play_devices *devices)
{
    struct session_context *context = devices->context;
    const struct world *world = client_world(local_players_client(devices->local));
    const struct hints *all[LOCAL_PLAYERS] = {&context->hints};
    uint32_t count = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        uint32_t slot = local_players_slot(devices->local, i), device = local_players_device(devices->local, i);
        struct hints *hints = hints_of(devices, i);
        if (slot == PLAYER_CAPACITY)
            continue;
        hints->controls = &context->profile.preferences.controls;
        hints->slot = slot;
        hints->family = device >= DEVICE_GAMEPAD ? context->menu.facts.pads[device - DEVICE_GAMEPAD]
                                                 : menu_pad_family(&context->menu);
        hints->shared_keys = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
        hints->by_gamepad = device >= DEVICE_GAMEPAD || (device == DEVICE_ALL && context->menu.by_gamepad);
        hints->by_touch = context->menu.by_touch && device <= DEVICE_KEYS;
        hints->second_keys = device == DEVICE_KEYS_SECOND;
        all[count++] = hints;
    }
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        hints_of(devices, i)->is_marked = count > 1;
    return world ? all[hints_choose(all, count, world->tick, world->round.phase == ROUND_PLAYING)] : &context->hints;
}

// --- the pause

// Whether a menu would make the match stand still. A run of a number of frames, or by a script, has no pause.
static bool may_pause(const struct play_devices *devices)
{
    const struct settings *settings = devices->context->config->settings;
    return play_host_runs(devices->host) && local_players_is_playing(devices->local) && !settings->frames &&
           !devices->context->config->script && !local_players_count_others(devices->local);
}

// A match with others does not wait, so no menu may come between it and those who can play.
static bool goes_on(const struct play_devices *devices)
{
    return !devices->context->menu.depth && local_players_count_others(devices->local) > 0;
}

static void describe_lost(const struct play_devices *devices, uint32_t number, char *text, size_t text_bytes)
{
    char name[PLAYER_NAME_BYTES + 1];
    preferences_player_name(&devices->context->profile.preferences, number, name);
    snprintf(text, text_bytes, text_of("The gamepad of %s was disconnected. Plug it in again to play on."), name);
}

bool play_devices_notice(const struct play_devices *devices, char *text, size_t text_bytes)
{
    uint32_t lost = lobby_find_lost(&devices->context->lobby);
    if (lost < LOCAL_PLAYERS)
        describe_lost(devices, lost, text, text_bytes);
    else if (devices->pause.lacks_gamepad)
        snprintf(text, text_bytes, "%s", text_of("The gamepad was disconnected; the keys still work."));
    return lost < LOCAL_PLAYERS || devices->pause.lacks_gamepad;
}

// A player without their gamepad cannot act, so the lobby opens and says so. They get their place back with it.
static void notice_unplugged(struct play_devices *devices)
{
    struct lobby *lobby = &devices->context->lobby;
    struct menu *menu = &devices->context->menu;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++) {
        bool lost = !gamepads_has(&devices->context->window.gamepads, i);
        if (!lobby_set_lost(lobby, DEVICE_GAMEPAD + i, lost) || !lost)
            continue;
        log_write(devices->context->config->log, LOG_INFO, "The gamepad of player %u was disconnected.",
                  lobby_find(lobby, DEVICE_GAMEPAD + i) + 1);
        if (goes_on(devices))
            continue;
        if (local_players_is_playing(devices->local) && !menu->depth)
            menu_open_alone(menu, &SCREEN_PAUSE);
        if (menu->depth && menu_screen(menu) != &SCREEN_LOBBY)
            menu_open(menu, &SCREEN_LOBBY);
    }
    if (menu_screen(menu) != &SCREEN_LOBBY)
        return;
    menu->facts.message[0] = 0;
    if (lobby_find_lost(lobby) < LOCAL_PLAYERS)
        describe_lost(devices, lobby_find_lost(lobby), menu->facts.message, sizeof menu->facts.message);
}

// The same for a player who uses every device, and the gamepad last.
static void open_for_gamepad(struct play_devices *devices)
{
    struct menu *menu = &devices->context->menu;
    bool plays_by_gamepad = menu->by_gamepad && local_players_is_playing(devices->local);
    uint32_t before = devices->pause.gamepads, now = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        now |= gamepads_has(&devices->context->window.gamepads, i) ? 1u << i : 0;
    devices->pause.gamepads = now;
    devices->pause.lacks_gamepad &= !(now & ~before) && plays_by_gamepad;
    if (!(before & ~now) || lobby_count(&devices->context->lobby) || !plays_by_gamepad)
        return;
    log_write(devices->context->config->log, LOG_INFO, "The gamepad was disconnected.");
    if (goes_on(devices)) {
        devices->pause.lacks_gamepad = true;
        return;
    }
    if (!menu->depth)
        menu_open_alone(menu, &SCREEN_PAUSE);
    snprintf(menu->facts.message, sizeof menu->facts.message, "%s", text_of("The gamepad was disconnected."));
}

// Asks once for each time that a menu opens, and for the end until it is there: lines can get lost.
static void order(struct play_devices *devices)
{
    struct session_context *context = devices->context;
    struct play_pause *pause = &devices->pause;
    bool playing = local_players_is_playing(devices->local), wanted = context->menu.depth && may_pause(devices);
    bool paused = playing && client_world(local_players_client(devices->local))->round.paused == PAUSE_ORDERED;
    uint64_t now_us = context->config->now_us();
    if (wanted && !pause->wanted && !paused) {
        local_players_say(devices->local, "/pause alone");
        pause->ordered = true;
        pause->until_us = now_us + ANSWER_US;
        pause->again_us = 0;
    }
    if (!wanted && pause->ordered && paused && now_us >= pause->again_us) {
        local_players_say(devices->local, "/resume");
        pause->again_us = now_us + AGAIN_US;
    }
    pause->ordered &= wanted || paused || now_us < pause->until_us;
    pause->wanted = wanted;
    context->menu.facts.paused = paused;
}

void play_devices_step(struct play_devices *devices)
{
    struct play_pause *pause = &devices->pause;
    bool unfocused = devices->context->window.unfocused && local_players_is_playing(devices->local);
    if (unfocused && !pause->was_unfocused && !devices->context->menu.depth && !devices->chat->panel.typing &&
        may_pause(devices))
        menu_open_alone(&devices->context->menu, &SCREEN_PAUSE);
    pause->was_unfocused = unfocused;
    open_for_gamepad(devices);
    notice_unplugged(devices);
    order(devices);
}
