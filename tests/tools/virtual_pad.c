// SPDX-License-Identifier: MIT
//
// Gamepads for the unchanged client: loaded before SDL (LD_PRELOAD), it does from inside what a driver does from
// outside. Each time the client asks SDL for an event, lines are taken from the pipe that VIRTUAL_PAD names: "plug",
// "unplug", "down BUTTON", "up BUTTON", "axis AXIS VALUE", with SDL's numbers. "pad NUMBER" chooses which of four pads
// the next lines are about, and "plug VENDOR PRODUCT" says who made it. What the motors of a pad do goes to stderr.
// From there on all is SDL's own way from a joystick through its mapping to events.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>

#define PADS 4

static struct {
    int pipe, chosen;
    SDL_Joystick *sticks[PADS];
    char line[64];
    size_t length;
    bool drained; ///< SDL had no event left
} pads = {.pipe = -1};

static int SDLCALL feel(void *number, Uint16 low, Uint16 high)
{
    fprintf(stderr, "virtual pad %d: rumble %u %u\n", (int)(intptr_t)number, low, high);
    return 0;
}

static void unplug(void)
{
    SDL_Joystick *stick = pads.sticks[pads.chosen];
    SDL_JoystickID id = stick ? SDL_JoystickInstanceID(stick) : 0;
    if (!stick)
        return;
    SDL_JoystickClose(stick);
    pads.sticks[pads.chosen] = NULL;
    for (int i = 0; i < SDL_NumJoysticks(); i++) // the numbers of devices move up
        if (SDL_JoystickGetDeviceInstanceID(i) == id)
            SDL_JoystickDetachVirtual(i);
}

static void plug(int vendor, int product)
{
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                    .naxes = SDL_CONTROLLER_AXIS_MAX,
                                    .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                    .vendor_id = (Uint16)vendor,
                                    .product_id = (Uint16)product,
                                    .userdata = (void *)(intptr_t)pads.chosen,
                                    .Rumble = feel};
    unplug();
    int device = SDL_JoystickAttachVirtualEx(&desc);
    pads.sticks[pads.chosen] = device < 0 ? NULL : SDL_JoystickOpen(device);
    fprintf(stderr, "virtual pad %d: %s\n", pads.chosen, pads.sticks[pads.chosen] ? "plugged in" : SDL_GetError());
}

static void obey(const char *line)
{
    char word[16] = "";
    int number = 0, value = 0;
    int count = sscanf(line, "%15s %i %i", word, &number, &value);
    SDL_Joystick *stick = pads.sticks[pads.chosen];
    if (!strcmp(word, "plug"))
        plug(number, value);
    else if (!strcmp(word, "unplug"))
        unplug();
    else if (!strcmp(word, "pad") && number >= 0 && number < PADS)
        pads.chosen = number;
    else if (stick && count == 2)
        SDL_JoystickSetVirtualButton(stick, number, !strcmp(word, "down"));
    else if (stick && count == 3)
        SDL_JoystickSetVirtualAxis(stick, number, (Sint16)value);
}

static void listen(void)
{
    const char *path = getenv("VIRTUAL_PAD");
    if (pads.pipe < 0 && path)
        pads.pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    while (pads.pipe >= 0 && read(pads.pipe, &pads.line[pads.length], 1) == 1) {
        if (pads.line[pads.length] != '\n') {
            pads.length += pads.length + 2 < sizeof pads.line;
            continue;
        }
        pads.line[pads.length] = 0;
        pads.length = 0;
        obey(pads.line);
        return;
    }
}

int SDL_PollEvent(SDL_Event *event)
{
    static int (*next)(SDL_Event * event);
    if (!next)
        next = (int (*)(SDL_Event *))dlsym(RTLD_NEXT, "SDL_PollEvent");
    // One line for each time that all has been taken, since SDL looks at pads only then: a press and its end are two.
    if (pads.drained && SDL_WasInit(SDL_INIT_GAMECONTROLLER))
        listen();
    int found = next(event);
    pads.drained = !found;
    return found;
}
