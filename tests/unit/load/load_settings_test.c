// SPDX-License-Identifier: MIT
//
// Tests the command line of the load test: the setting of each option, its unit, its limits and its errors.
#include "unit.h"

#include <unistd.h>

#include "game/ai/ai.h"
#include "load/settings.h"
#include "load/swarm.h"

#define KEY "abcdefghijklmnopqrstuvwxyz234567"

static struct settings settings;
static char said[4000]; // the text on standard error
static int code;

// Reads a command line of up to six arguments; the last is null.
static bool reads(char **arguments)
{
    static char *argv[12];
    int argc = 1, kept = dup(STDERR_FILENO);
    argv[0] = (char *)(uintptr_t) "deadfall-bots";
    for (; arguments[argc - 1]; argc++)
        argv[argc] = arguments[argc - 1];
    argv[argc] = NULL;
    FILE *file = tmpfile();
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    memset(&settings, 0, sizeof settings);
    code = -1;
    bool good = settings_read(&settings, argc, argv, &code);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = 0;
    fclose(file);
    return good;
}

#define READS(...) reads((char *[]){__VA_ARGS__, NULL})

TEST(without_options_the_load_test_runs_here_for_a_minute)
{
    assert_true(reads((char *[]){NULL}));
    assert_string_equal(settings.host, "127.0.0.1");
    assert_int_equal(settings.port, 27440);
    assert_string_equal(settings.route.fingerprint, "");
    assert_string_equal(settings.password, "");
    assert_string_equal(settings.given.name, "bot");
    assert_string_equal(settings.given.say, "");
    assert_string_equal(settings.given.json, "");
    assert_string_equal(settings.given.csv, "");
    assert_string_equal(settings.given.html, "");
    assert_string_equal(settings.given.server_metrics, "");
    assert_int_equal(settings.count, 16);
    assert_int_equal(settings.verify, 1);
    assert_int_equal(settings.given.interval_ms, 1000);
    assert_int_equal(settings.given.seed, 1);
    assert_int_equal(settings.given.skill, SKILL_NORMAL);
    assert_int_equal(settings.given.thresholds.count, 0);
    assert_int_equal(settings.mix.shares[BEHAVIOUR_PLAY], 1);
    assert_false(settings.given.fail_fast || settings.given.scoreboard || settings.given.reconnect);
    assert_int_equal(workload_stages_duration_us(&settings.stages), 60000000);
    assert_int_equal(workload_stages_wanted(&settings.stages, 99999), 5); // 50 a second
    assert_int_equal(workload_stages_wanted(&settings.stages, 100000), 6);
    assert_int_equal(settings.impairment.delay_us, 0);
}

TEST(every_option_reaches_its_own_setting)
{
    assert_true(READS("--name=Ada", "--say=hello", "--json=a.json", "--csv=b.csv", "--html=c.html",
                      "--server-metrics=127.0.0.1:9464"));
    assert_string_equal(settings.given.name, "Ada");
    assert_string_equal(settings.given.say, "hello");
    assert_string_equal(settings.given.json, "a.json");
    assert_string_equal(settings.given.csv, "b.csv");
    assert_string_equal(settings.given.html, "c.html");
    assert_string_equal(settings.given.server_metrics, "127.0.0.1:9464");
    assert_true(READS("--fail-fast"));
    assert_true(settings.given.fail_fast && !settings.given.scoreboard && !settings.given.reconnect);
    assert_true(READS("--scoreboard"));
    assert_true(settings.given.scoreboard && !settings.given.fail_fast && !settings.given.reconnect);
    assert_true(READS("--reconnect"));
    assert_true(settings.given.reconnect && !settings.given.fail_fast && !settings.given.scoreboard);
    assert_true(READS("--count=7", "--verify=3", "--spawn-rate=2", "--seed=9", "--duration=5s", "--interval=250ms"));
    assert_int_equal(settings.count, 7);
    assert_int_equal(settings.verify, 3);
    assert_int_equal(workload_stages_wanted(&settings.stages, 499999), 1); // two a second
    assert_int_equal(workload_stages_wanted(&settings.stages, 500000), 2);
    assert_int_equal(settings.given.seed, 9);
    assert_int_equal(settings.given.interval_ms, 250);
    assert_int_equal(workload_stages_duration_us(&settings.stages), 5000000);
    assert_true(READS("--behaviour=flood"));
    assert_true(READS("--behaviour=flood", "--server=[::1]:5"));
    assert_true(READS("--behaviour=slow-reader", "--server=192.0.2.1:27440"));
    assert_true(READS("--net=delay=50ms,loss=5%", "--behaviour=idle:2,churn"));
    assert_int_equal(settings.impairment.delay_us, 50000);
    assert_int_equal(settings.impairment.loss_ppm, 50000);
    assert_int_equal(settings.mix.shares[BEHAVIOUR_IDLE], 2);
    assert_int_equal(settings.mix.shares[BEHAVIOUR_CHURN], 1);
    assert_true(READS("--threshold=desyncs<1", "--threshold=rtt_p99<=50ms"));
    assert_int_equal(settings.given.thresholds.count, 2);
    assert_string_equal(settings.thresholds[0].metric->name, "desyncs");
    assert_string_equal(settings.thresholds[1].metric->name, "rtt_ms");
    assert_true(settings.thresholds[1].or_equal && settings.thresholds[1].limit == 50);
}

