// SPDX-License-Identifier: MIT
#include "gamepads.h"

#include <SDL.h>

#include "game/input.h"

#define DEAD_ZONE 0.25f ///< of the stick's way
#define PUSH      0.6f  ///< of the stick's way that counts as a press in menus
#define SECTOR    0.38f ///< of the stick's way on the other axis from which a direction becomes a diagonal: 22.5 degrees
#define TRIGGER   8000  ///< of 32767
#define FULL      32767

static void plug(struct gamepads *pads, int device)
{
    SDL_GameController *fresh = SDL_GameControllerOpen(device);
    for (int i = 0; fresh && i < GAMEPAD_CAPACITY; i++)
        if (pads->open[i] == fresh)
            return;
    for (int i = 0; fresh && i < GAMEPAD_CAPACITY; i++)
        if (!pads->open[i]) {
            pads->open[i] = fresh;
            return;
        }
    if (fresh)
        SDL_GameControllerClose(fresh);
}

static uint32_t number_of(const struct gamepads *pads, SDL_JoystickID id)
{
    SDL_GameController *pad = SDL_GameControllerFromInstanceID(id);
    uint32_t i = 0;
    while (i < GAMEPAD_CAPACITY && (!pad || pads->open[i] != pad))
        i++;
    return i;
}

static float way_of(SDL_GameController *pad, SDL_GameControllerAxis axis)
{
    return (float)SDL_GameControllerGetAxis(pad, axis) / FULL;
}

// The stick as a press of the cross, once for each push.
static uint32_t push(struct gamepads *pads, uint32_t number)
{
    SDL_GameController *pad = pads->open[number];
    float x = way_of(pad, SDL_CONTROLLER_AXIS_LEFTX), y = way_of(pad, SDL_CONTROLLER_AXIS_LEFTY);
    float most = SDL_fabsf(x) > SDL_fabsf(y) ? SDL_fabsf(x) : SDL_fabsf(y);
    bool before = pads->pushed[number];
    pads->pushed[number] = most > (before ? DEAD_ZONE : PUSH);
    if (before || !pads->pushed[number])
        return 0;
    if (SDL_fabsf(x) > SDL_fabsf(y))
        return 1 + (uint32_t)(x < 0 ? SDL_CONTROLLER_BUTTON_DPAD_LEFT : SDL_CONTROLLER_BUTTON_DPAD_RIGHT);
    return 1 + (uint32_t)(y < 0 ? SDL_CONTROLLER_BUTTON_DPAD_UP : SDL_CONTROLLER_BUTTON_DPAD_DOWN);
}

static uint32_t axis_press(struct gamepads *pads, uint32_t number, const SDL_ControllerAxisEvent *axis)
{
    if (axis->axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT || axis->axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT)
        return axis->value <= TRIGGER                          ? 0
               : axis->axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT ? PREFERENCES_PAD_TRIGGER_LEFT
                                                               : PREFERENCES_PAD_TRIGGER_RIGHT;
    return push(pads, number);
}

struct gamepad_press gamepads_event(struct gamepads *pads, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERDEVICEADDED)
        plug(pads, event->cdevice.which);
    if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        uint32_t gone = number_of(pads, event->cdevice.which);
        if (gone < GAMEPAD_CAPACITY) {
            SDL_GameControllerClose(pads->open[gone]);
            pads->open[gone] = NULL;
        }
    }
    if (event->type != SDL_CONTROLLERBUTTONDOWN && event->type != SDL_CONTROLLERAXISMOTION)
        return (struct gamepad_press){0};
    bool button = event->type == SDL_CONTROLLERBUTTONDOWN;
    struct gamepad_press press = {.pad = number_of(pads, button ? event->cbutton.which : event->caxis.which)};
    if (press.pad < GAMEPAD_CAPACITY)
        press.name = button ? 1u + event->cbutton.button : axis_press(pads, press.pad, &event->caxis);
    return press;
}

uint32_t gamepads_pressed(const struct preferences *preferences, uint32_t name)
{
    uint32_t buttons = 0;
    for (int column = 0; name && column < PREFERENCES_PADS; column++)
        for (uint32_t deed = 0; deed < PREFERENCES_ACTIONS; deed++)
            if (preferences->pads[column][deed] == name)
                buttons |= 1u << deed;
    return buttons;
}

static uint32_t stick(SDL_GameController *pad)
{
    float x = way_of(pad, SDL_CONTROLLER_AXIS_LEFTX), y = way_of(pad, SDL_CONTROLLER_AXIS_LEFTY);
    float way = SDL_sqrtf(x * x + y * y);
    uint32_t buttons = 0;
    if (way < DEAD_ZONE)
        return 0;
    buttons |= x < -SECTOR * way ? BUTTON_LEFT : x > SECTOR * way ? BUTTON_RIGHT : 0;
    buttons |= y < -SECTOR * way ? BUTTON_UP : y > SECTOR * way ? BUTTON_DOWN : 0;
    return buttons;
}

static bool is_held(SDL_GameController *pad, uint32_t name)
{
    if (name == PREFERENCES_PAD_TRIGGER_LEFT)
        return SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT) > TRIGGER;
    if (name == PREFERENCES_PAD_TRIGGER_RIGHT)
        return SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > TRIGGER;
    return SDL_GameControllerGetButton(pad, (SDL_GameControllerButton)(name - 1));
}

static uint32_t sample(SDL_GameController *pad, const struct preferences *preferences)
{
    uint32_t buttons = stick(pad);
    for (uint32_t name = 1; name <= PREFERENCES_PAD_TRIGGER_RIGHT; name++)
        if (is_held(pad, name))
            buttons |= gamepads_pressed(preferences, name);
    return buttons;
}

uint32_t gamepads_held(const struct gamepads *pads, const struct preferences *preferences, uint32_t pad)
{
    uint32_t buttons = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        if (pads->open[i] && (pad == i || pad == GAMEPAD_ANY))
            buttons |= sample(pads->open[i], preferences);
    return buttons;
}

const char *gamepads_button_label(uint32_t name)
{
    static const char *const CAPS[] = {"none", "A",  "B",  "X",  "Y",    "Back", "Guide", "Start", "LS",
                                       "RS",   "LB", "RB", "Up", "Down", "Left", "Right", "LT",    "RT"};
    return CAPS[name <= PREFERENCES_PAD_TRIGGER_RIGHT ? name : 0];
}

bool gamepads_has(const struct gamepads *pads, uint32_t pad)
{
    return pad < GAMEPAD_CAPACITY && pads->open[pad];
}

void gamepads_close(struct gamepads *pads)
{
    for (int i = 0; i < GAMEPAD_CAPACITY; i++)
        if (pads->open[i])
            SDL_GameControllerClose(pads->open[i]);
    *pads = (struct gamepads){0};
}
