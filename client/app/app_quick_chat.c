// SPDX-License-Identifier: MIT
#include "app_quick_chat.h"

#include "app/platform/keyboard.h"

static const struct {
    enum quick_chat_kind kind;
    enum match_action action;
    enum touch_control touch;
} WHEELS[] = {{QUICK_CHAT_EMOTES, MATCH_EMOTES, TOUCH_EMOTES}, {QUICK_CHAT_PHRASES, MATCH_PHRASES, TOUCH_CHAT}};

static bool holds_key(const struct app *app, uint32_t device, size_t wheel)
{
    bool second = device == DEVICE_KEYS_SECOND, has_keys = device < DEVICE_GAMEPAD;
    uint32_t key = (uint32_t)app->preferences.match_keys[second][WHEELS[wheel].action];
    enum keyboard_set set = second ? KEYBOARD_SECOND : KEYBOARD_FIRST;
    return has_keys && keyboard_is_held(key) && !keyboard_pressed(&app->preferences, set, key);
}

static bool holds_button(const struct app *app, uint32_t device, size_t wheel)
{
    uint32_t gamepad = device == DEVICE_ALL ? GAMEPAD_ANY : device - DEVICE_GAMEPAD,
             button = app->preferences.match_buttons[WHEELS[wheel].action];
    return (device == DEVICE_ALL || device >= DEVICE_GAMEPAD) && !gamepads_pressed(&app->preferences, button) &&
           gamepads_is_held(&app->window.gamepads, gamepad, button);
}

// The chat's control opens a line when it is tapped, so its wheel only appears once the finger is dragged.
static bool holds_control(const struct app *app, uint32_t device, size_t wheel)
{
    const struct touch_finger *finger = touch_controls_finger(&app->window.touch, WHEELS[wheel].touch);
    return device <= DEVICE_KEYS && finger && (finger->has_dragged || WHEELS[wheel].touch == TOUCH_EMOTES);
}

uint32_t app_quick_chat_take(struct app *app, uint32_t number, uint32_t buttons)
{
    struct quick_chat_wheel *wheel = &app->wheels[number];
    struct client *client = app->local.players[number].client;
    uint32_t device = local_players_device(&app->local, number), ways = 0;
    enum quick_chat_kind held = QUICK_CHAT_NONE;
    bool by_keys = false;
    wheel->slot = client_slot(client);
    if (app->menu.depth || app->chat.typing) {
        wheel->kind = QUICK_CHAT_NONE; // and says nothing
        return buttons;
    }
    for (size_t i = 0; i < sizeof WHEELS / sizeof *WHEELS && !held; i++) {
        bool by_touch = holds_control(app, device, i);
        by_keys = holds_key(app, device, i);
        if (by_keys || by_touch || holds_button(app, device, i))
            held = WHEELS[i].kind;
        ways = by_touch ? touch_controls_ways(&app->window.touch, WHEELS[i].touch) : 0;
    }
    if (by_keys)
        ways = buttons;
    else if (held && !ways)
        ways =
            gamepads_right_stick(&app->window.gamepads, device == DEVICE_ALL ? GAMEPAD_ANY : device - DEVICE_GAMEPAD);
    struct quick_chat_wheel before = *wheel;
    const char *line = quick_chat_step(wheel, held, ways);
    if (wheel->kind != before.kind || wheel->choice != before.choice)
        log_write(app->config->log, LOG_DEBUG, "wheel %u points at %u", wheel->kind, wheel->choice);
    if (line)
        client_chat_send(client, false, line);
    return by_keys ? 0 : buttons;
}
