// SPDX-License-Identifier: MIT
#include "window.h"

#include <SDL.h>

#include "base/clock.h"
#include "keyboard.h"

#define TITLE "Deadfall"

static int largest_scale(void)
{
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(0, &room))
        return 2;
    int across = room.w * 9 / 10 / CANVAS_WIDTH, down = room.h * 9 / 10 / CANVAS_HEIGHT;
    int scale = across < down ? across : down;
    return scale < 1 ? 1 : scale;
}

static bool open_all(struct window *window, int scale, bool fullscreen)
{
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    flags |= fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0;
    window->window = SDL_CreateWindow(TITLE, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, CANVAS_WIDTH * scale,
                                      CANVAS_HEIGHT * scale, flags);
    if (!window->window)
        return false;
    window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!window->renderer)
        window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_SOFTWARE);
    if (!window->renderer)
        return false;
    // Not earlier: creating a renderer may create the window again, without its minimum size.
    SDL_SetWindowMinimumSize(window->window, CANVAS_WIDTH, CANVAS_HEIGHT);
    window->texture = SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING,
                                        CANVAS_WIDTH * CANVAS_FINE, CANVAS_HEIGHT * CANVAS_FINE);
    return window->texture;
}

bool window_open(struct window *window, uint32_t scale, const struct preferences *preferences, struct error *error)
{
    *window = (struct window){.preferences = preferences};
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) ||
        !open_all(window, scale ? (int)scale : largest_scale(), preferences->fullscreen)) {
        error_set(error, "No window can be opened: %s. Without a display, SDL_VIDEODRIVER=dummy draws to nowhere.",
                  SDL_GetError());
        window_close(window);
        return false;
    }
    SDL_StopTextInput();
    window_apply_preferences(window);
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    window->vsync = !SDL_GetRendererInfo(window->renderer, &info) && info.flags & SDL_RENDERER_PRESENTVSYNC;
    bool known = !SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window->window), &mode) && mode.refresh_rate > 0;
    window->refresh_hz = known ? (uint32_t)mode.refresh_rate : 60;
    return true;
}

void window_close(struct window *window)
{
    SDL_DestroyRenderer(window->renderer);
    SDL_DestroyWindow(window->window);
    SDL_Quit(); // closes the gamepads, too
    *window = (struct window){0};
}

