// SPDX-License-Identifier: MIT
//
// Every option of the server: its default, its unit, both edges of its range, and which may change while it runs.
#include "game/variant.h"
#include "lifecycle/settings.h"

#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "lifecycle/rotation.h"
#include "test.h"

#define KEY "abcdefghijklmnopqrstuvwxyz234567"

static struct settings settings;
static struct error error;

static char *no_environment(const char *name)
{
    (void)name;
    return NULL;
}

static void read_defaults(void)
{
    struct options_result result;
    char program[] = "deadfall-server", *words[] = {program, NULL};
    memset(&settings, 0, sizeof settings);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 1, words, no_environment, stdout, &result), OPTIONS_RUN);
}

EACH_TEST(read_defaults, NULL);

TEST(every_option_describes_itself_and_its_value)
{
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++) {
        const struct option *option = &SERVER_PROGRAM.options[i];
        bool has_value = option->kind != OPTION_FLAG && option->kind != OPTION_CHOICE;
        bool is_range = option->kind == OPTION_NUMBER || option->kind == OPTION_DURATION;
        if (!option->help || strlen(option->help) < 10 || (option->value != NULL) != has_value ||
            (option->choices != NULL) != (option->kind == OPTION_CHOICE) || (is_range && option->most <= option->least))
            fail_msg("--%s", option->name);
    }
}

