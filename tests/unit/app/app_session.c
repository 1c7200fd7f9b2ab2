// SPDX-License-Identifier: MIT
#include "app_session.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <SDL.h>

#include "game/map/tiled/map_file.h"
#include "net/enet/enet_transport.h"
#include "test.h"
#include "virtual_udp.h"
#include "window/keyboard.h"

#define START_NS  UINT64_C(1000000000000)
#define STEPS_A_S 240
#define WORDS_MAX 12

struct app_session session;
struct shell *const shell = &session.shell;
static pthread_t main_thread;
static bool runs, silent, started;

static uint64_t now_us(void)
{
    return virtual_udp_now_ns() / 1000;
}

static void push_key(uint32_t key, bool repeats)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.scancode = (SDL_Scancode)key;
    event.key.repeat = repeats;
    SDL_PushEvent(&event);
}

static void step(void)
{
    session.steps++;
    virtual_udp_advance(1000000000 / STEPS_A_S);
    if (!silent) {
        match_receive(session.match, now_us());
        if (session.steps % (STEPS_A_S / TICKS_PER_SECOND) == 0)
            match_tick(session.match, now_us());
    }
    for (size_t i = 0; i < session.press_count; i++)
        if (session.presses[i].step == session.steps)
            push_key(session.presses[i].key, false);
    if (session.each_step)
        session.each_step(session.steps);
}

// Waiting for datagrams, and sleeping: time passes. The thread of the sound sleeps in real time.
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals)
{
    if (!runs || !pthread_equal(pthread_self(), main_thread))
        return (int)syscall(SYS_ppoll, files, count, timeout, signals, sizeof *signals);
    for (int64_t ns = timeout->tv_sec * 1000000000 + timeout->tv_nsec; ns > 0; ns -= 1000000000 / STEPS_A_S)
        step();
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    if (!runs || !pthread_equal(pthread_self(), main_thread))
        return (int)syscall(SYS_nanosleep, duration, rest);
    step();
    return 0;
}

// Sleeping until a moment: the caller looks at its clock again.
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *rest)
{
    if (!runs || !pthread_equal(pthread_self(), main_thread))
        return syscall(SYS_clock_nanosleep, clock, flags, until, rest) == 0 ? 0 : errno;
    step();
    return 0;
}

void app_session_create(void)
{
    main_thread = pthread_self();
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    SDL_setenv("SDL_AUDIODRIVER", "there is none", 1); // silence; SDL's dummy would play in real time
    test_folder_make();
}

static char *no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static void take_command(void *context, uint32_t peer, uint32_t slot, const char *line)
{
    size_t used = strlen(session.commands);
    (void)context;
    (void)peer, (void)slot;
    snprintf(session.commands + used, sizeof session.commands - used, "%s\n", line);
}

static void read_settings(const char *const *words)
{
    static char texts[WORDS_MAX][256];
    char *argv[WORDS_MAX + 1] = {texts[0], texts[1], texts[2]};
    struct options_result result;
    int argc = 3;
    snprintf(texts[0], sizeof *texts, "deadfall");
    snprintf(texts[1], sizeof *texts, "--state-dir");
    snprintf(texts[2], sizeof *texts, "%s", test_folder_path(""));
    for (; *words; words++, argc++) {
        argv[argc] = texts[argc];
        if (!strcmp(*words, "SERVER"))
            snprintf(texts[argc], sizeof *texts, "127.0.0.1:%u", session.port);
        else if (!strncmp(*words, "FOLDER/", strlen("FOLDER/")))
            snprintf(texts[argc], sizeof *texts, "%s", test_folder_path(*words + strlen("FOLDER/")));
        else
            snprintf(texts[argc], sizeof *texts, "%s", *words);
    }
    if (settings_read(&session.settings, argc, argv, no_environment, stderr, &result) != OPTIONS_RUN)
        fail_msg("%s", result.error.text);
}

