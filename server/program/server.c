// SPDX-License-Identifier: MIT
#include "server.h"

#include <stdlib.h>
#include <string.h>

#include "admin/commands.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "game/ai/ai.h"
#include "lifecycle/crash_recovery.h"
#include "lifecycle/recording.h"
#include "net/enet/enet_transport.h"
#include "options/options.h"
#include "recording/live_stream.h"

#define DRAIN_FORGOTTEN_S 60 ///< after its end: a server that starts so late is not the next one

static int fail(const struct server *server, int code, const struct error *error)
{
    log_write(&server->log, LOG_ERROR, "%s", error->text);
    return code;
}

static int read_map(struct server *server)
{
    struct error error;
    rotation_init(&server->rotation, &server->settings, server->loader);
    if (map_loader_read(server->settings.map, (enum mode)server->settings.mode, &server->map, &error) &&
        rotation_validate(&server->settings.rotation, (enum mode)server->settings.mode, &server->admin.reader.map,
                          &error))
        return EXIT_OK;
    return fail(server, EXIT_DATA, &error);
}

static int find_key(const struct server *server, char *path, size_t path_bytes)
{
    if (file_in_state_dir(server->settings.state_dir, getenv, "server.key", path, path_bytes))
        return EXIT_OK;
    log_write(&server->log, LOG_ERROR, "there is no directory for the server's key; set --state-dir or HOME");
    return EXIT_IO;
}

static void log_restored(const struct server *server)
{
    const struct match *match = server->match;
    log_event(&server->log, LOG_INFO,
              &(struct fields){"restored",
                               "the match goes on at tick {tick}",
                               {{"tick", .number = match->world.tick},
                                {"map", .text = match->map.name},
                                {"mode", .text = mode_name((enum mode)match->world.rules.mode)},
                                {"players", .number = roster_count(&match->roster, SEAT_PLAYER)},
                                {"bots", .number = roster_count(&match->roster, SEAT_BOT)},
                                {"ran_ms", .number = (int64_t)server->before.ran_ms},
                                {"crashed", .number = server->health.recovered, .is_flag = true}}});
}

// Behind the transport, which knows the port, and before the first client.
static int open_webrtc(struct server *server, uint64_t now_ns)
{
    struct error error;
    char path[2 * OPTION_TEXT_BYTES];
    server->webrtc.link.file = server->webrtc.words = -1;
    if (!server->settings.web)
        return EXIT_OK;
    if (!file_in_state_dir(server->settings.state_dir, getenv, "webrtc.pem", path, sizeof path) ||
        !webrtc_process_open(&server->webrtc, path, &server->log, now_ns, &error))
        return fail(server, EXIT_UNAVAILABLE, &error);
    enet_transport_set_webrtc(server->transport, &server->webrtc.link, &server->webrtc.filter);
    log_event(&server->log, LOG_INFO,
              &(struct fields){"webrtc",
                               "browsers can join; fingerprint of the certificate: {certificate}",
                               {{"certificate", .text = server->webrtc.fingerprint}}});
    return EXIT_OK;
}

