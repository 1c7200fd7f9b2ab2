// SPDX-License-Identifier: MIT
#include "../disk.h"

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "system.h"

#define EPOCH_100NS INT64_C(116444736000000000) // from 1601 to 1970
#define SHARED      (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define NAME_BYTES  1024
#define LOCKED_BYTE (UINT64_MAX >> 1)

struct disk_list {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool is_first;
    char name[NAME_BYTES];
};

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

// Refuses a link that was opened itself.
static bool is_wanted(HANDLE handle, unsigned way)
{
    BY_HANDLE_FILE_INFORMATION facts;
    if (!(way & DISK_NO_LINK) || !GetFileInformationByHandle(handle, &facts) ||
        !(facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return true;
    errno = ELOOP;
    return false;
}

// Others may rename and remove an open file, as on other systems.
int disk_open(const char *path, unsigned way, uint32_t permissions)
{
    static const struct {
        DWORD access, creation;
        int flags;
    } WAYS[] = {
        [DISK_READ] = {GENERIC_READ, OPEN_EXISTING, _O_RDONLY},
        [DISK_READ_AT_ONCE] = {GENERIC_READ, OPEN_EXISTING, _O_RDONLY},
        [DISK_REPLACE] = {GENERIC_WRITE, CREATE_ALWAYS, _O_WRONLY},
        [DISK_CREATE] = {GENERIC_WRITE, CREATE_NEW, _O_WRONLY},
        [DISK_APPEND] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR | _O_APPEND},
        [DISK_UPDATE] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, _O_RDWR},
    };
    wchar_t wide[WINDOWS_PATH_UNITS];
    unsigned kind = way & ~DISK_NO_LINK;
    (void)permissions;
    if (!windows_system_path(path, wide))
        return -1;
    HANDLE handle = CreateFileW(wide, WAYS[kind].access, SHARED, NULL, WAYS[kind].creation,
                                FILE_ATTRIBUTE_NORMAL | (way & DISK_NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0), NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        windows_system_take_error();
        return -1;
    }
    int file =
        is_wanted(handle, way) ? _open_osfhandle((intptr_t)handle, WAYS[kind].flags | _O_BINARY | _O_NOINHERIT) : -1;
    if (file < 0)
        CloseHandle(handle);
    return file;
}

bool disk_close(int file)
{
    return _close(file) == 0;
}

static unsigned limited(size_t byte_count)
{
    return byte_count < INT_MAX ? (unsigned)byte_count : INT_MAX;
}

int64_t disk_read(int file, void *bytes, size_t capacity)
{
    size_t done = 0;
    while (done < capacity) {
        int count = _read(file, (uint8_t *)bytes + done, limited(capacity - done));
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (int64_t)done;
}

static OVERLAPPED at_offset(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

// To read at an offset moves where the next write goes.
int64_t disk_read_at(int file, void *bytes, size_t capacity, uint64_t offset)
{
    DWORD count = 0;
    OVERLAPPED from = at_offset(offset);
    LARGE_INTEGER before;
    bool knows = SetFilePointerEx(handle_of(file), (LARGE_INTEGER){.QuadPart = 0}, &before, FILE_CURRENT);
    bool good =
        ReadFile(handle_of(file), bytes, limited(capacity), &count, &from) || GetLastError() == ERROR_HANDLE_EOF;
    if (!good)
        windows_system_take_error();
    if (knows)
        SetFilePointerEx(handle_of(file), before, NULL, FILE_BEGIN);
    return good ? (int64_t)count : -1;
}

int64_t disk_write(int file, const void *bytes, size_t byte_count)
{
    return _write(file, bytes, limited(byte_count));
}

bool disk_sync(int file)
{
    return FlushFileBuffers(handle_of(file)) || windows_system_take_error();
}

bool disk_sync_bytes(int file)
{
    return disk_sync(file);
}

// The file system keeps a journal of its names.
bool disk_sync_folder_of(const char *path)
{
    (void)path;
    return true;
}

// A file has the rights of its folder: what lies in a user's own folders is theirs alone.
bool disk_permit(int file, uint32_t permissions)
{
    (void)file, (void)permissions;
    return true;
}

bool disk_cut(int file, uint64_t byte_count)
{
    return _chsize_s(file, (int64_t)byte_count) == 0;
}

// The lock is on a byte that no file has: locked bytes cannot be read by others.
bool disk_lock(int file)
{
    OVERLAPPED from = at_offset(LOCKED_BYTE);
    return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &from) ||
           windows_system_take_error();
}

// A folder cannot be locked, so a file in it is, which goes with its number.
int disk_lock_folder(const char *folder)
{
    char path[WINDOWS_PATH_UNITS];
    wchar_t wide[WINDOWS_PATH_UNITS];
    snprintf(path, sizeof path, "%s/.lock", folder);
    if (!windows_system_path(path, wide))
        return -1;
    HANDLE handle =
        CreateFileW(wide, GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle != INVALID_HANDLE_VALUE)
        return _open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
    bool is_locked = GetLastError() == ERROR_SHARING_VIOLATION;
    windows_system_take_error();
    errno = is_locked ? EWOULDBLOCK : errno;
    return -1;
}

const void *disk_map(int file, size_t byte_count)
{
    HANDLE mapping = CreateFileMappingW(handle_of(file), NULL, PAGE_READONLY, 0, 0, NULL);
    if (!mapping)
        return windows_system_take_error(), NULL;
    const void *bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, byte_count);
    if (!bytes)
        windows_system_take_error();
    CloseHandle(mapping);
    return bytes;
}

