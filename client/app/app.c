// SPDX-License-Identifier: MIT
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/gfx/screenshot.h"
#include "app/platform/hotkeys.h"
#include "app/presentation/presenter.h"
#include "app/replay/replay_bar.h"
#include "app/text/server_lines.h"
#include "app_chat.h"
#include "app_control.h"
#include "app_events.h"
#include "app_friends.h"
#include "app_link.h"
#include "app_pause.h"
#include "app_quick_chat.h"
#include "app_start.h"
#include "app_trial.h"
#include "base/platform/process.h"
#include "game/event.h"
#include "game/rules/mode.h"

#define SECOND_US      1000000u
#define WAITING_HZ     15 ///< frames a second while the client waits for a match
#define STEADY_HZ      60 ///< of menus at most, and with --frames
#define TICKS_AT_ONCE  8  ///< of a player, before the loop looks at the window again
#define RETRY_BYTES    TEXT_BYTES
#define LOGGED_SECONDS 10 ///< from one line of the log about the net to the next

static const struct settings *settings_of(const struct app *app)
{
    return app->config->settings;
}

static const char *back_key(const struct app *app)
{
    return app->menu.by_touch ? "II" : app->menu.by_gamepad ? "Start" : text_of("Esc");
}

static bool is_in_menus_alone(const struct app *app)
{
    return !local_players_client(&app->local) && !app->trial.course;
}

// Has the fingers of the script touch the window. Returns what they hold.
static uint32_t push_fingers(struct app *app, const struct input_script_fingers *fingers)
{
    for (uint32_t i = 0; fingers && i < INPUT_SCRIPT_FINGERS; i++)
        window_push_finger(&app->window, i, i < fingers->count, fingers->of[i].x, fingers->of[i].y);
    return fingers ? touch_controls_held(&app->window.touch) : 0;
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
    return input_script_buttons(script, app->script_tick) |
           push_fingers(app, input_script_fingers(script, app->script_tick));
}

static uint32_t buttons_of(struct app *app, const struct local_player *player)
{
    bool shared = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
    if (app->config->script && !player->number)
        return buttons_of_script(app);
    uint32_t buttons = window_buttons(&app->window, local_players_device(&app->local, player->number), shared);
    buttons = app_quick_chat_take(app, player->number, buttons);
    app->presenter.held = app->menu.depth || app->chat.typing ? 0 : buttons;
    return app->presenter.held;
}

static struct hints *hints_of(struct app *app, uint32_t number)
{
    return number == local_players_first(&app->local) ? &app->hints : &app->others_hints[number];
}

