// SPDX-License-Identifier: MIT
#include "pads.h"

#include <SDL.h>
#include <stdbool.h>

#include "game/input.h"

#define DEAD_ZONE 0.25f ///< of the stick's way
#define SECTOR    0.38f ///< of the stick's way on the other axis from which a direction becomes a diagonal: 22.5 degrees
#define TRIGGER   8000  ///< of 32767

static const struct {
    SDL_GameControllerButton pad;
    uint32_t button;
} PAD_BUTTONS[] = {
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, BUTTON_LEFT},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, BUTTON_RIGHT},
    {SDL_CONTROLLER_BUTTON_DPAD_UP, BUTTON_UP},
    {SDL_CONTROLLER_BUTTON_DPAD_DOWN, BUTTON_DOWN},
    {SDL_CONTROLLER_BUTTON_A, BUTTON_JUMP},
    {SDL_CONTROLLER_BUTTON_X, BUTTON_SHOOT},
    {SDL_CONTROLLER_BUTTON_B, BUTTON_DASH},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, BUTTON_DASH},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, BUTTON_DASH},
};

static void plug(struct pads *pads, int device)
{
    for (int i = 0; i < PAD_CAPACITY; i++)
        if (!pads->open[i]) {
            pads->open[i] = SDL_GameControllerOpen(device);
            return;
        }
}

static uint32_t pressed(Uint8 pad)
{
    uint32_t buttons = 0;
    for (size_t i = 0; i < sizeof PAD_BUTTONS / sizeof *PAD_BUTTONS; i++)
        if (PAD_BUTTONS[i].pad == (SDL_GameControllerButton)pad)
            buttons |= PAD_BUTTONS[i].button;
    return buttons;
}

uint32_t pads_event(struct pads *pads, const SDL_Event *event)
{
    if (event->type == SDL_CONTROLLERDEVICEADDED)
        plug(pads, event->cdevice.which);
    if (event->type == SDL_CONTROLLERBUTTONDOWN)
        return pressed(event->cbutton.button);
    if (event->type != SDL_CONTROLLERDEVICEREMOVED)
        return 0;
    SDL_GameController *gone = SDL_GameControllerFromInstanceID(event->cdevice.which);
    for (int i = 0; gone && i < PAD_CAPACITY; i++)
        if (pads->open[i] == gone) {
            SDL_GameControllerClose(gone);
            pads->open[i] = NULL;
        }
    return 0;
}

static uint32_t stick(SDL_GameController *pad)
{
    float x = (float)SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTX) / 32767;
    float y = (float)SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTY) / 32767;
    float way = SDL_sqrtf(x * x + y * y);
    uint32_t buttons = 0;
    if (way < DEAD_ZONE)
        return 0;
    buttons |= x < -SECTOR * way ? BUTTON_LEFT : x > SECTOR * way ? BUTTON_RIGHT : 0;
    buttons |= y < -SECTOR * way ? BUTTON_UP : y > SECTOR * way ? BUTTON_DOWN : 0;
    return buttons;
}

static uint32_t sample(SDL_GameController *pad)
{
    uint32_t buttons = stick(pad);
    for (size_t i = 0; i < sizeof PAD_BUTTONS / sizeof *PAD_BUTTONS; i++)
        if (SDL_GameControllerGetButton(pad, PAD_BUTTONS[i].pad))
            buttons |= PAD_BUTTONS[i].button;
    if (SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > TRIGGER)
        buttons |= BUTTON_SHOOT;
    if (SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT) > TRIGGER)
        buttons |= BUTTON_DASH;
    return buttons;
}

uint32_t pads_sample(const struct pads *pads)
{
    uint32_t buttons = 0;
    for (int i = 0; i < PAD_CAPACITY; i++)
        if (pads->open[i])
            buttons |= sample(pads->open[i]);
    return buttons;
}

void pads_close(struct pads *pads)
{
    for (int i = 0; i < PAD_CAPACITY; i++)
        if (pads->open[i])
            SDL_GameControllerClose(pads->open[i]);
    *pads = (struct pads){0};
}
