// SPDX-License-Identifier: MIT
#include "window.h"

#include <SDL.h>

#include "keys.h"

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
    // Not before: a renderer may make the window anew, which forgets it.
    SDL_SetWindowMinimumSize(window->window, CANVAS_WIDTH, CANVAS_HEIGHT);
    window->texture = SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING,
                                        CANVAS_WIDTH, CANVAS_HEIGHT);
    return window->texture && !SDL_RenderSetLogicalSize(window->renderer, CANVAS_WIDTH, CANVAS_HEIGHT) &&
           !SDL_RenderSetIntegerScale(window->renderer, SDL_TRUE);
}

bool window_open(struct window *window, uint32_t scale, bool fullscreen, char *sentence, size_t sentence_bytes)
{
    *window = (struct window){0};
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) ||
        !open_all(window, scale ? (int)scale : largest_scale(), fullscreen)) {
        SDL_snprintf(sentence, sentence_bytes,
                     "No window can be opened: %s. Without a display, SDL_VIDEODRIVER=dummy draws to nowhere.",
                     SDL_GetError());
        window_close(window);
        return false;
    }
    SDL_RendererInfo info;
    SDL_DisplayMode mode;
    window->vsync = !SDL_GetRendererInfo(window->renderer, &info) && info.flags & SDL_RENDERER_PRESENTVSYNC;
    bool known = !SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window->window), &mode) && mode.refresh_rate > 0;
    window->refresh_hz = known ? (uint32_t)mode.refresh_rate : 60;
    return true;
}

void window_close(struct window *window)
{
    pads_close(&window->pads);
    SDL_DestroyTexture(window->texture);
    SDL_DestroyRenderer(window->renderer);
    SDL_DestroyWindow(window->window);
    SDL_Quit();
    *window = (struct window){0};
}

static void toggle_fullscreen(struct window *window)
{
    bool full = SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP;
    SDL_SetWindowFullscreen(window->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

static void take_key(struct window *window, const SDL_KeyboardEvent *key, struct window_wishes *wishes)
{
    SDL_Scancode code = key->keysym.scancode;
    if (key->repeat)
        return;
    window->tapped |= keys_pressed(code);
    wishes->quit |= code == SDL_SCANCODE_ESCAPE;
    wishes->toggle_net ^= code == SDL_SCANCODE_F3;
    if (code == SDL_SCANCODE_F11 || (code == SDL_SCANCODE_RETURN && key->keysym.mod & KMOD_ALT))
        toggle_fullscreen(window);
    else
        wishes->again |= code == SDL_SCANCODE_RETURN;
}

void window_look(struct window *window, struct window_wishes *wishes)
{
    SDL_Event event;
    *wishes = (struct window_wishes){0};
    while (SDL_PollEvent(&event)) {
        window->tapped |= pads_event(&window->pads, &event);
        wishes->quit |= event.type == SDL_QUIT;
        if (event.type == SDL_KEYDOWN)
            take_key(window, &event.key, wishes);
    }
    wishes->scoreboard = SDL_GetKeyboardState(NULL)[SDL_SCANCODE_TAB];
}

uint32_t window_buttons(struct window *window)
{
    uint32_t tapped = window->tapped;
    window->tapped = 0;
    return tapped | keys_sample() | pads_sample(&window->pads);
}

void window_rest(void)
{
    SDL_Delay(5);
}

void window_show(struct window *window, const struct canvas *canvas)
{
    SDL_UpdateTexture(window->texture, NULL, canvas->pixels, CANVAS_WIDTH * (int)sizeof *canvas->pixels);
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    SDL_RenderCopy(window->renderer, window->texture, NULL, NULL);
    SDL_RenderPresent(window->renderer);
}
