// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/gfx/screenshot.h"
#include "app/platform/hotkeys.h"
#include "app/presentation/rumble.h"
#include "app/replay/replay_bar.h"
#include "app/text/text.h"
#include "app_control.h"
#include "app_trial.h"
#include "game/event.h"
#include "game/rules/mode.h"

#define SECOND_US     1000000u
#define WAITING_HZ    15 ///< frames a second while the client waits for a match
#define STEADY_HZ     60 ///< of menus, and with --frames
#define TICKS_AT_ONCE 8  ///< of a player, before the loop looks at the window again
#define RETRY_BYTES   TEXT_BYTES

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

static const char *back_key(const struct app *app)
{
    return app->menu.by_gamepad ? "Start" : "Esc";
}

static bool is_in_menus_alone(const struct app *app)
{
    return !local_players_client(&app->local) && !app->trial.course;
}

// Reads the script at the player's next tick, and notes a screenshot that it asks for up to there.
static uint32_t buttons_of_script(struct app *app)
{
    const struct input_script *script = app->config->script;
    const struct client *client = local_players_client(&app->local);
    tick before = app->script_tick;
    if (!app->has_script_origin) {
        app->script_origin = input_script_origin(client_world(client), client_slot(client));
        app->has_script_origin = true;
        before = 0;
    }
    app->script_tick = client_world(client)->tick + 1 - app->script_origin;
    const char *screenshot = input_script_screenshot(script, before, app->script_tick);
    app->screenshot = screenshot ? screenshot : app->screenshot;
    return input_script_buttons(script, app->script_tick);
}

static uint32_t buttons_of(struct app *app, const struct local_player *player)
{
    bool shared = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    if (app->config->script && !player->number)
        return buttons_of_script(app);
    uint32_t buttons = window_buttons(&app->window, local_players_device(&app->local, player->number), shared);
    app->presenter.held = app->menu.depth || app->chat.typing ? 0 : buttons;
    return app->presenter.held;
}

static void run_local_players(struct app *app)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct local_player *player = &app->local.players[i];
        if (!local_players_receive(&app->local, i))
            continue;
        for (int ticks = 0; ticks < TICKS_AT_ONCE && local_players_tick_due(&app->local, i); ticks++) {
            uint32_t buttons = buttons_of(app, player);
            if (i == local_players_first(&app->local) && client_world(player->client))
                hints_take(&app->hints, client_world(player->client), client_slot(player->client), buttons);
            local_players_tick(&app->local, i, (struct player_input){buttons});
        }
    }
}

// Each local player's gamepad shakes; one who has all devices feels it in those that they use.
static void shake_gamepads(const struct app *app)
{
    for (uint32_t i = 0; app->preferences.rumble && i < LOCAL_PLAYERS; i++) {
        const struct client *client = app->local.players[i].client;
        uint32_t device = local_players_device(&app->local, i);
        bool all = device == DEVICE_ALL && app->menu.by_gamepad;
        if (!client || client_state(client) != CLIENT_PLAYING || !(all || device >= DEVICE_GAMEPAD))
            continue;
        struct rumble rumble = rumble_of(&app->view, client_slot(client));
        if (rumble.duration_ms)
            gamepads_rumble(&app->window.gamepads, all ? GAMEPAD_ANY : device - DEVICE_GAMEPAD, rumble.low, rumble.high,
                            rumble.duration_ms);
    }
}

static void log_match_event(const struct app *app, const struct event *event)
{
    bool death = event->kind == EVENT_KILL;
    log_write(app->config->log, LOG_DEBUG, "event %s%s%s subject=%u%s other=%u detail=%u x=%d y=%d tick=%u",
              event_kind_name((enum event_kind)event->kind), death ? " by " : "",
              death ? event_death_cause_name((enum death_cause)event->detail) : "", event->subject,
              event->subject == app->view.slot ? " (you)" : "", event->other, event->detail, event->x, event->y,
              event->tick);
}

