// SPDX-License-Identifier: MIT
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "game/gift.h"
#include "game/input.h"
#include "game/map/map_blob.h"
#include "protocol_page.h"
#include "sync/world.h"
#include "wire/message.h"
#include "wire/replay.h"
#include "wire/snapshot.h"

TEST(protocol_md_is_of_this_version)
{
    char text[64];
    snprintf(text, sizeof text, "Version **%u** (`PROTOCOL_VERSION`)", PROTOCOL_VERSION);
    protocol_page_after(protocol_page(), text);
    snprintf(text, sizeof text, "`D` `F` `R`, `u8` format version %d,", REPLAY_FORMAT);
    protocol_page_after(protocol_page(), text);
    snprintf(text, sizeof text, "{\"deadfall\": \"live\", \"protocol\": %u, \"format\": %d,", PROTOCOL_VERSION,
             REPLAY_FORMAT);
    protocol_page_after(protocol_page(), text);
}

TEST(protocol_md_names_the_kinds_of_messages_in_order)
{
    static const char *const names[] = {"join",   "ready",     "input",     "welcome", "deny", "map part", "snapshot",
                                        "system", "chat send", "chat line", "vote",    "hats", "vouch",    "trusted",
                                        "show",   "tags",      "record",    "leave",   "seats"};
    assert_int_equal(COUNT_OF(names), MESSAGE_KINDS - 1);
    const char *place = protocol_page();
    for (unsigned kind = MESSAGE_JOIN; kind < MESSAGE_KINDS; kind++) {
        char text[128];
        snprintf(text, sizeof text, "\n| %u | %s |", kind, names[kind - 1]);
        place = protocol_page_after(place, text);
        snprintf(text, sizeof text, "\n### Layout `%s`\n\n| bits | field | how often | values |\n|---|---|---|---|\n",
                 names[kind - 1]);
        protocol_page_after(protocol_page(), text);
        snprintf(text, sizeof text, "\n| `u8` | kind |  | %u |\n", kind);
        protocol_page_after(protocol_page(), text);
    }
}

TEST(protocol_md_has_the_field_tables_of_the_code)
{
    static const char *const kinds[] = {
        [REPLICATION_UNSIGNED] = "unsigned", [REPLICATION_SIGNED] = "signed", [REPLICATION_TICK] = "tick"};
    const char *place = protocol_page();
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        char text[160];
        snprintf(text, sizeof text, "\n### Table `%s`\n", table->name);
        place = protocol_page_after(place, text);
        snprintf(text, sizeof text, "; capacity %u.\n\n| field | kind | bits | delta |\n|---|---|--:|--:|\n",
                 table->capacity);
        place = protocol_page_after(place, text);
        for (uint32_t f = 0; f < table->field_count; f++) {
            const struct replication_field *field = &table->fields[f];
            snprintf(text, sizeof text, "| %s | %s | %u | %u |\n", field->name, kinds[field->kind], field->bits,
                     field->delta_bits);
            if (strncmp(place, text, strlen(text)) != 0)
                fail_msg("table %s: PROTOCOL.md lacks the row %s", table->name, text);
            place += strlen(text);
        }
        assert_int_equal(*place, '\n'); // no more rows
    }
    assert_null(strstr(place, "### Table"));
}

TEST(protocol_md_has_the_gifts_of_the_code)
{
    const char *place = protocol_page_after(protocol_page(), "\n| gift | name in maps | weight |\n|--:|---|--:|\n");
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
        char text[80];
        snprintf(text, sizeof text, "| %u | %s | %u |\n", gift, GIFT_TABLE[gift].name, GIFT_TABLE[gift].weight);
        if (strncmp(place, text, strlen(text)) != 0)
            fail_msg("PROTOCOL.md lacks the row %s", text);
        place += strlen(text);
    }
    assert_int_equal(*place, '\n'); // no more rows
    char text[80];
    snprintf(text, sizeof text, "\n| `u3` | gift | if `rolls` | 0 to %u |\n", MAP_GIFTS - 1);
    protocol_page_after(protocol_page(), text);
}

TEST(protocol_md_has_the_model_of_the_code)
{
    const char *place = protocol_page_after(protocol_page(), "| from | model |\n|--:|---|\n");
    for (uint32_t i = 0; i < COUNT_OF(INPUT_LOG_MODEL); i++) {
        char text[48];
        if (i % 8 == 0)
            snprintf(text, sizeof text, "%s| %u | %u", i ? " |\n" : "", i, INPUT_LOG_MODEL[i]);
        else
            snprintf(text, sizeof text, " %u", INPUT_LOG_MODEL[i]);
        if (strncmp(place, text, strlen(text)) != 0)
            fail_msg("PROTOCOL.md lacks '%s' in the model", text);
        place += strlen(text);
    }
    assert_memory_equal(place, " |\n\n", 4);
}

TEST(protocol_md_has_the_limits_of_the_code)
{
    static const struct {
        const char *words;
        uint32_t value;
    } rows[] = {
        /* 1 */ {"A message is at most %u,%03u bytes", MESSAGE_BYTES_MAX},
        /* 2 */ {"| bytes of its blob |  | 1 to %u,%03u |", MAP_BLOB_BYTES_MAX},
        /* 3 */ {"A body of either kind has at most %u,%03u bytes", SNAPSHOT_BODY_BYTES_MAX},
        /* 4 */ {"bytes of the payload, at most %u,%03u", REPLAY_RECORD_BYTES_MAX - 8},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[80];
        snprintf(text, sizeof text, rows[i].words, rows[i].value / 1000, rows[i].value % 1000);
        protocol_page_after(protocol_page(), text);
    }
}
