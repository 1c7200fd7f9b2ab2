// SPDX-License-Identifier: MIT
//
// Whole files: read at once, or written so that they are whole at every moment. A file is written beside its place, put
// on the disk and then moved there, so a reader finds the old bytes or the new ones, even after a crash or a power
// loss. Functions that fail set errno; the caller knows what the file is for and writes the sentence.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Longest path, bytes with the final zero.
#define FILE_PATH_BYTES 4096

/// Reads a whole file of at most `capacity` bytes; `*byte_count` is what it holds. Pipes and devices are read to their
/// end, and may block. False with errno: EFBIG if there is more than `capacity` (the first `capacity` bytes are read).
bool file_read(const char *path, void *bytes, size_t capacity, size_t *byte_count);

/// The same for a regular file only, so that it never blocks: EINVAL for anything else.
bool file_read_regular(const char *path, void *bytes, size_t capacity, size_t *byte_count);

/// Reads a whole file of at most `byte_count_max` bytes into memory that the caller frees, followed by a zero byte
/// that does not count. Pipes are read to their end. Null with errno: EFBIG if it is larger, ENOMEM.
uint8_t *file_load(const char *path, size_t byte_count_max, size_t *byte_count);

/// Writes all bytes to an open file or pipe, which may block. False with errno.
bool file_write_all(int file, const void *bytes, size_t byte_count);

/// Replaces or creates a file that only its owner can read (mode 0600). False with errno; the old file is then as it
/// was.
bool file_write(const char *path, const void *bytes, size_t byte_count);

/// The same for a file that all may read (mode 0644), such as a web server.
bool file_write_public(const char *path, const void *bytes, size_t byte_count);

/// The same as file_write(), but never replaces a file: EEXIST if there is one. If several programs try at once, one
/// succeeds.
bool file_create(const char *path, const void *bytes, size_t byte_count);

/// Creates a file that was not there before, readable by all, and opens it for writing: PATH SUFFIX, or PATH-2 SUFFIX
/// and so on up to 999. Makes its folder. `path` then names the file. Returns its number, or -1 with errno.
int file_open_new(char *path, size_t path_bytes, const char *suffix);

/// Moves a file whose bytes are already on the disk to its place, replacing what is there, and syncs the folder, so
/// that the move survives a power loss. False with errno.
bool file_place(const char *fresh, const char *path);

/// Writes the path of something near the running program, so that both can be moved together: `within` ("/maps") behind
/// its folder, or behind the folder above that with `above`. False if the path is too long or nobody knows the
/// program's.
bool file_near_program(char path[FILE_PATH_BYTES], bool above, const char *within);

/// Creates the missing folders above a path, open to their owner alone (mode 0700); the part behind the last slash is
/// not created. Reports no failure: opening the file shows the reason.
void file_make_folders(const char *path);

// --- where a program keeps the files that must outlive it, such as keys and the list of known servers. Called once at
// the start. Only makes paths, and creates nothing.

/// Makes the path of a file in the state directory: `given` (the value of an option, may be empty), else
/// $STATE_DIRECTORY (set by systemd), else deadfall in $XDG_STATE_HOME, in $LOCALAPPDATA (set by Windows), or in
/// ~/.local/state. `environment` is like getenv. Returns false with an empty `path` if none of them is set, or the path
/// is too long.
bool file_in_state_dir(const char *given, char *(*environment)(const char *name), const char *file, char *path,
                       size_t path_bytes);

/// Does the same for a folder in the cache directory, which users may empty at any time: deadfall/FOLDER in
/// $XDG_CACHE_HOME or ~/.cache, or deadfall/cache/FOLDER in $LOCALAPPDATA.
bool file_cache_folder(char *(*environment)(const char *name), const char *folder, char *path, size_t path_bytes);

#endif
