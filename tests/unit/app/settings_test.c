// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/links.h"
#include "app/settings.h"
#include "test.h"
#include "wire/message.h"

static char *empty_environment(const char *name)
{
    (void)name;
    return NULL;
}

static char *someones_environment(const char *name)
{
    static char user[] = "ada";
    return strcmp(name, "USER") ? NULL : user;
}

static struct settings settings;
static struct options_result result;

static enum options_outcome read_words(char *(*environment)(const char *), char *a, char *b, char *c)
{
    char *argv[] = {(char[]){"deadfall"}, a, b, c, NULL};
    int argc = 1;
    while (argv[argc])
        argc++;
    return settings_read(&settings, argc, argv, environment, stderr, &result);
}

TEST(without_options_the_menu_opens)
{
    assert_int_equal(read_words(someones_environment, NULL, NULL, NULL), OPTIONS_RUN);
    assert_string_equal(settings.connect, "");
    assert_false(settings.host);
    assert_string_equal(settings.screen, "");
    assert_string_equal(settings.name, "ada");
    assert_int_equal(settings.frames, 0);
}

TEST(a_player_without_a_name_is_called_player)
{
    assert_int_equal(read_words(empty_environment, NULL, NULL, NULL), OPTIONS_RUN);
    assert_string_equal(settings.name, "player");
}

TEST(an_address_can_be_an_operand)
{
    assert_int_equal(read_words(empty_environment, (char[]){"deadfall://h:1"}, NULL, NULL), OPTIONS_RUN);
    assert_string_equal(settings.connect, "deadfall://h:1");
}

TEST(a_hat_is_chosen_by_its_name)
{
    assert_int_equal(read_words(empty_environment, NULL, NULL, NULL), OPTIONS_RUN);
    assert_int_equal(settings.hat, 0); // as stored
    assert_int_equal(read_words(empty_environment, (char[]){"--hat=none"}, NULL, NULL), OPTIONS_RUN);
    assert_int_equal(settings.hat, 1 + HAT_NONE);
    assert_int_equal(read_words(empty_environment, (char[]){"--hat=goggles"}, NULL, NULL), OPTIONS_RUN);
    assert_int_equal(settings.hat, 1 + HAT_GOGGLES);
}

