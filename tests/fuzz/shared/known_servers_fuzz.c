// SPDX-License-Identifier: MIT
//
// Fuzzes the list of known servers with any bytes. A server that is added to it is known from then on, with this key
// and no other. The bytes as a host have one name.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "net/crypto/identity.h"
#include "net/crypto/known_servers.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PLACE "example.net:27440"

static void name(const uint8_t *data, size_t size)
{
    char host[512] = "", one[KNOWN_SERVERS_NAME_BYTES], again[KNOWN_SERVERS_NAME_BYTES];
    memcpy(host, data, size < sizeof host ? size : sizeof host - 1);
    known_servers_name(host, 1, one);
    for (char *letter = host; *letter; letter++)
        *letter = (char)(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter);
    known_servers_name(host, 1, again);
    require(strcmp(one, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64], own[FINGERPRINT_TEXT_BYTES], other[FINGERPRINT_TEXT_BYTES];
    struct error error = {0};
    if (file < 0) {
        file = memfd_create("known_servers", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        identity_fingerprint((const uint8_t[32]){1}, own);
        identity_fingerprint((const uint8_t[32]){2}, other);
    }
    name(data, size);
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    bool fits = known_servers_check(path, PLACE, own, &error);
    require(fits == (error.text[0] == 0));
    require(known_servers_add(path, PLACE, own, &error) == fits);
    require(known_servers_check(path, PLACE, own, &error) == fits);
    require(!fits || !known_servers_check(path, PLACE, other, &error));
    return 0;
}
