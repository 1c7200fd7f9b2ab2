// SPDX-License-Identifier: MIT
#include "screen_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "screen_devices.h"
#include "screen_frame.h"
#include "window/screenshot.h"
#include "window/window.h"

#define PATIENCE_NS   (600 * CLOCK_SECOND_NS) // of a real window: only a diagnosis
#define ROWS_MAX      64                      // of a menu, that "choose" looks at
#define LOG_ROOM      (4 << 20)
#define REAL_PRESS    6 // frames from a press in a real window to the next
#define PICTURE_BYTES (SCREEN_PLAY_PATH_BYTES + 32)

void __real_window_show(struct window *window, const struct canvas *canvas);
void __wrap_window_show(struct window *window, const struct canvas *canvas);

// The window of this process.
static struct {
    const struct screen_play *play;
    uint32_t number;
    FILE *log;
    char logged[LOG_ROOM]; ///< and not yet found
    size_t logged_bytes;
    uint32_t begun;      ///< 1 + the step that is being done
    uint32_t frames;     ///< since it was due
    uint64_t since_ns;   ///< that was
    uint32_t word, done; ///< of its words, and how often the present one was done
    bool is_down;        ///< the key of the present one
    const char *rest;    ///< of what is typed
    uint64_t hash;       ///< of the first frame
    struct rect where;   ///< what is pointed at
} own;

// ---- for all processes -----------------------------------------------------------------------------------------

void screen_play_note(const struct screen_play *play, const char *name, const char *text, size_t bytes)
{
    struct screen_stage *stage = play->stage;
    char braced[SCREEN_PLAY_NOTE_BYTES];
    uint32_t i = 0;
    snprintf(braced, sizeof braced, "{%s}", name);
    while (i < stage->note_count && strcmp(stage->notes[i].name, braced) != 0)
        i++;
    if (i == SCREEN_PLAY_NOTES) {
        screen_play_fail(play, "there are too many notes.");
        return;
    }
    stage->note_count += i == stage->note_count;
    memcpy(stage->notes[i].name, braced, sizeof braced);
    snprintf(stage->notes[i].text, sizeof stage->notes[i].text, "%.*s", (int)bytes, text);
}

void screen_play_expand(const struct screen_play *play, const char *word, char text[SCREEN_PLAY_TEXT_BYTES])
{
    const struct screen_stage *stage = play->stage;
    size_t used = 0;
    text[0] = 0;
    while (*word && used < SCREEN_PLAY_TEXT_BYTES - 1) {
        uint32_t i = 0;
        while (i < stage->note_count && strncmp(word, stage->notes[i].name, strlen(stage->notes[i].name)) != 0)
            i++;
        bool is_name = i < stage->note_count;
        used +=
            (size_t)snprintf(text + used, SCREEN_PLAY_TEXT_BYTES - used, "%.*s",
                             is_name ? (int)strlen(stage->notes[i].text) : 1, is_name ? stage->notes[i].text : word);
        word += is_name ? strlen(stage->notes[i].name) : 1;
    }
}

bool screen_play_may_wait(const struct screen_play *play, const struct screen_step *step, uint32_t frames,
                          uint64_t since_ns)
{
    return play->is_real ? clock_now_ns() - since_ns < PATIENCE_NS : frames < step->frames;
}

static FILE *reports;

void screen_play_report_to(FILE *out)
{
    reports = out;
}

static FILE *report(void)
{
    return reports ? reports : stderr;
}

void screen_play_fail(const struct screen_play *play, const char *fault)
{
    const struct screen_step *step = &play->script->steps[play->stage->at];
    play->stage->failed = true;
    if (play->stage->at < play->script->count)
        fprintf(report(), "%s:%d: %s: %s\n", play->path, step->line, step->source, fault);
    else
        fprintf(report(), "%s: at the end: %s\n", play->path, fault);
}

// ---- steps of a window -----------------------------------------------------------------------------------------

static const struct screen_step *present(void)
{
    return &own.play->script->steps[own.play->stage->at];
}

static void fail(const struct canvas *canvas, const char *fault)
{
    const char *name = own.play->script->windows[own.number];
    char path[PICTURE_BYTES];
    screen_play_fail(own.play, fault);
    snprintf(path, sizeof path, "%s-%d-%s.png", own.play->name, present()->line, name);
    bool kept = screenshot_write(path, canvas->pixels, canvas_columns(canvas), canvas_rows(canvas), 1);
    fprintf(report(), "%s's window (%s) shows:\n", name, kept ? path : "no picture could be written");
    screen_frame_print(report());
    fflush(report());
    exit(EXIT_FAILURE);
}

