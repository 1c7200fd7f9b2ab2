// SPDX-License-Identifier: MIT
//
// Files and folders as the system has them. An open file is a number, as in C's own libraries on every system; paths
// are UTF-8 with slashes. Functions that fail set errno. base/file.h reads and writes whole files by these.
#ifndef PLATFORM_DISK_H
#define PLATFORM_DISK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// How a file is opened.
enum disk_way {
    DISK_READ,         ///< a file that is there
    DISK_READ_AT_ONCE, ///< the same, and never waits for the writer of a pipe
    DISK_REPLACE,      ///< writes, and empties or creates it
    DISK_CREATE,       ///< writes; EEXIST if it is there
    DISK_APPEND,       ///< reads anywhere and writes at the end; creates it
    DISK_UPDATE,       ///< reads and writes anywhere; creates it
};
/// With a way: not through a symbolic link.
#define DISK_NO_LINK 0x100u

/// Permissions of new files and folders, where the system has them.
#define DISK_OWNER         0600u ///< a file for its owner alone
#define DISK_PUBLIC        0644u ///< a file that all may read
#define DISK_OWNER_FOLDER  0700u
#define DISK_PUBLIC_FOLDER 0755u

enum disk_kind { DISK_FILE, DISK_FOLDER, DISK_OTHER };

/// What the system knows about a file.
struct disk_facts {
    enum disk_kind kind;
    uint64_t byte_count;
    int64_t modified_ns;    ///< since 1970
    uint32_t permissions;   ///< as chmod has them; DISK_OWNER where the system has none
    uint64_t device, inode; ///< together the same for the same file only
};

/// The room on the disk that a folder is on.
struct disk_room {
    uint64_t available_bytes, size_bytes;
};

/// Opens a file; `permissions` count for a new one, less what the umask takes. A file that was there and is opened to
/// be written with DISK_OWNER is its owner's alone from then on, if this program may say so. Programs that this one
/// starts do not get it. Returns its number, or -1.
int disk_open(const char *path, unsigned way, uint32_t permissions);
/// Closes a file. False if what was written may be lost.
bool disk_close(int file);
/// Closes a file and keeps errno.
static inline void disk_close_quietly(int file)
{
    int reason = errno;
    disk_close(file);
    errno = reason;
}
/// Reads until the end or until the memory is full. Returns the bytes, or -1.
int64_t disk_read(int file, void *bytes, size_t capacity);
/// Reads a part of a file, from an offset on. Returns the bytes, or -1.
int64_t disk_read_at(int file, void *bytes, size_t capacity, uint64_t offset);
/// Writes by one call, which may be less than all. Returns the bytes, or -1.
int64_t disk_write(int file, const void *bytes, size_t byte_count);
/// Puts what was written on the disk.
bool disk_sync(int file);
/// The same without its times, which costs less. A file that has no disk behind it needs nothing.
bool disk_sync_bytes(int file);
/// Puts the names in the folder of a path on the disk, so that they survive a power loss.
bool disk_sync_folder_of(const char *path);
/// Sets the permissions of an open file, whatever the umask says.
bool disk_permit(int file, uint32_t permissions);
/// Cuts an open file to a length.
bool disk_cut(int file, uint64_t byte_count);
/// Locks an open file for this program until it is closed, however the program ends. Never waits: EWOULDBLOCK if
/// somebody else has the lock. Who does not ask for it reads and writes as usual.
bool disk_lock(int file);
/// Locks a folder in the same way until the number that it returns is closed; -1 if that fails.
int disk_lock_folder(const char *folder);
/// Maps a whole file to be read. Null if that fails.
const void *disk_map(int file, size_t byte_count);
/// Ends a mapping. Null is allowed.
void disk_unmap(const void *bytes, size_t byte_count);

/// Finds the facts of a path, through symbolic links.
bool disk_look(const char *path, struct disk_facts *facts);
/// Finds the facts of an open file.
bool disk_look_at(int file, struct disk_facts *facts);
/// Returns whether a path leads to something in a folder or below it, wherever symbolic links on both ways lead. Of a
/// file by a stranger's name: a link in the folder may lead out of it.
bool disk_is_within(const char *folder, const char *path);
/// Returns whether something has this path. False with ENOENT: nothing; with another errno nobody can tell.
bool disk_exists(const char *path);
/// Returns whether a file can be read.
bool disk_is_readable(const char *path);
/// Returns whether a file is a program that can be run.
bool disk_is_program(const char *path);

/// Tries to create a file in a folder, which is gone again then.
bool disk_can_create(const char *folder);
/// Finds the room on the disk that a folder is on.
bool disk_find_room(const char *folder, struct disk_room *room);

/// Moves a file, replacing what is there.
bool disk_move(const char *from, const char *to);
/// Moves a file to a name that is free: EEXIST if it is not. Of several programs that try at once, one succeeds.
bool disk_move_new(const char *from, const char *to);
/// Removes a file.
bool disk_remove(const char *path);
/// Removes a file and keeps errno.
void disk_remove_quietly(const char *path);
/// Notes that a file was modified just now.
bool disk_touch(const char *path);
/// Makes a folder. EEXIST if it is there.
bool disk_make_folder(const char *path, uint32_t permissions);
/// Removes an empty folder.
bool disk_remove_folder(const char *path);

struct disk_list;

/// Lists a folder. Null if it cannot be read.
struct disk_list *disk_list_open(const char *folder);
/// Returns the next name in the folder, valid until the next call. Null at the end, or of a null list.
const char *disk_list_next(struct disk_list *list);
/// Ends a list. Null is allowed.
void disk_list_close(struct disk_list *list);

/// A stream of C that writes into memory, for text of any length.
struct disk_memory {
    FILE *out; ///< to write to
    char *text;
    size_t byte_count;
};

/// Opens one. Returns where to write, or null without memory.
FILE *disk_memory_open(struct disk_memory *stream);
/// Closes it. Returns the text with a final zero, for free(), and its bytes without that; null if something was lost.
char *disk_memory_close(struct disk_memory *stream, size_t *byte_count);

#endif
