// SPDX-License-Identifier: MIT
#include "play_devices.h"

#include "presentation/presenter.h"

void play_devices_begin(struct play_devices *devices)
{
    devices->script.has_origin = false;
    devices->context->hints.since = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        devices->others_hints[i].since = 0;
}

// Has the fingers of the script touch the window. Returns what they hold.
static uint32_t push_fingers(struct window *window, const struct input_script_fingers *fingers)
{
    for (uint32_t i = 0; fingers && i < INPUT_SCRIPT_FINGERS; i++)
        window_push_finger(window, i, i < fingers->count, fingers->of[i].x, fingers->of[i].y);
    return fingers ? touch_controls_held(&window->touch) : 0;
}

// Reads the script at the player's next tick, and notes a screenshot that it asks for up to there.
static uint32_t buttons_of_script(struct play_devices *devices)
{
    const struct input_script *script = devices->context->config->script;
    const struct client *client = local_players_client(devices->local);
    struct play_script *at = &devices->script;
    tick before = at->last_tick;
    if (!at->has_origin) {
        at->origin = input_script_origin(client_world(client), client_slot(client));
        at->has_origin = true;
        before = 0;
    }
    at->last_tick = client_world(client)->tick + 1 - at->origin;
    const char *screenshot = input_script_screenshot(script, before, at->last_tick);
    devices->context->screenshot = screenshot ? screenshot : devices->context->screenshot;
    return input_script_buttons(script, at->last_tick) |
           push_fingers(&devices->context->window, input_script_fingers(script, at->last_tick));
}

uint32_t play_devices_buttons(struct play_devices *devices, uint32_t number)
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

struct hints *play_devices_hints(struct play_devices *devices, uint32_t number)
{
    return number == local_players_first(devices->local) ? &devices->context->hints : &devices->others_hints[number];
}

void play_devices_shake(const struct play_devices *devices, const struct view *view)
{
    const struct session_context *context = devices->context;
    for (uint32_t i = 0; context->profile.preferences.rumble && i < LOCAL_PLAYERS; i++) {
        const struct client *client = devices->local->players[i].client;
        uint32_t device = local_players_device(devices->local, i);
        bool all = device == DEVICE_ALL && context->menu.by_gamepad;
        if (!client || client_state(client) != CLIENT_PLAYING || !(all || device >= DEVICE_GAMEPAD))
            continue;
        struct rumble rumble = rumble_of(view, client_slot(client));
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
        const struct client *client = devices->local->players[i].client;
        uint32_t device = local_players_device(devices->local, i);
        struct hints *hints = play_devices_hints(devices, i);
        if (!client || client_state(client) != CLIENT_PLAYING)
            continue;
        hints->controls = &context->profile.preferences.controls;
        hints->slot = client_slot(client);
        hints->family = device >= DEVICE_GAMEPAD ? context->menu.facts.pads[device - DEVICE_GAMEPAD]
                                                 : menu_pad_family(&context->menu);
        hints->shared_keys = lobby_find(&context->lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
        hints->by_gamepad = device >= DEVICE_GAMEPAD || (device == DEVICE_ALL && context->menu.by_gamepad);
        hints->by_touch = context->menu.by_touch && device <= DEVICE_KEYS;
        hints->second_keys = device == DEVICE_KEYS_SECOND;
        all[count++] = hints;
    }
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        play_devices_hints(devices, i)->is_marked = count > 1;
    return world ? all[hints_choose(all, count, world->tick, world->round.phase == ROUND_PLAYING)] : &context->hints;
}
