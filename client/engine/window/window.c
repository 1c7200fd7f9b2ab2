// SPDX-License-Identifier: MIT
#include "window.h"

#include <SDL.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "keyboard.h"
#include "page.h"

#define THUMB_UNITS_MAX 76 ///< width of a button, units of the window

// Returns the width of a first window: most of the screen, and whole pixels where they lose at most a third of it.
static int first_width(void)
{
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(0, &room))
        return 2 * CANVAS_WIDTH;
    int across = room.w * 9 / 10, down = room.h * 9 / 10 * CANVAS_WIDTH / CANVAS_HEIGHT;
    int width = across < down ? across : down, whole = width / CANVAS_WIDTH * CANVAS_WIDTH;
    return width < CANVAS_WIDTH ? CANVAS_WIDTH : whole >= width * 2 / 3 ? whole : width;
}

static bool is_x11(void)
{
    return !SDL_strcmp(SDL_GetCurrentVideoDriver(), "x11");
}

// Under X11 a window fills the screen once it is there: see take_screen().
static bool open_all(struct window *window, const struct window_setup *setup)
{
    int width = setup->scale ? CANVAS_WIDTH * (int)setup->scale : first_width();
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    flags |= setup->settings->fullscreen && !is_x11() ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0;
    window->window = SDL_CreateWindow(setup->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                      width * CANVAS_HEIGHT / CANVAS_WIDTH, flags);
    if (!window->window)
        return false;
    window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!window->renderer)
        window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_SOFTWARE);
    if (!window->renderer)
        return false;
    // Not earlier: creating a renderer may create the window again, without its minimum size.
    if (!page_is_here()) // a phone is smaller
        SDL_SetWindowMinimumSize(window->window, CANVAS_WIDTH, CANVAS_HEIGHT);
    window->texture = SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING,
                                        CANVAS_WIDTH * CANVAS_FINE, CANVAS_WIDTH * CANVAS_FINE); // for every shape
    return window->texture;
}

struct window_place window_place(int32_t window_w, int32_t window_h, int32_t canvas_w, int32_t canvas_h,
                                 uint32_t scaling)
{
    bool wide = (int64_t)window_w * canvas_h > (int64_t)window_h * canvas_w;
    int32_t whole = wide ? window_h / canvas_h : window_w / canvas_w;
    struct window_place place = {.scale = (uint32_t)(whole < 1 ? 1 : whole)};
    int32_t w = (int32_t)place.scale * canvas_w, h = (int32_t)place.scale * canvas_h;
    bool uses = (int64_t)w * h * 10 >= (int64_t)window_w * window_h * 9;
    if (whole > 0 && (scaling == SCALING_INTEGER || (scaling == SCALING_AUTO && uses))) {
        place.w = w;
        place.h = h;
    } else {
        bool keeps = scaling != SCALING_STRETCH;
        place.w = keeps && wide ? (int32_t)((int64_t)window_h * canvas_w / canvas_h) : window_w;
        place.h = keeps && !wide ? (int32_t)((int64_t)window_w * canvas_h / canvas_w) : window_h;
        place.filtered = place.w != w || place.h != h;
    }
    place.x = (window_w - place.w) / 2;
    place.y = (window_h - place.h) / 2;
    return place;
}

// Above the controls the picture stands at the top. It keeps away from what is covered, but for a bar at the bottom.
static void place_picture(struct window *window)
{
    int w = CANVAS_WIDTH, h = CANVAS_HEIGHT;
    SDL_GetRendererOutputSize(window->renderer, &w, &h);
    struct page_insets covered = page_find_insets();
    int units = w, unused;
    SDL_GetWindowSize(window->window, &units, &unused);
    units = units > 0 ? units : 1;
    covered = (struct page_insets){covered.left * w / units, covered.top * w / units, covered.right * w / units,
                                   covered.bottom * w / units};
    window->place = window_place(w - covered.left - covered.right, h - covered.top, window->columns, window->rows,
                                 window->settings->scaling);
    window->place.x += covered.left;
    window->place.y = covered.top + (window->shape == CANVAS_SQUARE ? 0 : window->place.y);
    // A thumb needs as much on every screen, if the screen has it.
    int thumb = (w < h ? w : h) * 2 / 13, most = THUMB_UNITS_MAX * w / units;
    touch_controls_lay_out(&window->touch, &(struct touch_surface){.w = w,
                                                                   .h = h,
                                                                   .left = covered.left,
                                                                   .top = covered.top,
                                                                   .right = covered.right,
                                                                   .bottom = covered.bottom,
                                                                   .thumb = thumb < most ? thumb : most,
                                                                   .picture_x = window->place.x,
                                                                   .picture_y = window->place.y,
                                                                   .picture_w = window->place.w,
                                                                   .picture_h = window->place.h});
}

