// SPDX-License-Identifier: MIT
#include "screen_devices.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>

#define ALT        "Alt+"
#define LINE_BYTES 256

static struct {
    bool is_real;
    FILE *felt;
    int32_t x, y; // of the mouse, units of the window
    SDL_Joystick *pads[SCREEN_DEVICES_PADS];
} devices;

static bool has_alt(const char *name)
{
    return !strncmp(name, ALT, strlen(ALT));
}

static SDL_Scancode find_key(const char *name)
{
    name += has_alt(name) ? strlen(ALT) : 0;
    return SDL_GetScancodeFromName(strcmp(name, "Enter") ? name : "Return");
}

bool screen_devices_is_key(const char *name)
{
    return find_key(name) != SDL_SCANCODE_UNKNOWN;
}

bool screen_devices_is_pad_button(const char *name)
{
    return SDL_GameControllerGetButtonFromString(name) != SDL_CONTROLLER_BUTTON_INVALID;
}

bool screen_devices_is_pad_axis(const char *name)
{
    return SDL_GameControllerGetAxisFromString(name) != SDL_CONTROLLER_AXIS_INVALID;
}

void screen_devices_use(bool is_real, FILE *felt)
{
    devices.is_real = is_real;
    devices.felt = felt;
}

// ---- the X server ----------------------------------------------------------------------------------------------

static void ask_server(const char *line)
{
    if (system(line) != 0) {
        fprintf(stderr, "%s: failed\n", line);
        abort();
    }
}

// Writes what X11 calls a key.
static void name_for_server(const char *name, char *text, size_t text_bytes)
{
    static const char *const NAMES[][2] = {
        {"Enter", "Return"},
        {"Space", "space"},
        {"Backspace", "BackSpace"},
        {"PageUp", "Prior"},
        {"PageDown", "Next"},
        {"Left Shift", "Shift_L"},
        {"Right Shift", "Shift_R"},
        {"Left Ctrl", "Control_L"},
        {"Right Ctrl", "Control_R"},
        {"/", "slash"},
        {",", "comma"},
        {".", "period"},
    };
    const char *known = name;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        known = strcmp(name, NAMES[i][0]) ? known : NAMES[i][1];
    snprintf(text, text_bytes, "%s", known);
    if (strlen(text) == 1)
        text[0] = (char)tolower((unsigned char)text[0]);
}

// ---- keys ------------------------------------------------------------------------------------------------------

static void push_text(const char *text, size_t bytes)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    snprintf(event.text.text, sizeof event.text.text, "%.*s", (int)bytes, text);
    SDL_PushEvent(&event);
}

// What a program holds is read from SDL's own table, which is written for its keyboard alone.
static void push_key(SDL_Scancode key, bool is_down, bool with_alt)
{
    SDL_Event event = {.type = is_down ? SDL_KEYDOWN : SDL_KEYUP};
    Uint8 *held = (Uint8 *)(uintptr_t)SDL_GetKeyboardState(NULL);
    event.key.state = is_down ? SDL_PRESSED : SDL_RELEASED;
    event.key.keysym.scancode = key;
    event.key.keysym.sym = SDL_GetKeyFromScancode(key);
    event.key.keysym.mod = with_alt ? KMOD_LALT : KMOD_NONE;
    held[key] = is_down;
    SDL_PushEvent(&event);
}

void screen_devices_key(const char *name, bool is_down)
{
    bool with_alt = has_alt(name);
    if (devices.is_real) {
        char key[LINE_BYTES / 4], line[LINE_BYTES];
        name_for_server(name + (with_alt ? strlen(ALT) : 0), key, sizeof key);
        snprintf(line, sizeof line, "xdotool key%s %s%s", is_down ? "down" : "up", with_alt ? "alt+" : "", key);
        ask_server(line);
        return;
    }
    SDL_Scancode key = find_key(name);
    char letter = (char)SDL_GetKeyFromScancode(key);
    push_key(key, is_down, with_alt);
    if (is_down && SDL_IsTextInputActive() && SDL_GetKeyFromScancode(key) < 128 && isprint((unsigned char)letter))
        push_text(&letter, 1);
}

const char *screen_devices_type(const char *text)
{
    size_t bytes = 1;
    while ((text[bytes] & 0xC0) == 0x80)
        bytes++;
    char name[2] = {(char)toupper((unsigned char)text[0]), 0};
    SDL_Scancode key = bytes == 1 ? SDL_GetScancodeFromName(text[0] == ' ' ? "Space" : name) : SDL_SCANCODE_UNKNOWN;
    if (devices.is_real) {
        char line[LINE_BYTES];
        snprintf(line, sizeof line, "xdotool type -- \"$(printf '\\%03o')\"", (unsigned char)text[0]);
        ask_server(line);
        return text + bytes;
    }
    if (key) {
        push_key(key, true, false);
        push_key(key, false, false);
    }
    push_text(text, bytes);
    return text + bytes;
}

