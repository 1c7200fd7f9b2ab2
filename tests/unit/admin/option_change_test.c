// SPDX-License-Identifier: MIT
//
// Tests how options change while a server runs: one at a command, or all when they are read again. Without a worker
// that is done at once; with one, the changes wait for the disk one after another, and nobody waits for them.
#include "admin/option_change.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[40];
static struct admin_state admin;
static struct settings settings;
static struct log out;
static const struct option_change *newest;

static int64_t noon(void)
{
    return 1800000000;
}

static void begin(void)
{
    strcpy(folder, "/tmp/option_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
    settings = (struct settings){.resume = RESUME_AUTO};
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", folder);
    out = (struct log){.level = LOG_INFO};
    admin = (struct admin_state){.settings = &settings, .log = &out, .unix_time = noon};
}

static void end(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, end);

static void path_of(const char *file, char path[80])
{
    snprintf(path, 80, "%s/%s", folder, file);
}

static const struct option_change *reload(void)
{
    return newest = option_change_outcome(&admin, option_change_reload(&admin));
}

static const struct option_change *set(const char *key, const char *value)
{
    return newest = option_change_outcome(&admin, option_change_set(&admin, key, value));
}

static void write_config(const char *text)
{
    char path[80];
    path_of("server.conf", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// As SIGHUP does: the same command line, and the config file that it names as it is now.
TEST(a_reload_reads_the_config_again)
{
    char config[80], option[100], program[] = "deadfall-server";
    char *words[] = {program, option, NULL};
    struct options_result result;
    path_of("server.conf", config);
    snprintf(option, sizeof option, "--config=%s", config);
    write_config("bots = 1\n");
    memset(&settings, 0, sizeof settings);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 2, words, getenv, stdout, &result), OPTIONS_RUN);
    assert_int_equal(settings.bots, 1);
    admin.read = settings;
    admin.argc = 2;
    admin.argv = words;
    write_config("bots = 3\nport = 4000\nlog-level = debug\n");
    assert_true(reload()->done);
    assert_string_equal(newest->answer, "changed: bots, log-level; only a restart changes: port");
    assert_int_equal(settings.bots, 3);
    assert_int_equal(out.level, LOG_DEBUG);
    write_config("bots = many\n");
    assert_false(reload()->done);
    assert_non_null(strstr(newest->answer, "nothing changed: "));
    assert_int_equal(settings.bots, 3);
    write_config("bots = 17\n"); // more than --max-players
    assert_false(reload()->done);
    assert_non_null(strstr(newest->answer, "nothing changed: "));
    write_config("bots = 2\npassword-file = /nowhere/at/all\n");
    assert_false(reload()->done);
    assert_non_null(strstr(newest->answer, "/nowhere/at/all"));
    assert_int_equal(settings.bots, 3);
}

// What an admin set stays until somebody changes its line.
TEST(a_reload_undoes_nothing_silently)
{
    char config[80], option[100], program[] = "deadfall-server";
    char *words[] = {program, option, NULL};
    struct options_result result;
    path_of("server.conf", config);
    snprintf(option, sizeof option, "--config=%s", config);
    write_config("bots = 1\nbot-skill = easy\nname = One\n");
    memset(&settings, 0, sizeof settings);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 2, words, getenv, stdout, &result), OPTIONS_RUN);
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    admin.argc = 2;
    admin.argv = words;
    assert_true(set("bots", "5")->done);
    assert_true(set("bot-skill", "hard")->done);
    settings.resume = RESUME_AUTO;
    write_config("bots = 1\nbot-skill = normal\nname = Two\n");
    assert_true(reload()->done);
    assert_string_equal(newest->answer,
                        "changed: bot-skill, name; only a restart changes: nothing; kept as set: bots = 5, not 1; "
                        "no longer as set: bot-skill = normal, not hard");
    assert_string_equal(newest->changes.changed, "bot-skill, name");
    assert_string_equal(newest->changes.kept, "bots = 5, not 1");
    assert_string_equal(newest->changes.overridden, "bot-skill = normal, not hard");
    assert_int_equal(settings.bots, 5);
    write_config("bots = 17\nbot-skill = normal\nname = Two\n"); // more than --max-players: nothing is adopted
    assert_false(reload()->done);
    assert_string_equal(newest->changes.kept, "");
    write_config("bots = 1\nbot-skill = normal\nname = Two\n");
    assert_true(reload()->done);
    assert_string_equal(newest->answer,
                        "changed: nothing; only a restart changes: nothing; kept as set: bots = 5, not 1");
    write_config("bots = 2\nbot-skill = normal\nname = Two\n");
    assert_true(reload()->done);
    assert_string_equal(newest->answer,
                        "changed: bots; only a restart changes: nothing; no longer as set: bots = 2, not 5");
    assert_true(reload()->done);
    assert_string_equal(newest->answer, "changed: nothing; only a restart changes: nothing");
    assert_int_equal(settings.bots, 2);
}

// The config is a pipe, so reading it lasts until the test writes to it.
TEST(changes_wait_for_the_disk_one_after_another)
{
    static const char config[] = "bots = 1\nname = One\n";
    char path[80], option[100], program[] = "deadfall-server";
    char *words[] = {program, option, NULL};
    struct options_result result;
    uint64_t numbers[OPTION_CHANGE_CAPACITY];
    path_of("server.conf", path);
    snprintf(option, sizeof option, "--config=%s", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 1, words, getenv, stdout, &result), OPTIONS_RUN);
    admin.read = settings;
    admin.argc = 2;
    admin.argv = words;
    struct worker *worker = admin.reader.worker = worker_open();
    numbers[0] = option_change_reload(&admin);
    for (uint64_t i = 1; i < OPTION_CHANGE_CAPACITY; i++) // they need no disk, but come after the first
        numbers[i] = option_change_set(&admin, "bots", i == 3 ? "17" : "5");
    assert_int_equal(option_change_set(&admin, "bots", "6"), 0); // too many
    option_change_update(&admin);
    assert_true(option_change_is_open(&admin));
    for (uint64_t i = 0; i < OPTION_CHANGE_CAPACITY; i++)
        assert_null(option_change_outcome(&admin, numbers[i]));
    assert_int_equal(settings.bots, 0);
    FILE *file = fopen(path, "w");
    fputs(config, file);
    fclose(file);
    worker_wait(worker);
    option_change_update(&admin);
    assert_false(option_change_is_open(&admin));
    assert_non_null(strstr(option_change_outcome(&admin, numbers[0])->answer, "changed: "));
    for (uint64_t i = 0; i < OPTION_CHANGE_CAPACITY; i++)
        assert_int_equal(option_change_outcome(&admin, numbers[i])->done, i != 3);
    assert_int_equal(settings.bots, 5);
    assert_string_equal(settings.name, "One");
    assert_true(set("bots", "2")->done);
    assert_string_equal(option_change_outcome(&admin, numbers[0])->answer,
                        "many changes came after this one; see the settings");
    worker_close(worker);
}