TEST(skills_have_the_names_of_the_ai)
{
    for (uint32_t skill = 0; skill < SKILLS; skill++) {
        char argument[40];
        snprintf(argument, sizeof argument, "--skill=%s", ai_skill_name((enum skill)skill));
        assert_true(READS(argument));
        assert_int_equal(settings.given.skill, skill);
    }
}

TEST(numbers_and_durations_have_their_limits)
{
    static const struct {
        const char *option, *least, *below, *most, *above;
    } rows[] = {
        {"--count", "1", "0", "1024", "1025"},
        {"--verify", "0", "-1", "1024", "1025"},
        {"--spawn-rate", "1", "0", "10000", "10001"},
        {"--seed", "0", "-1", "4294967295", "4294967296"},
        {"--interval", "100ms", "99ms", "1h", "3600001ms"},
        {"--duration", "1s", "999ms", "24h", "86400001ms"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *const values[] = {rows[i].least, rows[i].most, rows[i].below, rows[i].above};
        for (size_t k = 0; k < 4; k++) {
            char argument[60];
            snprintf(argument, sizeof argument, "%s=%s", rows[i].option, values[k]);
            bool good = READS(argument);
            if (good != (k < 2))
                fail_msg("%s: %s", argument, said);
            if (!good &&
                (code != EXIT_USAGE || strncmp(said, "deadfall-bots: ", 15) != 0 || !strstr(said, rows[i].option + 2)))
                fail_msg("%s: exit %d, %s", argument, code, said);
        }
    }
}

TEST(a_server_is_a_host_a_port_and_a_key)
{
    static const struct {
        const char *text, *host; // null: refused
        uint16_t port;
        const char *fingerprint;
    } rows[] = {
        /*  1 */ {"example.org", "example.org", 27440, ""},
        /*  2 */ {"example.org:1", "example.org", 1, ""},
        /*  3 */ {"example.org:65535", "example.org", 65535, ""},
        /*  4 */ {"example.org:65536", NULL, 0, NULL},
        /*  5 */ {"example.org:0", NULL, 0, NULL},
        /*  6 */ {"example.org:", NULL, 0, NULL},
        /*  7 */ {"example.org:-1", NULL, 0, NULL},
        /*  8 */ {"example.org:+1", NULL, 0, NULL},
        /*  9 */ {"example.org:5x", NULL, 0, NULL},
        /* 10 */ {":5", NULL, 0, NULL},
        /* 11 */ {"", NULL, 0, NULL},
        /* 12 */ {"2001:db8::1", "2001:db8::1", 27440, ""},
        /* 13 */ {"[2001:db8::1]", "2001:db8::1", 27440, ""},
        /* 14 */ {"[2001:db8::1]:9", "2001:db8::1", 9, ""},
        /* 15 */ {"192.0.2.1:7#" KEY, "192.0.2.1", 7, KEY},
        /* 16 */ {"192.0.2.1#" KEY "@[2001:db8::1]:8", "192.0.2.1", 27440, KEY},
        /* 17 */ {"#" KEY, NULL, 0, NULL},
        /* 18 */ {"192.0.2.1:7#abc", NULL, 0, NULL},
        /* 19 */ {"192.0.2.1:7#" KEY "@d.example.org", NULL, 0, NULL},
        /* 20 */ {"192.0.2.1:7#" KEY "@d.example.org:0", NULL, 0, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char argument[120], expected[240];
        snprintf(argument, sizeof argument, "--server=%s", rows[i].text);
        snprintf(
            expected, sizeof expected,
            "deadfall-bots: --server '%s': write HOST:PORT, HOST:PORT#KEY or HOST:PORT#KEY@DIRECTORY:PORT, with ports "
            "from 1 to 65535\n",
            rows[i].text);
        bool good = READS(argument);
        if (good != (rows[i].host != NULL))
            fail_msg("row %zu: %s", i + 1, said);
        if (good && (strcmp(settings.host, rows[i].host) != 0 || settings.port != rows[i].port ||
                     strcmp(settings.route.fingerprint, rows[i].fingerprint) != 0))
            fail_msg("row %zu: '%s' %u '%s'", i + 1, settings.host, settings.port, settings.route.fingerprint);
        if (!good && (code != EXIT_USAGE || strcmp(said, expected) != 0))
            fail_msg("row %zu: exit %d, %s", i + 1, code, said);
    }
}

TEST(stages_replace_a_steady_count)
{
    assert_true(READS("--count=3", "--stages=10:5s,20:2m", "--verify=30"));
    assert_int_equal(settings.count, 20);
    assert_int_equal(settings.verify, 20); // no more than there are
    assert_int_equal(workload_stages_duration_us(&settings.stages), 125000000);
    assert_true(READS("--stages=1024:5s"));
    assert_true(READS("--count=5", "--verify=5"));
    assert_int_equal(settings.verify, 5);
}

TEST(a_wrong_value_is_refused_with_an_error)
{
    static const struct {
        const char *first, *second;
        const char *text;
    } rows[] = {
        /* 1 */ {"--scoreboard", "--verify=0", "--scoreboard needs a full client: write --verify 1 or more"},
        /* 2 */
        {"--stages=1025:5s", "--count=1",
         "--stages '1025:5s': write COUNT:TIME,COUNT:TIME as in 10:30s,100:60s, up to 1024 clients and 24h each"},
        /* 3 */
        {"--behaviour=dance", "--count=1",
         "--behaviour 'dance': write play, idle, churn, flood or slow-reader, or shares as in play:8,churn:2"},
        /* 4 */
        {"--threshold=rtt<5", "--count=1",
         "threshold 'rtt<5': say which value of it: _p50, _p90, _p95, _p99, _p99.9 or _max"},
        /* 5 */
        {"--threshold=desyncs<1", "--threshold=quick<1",
         "threshold 'quick<1': there is no such metric, --help lists them"},
        /* 6 */
        {"--behaviour=flood", "--server=192.0.2.1:27440",
         "--behaviour flood: works only with a server on this machine, not '192.0.2.1:27440'; "
         "write --server 127.0.0.1:PORT"},
        /* 7 */
        {"--behaviour=play:99,flood", "--server=[2001:db8::1]",
         "--behaviour flood: works only with a server on this machine, not '[2001:db8::1]'; "
         "write --server 127.0.0.1:PORT"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char first[80], second[80], expected[300];
        snprintf(first, sizeof first, "%s", rows[i].first);
        snprintf(second, sizeof second, "%s", rows[i].second);
        snprintf(expected, sizeof expected, "deadfall-bots: %s\n", rows[i].text);
        if (READS(first, second) || code != EXIT_USAGE || strcmp(said, expected) != 0)
            fail_msg("row %zu: exit %d, %s", i + 1, code, said);
    }
    assert_false(READS("--net=loss=200%"));
    assert_int_equal(code, EXIT_USAGE);
    assert_memory_equal(said, "deadfall-bots: --net: ", 22);
    assert_false(READS("--password-file=/nowhere/password"));
    assert_int_equal(code, EXIT_USAGE);
    assert_non_null(strstr(said, "/nowhere/password"));
    assert_false(READS("--page=x"));
    assert_int_equal(code, EXIT_USAGE);
}

TEST(the_password_is_the_first_line_of_its_file)
{
    char path[] = "/tmp/bots_settings_XXXXXX", argument[60];
    int file = mkstemp(path);
    assert_int_equal(write(file, "sesame\nmore\n", 12), 12);
    close(file);
    snprintf(argument, sizeof argument, "--password-file=%s", path);
    bool good = READS(argument);
    unlink(path);
    assert_true(good);
    assert_string_equal(settings.password, "sesame");
}
