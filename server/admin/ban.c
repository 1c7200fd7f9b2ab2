// SPDX-License-Identifier: MIT
#include "ban.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/host_port.h"

#define BAN_SECONDS_MAX ((int64_t)10 * 366 * 86400) // longer is forever

_Static_assert(BAN_TARGET_BYTES >= ADDRESS_RANGE_TEXT_BYTES, "a range fits");

bool ban_target_parse(const char *text, struct ban_target *target)
{
    *target = (struct ban_target){0};
    if (identity_fingerprint_is_valid(text)) {
        strcpy(target->key, text);
        return true;
    }
    if (!address_range_parse(text, &target->addresses))
        return false;
    bool ipv4 = address_range_is_ipv4(&target->addresses);
    return target->addresses.bits >=
           (ipv4 ? ADDRESS_RANGE_BITS_IPV4 + BAN_PREFIX_BITS_MIN_IPV4 : BAN_PREFIX_BITS_MIN_IPV6);
}

bool ban_target_from_client(const struct net_client *client, struct ban_target *target)
{
    struct host_port place;
    *target = (struct ban_target){0};
    return host_port_parse(client->address, SIZE_MAX, &place) &&
           address_range_parse_address(place.host, &target->addresses);
}

void ban_target_text(const struct ban_target *target, char text[BAN_TARGET_BYTES])
{
    if (target->key[0])
        snprintf(text, BAN_TARGET_BYTES, "%s", target->key);
    else
        address_range_text(&target->addresses, text);
}

bool ban_target_equal(const struct ban_target *a, const struct ban_target *b)
{
    return strcmp(a->key, b->key) == 0 && a->addresses.bits == b->addresses.bits &&
           memcmp(a->addresses.prefix, b->addresses.prefix, sizeof a->addresses.prefix) == 0;
}

bool ban_target_means(const struct ban_target *target, const char *fingerprint, const struct ban_target *address)
{
    if (target->key[0])
        return strcmp(target->key, fingerprint) == 0;
    return address && address_range_contains(&target->addresses, &address->addresses);
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