static int open_match(struct server *server, uint64_t now_ns)
{
    struct error error;
    char key_path[2 * OPTION_TEXT_BYTES];
    int code = find_key(server, key_path, sizeof key_path);
    if (code != EXIT_OK)
        return code;
    char password[PASSWORD_TEXT_BYTES];
    if (!option_read_password(server->settings.password_file, password, &error))
        return fail(server, EXIT_CONFIG, &error);
    server->transport = enet_transport_open_server(
        &(struct net_server_config){.bind_address = server->settings.bind,
                                    .port = (uint16_t)server->settings.port,
                                    .sockets = server->sockets,
                                    .socket_count = server->socket_count,
                                    .peer_capacity = (uint32_t)server->settings.players_max + MATCH_EXTRA_PEERS,
                                    .protocol = PROTOCOL_VERSION,
                                    .key_path = key_path,
                                    .password = password,
                                    .admission = admin_state_admission(&server->admin)},
        &server->endpoint, &error);
    if (!server->transport)
        return fail(server, EXIT_UNAVAILABLE, &error);
    uint32_t seed = server->settings.seed >= 0 ? (uint32_t)server->settings.seed
                                               : (uint32_t)(now_ns ^ (uint64_t)server->admin.unix_time());
    struct match_config config = {
        .prepared = map_loader_begin(server->loader, server->restores ? &server->end.map : &server->map),
        .rules = server->restores ? server->end.world.rules
                                  : rotation_rules(&server->settings, (enum mode)server->settings.mode, seed),
        .players_max = (uint32_t)server->settings.players_max,
        .bots = (uint32_t)server->settings.bots,
        .adapts_bots = server->settings.bot_skill == AI_SKILL_ADAPTIVE,
        .allows_help = server->settings.handicaps,
        .snapshot_rate = SNAPSHOT_RATES[server->settings.snapshot_rate],
        .log = &server->log,
        .listener = command_listener_of(&server->admin)};
    dice_make_key(config.dice_key);
    server->match = match_create(&config, server->transport);
    dice_wipe(config.dice_key);
    if (!server->match) {
        log_write(&server->log, LOG_ERROR, "out of memory");
        return EXIT_UNAVAILABLE;
    }
    server->admin.match = server->match;
    struct household_rules households = settings_household_rules(&server->settings);
    match_limit_households(server->match, &households);
    if (server->restores) {
        journal_restore(server->match, &server->end);
        if (map_hash(&server->end.map) != map_hash(&server->map))
            rotation_restore(&server->rotation, server->end.map.name);
        rotation_restore_vote(&server->rotation, server->match);
        admin_state_limit(&server->admin);
        server->health.recovered = server->end.has_secret; // the journal has no end
        log_restored(server);
    }
    crash_recovery_begin(&server->settings, server->match, server->journal, &server->log);
    return EXIT_OK;
}

static bool begin_recording(struct server *server)
{
    const struct settings *settings = &server->settings;
    return recording_begin(server->match, server->recorder, settings->record, settings, server->admin.unix_time());
}

int server_record(struct server *server)
{
    struct error error = {.text = "too many recordings wait for the disk"};
    if (strcmp(server->settings.record, "off") == 0 ||
        (begin_recording(server) && recorder_wait(server->recorder, &error)))
        return EXIT_OK;
    return fail(server, EXIT_IO, &error);
}

static void begin_live(struct server *server)
{
    struct match *match = server->match;
    live_stream_begin(server->live, &match->map, &match->world, &match->dice, server->admin.unix_time());
    match->live = server->live;
}

static int open_live(struct server *server)
{
    struct error error;
    const struct settings *settings = &server->settings;
    struct live_stream_config config = {settings->publish, settings->name,
                                        (uint32_t)(settings->publish_delay_ms / 1000)};
    if (strcmp(settings->publish, "off") == 0)
        return EXIT_OK;
    server->live = live_stream_open(&config, &error);
    if (server->live) {
        begin_live(server);
        return EXIT_OK;
    }
    return fail(server, EXIT_IO, &error);
}

void server_report_live(struct server *server)
{
    struct error why;
    uint64_t lost = server->live ? live_stream_lost(server->live, &why) : 0;
    if (lost == server->live_lost)
        return;
    log_event(
        &server->log, LOG_WARNING,
        &(struct fields){"publish_lost",
                         "the live stream has lost {files} files: {reason}",
                         {{"files", .number = (int64_t)(lost - server->live_lost)}, {"reason", .text = why.text}}});
    server->live_lost = lost;
}

int server_record_end(struct server *server)
{
    struct error error;
    bool records = server->match->recorder;
    recording_end(server->match, true);
    if (recorder_finish(server->recorder, &error) || !records)
        return EXIT_OK;
    return fail(server, EXIT_IO, &error);
}