// Draws the canvas, `part` of its texture, times a whole number; without that, pixels have edges of different
// sharpness. Returns false if it cannot.
static bool enlarge(struct window *window, const SDL_Rect *part)
{
    int scale = (int)window->place.scale, w = part->w * scale, h = part->h * scale;
    if (window->enlarged_w != w || window->enlarged_h != h) {
        SDL_DestroyTexture(window->enlarged);
        window->enlarged =
            SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET, w, h);
        window->enlarged_w = w;
        window->enlarged_h = h;
        if (window->enlarged)
            SDL_SetTextureScaleMode(window->enlarged, SDL_ScaleModeLinear);
    }
    return window->enlarged && !SDL_SetRenderTarget(window->renderer, window->enlarged) &&
           !SDL_RenderCopy(window->renderer, window->texture, part, NULL) &&
           !SDL_SetRenderTarget(window->renderer, NULL);
}

static void read_display(struct window *window)
{
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    bool asked = !SDL_GetRendererInfo(window->renderer, &info);
    window->vsync = asked && info.flags & SDL_RENDERER_PRESENTVSYNC;
    window->has_card = asked && info.flags & SDL_RENDERER_ACCELERATED;
    bool known = !SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window->window), &mode) && mode.refresh_rate > 0;
    window->refresh_hz = known ? (uint32_t)mode.refresh_rate : 60;
}

bool window_open(struct window *window, struct window_setup setup, struct error *error)
{
    *window = (struct window){.settings = setup.settings,
                              .bindings = setup.bindings,
                              .touch.places = setup.touch,
                              .columns = CANVAS_WIDTH,
                              .rows = CANVAS_HEIGHT};
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");        // touch_controls.h knows what a finger means
    SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"); // a match with guests is asked about first
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) || !open_all(window, &setup)) {
        error_set(error, "No window can be opened: %s. Without a display, SDL_VIDEODRIVER=dummy draws to nowhere.",
                  SDL_GetError());
        window_close(window);
        return false;
    }
    SDL_StopTextInput();
    read_display(window);
    window->has_vsync = window->vsync;
    window_apply_settings(window);
    return true;
}

void window_close(struct window *window)
{
    SDL_DestroyRenderer(window->renderer);
    SDL_DestroyWindow(window->window);
    SDL_Quit(); // closes the gamepads, too
    *window = (struct window){0};
}

// Returns whether the window went to another screen.
static bool move_to_screen(struct window *window)
{
    int screen = (int)window->settings->screen - 1;
    if (screen < 0 || screen >= SDL_GetNumVideoDisplays() || screen == SDL_GetWindowDisplayIndex(window->window))
        return false;
    SDL_SetWindowFullscreen(window->window, 0);
    SDL_SetWindowPosition(window->window, (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)screen),
                          (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)screen));
    return true;
}

// Without a window manager nobody gives an X window the whole screen, although SDL then believes that it has it. So a
// window without a frame, which may have none to ask, takes the place of the screen itself, and its own afterwards.
static void take_screen(struct window *window)
{
    int top = 0, left = 0, bottom = 0, right = 0;
    SDL_Rect screen;
    struct rect *own = &window->own_place;
    SDL_GetWindowBordersSize(window->window, &top, &left, &bottom, &right);
    if (!is_x11() || top || left || bottom || right ||
        SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window->window), &screen))
        return;
    SDL_GetWindowPosition(window->window, &own->x, &own->y);
    SDL_GetWindowSize(window->window, &own->w, &own->h);
    SDL_SetWindowPosition(window->window, screen.x, screen.y);
    SDL_SetWindowSize(window->window, screen.w, screen.h);
}

