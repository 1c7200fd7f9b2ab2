// SPDX-License-Identifier: MIT
#include "settings.h"

#include <string.h>

#include "base/host_port.h"
#include "base/utf8.h"
#include "discovery/announcement.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/variant.h"
#include "net/crypto/identity.h"
#include "options/options.h"
#include "recording/live_stream.h"

static const char *const AGONES_NAMES[] = {"auto", "on", "off", NULL};
static const char *const QR_CODE_NAMES[] = {"auto", "on", "off", NULL};
static const char *const RESUME_NAMES[] = {"auto", "never", NULL};
static const char *const RECORDS_NAMES[] = {"off", "on", NULL};
static const char *const LAN_NAMES[] = {"exempt", "limited", NULL};
static const char *const RATE_NAMES[] = {"60", "30", "20", NULL};

const uint32_t SNAPSHOT_RATES[] = {60, 30, 20};

#define FIELD(field) .offset = offsetof(struct settings, field)
#define DAY_MS       86400000

static const struct option OPTIONS[] = {
    {"port", OPTION_NUMBER, FIELD(port), "27440", "N", "UDP port; 0: any free port", .most = 65535},
    {"bind", OPTION_TEXT, FIELD(bind), "0.0.0.0", "ADDR", "IPv4 or IPv6 address to listen on; 0.0.0.0: all of both"},
    {"map", OPTION_TEXT, FIELD(map), "foundry", "NAME|FILE",
     "map to play: foundry, duel, clockwork, skyline, breakout, colosseum, or a .tmj or compiled file"},
    {"rotation", OPTION_LIST, FIELD(rotation), NULL, "LIST",
     "maps to play in turn, by name, one per match; players vote for the next one", .is_live = true},
    {"mode", OPTION_CHOICE, FIELD(mode), "ffa", NULL, "how the match is played", .choices = MODE_NAMES},
    {"max-players", OPTION_NUMBER, FIELD(players_max), "16", "N", "players at most, including bots", .least = 1,
     .most = PLAYER_CAPACITY},
    {"household-players", OPTION_NUMBER, FIELD(household_players), "8", "N",
     "players at most from one household, which is an IPv4 address or a /56 of IPv6; 0: no limit",
     .most = PLAYER_CAPACITY, .is_live = true},
    {"household-lan", OPTION_CHOICE, FIELD(household_lan), "exempt", NULL,
     "whether private, link-local and loopback addresses have the limits of households too", .choices = LAN_NAMES,
     .is_live = true},
    {"household-exempt", OPTION_LIST, FIELD(household_exempt), NULL, "ADDR[/BITS]",
     "addresses without the limits of households, such as a school or a proxy; repeatable", .is_live = true},
    {"bots", OPTION_NUMBER, FIELD(bots), "0", "N", "add bots until there are N players", .most = PLAYER_CAPACITY,
     .is_live = true},
    {"bot-skill", OPTION_CHOICE, FIELD(bot_skill), "normal", NULL,
     "how well the bots play; adaptive: easy at first, then harder or easier as humans lead or fall behind",
     .choices = AI_SKILL_CHOICES, .is_live = true},
    {"name", OPTION_TEXT, FIELD(name), "Deadfall", "TEXT", "name of the server, as browsers show it", .is_live = true},
    {"snapshot-rate", OPTION_CHOICE, FIELD(snapshot_rate), "60", NULL, "snapshots per second", .choices = RATE_NAMES},
    {"announce", OPTION_LIST, FIELD(announce), NULL, "URL",
     "list the server in this directory, such as http://directory.example.org; repeatable"},
    {"region", OPTION_TEXT, FIELD(region), "", "TEXT", "where the server is, as lists show it, such as eu"},
    {"port-mapping", OPTION_FLAG, FIELD(port_mapping), "off", NULL,
     "ask the router, by NAT-PMP or UPnP, to forward the port, so that people outside of this network can join"},
    {"web", OPTION_FLAG, FIELD(web), "off", NULL, "let browsers join over WebRTC, on the same port"},
    {"print-invitations", OPTION_FLAG, FIELD(print_invitations), "off", NULL,
     "print the link by which others join on stdout when it is known or changes, for the program that started the "
     "server"},
    {"qr-code", OPTION_CHOICE, FIELD(qr_code), "auto", NULL,
     "show the link by which others join as a QR code on stdout; auto: if that is a terminal",
     .choices = QR_CODE_NAMES},
    {"record", OPTION_TEXT, FIELD(record), "off", "DIR|off", "write a replay of each match into this directory"},
    {"record-keep", OPTION_LIST, FIELD(record_keep), NULL, "LIMIT",
     "keep so many recordings (200), none older (30d) or no more bytes (20G), and remove the oldest; repeatable",
     .is_live = true},
    {"publish", OPTION_TEXT, FIELD(publish), "off", "DIR|off",
     "publish each match live into this directory, for a web server; watch it with deadfall --watch URL"},
    {"publish-delay", OPTION_DURATION, FIELD(publish_delay_ms), "0", "TIME",
     "publish so much later, at most 5m, so that nobody can play by it", .most = LIVE_STREAM_DELAY_S_MAX * 1000},
    {"publish-url", OPTION_TEXT, FIELD(publish_url), "", "URL",
     "where a web server serves that directory, such as https://example.org/live/, for the lists of --announce"},
    {"resume", OPTION_CHOICE, FIELD(resume), "auto", NULL, "continue the match that an earlier server left",
     .choices = RESUME_NAMES},
    {"records", OPTION_CHOICE, FIELD(records), "on", NULL, "keep statistics and ratings of players, in records.db",
     .choices = RECORDS_NAMES},
    {"trust", OPTION_LIST, FIELD(trust), NULL, "FINGERPRINT",
     "server to believe: its players begin here with their ratings and keep their names; at most 8, repeatable"},
    {"agones", OPTION_CHOICE, FIELD(agones), "auto", NULL, "join an Agones fleet; auto: if AGONES_SDK_HTTP_PORT is set",
     .choices = AGONES_NAMES},
    {"metrics", OPTION_TEXT, FIELD(metrics), "off", "ADDR:PORT|off",
     "serve metrics, status and a live page of the match by HTTP"},
    {"page", OPTION_TEXT, FIELD(page), "off", "ADDR:PORT|off",
     "serve the page with which browsers play by HTTP, and what --publish publishes; with --web they join there"},
    {"page-folder", OPTION_TEXT, FIELD(page_folder), "", "DIR",
     "folder of that page; if not given, page beside this program or ../share/deadfall/page"},
    {"password-file", OPTION_TEXT, FIELD(password_file), "", "FILE",
     "ask players for the password in the first line of FILE, which others must not be able to read", .is_live = true},
    {"state-dir", OPTION_TEXT, FIELD(state_dir), "", "DIR",
     "directory for the server's key and state; if not given, $STATE_DIRECTORY or ~/.local/state/deadfall"},
    {"admin-socket", OPTION_TEXT, FIELD(admin_socket), "auto", "PATH|auto|off",
     "socket for deadfall-admin; auto: admin.sock in the state directory, if this server keeps its state"},
    {"admin-key", OPTION_LIST, FIELD(admin_keys), NULL, "FINGERPRINT",
     "player who may give admin commands in the game; repeatable", .is_live = true},
    {"duration", OPTION_DURATION, FIELD(duration_ms), "0", "TIME", "stop after this time; 0: never",
     .most = 30ll * DAY_MS},
    {"drain", OPTION_DURATION, FIELD(drain_ms), "0", "TIME",
     "at SIGTERM let nobody new join, and wait this long for the round to end; 0: end at once", .most = DRAIN_MS_MAX,
     .is_live = true},
    {"run-empty", OPTION_FLAG, FIELD(run_empty), "off", NULL,
     "play on when no client is connected: matches of bots, their recordings and the live page go on", .is_live = true},
    {"score-limit", OPTION_NUMBER, FIELD(score_limit), "-1", "N",
     "points (lms, breakout: rounds) that win a match; 0: no limit; -1: the default of the mode", .least = -1,
     .most = 10000, .is_live = true},
    {"time-limit", OPTION_DURATION, FIELD(time_limit_ms), "10m", "TIME",
     "length of a match (lms, breakout: the last round is played to its end); 0: no limit", .most = DAY_MS,
     .is_live = true},
    {"friendly-fire", OPTION_FLAG, FIELD(friendly_fire), "off", NULL, "teammates can kill each other", .is_live = true},
    {"handicaps", OPTION_FLAG, FIELD(handicaps), "off", NULL,
     "players may choose a handicap that helps them: a shield at each spawn; one that hinders them is always allowed"},
    {"variants", OPTION_LIST, FIELD(variants), NULL, "LIST",
     "variants that matches are played with, such as low-gravity, bombs; the man page lists them", .is_live = true},
    {"seed", OPTION_NUMBER, FIELD(seed), "-1", "N",
     "seed of the random numbers of each match; -1: a different one each time", .least = -1, .most = UINT32_MAX,
     .is_live = true},
    {"log-level", OPTION_CHOICE, FIELD(log_level), "info", NULL, "least important lines to log",
     .choices = LOG_LEVEL_NAMES, .is_live = true},
    {"log-format", OPTION_CHOICE, FIELD(log_format), "text", NULL, "format of the log on stderr",
     .choices = LOG_FORMAT_NAMES, .is_live = true},
    {"healthcheck", OPTION_FLAG, FIELD(healthcheck), NULL, NULL,
     "ask the server on this machine with the same --port and --bind for its status, and exit: 0 healthy, 1 no answer"},
};