static void run_local_players(struct app *app)
{
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct local_player *player = &app->local.players[i];
        if (!local_players_receive(&app->local, i))
            continue;
        for (int ticks = 0; ticks < TICKS_AT_ONCE && local_players_tick_due(&app->local, i); ticks++) {
            uint32_t buttons = buttons_of(app, player);
            if (client_world(player->client))
                hints_take(hints_of(app, i), client_world(player->client), client_slot(player->client), buttons);
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

static void log_net(const struct app *app)
{
    const struct client_statistics *net = &app->net.statistics;
    log_write(app->config->log, LOG_DEBUG,
              "net: %u snapshots, %u lost, %u corrections, %u desyncs, rtt %u ms; frames: mean %.0f us, p99 %" PRIu64
              " us",
              net->snapshots, net->snapshots_lost, net->corrections, net->desyncs, net->rtt_ms,
              histogram_mean(&app->draw_us), histogram_quantile(&app->draw_us, 990));
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
    if (++app->net_seconds % LOGGED_SECONDS == 0)
        log_net(app);
}

// Hints show the device of their player. Returns those that are shown now.
static const struct hints *update_hints(struct app *app)
{
    const struct world *world = client_world(local_players_client(&app->local));
    const struct hints *all[LOCAL_PLAYERS] = {&app->hints};
    uint32_t count = 0;
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++) {
        const struct client *client = app->local.players[i].client;
        uint32_t device = local_players_device(&app->local, i);
        struct hints *hints = hints_of(app, i);
        if (!client || client_state(client) != CLIENT_PLAYING)
            continue;
        hints->preferences = &app->preferences;
        hints->slot = client_slot(client);
        hints->family =
            device >= DEVICE_GAMEPAD ? app->menu.facts.pads[device - DEVICE_GAMEPAD] : menu_pad_family(&app->menu);
        hints->shared_keys = lobby_find(&app->local.lobby, DEVICE_KEYS_SECOND) < LOCAL_PLAYERS;
        hints->by_gamepad = device >= DEVICE_GAMEPAD || (device == DEVICE_ALL && app->menu.by_gamepad);
        hints->by_touch = app->menu.by_touch && device <= DEVICE_KEYS;
        hints->second_keys = device == DEVICE_KEYS_SECOND;
        all[count++] = hints;
    }
    for (uint32_t i = 0; i < LOCAL_PLAYERS; i++)
        hints_of(app, i)->is_marked = count > 1;
    return world ? all[hints_choose(all, count, world->tick, world->round.phase == ROUND_PLAYING)] : &app->hints;
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

#define FRAMED_TICKS 600 ///< of players at this window, from one line of the log to the next

static void log_framing(struct app *app)
{
    const struct camera *camera = &app->presenter.scene.camera;
    uint32_t all = camera->framed + camera->unframed;
    if (all / FRAMED_TICKS == app->logged_framed)
        return;
    app->logged_framed = all / FRAMED_TICKS;
    log_write(app->config->log, LOG_DEBUG, "framing: %u ticks of players here, %u of them outside the picture", all,
              camera->unframed);
}

static void draw_match(struct app *app, uint64_t now_us)
{
    const struct client *client = local_players_client(&app->local);
    char retry[RETRY_BYTES], said[TEXT_BYTES] = "";
    const char *system_message = client_system_message(client, now_us);
    if (system_message)
        server_lines_translate(system_message, said);
    struct draw_options options = {.scoreboard = app_holds_scoreboard(app),
                                   .net = app->shows_net ? &app->net : 0,
                                   .bare = app->menu.depth,
                                   .chat = &app->chat,
                                   .wheels = app->wheels,
                                   .hints = update_hints(app),
                                   .now_us = now_us,
                                   .system_message = said,
                                   .silence_us = client_silence_us(client, now_us)};
    if (describe_retry(app, now_us, retry) || app_pause_notice(app, retry, sizeof retry))
        options.system_message = retry;
    log_match(app);
    app->statistics_unsaved = true;
    if (statistics_count(&app->statistics, &app->statistics_match, &app->view))
        app_save_statistics(app);
    for (uint32_t i = 0; i < app->view.event_count; i++)
        log_match_event(app, &app->view.events[i]);
    shake_gamepads(app);
    update_net(app, now_us);
    app_chat_receive(app, now_us);
    presenter_show(&app->presenter, &app->canvas, &app->view, &options);
    log_framing(app);
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
    const char *back = back_key(app);
    char text[TEXT_BYTES], retry[RETRY_BYTES];
    server_lines_translate(client_status_text(local_players_client(&app->local)), text);
    if (describe_retry(app, now_us, retry)) {
        memcpy(text, retry, sizeof text);
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
    const char *error = viewer->downloads ? viewer->error.text : viewer->live.error.text;
    tick now = viewer->playback.world.tick;
    if (!replay_viewer_is_live(viewer) && !viewer->downloads)
        return;
    if (viewer->is_new && viewer->downloads)
        log_write(app->config->log, LOG_DEBUG, "shows a replay from tick %u to %u", viewer->first, viewer->last);
    else if (viewer->is_new)
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
    if (!app->menu.by_gamepad)
        buttons &= ~(uint32_t)BUTTON_JUMP; // on the keyboard it pauses, and F frees the camera
    app->hints.by_gamepad = app->menu.by_gamepad;
    app->hints.by_touch = app->menu.by_touch;
    app->hints.family = menu_pad_family(&app->menu);
    replay_viewer_act(viewer, app->actions);
    if (app->actions & (HOTKEY_CLIP_WEBM | HOTKEY_CLIP_GIF))
        replay_viewer_clip(viewer, app->clips_path, app->actions & HOTKEY_CLIP_GIF ? ".gif" : ".webm");
    replay_viewer_advance(viewer, now_us - app->replay_drawn_us, buttons, &app->presenter.scene.camera);
    app->replay_drawn_us = now_us;
    if (!viewer->has_picture) {
        log_watching(app);
        presenter_wait(&app->presenter);
        draw_message(app, replay_viewer_state_text(viewer), back_key(app), now_us);
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
    if (local_server_starts(&app->host)) {
        presenter_wait(&app->presenter);
        draw_message(app, text_of("The match is loading."), back_key(app), now_us);
        return false;
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

// With vsync the display sets the rate of a match; three quarters of a period guard against a display that ignores it.
static void schedule_frame(struct app *app, uint64_t now_us, bool match)
{
    bool waits = !match && !app->menu.depth, counted = settings_of(app)->frames;
    uint32_t limit_hz = preferences_frame_limit_hz(&app->preferences), shown_hz = app->window.refresh_hz;
    bool limited = limit_hz && (limit_hz < shown_hz || !app->window.vsync);
    bool paced = app->window.vsync && match && !counted && !limited;
    uint64_t match_hz = limited ? limit_hz : shown_hz, menu_hz = match_hz < STEADY_HZ ? match_hz : STEADY_HZ;
    uint64_t period_us = SECOND_US / (waits ? WAITING_HZ : counted ? STEADY_HZ : match ? match_hz : menu_hz);
    app->next_frame_us = paced ? now_us + period_us * 3 / 4 : app->next_frame_us + period_us;
    if (app->next_frame_us < now_us)
        app->next_frame_us = now_us;
}

// A window that is higher than wide has tall menus; while they play, fingers need what is below the arena.
static void choose_shape(struct app *app)
{
    bool upright = window_is_upright(&app->window), plays = !app->menu.depth && !is_in_menus_alone(app);
    bool is_wide = !upright || replay_viewer_is_open(&app->viewer);
    app->canvas.shape = is_wide ? CANVAS_WIDE : plays ? CANVAS_SQUARE : CANVAS_TALL;
    app->menu.is_tall = upright;
}

// Returns whether the frame showed a match or a replay.
static bool draw_frame(struct app *app)
{
    uint64_t now_us = app->config->now_us();
    choose_shape(app);
    bool match = draw_world(app, now_us);
    if (app->menu.depth) {
        menu_fill(&app->menu);
        draw_menu(&app->canvas, &app->menu, (uint32_t)((now_us - app->opened_us) * 60 / SECOND_US));
    }
    app_friends_draw(app, now_us);
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

// The loop, and how it ends.
struct loop {
    struct app *app;
    enum exit_code code;
};

// Runs the loop once. Returns false when the loop ends.
static bool run_once(void *context)
{
    struct loop *loop = context;
    struct app *app = loop->app;
    uint64_t frames = (uint64_t)settings_of(app)->frames;
    app_take_events(app);
    if (app->quits)
        return false;
    run_local_players(app);
    app_update(app);
    if (app->failed && frames) {
        loop->code = EXIT_UNAVAILABLE;
        return false;
    }
    if (app->config->now_us() < app->next_frame_us) {
        wait_for_work(app);
        return true;
    }
    if (draw_frame(app) && app->screenshot) {
        loop->code = save_picture(app, app->screenshot) ? loop->code : EXIT_IO;
        app->screenshot = 0;
    }
    return !(frames && app->frames >= frames) && loop->code != EXIT_IO;
}

static enum exit_code play(struct app *app)
{
    struct loop loop = {app, EXIT_OK};
    app->next_frame_us = app->opened_us = app->config->now_us();
    process_repeat(run_once, NULL, &loop);
    if (app->failed) {
        loop.code = loop.code ? loop.code : EXIT_UNAVAILABLE;
        draw_frame(app);
    }
    if (settings_of(app)->screenshot[0] && !save_picture(app, settings_of(app)->screenshot))
        loop.code = EXIT_IO;
    log_write(app->config->log, LOG_INFO, "drew %" PRIu64 " frames: mean %.0f us, p99 %" PRIu64 " us",
              app->draw_us.count, histogram_mean(&app->draw_us), histogram_quantile(&app->draw_us, 990));
    return loop.code;
}

static enum exit_code open_and_play(struct app *app)
{
    struct error error;
    if (app_link_hand_over(app->config))
        return EXIT_OK;
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
        app_link_open(app);
        code = play(app);
        app_link_close(app);
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
