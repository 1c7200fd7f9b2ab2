// SPDX-License-Identifier: MIT
#include "ban.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/host_port.h"

#define MAPPED_BITS     96 // of ::ffff:0:0, in front of an IPv4 address
#define ADDRESS_BITS    128
#define HOUSEHOLD_BITS  64
#define BAN_SECONDS_MAX ((int64_t)10 * 366 * 86400) // longer is forever

static const uint8_t MAPPED[12] = {[10] = 0xFF, [11] = 0xFF};

static bool is_ipv4(const struct ban_target *target)
{
    return target->prefix_bits >= MAPPED_BITS && memcmp(target->prefix, MAPPED, sizeof MAPPED) == 0;
}

static void cut(uint8_t prefix[16], uint32_t bits)
{
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t kept = bits > i * 8 ? bits - i * 8 : 0;
        if (kept < 8)
            prefix[i] &= (uint8_t)(0xFF00u >> kept);
    }
}

// Reads the bits after a slash. False: they are not a number, or out of range.
static bool read_bits(const char *text, uint32_t least, uint32_t most, uint32_t *bits)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *bits = (uint32_t)value;
    return *end == 0 && value >= least && value <= most;
}

static bool parse_address(const char *text, struct ban_target *target)
{
    memcpy(target->prefix, MAPPED, sizeof MAPPED);
    target->prefix_bits = ADDRESS_BITS;
    return inet_pton(AF_INET, text, target->prefix + sizeof MAPPED) == 1 ||
           inet_pton(AF_INET6, text, target->prefix) == 1;
}

static bool parse_range(const char *text, struct ban_target *target)
{
    char host[INET6_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : strlen(text);
    if (length >= sizeof host)
        return false;
    memcpy(host, text, length);
    host[length] = 0;
    if (!parse_address(host, target))
        return false;
    bool ipv4 = is_ipv4(target);
    uint32_t least = ipv4 ? MAPPED_BITS + BAN_PREFIX_BITS_MIN_IPV4 : BAN_PREFIX_BITS_MIN_IPV6;
    uint32_t hidden = strchr(host, ':') ? 0 : MAPPED_BITS; // bits that a text of IPv4 does not count
    uint32_t bits = ipv4 ? ADDRESS_BITS - hidden : HOUSEHOLD_BITS;
    if (slash && !read_bits(slash + 1, least - hidden, ADDRESS_BITS - hidden, &bits))
        return false;
    target->prefix_bits = bits + hidden;
    cut(target->prefix, target->prefix_bits);
    return true;
}

bool ban_target_parse(const char *text, struct ban_target *target)
{
    *target = (struct ban_target){0};
    if (!identity_fingerprint_is_valid(text))
        return parse_range(text, target);
    strcpy(target->key, text);
    return true;
}

bool ban_target_from_client(const struct net_client *client, struct ban_target *target)
{
    struct host_port place;
    *target = (struct ban_target){0};
    return host_port_parse(client->address, SIZE_MAX, &place) && parse_address(place.host, target);
}

void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES])
{
    char host[INET6_ADDRSTRLEN] = "";
    if (target->key[0]) {
        snprintf(text, BAN_TARGET_BYTES, "%s", target->key);
        return;
    }
    bool ipv4 = is_ipv4(target);
    uint32_t bits = target->prefix_bits - (ipv4 ? MAPPED_BITS : 0);
    inet_ntop(ipv4 ? AF_INET : AF_INET6, target->prefix + (ipv4 ? sizeof MAPPED : 0), host, sizeof host);
    if (ipv4 && bits == 32)
        snprintf(text, BAN_TARGET_BYTES, "%s", host);
    else
        snprintf(text, BAN_TARGET_BYTES, "%s/%u", host, bits);
}

bool ban_target_equal(const struct ban_target *a, const struct ban_target *b)
{
    return strcmp(a->key, b->key) == 0 && a->prefix_bits == b->prefix_bits &&
           memcmp(a->prefix, b->prefix, sizeof a->prefix) == 0;
}

bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct ban_target *address)
{
    if (target->key[0])
        return strcmp(target->key, fingerprint) == 0;
    if (!address)
        return false;
    uint8_t prefix[16];
    memcpy(prefix, address->prefix, sizeof prefix);
    cut(prefix, target->prefix_bits);
    return memcmp(prefix, target->prefix, sizeof prefix) == 0;
}

bool ban_time_parse(const char *word, int64_t now, int64_t *until)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 7 * 86400}};
    char *end;
    if (strcmp(word, "forever") == 0 || strcmp(word, "never") == 0) {
        *until = BAN_FOREVER;
        return true;
    }
    if (word[0] < '0' || word[0] > '9')
        return false;
    long value = strtol(word, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (end[0] != units[i].unit || end[1] != 0 || value == 0)
            continue;
        *until = value > BAN_SECONDS_MAX / units[i].seconds ? BAN_FOREVER : now + value * units[i].seconds;
        return true;
    }
    return false;
}

void ban_time_text(int64_t until, char text[BAN_TIME_BYTES])
{
    if (until == BAN_FOREVER || !clock_date_utc(until, "%Y-%m-%dT%H:%M:%SZ", text, BAN_TIME_BYTES))
        strcpy(text, "never");
}

bool ban_time_read(const char *text, int64_t *until)
{
    struct tm parts = {0};
    if (strcmp(text, "never") == 0) {
        *until = BAN_FOREVER;
        return true;
    }
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (!end || *end || strlen(text) != 20)
        return false;
    *until = (int64_t)timegm(&parts);
    return true;
}