TEST(options_that_exclude_each_other_are_a_usage_error)
{
    char *rows[][3] = {
        /* 1 */ {(char[]){"--connect=h"}, (char[]){"--host"}, NULL},
        /* 2 */ {(char[]){"--windowed"}, (char[]){"--fullscreen"}, NULL},
        /* 3 */ {(char[]){"--connect=h"}, (char[]){"g"}, NULL},
        /* 4 */ {(char[]){"--scale=9"}, NULL, NULL},
        /* 5 */ {(char[]){"--colour=16"}, NULL, NULL},
        /* 6 */ {(char[]){"--connect"}, (char[]){""}, NULL},
        /* 7 */ {(char[]){""}, NULL, NULL},
        /* 8 */ {(char[]){"--screen=kitchen"}, NULL, NULL},
        /* 9 */ {(char[]){"--hat=sombrero"}, NULL, NULL},
        /* 10 */ {(char[]){"--replay=r"}, (char[]){"--host"}, NULL},
        /* 11 */ {(char[]){"--replay=r"}, (char[]){"--connect=h"}, NULL},
        /* 12 */ {(char[]){"--net=much"}, NULL, NULL},
        /* 13 */ {(char[]){"--password-file=/nowhere"}, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (read_words(empty_environment, rows[i][0], rows[i][1], rows[i][2]) != OPTIONS_WRONG)
            fail_msg("row %zu was accepted", i + 1);
        assert_int_equal(result.error.code, EXIT_USAGE);
        assert_true(strlen(result.error.text) > 10);
    }
}

TEST(numbers_have_a_range)
{
    static const struct {
        const char *word;
        bool taken;
    } rows[] = {
        {"--lan-port=0", false}, {"--lan-port=1", true},      {"--lan-port=65535", true},   {"--lan-port=65536", false},
        {"--colour=-2", false},  {"--colour=-1", true},       {"--colour=15", true},        {"--bots=-2", false},
        {"--bots=-1", true},     {"--bots=64", true},         {"--bots=65", false},         {"--scale=8", true},
        {"--scale=0", true},     {"--frames=10000000", true}, {"--frames=10000001", false}, {"--frames=-1", false},
        {"--connect=h", true},   {"--replay=h", true},        {"--screen=sound", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char word[64];
        snprintf(word, sizeof word, "%s", rows[i].word);
        if ((read_words(empty_environment, word, NULL, NULL) == OPTIONS_RUN) != rows[i].taken)
            fail_msg("%s: %s", word, result.error.text);
    }
    assert_int_equal(read_words(empty_environment, NULL, NULL, NULL), OPTIONS_RUN);
    assert_int_equal(settings.lan_port, 27440);
    assert_int_equal(settings.colour, -1);
    assert_int_equal(settings.bots, -1);
    assert_int_equal(settings.scale, 0);
}

TEST(a_long_name_is_cut_at_a_whole_character)
{
    static const struct {
        const char *given, *taken;
        bool cut;
    } rows[] = {
        /* 1 */ {"--name=0123456789abcdef", "0123456789abcdef", false},
        /* 2 */ {"--name=0123456789abcdefg", "0123456789abcdef", true},
        /* 3 */ {"--name=0123456789abcde\xc3\xab", "0123456789abcde", true},
        /* 4 */
        {"--name=0123456789abcd\xc3\xab"
         "x",
         "0123456789abcd\xc3\xab", true},
        /* 5 */ {"--name=0123456789abc\xf0\x9f\x98\x80", "0123456789abc", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char word[64];
        snprintf(word, sizeof word, "%s", rows[i].given);
        assert_int_equal(read_words(empty_environment, word, NULL, NULL), OPTIONS_RUN);
        if (strcmp(settings.name, rows[i].taken) || settings.name_is_cut != rows[i].cut)
            fail_msg("row %zu: \"%s\"", i + 1, settings.name);
    }
}

static const char *runtime, *flatpak;

static char *desktop_environment(const char *name)
{
    static char values[3][32];
    snprintf(values[0], sizeof values[0], "%s", runtime ? runtime : "");
    snprintf(values[1], sizeof values[1], "%s", flatpak ? flatpak : "");
    return strcmp(name, "HOME") == 0                         ? strcpy(values[2], "/home/ada")
           : runtime && strcmp(name, "XDG_RUNTIME_DIR") == 0 ? values[0]
           : flatpak && strcmp(name, "FLATPAK_ID") == 0      ? values[1]
                                                             : NULL;
}

TEST(all_windows_of_a_player_have_one_socket_for_links)
{
    struct {
        const char *runtime, *flatpak, *state_dir, *socket;
    } rows[] = {
        /* 1 */ {"/run/user/1", NULL, NULL, "/run/user/1/deadfall-window.sock"},
        /* 2 */ {"/run/user/1", "net.d.D", NULL, "/run/user/1/app/net.d.D/deadfall-window.sock"},
        /* 3 */ {"/run/user/1", "net.d.D", "--state-dir=/s", "/s/window.sock"},
        /* 4 */ {NULL, NULL, NULL, "/home/ada/.local/state/deadfall/window.sock"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char word[32];
        runtime = rows[i].runtime;
        flatpak = rows[i].flatpak;
        snprintf(word, sizeof word, "%s", rows[i].state_dir ? rows[i].state_dir : "--name=ada");
        assert_int_equal(read_words(desktop_environment, word, NULL, NULL), OPTIONS_RUN);
        if (strcmp(settings.link_socket, rows[i].socket))
            fail_msg("row %zu: \"%s\"", i + 1, settings.link_socket);
    }
}

// Desktops other than Windows have a file of the package for that.
TEST(links_are_registered_where_the_system_has_a_list)
{
    static const struct {
        char word[24];
        uint32_t links;
    } rows[] = {
        /* 1 */ {"--name=ada", SETTINGS_LINKS_STAY},
        /* 2 */ {"--links=register", SETTINGS_LINKS_REGISTER},
        /* 3 */ {"--links=remove", SETTINGS_LINKS_REMOVE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char word[24];
        strcpy(word, rows[i].word);
        assert_int_equal(read_words(empty_environment, word, NULL, NULL), OPTIONS_RUN);
        assert_int_equal(settings.links, rows[i].links);
        if (settings.links == SETTINGS_LINKS_STAY)
            continue;
        assert_int_equal(links_register(&settings, stdout, &result.error), EXIT_UNAVAILABLE);
        assert_non_null(strstr(result.error.text, "README.txt"));
    }
}