void disk_unmap(const void *bytes, size_t byte_count)
{
    (void)byte_count;
    if (bytes)
        UnmapViewOfFile(bytes);
}

static bool take_facts(HANDLE handle, struct disk_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION found;
    *facts = (struct disk_facts){.kind = DISK_OTHER, .permissions = DISK_OWNER};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return handle != INVALID_HANDLE_VALUE;
    if (!GetFileInformationByHandle(handle, &found))
        return windows_system_take_error();
    uint64_t modified = (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    facts->kind = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? DISK_FOLDER : DISK_FILE;
    facts->byte_count = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    facts->modified_ns = ((int64_t)modified - EPOCH_100NS) * 100;
    facts->device = found.dwVolumeSerialNumber;
    facts->inode = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return true;
}

// Finds the path of what a path leads to, without any link.
static bool find_final(const char *path, wchar_t final[WINDOWS_PATH_UNITS])
{
    if (!windows_system_path(path, final))
        return false;
    HANDLE handle = CreateFileW(final, 0, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return windows_system_take_error();
    DWORD units = GetFinalPathNameByHandleW(handle, final, WINDOWS_PATH_UNITS, FILE_NAME_NORMALIZED);
    CloseHandle(handle);
    return units > 0 && units < WINDOWS_PATH_UNITS;
}

bool disk_is_within(const char *folder, const char *path)
{
    wchar_t place[WINDOWS_PATH_UNITS], found[WINDOWS_PATH_UNITS];
    if (!find_final(folder, place) || !find_final(path, found))
        return false;
    size_t length = wcslen(place);
    return wcsncmp(found, place, length) == 0 &&
           (found[length] == L'\\' || found[length] == 0 || place[length - 1] == L'\\');
}

bool disk_look(const char *path, struct disk_facts *facts)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    if (!windows_system_path(path, wide))
        return false;
    HANDLE handle =
        CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return windows_system_take_error();
    bool good = take_facts(handle, facts);
    CloseHandle(handle);
    return good;
}

bool disk_look_at(int file, struct disk_facts *facts)
{
    return take_facts(handle_of(file), facts);
}

bool disk_exists(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    return windows_system_path(path, wide) &&
           (GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES || windows_system_take_error());
}

bool disk_is_readable(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    return windows_system_path(path, wide) && _waccess(wide, 4) == 0;
}

bool disk_is_program(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    DWORD facts = windows_system_program(path, wide) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    if (facts == INVALID_FILE_ATTRIBUTES)
        return windows_system_take_error();
    errno = EACCES;
    return !(facts & FILE_ATTRIBUTE_DIRECTORY);
}

static bool move(const char *from, const char *to, DWORD flags)
{
    wchar_t wide_from[WINDOWS_PATH_UNITS], wide_to[WINDOWS_PATH_UNITS];
    return windows_system_path(from, wide_from) && windows_system_path(to, wide_to) &&
           (MoveFileExW(wide_from, wide_to, flags | MOVEFILE_WRITE_THROUGH) || windows_system_take_error());
}

bool disk_can_create(const char *folder)
{
    char path[WINDOWS_PATH_UNITS];
    snprintf(path, sizeof path, "%s/check-%ld", folder, (long)GetCurrentProcessId());
    int file = disk_open(path, DISK_CREATE, DISK_OWNER);
    if (file < 0)
        return false;
    disk_close(file);
    disk_remove(path);
    return true;
}

bool disk_find_room(const char *folder, struct disk_room *room)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    ULARGE_INTEGER available, size;
    if (!windows_system_path(folder, wide))
        return false;
    if (!GetDiskFreeSpaceExW(wide, &available, &size, NULL))
        return windows_system_take_error();
    *room = (struct disk_room){available.QuadPart, size.QuadPart};
    return true;
}

