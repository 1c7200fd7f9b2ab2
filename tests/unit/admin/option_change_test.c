// SPDX-License-Identifier: MIT
//
// Tests how options change while a server runs: one at a command, or all when they are read again. Without a worker
// that is done at once; with one, the changes wait for the disk one after another, and nobody waits for them.
#include "admin/admin_state.h"
#include "test.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct admin_state admin;
static struct settings settings;
static struct log out;
static struct fields newest;

static int64_t noon(void)
{
    return 1800000000;
}

static void begin(void)
{
    test_folder_make();
    settings = (struct settings){.resume = RESUME_AUTO};
    snprintf(settings.state_dir, sizeof settings.state_dir, "%s", test_folder_path(""));
    out = (struct log){.level = LOG_INFO};
    admin = (struct admin_state){.settings = &settings, .log = &out, .unix_time = noon};
}

EACH_TEST(begin, test_folder_remove);

// What a change has answered; "" if it has no such value.
static const char *value_of(const char *key)
{
    for (size_t i = 0; i < FIELD_CAPACITY && newest.of[i].name; i++)
        if (strcmp(newest.of[i].name, key) == 0)
            return newest.of[i].text;
    return "";
}

static bool reload(void)
{
    return option_change_outcome(&admin, option_change_reload(&admin), &newest) == ANSWER_DONE;
}

static bool set(const char *key, const char *value)
{
    return option_change_outcome(&admin, option_change_set(&admin, key, value), &newest) == ANSWER_DONE;
}

static void write_config(const char *text)
{
    test_folder_write("server.conf", text);
}

// Reads the options as a start does, by a command line that names the config file.
static void start(int argument_count)
{
    static char option[600], program[] = "deadfall-server", *words[] = {program, option, NULL};
    struct options_result result;
    snprintf(option, sizeof option, "--config=%s", test_folder_path("server.conf"));
    memset(&settings, 0, sizeof settings);
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, argument_count, words, getenv, stdout, &result),
                     OPTIONS_RUN);
    admin.read = settings;
    admin.argc = 2;
    admin.argv = words;
}

// As SIGHUP does: the same command line, and the config file that it names as it is now.
TEST(a_reload_reads_the_config_again)
{
    write_config("bots = 1\n");
    start(2);
    assert_int_equal(settings.bots, 1);
    write_config("bots = 3\nport = 4000\nmax-players = 20\nlog-level = debug\n");
    assert_true(reload());
    assert_string_equal(value_of("answer"), "changed: bots, log-level; only a restart changes: port, max-players");
    assert_true(settings.bots == 3 && settings.players_max == 16);
    assert_int_equal(out.level, LOG_DEBUG);
    write_config("bots = many\n");
    assert_false(reload());
    assert_non_null(strstr(value_of("answer"), "nothing changed: "));
    assert_int_equal(settings.bots, 3);
    write_config("bots = 17\n"); // more than --max-players
    assert_false(reload());
    assert_non_null(strstr(value_of("answer"), "nothing changed: "));
    write_config("bots = 2\npassword-file = /nowhere/at/all\n");
    assert_false(reload());
    assert_non_null(strstr(value_of("answer"), "/nowhere/at/all"));
    assert_int_equal(settings.bots, 3);
}

// What an admin set stays until somebody changes its line.
TEST(a_reload_undoes_nothing_silently)
{
    write_config("bots = 1\nbot-skill = easy\nname = One\n");
    start(2);
    settings.resume = RESUME_NEVER;
    assert_int_equal(admin_state_open(&admin), EXIT_OK);
    assert_true(set("bots", "5"));
    assert_true(set("bot-skill", "hard"));
    settings.resume = RESUME_AUTO;
    write_config("bots = 1\nbot-skill = normal\nname = Two\n");
    assert_true(reload());
    assert_string_equal(value_of("answer"),
                        "changed: bot-skill, name; only a restart changes: nothing; kept as set: bots = 5, not 1; "
                        "no longer as set: bot-skill = normal, not hard");
    assert_string_equal(value_of("changed"), "bot-skill, name");
    assert_string_equal(value_of("kept"), "bots = 5, not 1");
    assert_string_equal(value_of("overridden"), "bot-skill = normal, not hard");
    assert_int_equal(settings.bots, 5);
    write_config("bots = 17\nbot-skill = normal\nname = Two\n"); // more than --max-players: nothing is adopted
    assert_false(reload());
    assert_string_equal(value_of("kept"), "");
    write_config("bots = 1\nbot-skill = normal\nname = Two\n");
    assert_true(reload());
    assert_string_equal(value_of("answer"),
                        "changed: nothing; only a restart changes: nothing; kept as set: bots = 5, not 1");
    write_config("bots = 2\nbot-skill = normal\nname = Two\n");
    assert_true(reload());
    assert_string_equal(value_of("answer"),
                        "changed: bots; only a restart changes: nothing; no longer as set: bots = 2, not 5");
    assert_true(reload());
    assert_string_equal(value_of("answer"), "changed: nothing; only a restart changes: nothing");
    assert_int_equal(settings.bots, 2);
}

// The config is a pipe, so reading it lasts until the test writes to it.
TEST(changes_wait_for_the_disk_one_after_another)
{
    uint64_t numbers[ANSWERS_CAPACITY];
    assert_int_equal(mkfifo(test_folder_path("server.conf"), 0600), 0);
    start(1); // without that
    struct worker *worker = admin.reader.worker = worker_open();
    numbers[0] = option_change_reload(&admin);
    for (uint64_t i = 1; i < ANSWERS_CAPACITY; i++) // they need no disk, but come after the first
        numbers[i] = option_change_set(&admin, "bots", i == 3 ? "17" : "5");
    assert_int_equal(option_change_set(&admin, "bots", "6"), 0); // too many
    option_change_update(&admin);
    assert_int_not_equal(answers_open(&admin.option_changes.answers), 0);
    for (uint64_t i = 0; i < ANSWERS_CAPACITY; i++)
        assert_int_equal(option_change_outcome(&admin, numbers[i], &newest), ANSWER_OPEN);
    assert_int_equal(settings.bots, 0);
    write_config("bots = 1\nname = One\n");
    worker_wait(worker);
    option_change_update(&admin);
    assert_int_equal(answers_open(&admin.option_changes.answers), 0);
    assert_int_equal(option_change_outcome(&admin, numbers[0], &newest), ANSWER_DONE);
    assert_non_null(strstr(value_of("answer"), "changed: "));
    for (uint64_t i = 0; i < ANSWERS_CAPACITY; i++)
        assert_int_equal(option_change_outcome(&admin, numbers[i], &newest), i == 3 ? ANSWER_FAILED : ANSWER_DONE);
    assert_int_equal(settings.bots, 5);
    assert_string_equal(settings.name, "One");
    assert_true(set("bots", "2"));
    assert_int_equal(option_change_outcome(&admin, numbers[0], &newest), ANSWER_FORGOTTEN);
    assert_string_equal(value_of("answer"), "many changes came after this one; see the settings");
    worker_close(worker);
}