static void update_net(struct app *app, uint64_t now_us)
{
    client_statistics(local_players_client(&app->local), &app->net.statistics);
    if (app->net.statistics.bytes_in < app->net_in) // of another connection
        app->net_in = app->net_out = 0;
    if (now_us - app->net_second_us < SECOND_US)
        return;
    app->net.bytes_in_s = (uint32_t)(app->net.statistics.bytes_in - app->net_in);
    app->net.bytes_out_s = (uint32_t)(app->net.statistics.bytes_out - app->net_out);
    app->net_in = app->net.statistics.bytes_in;
    app->net_out = app->net.statistics.bytes_out;
    app->net_second_us = now_us;
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
        if (chat_panel_add(&app->chat, &line, app->view.world, now_us))
            sound_device_click(&app->presenter.sound, SOUND_CHAT);
    }
    bool voted = app->chat.votes;
    app->chat.votes = client_open_vote(client, now_us, &app->chat.vote);
    if (app->chat.votes && !voted)
        log_vote(app);
}

// The hints show the device of the first local player.
static void update_hints(struct app *app)
{
    uint32_t device = local_players_device(&app->local, local_players_first(&app->local));
    app->hints.family =
        device >= DEVICE_GAMEPAD ? app->menu.facts.pads[device - DEVICE_GAMEPAD] : menu_pad_family(&app->menu);
    app->hints.shared_keys = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    app->hints.by_gamepad = device >= DEVICE_GAMEPAD || (device == DEVICE_ALL && app->menu.by_gamepad);
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
    log_write(app->config->log, LOG_DEBUG, "plays %s on %.*s", mode_name((enum mode)mode), MAP_NAME_CAPACITY,
              map->name);
}

// Describes why the player, who has played, waits. Attempts are counted, so that the client does not seem to hang.
// Returns false if they do not wait.
static bool describe_retry(const struct app *app, uint64_t now_us, char text[RETRY_BYTES])
{
    struct client_retry retry;
    char when[48] = "";
    if (!client_retry(local_players_client(&app->local), now_us, &retry))
        return false;
    if (retry.cause == CLIENT_RETRY_RESTART) {
        snprintf(text, RETRY_BYTES, "%s", text_of("The server is restarting. The match goes on in a moment."));
        return true;
    }
    if (retry.wait_us)
        snprintf(when, sizeof when, text_of(" in %u s"), (uint32_t)((retry.wait_us + SECOND_US - 1) / SECOND_US));
    snprintf(text, RETRY_BYTES, text_of("%s Connecting again%s: attempt %u of %u. %s opens the menu."),
             retry.cause == CLIENT_RETRY_LOSS ? text_of("The connection was lost.")
                                              : text_of("The server has not come back."),
             when, retry.attempt, retry.attempts_max, back_key(app));
    return true;
}

static void draw_match(struct app *app, uint64_t now_us)
{
    const struct client *client = local_players_client(&app->local);
    char retry[RETRY_BYTES];
    struct draw_options options = {.scoreboard = app_holds_scoreboard(app),
                                   .net = app->shows_net ? &app->net : 0,
                                   .bare = app->menu.depth,
                                   .chat = &app->chat,
                                   .hints = &app->hints,
                                   .now_us = now_us,
                                   .system_message = client_system_message(client, now_us),
                                   .silence_us = client_silence_us(client, now_us)};
    if (describe_retry(app, now_us, retry))
        options.system_message = retry;
    update_hints(app);
    log_match(app);
    app->statistics_unsaved = true;
    if (statistics_count(&app->statistics, &app->statistics_match, &app->view))
        app_save_statistics(app);
    for (uint32_t i = 0; i < app->view.event_count; i++)
        log_match_event(app, &app->view.events[i]);
    shake_gamepads(app);
    update_net(app, now_us);
    receive_chat(app, now_us);
    presenter_show(&app->presenter, &app->canvas, &app->view, &options);
    app->net.draw_us = (uint32_t)(app->config->now_us() - now_us);
    histogram_add(&app->draw_us, app->net.draw_us);
}

static void draw_message(struct app *app, const char *text, const char *back, uint64_t now_us)
{
    uint32_t anim_tick = (uint32_t)(now_us * 60 / SECOND_US);
    enum font_face face = app->preferences.display.large_text ? FONT_LARGE : FONT_SMALL;
    hud_draw_message(&app->canvas, face, &(struct hud_message){"Deadfall", text, back, anim_tick});
}

