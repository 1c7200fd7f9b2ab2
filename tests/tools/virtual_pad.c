// SPDX-License-Identifier: MIT
//
// A gamepad for the unchanged client: loaded before SDL (LD_PRELOAD), it does from inside what a driver does from
// outside. Each time the client asks SDL for an event, lines are taken from the pipe that VIRTUAL_PAD names: "plug",
// "unplug", "down BUTTON", "up BUTTON", "axis AXIS VALUE", with SDL's numbers. From there on all is SDL's own way from
// a joystick through its mapping to events.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <SDL.h>

static struct {
    int pipe, device;
    SDL_Joystick *stick;
    char line[64];
    size_t length;
    bool drained; ///< SDL had no event left
} pad = {.pipe = -1, .device = -1};

static void unplug(void)
{
    if (!pad.stick)
        return;
    SDL_JoystickClose(pad.stick);
    SDL_JoystickDetachVirtual(pad.device);
    pad.stick = NULL;
}

static void plug(void)
{
    unplug();
    pad.device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                           SDL_CONTROLLER_BUTTON_MAX, 0);
    pad.stick = pad.device < 0 ? NULL : SDL_JoystickOpen(pad.device);
    fprintf(stderr, "virtual pad: %s\n", pad.stick ? "plugged in" : SDL_GetError());
}

static void obey(const char *line)
{
    char word[16] = "";
    int number = 0, value = 0;
    int count = sscanf(line, "%15s %d %d", word, &number, &value);
    if (!strcmp(word, "plug"))
        plug();
    else if (!strcmp(word, "unplug"))
        unplug();
    else if (pad.stick && count == 2)
        SDL_JoystickSetVirtualButton(pad.stick, number, !strcmp(word, "down"));
    else if (pad.stick && count == 3)
        SDL_JoystickSetVirtualAxis(pad.stick, number, (Sint16)value);
}

static void listen(void)
{
    const char *path = getenv("VIRTUAL_PAD");
    if (pad.pipe < 0 && path)
        pad.pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    while (pad.pipe >= 0 && read(pad.pipe, &pad.line[pad.length], 1) == 1) {
        if (pad.line[pad.length] != '\n') {
            pad.length += pad.length + 2 < sizeof pad.line;
            continue;
        }
        pad.line[pad.length] = 0;
        pad.length = 0;
        obey(pad.line);
        return;
    }
}

int SDL_PollEvent(SDL_Event *event)
{
    static int (*next)(SDL_Event * event);
    if (!next)
        next = (int (*)(SDL_Event *))dlsym(RTLD_NEXT, "SDL_PollEvent");
    // One line for each time that all has been taken, since SDL looks at pads only then: a press and its end are two.
    if (pad.drained && SDL_WasInit(SDL_INIT_GAMECONTROLLER))
        listen();
    int found = next(event);
    pad.drained = !found;
    return found;
}
