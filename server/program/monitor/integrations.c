// SPDX-License-Identifier: MIT
#include "integrations.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/process.h"

#define SECOND_NS          1000000000u
#define SNAPSHOT_PERIOD_NS (SECOND_NS / 10)
#define GOODBYE_US         45000000u // from the end of a drain to that of the process, as TimeoutStopSec of the units

static void write_snapshot(struct integrations *integrations, const struct integrations_subject *subject,
                           uint64_t now_ns)
{
    struct status_source source = {subject->settings->name, subject->match, subject->status, subject->clock,
                                   subject->health};
    status_snapshot_write(&integrations->publisher, &source, now_ns);
}

static int open_page(struct integrations *integrations, const struct integrations_subject *subject)
{
    struct error error;
    const struct settings *settings = subject->settings;
    if (strcmp(settings->page, "off") == 0)
        return EXIT_OK;
    integrations->page = page_server_open(&(struct page_config){.address = settings->page,
                                                                .folder = settings->page_folder,
                                                                .live_folder = settings_live_folder(settings)},
                                          &error);
    if (!integrations->page) {
        log_write(subject->log, LOG_ERROR, "%s", error.text);
        return error.code;
    }
    log_event(subject->log, LOG_INFO,
              &(struct fields){"page",
                               "the page for browsers on port {port} by HTTP",
                               {{"port", .number = page_server_port(integrations->page)}}});
    if (page_server_stale(integrations->page) > 0)
        log_event(subject->log, LOG_WARNING,
                  &(struct fields){"page_stale",
                                   "{count} compressed files of the page are older than what they are of, and are not "
                                   "sent: build the page again",
                                   {{"count", .number = page_server_stale(integrations->page)}}});
    return EXIT_OK;
}

static int open_web(struct integrations *integrations, const struct integrations_subject *subject)
{
    struct error error;
    const struct settings *settings = subject->settings;
    if (strcmp(settings->metrics, "off") == 0)
        return EXIT_OK;
    file_in_state_dir(settings->state_dir, getenv, ".", integrations->state_path, sizeof integrations->state_path);
    bool records_matches = strcmp(settings->record, "off") != 0;
    struct status_server self = {
        .fingerprint = subject->endpoint->fingerprint,
        .port = subject->endpoint->port,
        .announcer = integrations->announcer,
        .page = page_server_site(integrations->page),
        .page_has_live = settings_live_folder(settings) != NULL,
        .directories = {[STORE_JOURNAL] = integrations->state_path,
                        [STORE_RECORDING] = records_matches ? settings->record : integrations->state_path,
                        [STORE_RECORDS] = integrations->state_path}};
    integrations->http = http_server_open(settings->metrics, &integrations->publisher, &self, &error);
    if (!integrations->http) {
        log_write(subject->log, LOG_ERROR, "%s", error.text);
        return EXIT_UNAVAILABLE;
    }
    log_event(subject->log, LOG_INFO,
              &(struct fields){"http",
                               "metrics and a live page on port {port} by HTTP",
                               {{"port", .number = http_server_port(integrations->http)}}});
    return EXIT_OK;
}

// The sidecar sets this variable, which says that it is there and on which port.
static int open_agones(struct integrations *integrations, const struct integrations_subject *subject)
{
    const char *given = getenv("AGONES_SDK_HTTP_PORT");
    unsigned long port = given ? strtoul(given, NULL, 10) : AGONES_PORT;
    if (subject->settings->agones == AGONES_OFF || (subject->settings->agones == AGONES_AUTO && !given))
        return EXIT_OK;
    if (port == 0 || port > 65535) {
        log_write(subject->log, LOG_ERROR, "AGONES_SDK_HTTP_PORT is \"%.40s\", not a port from 1 to 65535", given);
        return EXIT_CONFIG;
    }
    integrations->agones =
        agones_open((uint16_t)port, subject->endpoint->fingerprint, &integrations->publisher, subject->log);
    return integrations->agones ? EXIT_OK : EXIT_UNAVAILABLE;
}

static int open_announcer(struct integrations *integrations, const struct integrations_subject *subject)
{
    const struct settings *settings = subject->settings;
    struct announcer_config config = {.directories = &settings->announce,
                                      .bind = settings->bind,
                                      .port = subject->endpoint->port,
                                      .waits_for_port = integrations->mapping != NULL,
                                      .fingerprint = subject->endpoint->fingerprint,
                                      .region = settings->region,
                                      .live_url = settings->publish_url,
                                      .has_password = settings->password_file[0] != 0,
                                      .publisher = &integrations->publisher,
                                      .log = subject->log};
    char key_path[2 * OPTION_TEXT_BYTES];
    struct error error = {.text = "no thread can be started for --announce"};
    if (settings->announce.count == 0)
        return EXIT_OK;
    if (file_in_state_dir(settings->state_dir, getenv, "server.key", key_path, sizeof key_path) &&
        identity_load(key_path, config.seed, &error))
        integrations->announcer = announcer_open(&config);
    sodium_memzero(config.seed, sizeof config.seed);
    if (integrations->announcer)
        return EXIT_OK;
    log_write(subject->log, LOG_ERROR, "%s", error.text);
    return EXIT_UNAVAILABLE;
}