const struct program SERVER_PROGRAM = {
    .name = "deadfall-server",
    .summary = "Runs a match of Deadfall. Prints a line to stdout when it is ready, and logs to stderr.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .configurable = true,
};

bool settings_validate(const struct settings *settings, const struct options_result *read, struct error *error)
{
    struct household_range range;
    bool variant_is_wrong = false;
    bool healthcheck = settings->healthcheck, key_is_wrong = false, range_is_wrong = false, keep_is_wrong = false;
    bool address_is_wrong = settings->announce.count > SETTINGS_ANNOUNCE_MAX;
    struct web_address address;
    struct retention retention;
    char variants[VARIANT_NAMES_BYTES], variants_text[VARIANT_NAMES_BYTES + 32];
    variant_names((1u << VARIANTS) - 1, variants);
    snprintf(variants_text, sizeof variants_text, "--variants are some of %s", variants);
    for (uint32_t i = 0; i < settings->announce.count; i++)
        address_is_wrong = address_is_wrong || !host_port_parse_web(settings->announce.values[i], &address, NULL);
    for (uint32_t i = 0; i < settings->variants.count; i++)
        variant_is_wrong = variant_is_wrong || variant_find(settings->variants.values[i]) == VARIANTS;
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        range_is_wrong = range_is_wrong || !household_range_parse(settings->household_exempt.values[i], &range);
    for (uint32_t i = 0; i < settings->record_keep.count; i++)
        keep_is_wrong = keep_is_wrong || !retention_parse(settings->record_keep.values[i], &retention);
    for (uint32_t i = 0; i < settings->admin_keys.count; i++)
        key_is_wrong = key_is_wrong || !identity_fingerprint_is_valid(settings->admin_keys.values[i]);
    bool trust_is_wrong = settings->trust.count > SETTINGS_TRUST_MAX;
    for (uint32_t i = 0; i < settings->trust.count; i++)
        trust_is_wrong = trust_is_wrong || !identity_fingerprint_is_valid(settings->trust.values[i]);
    const struct {
        bool is_wrong;
        const char *option, *other; // to blame
        const char *text;
    } rows[] = {
        {settings->bots > settings->players_max, "bots", "max-players", "--bots is more than --max-players"},
        {!settings->record[0], "record", NULL, "--record is a directory, or off"},
        {!settings->publish[0], "publish", NULL, "--publish is a directory, or off"},
        {settings->publish_url[0] && !announcement_is_live_url(settings->publish_url), "publish-url", NULL,
         "--publish-url is http:// or https://, at most 160 characters without spaces, ? and #"},
        {settings->publish_url[0] && strcmp(settings->publish, "off") == 0, "publish-url", "publish",
         "--publish-url needs --publish: without a live stream nothing can be watched there"},
        {healthcheck && !options_given(&SERVER_PROGRAM, read, "healthcheck"), "healthcheck", NULL,
         "--healthcheck works only on the command line"},
        {healthcheck && settings->port == 0, "healthcheck", "port", "--healthcheck needs the --port of the server"},
        {strcmp(settings->metrics, "off") != 0 && !host_port_is_numeric(settings->metrics), "metrics", NULL,
         "--metrics is off, or ADDR:PORT such as 127.0.0.1:9100 or [::1]:9100"},
        {strcmp(settings->page, "off") != 0 && !host_port_is_numeric(settings->page), "page", NULL,
         "--page is off, or ADDR:PORT such as 0.0.0.0:27440 or [::]:27440"},
        {settings->page_folder[0] && strcmp(settings->page, "off") == 0, "page-folder", "page",
         "--page-folder needs --page: without it no page is served"},
        {!settings->admin_socket[0], "admin-socket", NULL, "--admin-socket is a path, auto, or off"},
        {!utf8_is_clean(settings->name, strlen(settings->name)), "name", NULL,
         "--name has a character that nobody can see, such as a control character"},
        {key_is_wrong, "admin-key", NULL,
         "--admin-key is the fingerprint of a player: 32 letters from a to z and digits from 2 to 7"},
        {trust_is_wrong, "trust", NULL,
         "--trust is the fingerprint of a server, as in its invitations, up to eight times: 32 letters from a to z and "
         "digits from 2 to 7"},
        {settings->trust.count > 0 && settings->records == RECORDS_OFF, "trust", "records",
         "--trust needs --records on: ratings and names are kept there"},
        {variant_is_wrong, "variants", NULL, variants_text},
        {address_is_wrong, "announce", NULL,
         "--announce is http://HOST[:PORT][/PATH] of a directory, up to eight times; there is no https, because "
         "announcements are signed and public"},
        {!announcement_is_region(settings->region), "region", NULL,
         "--region has at most 31 letters, digits, -, _ and ."},
        {keep_is_wrong, "record-keep", NULL,
         "--record-keep is a number of recordings, an age such as 12h, 30d or 8w, or a size such as 500M, 20G or 1T"},
        {range_is_wrong, "household-exempt", NULL,
         "--household-exempt is an address or ADDR/BITS, such as 192.0.2.7, 198.51.100.0/24 or 2001:db8::/48"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool given = options_given(&SERVER_PROGRAM, read, rows[i].option) ||
                     (rows[i].other && options_given(&SERVER_PROGRAM, read, rows[i].other));
        if (rows[i].is_wrong)
            return error_set_code(error, given ? EXIT_USAGE : EXIT_CONFIG, "%s", rows[i].text);
    }
    return true;
}

uint32_t settings_variants(const struct settings *settings)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < settings->variants.count; i++)
        bits |= 1u << variant_find(settings->variants.values[i]);
    return bits & ((1u << VARIANTS) - 1);
}

