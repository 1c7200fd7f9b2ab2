// SPDX-License-Identifier: MIT
//
// Where a program keeps the files that must outlive it, such as keys and the list of known servers. Called once at the
// start. Only makes paths, and creates nothing.
#ifndef OPTIONS_STATE_DIR_H
#define OPTIONS_STATE_DIR_H

#include <stdbool.h>
#include <stddef.h>

/// Makes the path of a file in the state directory: `given` (the value of an option, may be empty), else
/// $STATE_DIRECTORY (set by systemd), else deadfall in $XDG_STATE_HOME, in $LOCALAPPDATA (set by Windows), or in
/// ~/.local/state. `environment` is like getenv. Returns false with an empty `path` if none of them is set, or the path
/// is too long.
bool state_dir_file(const char *given, char *(*environment)(const char *name), const char *file, char *path,
                    size_t path_bytes);

/// Does the same for a folder in the cache directory, which users may empty at any time: deadfall/FOLDER in
/// $XDG_CACHE_HOME or ~/.cache, or deadfall/cache/FOLDER in $LOCALAPPDATA.
bool state_dir_cache_folder(char *(*environment)(const char *name), const char *folder, char *path, size_t path_bytes);

#endif