TEST(without_options_the_defaults_hold)
{
    int64_t found[] = {settings.port,          settings.players_max,   settings.bots,          settings.duration_ms,
                       settings.score_limit,   settings.time_limit_ms, settings.seed,          settings.mode,
                       settings.friendly_fire, settings.bot_skill,     settings.snapshot_rate, settings.agones,
                       settings.resume,        settings.records,       settings.log_level,     settings.log_format,
                       settings.healthcheck};
    int64_t wanted[] = {27440,        16, 0,           0,           -1,         600000,   -1,       MODE_FFA, 0,
                        SKILL_NORMAL, 0,  AGONES_AUTO, RESUME_AUTO, RECORDS_ON, LOG_INFO, LOG_TEXT, 0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (found[i] != wanted[i])
            fail_msg("row %zu: %lld", i, (long long)found[i]);
    assert_string_equal(settings.bind, "0.0.0.0");
    assert_string_equal(settings.map, "foundry");
    assert_string_equal(settings.name, "Deadfall");
    assert_string_equal(settings.record, "off");
    assert_string_equal(settings.metrics, "off");
    assert_string_equal(settings.password_file, "");
    assert_string_equal(settings.admin_socket, "auto");
    assert_string_equal(settings.state_dir, "");
    assert_int_equal(settings.rotation.count, 0);
    assert_int_equal(settings.admin_keys.count, 0);
}

// The number that a text sets a field to; INT64_MIN if it is refused.
struct row {
    const char *name, *value;
    size_t offset, bytes;
    int64_t wanted;
};
#define ROW(name, value, field, wanted)                                                                                \
    {                                                                                                                  \
        name, value, offsetof(struct settings, field), sizeof(((struct settings *)0)->field), wanted                   \
    }
#define REFUSED(name, value)                                                                                           \
    {                                                                                                                  \
        name, value, 0, 0, INT64_MIN                                                                                   \
    }

TEST(each_option_has_its_unit_and_its_range)
{
    static const struct row rows[] = {
        ROW("port", "0", port, 0),
        ROW("port", "65535", port, 65535),
        REFUSED("port", "65536"),
        REFUSED("port", "-1"),
        ROW("max-players", "1", players_max, 1),
        ROW("max-players", "256", players_max, 256),
        REFUSED("max-players", "0"),
        REFUSED("max-players", "257"),
        ROW("bots", "0", bots, 0),
        ROW("bots", "256", bots, 256),
        REFUSED("bots", "257"),
        REFUSED("bots", "-1"),
        ROW("duration", "0", duration_ms, 0),
        ROW("duration", "1s", duration_ms, 1000),
        ROW("duration", "2m", duration_ms, 120000),
        ROW("duration", "3h", duration_ms, 10800000),
        ROW("duration", "720h", duration_ms, 2592000000),
        REFUSED("duration", "721h"),
        REFUSED("duration", "1y"),
        ROW("score-limit", "-1", score_limit, -1),
        ROW("score-limit", "0", score_limit, 0),
        ROW("score-limit", "10000", score_limit, 10000),
        REFUSED("score-limit", "-2"),
        REFUSED("score-limit", "10001"),
        ROW("time-limit", "0", time_limit_ms, 0),
        ROW("time-limit", "90s", time_limit_ms, 90000),
        ROW("time-limit", "24h", time_limit_ms, 86400000),
        REFUSED("time-limit", "25h"),
        ROW("seed", "-1", seed, -1),
        ROW("seed", "4294967295", seed, 4294967295),
        REFUSED("seed", "4294967296"),
        REFUSED("seed", "-2"),
        ROW("mode", "ffa", mode, MODE_FFA),
        ROW("mode", "lms", mode, MODE_LMS),
        ROW("mode", "teams", mode, MODE_TEAMS),
        ROW("mode", "breakout", mode, MODE_BREAKOUT),
        REFUSED("mode", "chess"),
        ROW("bot-skill", "idle", bot_skill, SKILL_IDLE),
        ROW("bot-skill", "random", bot_skill, SKILL_RANDOM),
        ROW("bot-skill", "easy", bot_skill, SKILL_EASY),
        ROW("bot-skill", "normal", bot_skill, SKILL_NORMAL),
        ROW("bot-skill", "hard", bot_skill, SKILL_HARD),
        REFUSED("bot-skill", "god"),
        ROW("friendly-fire", "on", friendly_fire, 1),
        ROW("friendly-fire", "off", friendly_fire, 0),
        ROW("qr-code", "auto", qr_code, QR_CODE_AUTO),
        ROW("qr-code", "off", qr_code, QR_CODE_OFF),
        ROW("resume", "auto", resume, RESUME_AUTO),
        ROW("resume", "never", resume, RESUME_NEVER),
        ROW("records", "off", records, RECORDS_OFF),
        ROW("records", "on", records, RECORDS_ON),
        ROW("agones", "auto", agones, AGONES_AUTO),
        ROW("agones", "on", agones, AGONES_ON),
        ROW("agones", "off", agones, AGONES_OFF),
        ROW("log-level", "error", log_level, LOG_ERROR),
        ROW("log-level", "warning", log_level, LOG_WARNING),
        ROW("log-level", "info", log_level, LOG_INFO),
        ROW("log-level", "debug", log_level, LOG_DEBUG),
        ROW("log-format", "text", log_format, LOG_TEXT),
        ROW("log-format", "json", log_format, LOG_JSON),
        ROW("healthcheck", "on", healthcheck, 1),
        REFUSED("snapshot-rate", "59"),
        REFUSED("no-such-option", "1"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        int64_t found = 0;
        read_defaults();
        bool good = options_set(&SERVER_PROGRAM, &settings, row->name, row->value, &error);
        memcpy(&found, (const char *)&settings + row->offset, row->bytes);
        if (good != (row->wanted != INT64_MIN) || (good && row->bytes == 8 && found != row->wanted) ||
            (good && row->bytes < 8 && found != (row->wanted & 0xFFFFFFFF)))
            fail_msg("row %zu, --%s %s: %lld", i, row->name, row->value, (long long)found);
    }
}

TEST(the_snapshot_rate_is_the_given_number)
{
    static const char *const names[] = {"60", "30", "20"};
    static const uint32_t rates[] = {60, 30, 20};
    for (size_t i = 0; i < 3; i++) {
        assert_true(options_set(&SERVER_PROGRAM, &settings, "snapshot-rate", names[i], &error));
        assert_int_equal(SNAPSHOT_RATES[settings.snapshot_rate], rates[i]);
    }
}

TEST(texts_and_lists_are_stored_in_their_own_fields)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {{"bind", offsetof(struct settings, bind)},
                {"map", offsetof(struct settings, map)},
                {"name", offsetof(struct settings, name)},
                {"record", offsetof(struct settings, record)},
                {"metrics", offsetof(struct settings, metrics)},
                {"page", offsetof(struct settings, page)},
                {"page-folder", offsetof(struct settings, page_folder)},
                {"password-file", offsetof(struct settings, password_file)},
                {"admin-socket", offsetof(struct settings, admin_socket)},
                {"state-dir", offsetof(struct settings, state_dir)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].name, rows[i].name, &error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal((const char *)&settings + rows[i].offset, rows[i].name);
    assert_true(options_set(&SERVER_PROGRAM, &settings, "rotation", "duel,foundry", &error));
    assert_true(options_set(&SERVER_PROGRAM, &settings, "admin-key", KEY, &error));
    assert_int_equal(settings.rotation.count, 2);
    assert_string_equal(settings.rotation.values[1], "foundry");
    assert_int_equal(settings.admin_keys.count, 1);
    assert_string_equal(settings.admin_keys.values[0], KEY);
}

TEST(only_these_options_may_change_while_the_server_runs)
{
    static const struct {
        const char *key, *value;
        bool live;
    } rows[] = {{"port", "1", false},
                {"bind", "::", false},
                {"map", "duel", false},
                {"rotation", "duel", true},
                {"mode", "lms", false},
                {"max-players", "3", false},
                {"bots", "3", true},
                {"bot-skill", "hard", true},
                {"name", "x", true},
                {"snapshot-rate", "30", false},
                {"announce", "http://x", false},
                {"region", "eu", false},
                {"port-mapping", "on", false},
                {"print-invitations", "on", false},
                {"qr-code", "off", false},
                {"web", "on", false},
                {"record", "x", false},
                {"publish", "x", false},
                {"publish-delay", "1s", false},
                {"publish-url", "http://x/", false},
                {"resume", "never", false},
                {"records", "off", false},
                {"trust", KEY, false},
                {"agones", "on", false},
                {"metrics", "127.0.0.1:1", false},
                {"page", "127.0.0.1:1", false},
                {"page-folder", "x", false},
                {"password-file", "x", true},
                {"state-dir", "x", false},
                {"admin-socket", "x", false},
                {"admin-key", KEY, true},
                {"household-players", "3", true},
                {"household-lan", "limited", true},
                {"household-exempt", "192.0.2.7", true},
                {"record-keep", "200", true},
                {"duration", "1s", false},
                {"drain", "1s", true},
                {"run-empty", "on", true},
                {"score-limit", "3", true},
                {"time-limit", "1s", true},
                {"friendly-fire", "on", true},
                {"handicaps", "on", false},
                {"variants", "ice", true},
                {"seed", "3", true},
                {"log-level", "debug", true},
                {"log-format", "json", true},
                {"healthcheck", "on", false}};
    static struct settings fresh;
    char wanted[200], answer[ERROR_TEXT_BYTES];
    assert_int_equal(sizeof rows / sizeof *rows, SERVER_PROGRAM.option_count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_defaults();
        fresh = settings;
        bool set = settings_set(&fresh, rows[i].key, rows[i].value, &error);
        if (set != rows[i].live || (!set && !strstr(error.text, "changes only by a restart")))
            fail_msg("%s: %s", rows[i].key, error.text);
        struct settings_changes changes = {0};
        settings_adopt(&settings, &fresh, &changes);
        settings_changes_text(&changes, answer, sizeof answer);
        snprintf(wanted, sizeof wanted, "changed: %s; only a restart changes: %s", set ? rows[i].key : "nothing",
                 set ? "nothing" : rows[i].key);
        assert_string_equal(answer, wanted);
        assert_int_equal(memcmp(&settings, &fresh, sizeof settings) == 0, set);
    }
    read_defaults();
    assert_false(settings_set(&settings, "nonsense", "1", &error));
    assert_non_null(strstr(error.text, "nonsense"));
    assert_false(settings_set(&settings, "bots", "many", &error));
    assert_null(strstr(error.text, "restart"));
}

TEST(settings_become_rules_of_households)
{
    struct household_rules rules = settings_household_rules(&settings);
    assert_int_equal(rules.players_max, 8);
    assert_false(rules.limits_lan);
    assert_int_equal(rules.exempt_count, 0);
    assert_true(settings_set(&settings, "household-players", "3", &error));
    assert_true(settings_set(&settings, "household-lan", "limited", &error));
    assert_true(settings_set(&settings, "household-exempt", "192.0.2.7, 2001:db8::/48", &error));
    rules = settings_household_rules(&settings);
    assert_int_equal(rules.players_max, 3);
    assert_true(rules.limits_lan);
    assert_int_equal(rules.exempt_count, 2);
    assert_int_equal(rules.exempt[1].prefix, 0x0620010db8000000);
}

static size_t row_of(const char *name)
{
    for (size_t i = 0; i < SERVER_PROGRAM.option_count; i++)
        if (strcmp(SERVER_PROGRAM.options[i].name, name) == 0)
            return i;
    fail_msg("no option %s", name);
    return 0;
}

TEST(a_contradiction_names_where_the_value_came_from)
{
    static const struct {
        const char *key, *value, *key2, *value2, *given;
        int code; // EXIT_OK: accepted
    } rows[] = {
        /* 0 */ {"bots", "16", NULL, NULL, NULL, EXIT_OK},
        /* 1 */ {"bots", "17", NULL, NULL, "bots", EXIT_USAGE},
        /* 2 */ {"bots", "4", "max-players", "3", "max-players", EXIT_USAGE},
        /* 3 */ {"bots", "4", "max-players", "3", "port", EXIT_CONFIG},
        /* 3a */ {"bots", "17", NULL, NULL, NULL, EXIT_CONFIG},
        /* 3b */ {"max-players", "256", "bots", "256", NULL, EXIT_OK},
        /* 3c */ {"friendly-fire", "on", "mode", "teams", NULL, EXIT_OK},
        /* 4 */ {"record", "", NULL, NULL, "record", EXIT_USAGE},
        /* 4a */ {"record", "", NULL, NULL, NULL, EXIT_CONFIG},
        /* 4b */ {"record", "x", NULL, NULL, NULL, EXIT_OK},
        /* 5 */ {"healthcheck", "on", NULL, NULL, NULL, EXIT_CONFIG},
        /* 6 */ {"healthcheck", "on", NULL, NULL, "healthcheck", EXIT_OK},
        /* 7 */ {"healthcheck", "on", "port", "0", "healthcheck", EXIT_USAGE},
        /* 8 */ {"metrics", "127.0.0.1:0", NULL, NULL, NULL, EXIT_OK},
        /* 9 */ {"metrics", "127.0.0.1:65535", NULL, NULL, NULL, EXIT_OK},
        /* 10 */ {"metrics", "127.0.0.1:65536", NULL, NULL, "metrics", EXIT_USAGE},
        /* 11 */ {"metrics", "localhost:80", NULL, NULL, NULL, EXIT_CONFIG},
        /* 12 */ {"metrics", "[::1]:80", NULL, NULL, NULL, EXIT_OK},
        /* 13 */ {"metrics", "[::1:80", NULL, NULL, NULL, EXIT_CONFIG},
        /* 14 */ {"metrics", "127.0.0.1:", NULL, NULL, NULL, EXIT_CONFIG},
        /* 15 */ {"metrics", ":80", NULL, NULL, NULL, EXIT_CONFIG},
        /* 16 */ {"metrics", "127.0.0.1:-1", NULL, NULL, NULL, EXIT_CONFIG},
        /* 17 */ {"metrics", "127.0.0.1:+1", NULL, NULL, NULL, EXIT_CONFIG},
        /* 18 */ {"metrics", "127.0.0.1:8x", NULL, NULL, NULL, EXIT_CONFIG},
        /* 18a */ {"metrics", "127.0.0.1:-18446744073709551615", NULL, NULL, NULL, EXIT_CONFIG},
        /* 18b */ {"page", "0.0.0.0:0", NULL, NULL, NULL, EXIT_OK},
        /* 18c */ {"page", "", NULL, NULL, "page", EXIT_USAGE},
        /* 18d */ {"page", "8080", NULL, NULL, NULL, EXIT_CONFIG},
        /* 18e */ {"page", "example.org:80", NULL, NULL, "page", EXIT_USAGE},
        /* 18f */ {"page-folder", "x", NULL, NULL, "page-folder", EXIT_USAGE},
        /* 18g */ {"page-folder", "x", NULL, NULL, NULL, EXIT_CONFIG},
        /* 18h */ {"page-folder", "x", "page", "[::]:80", NULL, EXIT_OK},
        /* 19 */ {"admin-socket", "", NULL, NULL, "admin-socket", EXIT_USAGE},
        /* 20 */ {"admin-key", KEY, NULL, NULL, NULL, EXIT_OK},
        /* 21 */ {"admin-key", "abc", NULL, NULL, NULL, EXIT_CONFIG},
        /* 22 */ {"household-exempt", "192.0.2.7,2001:db8::/48", NULL, NULL, NULL, EXIT_OK},
        /* 23 */ {"household-exempt", "192.0.2.7,home", NULL, NULL, "household-exempt", EXIT_USAGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read_defaults();
        assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].key, rows[i].value, &error));
        if (rows[i].key2)
            assert_true(options_set(&SERVER_PROGRAM, &settings, rows[i].key2, rows[i].value2, &error));
        struct options_result read = {.check_config = false};
        if (rows[i].given)
            read.given[row_of(rows[i].given)] = true;
        bool good = settings_validate(&settings, &read, &error);
        if ((good ? EXIT_OK : error.code) != rows[i].code)
            fail_msg("row %zu: %d, %s", i, error.code, good ? "well" : error.text);
        assert_true(good || strstr(error.text, rows[i].key));
    }
}

TEST(rules_are_made_of_the_settings)
{
    settings = (struct settings){.score_limit = 12,
                                 .friendly_fire = true,
                                 .bot_skill = SKILL_HARD,
                                 .time_limit_ms = 90500,
                                 .variants = {2, {"ice", "endless-arrows"}}};
    struct rules rules = rotation_rules(&settings, MODE_TEAMS, 77);
    assert_int_equal(rules.mode, MODE_TEAMS);
    assert_int_equal(rules.score_limit, 12);
    assert_int_equal(rules.friendly_fire, 1);
    assert_int_equal(rules.bot_skill, SKILL_HARD);
    assert_int_equal(rules.variants, 1u << VARIANT_ICE | 1u << VARIANT_ENDLESS_ARROWS);
    assert_int_equal(rules.time_limit_ticks, 5430);
    assert_int_equal(rules.seed, 77);
    settings.score_limit = 0;
    assert_int_equal(rotation_rules(&settings, MODE_FFA, 1).score_limit, 0);
    settings.score_limit = -1;
    assert_int_equal(rotation_rules(&settings, MODE_TEAMS, 1).score_limit, 30);
}
