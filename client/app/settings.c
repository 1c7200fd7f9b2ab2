// SPDX-License-Identifier: MIT
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "app/course/course.h"
#include "app/menu/screens.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "game/player/player.h"
#include "net/impairment.h"
#include "text/text.h"
#include "wire/message.h"

#define FIELD(field) offsetof(struct settings, field)

static const char *const VIEW_NAMES[] = {"as-kept", "predicted", "interpolated", NULL};
static const char *const VSYNC_NAMES[] = {"as-kept", "off", "on", NULL};
static const char *const LIMIT_NAMES[] = {"as-kept", "display", "30", "60", "120", "144", "240", NULL};
static const char *const LANGUAGE_NAMES[] = {"as-kept", "system", TEXT_LANGUAGE_CODES, NULL};
static const char *const LINKS_NAMES[] = {"as-they-are", "register", "remove", NULL};
static const char *const HAT_NAMES[] = {"as-kept", HAT_WORDS, NULL};

static const struct option OPTIONS[] = {
    {"connect", OPTION_TEXT, FIELD(connect), .value = "ADDRESS",
     .help = "join the server at HOST, HOST:PORT or deadfall://HOST:PORT (port 27440); with #FINGERPRINT only if that "
             "is its key",
     .least = 1},
    {"host", OPTION_FLAG, FIELD(host),
     .help = "start a server and join it at once; without this or --connect, the menu opens"},
    {"trial", OPTION_TEXT, FIELD(trial), .value = "NAME",
     .help = "play a course at once: a trial such as chimney, or a lesson such as lesson-catch"},
    {"replay", OPTION_TEXT, FIELD(replay), .value = "FILE|URL",
     .help = "show a recorded match: a file, or one on a web server, http or https"},
    {"watch", OPTION_TEXT, FIELD(live_url), .value = "URL",
     .help = "watch a match live that a server publishes: http://HOST/FOLDER/ or https"},
    {"export", OPTION_TEXT, FIELD(export_path), .value = "FILE.gif|FILE.webm",
     .help = "write a clip of the replay (--replay, or the operand) without a window; needs ffmpeg"},
    {"from", OPTION_DURATION, FIELD(from_ms), .fallback = "0", .value = "TIME",
     .help = "where the clip begins, from the begin of the replay", .most = 86400000},
    {"to", OPTION_DURATION, FIELD(to_ms), .fallback = "0", .value = "TIME",
     .help = "where it ends; 0: at the end of the replay", .most = 86400000},
    {"screen", OPTION_TEXT, FIELD(screen), .value = "NAME",
     .help = "open this screen of the menus: title, join, host, replays, settings, keys, pads, pause and others"},
    {"directory", OPTION_LIST, FIELD(directories), .value = "URL",
     .help =
         "get the list of servers on the internet here, http or https, with #KEY of the directory or without; may be "
         "given several times; default: the lists that the menus have"},
    {"lan-port", OPTION_NUMBER, FIELD(lan_port), .fallback = "27440", .value = "N",
     .help = "port on which to search for servers on this network", .least = 1, .most = 65535},
    {"name", OPTION_TEXT, FIELD(name), .value = "NAME",
     .help = "the player's name, at most 16 bytes; default $USER or $USERNAME"},
    {"colour", OPTION_NUMBER, FIELD(colour), .fallback = "-1", .value = "N",
     .help = "the player's colour, 0 to 15, if it is free; -1: by the name", .least = -1, .most = 15},
    {"hat", OPTION_CHOICE, FIELD(hat), .fallback = "as-kept", .choices = HAT_NAMES,
     .help = "what the player wears on their head; as-kept: your last choice"},
    {"language", OPTION_CHOICE, FIELD(language), .fallback = "as-kept", .choices = LANGUAGE_NAMES,
     .help = "language of the screens; system: as LC_ALL, LC_MESSAGES, LANG and LANGUAGE say; as-kept: your last "
             "choice"},
    {"map", OPTION_TEXT, FIELD(map), .value = "NAME|FILE",
     .help = "map of a match that you host; default your last choice"},
    {"bots", OPTION_NUMBER, FIELD(bots), .fallback = "-1", .value = "N",
     .help = "add bots to a match that you host until there are N players; -1: your last choice", .least = -1,
     .most = 64},
    {"seed", OPTION_TEXT, FIELD(seed), .value = "N", .help = "seed of --host, for the same match again"},
    {"windowed", OPTION_FLAG, FIELD(windowed), .help = "in a window (default)"},
    {"fullscreen", OPTION_FLAG, FIELD(fullscreen), .help = "on the whole screen; F11 changes it"},
    {"display", OPTION_NUMBER, FIELD(display), .fallback = "-1", .value = "N",
     .help = "screen of the window, from 1; 0: as the system says; -1: your last choice", .least = -1, .most = 8},
    {"vsync", OPTION_CHOICE, FIELD(vsync), .fallback = "as-kept", .choices = VSYNC_NAMES,
     .help = "whether frames wait for the display; as-kept: your last choice"},
    {"frame-limit", OPTION_CHOICE, FIELD(frame_limit), .fallback = "as-kept", .choices = LIMIT_NAMES,
     .help = "frames a second at most; display: as many as it shows; as-kept: your last choice"},
    {"scale", OPTION_NUMBER, FIELD(scale), .fallback = "0", .value = "N",
     .help = "size of a pixel in the window and in pictures; 0: what fits (pictures: 1)", .most = 8},
    {"frames", OPTION_NUMBER, FIELD(frames), .fallback = "0", .value = "N",
     .help = "draw N frames of the match in real time, 60 a second, then exit; 0: play", .most = 10000000},
    {"view", OPTION_CHOICE, FIELD(view), .fallback = "as-kept", .choices = VIEW_NAMES,
     .help = "other players where they are predicted to be now, or where the server last reported them; as-kept: your "
             "last choice"},
    {"screenshot", OPTION_TEXT, FIELD(screenshot), .value = "FILE.png", .help = "save the last frame on exit"},
    {"sound-file", OPTION_TEXT, FIELD(sound_file), .value = "FILE.wav",
     .help = "write what would be heard to this file and play nothing"},
    {"input-script", OPTION_TEXT, FIELD(input_script), .value = "FILE",
     .help = "play from a file instead of the keyboard: lines such as \"30 right jump\", \"45 -\", \"60 screenshot "
             "a.png\"; the "
             "number counts ticks since the player joined, and the words hold from then on"},
    {"net", OPTION_TEXT, FIELD(net), .value = "LINE",
     .help = "impair this client's traffic, for experiments: "
             "delay=40ms,jitter=10ms,loss=2%,dup=1%,reorder=1%,rate=128kbit"},
    {"state-dir", OPTION_TEXT, FIELD(state_dir), .value = "DIR",
     .help = "directory for the player's key and the list of known servers; default ~/.local/state/deadfall"},
    {"links", OPTION_CHOICE, FIELD(links), .fallback = "as-they-are", .choices = LINKS_NAMES,
     .help =
         "on Windows, have this program open deadfall:// links (register) or none (remove), then exit; elsewhere its "
         "package does so"},
    {"password-file", OPTION_TEXT, FIELD(password_file), .value = "FILE",
     .help = "the first line of FILE, which only its owner may read, is the password of the server of --connect"},
    {"log-level", OPTION_CHOICE, FIELD(log_level), .fallback = "warning", .choices = LOG_LEVEL_NAMES,
     .help = "least important lines to log on stderr; debug logs every event of the match"},
    {"log-format", OPTION_CHOICE, FIELD(log_format), .fallback = "text", .choices = LOG_FORMAT_NAMES,
     .help = "format of the log"},
};

