// SPDX-License-Identifier: MIT
//
// Watches what a program tells the disk, and has the disk refuse it: write, fsync, rename, open and close, which the
// linker leads here (disk_calls() in CMake). Calls of other threads go through unseen.
#ifndef TEST_DISK_CALLS_H
#define TEST_DISK_CALLS_H

/// Kinds of calls as letters: 'w' write to a file, 's' fsync of a file, 'r' rename, 'd' fsync of a folder.
struct disk_calls {
    char made[256]; ///< in their order, those of the watching thread alone; as many as fit
    char refused;   ///< this kind fails; 'o': every open that could create a file; 'c': close; 0: none
    int reason;     ///< with this errno
};

/// What has been seen since disk_calls_begin().
extern struct disk_calls disk_calls;

/// Forgets everything and watches this thread from now on.
void disk_calls_begin(void);

#endif