void app_session_begin(const char *password, const char *const *words)
{
    static struct map map;
    struct net_endpoint endpoint;
    struct error error;
    app_session_end(); // the one before
    virtual_udp_begin(1, &(struct impairment){.delay_us = 5000}, START_NS);
    session.transport = enet_transport_open_server(&(struct net_server_config){.bind_address = "127.0.0.1",
                                                                               .peer_capacity = MATCH_PEER_CAPACITY,
                                                                               .protocol = PROTOCOL_VERSION,
                                                                               .password = password},
                                                   &endpoint, &error);
    assert_non_null(session.transport);
    assert_true(map_file_read(SOURCE_ROOT "/shared/maps/duel.tmj", &map, &error));
    session.match = match_create(&(struct match_config){.map = &map,
                                                        .rules = {.mode = MODE_FFA, .seed = 1, .score_limit = 20},
                                                        .players_max = 8,
                                                        .snapshot_rate = 60,
                                                        .listener = {.command = take_command}},
                                 session.transport);
    assert_non_null(session.match);
    session.port = endpoint.port;
    memcpy(session.fingerprint, endpoint.fingerprint, sizeof session.fingerprint);
    session.commands[0] = 0;
    session.steps = 0;
    session.each_step = NULL;
    session.press_count = 0;
    session.log = (struct log){.out = open_memstream(&session.logged, &session.logged_bytes), .level = LOG_DEBUG};
    read_settings(words);
    session.config = (struct app_config){.settings = &session.settings, .log = &session.log, .now_us = now_us};
    runs = true;
    silent = started = false;
}

void app_session_end(void)
{
    if (!runs)
        return;
    if (started) {
        app_end(shell);
        presenter_close(&shell->context.presenter, NULL);
        window_close(&shell->context.window);
    }
    runs = false;
    match_destroy(session.match);
    transport_close(session.transport);
    virtual_udp_end();
    fclose(session.log.out);
    free(session.logged);
    session.logged = NULL;
}

void app_session_silence_server(bool is_silent)
{
    silent = is_silent;
}

void app_session_start(void)
{
    struct error error;
    memset(shell, 0, sizeof *shell);
    if (app_begin(shell, &session.config, &error) ||
        !window_open(&shell->context.window, preferences_window_setup(&shell->context.profile.preferences, 1), &error))
        fail_msg("%s", error.text);
    started = true;
    session.play = shell->sessions[SHELL_PLAY].state;
    session.spectate = shell->sessions[SHELL_SPECTATE].state;
    session.course = shell->sessions[SHELL_COURSE].state;
    shell_apply_preferences(shell);
    app_open(shell);
    app_session_pass(0.1);
}

void app_session_pass(double seconds)
{
    for (uint64_t end = session.steps + (uint64_t)(seconds * STEPS_A_S); session.steps < end;) {
        step();
        shell_take_events(shell);
        shell_update(shell, NULL);
    }
}

void app_session_begin_match(void)
{
    app_session_begin(NULL, (const char *const[]){"--connect", "SERVER", "--name", "Ada", NULL});
    app_session_start();
    app_session_pass(1);
    assert_true(local_players_is_playing(&session.play->local));
    assert_null(app_session_screen());
}

const struct screen *app_session_screen(void)
{
    return menu_screen(&shell->context.menu);
}

void app_session_press_at(uint64_t step, uint32_t key)
{
    assert_true(session.press_count < sizeof session.presses / sizeof *session.presses);
    session.presses[session.press_count].step = step;
    session.presses[session.press_count++].key = key;
}

void app_session_press(uint32_t key)
{
    push_key(key, false);
    app_session_pass(0.02);
}

void app_session_repeat(uint32_t key)
{
    push_key(key, true);
    app_session_pass(0.02);
}

void app_session_type(const char *text)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    snprintf(event.text.text, sizeof event.text.text, "%s", text);
    SDL_PushEvent(&event);
    app_session_pass(0.02);
}

void app_session_choose(const char *label)
{
    struct menu *menu = &shell->context.menu;
    menu_fill(menu);
    for (uint32_t i = 0; i < menu->count; i++)
        if (!strncmp(menu->items[i].label, label, strlen(label))) {
            menu_point(menu, i, false);
            app_session_press(KEY_RETURN);
            return;
        }
    fail_msg("there is no item %s", label);
}

uint32_t app_session_times_logged(const char *words)
{
    uint32_t times = 0;
    fflush(session.log.out);
    for (const char *at = session.logged; (at = strstr(at, words)); at++)
        times++;
    return times;
}

bool app_session_has_logged(const char *words)
{
    return app_session_times_logged(words) > 0;
}
