// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "core/client.h"
#include "host.h"
#include "pace.h"
#include "png.h"
#include "stage.h"
#include "window.h"

#define SECOND_US     1000000u
#define TICKS_AT_ONCE 8       ///< before the window is looked at again
#define HOST_PLACES   16      ///< of a server of our own, at least
#define LEAVE_US      200000u ///< for the farewell to leave
#define WAITING_HZ    15      ///< frames a second without a match

/// All that lives while the program runs. Large, so it is on the heap, once.
struct app {
    const struct app_config *config;
    struct address address;
    struct host host;
    struct window window;
    struct window_wishes wishes;
    struct transport *transport; ///< of the client
    struct client *client;       ///< null: could not even begin; `sentence` says why
    char sentence[NET_SENTENCE_BYTES];
    bool has_joined;     ///< `joined` is known
    tick joined;         ///< of the match, when its player joined
    tick moment;         ///< ticks after that of the last input
    const char *picture; ///< to be saved after the next frame; null: none
    uint64_t next_frame_us;
    bool shows_net;
    uint64_t net_since_us, net_in, net_out; ///< where the present second of the net graph began
    struct hud_net net;
    struct pace pace;
    struct canvas canvas;
    struct view view;
    struct stage stage;
};

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

static void fail(struct app *app, const char *sentence)
{
    log_write(app->config->log, LOG_ERROR, "%s", sentence);
    snprintf(app->sentence, sizeof app->sentence, "%s", sentence);
}

static bool start_host(struct app *app, char *sentence, size_t sentence_bytes)
{
    const struct settings *settings = settings_of(app);
    char bots[24], places[24];
    const char *arguments[12] = {"--map",         settings->map, "--bots",      bots,
                                 "--max-players", places,        "--log-level", "warning"};
    snprintf(bots, sizeof bots, "%" PRId64, settings->bots);
    snprintf(places, sizeof places, "%" PRId64, settings->bots > HOST_PLACES ? settings->bots : HOST_PLACES);
    if (settings->seed[0]) {
        arguments[8] = "--seed";
        arguments[9] = settings->seed;
    }
    if (!host_start(&app->host, arguments, sentence, sentence_bytes))
        return false;
    snprintf(app->address.host, sizeof app->address.host, "127.0.0.1");
    app->address.port = app->host.port;
    memcpy(app->address.fingerprint, app->host.fingerprint, sizeof app->address.fingerprint);
    return true;
}

static uint32_t wished_colour(const struct settings *settings)
{
    uint32_t sum = 0;
    for (const char *c = settings->name; *c; c++)
        sum = sum * 31 + (uint8_t)*c;
    return settings->colour >= 0 ? (uint32_t)settings->colour : sum % PALETTE_PLAYERS;
}

static void connect_client(struct app *app)
{
    const struct settings *settings = settings_of(app);
    struct client_config config = {.colour = wished_colour(settings)};
    struct net_error error = {0};
    client_destroy(app->client);
    app->client = 0;
    app->has_joined = false;
    app->net_in = app->net_out = 0;
    stage_begin(&app->stage);
    memcpy(config.name, settings->name, strnlen(settings->name, PLAYER_NAME_BYTES));
    app->view.kind = (enum view_kind)settings->view;
    app->transport = enet_client_open(
        &(struct net_client_config){.host = app->address.host,
                                    .port = app->address.port,
                                    .protocol = PROTOCOL_VERSION,
                                    .fingerprint = app->address.fingerprint,
                                    .key_path = settings->key_path[0] ? settings->key_path : NULL,
                                    .known_servers_path = settings->known_servers[0] ? settings->known_servers : NULL,
                                    .impairment = settings->impairment,
                                    .impairment_seed = app->config->now_us()},
        &error);
    if (!app->transport) {
        fail(app, error.text);
        return;
    }
    app->client = client_create(app->transport, &config);
    if (!app->client) {
        transport_close(app->transport);
        fail(app, "There is no memory for the match.");
    }
}

// A server of our own begins anew, since it may be what ended.
static void try_again(struct app *app)
{
    char sentence[sizeof app->sentence];
    bool hosts = !settings_of(app)->connect[0];
    host_stop(&app->host);
    if (hosts && !start_host(app, sentence, sizeof sentence))
        fail(app, sentence);
    else
        connect_client(app);
}