const char *settings_live_folder(const struct settings *settings)
{
    return strcmp(settings->publish, "off") == 0 ? NULL : settings->publish;
}

struct retention settings_retention(const struct settings *settings)
{
    struct retention retention = {0};
    for (uint32_t i = 0; i < settings->record_keep.count; i++)
        retention_parse(settings->record_keep.values[i], &retention);
    return retention;
}

struct household_rules settings_household_rules(const struct settings *settings)
{
    struct household_rules rules = {.players_max = (uint32_t)settings->household_players,
                                    .limits_lan = settings->household_lan == LAN_LIMITED};
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        rules.exempt_count +=
            household_range_parse(settings->household_exempt.values[i], &rules.exempt[rules.exempt_count]);
    return rules;
}

// Lists the options that differ, as "one, two": those that can change while the server runs, or the others.
static void list_changes(const struct settings *settings, const struct settings *fresh, bool live, char *text,
                         size_t text_bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++) {
        const struct option *option = &OPTIONS[i];
        size_t used = strlen(text);
        if (option->is_live == live && !option_value_same(option, settings, fresh))
            snprintf(text + used, text_bytes - used, "%s%s", used ? ", " : "", option->name);
    }
}

void settings_adopt(struct settings *settings, const struct settings *fresh, struct settings_changes *changes)
{
    list_changes(settings, fresh, true, changes->changed, sizeof changes->changed);
    list_changes(settings, fresh, false, changes->needs_restart, sizeof changes->needs_restart);
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++)
        if (OPTIONS[i].is_live)
            option_value_copy(&OPTIONS[i], settings, fresh);
}