bool disk_move(const char *from, const char *to)
{
    return move(from, to, MOVEFILE_REPLACE_EXISTING);
}

bool disk_move_new(const char *from, const char *to)
{
    return move(from, to, 0);
}

bool disk_remove(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    return windows_system_path(path, wide) && (DeleteFileW(wide) || windows_system_take_error());
}

void disk_remove_quietly(const char *path)
{
    int reason = errno;
    disk_remove(path);
    errno = reason;
}

bool disk_touch(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    FILETIME now;
    if (!windows_system_path(path, wide))
        return false;
    HANDLE handle = CreateFileW(wide, FILE_WRITE_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return windows_system_take_error();
    GetSystemTimeAsFileTime(&now);
    bool good = SetFileTime(handle, NULL, NULL, &now) || windows_system_take_error();
    CloseHandle(handle);
    return good;
}

bool disk_make_folder(const char *path, uint32_t permissions)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    (void)permissions;
    return windows_system_path(path, wide) && (CreateDirectoryW(wide, NULL) || windows_system_take_error());
}

bool disk_remove_folder(const char *path)
{
    wchar_t wide[WINDOWS_PATH_UNITS];
    return windows_system_path(path, wide) && (RemoveDirectoryW(wide) || windows_system_take_error());
}

struct disk_list *disk_list_open(const char *folder)
{
    char pattern[WINDOWS_PATH_UNITS];
    wchar_t wide[WINDOWS_PATH_UNITS];
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    struct disk_list *list = windows_system_path(pattern, wide) ? calloc(1, sizeof *list) : NULL;
    if (!list)
        return NULL;
    list->search = FindFirstFileW(wide, &list->found);
    list->is_first = true;
    if (list->search != INVALID_HANDLE_VALUE)
        return list;
    windows_system_take_error();
    free(list);
    return NULL;
}

const char *disk_list_next(struct disk_list *list)
{
    while (list && (list->is_first || FindNextFileW(list->search, &list->found))) {
        list->is_first = false;
        if (windows_system_utf8(list->found.cFileName, list->name, sizeof list->name))
            return list->name;
    }
    return NULL;
}

void disk_list_close(struct disk_list *list)
{
    if (list)
        FindClose(list->search);
    free(list);
}

// Streams of Windows write to files only: this one is a temporary file, which is not written to the disk if there is
// memory.
FILE *disk_memory_open(struct disk_memory *stream)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *stream = (struct disk_memory){0};
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"ddf", 0, path))
        return windows_system_take_error(), NULL;
    HANDLE handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                                FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return windows_system_take_error(), NULL;
    int file = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY | _O_NOINHERIT);
    if (file < 0)
        CloseHandle(handle);
    return stream->out = file >= 0 ? _fdopen(file, "w+b") : NULL;
}

char *disk_memory_close(struct disk_memory *stream, size_t *byte_count)
{
    long end = fflush(stream->out) == 0 ? ftell(stream->out) : -1;
    char *text = end >= 0 ? malloc((size_t)end + 1) : NULL;
    *byte_count = 0;
    if (text) {
        rewind(stream->out);
        *byte_count = fread(text, 1, (size_t)end, stream->out);
        text[*byte_count] = 0;
    }
    fclose(stream->out);
    if (text && *byte_count == (size_t)end)
        return text;
    *byte_count = 0;
    free(text);
    return NULL;
}
