// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/gfx/screenshot.h"
#include "app/menu/screens.h"
#include "app_control.h"
#include "frame_stats.h"
#include "game/event.h"

#define SECOND_US  1000000u
#define WAITING_HZ 15 ///< frames a second while a match is waited for
#define STEADY_HZ  60 ///< of menus, and with --frames

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

static bool is_in_menus_alone(const struct app *app)
{
    return !local_players_client(&app->local);
}

static uint32_t buttons_of_script(struct app *app)
{
    const struct input_script *script = app->config->script;
    const struct client *client = local_players_client(&app->local);
    tick before = app->moment;
    if (!app->has_joined) {
        app->joined = input_script_origin(client_world(client), client_slot(client));
        app->has_joined = true;
        before = 0;
    }
    app->moment = client_world(client)->tick + 1 - app->joined;
    const char *picture = input_script_screenshot(script, before, app->moment);
    app->picture = picture ? picture : app->picture;
    return input_script_buttons(script, app->moment);
}

static uint32_t buttons_of(struct app *app, const struct local_player *player)
{
    bool shared = false;
    for (uint32_t i = 0; i < app->local.joined_count; i++)
        shared |= app->local.players[i].device == DEVICE_KEYS_SECOND;
    if (app->config->script && !player->number)
        return buttons_of_script(app);
    uint32_t buttons = window_buttons(&app->window, player->device, shared);
    app->presenter.held = app->menu.depth || app->chat.typing ? 0 : buttons;
    return app->presenter.held;
}

static struct player_input sample(void *context, struct local_player *player)
{
    struct app *app = context;
    uint32_t buttons = buttons_of(app, player);
    if (!player->number && client_world(player->client))
        hints_take(&app->hints, client_world(player->client), client_slot(player->client), buttons);
    return (struct player_input){buttons};
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
    client_statistics(local_players_client(&app->local), &app->net.statistics);
    if (now_us - app->net_since_us < SECOND_US)
        return;
    app->net.bytes_in_s = (uint32_t)(app->net.statistics.bytes_in - app->net_in);
    app->net.bytes_out_s = (uint32_t)(app->net.statistics.bytes_out - app->net_out);
    app->net_in = app->net.statistics.bytes_in;
    app->net_out = app->net.statistics.bytes_out;
    app->net_since_us = now_us;
}

static void log_vote(const struct app *app)
{
    const struct vote_message *vote = &app->chat.vote;
    char choices[VOTE_CHOICE_CAPACITY * (VOTE_CHOICE_BYTES_MAX + 2) + 1] = "";
    for (uint32_t i = 0; i < vote->choice_count; i++)
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", i ? ", " : " ",
                 vote->choices[i].text);
    log_write(app->config->log, LOG_DEBUG, "vote: %s%s", vote->question, choices);
}

static void receive_chat(struct app *app, uint64_t now_us)
{
    struct client *client = local_players_client(&app->local);
    struct chat_line line;
    while (client_chat_next(client, &line)) {
        chat_panel_add(&app->chat, &line, app->view.world, now_us);
        sound_device_click(&app->presenter.sound, SOUND_CHAT);
    }
    bool voted = app->chat.votes;
    app->chat.votes = client_open_vote(client, now_us, &app->chat.vote);
    if (app->chat.votes && !voted)
        log_vote(app);
}

// Hints show what the first player here holds in his hands.
static void update_hints(struct app *app)
{
    uint32_t device = app->local.players[0].device;
    app->hints.by_pad = device >= DEVICE_GAMEPAD || (device == DEVICE_ALL && app->menu.by_pad);
    app->hints.second_keys = device == DEVICE_KEYS_SECOND;
}

static void log_match(struct app *app)
{
    const struct map *map = app->view.map;
    uint32_t mode = app->view.world->rules.mode;
    if (app->has_logged && app->logged_mode == mode && !memcmp(app->logged_map, map->name, sizeof map->name))
        return;
    app->has_logged = true;
    app->logged_mode = mode;
    memcpy(app->logged_map, map->name, sizeof map->name);
    log_write(app->config->log, LOG_DEBUG, "plays %s on %.*s", PREFERENCES_MODES[mode % MODES], MAP_NAME_CAPACITY,
              map->name);
}

