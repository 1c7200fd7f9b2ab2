// SPDX-License-Identifier: MIT
//
// Reads what a change of the settings needs from the disk: all options again, a password, the maps of a rotation. The
// worker does it while the match goes on, and nothing changes meanwhile; admin/option_change.h adopts what was read.
#ifndef LIFECYCLE_SETTINGS_READER_H
#define LIFECYCLE_SETTINGS_READER_H

#include "game/map/map.h"
#include "game/rules/mode.h"
#include "options/options.h"
#include "settings.h"
#include "worker.h"

/// About 220 KB: keep it static. Set the first five fields, zero the rest.
struct settings_reader {
    struct worker_job job;
    struct worker *worker;           ///< null: read at once
    const struct settings *settings; ///< in force
    const struct settings *before;   ///< as they were last read
    int argc;                        ///< and argv: the command line, which is read again
    char **argv;
    bool again;        ///< all options are read; otherwise one is set
    bool checks_maps;  ///< there is a match
    enum mode mode;    ///< of that
    bool good;         ///< what follows may be adopted; otherwise `error` says why not
    bool has_password; ///< `password` was read
    struct error error;
    struct settings read;            ///< by the last reading of all options
    struct settings fresh;           ///< to adopt
    struct settings_changes changes; ///< `kept` and `overridden`, if all options are read
    char password[PASSWORD_TEXT_BYTES];
    struct map map; ///< scratch: a map that is opened only as a check
};

/// Sets one option, or reads all again (null key). Only one that names files needs the disk. Keep `settings` and
/// `before` as they are until it is done.
void settings_reader_begin(struct settings_reader *reader, const char *key, const char *value);

/// Returns whether it is done, so that the results can be read.
bool settings_reader_is_done(const struct settings_reader *reader);

#endif