// Shows what the client waits for while there is no match to show.
static void draw_waiting(struct app *app, uint64_t now_us)
{
    const char *text = text_of(client_status_text(local_players_client(&app->local))), *back = back_key(app);
    char retry[RETRY_BYTES];
    if (describe_retry(app, now_us, retry)) {
        text = retry;
        back = NULL;
    }
    draw_message(app, text, back, now_us);
}

static bool save_picture(struct app *app, const char *path)
{
    int64_t scale = settings_of(app)->scale;
    if (screenshot_write(path, app->canvas.pixels, canvas_columns(&app->canvas), canvas_rows(&app->canvas),
                         scale ? (int32_t)scale : 1))
        return true;
    log_write(app->config->log, LOG_ERROR, "Cannot write the picture %s: %s.", path, strerror(errno));
    return false;
}

// Logs what of a live match is shown, and why none is.
static void log_watching(struct app *app)
{
    const struct replay_viewer *viewer = &app->viewer;
    const char *error = viewer->live.error.text;
    tick now = viewer->playback.world.tick;
    if (!replay_viewer_is_live(viewer))
        return;
    if (viewer->is_new)
        log_write(app->config->log, LOG_DEBUG, "watches %s of %s from tick %u", viewer->live.index.match,
                  viewer->live.index.server, viewer->first);
    if (now / TICKS_PER_SECOND != app->logged_second)
        log_write(app->config->log, LOG_DEBUG, "shows tick %u", now);
    app->logged_second = now / TICKS_PER_SECOND;
    if (strcmp(app->logged_error, error) != 0 && error[0])
        log_write(app->config->log, LOG_WARNING, "cannot watch: %s", error);
    snprintf(app->logged_error, sizeof app->logged_error, "%s", error);
}

// Returns whether there is a picture.
static bool draw_replay(struct app *app, uint64_t now_us)
{
    struct replay_viewer *viewer = &app->viewer;
    struct draw_options options = {.scoreboard = app_holds_scoreboard(app), .below = REPLAY_BAR_PX};
    uint32_t buttons = window_buttons(&app->window, DEVICE_ALL, false);
    app->hints.by_gamepad = app->menu.by_gamepad;
    app->hints.family = menu_pad_family(&app->menu);
    replay_viewer_act(viewer, app->actions);
    if (app->actions & (HOTKEY_CLIP_WEBM | HOTKEY_CLIP_GIF))
        replay_viewer_clip(viewer, app->clips_path, app->actions & HOTKEY_CLIP_GIF ? ".gif" : ".webm");
    replay_viewer_advance(viewer, now_us - app->replay_drawn_us, buttons, &app->presenter.scene.camera);
    app->replay_drawn_us = now_us;
    if (!viewer->has_picture) {
        const char *error = viewer->live.error.text;
        log_watching(app);
        presenter_wait(&app->presenter);
        draw_message(app, error[0] ? error : text_of("Waiting for the live match"), back_key(app), now_us);
        return false;
    }
    log_watching(app);
    replay_viewer_draw(viewer, &app->presenter, &app->canvas, &options);
    replay_bar_draw(viewer, &app->canvas, &app->hints, app->preferences.display.large_text);
    app->actions = 0;
    histogram_add(&app->draw_us, app->config->now_us() - now_us);
    return true;
}

static bool draw_world(struct app *app, uint64_t now_us)
{
    struct camera *camera = &app->presenter.scene.camera;
    if (replay_viewer_is_open(&app->viewer))
        return draw_replay(app, now_us);
    if (app->trial.course) {
        app_trial_draw(app, now_us);
        return true;
    }
    if (is_in_menus_alone(app)) {
        presenter_wait(&app->presenter);
        if (!title_demo_draw(&app->demo, &app->canvas, now_us, app->preferences.display.reduced_motion))
            hud_draw_empty_sky(&app->canvas);
        return false;
    }
    if (local_players_view(&app->local, now_us, &app->view, camera)) {
        draw_match(app, now_us);
        return true;
    }
    presenter_wait(&app->presenter);
    draw_waiting(app, now_us);
    return false;
}

