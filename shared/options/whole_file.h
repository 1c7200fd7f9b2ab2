// SPDX-License-Identifier: MIT
//
// A small file that is whole at every moment: written beside its place, put on the disk, then moved there. Whoever
// reads it, at whatever moment a program or machine has died, finds the old text or the new.
#ifndef OPTIONS_WHOLE_FILE_H
#define OPTIONS_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/// Longest path, bytes with the final zero.
#define WHOLE_FILE_PATH_BYTES 1024

/// Puts text into a file that only its owner may read, in place of any that is there. False with errno; the old one is
/// left as it is then.
bool whole_file_write(const char *path, const char *text, size_t text_bytes);

/// Moves a file that is on the disk to its place, and has the disk remember it. False with errno.
bool whole_file_place(const char *fresh, const char *path);

#endif