// Appends "KEY = VALUE, not VALUE". Values that are long are cut.
static void append_set(char list[SETTINGS_LIST_BYTES], const struct option *option, const struct settings *counts,
                       const struct settings *loses)
{
    static char value[OPTION_VALUE_BYTES], other[OPTION_VALUE_BYTES];
    size_t used = strlen(list);
    option_value_print(option, counts, value);
    option_value_print(option, loses, other);
    snprintf(list + used, SETTINGS_LIST_BYTES - used, "%s%s = %.40s, not %.40s", used ? "; " : "", option->name, value,
             other);
}

void settings_keep_set(const struct settings *settings, const struct settings *before, struct settings *fresh,
                       struct settings_changes *changes)
{
    changes->kept[0] = changes->overridden[0] = '\0';
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++) {
        const struct option *option = &OPTIONS[i];
        if (!option->is_live || option_value_same(option, settings, before) ||
            option_value_same(option, settings, fresh))
            continue;
        if (option_value_same(option, fresh, before)) {
            append_set(changes->kept, option, settings, fresh);
            option_value_copy(option, fresh, settings);
        } else {
            append_set(changes->overridden, option, fresh, settings);
        }
    }
}

void settings_changes_text(const struct settings_changes *changes, char *text, size_t text_bytes)
{
    const char *kept = changes->kept, *overridden = changes->overridden;
    snprintf(text, text_bytes, "changed: %s; only a restart changes: %s%s%s%s%s",
             *changes->changed ? changes->changed : "nothing",
             *changes->needs_restart ? changes->needs_restart : "nothing", *kept ? "; kept as set: " : "", kept,
             *overridden ? "; no longer as set: " : "", overridden);
}

bool settings_set(struct settings *settings, const char *key, const char *value, struct error *error)
{
    const struct option *option = option_value_find(&SERVER_PROGRAM, key, strlen(key));
    return options_set(&SERVER_PROGRAM, settings, key, value, error) &&
           ((option && option->is_live) || error_set(error, "%s changes only by a restart", key));
}