// Reads what has been logged, and drops all up to the end of a text that it has.
static bool finds_in_log(const char *text)
{
    clearerr(own.log);
    own.logged_bytes += fread(own.logged + own.logged_bytes, 1, LOG_ROOM - 1 - own.logged_bytes, own.log);
    own.logged[own.logged_bytes] = 0;
    if (own.logged_bytes == LOG_ROOM - 1)
        screen_play_fail(own.play, "the log is longer than this test can read; ask for something in it before.");
    char *found = strstr(own.logged, text);
    if (!found)
        return false;
    found += strlen(text);
    own.logged_bytes -= (size_t)(found - own.logged);
    memmove(own.logged, found, own.logged_bytes + 1);
    return true;
}

// Keeps the word that begins with a text: of the frame, else of the log.
static bool note(const char *name, const char *begin)
{
    const char *found = screen_frame_find(begin);
    finds_in_log("\x01"); // reads it, and has nothing that would be dropped
    found = found ? found : strstr(own.logged, begin);
    if (found)
        screen_play_note(own.play, name, found, strcspn(found, " \n"));
    return found;
}

// Presses each key, or button of a pad, of the step as often as it says: down in one frame, up in the next.
static bool press_all(const struct screen_step *step, bool is_of_pad)
{
    if (own.play->is_real && own.frames % REAL_PRESS != 0)
        return false;
    const char *name = step->words[own.word];
    own.is_down = !own.is_down;
    if (is_of_pad)
        screen_devices_pad_button(step->pad, name, own.is_down);
    else
        screen_devices_key(name, own.is_down);
    if (own.is_down)
        return false;
    if (++own.done == step->times[own.word]) {
        own.done = 0;
        own.word++;
    }
    return own.word == step->count;
}

// Moves down until the row has the focus, and accepts it.
static bool choose(const struct canvas *canvas, const char *label)
{
    if (own.play->is_real && own.frames % REAL_PRESS != 0)
        return false;
    if (own.is_down) {
        screen_devices_key(own.rest, own.is_down = false);
        return !strcmp(own.rest, "Enter");
    }
    if (own.done++ > ROWS_MAX)
        fail(canvas, "no row of the menu has this text.");
    own.rest = screen_frame_is_at(label, true) ? "Enter" : "Down";
    screen_devices_key(own.rest, own.is_down = true);
    return false;
}

// Moves the mouse to a text, then presses and lets go; a finger does the same without moving.
static bool point_at(const struct window *window, const struct screen_step *step, const char *text)
{
    if (own.done == 0 && !screen_frame_sees(text, &own.where))
        return false;
    if (step->verb == SCREEN_TAP)
        screen_devices_finger(window, own.where.x, own.where.y, own.done == 0);
    else if (own.done == 0)
        screen_devices_point(window, own.where.x, own.where.y);
    else if (step->verb == SCREEN_CLICK)
        screen_devices_button(window, own.done == 1);
    return ++own.done > (step->verb == SCREEN_CLICK ? 2 : 1);
}

static bool type(const char *text)
{
    own.rest = own.rest ? own.rest : text;
    own.rest = screen_devices_type(own.rest);
    return !*own.rest;
}

static void move_buttons(const struct screen_step *step, bool is_down)
{
    for (uint32_t i = 0; i < step->count; i++)
        screen_devices_pad_button(step->pad, step->words[i], is_down);
}

// Returns whether the text of the step has been still so far; fails if it has not.
static bool is_still(const struct canvas *canvas, const struct screen_step *step)
{
    if (own.hash != screen_frame_hash())
        fail(canvas, "something moved.");
    return own.frames == step->frames;
}

