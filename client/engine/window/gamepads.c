// SPDX-License-Identifier: MIT
#include "gamepads.h"

#include <SDL.h>

#define DEAD_ZONE 0.25f ///< deflection of the stick, of 1
#define PUSH      0.6f  ///< deflection of the stick that counts as a press in menus
#define SECTOR    0.38f ///< of the deflection, on the other axis: from there on a diagonal (22.5 degrees)
#define TRIGGER   8000  ///< of 32767
#define FULL      32767

// A gamepad that comes back gets the number that its model had, so that its player goes on; else one that none had yet,
// or any that is free.
static void plug(struct gamepads *gamepads, int device)
{
    SDL_GameController *fresh = SDL_GameControllerOpen(device);
    char model[40];
    int best = GAMEPAD_CAPACITY, best_rank = 3;
    SDL_JoystickGetGUIDString(SDL_JoystickGetDeviceGUID(device), model, sizeof model);
    for (int i = 0; fresh && i < GAMEPAD_CAPACITY; i++) {
        if (gamepads->open[i] == fresh)
            return;
        int rank = !SDL_strcmp(gamepads->models[i], model) ? 0 : !gamepads->models[i][0] ? 1 : 2;
        if (!gamepads->open[i] && rank < best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    if (fresh && best < GAMEPAD_CAPACITY) {
        gamepads->open[best] = fresh;
        SDL_strlcpy(gamepads->models[best], model, sizeof model);
    } else if (fresh)
        SDL_GameControllerClose(fresh);
}

static uint32_t number_of(const struct gamepads *gamepads, SDL_JoystickID id)
{
    SDL_GameController *controller = SDL_GameControllerFromInstanceID(id);
    uint32_t i = 0;
    while (i < GAMEPAD_CAPACITY && (!controller || gamepads->open[i] != controller))
        i++;
    return i;
}

static float axis_position(SDL_GameController *controller, SDL_GameControllerAxis axis)
{
    return (float)SDL_GameControllerGetAxis(controller, axis) / FULL;
}

// Returns a push of the stick as a press of the D-pad, once for each push.
static uint32_t push(struct gamepads *gamepads, uint32_t number)
{
    SDL_GameController *controller = gamepads->open[number];
    float x = axis_position(controller, SDL_CONTROLLER_AXIS_LEFTX),
          y = axis_position(controller, SDL_CONTROLLER_AXIS_LEFTY);
    float most = SDL_fabsf(x) > SDL_fabsf(y) ? SDL_fabsf(x) : SDL_fabsf(y);
    bool before = gamepads->pushed[number];
    gamepads->pushed[number] = most > (before ? DEAD_ZONE : PUSH);
    if (before || !gamepads->pushed[number])
        return 0;
    if (SDL_fabsf(x) > SDL_fabsf(y))
        return 1 + (uint32_t)(x < 0 ? SDL_CONTROLLER_BUTTON_DPAD_LEFT : SDL_CONTROLLER_BUTTON_DPAD_RIGHT);
    return 1 + (uint32_t)(y < 0 ? SDL_CONTROLLER_BUTTON_DPAD_UP : SDL_CONTROLLER_BUTTON_DPAD_DOWN);
}

static uint32_t axis_press(struct gamepads *gamepads, uint32_t number, const SDL_ControllerAxisEvent *axis)
{
    if (axis->axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT || axis->axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT)
        return axis->value <= TRIGGER                          ? 0
               : axis->axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT ? GAMEPAD_BUTTON_LEFT_TRIGGER
                                                               : GAMEPAD_BUTTON_RIGHT_TRIGGER;
    return push(gamepads, number);
}

struct gamepad_press gamepads_event(struct gamepads *gamepads, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERDEVICEADDED)
        plug(gamepads, event->cdevice.which);
    if (event->type == SDL_CONTROLLERDEVICEREMOVED) {
        uint32_t gone = number_of(gamepads, event->cdevice.which);
        if (gone < GAMEPAD_CAPACITY) {
            SDL_GameControllerClose(gamepads->open[gone]);
            gamepads->open[gone] = NULL;
        }
    }
    if (event->type != SDL_CONTROLLERBUTTONDOWN && event->type != SDL_CONTROLLERAXISMOTION)
        return (struct gamepad_press){0};
    bool is_button = event->type == SDL_CONTROLLERBUTTONDOWN;
    struct gamepad_press press = {.gamepad =
                                      number_of(gamepads, is_button ? event->cbutton.which : event->caxis.which)};
    if (press.gamepad < GAMEPAD_CAPACITY)
        press.button = is_button ? 1u + event->cbutton.button : axis_press(gamepads, press.gamepad, &event->caxis);
    return press;
}

uint32_t gamepads_pressed(const struct button_bindings *bindings, uint32_t button)
{
    uint32_t buttons = 0;
    for (int column = 0; button && column < BUTTONS_GAMEPAD; column++)
        for (uint32_t action = 0; action < BUTTONS_CAPACITY; action++)
            if (bindings->gamepad_buttons[column][action] == button)
                buttons |= 1u << action;
    return buttons;
}

static uint32_t stick(SDL_GameController *controller, SDL_GameControllerAxis axis_x, SDL_GameControllerAxis axis_y)
{
    float x = axis_position(controller, axis_x), y = axis_position(controller, axis_y);
    float way = SDL_sqrtf(x * x + y * y);
    uint32_t buttons = 0;
    if (way < DEAD_ZONE)
        return 0;
    buttons |= x < -SECTOR * way ? BUTTON_WAY_LEFT : x > SECTOR * way ? BUTTON_WAY_RIGHT : 0;
    buttons |= y < -SECTOR * way ? BUTTON_WAY_UP : y > SECTOR * way ? BUTTON_WAY_DOWN : 0;
    return buttons;
}

static bool is_held(SDL_GameController *controller, uint32_t button)
{
    if (button == GAMEPAD_BUTTON_LEFT_TRIGGER)
        return SDL_GameControllerGetAxis(controller, SDL_CONTROLLER_AXIS_TRIGGERLEFT) > TRIGGER;
    if (button == GAMEPAD_BUTTON_RIGHT_TRIGGER)
        return SDL_GameControllerGetAxis(controller, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > TRIGGER;
    return SDL_GameControllerGetButton(controller, (SDL_GameControllerButton)(button - 1));
}

uint32_t gamepads_held(const struct gamepads *gamepads, const struct button_bindings *bindings, uint32_t gamepad)
{
    uint32_t buttons = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        if (gamepads->open[i] && (gamepad == i || gamepad == GAMEPAD_ANY))
            buttons |= stick(gamepads->open[i], SDL_CONTROLLER_AXIS_LEFTX, SDL_CONTROLLER_AXIS_LEFTY);
    for (uint32_t button = 1; button <= GAMEPAD_BUTTON_RIGHT_TRIGGER; button++)
        if (gamepads_is_held(gamepads, gamepad, button))
            buttons |= gamepads_pressed(bindings, button);
    return buttons;
}

bool gamepads_is_held(const struct gamepads *gamepads, uint32_t gamepad, uint32_t button)
{
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        if (gamepads->open[i] && (gamepad == i || gamepad == GAMEPAD_ANY) && is_held(gamepads->open[i], button))
            return true;
    return false;
}

uint32_t gamepads_right_stick(const struct gamepads *gamepads, uint32_t gamepad)
{
    uint32_t ways = 0;
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        if (gamepads->open[i] && (gamepad == i || gamepad == GAMEPAD_ANY))
            ways |= stick(gamepads->open[i], SDL_CONTROLLER_AXIS_RIGHTX, SDL_CONTROLLER_AXIS_RIGHTY);
    return ways;
}

enum pad_family gamepads_family(const struct gamepads *gamepads, uint32_t gamepad)
{
    if (!gamepads_has(gamepads, gamepad))
        return PAD_XBOX;
    switch (SDL_GameControllerGetType(gamepads->open[gamepad])) {
    case SDL_CONTROLLER_TYPE_PS3:
    case SDL_CONTROLLER_TYPE_PS4:
    case SDL_CONTROLLER_TYPE_PS5:
        return PAD_PLAYSTATION;
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_PRO:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_LEFT:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_RIGHT:
    case SDL_CONTROLLER_TYPE_NINTENDO_SWITCH_JOYCON_PAIR:
        return PAD_SWITCH;
    default: // SDL's list grows
        return PAD_XBOX;
    }
}

void gamepads_rumble(const struct gamepads *gamepads, uint32_t gamepad, uint16_t low, uint16_t high,
                     uint32_t duration_ms)
{
    for (uint32_t i = 0; i < GAMEPAD_CAPACITY; i++)
        if (gamepads->open[i] && (gamepad == i || gamepad == GAMEPAD_ANY))
            SDL_GameControllerRumble(gamepads->open[i], low, high, duration_ms);
}

bool gamepads_has(const struct gamepads *gamepads, uint32_t gamepad)
{
    return gamepad < GAMEPAD_CAPACITY && gamepads->open[gamepad];
}
