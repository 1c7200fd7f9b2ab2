// SPDX-License-Identifier: MIT
#include "../disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FOLDER_BYTES 4096
#define SECOND_NS    INT64_C(1000000000)
#define OTHERS       0077u // who is not the owner

int disk_open(const char *path, unsigned way, uint32_t permissions)
{
    static const int FLAGS[] = {
        [DISK_READ] = O_RDONLY,
        [DISK_READ_AT_ONCE] = O_RDONLY | O_NONBLOCK,
        [DISK_REPLACE] = O_WRONLY | O_CREAT | O_TRUNC,
        [DISK_CREATE] = O_WRONLY | O_CREAT | O_EXCL,
        [DISK_APPEND] = O_RDWR | O_CREAT | O_APPEND,
        [DISK_UPDATE] = O_RDWR | O_CREAT,
    };
    int flags = FLAGS[way & ~DISK_NO_LINK] | (way & DISK_NO_LINK ? O_NOFOLLOW : 0) | O_CLOEXEC;
    int file = open(path, flags, (mode_t)permissions);
    struct stat status;
    if (file >= 0 && flags & O_CREAT && permissions == DISK_OWNER && fstat(file, &status) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_mode & OTHERS)
        fchmod(file, DISK_OWNER);
    return file;
}

bool disk_close(int file)
{
    return close(file) == 0;
}

int64_t disk_read(int file, void *bytes, size_t capacity)
{
    size_t done = 0;
    while (done < capacity) {
        ssize_t count = read(file, (uint8_t *)bytes + done, capacity - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (int64_t)done;
}

int64_t disk_read_at(int file, void *bytes, size_t capacity, uint64_t offset)
{
    return pread(file, bytes, capacity, (off_t)offset);
}

int64_t disk_write(int file, const void *bytes, size_t byte_count)
{
    return write(file, bytes, byte_count);
}

bool disk_sync(int file)
{
    return fsync(file) == 0;
}

bool disk_sync_bytes(int file)
{
    return fdatasync(file) == 0 || errno == EINVAL || errno == EROFS;
}

// Some file systems cannot do it, and need not.
bool disk_sync_folder_of(const char *path)
{
    char folder[FOLDER_BYTES];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = fsync(file) == 0 || errno == EINVAL;
    disk_close_quietly(file);
    return good;
}

bool disk_permit(int file, uint32_t permissions)
{
    return fchmod(file, (mode_t)permissions) == 0;
}

bool disk_cut(int file, uint64_t byte_count)
{
    return ftruncate(file, (off_t)byte_count) == 0;
}

bool disk_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

int disk_lock_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 || disk_lock(file))
        return file;
    disk_close_quietly(file);
    return -1;
}

const void *disk_map(int file, size_t byte_count)
{
    void *bytes = mmap(NULL, byte_count, PROT_READ, MAP_PRIVATE, file, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void disk_unmap(const void *bytes, size_t byte_count)
{
    if (bytes)
        munmap((void *)(uintptr_t)bytes, byte_count);
}

static bool take_facts(const struct stat *status, struct disk_facts *facts)
{
    *facts = (struct disk_facts){
        .kind = S_ISREG(status->st_mode)   ? DISK_FILE
                : S_ISDIR(status->st_mode) ? DISK_FOLDER
                                           : DISK_OTHER,
        .byte_count = (uint64_t)status->st_size,
        .modified_ns = (int64_t)status->st_mtim.tv_sec * SECOND_NS + status->st_mtim.tv_nsec,
        .permissions = status->st_mode & 07777,
        .device = (uint64_t)status->st_dev,
        .inode = (uint64_t)status->st_ino,
    };
    return true;
}

bool disk_look(const char *path, struct disk_facts *facts)
{
    struct stat status;
    return stat(path, &status) == 0 && take_facts(&status, facts);
}

bool disk_look_at(int file, struct disk_facts *facts)
{
    struct stat status;
    return fstat(file, &status) == 0 && take_facts(&status, facts);
}

bool disk_is_within(const char *folder, const char *path)
{
    char *place = realpath(folder, NULL), *found = realpath(path, NULL);
    size_t length = place ? strlen(place) : 0;
    bool is_within = found && length > 0 && strncmp(found, place, length) == 0 &&
                     (found[length] == '/' || found[length] == 0 || place[length - 1] == '/');
    free(place);
    free(found);
    return is_within;
}

bool disk_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool disk_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool disk_is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

bool disk_can_create(const char *folder)
{
    char path[FOLDER_BYTES];
    if (snprintf(path, sizeof path, "%s/check-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0)
        return false;
    close(file);
    unlink(path);
    return true;
}

bool disk_find_room(const char *folder, struct disk_room *room)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0)
        return false;
    *room = (struct disk_room){(uint64_t)disk.f_bavail * disk.f_frsize, (uint64_t)disk.f_blocks * disk.f_frsize};
    return true;
}

bool disk_move(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

// A link fails if there is a file already; a rename would replace it. Some file systems (FAT, those in memory of a
// page) know no links; there, of two programs at once the later one wins.
bool disk_move_new(const char *from, const char *to)
{
    if (link(from, to) == 0) {
        disk_remove_quietly(from);
        return true;
    }
    if (errno != EPERM && errno != EMLINK && errno != ENOTSUP)
        return false;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

bool disk_remove(const char *path)
{
    return unlink(path) == 0;
}

void disk_remove_quietly(const char *path)
{
    int reason = errno;
    unlink(path);
    errno = reason;
}

bool disk_touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

bool disk_make_folder(const char *path, uint32_t permissions)
{
    return mkdir(path, (mode_t)permissions) == 0;
}

bool disk_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

struct disk_list *disk_list_open(const char *folder)
{
    return (struct disk_list *)opendir(folder);
}

const char *disk_list_next(struct disk_list *list)
{
    const struct dirent *entry = list ? readdir((DIR *)list) : NULL;
    return entry ? entry->d_name : NULL;
}

void disk_list_close(struct disk_list *list)
{
    if (list)
        closedir((DIR *)list);
}

FILE *disk_memory_open(struct disk_memory *stream)
{
    *stream = (struct disk_memory){0};
    return stream->out = open_memstream(&stream->text, &stream->byte_count);
}

char *disk_memory_close(struct disk_memory *stream, size_t *byte_count)
{
    bool good = ferror(stream->out) == 0;
    good = fclose(stream->out) == 0 && good;
    *byte_count = good ? stream->byte_count : 0;
    if (good)
        return stream->text;
    free(stream->text);
    return NULL;
}