static void draw_match(struct app *app, uint64_t now_us)
{
    const struct client *client = local_players_client(&app->local);
    struct draw_options options = {.scoreboard = app_holds_scoreboard(app),
                                   .net = app->shows_net ? &app->net : 0,
                                   .bare = app->menu.depth,
                                   .chat = &app->chat,
                                   .hints = &app->hints,
                                   .now_us = now_us,
                                   .system_message = client_system_message(client, now_us),
                                   .silence_us = client_silence_us(client, now_us)};
    update_hints(app);
    log_match(app);
    for (uint32_t i = 0; i < app->view.event_count; i++)
        log_event(app, &app->view.events[i]);
    update_net(app, now_us);
    receive_chat(app, now_us);
    presenter_show(&app->presenter, &app->canvas, &app->view, &options);
    app->net.draw_us = (uint32_t)(app->config->now_us() - now_us);
    frame_stats_add(&app->frame_stats, app->net.draw_us);
}

// What is waited for; after a loss the tries are counted, so that nobody thinks that it hangs.
static void draw_waiting(struct app *app, uint64_t now_us)
{
    uint32_t anim_tick = (uint32_t)(now_us * 60 / SECOND_US);
    const struct client *client = local_players_client(&app->local);
    enum font_face face = app->preferences.large_text ? FONT_LARGE : FONT_SMALL;
    const char *back = app->menu.by_pad ? "Start" : "Esc";
    struct client_retry retry;
    char text[96];
    if (!client_retry(client, now_us, &retry)) {
        hud_draw_message(&app->canvas, face, "Deadfall", client_status_text(client), back, anim_tick);
        return;
    }
    if (retry.wait_us)
        snprintf(text, sizeof text, "Reconnecting: attempt %u of %u in %u s", retry.attempt, retry.attempts_max,
                 (uint32_t)((retry.wait_us + SECOND_US - 1) / SECOND_US));
    else
        snprintf(text, sizeof text, "Reconnecting: attempt %u of %u", retry.attempt, retry.attempts_max);
    hud_draw_message(&app->canvas, face, "The connection was lost", text, back, anim_tick);
}

static bool save_picture(struct app *app, const char *path)
{
    int64_t scale = settings_of(app)->scale;
    if (screenshot_write(path, app->canvas.pixels, CANVAS_WIDTH, CANVAS_HEIGHT, scale ? (int32_t)scale : 1))
        return true;
    log_write(app->config->log, LOG_ERROR, "The picture %s cannot be written: %s.", path, strerror(errno));
    return false;
}

static void draw_replay(struct app *app, uint64_t now_us)
{
    struct draw_options options = {.scoreboard = app_holds_scoreboard(app)};
    uint32_t buttons = window_buttons(&app->window, DEVICE_ALL, false);
    app->hints.by_pad = app->menu.by_pad;
    replay_viewer_act(&app->viewer, app->actions);
    replay_viewer_advance(&app->viewer, now_us - app->shown_us, buttons, &app->presenter.scene.camera);
    replay_viewer_draw(&app->viewer, &app->presenter, &app->canvas, &options, &app->hints);
    app->actions = 0;
    app->shown_us = now_us;
    frame_stats_add(&app->frame_stats, app->config->now_us() - now_us);
}

static bool draw_world(struct app *app, uint64_t now_us)
{
    struct camera *camera = &app->presenter.scene.camera;
    if (app->viewer.bytes) {
        draw_replay(app, now_us);
        return true;
    }
    if (is_in_menus_alone(app)) {
        presenter_wait(&app->presenter);
        if (!title_demo_draw(&app->demo, &app->canvas, now_us, app->preferences.reduced_motion))
            hud_draw_empty_sky(&app->canvas);
        return false;
    }
    if (local_players_view(&app->local, now_us, &app->view, camera->local_slots, &camera->local_slot_count)) {
        draw_match(app, now_us);
        return true;
    }
    presenter_wait(&app->presenter);
    draw_waiting(app, now_us);
    return false;
}