static bool is_playing(const struct app *app)
{
    return app->client && client_state(app->client) == CLIENT_PLAYING;
}

static bool has_ended(const struct app *app)
{
    return !app->client || client_state(app->client) == CLIENT_ENDED;
}

static uint32_t buttons_of_script(struct app *app)
{
    const struct input_script *script = app->config->script;
    tick before = app->moment;
    if (!app->has_joined) {
        app->joined = input_script_origin(client_world(app->client), client_slot(app->client));
        app->has_joined = true;
        before = 0;
    }
    app->moment = client_world(app->client)->tick + 1 - app->joined;
    const char *picture = input_script_screenshot(script, before, app->moment);
    app->picture = picture ? picture : app->picture;
    return input_script_buttons(script, app->moment);
}

static struct player_input sample(struct app *app)
{
    uint32_t buttons = app->config->script ? buttons_of_script(app) : window_buttons(&app->window);
    return (struct player_input){buttons};
}

static void run_ticks(struct app *app)
{
    enum client_state before = client_state(app->client);
    client_receive(app->client, app->config->now_us());
    for (int i = 0; i < TICKS_AT_ONCE && client_tick_due(app->client, app->config->now_us()); i++)
        client_tick(app->client, sample(app), app->config->now_us());
    if (client_state(app->client) != before && is_playing(app))
        log_write(app->config->log, LOG_INFO, "joined as player %u of map %.*s", client_slot(app->client),
                  MAP_NAME_CAPACITY, client_map(app->client)->name);
    if (client_state(app->client) != before && has_ended(app))
        fail(app, client_sentence(app->client));
}

static void log_event(const struct app *app, const struct event *event)
{
    bool death = event->kind == EVENT_KILL;
    log_write(app->config->log, LOG_DEBUG, "event %s%s%s subject=%u%s other=%u detail=%u x=%d y=%d tick=%u",
              event_kind_name((enum event_kind)event->kind), death ? " by " : "",
              death ? death_cause_name((enum death_cause)event->detail) : "", event->subject,
              event->subject == app->view.slot ? " (you)" : "", event->other, event->detail, event->x, event->y,
              event->tick);
}

static void update_net(struct app *app, uint64_t now_us)
{
    client_statistics(app->client, &app->net.statistics);
    if (now_us - app->net_since_us < SECOND_US)
        return;
    app->net.bytes_in_s = (uint32_t)(app->net.statistics.bytes_in - app->net_in);
    app->net.bytes_out_s = (uint32_t)(app->net.statistics.bytes_out - app->net_out);
    app->net_in = app->net.statistics.bytes_in;
    app->net_out = app->net.statistics.bytes_out;
    app->net_since_us = now_us;
}

static void draw_match(struct app *app, uint64_t now_us)
{
    struct draw_options options = {.scoreboard = app->wishes.scoreboard,
                                   .net = app->shows_net ? &app->net : 0,
                                   .notice = client_notice(app->client, now_us),
                                   .silence_us = client_silence_us(app->client, now_us)};
    for (uint32_t i = 0; i < app->view.event_count; i++)
        log_event(app, &app->view.events[i]);
    update_net(app, now_us);
    stage_show(&app->stage, &app->canvas, &app->view, &options);
    app->net.draw_us = (uint32_t)(app->config->now_us() - now_us);
    pace_add(&app->pace, app->net.draw_us);
}

static void draw_waiting(struct app *app, uint64_t now_us)
{
    uint32_t beat = (uint32_t)(now_us * 60 / SECOND_US);
    stage_rest(&app->stage);
    if (has_ended(app))
        hud_draw_sentence(&app->canvas, "Not connected", app->sentence, "Enter tries again, Escape quits.", 0);
    else
        hud_draw_sentence(&app->canvas, "Deadfall", client_sentence(app->client), 0, beat);
}

static bool save_picture(struct app *app, const char *path)
{
    int64_t scale = settings_of(app)->scale;
    if (png_write(path, app->canvas.pixels, CANVAS_WIDTH, CANVAS_HEIGHT, scale ? (int32_t)scale : 1))
        return true;
    log_write(app->config->log, LOG_ERROR, "The picture %s cannot be written: %s.", path, strerror(errno));
    return false;
}

