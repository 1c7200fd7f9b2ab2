// SPDX-License-Identifier: MIT
#include "directory_settings.h"

#include <string.h>

#include "base/host_port.h"
#include "base/platform/disk.h"
#include "store/store.h"

#define FIELD(field) .offset = offsetof(struct directory_settings, field)

static const char *const LAN_NAMES[] = {"exempt", "limited", NULL};

static const struct option OPTIONS[] = {
    {"listen", OPTION_LIST, FIELD(listen), "0.0.0.0:27480, [::]:27480", "ADDR:PORT",
     "serve HTTP here; servers learn their address of IPv4 and IPv6 by it; repeatable"},
    {"publish", OPTION_TEXT, FIELD(publish), "off", "DIR|off",
     "also write servers.json into this directory, for any web server"},
    {"host", OPTION_LIST, FIELD(host), NULL, "HOST[:PORT]",
     "name of this directory, as servers have it in --announce; announcements for others are refused; repeatable"},
    {"proxy", OPTION_LIST, FIELD(proxy), NULL, "ADDR[/BITS]",
     "reverse proxy; its X-Forwarded-For is believed; repeatable"},
    {"household-servers", OPTION_NUMBER, FIELD(household_servers), "16", "N",
     "servers at most from one household, which is an IPv4 address or a /56 of IPv6; 0: no limit", .most = 16384},
    {"household-lan", OPTION_CHOICE, FIELD(household_lan), "exempt", NULL,
     "whether private, link-local and loopback addresses have the limits of households too", .choices = LAN_NAMES},
    {"household-exempt", OPTION_LIST, FIELD(household_exempt), NULL, "ADDR[/BITS]",
     "addresses without the limits of households, such as a fleet; repeatable"},
    {"store", OPTION_TEXT, FIELD(store), "memory", "memory|redis[s]://HOST[:PORT][/DB]",
     "share the list with other directories that have the same name, through this Redis"},
    {"store-password-file", OPTION_TEXT, FIELD(store_password_file), "", "FILE",
     "file with the password of the Redis in its first line"},
    {"store-tls", OPTION_TEXT, FIELD(store_tls), "", "DIR",
     "directory with ca.crt, and tls.crt and tls.key for mutual TLS, for a Redis at rediss://"},
    {"allocator", OPTION_TEXT, FIELD(allocator), "off", "URL|off",
     "ask this allocator of Agones for a place first, and the list if it has none: https://HOST[:PORT]"},
    {"allocator-tls", OPTION_TEXT, FIELD(allocator_tls), "", "DIR",
     "directory with tls.crt, tls.key and ca.crt, for mutual TLS with the allocator"},
    {"allocator-fleet", OPTION_TEXT, FIELD(allocator_fleet), "default/deadfall", "[NAMESPACE/]FLEET",
     "fleet in which the allocator looks for a place"},
    {"state-dir", OPTION_TEXT, FIELD(state_dir), "", "DIR",
     "directory for the key; if not given, $STATE_DIRECTORY or ~/.local/state/deadfall"},
    {"log-level", OPTION_CHOICE, FIELD(log_level), "info", NULL, "least important lines to log",
     .choices = LOG_LEVEL_NAMES},
    {"log-format", OPTION_CHOICE, FIELD(log_format), "text", NULL, "format of the log on stderr",
     .choices = LOG_FORMAT_NAMES},
};

const struct program DIRECTORY_PROGRAM = {
    .name = "deadfall-directory",
    .summary = "Lists the servers of Deadfall that announce themselves and can be reached.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .configurable = true,
};

static bool has_authority(const char *folder)
{
    char path[2 * OPTION_TEXT_BYTES];
    return snprintf(path, sizeof path, "%s/ca.crt", folder) < (int)sizeof path && disk_is_readable(path);
}

bool directory_settings_validate(const struct directory_settings *settings, const struct options_result *read,
                                 struct error *error)
{
    struct household_range household;
    struct address_range range;
    struct store_address store;
    bool listen_is_wrong = settings->listen.count == 0 || settings->listen.count > DIRECTORY_LISTEN_MAX;
    bool shares = store_address_parse(settings->store, &store);
    bool proxy_is_wrong = false, exempt_is_wrong = false;
    for (uint32_t i = 0; i < settings->listen.count; i++)
        listen_is_wrong = listen_is_wrong || !host_port_is_numeric(settings->listen.values[i]);
    for (uint32_t i = 0; i < settings->proxy.count; i++)
        proxy_is_wrong = proxy_is_wrong || !net_address_range_parse(settings->proxy.values[i], &range);
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        exempt_is_wrong = exempt_is_wrong || !household_range_parse(settings->household_exempt.values[i], &household);
    const struct {
        bool is_wrong;
        const char *option, *text;
    } rows[] = {
        {listen_is_wrong, "listen", "--listen is ADDR:PORT such as 0.0.0.0:27480 or [::]:27480, up to eight times"},
        {!settings->publish[0], "publish", "--publish is a directory, or off"},
        {!shares && strcmp(settings->store, "memory") != 0, "store",
         "--store is memory, or redis://HOST[:PORT][/DB] such as redis://127.0.0.1:6379/0, or rediss:// for TLS"},
        {settings->store_tls[0] && (!shares || !store.is_secure || !has_authority(settings->store_tls)), "store-tls",
         "--store-tls is a directory with ca.crt, and tls.crt and tls.key for mutual TLS, for --store rediss://..."},
        {proxy_is_wrong, "proxy", "--proxy is an address or ADDR/BITS, such as 127.0.0.1 or 2001:db8::/48"},
        {exempt_is_wrong, "household-exempt",
         "--household-exempt is an address or ADDR/BITS, such as 192.0.2.7, 198.51.100.0/24 or 2001:db8::/48"},
    };
    struct allocator_settings allocator = directory_settings_allocator(settings, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_wrong)
            return error_set_code(error,
                                  options_given(&DIRECTORY_PROGRAM, read, rows[i].option) ? EXIT_USAGE : EXIT_CONFIG,
                                  "%s", rows[i].text);
    if (strcmp(settings->allocator, "off") != 0 && !allocator_settings_validate(&allocator, error)) {
        error->code = options_given(&DIRECTORY_PROGRAM, read, "allocator") ? EXIT_USAGE : EXIT_CONFIG;
        return false;
    }
    return true;
}

struct allocator_settings directory_settings_allocator(const struct directory_settings *settings, const struct log *log)
{
    return (struct allocator_settings){settings->allocator, settings->allocator_tls, settings->allocator_fleet, log};
}

struct household_rules directory_settings_households(const struct directory_settings *settings)
{
    struct household_rules rules = {.players_max = (uint32_t)settings->household_servers,
                                    .limits_lan = settings->household_lan == 1};
    for (uint32_t i = 0; i < settings->household_exempt.count; i++)
        rules.exempt_count +=
            household_range_parse(settings->household_exempt.values[i], &rules.exempt[rules.exempt_count]);
    return rules;
}