// With vsync the display sets the rate; three quarters of a period guard against a display that ignores it.
static void schedule_frame(struct app *app, uint64_t now_us, bool match)
{
    bool waits = !match && !app->menu.depth, steady = !match || settings_of(app)->frames;
    uint32_t limit_hz = preferences_frame_limit_hz(&app->preferences), shown_hz = app->window.refresh_hz;
    bool limited = limit_hz && (limit_hz < shown_hz || !app->window.vsync);
    bool paced = app->window.vsync && !steady && !limited;
    uint64_t hz = waits ? WAITING_HZ : steady ? STEADY_HZ : limited ? limit_hz : shown_hz;
    uint64_t period_us = SECOND_US / hz;
    app->next_frame_us = paced ? now_us + period_us * 3 / 4 : app->next_frame_us + period_us;
    if (app->next_frame_us < now_us)
        app->next_frame_us = now_us;
}

// Returns whether the frame showed a match or a replay.
static bool draw_frame(struct app *app)
{
    uint64_t now_us = app->config->now_us();
    bool match = draw_world(app, now_us);
    if (app->menu.depth) {
        menu_fill(&app->menu);
        draw_menu(&app->canvas, &app->menu, (uint32_t)((now_us - app->opened_us) * 60 / SECOND_US));
    }
    window_show(&app->window, &app->canvas);
    sound_device_write(&app->presenter.sound, now_us - app->opened_us);
    schedule_frame(app, now_us, match);
    app->frames += match || is_in_menus_alone(app);
    return match;
}

static void wait_for_work(struct app *app)
{
    uint64_t next_us = local_players_next_us(&app->local);
    local_players_wait(&app->local, next_us < app->next_frame_us ? next_us : app->next_frame_us);
}

// Runs the loop once. Returns false when the loop ends.
static bool run_once(struct app *app, enum exit_code *code)
{
    uint64_t frames = (uint64_t)settings_of(app)->frames;
    app_take_events(app);
    if (app->quits)
        return false;
    run_local_players(app);
    app_update(app);
    if (app->failed && frames) {
        *code = EXIT_UNAVAILABLE;
        return false;
    }
    if (app->config->now_us() < app->next_frame_us) {
        wait_for_work(app);
        return true;
    }
    if (draw_frame(app) && app->screenshot) {
        *code = save_picture(app, app->screenshot) ? *code : EXIT_IO;
        app->screenshot = 0;
    }
    return !(frames && app->frames >= frames) && *code != EXIT_IO;
}

static enum exit_code play(struct app *app)
{
    enum exit_code code = EXIT_OK;
    app->next_frame_us = app->opened_us = app->config->now_us();
    while (run_once(app, &code))
        ;
    if (app->failed) {
        code = code ? code : EXIT_UNAVAILABLE;
        draw_frame(app);
    }
    if (settings_of(app)->screenshot[0] && !save_picture(app, settings_of(app)->screenshot))
        code = EXIT_IO;
    log_write(app->config->log, LOG_INFO, "drew %" PRIu64 " frames: mean %.0f us, p99 %" PRIu64 " us",
              app->draw_us.count, histogram_mean(&app->draw_us), histogram_quantile(&app->draw_us, 990));
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
    const char *sound_file = settings_of(app)->sound_file[0] ? settings_of(app)->sound_file : NULL;
    if (!presenter_open(&app->presenter, sound_file, &error)) {
        log_write(app->config->log, sound_file ? LOG_ERROR : LOG_INFO, "%s", error.text);
        code = sound_file ? EXIT_IO : EXIT_OK;
    }
    if (!code) {
        app_open(app);
        code = play(app);
        app_end(app);
    }
    if (!presenter_close(&app->presenter, &error) && !code) {
        log_write(app->config->log, LOG_ERROR, "%s", error.text);
        code = EXIT_IO;
    }
    window_close(&app->window);
    return code;
}

enum exit_code app_run(const struct app_config *config)
{
    struct app *app = calloc(1, sizeof *app);
    if (!app) {
        log_write(config->log, LOG_ERROR, "Not enough memory.");
        return EXIT_FAILED;
    }
    app->config = config;
    enum exit_code code = open_and_play(app);
    local_server_stop(&app->host);
    free(app);
    return code;
}