// Does a part of the step, or looks whether what it waits for is there. Returns whether it is done.
static bool do_step(const struct window *window, const struct canvas *canvas, const struct screen_step *step)
{
    char text[SCREEN_PLAY_TEXT_BYTES] = "";
    static char typed[SCREEN_PLAY_TEXT_BYTES]; // as long as it is typed
    if (step->count)
        screen_play_expand(own.play, step->words[0], text);
    if (step->verb == SCREEN_TYPE && !own.rest)
        memcpy(typed, text, sizeof typed);
    switch (step->verb) {
    case SCREEN_PRESS:
        return press_all(step, false);
    case SCREEN_PAD_PRESS:
        return press_all(step, true);
    case SCREEN_HOLD:
    case SCREEN_RELEASE:
        screen_devices_key(step->words[0], step->verb == SCREEN_HOLD);
        return true;
    case SCREEN_TYPE:
        return type(typed);
    case SCREEN_CHOOSE:
        return choose(canvas, text);
    case SCREEN_POINT:
    case SCREEN_CLICK:
    case SCREEN_TAP:
        return point_at(window, step, text);
    case SCREEN_PLUG:
        screen_devices_plug(step->pad, step->count ? step->words[0] : NULL);
        return true;
    case SCREEN_UNPLUG:
        screen_devices_unplug(step->pad);
        return true;
    case SCREEN_PAD_HOLD:
    case SCREEN_PAD_RELEASE:
        move_buttons(step, step->verb == SCREEN_PAD_HOLD);
        return true;
    case SCREEN_PAD_AXIS:
        screen_devices_pad_axis(step->pad, step->words[0], (int32_t)strtol(step->words[1], NULL, 10));
        return true;
    case SCREEN_BLUR:
    case SCREEN_FOCUS:
        screen_devices_focus(step->verb == SCREEN_FOCUS);
        return true;
    case SCREEN_CLOSE:
        screen_devices_close();
        return true;
    case SCREEN_SEE:
        return screen_frame_sees(text, NULL);
    case SCREEN_GONE:
        return !screen_frame_sees(text, NULL);
    case SCREEN_AT:
        return screen_frame_is_at(text, false);
    case SCREEN_LOG:
        return finds_in_log(text);
    case SCREEN_NOTE:
        return note(step->words[0], step->words[1]);
    case SCREEN_UNLOGGED:
        if (finds_in_log(text))
            fail(canvas, "it was logged.");
        return true;
    case SCREEN_FRAMES:
        return own.frames == step->frames;
    case SCREEN_STILL:
        return is_still(canvas, step);
    case SCREEN_MOVES:
        return own.hash != screen_frame_hash();
    case SCREEN_WINDOW:
    case SCREEN_SERVER:
    case SCREEN_LIAR:
    case SCREEN_STOP:
    case SCREEN_ENDS:
    case SCREEN_FILE:
    case SCREEN_KEPT:
        break;
    }
    return false;
}

// Returns whether a step waits, and does nothing itself.
static bool looks(const struct screen_step *step)
{
    return step->verb >= SCREEN_SEE;
}

static void begin_step(void)
{
    own.begun = own.play->stage->at + 1;
    own.frames = own.word = own.done = 0;
    own.is_down = false;
    own.rest = NULL;
    own.since_ns = clock_now_ns();
    own.hash = screen_frame_hash();
}

// Goes on with the script after a frame. What was done shows in the next one.
static void go_on(const struct window *window, const struct canvas *canvas)
{
    const struct screen_play *play = own.play;
    struct screen_stage *stage = play->stage;
    if (stage->failed)
        exit(EXIT_FAILURE);
    while (stage->at < play->script->count) {
        const struct screen_step *step = present();
        if (step->is_of_director || step->window != own.number)
            return;
        if (own.begun != stage->at + 1)
            begin_step();
        bool is_done = do_step(window, canvas, step);
        own.frames++;
        if (!is_done && looks(step) && step->verb != SCREEN_FRAMES && step->verb != SCREEN_STILL &&
            !screen_play_may_wait(play, step, own.frames, own.since_ns))
            fail(canvas, "waited in vain.");
        if (!is_done)
            return;
        stage->at++;
        if (!looks(step))
            return;
    }
}

// A press that ends the program is done.
static void leave(void)
{
    struct screen_stage *stage = own.play->stage;
    if (!stage->failed && own.begun == stage->at + 1 && stage->at < own.play->script->count && !looks(present()))
        stage->at++;
}

void __wrap_window_show(struct window *window, const struct canvas *canvas)
{
    __real_window_show(window, canvas);
    screen_frame_end(canvas);
    if (own.play)
        go_on(window, canvas);
}

void screen_play_enter(const struct screen_play *play, uint32_t window, const char *log_path)
{
    own.play = play;
    own.number = window;
    own.log = fopen(log_path, "re");
    if (!own.log)
        screen_play_fail(play, "the log of the window cannot be read.");
    screen_devices_use(play->is_real, stderr);
    atexit(leave);
}