static const struct program PROGRAM = {
    .name = "deadfall",
    .summary = "Plays Deadfall, an arena among moving solids, in a window.",
    .operands = "[deadfall://HOST:PORT]",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .operand_capacity = 1,
};

static enum options_outcome refuse(struct options_result *result, const char *message)
{
    error_set_code(&result->error, EXIT_USAGE, "%s", message);
    return OPTIONS_WRONG;
}

// One for each player, or for each state directory that is given. In a Flatpak, whose programs each have a runtime
// directory of their own, those of one player share a folder there.
static void find_link_socket(struct settings *settings, char *(*environment)(const char *name))
{
    const char *folder = environment("XDG_RUNTIME_DIR"), *flatpak = environment("FLATPAK_ID");
    if (settings->state_dir[0] || !folder || !folder[0])
        file_in_state_dir(settings->state_dir, environment, "window.sock", settings->link_socket,
                          sizeof settings->link_socket);
    else
        snprintf(settings->link_socket, sizeof settings->link_socket, // a socket has less room
                 "%.128s%s%.64s/deadfall-window.sock", folder, flatpak ? "/app/" : "", flatpak ? flatpak : "");
}

enum options_outcome settings_read(struct settings *settings, int argc, char **argv,
                                   char *(*environment)(const char *name), FILE *out, struct options_result *result)
{
    *settings = (struct settings){0};
    enum options_outcome outcome = options_read(&PROGRAM, settings, argc, argv, environment, out, result);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (settings->export_path[0] && result->operand_count && !settings->replay[0]) {
        snprintf(settings->replay, sizeof settings->replay, "%s", result->operands[0]);
        result->operand_count = 0;
    }
    if (settings->export_path[0] && !settings->replay[0])
        return refuse(result, "--export needs a replay: give its FILE.dfr");
    if ((settings->from_ms || settings->to_ms) && !settings->export_path[0])
        return refuse(result, "--from and --to are for --export");
    if (result->operand_count && settings->connect[0])
        return refuse(result, "an address is given twice, as --connect and as an operand: give one");
    if (result->operand_count && !result->operands[0][0])
        return refuse(result, "the address is empty: give HOST, HOST:PORT or deadfall://HOST:PORT");
    if (result->operand_count)
        snprintf(settings->connect, sizeof settings->connect, "%s", result->operands[0]);
    settings->follows_link = result->operand_count && address_is_link(settings->connect);
    if (settings->connect[0] && settings->host)
        return refuse(result, "--connect and --host exclude each other: join a server, or start one");
    if (settings->replay[0] && (settings->connect[0] || settings->host))
        return refuse(result, "--replay excludes --connect and --host: watch a match, or play one");
    if (settings->live_url[0] && (settings->connect[0] || settings->host || settings->replay[0]))
        return refuse(result, "--watch excludes --connect, --host and --replay: watch a match, or play one");
    if (settings->trial[0] && (settings->connect[0] || settings->host || settings->replay[0]))
        return refuse(result, "--trial excludes --connect, --host and --replay: one at a time");
    if (settings->trial[0] && !course_of_name(settings->trial))
        return refuse(result, "there is no such course; shared/maps/trials has them");
    if (strspn(settings->seed, "0123456789") != strlen(settings->seed) ||
        strtoull(settings->seed, NULL, 10) > UINT32_MAX)
        return refuse(result, "--seed is a number from 0 to 4294967295");
    if (settings->screen[0] && !screen_find(settings->screen))
        return refuse(result, "there is no such screen; --help lists some");
    if (settings->windowed && settings->fullscreen)
        return refuse(result, "--windowed and --fullscreen exclude each other");
    for (uint32_t i = 0; i < settings->directories.count; i++) {
        char url[DOWNLOAD_URL_BYTES], key[FINGERPRINT_TEXT_BYTES];
        if (!directories_parse(settings->directories.values[i], url, key))
            return refuse(result, "--directory is http://HOST[:PORT][/PATH] or https, with #KEY or without");
    }
    if (settings->directories.count > DIRECTORIES_MAX)
        return refuse(result, "--directory can be given up to eight times");
    struct error error;
    if (!impairment_parse(settings->net, &settings->impairment, &error))
        return refuse(result, error.text);
    file_in_state_dir(settings->state_dir, environment, "player.key", settings->key_path, sizeof settings->key_path);
    file_in_state_dir(settings->state_dir, environment, "known_servers", settings->known_servers,
                      sizeof settings->known_servers);
    file_in_state_dir(settings->state_dir, environment, "vouches", settings->vouches, sizeof settings->vouches);
    find_link_socket(settings, environment);
    file_cache_folder(environment, "maps", settings->map_cache, sizeof settings->map_cache);
    if (!option_read_password(settings->password_file, settings->password, &error))
        return refuse(result, error.text);
    settings->name_is_given = settings->name[0];
    settings->system_language = text_language_of_system(environment);
    const char *user = environment("USER") ? environment("USER") : environment("USERNAME"); // on Windows
    if (!settings->name[0] && user)
        snprintf(settings->name, sizeof settings->name, "%s", user);
    if (!settings->name[0])
        snprintf(settings->name, sizeof settings->name, "player");
    settings->name_is_cut = strlen(settings->name) > PLAYER_NAME_BYTES;
    settings->name[utf8_fit(settings->name, PLAYER_NAME_BYTES)] = 0;
    return OPTIONS_RUN;
}
