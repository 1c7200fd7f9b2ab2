// SPDX-License-Identifier: MIT
//
// What an operator can set: the table of the server's options, and the struct that they fill. Read at the start, and
// again at SIGHUP. Some options can also change while the server runs.
#ifndef LIFECYCLE_SETTINGS_H
#define LIFECYCLE_SETTINGS_H

#include "base/error.h"
#include "base/log.h"
#include "net/household.h"
#include "options/options.h"
#include "recording/retention.h"

/// Whether to talk to the sidecar of an Agones fleet: if its environment variable is set, always, never.
enum agones_use { AGONES_AUTO, AGONES_ON, AGONES_OFF };
/// Whether to continue the match that an earlier server left.
enum resume_use { RESUME_AUTO, RESUME_NEVER };
/// Whether to show invitations as QR codes: if stdout is a terminal, always, never.
enum qr_code_use { QR_CODE_AUTO, QR_CODE_ON, QR_CODE_OFF };
/// Whether households of the local network have limits.
enum lan_use { LAN_EXEMPT, LAN_LIMITED };
/// Whether to keep records of players.
enum records_use { RECORDS_OFF, RECORDS_ON };

/// Directories at most.
#define SETTINGS_ANNOUNCE_MAX 8

/// Servers that are trusted, at most.
#define SETTINGS_TRUST_MAX 8

/// The longest drain.
#define DRAIN_MS_MAX 86400000

struct settings {
    int64_t port;           ///< UDP; 0: any free
    int64_t players_max;    ///< 1 to 256
    int64_t bots;           ///< add bots until there are this many players
    int64_t duration_ms;    ///< stop after this; 0: never
    int64_t drain_ms;       ///< how long a drain may take; 0: SIGTERM does not drain
    int64_t score_limit;    ///< points that end a match; 0: no limit; -1: the default of the mode
    int64_t time_limit_ms;  ///< of a match; 0: no limit
    int64_t seed;           ///< of the world's random numbers; -1: a different one at each start
    uint32_t mode;          ///< enum mode
    bool run_empty;         ///< the match goes on when no client is connected
    bool print_invitations; ///< on stdout
    uint32_t qr_code;       ///< enum qr_code_use
    bool port_mapping;      ///< ask the router to forward the port
    bool web;               ///< browsers may join
    bool friendly_fire;     ///< teammates can kill each other
    bool handicaps;         ///< players may have a handicap that helps them
    uint32_t bot_skill;     ///< enum skill, or AI_SKILL_ADAPTIVE
    uint32_t snapshot_rate; ///< index into SNAPSHOT_RATES
    uint32_t agones;        ///< enum agones_use
    uint32_t resume;        ///< enum resume_use
    uint32_t records;       ///< enum records_use
    uint32_t household_lan; ///< enum lan_use
    uint32_t log_level, log_format;
    bool healthcheck; ///< ask a running server with the same settings, and exit
    char bind[OPTION_TEXT_BYTES], map[OPTION_TEXT_BYTES], name[OPTION_TEXT_BYTES], record[OPTION_TEXT_BYTES];
    char publish[OPTION_TEXT_BYTES];       ///< folder of the live stream, or "off"
    int64_t publish_delay_ms;              ///< of the live stream
    char publish_url[OPTION_TEXT_BYTES];   ///< where its folder is served, for directories; "": they do not say
    struct option_list record_keep;        ///< limits of retention.h; none: recordings stay
    struct option_list variants;           ///< names of VARIANT_TABLE, for the matches that begin from now on
    struct option_list rotation;           ///< maps to play in turn; fewer than two: the map stays
    char metrics[OPTION_TEXT_BYTES];       ///< ADDR:PORT of HTTP, or "off"
    char page[OPTION_TEXT_BYTES];          ///< ADDR:PORT of the page for browsers, or "off"
    char page_folder[OPTION_TEXT_BYTES];   ///< empty: near the program
    char password_file[OPTION_TEXT_BYTES]; ///< empty: no password
    char admin_socket[OPTION_TEXT_BYTES];  ///< a path, "auto" or "off"
    struct option_list admin_keys;         ///< fingerprints
    int64_t household_players;             ///< of one household; 0: no limit
    struct option_list household_exempt;   ///< ADDRESS or ADDRESS/BITS
    char state_dir[OPTION_TEXT_BYTES];     ///< empty: as the environment says
    struct option_list announce;           ///< web addresses of directories
    struct option_list trust;              ///< fingerprints of servers; their vouches count
    char region[OPTION_TEXT_BYTES];        ///< as lists show it; empty: none
};

/// Snapshots per second, by the index of --snapshot-rate.
extern const uint32_t SNAPSHOT_RATES[];

/// The table, for options_read.
extern const struct program SERVER_PROGRAM;

/// Checks what the table cannot: that the settings make sense together. Returns false with an error; its code is
/// EXIT_USAGE if the command line is to blame, else EXIT_CONFIG.
bool settings_validate(const struct settings *settings, const struct options_result *read, struct error *error);

/// Returns the variants as bits, 1 << enum variant. Names that are none count as nothing.
uint32_t settings_variants(const struct settings *settings);

/// Returns the folder into which matches are published; null: they are not.
const char *settings_live_folder(const struct settings *settings);

/// Returns which recordings are kept.
struct retention settings_retention(const struct settings *settings);

/// Returns what a household may have.
struct household_rules settings_household_rules(const struct settings *settings);

/// Bytes of a list of options, with its final zero; a longer one is cut.
#define SETTINGS_LIST_BYTES 300

/// What a change of the settings has done: lists of options, "" if there are none.
struct settings_changes {
    char changed[SETTINGS_LIST_BYTES];       ///< "bots, name"
    char needs_restart[SETTINGS_LIST_BYTES]; ///< differ, but cannot change while the server runs
    char kept[SETTINGS_LIST_BYTES];          ///< as they were set, whatever is read: "bots = 3, not 1; name = A, not B"
    char overridden[SETTINGS_LIST_BYTES];    ///< in the same form: no longer as they were set
};

/// Adopts the options that may change while the server runs. Fills in `changed` and `needs_restart`.
void settings_adopt(struct settings *settings, const struct settings *fresh, struct settings_changes *changes);

/// Merges what was read again with what was set since it was last read (`before`): an option that was set keeps its
/// value in `fresh`, unless the value that is read has changed. Fills in `kept` and `overridden`.
void settings_keep_set(const struct settings *settings, const struct settings *before, struct settings *fresh,
                       struct settings_changes *changes);

/// Writes the sentence about changes, cut to `text_bytes`.
void settings_changes_text(const struct settings_changes *changes, char *text, size_t text_bytes);

/// Sets one option that may change while the server runs, as a line of a config file would; replaces a list. Returns
/// false with an error.
bool settings_set(struct settings *settings, const char *key, const char *value, struct error *error);

#endif
