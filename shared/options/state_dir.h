// SPDX-License-Identifier: MIT
//
// Where a program keeps what must outlive it: keys, the list of servers met. A main asks once at start.
#ifndef OPTIONS_STATE_DIR_H
#define OPTIONS_STATE_DIR_H

#include <stdbool.h>
#include <stddef.h>

/// The path of a file in the state directory: `given` (an option; empty: none), else $STATE_DIRECTORY (systemd's), else
/// deadfall in $XDG_STATE_HOME, else in ~/.local/state. `environment` is like getenv. False when there is none of them,
/// or the path is too long; `path` is empty then.
bool state_dir_file(const char *given, char *(*environment)(const char *name), const char *file, char *path,
                    size_t path_bytes);

/// The same of a folder in the cache directory, which may be emptied at any time: deadfall/FOLDER in $XDG_CACHE_HOME,
/// else in ~/.cache.
bool state_dir_cache_folder(char *(*environment)(const char *name), const char *folder, char *path, size_t path_bytes);

#endif
