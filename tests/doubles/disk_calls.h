// SPDX-License-Identifier: MIT
//
// Records a program's calls of write, fsync, rename, open and close, and lets chosen ones fail. The linker redirects
// the calls to this file (disk_calls() in CMake). Calls of other threads are not recorded.
#ifndef TEST_DISK_CALLS_H
#define TEST_DISK_CALLS_H

/// Kinds of calls as letters: 'w' write to a file, 's' fsync of a file, 'r' rename, 'd' fsync of a folder.
struct disk_calls {
    char made[256]; ///< in order, of the recording thread; as many as fit
    char refused;   ///< this kind fails; 'o': every open that could create a file; 'c': close; 0: none
    int reason;     ///< with this errno
};

/// The calls since disk_calls_begin().
extern struct disk_calls disk_calls;

/// Forgets everything and records this thread from now on.
void disk_calls_begin(void);

#endif