void window_apply_preferences(struct window *window)
{
    const struct preferences *wanted = window->preferences;
    bool full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (full != wanted->fullscreen)
        SDL_SetWindowFullscreen(window->window, wanted->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    window->stretched = wanted->scaling == SCALING_STRETCH;
    SDL_RenderSetIntegerScale(window->renderer, wanted->scaling == SCALING_INTEGER);
    SDL_RenderSetLogicalSize(window->renderer, window->stretched ? 0 : CANVAS_WIDTH,
                             window->stretched ? 0 : CANVAS_HEIGHT);
}

static struct window_event *add_event(struct window *window, enum window_event_kind kind, uint32_t code)
{
    static struct window_event dropped;
    bool room = window->event_count < WINDOW_EVENT_CAPACITY;
    struct window_event *added = room ? &window->events[window->event_count++] : &dropped;
    *added = (struct window_event){.kind = kind, .code = code};
    return added;
}

static void add_key_press(struct window *window, const SDL_KeyboardEvent *key)
{
    uint32_t code = (uint32_t)key->keysym.scancode;
    struct window_event *added = add_event(window, WINDOW_KEY, code);
    added->repeated = key->repeat;
    added->with_alt = key->keysym.mod & KMOD_ALT;
    if (key->repeat)
        return;
    window->tapped[DEVICE_ALL] |= keyboard_pressed(window->preferences, KEYBOARD_FIRST, code);
    window->tapped[DEVICE_KEYS] |= keyboard_pressed(window->preferences, KEYBOARD_FIRST, code);
    window->tapped[DEVICE_KEYS_SECOND] |= keyboard_pressed(window->preferences, KEYBOARD_SECOND, code);
}

static void add_gamepad_press(struct window *window, struct gamepad_press press)
{
    if (!press.button)
        return;
    uint32_t buttons = gamepads_pressed(window->preferences, press.button);
    add_event(window, WINDOW_GAMEPAD, press.button)->gamepad = press.gamepad;
    window->tapped[DEVICE_ALL] |= buttons;
    window->tapped[DEVICE_GAMEPAD + press.gamepad] |= buttons;
}

// With a logical size, SDL already reports canvas pixels.
static void add_mouse_event(struct window *window, enum window_event_kind kind, uint32_t code, int32_t x, int32_t y)
{
    struct window_event *added = add_event(window, kind, code);
    int w = CANVAS_WIDTH, h = CANVAS_HEIGHT;
    if (window->stretched)
        SDL_GetWindowSize(window->window, &w, &h);
    added->x = x * CANVAS_WIDTH / (w ? w : 1);
    added->y = y * CANVAS_HEIGHT / (h ? h : 1);
}

static void note_focus(struct window *window, Uint8 event)
{
    if (event == SDL_WINDOWEVENT_FOCUS_LOST)
        window->unfocused = true;
    if (event == SDL_WINDOWEVENT_FOCUS_GAINED)
        window->unfocused = false;
}

void window_poll(struct window *window)
{
    SDL_Event event;
    window->event_count = 0;
    while (SDL_PollEvent(&event)) {
        add_gamepad_press(window, gamepads_event(&window->gamepads, &event));
        window->quit |= event.type == SDL_QUIT;
        if (event.type == SDL_WINDOWEVENT)
            note_focus(window, event.window.event);
        if (event.type == SDL_KEYDOWN)
            add_key_press(window, &event.key);
        if (event.type == SDL_TEXTINPUT)
            SDL_strlcpy(add_event(window, WINDOW_TEXT, 0)->text, event.text.text, sizeof window->events->text);
        if (event.type == SDL_MOUSEMOTION)
            add_mouse_event(window, WINDOW_POINTER, event.motion.state & SDL_BUTTON_LMASK ? 1 : 0, event.motion.x,
                            event.motion.y);
        if (event.type == SDL_MOUSEBUTTONDOWN)
            add_mouse_event(window, WINDOW_CLICK, event.button.button == SDL_BUTTON_RIGHT ? 2 : 1, event.button.x,
                            event.button.y);
        if (event.type == SDL_MOUSEBUTTONUP && event.button.button == SDL_BUTTON_LEFT)
            add_mouse_event(window, WINDOW_RELEASE, 0, event.button.x, event.button.y);
        if (event.type == SDL_MOUSEWHEEL)
            add_event(window, WINDOW_WHEEL, 0)->x = event.wheel.y;
    }
}

uint32_t window_buttons(struct window *window, uint32_t device, bool shared)
{
    uint32_t buttons = window->tapped[device];
    window->tapped[device] = 0;
    if (device == DEVICE_ALL)
        buttons |= gamepads_held(&window->gamepads, window->preferences, GAMEPAD_ANY);
    if (device >= DEVICE_GAMEPAD)
        return buttons | gamepads_held(&window->gamepads, window->preferences, device - DEVICE_GAMEPAD);
    enum keyboard_set set = device == DEVICE_KEYS_SECOND ? KEYBOARD_SECOND
                            : shared                     ? KEYBOARD_WITHOUT_SECOND
                                                         : KEYBOARD_FIRST;
    return buttons | keyboard_held(window->preferences, set);
}

void window_forget_taps(struct window *window)
{
    SDL_memset(window->tapped, 0, sizeof window->tapped);
}

void window_text_input(bool on)
{
    if (on && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    if (!on && SDL_IsTextInputActive())
        SDL_StopTextInput();
}

void window_pref_path(const char *file, char *path, size_t path_bytes)
{
    char *folder = SDL_GetPrefPath("", "deadfall");
    path[0] = 0;
    if (folder && (size_t)SDL_snprintf(path, path_bytes, "%s%s", folder, file) >= path_bytes)
        path[0] = 0;
    SDL_free(folder);
}

void window_idle(void)
{
    clock_sleep(5 * CLOCK_MS_NS);
}

void window_show(struct window *window, const struct canvas *canvas)
{
    SDL_Rect part = {0, 0, canvas_columns(canvas), canvas_rows(canvas)};
    SDL_UpdateTexture(window->texture, &part, canvas->pixels, part.w * (int)sizeof *canvas->pixels);
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    SDL_RenderCopy(window->renderer, window->texture, &part, NULL);
    SDL_RenderPresent(window->renderer);
}