// True if a frame of the match was drawn.
static bool draw_frame(struct app *app)
{
    uint64_t now_us = app->config->now_us();
    bool match = is_playing(app) && client_view(app->client, now_us, &app->view);
    if (match)
        draw_match(app, now_us);
    else
        draw_waiting(app, now_us);
    window_show(&app->window, &app->canvas);
    // Vsync paces the loop by itself; most of a period then only guards against a display that ignores it.
    bool paced = app->window.vsync && !settings_of(app)->frames && match;
    uint64_t period_us = SECOND_US / (!match ? WAITING_HZ : settings_of(app)->frames ? 60 : app->window.refresh_hz);
    app->next_frame_us = paced ? now_us + period_us * 3 / 4 : app->next_frame_us + period_us;
    if (app->next_frame_us < now_us)
        app->next_frame_us = now_us;
    return match;
}

static void wait_for_work(struct app *app)
{
    uint64_t until_us = app->next_frame_us;
    if (!app->client) {
        window_rest();
        return;
    }
    if (client_next_tick_us(app->client) < until_us)
        until_us = client_next_tick_us(app->client);
    transport_wait(app->transport, until_us * 1000);
}

/// One turn of the loop. Returns true while it goes on.
static bool turn(struct app *app, enum exit_code *code)
{
    int64_t frames = settings_of(app)->frames;
    window_look(&app->window, &app->wishes);
    app->shows_net ^= app->wishes.toggle_net;
    if (app->wishes.quit)
        return false;
    if (has_ended(app) && app->wishes.again)
        try_again(app);
    if (app->client)
        run_ticks(app);
    if (has_ended(app) && frames) {
        *code = EXIT_UNAVAILABLE;
        return false;
    }
    if (app->config->now_us() < app->next_frame_us) {
        wait_for_work(app);
        return true;
    }
    bool match = draw_frame(app);
    if (match && app->picture) {
        *code = save_picture(app, app->picture) ? *code : EXIT_IO;
        app->picture = 0;
    }
    return !(frames && app->pace.frames >= (uint64_t)frames) && *code != EXIT_IO;
}

static void say_farewell(struct app *app)
{
    if (!app->client)
        return;
    client_leave(app->client);
    transport_wait(app->transport, (app->config->now_us() + LEAVE_US) * 1000);
}

static enum exit_code play(struct app *app)
{
    enum exit_code code = EXIT_OK;
    app->next_frame_us = app->config->now_us();
    connect_client(app);
    while (turn(app, &code))
        ;
    if (has_ended(app)) {
        code = code ? code : EXIT_UNAVAILABLE;
        draw_frame(app);
    }
    if (settings_of(app)->screenshot[0] && !save_picture(app, settings_of(app)->screenshot))
        code = EXIT_IO;
    say_farewell(app);
    log_write(app->config->log, LOG_INFO, "drew %" PRIu64 " frames: mean %" PRIu64 " us, p99 %" PRIu64 " us",
              app->pace.frames, pace_mean_us(&app->pace), pace_p99_us(&app->pace));
    return code;
}

static enum exit_code open_and_play(struct app *app)
{
    const struct settings *settings = settings_of(app);
    char sentence[sizeof app->sentence];
    enum exit_code code = EXIT_OK;
    if (settings->connect[0] && !address_read(&app->address, settings->connect, sentence, sizeof sentence))
        code = EXIT_USAGE;
    else if (!settings->connect[0] && !start_host(app, sentence, sizeof sentence))
        code = app->host.exit_code ? (enum exit_code)app->host.exit_code : EXIT_UNAVAILABLE;
    else if (!window_open(&app->window, (uint32_t)settings->scale, settings->fullscreen, sentence, sizeof sentence))
        code = EXIT_UNAVAILABLE;
    if (code) {
        fail(app, sentence);
        return code;
    }
    if (!stage_open(&app->stage, &LOOK_USUAL, sentence, sizeof sentence))
        log_write(app->config->log, LOG_INFO, "%s", sentence);
    code = play(app);
    client_destroy(app->client);
    stage_close(&app->stage);
    window_close(&app->window);
    return code;
}

enum exit_code app_run(const struct app_config *config)
{
    struct app *app = calloc(1, sizeof *app);
    if (!app) {
        log_write(config->log, LOG_ERROR, "There is no memory for the program.");
        return EXIT_FAILED;
    }
    app->config = config;
    enum exit_code code = open_and_play(app);
    host_stop(&app->host);
    free(app);
    return code;
}