int integrations_open(struct integrations *integrations, const struct integrations_subject *subject, uint64_t now_ns)
{
    integrations->self = (struct a2s_server){.name = subject->settings->name,
                                             .port = subject->endpoint->port,
                                             .fingerprint = subject->endpoint->fingerprint};
    // A server runs on without the service manager.
    struct error error;
    if (!systemd_notify_open(&integrations->notify, getenv, (int32_t)process_id(), &error))
        log_write(subject->log, LOG_WARNING, "%s", error.text);
    write_snapshot(integrations, subject, now_ns);
    // A server runs on without the router.
    struct net_address own = inviter_own_address(subject->settings->bind, subject->endpoint->port);
    if (subject->settings->port_mapping && !ip_address_is_loopback(&own))
        integrations->mapping = port_mapping_open(subject->endpoint->port, subject->log);
    integrations_publish(integrations, subject, now_ns);
    int code = open_announcer(integrations, subject);
    if (code == EXIT_OK)
        code = open_page(integrations, subject);
    if (code == EXIT_OK)
        code = open_web(integrations, subject);
    return code == EXIT_OK ? open_agones(integrations, subject) : code;
}

// Reports the invitation when it has changed. Directories ask at the port that the router forwards.
static void publish_invitation(struct integrations *integrations, const struct integrations_subject *subject)
{
    struct invitation fresh = {0};
    struct inviter_facts facts = {.own = inviter_own_address(subject->settings->bind, subject->endpoint->port)};
    facts.row_count = announcer_read(integrations->announcer, facts.rows);
    port_mapping_read(integrations->mapping, &facts.mapping);
    if (facts.mapping.state != PORT_MAPPING_OFF && facts.mapping.state != PORT_MAPPING_ASKING)
        announcer_set_port(integrations->announcer, facts.mapping.port ? facts.mapping.port : subject->endpoint->port);
    inviter_choose(&fresh, &facts);
    snprintf(fresh.fingerprint, sizeof fresh.fingerprint, "%s", subject->endpoint->fingerprint);
    snprintf(fresh.certificate, sizeof fresh.certificate, "%s", subject->health->webrtc.fingerprint);
    struct invitation *known = &integrations->invitation;
    if (fresh.reach == known->reach && strcmp(fresh.address, known->address) == 0 &&
        strcmp(fresh.certificate, known->certificate) == 0 && strcmp(fresh.through, known->through) == 0)
        return;
    *known = fresh;
    char link[INVITER_PAGE_LINK_BYTES];
    inviter_log(known, subject->log);
    const char *page_link = NULL; // by which others join the page
    if (integrations->page) {
        struct inviter_page page = {subject->settings->page, page_server_port(integrations->page), &facts.own};
        inviter_log_page(known, &page, subject->log);
        page_link = inviter_page_link(known, &page, link) ? link : NULL;
    }
    uint32_t use = subject->settings->qr_code;
    if (subject->settings->print_invitations)
        inviter_print(known);
    if (use == QR_CODE_ON || (use == QR_CODE_AUTO && process_is_terminal(stdout)))
        inviter_print_code(known, page_link, stdout);
}

void integrations_publish(struct integrations *integrations, const struct integrations_subject *subject,
                          uint64_t now_ns)
{
    const struct match *match = subject->match;
    if (now_ns >= integrations->replies_due_ns) {
        integrations->replies_due_ns = now_ns + SECOND_NS;
        integrations->self.has_password = subject->settings->password_file[0] != 0;
        announcer_set_password(integrations->announcer, integrations->self.has_password);
        a2s_write(&integrations->a2s, &integrations->self, match, &integrations->replies);
        integrations->replies.own_count = announcer_own(integrations->announcer, integrations->replies.own);
        transport_reply(match->transport, &integrations->replies);
        if (integrations->invites)
            publish_invitation(integrations, subject);
        struct punch_host_directory directories[PUNCH_HOST_DIRECTORIES_MAX];
        if (integrations->announcer)
            transport_punch(match->transport, directories, announcer_punch(integrations->announcer, directories));
    }
    if ((integrations->http || integrations->agones || integrations->announcer) &&
        now_ns >= integrations->snapshot_due_ns) {
        integrations->snapshot_due_ns = now_ns + SNAPSHOT_PERIOD_NS;
        write_snapshot(integrations, subject, now_ns);
    }
    if (integrations->notify.socket < 0)
        return;
    char status[160];
    snprintf(status, sizeof status, "%u of %u players, %u bots, on %s%s", roster_count(&match->roster, SEAT_PLAYER),
             match->players_max, roster_count(&match->roster, SEAT_BOT), match->map.name,
             match->drain.is_on ? ", drains" : "");
    systemd_notify_send(&integrations->notify, subject->status->ticks, subject->health->asleep, status, now_ns);
}

void integrations_publish_phase(struct integrations *integrations, enum systemd_notify_phase phase, uint64_t now_ns)
{
    integrations->ends = phase == SYSTEMD_NOTIFY_STOPPING;
    integrations->invites |= phase == SYSTEMD_NOTIFY_READY;
    systemd_notify_phase(&integrations->notify, phase, now_ns);
}

void integrations_extend_stop(struct integrations *integrations, uint64_t drain_ms)
{
    systemd_notify_extend(&integrations->notify, drain_ms * 1000 + GOODBYE_US);
}

bool integrations_have_manager(const struct integrations *integrations)
{
    return integrations->notify.socket >= 0;
}

void integrations_keep_sockets(const struct integrations *integrations, const int sockets[2], bool replaces)
{
    systemd_notify_keep(&integrations->notify, sockets, replaces);
}

bool integrations_wants_shutdown(const struct integrations *integrations)
{
    return agones_wants_shutdown(integrations->agones);
}

void integrations_close(struct integrations *integrations)
{
    http_server_close(integrations->http);
    page_server_close(integrations->page);
    announcer_close(integrations->announcer, integrations->ends);
    port_mapping_close(integrations->mapping, integrations->ends);
    agones_close(integrations->agones);
    systemd_notify_close(&integrations->notify);
}