void server_follow(struct server *server, const struct rotation_next *next, uint64_t now_us)
{
    struct match *match = server->match;
    recorder_end(match->journal);
    match->journal = NULL;
    live_stream_end(match->live, &match->dice);
    recording_end(match, true); // after the end of the journal: no match may go on with the dice
    match_change(match, next->map, &next->rules, now_us);
    begin_live(server);
    log_event(&server->log, LOG_INFO,
              &(struct fields){
                  "match",
                  "the next match: map={map} mode={mode}",
                  {{"map", .text = next->map->map.name}, {"mode", .text = mode_name((enum mode)next->rules.mode)}}});
    crash_recovery_follow(&server->settings, match, server->journal, &server->log);
    if (strcmp(server->settings.record, "off") != 0 && !begin_recording(server))
        log_write(&server->log, LOG_ERROR, "this match is not recorded: too many recordings wait for the disk");
}

static int open_threads(struct server *server)
{
    server->map_worker = worker_open();
    server->file_worker = server->admin.audit.worker = worker_open();
    server->loader = map_loader_open(server->map_worker);
    server->recorder = server->admin.recorder = recorder_open();
    server->journal = recorder_open();
    if (server->map_worker && server->file_worker && server->loader && server->recorder && server->journal)
        return EXIT_OK;
    log_write(&server->log, LOG_ERROR, "no thread can be started");
    return EXIT_UNAVAILABLE;
}

uint64_t server_ran_ms(const struct server *server, uint64_t now_ns)
{
    return server->before.ran_ms + (now_ns - server->begun_ns) / CLOCK_MS_NS;
}

void server_hand_over_last(struct server *server, uint64_t now_ns, bool with_drain)
{
    char text[REPLAY_NOTE_BYTES_MAX];
    struct handover handover = {.ran_ms = server_ran_ms(server, now_ns)};
    uint64_t left_ms = drain_left_ms(server->match);
    if (!server->match->journal)
        return;
    if (with_drain && left_ms != DRAIN_NONE)
        handover.drain_until_s = server->admin.unix_time() + (int64_t)(left_ms + 999) / 1000;
    recorder_note(server->match->journal, REPLAY_NOTE_OPTIONS, (const uint8_t *)text,
                  handover_write(&server->admin, &handover, text));
}

void server_hand_over(struct server *server, uint64_t now_ns)
{
    const struct drain *drain = &server->match->drain;
    struct handed_over now = {recorder_number(server->match->journal),
                              server->admin.changes + server->admin.bracket.changes,
                              server->settings.duration_ms > 0 ? server_ran_ms(server, now_ns) / 1000 : 0,
                              drain->is_on ? drain->deadline_us : 0};
    const struct handed_over *before = &server->handed_over;
    if (before->journal == now.journal && before->changes == now.changes && before->ran_s == now.ran_s &&
        before->drain_deadline_us == now.drain_deadline_us)
        return;
    server->handed_over = now;
    server_hand_over_last(server, now_ns, true);
}

void server_continue_drain(struct server *server, uint64_t now_us)
{
    int64_t left_s = server->before.drain_until_s - server->admin.unix_time();
    if (left_s < -DRAIN_FORGOTTEN_S)
        return;
    match_receive(server->match, now_us); // a drain counts from there
    drain_begin(server->match, left_s > 0 && left_s <= DRAIN_MS_MAX / 1000 ? (uint64_t)left_s * 1000 : 0);
}

void server_update_commands(struct server *server)
{
    option_change_update(&server->admin);
    ban_file_update(&server->admin.ban_file);
    command_question_send_answers(&server->admin);
}

void server_finish_commands(struct server *server)
{
    struct ban_file *bans = &server->admin.ban_file;
    while (answers_open(&server->admin.option_changes.answers) > 0 || answers_open(&bans->writings) > 0) {
        worker_wait(server->file_worker);
        server_update_commands(server);
    }
}