// Vsync paces the loop by itself; most of a period then only guards against a display that ignores it.
static void schedule_frame(struct app *app, uint64_t now_us, bool match)
{
    bool waits = !match && !app->menu.depth;
    bool paced = app->window.vsync && !settings_of(app)->frames && match;
    uint64_t hz = waits ? WAITING_HZ : !match || settings_of(app)->frames ? STEADY_HZ : app->window.refresh_hz;
    uint64_t period_us = SECOND_US / hz;
    app->next_frame_us = paced ? now_us + period_us * 3 / 4 : app->next_frame_us + period_us;
    if (app->next_frame_us < now_us)
        app->next_frame_us = now_us;
}

// True if a frame of what --frames counts was drawn.
static bool draw_frame(struct app *app)
{
    uint64_t now_us = app->config->now_us();
    bool match = draw_world(app, now_us);
    if (app->menu.depth) {
        menu_fill(&app->menu);
        draw_menu(&app->canvas, &app->menu, (uint32_t)((now_us - app->since_us) * 60 / SECOND_US));
    }
    window_show(&app->window, &app->canvas);
    schedule_frame(app, now_us, match);
    app->frames += match || is_in_menus_alone(app);
    return match;
}

static void wait_for_work(struct app *app)
{
    uint64_t next_us = local_players_next_us(&app->local);
    local_players_wait(&app->local, next_us < app->next_frame_us ? next_us : app->next_frame_us);
}

/// One turn of the loop. Returns true while it goes on.
static bool turn(struct app *app, enum exit_code *code)
{
    uint64_t frames = (uint64_t)settings_of(app)->frames;
    app_take_events(app);
    if (app->quits)
        return false;
    local_players_run(&app->local, sample, app);
    app_update(app);
    if (app->failed && frames) {
        *code = EXIT_UNAVAILABLE;
        return false;
    }
    if (app->config->now_us() < app->next_frame_us) {
        wait_for_work(app);
        return true;
    }
    if (draw_frame(app) && app->picture) {
        *code = save_picture(app, app->picture) ? *code : EXIT_IO;
        app->picture = 0;
    }
    return !(frames && app->frames >= frames) && *code != EXIT_IO;
}

static enum exit_code play(struct app *app)
{
    enum exit_code code = EXIT_OK;
    app->next_frame_us = app->since_us = app->config->now_us();
    while (turn(app, &code))
        ;
    if (app->failed) {
        code = code ? code : EXIT_UNAVAILABLE;
        draw_frame(app);
    }
    if (settings_of(app)->screenshot[0] && !save_picture(app, settings_of(app)->screenshot))
        code = EXIT_IO;
    local_players_leave(&app->local);
    log_write(app->config->log, LOG_INFO, "drew %" PRIu64 " frames: mean %" PRIu64 " us, p99 %" PRIu64 " us",
              app->frame_stats.frames, frame_stats_mean_us(&app->frame_stats), frame_stats_p99_us(&app->frame_stats));
    return code;
}

static enum exit_code open_and_play(struct app *app)
{
    struct error error;
    enum exit_code code = app_begin(app, &error);
    if (!code && !window_open(&app->window, (uint32_t)settings_of(app)->scale, &app->preferences, &error))
        code = EXIT_UNAVAILABLE;
    if (code) {
        log_write(app->config->log, LOG_ERROR, "%s", error.text);
        return code;
    }
    app_apply_preferences(app);
    if (!presenter_open(&app->presenter, &error))
        log_write(app->config->log, LOG_INFO, "%s", error.text);
    app_open(app);
    code = play(app);
    app_end(app);
    presenter_close(&app->presenter);
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
    local_server_stop(&app->host);
    free(app);
    return code;
}