void screen_devices_focus(bool has_focus)
{
    if (devices.is_real) {
        ask_server(has_focus
                       ? "xdotool search --name '^Deadfall$' windowfocus"
                       : "xdotool windowfocus $(xdpyinfo | sed -n 's/.*root window id: *\\(0x[0-9a-f]*\\).*/\\1/p')");
        return;
    }
    SDL_Event event = {.type = SDL_WINDOWEVENT};
    event.window.event = has_focus ? SDL_WINDOWEVENT_FOCUS_GAINED : SDL_WINDOWEVENT_FOCUS_LOST;
    SDL_PushEvent(&event);
}

void screen_devices_close(void)
{
    SDL_Event event = {.type = SDL_WINDOWEVENT};
    event.window.event = SDL_WINDOWEVENT_CLOSE;
    if (devices.is_real)
        ask_server("xdotool search --name '^Deadfall$' windowquit");
    else
        SDL_PushEvent(&event);
}

// ---- mouse and fingers -----------------------------------------------------------------------------------------

// Returns a place of the canvas as one of the window, px.
static SDL_Point find_in_window(const struct window *window, int32_t x, int32_t y)
{
    const struct window_place *place = &window->place;
    return (SDL_Point){place->x + (x * place->w + place->w / 2) / canvas_shape_width(window->shape),
                       place->y + (y * place->h + place->h / 2) / canvas_shape_height(window->shape)};
}

void screen_devices_point(const struct window *window, int32_t x, int32_t y)
{
    SDL_Point point = find_in_window(window, x, y);
    devices.x = point.x;
    devices.y = point.y;
    if (devices.is_real) {
        char line[LINE_BYTES];
        snprintf(line, sizeof line, "xdotool mousemove --window $(xdotool search --name '^Deadfall$') %d %d", point.x,
                 point.y);
        ask_server(line);
        return;
    }
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = point.x;
    event.motion.y = point.y;
    SDL_PushEvent(&event);
}

void screen_devices_button(const struct window *window, bool is_down)
{
    (void)window;
    if (devices.is_real) {
        ask_server(is_down ? "xdotool mousedown 1" : "xdotool mouseup 1");
        return;
    }
    SDL_Event event = {.type = is_down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
    event.button.button = SDL_BUTTON_LEFT;
    event.button.x = devices.x;
    event.button.y = devices.y;
    SDL_PushEvent(&event);
}

void screen_devices_finger(const struct window *window, int32_t x, int32_t y, bool is_down)
{
    const struct touch_surface *surface = &window->touch.surface;
    SDL_Point point = find_in_window(window, x, y);
    SDL_Event event = {.type = is_down ? SDL_FINGERDOWN : SDL_FINGERUP};
    event.tfinger.x = ((float)point.x + 0.5f) / (float)surface->w;
    event.tfinger.y = ((float)point.y + 0.5f) / (float)surface->h;
    SDL_PushEvent(&event);
}

// ---- gamepads --------------------------------------------------------------------------------------------------

static int SDLCALL feel(void *number, Uint16 low, Uint16 high)
{
    if (low || high)
        fprintf(devices.felt, "pad %d rumbles\n", (int)(intptr_t)number);
    return 0;
}

void screen_devices_unplug(uint32_t pad)
{
    SDL_Joystick *stick = devices.pads[pad];
    SDL_JoystickID id = stick ? SDL_JoystickInstanceID(stick) : 0;
    if (!stick)
        return;
    SDL_JoystickClose(stick);
    devices.pads[pad] = NULL;
    for (int i = 0; i < SDL_NumJoysticks(); i++) // the numbers of devices move up
        if (SDL_JoystickGetDeviceInstanceID(i) == id)
            SDL_JoystickDetachVirtual(i);
}

void screen_devices_plug(uint32_t pad, const char *family)
{
    static const struct {
        const char *family;
        Uint16 vendor, product;
    } MAKERS[] = {{"Xbox", 0x045E, 0x0B12}, {"PlayStation", 0x054C, 0x0CE6}, {"Switch", 0x057E, 0x2009}};
    SDL_VirtualJoystickDesc desc = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                    .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                    .naxes = SDL_CONTROLLER_AXIS_MAX,
                                    .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                    .userdata = (void *)(intptr_t)(pad + 1),
                                    .Rumble = feel};
    for (size_t i = 0; family && i < sizeof MAKERS / sizeof *MAKERS; i++)
        if (!strcmp(MAKERS[i].family, family)) {
            desc.vendor_id = MAKERS[i].vendor;
            desc.product_id = MAKERS[i].product;
        }
    screen_devices_unplug(pad);
    int device = SDL_JoystickAttachVirtualEx(&desc);
    devices.pads[pad] = device < 0 ? NULL : SDL_JoystickOpen(device);
}

void screen_devices_pad_button(uint32_t pad, const char *name, bool is_down)
{
    if (devices.pads[pad])
        SDL_JoystickSetVirtualButton(devices.pads[pad], SDL_GameControllerGetButtonFromString(name), is_down);
}

void screen_devices_pad_axis(uint32_t pad, const char *name, int32_t value)
{
    if (devices.pads[pad])
        SDL_JoystickSetVirtualAxis(devices.pads[pad], SDL_GameControllerGetAxisFromString(name), (Sint16)value);
}
