// SPDX-License-Identifier: MIT
#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define LINE_BYTES 512

// Linked into place when whole: two programs that start at once agree on one key, and a crash leaves none or a good
// one.
static bool make_seed(const char *path)
{
    char fresh[PATH_MAX];
    uint8_t seed[IDENTITY_SEED_BYTES];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid()) >= sizeof fresh) {
        errno = ENAMETOOLONG;
        return false;
    }
    file_make_folders(path);
    int file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    randombytes_buf(seed, sizeof seed);
    bool made = write(file, seed, sizeof seed) == (ssize_t)sizeof seed && fsync(file) == 0;
    made = (close(file) == 0) && made;
    made = made && (link(fresh, path) == 0 || errno == EEXIST);
    int reason = errno;
    unlink(fresh);
    errno = reason;
    return made;
}

static bool read_seed(int file, const char *path, uint8_t seed[IDENTITY_SEED_BYTES], struct error *error)
{
    struct stat status;
    uint8_t bytes[IDENTITY_SEED_BYTES + 1];
    if (fstat(file, &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)))
        return error_set(error, "%s can be read by others; make it your own: chmod 600 %s", path, path);
    if (read(file, bytes, sizeof bytes) != IDENTITY_SEED_BYTES)
        return error_set(error, "%s is no key of %d bytes; restore it, or remove it to get another", path,
                         IDENTITY_SEED_BYTES);
    memcpy(seed, bytes, IDENTITY_SEED_BYTES);
    return true;
}

bool identity_load(const char *path, uint8_t seed[IDENTITY_SEED_BYTES], struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT && make_seed(path))
        file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set(error, "the key %s cannot be used: %s", path, strerror(errno));
    bool good = read_seed(file, path, seed, error);
    close(file);
    return good;
}

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz234567";

void identity_fingerprint(const uint8_t key[32], char text[FINGERPRINT_TEXT_BYTES])
{
    uint8_t hash[20];
    crypto_generichash(hash, sizeof hash, key, 32, NULL, 0);
    uint32_t bits = 0, held = 0;
    for (size_t i = 0; i < sizeof hash; i++) {
        bits = bits << 8 | hash[i];
        for (held += 8; held >= 5; held -= 5)
            *text++ = LETTERS[bits >> (held - 5) & 31];
    }
    *text = 0;
}

bool identity_fingerprint_of_file(const char *path, char text[FINGERPRINT_TEXT_BYTES], struct error *error)
{
    uint8_t seed[IDENTITY_SEED_BYTES], key[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
    if (!identity_load(path, seed, error))
        return false;
    crypto_sign_seed_keypair(key, secret, seed);
    identity_fingerprint(key, text);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return true;
}

bool identity_fingerprint_is_valid(const char *text)
{
    return strlen(text) == FINGERPRINT_TEXT_BYTES - 1 && strspn(text, LETTERS) == FINGERPRINT_TEXT_BYTES - 1;
}

// The fingerprint that a file has for a place; the last line counts. Empty: none.
static void find(FILE *file, const char *place, char known[FINGERPRINT_TEXT_BYTES])
{
    char line[LINE_BYTES];
    size_t length = strlen(place);
    known[0] = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, place, length) == 0 && line[length] == ' ' &&
            identity_fingerprint_is_valid(line + length + 1))
            strcpy(known, line + length + 1);
    }
}

// Whether somebody has edited the list and left its last line without an end.
static bool is_torn(int file)
{
    char last = '\n';
    off_t end = lseek(file, 0, SEEK_END);
    return end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n';
}

// One write to the end: programs that do this at once do not tear each other's line.
static bool append(const char *path, const char *place, const char *fingerprint)
{
    char line[LINE_BYTES];
    file_make_folders(path);
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    int length = snprintf(line, sizeof line, "%s%s %s\n", is_torn(file) ? "\n" : "", place, fingerprint);
    bool written = length < (int)sizeof line && write(file, line, (size_t)length) == length;
    return close(file) == 0 && written;
}

enum known { KNOWN_NEW, KNOWN_SAME, KNOWN_NOT };

static enum known look_up(const char *path, const char *place, const char *fingerprint, struct error *error)
{
    char known[FINGERPRINT_TEXT_BYTES] = "";
    FILE *file = fopen(path, "re");
    if (!file && errno != ENOENT) {
        error_set(error, "the list of known servers %s cannot be read: %s", path, strerror(errno));
        return KNOWN_NOT;
    }
    if (file) {
        find(file, place, known);
        fclose(file);
    }
    if (!known[0] || strcmp(known, fingerprint) == 0)
        return known[0] ? KNOWN_SAME : KNOWN_NEW;
    error_set(error,
              "%s has another key than when you first met it (%s then, %s now): it was set up anew, or somebody stands "
              "between; if you trust it, remove its line from %s",
              place, known, fingerprint, path);
    return KNOWN_NOT;
}

bool identity_check_server(const char *path, const char *place, const char *fingerprint, struct error *error)
{
    return look_up(path, place, fingerprint, error) != KNOWN_NOT;
}

bool identity_remember_server(const char *path, const char *place, const char *fingerprint, struct error *error)
{
    enum known known = look_up(path, place, fingerprint, error);
    if (known != KNOWN_NEW)
        return known == KNOWN_SAME;
    if (append(path, place, fingerprint))
        return true;
    return error_set(error, "the list of known servers %s cannot be written: %s", path, strerror(errno));
}
