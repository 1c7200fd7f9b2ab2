// SPDX-License-Identifier: MIT
//
// The options of `deadfall`, read by the option table that all programs share, and checked against each other.
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "net/impairment.h"
#include "net/transport.h"
#include "options/options.h"

/// What becomes of the system's list of programs that open links.
enum settings_links { SETTINGS_LINKS_STAY, SETTINGS_LINKS_REGISTER, SETTINGS_LINKS_REMOVE };

/// What the command line and the environment say.
struct settings {
    char connect[OPTION_TEXT_BYTES]; ///< empty: nowhere
    bool host;
    bool follows_link;                       ///< the address is a link, given as an operand
    char link_socket[2 * OPTION_TEXT_BYTES]; ///< takes links from later programs; empty: there is no place for it
    uint32_t links;                          ///< enum settings_links; another one than the first: then exit
    char trial[OPTION_TEXT_BYTES];           ///< course to play; empty: none
    char replay[OPTION_TEXT_BYTES];          ///< file to show; empty: none
    char live_url[OPTION_TEXT_BYTES];        ///< URL of a live match; empty: none
    char screen[OPTION_TEXT_BYTES];          ///< of the menus, to begin with; empty: the title
    struct option_list directories;          ///< of lists of servers, in place of the player's own; none: as kept
    int64_t lan_port;                        ///< that is asked for servers nearby
    char name[OPTION_TEXT_BYTES];
    bool name_is_given;           ///< by the command line or DEADFALL_NAME
    bool name_is_cut;             ///< it was longer than PLAYER_NAME_BYTES
    int64_t colour;               ///< 0 to 15; -1: by the name
    uint32_t hat;                 ///< 1 + enum hat; 0: as kept
    char map[OPTION_TEXT_BYTES];  ///< empty: as kept
    int64_t bots;                 ///< -1: as kept
    char seed[OPTION_TEXT_BYTES]; ///< empty: the server's choice
    bool windowed, fullscreen;
    uint32_t language;           ///< 1 + what the preferences have; 0: as kept
    uint32_t system_language;    ///< enum text_language, as the environment says
    uint32_t vsync, frame_limit; ///< 1 + what the preferences have; 0: as kept
    int64_t display;             ///< from 1; 0: as the system says; -1: as kept
    int64_t scale;               ///< 0: by the display
    int64_t frames;              ///< 0: until the window is closed
    uint32_t view;               ///< 1 + enum view_kind; 0: as kept
    char screenshot[OPTION_TEXT_BYTES];
    char export_path[OPTION_TEXT_BYTES]; ///< clip to write; empty: none
    int64_t from_ms, to_ms;              ///< of the replay; to_ms 0: its end
    char sound_file[OPTION_TEXT_BYTES];  ///< empty: the loudspeakers
    char input_script[OPTION_TEXT_BYTES];
    char net[OPTION_TEXT_BYTES], state_dir[OPTION_TEXT_BYTES];
    struct impairment impairment; ///< as --net says
    char key_path[2 * OPTION_TEXT_BYTES], known_servers[2 * OPTION_TEXT_BYTES],
        vouches[2 * OPTION_TEXT_BYTES];    ///< empty: there is no place for them
    char map_cache[2 * OPTION_TEXT_BYTES]; ///< folder; empty: there is no place for it
    char password_file[OPTION_TEXT_BYTES];
    char password[PASSWORD_TEXT_BYTES]; ///< from that file; empty: none
    uint32_t log_level, log_format;
};

/// Reads them. As options_read(); also OPTIONS_WRONG where two options exclude each other.
enum options_outcome settings_read(struct settings *settings, int argc, char **argv,
                                   char *(*environment)(const char *name), FILE *out, struct options_result *result);

#endif