int server_open(struct server *server, uint64_t now_ns)
{
    int code;
    if ((code = open_threads(server)) != EXIT_OK || (code = read_map(server)) != EXIT_OK ||
        (code = admin_state_open(&server->admin)) != EXIT_OK)
        return code;
    server->restores = crash_recovery_find(&server->settings, &server->log, &server->end);
    if (server->restores) { // options may have been set, and the rotation has read some of them
        const struct journal_note *note = &server->end.notes[REPLAY_NOTE_OPTIONS];
        server->before = handover_read(&server->admin, note->bytes, note->byte_count);
        rotation_init(&server->rotation, &server->settings, server->loader);
    }
    if ((code = open_match(server, now_ns)) != EXIT_OK || (code = open_webrtc(server, now_ns)) != EXIT_OK ||
        (code = server_record(server)) != EXIT_OK || (code = open_live(server)) != EXIT_OK ||
        (code = admin_socket_open(&server->admin_socket, &server->admin)) != EXIT_OK)
        return code;
    server->subject =
        (struct integrations_subject){&server->settings, &server->endpoint, server->match, &server->status,
                                      &server->clock,    &server->health,   &server->log};
    if ((code = integrations_open(&server->integrations, &server->subject, now_ns)) != EXIT_OK)
        return code;
    server->records = server->admin.records = records_begin(&server->settings, &server->log);
    record_sender_begin(server->records, &server->settings.trust, server->match);
    server->admin.reader.worker = server->admin.ban_file.worker = server->file_worker;
    if (!server->restores && server->settings.bots > 0) // so that a seed gives the same match each time
        map_loader_wait(server->loader);
    return EXIT_OK;
}

// Reads the key, the password and the bans as a start does, but makes nothing.
static int check_files(struct server *server)
{
    struct error error;
    char path[ADMIN_STATE_PATH_BYTES], fingerprint[FINGERPRINT_TEXT_BYTES], password[PASSWORD_TEXT_BYTES];
    int code = find_key(server, path, sizeof path);
    if (code != EXIT_OK)
        return code;
    if (disk_exists(path) && !identity_fingerprint_of_file(path, fingerprint, &error))
        code = EXIT_IO;
    else if (!option_read_password(server->settings.password_file, password, &error))
        code = EXIT_CONFIG;
    else if (admin_state_find(&server->admin, "bans", path) &&
             ban_list_read(&server->admin.bans, path, server->admin.unix_time(), &error) != BAN_LIST_READ)
        code = EXIT_DATA;
    else if (strcmp(server->settings.record, "off") != 0 && !recorder_check(server->settings.record, &error))
        code = EXIT_IO;
    else if (strcmp(server->settings.page, "off") != 0 &&
             !page_server_check(&(struct page_config){.folder = server->settings.page_folder}, &error))
        code = EXIT_IO;
    else if (strcmp(server->settings.publish, "off") != 0 &&
             !live_stream_check(server->settings.publish, LIVE_STREAM_SPACE_BYTES, &error))
        code = EXIT_IO;
    if (code != EXIT_OK)
        log_write(&server->log, LOG_ERROR, "%s", error.text);
    return code;
}

int server_check(struct server *server)
{
    int code = read_map(server);
    return code == EXIT_OK ? check_files(server) : code;
}

void server_close(struct server *server)
{
    live_stream_close(server->live);
    recorder_close(server->journal, NULL);
    recorder_close(server->recorder, NULL);
    admin_socket_close(server->admin_socket);
    integrations_close(&server->integrations);
    records_close(server->records);
    match_destroy(server->match);
    worker_close(server->file_worker);
    worker_close(server->map_worker);
    map_loader_close(server->loader);
    transport_close(server->transport);
    webrtc_process_close(&server->webrtc);
}