static void set_fullscreen(struct window *window, bool full)
{
    const struct rect *own = &window->own_place;
    if (full)
        take_screen(window);
    SDL_SetWindowFullscreen(window->window, full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    if (full || !own->w)
        return;
    SDL_SetWindowSize(window->window, own->w, own->h);
    SDL_SetWindowPosition(window->window, own->x, own->y);
    window->own_place = (struct rect){0};
}

void window_apply_settings(struct window *window)
{
    const struct window_settings *wanted = window->settings;
    bool changed = move_to_screen(window);
    bool full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    if (full != wanted->fullscreen)
        set_fullscreen(window, wanted->fullscreen);
    if (window->has_vsync && window->vsync != wanted->vsync) {
        SDL_RenderSetVSync(window->renderer, wanted->vsync);
        changed = true;
    }
    if (changed)
        read_display(window);
    place_picture(window);
}

uint32_t window_displays(char names[][WINDOW_DISPLAY_BYTES], uint32_t capacity)
{
    uint32_t count = 0;
    for (int i = 0; count < capacity && i < SDL_GetNumVideoDisplays(); i++) {
        const char *name = SDL_GetDisplayName(i);
        SDL_Rect bounds = {0};
        SDL_GetDisplayBounds(i, &bounds);
        char known[WINDOW_DISPLAY_BYTES - 16];
        utf8_copy(known, sizeof known, name ? name : "");
        SDL_snprintf(names[count++], WINDOW_DISPLAY_BYTES, "%s%s%d x %d", known, *known ? ", " : "", bounds.w,
                     bounds.h);
    }
    return count;
}

void window_raise(struct window *window)
{
    SDL_RestoreWindow(window->window);
    SDL_RaiseWindow(window->window);
}

void window_show_pointer(struct window *window, bool shown)
{
    if (window->hides_pointer == !shown)
        return;
    window->hides_pointer = !shown;
    SDL_ShowCursor(shown ? SDL_ENABLE : SDL_DISABLE);
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
    window->tapped[DEVICE_ALL] |= keyboard_pressed(window->bindings, KEYBOARD_FIRST, code);
    window->tapped[DEVICE_KEYS] |= keyboard_pressed(window->bindings, KEYBOARD_FIRST, code);
    window->tapped[DEVICE_KEYS_SECOND] |= keyboard_pressed(window->bindings, KEYBOARD_SECOND, code);
}

static void add_gamepad_press(struct window *window, struct gamepad_press press)
{
    if (!press.button)
        return;
    uint32_t buttons = gamepads_pressed(window->bindings, press.button);
    add_event(window, WINDOW_GAMEPAD, press.button)->gamepad = press.gamepad;
    window->tapped[DEVICE_ALL] |= buttons;
    window->tapped[DEVICE_GAMEPAD + press.gamepad] |= buttons;
}

// Returns a place in the window, px of the display, as one on the canvas.
static void find_on_canvas(const struct window *window, int32_t x, int32_t y, struct window_event *event)
{
    const struct window_place *place = &window->place;
    event->x = (x - place->x) * canvas_shape_width(window->shape) / (place->w ? place->w : 1);
    event->y = (y - place->y) * canvas_shape_height(window->shape) / (place->h ? place->h : 1);
}

static void add_mouse_event(struct window *window, enum window_event_kind kind, uint32_t code, int32_t x, int32_t y)
{
    struct window_event *added = add_event(window, kind, code);
    int w = 1, h = 1, across = 1, down = 1; // a window of a dense display has fewer units than pixels
    SDL_GetWindowSize(window->window, &w, &h);
    SDL_GetRendererOutputSize(window->renderer, &across, &down);
    find_on_canvas(window, x * across / (w ? w : 1), y * down / (h ? h : 1), added);
}

// A control that a finger has begun to hold is an event, and so is one that it has tapped; buttons of the game also
// count if they are let go within the same tick.
static void note_touch(struct window *window, const struct touch_change *change)
{
    window->tapped[DEVICE_ALL] |= change->pressed;
    window->tapped[DEVICE_KEYS] |= change->pressed;
    if (!change->pressed && !change->began && !change->tapped)
        return;
    struct window_event *added = add_event(window, WINDOW_TOUCH, change->control);
    added->buttons = change->pressed;
    added->tapped = change->tapped;
}

static void take_finger(struct window *window, const SDL_TouchFingerEvent *event)
{
    const struct touch_surface *surface = &window->touch.surface;
    struct touch_controls *touch = &window->touch;
    int32_t x = (int32_t)(event->x * (float)surface->w), y = (int32_t)(event->y * (float)surface->h);
    struct touch_finger before = {0};
    for (uint32_t i = 0; i < TOUCH_FINGERS; i++)
        if (touch->fingers[i].is_down && touch->fingers[i].number == event->fingerId)
            before = touch->fingers[i];
    struct touch_change change = event->type == SDL_FINGERDOWN     ? touch_controls_down(touch, event->fingerId, x, y)
                                 : event->type == SDL_FINGERMOTION ? touch_controls_move(touch, event->fingerId, x, y)
                                                                   : touch_controls_up(touch, event->fingerId);
    if (change.control != TOUCH_NOTHING)
        note_touch(window, &change);
    else if (change.tapped)
        find_on_canvas(window, before.x, before.y, add_event(window, WINDOW_TAP, 0));
    else if (change.dragged && event->type == SDL_FINGERUP)
        find_on_canvas(window, before.x, before.y, add_event(window, WINDOW_RELEASE, 0));
    else if (change.dragged) {
        struct window_event *added = add_event(window, WINDOW_DRAG, !before.has_dragged);
        find_on_canvas(window, x, y, added);
        added->down = change.down * canvas_shape_height(window->shape) / (window->place.h ? window->place.h : 1);
    }
}

static void note_change(struct window *window, Uint8 event)
{
    window->closed |= event == SDL_WINDOWEVENT_CLOSE;
    if (event == SDL_WINDOWEVENT_FOCUS_LOST || event == SDL_WINDOWEVENT_HIDDEN) {
        window->unfocused = true;
        touch_controls_clear(&window->touch);
    }
    if (event == SDL_WINDOWEVENT_FOCUS_GAINED || event == SDL_WINDOWEVENT_SHOWN)
        window->unfocused = false;
}

void window_poll(struct window *window)
{
    SDL_Event event;
    window->event_count = 0;
    struct page_press press; // what a phone's keyboard types
    while (page_next_press(&press))
        if (press.key)
            add_event(window, WINDOW_KEY, press.key);
        else
            SDL_strlcpy(add_event(window, WINDOW_TEXT, 0)->text, press.text, sizeof window->events->text);
    while (SDL_PollEvent(&event)) {
        add_gamepad_press(window, gamepads_event(&window->gamepads, &event));
        window->quit |= event.type == SDL_QUIT;
        if (event.type == SDL_WINDOWEVENT)
            note_change(window, event.window.event);
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
        if (event.type == SDL_FINGERDOWN || event.type == SDL_FINGERMOTION || event.type == SDL_FINGERUP)
            take_finger(window, &event.tfinger);
    }
}

uint32_t window_buttons(struct window *window, uint32_t device, bool shared)
{
    uint32_t buttons = window->tapped[device];
    window->tapped[device] = 0;
    if (device == DEVICE_ALL)
        buttons |= gamepads_held(&window->gamepads, window->bindings, GAMEPAD_ANY);
    if (device == DEVICE_ALL || device == DEVICE_KEYS)
        buttons |= touch_controls_held(&window->touch);
    if (device >= DEVICE_GAMEPAD)
        return buttons | gamepads_held(&window->gamepads, window->bindings, device - DEVICE_GAMEPAD);
    enum keyboard_set set = device == DEVICE_KEYS_SECOND ? KEYBOARD_SECOND
                            : shared                     ? KEYBOARD_WITHOUT_SECOND
                                                         : KEYBOARD_FIRST;
    return buttons | keyboard_held(window->bindings, set);
}

void window_forget_taps(struct window *window)
{
    SDL_memset(window->tapped, 0, sizeof window->tapped);
}

bool window_is_upright(const struct window *window)
{
    int w = 1, h = 1;
    SDL_GetRendererOutputSize(window->renderer, &w, &h);
    return h > w + w / 5;
}

void window_use_touch(struct window *window, uint32_t use)
{
    page_keep_awake(use != TOUCH_USE_POINTER);
    touch_controls_use(&window->touch, use);
}

void window_push_finger(struct window *window, uint32_t finger, bool is_down, int32_t x, int32_t y)
{
    uint32_t bit = 1u << finger;
    bool was_down = window->pushed_fingers & bit;
    window->pushed_fingers = is_down ? window->pushed_fingers | bit : window->pushed_fingers & ~bit;
    if (!is_down && !was_down)
        return;
    SDL_Event event = {.type = !is_down ? SDL_FINGERUP : was_down ? SDL_FINGERMOTION : SDL_FINGERDOWN};
    event.tfinger.fingerId = finger;
    event.tfinger.x = (float)x / 1000;
    event.tfinger.y = (float)y / 1000;
    SDL_PushEvent(&event);
}

void window_text_input(bool on)
{
    if (on && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    if (!on && SDL_IsTextInputActive())
        SDL_StopTextInput();
    page_use_keyboard(on);
}

void window_pref_path(const char *program, const char *file, char *path, size_t path_bytes)
{
    char *folder = SDL_GetPrefPath("", program);
    path[0] = 0;
    if (folder && (size_t)SDL_snprintf(path, path_bytes, "%s%s", folder, file) >= path_bytes)
        path[0] = 0;
    SDL_free(folder);
}

bool window_copy(const char *text)
{
    return page_copy(text) || SDL_SetClipboardText(text) == 0;
}

void window_idle(void)
{
    clock_sleep(5 * CLOCK_MS_NS);
}

void window_show(struct window *window, const struct canvas *canvas)
{
    SDL_Rect part = {0, 0, canvas_columns(canvas), canvas_rows(canvas)};
    SDL_UpdateTexture(window->texture, &part, canvas->pixels, part.w * (int)sizeof *canvas->pixels);
    window->columns = part.w;
    window->rows = part.h;
    window->shape = canvas->shape;
    place_picture(window);
    bool sharp = window->place.filtered && window->has_card && enlarge(window, &part);
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    SDL_Rect at = {window->place.x, window->place.y, window->place.w, window->place.h};
    SDL_RenderCopy(window->renderer, sharp ? window->enlarged : window->texture, sharp ? NULL : &part, &at);
    touch_picture_draw(&window->touch_picture, window->renderer, &window->touch);
    SDL_RenderPresent(window->renderer);
}
